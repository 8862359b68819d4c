/* Converts the numbers of vertices in a file to consecutive ones. */
#include "graph/file/edge_pieces.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_FACTOR 4 /* most table entries per name for which a table of all numbers is used */
#define TABLE_LEAST 65536

struct numbering {
    struct mw_executor *executor;
    struct mw_edge_piece **piece;
    size_t count;
    uint64_t *base;                 /* first edge of each piece; at `count`, the number of edges */
    uint32_t least, most;           /* range of all numbers */
    atomic_uint_least64_t *seen;    /* one bit per number from `least` to `most` */
    struct mw_edges edges, weighed; /* the edges, without weights; the weights */
};

static int mark_piece(void *context, size_t index)
{
    struct numbering *n = context;
    const struct mw_edge_piece *piece = n->piece[index];
    for (size_t i = 0; i < 2 * piece->count; i++) {
        const uint32_t v = piece->ends[i] - n->least;
        const uint64_t bit = (uint64_t)1 << v % 64;
        /* Most bits are set already: reading first keeps the cache line shared. */
        if (!(atomic_load_explicit(&n->seen[v / 64], memory_order_relaxed) & bit))
            atomic_fetch_or_explicit(&n->seen[v / 64], bit, memory_order_relaxed);
    }
    return 0;
}

static int copy_piece(void *context, size_t index)
{
    struct numbering *n = context;
    struct mw_edge_piece *piece = n->piece[index];
    uint32_t *to = n->edges.ends + 2 * n->base[index];
    const uint32_t least = n->least;
    for (size_t i = 0; i < 2 * piece->count; i++)
        to[i] = piece->ends[i] - least;
    free(piece->ends); /* early, so that the copy and all pieces need not be in memory together */
    piece->ends = NULL;
    piece->count = 0;
    return 0;
}

/* Stores whether no number from 0 or 1 to the largest is missing. */
static int look_for_gaps(struct numbering *n, bool *complete)
{
    const uint64_t span = (uint64_t)n->most - n->least + 1;
    uint64_t found = 0;
    int rc = 0;
    *complete = false;
    if (n->least > 1 || span > 2 * n->base[n->count])
        return 0;
    TRY(mw_new((size_t)(span / 64 + 1), sizeof *n->seen, &n->seen));
    TRY(mw_each_piece(n->executor, n->count, mark_piece, n));
    for (uint64_t i = 0; i <= span / 64; i++)
        found += (uint64_t)__builtin_popcountll(atomic_load_explicit(&n->seen[i], memory_order_relaxed));
    *complete = found == span;
out:
    free(n->seen);
    return rc;
}

static int keep_numbers(struct numbering *n, uint64_t vertices, bool directed)
{
    TRY_RETURN(mw_vertices_check(vertices));
    TRY_RETURN(mw_edges_new((size_t)vertices, n->base[n->count], directed, &n->edges));
    TRY_RETURN(mw_each_piece(n->executor, n->count, copy_piece, n));
    return n->least ? mw_names_counted(n->least, &n->edges.names) : 0;
}

/* Numbers vertices in the order of the file, on one thread: each number is one access to a table, and a single table
 * has the fewest cache misses. */
static int number_by_table(struct numbering *n, bool directed)
{
    const uint64_t span = (uint64_t)n->most - n->least + 1, ends = 2 * n->base[n->count];
    uint64_t *number = NULL, *fitting;
    uint32_t *table = NULL; /* vertex + 1 */
    size_t vertices = 0;
    int rc;
    TRY(mw_new((size_t)span, sizeof *table, &table));
    TRY(mw_new((size_t)(span < ends ? span : ends), sizeof *number, &number));
    TRY(mw_edges_new(0, n->base[n->count], directed, &n->edges));
    for (size_t p = 0; p < n->count; p++) {
        const struct mw_edge_piece *piece = n->piece[p];
        uint32_t *to = n->edges.ends + 2 * n->base[p];
        for (size_t i = 0; i < 2 * piece->count; i++) {
            uint32_t *vertex = &table[piece->ends[i] - n->least];
            if (*vertex == 0) {
                number[vertices++] = piece->ends[i];
                *vertex = (uint32_t)vertices;
            }
            to[i] = *vertex - 1;
        }
    }
    TRY(mw_vertices_check(vertices));
    n->edges.vertices = vertices;
    fitting = realloc(number, vertices * sizeof *number);
    if (fitting)
        number = fitting;
    rc = mw_names_of_numbers(number, vertices, &n->edges.names);
    number = NULL;
out:
    free(table);
    free(number);
    return rc;
}

static int to_words(void *context, size_t index)
{
    struct numbering *n = context;
    struct mw_edge_piece *piece = n->piece[index];
    if (piece->has_words)
        return 0;
    for (size_t i = 0; i < 2 * piece->count; i++) {
        char text[MW_NUMBER_CAPACITY];
        const size_t length = (size_t)(mw_put_number(text, piece->ends[i]) - text);
        TRY_RETURN(mw_dictionary_add(&piece->words, text, length, &piece->ends[i]));
    }
    mw_dictionary_close(&piece->words);
    piece->has_words = true;
    return 0;
}

static int numbering_start(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                           struct numbering *n)
{
    *n = (struct numbering){ .executor = executor, .count = count, .least = UINT32_MAX };
    TRY_RETURN(mw_new(count + 1, sizeof *n->base, &n->base));
    TRY_RETURN(mw_new(count, sizeof *n->piece, &n->piece));
    for (size_t i = 0; i < count; i++) {
        n->piece[i] = piece[i];
        n->base[i + 1] = n->base[i] + n->piece[i]->count;
        n->least = n->piece[i]->count && n->piece[i]->least < n->least ? n->piece[i]->least : n->least;
        n->most = n->piece[i]->count && n->piece[i]->most > n->most ? n->piece[i]->most : n->most;
    }
    return weighted ? mw_pieces_weigh(executor, name, piece, count, &n->weighed) : 0;
}

/* Returns the edges on success; on failure, prefixes the message with `name`. */
static int numbering_end(struct numbering *n, const char *name, int rc, struct mw_edges *edges)
{
    n->edges.weights = n->weighed.weights;
    n->edges.decimals = n->weighed.decimals;
    if (rc == 0)
        *edges = n->edges;
    else
        mw_edges_free(&n->edges);
    free(n->base);
    free(n->piece);
    return rc == 0 ? 0 : mw_fail_in(rc, "%s", name);
}

int mw_pieces_keep(struct mw_executor *executor, const char *name, void **piece, size_t count, uint32_t least,
                   uint64_t vertices, bool weighted, bool directed, struct mw_edges *edges)
{
    struct numbering n;
    int rc;
    TRY(numbering_start(executor, name, piece, count, weighted, &n));
    n.least = least;
    TRY(keep_numbers(&n, vertices, directed));
out:
    return numbering_end(&n, name, rc, edges);
}

int mw_pieces_number(struct mw_executor *executor, const char *name, void **piece, size_t count, bool weighted,
                     bool directed, struct mw_edges *edges)
{
    struct numbering n;
    bool has_words = false, complete = false;
    int rc;
    TRY(numbering_start(executor, name, piece, count, weighted, &n));
    for (size_t i = 0; i < count; i++)
        has_words = has_words || n.piece[i]->has_words;
    if (!has_words && n.base[count] == 0) {
        TRY(mw_edges_new(0, 0, directed, &n.edges));
        goto out;
    }
    if (!has_words)
        TRY(look_for_gaps(&n, &complete));
    if (complete) {
        TRY(keep_numbers(&n, (uint64_t)n.most - n.least + 1, directed));
    } else if (!has_words && (uint64_t)n.most - n.least <= TABLE_FACTOR * 2 * n.base[count] + TABLE_LEAST) {
        TRY(number_by_table(&n, directed));
    } else {
        TRY(mw_each_piece(executor, count, to_words, &n));
        TRY(mw_pieces_merge(executor, n.piece, count, directed, &n.edges));
    }
out:
    return numbering_end(&n, name, rc, edges);
}
/* SPDX-License-Identifier: MIT */
