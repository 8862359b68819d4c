/* Matrix Market's coordinate format (Boisvert, Pozo, Remington 1996): a banner, comments, the sizes, and an entry per
 * line: row, column, value. The entries of a row are the heads of its arcs. */
#include "graph/file/edge_pieces.h"
#include "graph/file/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_LEAST 4                   /* bytes of the shortest entry line, with its newline */
#define SAID_FROM ((uint64_t)64 << 20) /* bytes of a graph with few entries that deserve a notice */

enum symmetry { GENERAL, SYMMETRIC, SKEW };

struct reading {
    struct mw_input *input;
    unsigned values; /* columns of an entry after row and column */
    bool weighted;   /* the value is a weight */
    enum symmetry symmetry;
    uint64_t vertices, entries;
};

/* Allowed words of the banner; an empty word ends each list. */
struct choice {
    const char *word;
    int value;
};
static const struct choice objects[] = { { "matrix", 0 }, { "", 0 } };
static const struct choice shapes[] = { { "coordinate", 0 }, { "", 0 } };
static const struct choice fields[] = { { "pattern", 0 }, { "real", 1 },    { "double", 1 },
                                        { "integer", 1 }, { "complex", 2 }, { "", 0 } };
static const struct choice symmetries[] = { { "general", GENERAL },
                                            { "symmetric", SYMMETRIC },
                                            { "skew-symmetric", SKEW },
                                            { "hermitian", SYMMETRIC },
                                            { "", 0 } };

static int take_choice(const struct mw_input *input, const char **at, const struct choice *choices, const char *what,
                       int *value)
{
    const char *s = mw_skip_blanks(*at), *end = mw_skip_word(s);
    char text[MW_QUOTE_CAPACITY];
    for (const struct choice *c = choices; *c->word; c++)
        if (strlen(c->word) == (size_t)(end - s) && mw_same_start(c->word, s, (size_t)(end - s))) {
            *value = c->value;
            *at = end;
            return 0;
        }
    return mw_input_malformed(input, 1,
                              "\"%s\" is not a supported %s of a matrix: see the words of Matrix Market's coordinate "
                              "format",
                              s == end ? "" : mw_quote(s, text), what);
}

static int read_banner(struct reading *r)
{
    static const char banner[] = "%%MatrixMarket";
    const char *at, *end;
    int value;
    TRY_RETURN(mw_input_line(r->input, &at, &end));
    if (!at || end - at < (int)sizeof banner || !mw_same_start(at, banner, sizeof banner - 1))
        return mw_input_malformed(r->input, 1, "the file does not begin with %s", banner);
    at += sizeof banner - 1;
    TRY_RETURN(take_choice(r->input, &at, objects, "kind", &value));
    TRY_RETURN(take_choice(r->input, &at, shapes, "format", &value));
    TRY_RETURN(take_choice(r->input, &at, fields, "field", &value));
    r->values = (unsigned)value;
    TRY_RETURN(take_choice(r->input, &at, symmetries, "symmetry", &value));
    r->symmetry = (enum symmetry)value;
    return 0;
}

/* Reads rows, columns and entries, after comments. */
static int read_sizes(struct reading *r)
{
    uint64_t size[3];
    const char *at, *end;
    char text[MW_QUOTE_CAPACITY];
    int rc;
    TRY(mw_input_data_line(r->input, true, "the numbers of rows, columns and entries", &at, &end));
    for (size_t i = 0; i < MW_COUNT(size); i++)
        if (mw_take_number(&at, &size[i]) != MW_WORD_NUMBER)
            return mw_input_malformed(r->input, r->input->lines,
                                      "expected the numbers of rows, columns and entries, found \"%s\"%s",
                                      at >= end ? "" : mw_quote(at, text), at >= end ? "" : mw_word_hint(at));
    if (mw_skip_blanks(at) < end)
        return mw_input_malformed(r->input, r->input->lines, "unexpected text after rows, columns and entries");
    if (size[0] != size[1])
        return mw_input_malformed(r->input, r->input->lines,
                                  "a matrix of %" PRIu64 " rows and %" PRIu64 " columns is not a graph: it must be "
                                  "square",
                                  size[0], size[1]);
    r->vertices = size[0];
    r->entries = size[2];
    if ((rc = mw_vertices_check(r->vertices)) != 0)
        return mw_fail_in(rc, "%s:%zu", r->input->name, r->input->lines);
out:
    return rc;
}

static bool take_index(const struct reading *r, struct mw_piece *piece, const char **at, const char *what,
                       uint32_t *index)
{
    uint64_t value;
    const enum mw_word word = mw_take_number(at, &value);
    if (word != MW_WORD_NUMBER) {
        mw_word_wrong(piece, word, *at, what);
        return false;
    }
    if (value == 0 || value > r->vertices) {
        mw_piece_wrong(piece, "%s %" PRIu64 " must be 1 to %" PRIu64, what, value, r->vertices);
        return false;
    }
    *index = (uint32_t)value;
    return true;
}

static bool read_entry(const struct reading *r, struct mw_edge_piece *p, const char **at)
{
    uint32_t *to = p->ends + 2 * p->count;
    if (!take_index(r, &p->head, at, "row", &to[0]) || !take_index(r, &p->head, at, "column", &to[1]))
        return false;
    if (r->symmetry != GENERAL && (to[0] < to[1] || (to[0] == to[1] && r->symmetry == SKEW))) {
        mw_piece_wrong(&p->head, "row %u, column %u is not below the diagonal%s, as required of a symmetric matrix",
                       to[0], to[1], r->symmetry == SKEW ? "" : " or on it");
        return false;
    }
    for (unsigned i = 0; i < r->values; i++) {
        const char *word = mw_skip_blanks(*at);
        char text[MW_QUOTE_CAPACITY];
        *at = mw_skip_word(word);
        if (*at == word) {
            mw_piece_wrong(&p->head, "the entry has no value");
            return false;
        }
        if (r->weighted && mw_decimal_read(word, &p->weights[p->count]) != *at) {
            mw_piece_wrong(&p->head, "\"%s\" is not a value (a number below 1e280)%s", mw_quote(word, text),
                           mw_word_hint(word));
            return false;
        }
    }
    return mw_finish_line(&p->head, at);
}

static void read_piece(void *context, const char *at, const char *end, void *piece)
{
    const struct reading *r = context;
    struct mw_edge_piece *p = piece;
    p->capacity = (size_t)(end - at) / LINE_LEAST + 1;
    p->ends = malloc(p->capacity * 2 * sizeof *p->ends);
    p->weights = r->weighted ? malloc(p->capacity * sizeof *p->weights) : NULL;
    if (!p->ends || (r->weighted && !p->weights)) {
        mw_piece_failed(&p->head,
                        mw_fail(MW_ENOMEM, "out of memory for the entries of %zu bytes of text", (size_t)(end - at)));
        return;
    }
    for (; at < end; p->head.lines++) {
        const char *s = mw_skip_blanks(at);
        const bool is_entry = *s != '\n' && *s != '\r' && *s != '%';
        if (is_entry ? !read_entry(r, p, &at) : !mw_finish_line(&p->head, &at))
            return;
        p->count += is_entry;
    }
    uint32_t *fitting = realloc(p->ends, (p->count + 1) * 2 * sizeof *p->ends);
    if (fitting)
        p->ends = fitting;
}

/* Logs a notice if a short file needs much memory: vertices without entries are allowed, so its size is accepted. */
static void print_size(const struct reading *r)
{
    const uint64_t bytes = mw_graph_bytes((size_t)r->vertices, r->entries, r->symmetry == GENERAL);
    if (bytes >= SAID_FROM && r->vertices / 16 > r->entries)
        mw_log(MW_LOG_NOTICE, "%s: most of its %" PRIu64 " vertices have no entries; its graph takes %s of memory",
               r->input->name, r->vertices, mw_amount(bytes).text);
}

int mw_edges_read_mtx(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .input = input };
    struct mw_pieces pieces = { .bytes = sizeof(struct mw_edge_piece), .read = read_piece, .context = &r };
    uint64_t found = 0;
    int rc;
    TRY(read_banner(&r));
    r.weighted = r.values == 1 && r.symmetry != SKEW && !options->no_weights;
    TRY(read_sizes(&r));
    TRY(mw_input_executor(input, options->threads, &pieces.executor));
    TRY(mw_pieces_read(input, &pieces));
    for (size_t i = 0; i < pieces.count; i++)
        found += ((const struct mw_edge_piece *)pieces.piece[i])->count;
    if (found != r.entries)
        TRY(mw_input_malformed(input, pieces.lines,
                               "the file ends after %" PRIu64 " entries, but its sizes state %" PRIu64, found,
                               r.entries));
    print_size(&r);
    if (!r.weighted && r.values > 0 && !options->no_weights)
        mw_log(MW_LOG_NOTICE, "%s: the values of a matrix that is %s are not used as weights", input->name,
               r.values > 1 ? "complex" : "skew-symmetric");
    TRY(mw_pieces_keep(pieces.executor, input->name, pieces.piece, pieces.count, 1, r.vertices, r.weighted,
                       r.symmetry == GENERAL, edges));
out:
    mw_edge_pieces_end(&pieces);
    return rc;
}

/* ---- writing ---- */

/* Writes an entry. In undirected graphs, the larger endpoint is the row, so that entries are below the diagonal. */
static void put_entry(const struct mw_writing *w, size_t tail, size_t head, uint64_t arc, struct mw_output_block *block)
{
    char *to = mw_output_block_reserve(block, 2 * MW_NUMBER_CAPACITY + MW_WEIGHT_CAPACITY + 3);
    if (!to)
        return;
    to = mw_put_number(to, (w->graph->directed ? tail : head) + 1);
    *to++ = ' ';
    to = mw_put_number(to, (w->graph->directed ? head : tail) + 1);
    if (w->graph->weights) {
        *to++ = ' ';
        to = mw_weight_put(to, w->graph->weights[arc], w->graph->decimals);
    }
    *to++ = '\n';
    block->length = (size_t)(to - block->data);
}

int mw_graph_write_mtx(struct mw_writing *w)
{
    static const struct mw_writer writer = { .edge = put_entry };
    const char *field = !w->graph->weights ? "pattern" : w->graph->decimals != 0 ? "real" : "integer";
    mw_writing_warn_nameless(w, 1);
    TRY_RETURN(mw_write_text(w, "%%%%MatrixMarket matrix coordinate %s %s\n%zu %zu %" PRIu64 "\n", field,
                             w->graph->directed ? "general" : "symmetric", w->graph->vertices, w->graph->vertices,
                             w->edges));
    return mw_write_graph(w, &writer);
}
/* SPDX-License-Identifier: MIT */
