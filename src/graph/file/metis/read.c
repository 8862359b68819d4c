/* METIS graphs (Karypis, Kumar: manual of METIS 5, section 4.1.1): a header with the numbers of vertices and edges and
 * the kinds of weights, then a line per vertex with its neighbours, counted from 1. Each edge is in the lines of both
 * endpoints. */
#include "graph/file/formats.h"
#include "graph/file/text.h"
#include "graph/weights.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLANK ((uint32_t)1 << 31) /* flag in row.degree: an empty line, even without weights */
#define CONSTRAINTS_MAX 1000000

struct row {
    uint32_t line, degree;
};

struct metis_piece {
    struct mw_piece head;
    struct row *row;
    size_t rows;
    uint32_t *heads;     /* counted from 0 */
    mw_decimal *weights; /* NULL: not kept */
    size_t count;
};

struct reading {
    struct mw_input *input;
    uint64_t vertices, edges;
    uint64_t weights; /* words before a vertex's neighbours */
    bool has_edge_weights, keeps_weights;
    size_t first_line; /* number of lines up to the header */
    struct mw_pieces pieces;
    uint64_t *offsets;
    uint32_t *heads;
    mw_decimal *arc_weights; /* per head; NULL: not kept */
    uint64_t *from;          /* per vertex: its first edge to a larger vertex */
    mw_decimal *edge_weights;
};

/* ---- the header ---- */

/* Reads the format "abc": sizes of vertices, weights of vertices, weights of edges. Leading zeros may be omitted. */
static int take_format(struct reading *r, const char **at)
{
    const char *s = mw_skip_blanks(*at), *end = mw_skip_word(s);
    char text[MW_QUOTE_CAPACITY];
    unsigned bits = 0;
    for (const char *c = s; c < end; c++) {
        if ((*c != '0' && *c != '1') || end - s > 3)
            return mw_input_malformed(r->input, r->input->lines,
                                      "invalid weight format \"%s\": it must have up to three digits 0 or 1",
                                      mw_quote(s, text));
        bits = 2 * bits + (unsigned)(*c - '0');
    }
    r->has_edge_weights = bits & 1;
    r->weights = (bits >> 1 & 1) + (bits >> 2 & 1);
    *at = end;
    return 0;
}

static int take_constraints(struct reading *r, const char **at)
{
    uint64_t constraints;
    const enum mw_word word = mw_take_number(at, &constraints);
    if (word == MW_WORD_NONE)
        return 0;
    if (word != MW_WORD_NUMBER || constraints > CONSTRAINTS_MAX)
        return mw_input_malformed(r->input, r->input->lines,
                                  "vertex weight count (ncon) must be a number up to 1000000");
    if (r->weights > 0 && constraints > 1)
        r->weights += constraints - 1;
    return 0;
}

static int metis_read_read_header(struct reading *r)
{
    const char *at, *end;
    char text[MW_QUOTE_CAPACITY];
    int rc;
    TRY(mw_input_data_line(r->input, false, "the numbers of vertices and edges", &at, &end));
    if (mw_take_number(&at, &r->vertices) != MW_WORD_NUMBER || mw_take_number(&at, &r->edges) != MW_WORD_NUMBER)
        return mw_input_malformed(r->input, r->input->lines,
                                  "expected the numbers of vertices and edges, found \"%s\"%s",
                                  at >= end ? "" : mw_quote(at, text), at >= end ? "" : mw_word_hint(at));
    TRY(take_format(r, &at));
    TRY(take_constraints(r, &at));
    if (mw_skip_blanks(at) < end)
        return mw_input_malformed(r->input, r->input->lines, "unexpected \"%s\" at the end of the header",
                                  mw_quote(mw_skip_blanks(at), text));
    r->first_line = r->input->lines;
    if ((rc = mw_vertices_check(r->vertices)) != 0)
        return mw_fail_in(rc, "%s:%zu", r->input->name, r->first_line);
out:
    return rc;
}

/* ---- the lines of vertices ---- */

/* Reads a weight; `value` NULL: ignores it. */
static bool take_weight(struct mw_piece *piece, const char **at, const char *of, mw_decimal *value)
{
    const char *s = mw_skip_blanks(*at);
    char text[MW_QUOTE_CAPACITY];
    *at = mw_skip_word(s);
    if (*at == s) {
        mw_piece_wrong(piece, "the weight of %s is missing", of);
        return false;
    }
    if (!value || mw_decimal_read(s, value) == *at)
        return true;
    mw_piece_wrong(piece, "\"%s\" is not the weight of %s (a number below 1e280)%s", mw_quote(s, text), of,
                   mw_word_hint(s));
    return false;
}

static bool metis_read_read_row(const struct reading *r, struct metis_piece *p, const char **at, uint32_t *degree)
{
    const size_t before = p->count;
    const char *s = mw_skip_blanks(*at);
    if (*s == '\n' || *s == '\r') {
        *degree = BLANK;
        return mw_finish_line(&p->head, at);
    }
    for (uint64_t i = 0; i < r->weights; i++)
        if (!take_weight(&p->head, at, "a vertex", NULL))
            return false;
    for (;;) {
        uint64_t head;
        const enum mw_word word = mw_take_number(at, &head);
        if (word == MW_WORD_NONE)
            break;
        if (word != MW_WORD_NUMBER) {
            mw_word_wrong(&p->head, word, *at, "neighbour");
            return false;
        }
        if (head == 0 || head > r->vertices) {
            mw_piece_wrong(&p->head, "neighbour %" PRIu64 " must be 1 to %" PRIu64 "%s", head, r->vertices,
                           head == 0             ? ": METIS counts from 1"
                           : r->has_edge_weights ? ""
                                                 : ": if it is a weight, the header needs format 001");
            return false;
        }
        p->heads[p->count] = (uint32_t)(head - 1);
        if (r->has_edge_weights && !take_weight(&p->head, at, "an edge", p->weights ? p->weights + p->count : NULL))
            return false;
        p->count++;
    }
    *degree = (uint32_t)(p->count - before);
    return mw_finish_line(&p->head, at);
}

static void read_piece(void *context, const char *at, const char *end, void *piece)
{
    const struct reading *r = context;
    struct metis_piece *p = piece;
    int rc;
    TRY(mw_new((size_t)(end - at) / 2 + 1, sizeof *p->heads, &p->heads)); /* a digit and a separator */
    if (r->keeps_weights)
        TRY(mw_new((size_t)(end - at) / 4 + 1, sizeof *p->weights, &p->weights)); /* a neighbour and a weight */
    for (; at < end; p->head.lines++) {
        uint32_t degree;
        if (*mw_skip_blanks(at) == '%') {
            if (!mw_finish_line(&p->head, &at))
                return;
            continue;
        }
        if (!metis_read_read_row(r, p, &at, &degree))
            return;
        TRY(mw_grow(p->rows, sizeof *p->row, &p->row));
        p->row[p->rows++] = (struct row){ (uint32_t)p->head.lines, degree };
    }
    uint32_t *fitting = realloc(p->heads, (p->count + 1) * sizeof *p->heads);
    if (fitting)
        p->heads = fitting;
out:
    if (rc != 0)
        mw_piece_failed(&p->head, rc);
}

/* ---- one graph ---- */

/* Returns the line of a vertex in the file. */
static size_t line_of(const struct reading *r, size_t vertex)
{
    size_t line = r->first_line;
    for (size_t i = 0; i < r->pieces.count; i++) {
        const struct metis_piece *p = r->pieces.piece[i];
        if (vertex < p->rows)
            return line + p->row[vertex].line + 1;
        vertex -= p->rows;
        line += p->head.lines;
    }
    return line;
}

/* Collects offsets and heads of all lines; additional empty lines are allowed. */
static int metis_read_join(struct reading *r)
{
    uint64_t vertex = 0, arcs = 0;
    for (size_t i = 0; i < r->pieces.count; i++) {
        const struct metis_piece *p = r->pieces.piece[i];
        vertex += p->rows;
        arcs += p->count;
    }
    if (vertex < r->vertices)
        return mw_input_malformed(r->input, r->pieces.lines,
                                  "the file ends after the lines of %" PRIu64
                                  " vertices, but its header states %" PRIu64,
                                  vertex, r->vertices);
    TRY_RETURN(mw_new((size_t)r->vertices + 1, sizeof *r->offsets, &r->offsets));
    TRY_RETURN(mw_new((size_t)arcs, sizeof *r->heads, &r->heads));
    if (r->keeps_weights)
        TRY_RETURN(mw_new((size_t)arcs, sizeof *r->arc_weights, &r->arc_weights));
    vertex = arcs = 0;
    for (size_t i = 0; i < r->pieces.count; i++) {
        struct metis_piece *p = r->pieces.piece[i];
        for (size_t k = 0; k < p->rows; k++, vertex++) {
            const bool blank = p->row[k].degree == BLANK;
            if (vertex >= r->vertices && !blank)
                return mw_input_malformed(r->input, line_of(r, vertex),
                                          "more lines than the %" PRIu64 " vertices stated in the header", r->vertices);
            if (vertex < r->vertices && blank && r->weights > 0)
                return mw_input_malformed(r->input, line_of(r, vertex), "the weight of a vertex is missing");
            if (vertex < r->vertices)
                r->offsets[vertex + 1] = r->offsets[vertex] + (blank ? 0 : p->row[k].degree);
        }
        if (p->count > 0)
            memcpy(r->heads + arcs, p->heads, p->count * sizeof *p->heads);
        if (p->count > 0 && p->weights)
            memcpy(r->arc_weights + arcs, p->weights, p->count * sizeof *p->weights);
        arcs += p->count;
        free(p->heads);
        free(p->weights);
        p->heads = NULL;
        p->weights = NULL;
    }
    return 0;
}

/* Checks the number of edges. Self-loops and one-sided edges are reported earlier. */
static int check_count(const struct reading *r, uint64_t found)
{
    if (found == r->edges)
        return 0;
    return mw_input_malformed(r->input, r->first_line,
                              "the header states %" PRIu64 " edges, but the lines of the "
                              "vertices have %" PRIu64,
                              r->edges, found);
}

/* Makes the edges from the lines of their larger endpoints, in increasing order, so that the edges of each smaller
 * endpoint are sorted. */
static int metis_read_collect(struct reading *r, struct mw_edges *edges)
{
    const size_t n = (size_t)r->vertices;
    TRY_RETURN(mw_new(n + 2, sizeof *r->from, &r->from));
    for (size_t v = 0; v < n; v++)
        for (uint64_t i = r->offsets[v]; i < r->offsets[v + 1]; i++) {
            if (r->heads[i] == v)
                return mw_input_malformed(r->input, line_of(r, v),
                                          "vertex %zu is its own neighbour: METIS does not allow self-loops", v + 1);
            if (r->heads[i] < v)
                r->from[r->heads[i] + 2]++;
        }
    for (size_t v = 2; v < n + 2; v++)
        r->from[v] += r->from[v - 1];
    TRY_RETURN(mw_edges_new(n, r->from[n + 1], false, edges));
    if (r->arc_weights)
        TRY_RETURN(mw_new((size_t)edges->count, sizeof *r->edge_weights, &r->edge_weights));
    for (size_t v = 0; v < n; v++)
        for (uint64_t i = r->offsets[v]; i < r->offsets[v + 1]; i++)
            if (r->heads[i] < v) {
                const uint64_t at = r->from[r->heads[i] + 1]++;
                edges->ends[2 * at] = r->heads[i];
                edges->ends[2 * at + 1] = (uint32_t)v;
                if (r->arc_weights)
                    r->edge_weights[at] = r->arc_weights[i];
            }
    return n > 0 ? mw_names_counted(1, &edges->names) : 0;
}

static int compare_heads(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int one_sided(const struct reading *r, size_t vertex, size_t neighbour)
{
    return mw_input_malformed(r->input, line_of(r, vertex), "vertex %zu has neighbour %zu, but not the reverse",
                              vertex + 1, neighbour + 1);
}

static int listed_twice(const struct reading *r, size_t vertex, size_t neighbour)
{
    return mw_input_malformed(r->input, line_of(r, vertex), "vertex %zu has neighbour %zu twice", vertex + 1,
                              neighbour + 1);
}

static int other_weight(const struct reading *r, size_t vertex, size_t neighbour)
{
    return mw_input_malformed(r->input, line_of(r, vertex),
                              "the edge from vertex %zu to %zu has a different weight in the line of %zu", vertex + 1,
                              neighbour + 1, neighbour + 1);
}

/* Compares with the weights in the lines of smaller endpoints; `from` is each vertex's first edge to a larger one. */
static int compare_weights(const struct reading *r, const struct mw_edges *edges)
{
    for (size_t v = 0; r->arc_weights && v < r->vertices; v++)
        for (uint64_t i = r->offsets[v]; i < r->offsets[v + 1]; i++) {
            uint64_t low = r->from[v], high = r->from[v + 1];
            if (r->heads[i] < v)
                continue;
            while (high - low > 1) {
                const uint64_t middle = low + (high - low) / 2;
                if (edges->ends[2 * middle + 1] <= r->heads[i])
                    low = middle;
                else
                    high = middle;
            }
            if (low < high && edges->ends[2 * low + 1] == r->heads[i] && r->edge_weights[low] != r->arc_weights[i])
                return other_weight(r, v, r->heads[i]);
        }
    return 0;
}

/* Checks that the lines of smaller endpoints agree with those of larger ones. */
static int compare(const struct reading *r, const struct mw_edges *edges)
{
    for (size_t v = 0; v < r->vertices; v++) {
        uint32_t *larger = r->heads + r->offsets[v];
        size_t count = 0, k = 0;
        bool sorted = true;
        for (uint64_t i = r->offsets[v]; i < r->offsets[v + 1]; i++)
            if (r->heads[i] > v) {
                larger[count] = r->heads[i];
                sorted = sorted && (count == 0 || larger[count - 1] < larger[count]);
                count++;
            }
        if (!sorted)
            qsort(larger, count, sizeof *larger, compare_heads);
        for (size_t i = 1; i < count && !sorted; i++)
            if (larger[i - 1] == larger[i])
                return listed_twice(r, v, larger[i]);
        for (uint64_t i = r->from[v]; i < r->from[v + 1]; i++, k++) {
            const uint32_t other = edges->ends[2 * i + 1];
            if (i > r->from[v] && other == edges->ends[2 * i - 1])
                return listed_twice(r, other, v);
            if (k < count && larger[k] < other)
                return one_sided(r, v, larger[k]);
            if (k == count || larger[k] > other)
                return one_sided(r, other, v);
        }
        if (k < count)
            return one_sided(r, v, larger[k]);
    }
    return 0;
}

static int weigh(const struct reading *r, struct mw_edges *edges)
{
    struct mw_decimals about = { 0 };
    uint64_t zeros = 0;
    TRY_RETURN(compare_weights(r, edges));
    TRY_RETURN(mw_new((size_t)edges->count, sizeof *edges->weights, &edges->weights));
    mw_decimals_look(&about, r->edge_weights, (size_t)edges->count);
    edges->decimals = mw_decimals_choose(&about);
    if (mw_decimals_round(r->edge_weights, (size_t)edges->count, edges->decimals, edges->weights, &zeros))
        mw_weights_warn_rounded(r->input->name, edges->decimals, zeros);
    return 0;
}

static void metis_read_stop(struct reading *r)
{
    for (size_t i = 0; i < r->pieces.count; i++) {
        struct metis_piece *p = r->pieces.piece[i];
        if (p) {
            free(p->heads);
            free(p->weights);
            free(p->row);
        }
        free(p);
    }
    free(r->pieces.piece);
    mw_executor_free(r->pieces.executor);
    free(r->offsets);
    free(r->heads);
    free(r->arc_weights);
    free(r->edge_weights);
    free(r->from);
}

int mw_edges_read_metis(struct mw_input *input, const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    struct reading r = { .input = input };
    struct mw_edges made = { 0 };
    int rc;
    r.pieces = (struct mw_pieces){ .bytes = sizeof(struct metis_piece), .read = read_piece, .context = &r };
    TRY(metis_read_read_header(&r));
    r.keeps_weights = r.has_edge_weights && !options->no_weights;
    TRY(mw_input_executor(input, options->threads, &r.pieces.executor));
    TRY(mw_pieces_read(input, &r.pieces));
    TRY(metis_read_join(&r));
    TRY(metis_read_collect(&r, &made));
    if (r.arc_weights)
        TRY(weigh(&r, &made));
    TRY(compare(&r, &made));
    TRY(check_count(&r, made.count));
    *edges = MW_PASS(made);
out:
    mw_edges_free(&made);
    metis_read_stop(&r);
    return rc;
}
/* SPDX-License-Identifier: MIT */
