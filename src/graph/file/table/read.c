/* Tables of edges: one row per edge, with columns for its endpoints and weight. A row without target is a vertex. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"
#include "graph/file/table/record.h"

#include <stdlib.h>
#include <string.h>

#define PAIR_BYTES 16 /* bytes of a file per pair, so that a piece's dictionary stays in a cache */

struct reading {
    struct mw_input *input;
    struct mw_record row;
    struct mw_columns columns;
    bool weighted;
    struct mw_pieces pieces;
    size_t most; /* pairs per piece */
};

static struct mw_edge_piece *last_piece(const struct reading *r)
{
    return r->pieces.count ? r->pieces.piece[r->pieces.count - 1] : NULL;
}

static void close_piece(struct mw_edge_piece *piece)
{
    uint32_t *fitting = piece ? realloc(piece->ends, (piece->count + 1) * 2 * sizeof *fitting) : NULL;
    if (fitting)
        piece->ends = fitting;
    if (piece)
        mw_dictionary_close(&piece->words);
}

static int add_piece(struct reading *r)
{
    struct mw_edge_piece *piece = NULL;
    close_piece(last_piece(r));
    TRY_RETURN(mw_grow(r->pieces.count, sizeof *r->pieces.piece, &r->pieces.piece));
    TRY_RETURN(mw_new(1, sizeof *piece, &piece));
    piece->least = UINT32_MAX;
    r->pieces.piece[r->pieces.count++] = piece;
    TRY_RETURN(mw_new(2 * r->most, sizeof *piece->ends, &piece->ends));
    return r->weighted ? mw_new(r->most, sizeof *piece->weights, &piece->weights) : 0;
}

static int table_read_wrong(const struct reading *r, const char *what)
{
    return mw_input_malformed(r->input, r->row.line, "%s", what);
}

static bool is_empty(const struct reading *r, size_t column)
{
    return column >= r->row.fields || r->row.field[column].length == 0;
}

static int check_name(const struct reading *r, size_t column)
{
    const char *text = mw_record_text(&r->row, column);
    const size_t length = r->row.field[column].length;
    if (length > MW_NAME_MAX)
        return table_read_wrong(r, "a name is too long");
    if (mw_has_control(text, length))
        return table_read_wrong(r, "a name contains a newline or another control character");
    return 0;
}

static bool plain_number(const struct reading *r, size_t column, uint32_t *number)
{
    uint64_t wide;
    if (!mw_plain_number(mw_record_text(&r->row, column), r->row.field[column].length, &wide) || wide > UINT32_MAX)
        return false;
    *number = (uint32_t)wide;
    return true;
}

static int take_weight(struct reading *r, mw_decimal *weight)
{
    const size_t column = r->columns.weight;
    const char *text, *end;
    char quoted[MW_QUOTE_CAPACITY];
    if (is_empty(r, column))
        return table_read_wrong(r, "the edge has no weight, but others do: add one, or read the file without weights");
    text = mw_record_text(&r->row, column);
    end = mw_decimal_read(text, weight);
    if (end && *end == '\0')
        return 0;
    mw_quote_text(text, r->row.field[column].length, quoted);
    return mw_input_malformed(r->input, r->row.line, "\"%s\" is not a weight (a number below 1e280)%s", quoted,
                              strchr(text, ',') ? ": use a decimal point" : "");
}

/* Takes the endpoints of the next pair: as numbers, or, from the first other name on, as words of the piece. */
static int take_ends(struct reading *r, size_t source, size_t target)
{
    struct mw_edge_piece *piece = last_piece(r);
    uint32_t end[2];
    if (!piece->has_words && plain_number(r, source, &end[0]) && plain_number(r, target, &end[1])) {
        for (int i = 0; i < 2; i++) {
            piece->least = end[i] < piece->least ? end[i] : piece->least;
            piece->most = end[i] > piece->most ? end[i] : piece->most;
        }
    } else {
        if (!piece->has_words && piece->count > 0) {
            TRY_RETURN(add_piece(r));
            piece = last_piece(r);
        }
        piece->has_words = true;
        TRY_RETURN(
            mw_dictionary_add(&piece->words, mw_record_text(&r->row, source), r->row.field[source].length, &end[0]));
        TRY_RETURN(
            mw_dictionary_add(&piece->words, mw_record_text(&r->row, target), r->row.field[target].length, &end[1]));
    }
    memcpy(piece->ends + 2 * piece->count, end, sizeof end);
    return 0;
}

static int table_read_add_row(struct reading *r)
{
    const size_t source = r->columns.source;
    const bool is_lone = is_empty(r, r->columns.target);
    const size_t target = is_lone ? source : r->columns.target;
    struct mw_edge_piece *piece = last_piece(r);
    mw_decimal weight = MW_DECIMAL_NONE;
    if (is_empty(r, source) && is_lone)
        return 0;
    if (is_empty(r, source))
        return table_read_wrong(r, "the edge has no source");
    TRY_RETURN(check_name(r, source));
    TRY_RETURN(check_name(r, target));
    if (r->weighted && !is_lone)
        TRY_RETURN(take_weight(r, &weight));
    if (!piece || piece->count == r->most)
        TRY_RETURN(add_piece(r));
    TRY_RETURN(take_ends(r, source, target));
    piece = last_piece(r);
    if (is_lone)
        TRY_RETURN(mw_edge_piece_add_lone(piece, piece->count));
    if (r->weighted)
        piece->weights[piece->count] = weight;
    piece->count++;
    return 0;
}

static int read_rows(struct reading *r, const struct mw_graph_file_options *options)
{
    TRY_RETURN(mw_record_read(r->input, &r->row));
    if (r->row.fields == 0)
        return 0;
    TRY_RETURN(mw_columns_choose(r->input, &r->row, options->columns, &r->columns));
    r->weighted = r->columns.has_weight && !options->no_weights;
    if (r->columns.has_titles)
        TRY_RETURN(mw_record_read(r->input, &r->row));
    while (r->row.fields > 0) {
        TRY_RETURN(table_read_add_row(r));
        TRY_RETURN(mw_record_read(r->input, &r->row));
    }
    close_piece(last_piece(r));
    return 0;
}

static int read_table(struct mw_input *input, const struct mw_graph_file_options *options, bool prefers_tabs,
                      struct mw_edges *edges)
{
    struct reading r = { .input = input,
                         .row.prefers_tabs = prefers_tabs,
                         .most = input->limits->piece_bytes / PAIR_BYTES + 1 };
    struct mw_pieces *const p = &r.pieces;
    int rc;
    TRY(read_rows(&r, options));
    TRY(mw_executor_new(p->count < 2 ? "serial" : "pthreads", options->threads, &p->executor));
    TRY(mw_pieces_finish(p->executor, input->name, p->piece, p->count, r.weighted, options->directed, edges));
out:
    mw_edge_pieces_end(p);
    mw_record_free(&r.row);
    return rc;
}

int mw_edges_read_csv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    return read_table(input, options, false, edges);
}

int mw_edges_read_tsv(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    return read_table(input, options, true, edges);
}
/* SPDX-License-Identifier: MIT */
