/* Heads by their degrees: the arcs are sorted once more, with each head's rank in its place. */
#include "graph/build/builder.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 16

/* Sorts vertices, stably, by 16 bits of their degrees, the larger ones first. */
static void sort_digit(const uint64_t *offsets, const uint32_t *from, uint32_t *to, size_t n, unsigned shift,
                       size_t *next)
{
    const size_t digits = (size_t)1 << DIGIT_BITS;
    size_t sum = 0;
#define DIGIT(v) ((offsets[(v) + 1] - offsets[v]) >> shift & (digits - 1))
    memset(next, 0, digits * sizeof *next);
    for (size_t i = 0; i < n; i++)
        next[DIGIT(i)]++;
    for (size_t d = digits; d-- > 0;) {
        const size_t count = next[d];
        next[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[next[DIGIT(from[i])]++] = from[i];
#undef DIGIT
}

int mw_graph_rank_vertices(const uint64_t *offsets, size_t n, uint32_t *vertex, uint32_t *rank)
{
    uint64_t largest = 0;
    size_t *next = NULL;
    int rc;
    TRY(mw_new((size_t)1 << DIGIT_BITS, sizeof *next, &next));
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = offsets[v + 1] - offsets[v];
        largest = degree > largest ? degree : largest;
        vertex[v] = (uint32_t)v;
    }
    for (unsigned shift = 0; shift < 64 && largest >> shift > 0; shift += DIGIT_BITS) {
        sort_digit(offsets, vertex, rank, n, shift, next);
        memcpy(vertex, rank, n * sizeof *vertex);
    }
    for (size_t r = 0; r < n; r++)
        rank[vertex[r]] = (uint32_t)r;
out:
    free(next);
    return rc;
}

int mw_graph_order_heads(struct mw_graph_builder *builder, size_t vertices, const uint64_t *offsets, uint32_t *heads,
                         int32_t *weights)
{
    struct mw_edges arcs = { 0 };
    struct mw_graph_job sorted = { 0 };
    uint32_t *vertex = NULL, *rank = NULL;
    int rc;
    TRY(mw_new(vertices, sizeof *vertex, &vertex));
    TRY(mw_new(vertices, sizeof *rank, &rank));
    TRY(mw_graph_rank_vertices(offsets, vertices, vertex, rank));
    TRY(mw_edges_new(vertices, offsets[vertices], true, &arcs));
    for (size_t v = 0; v < vertices; v++)
        for (uint64_t i = offsets[v]; i < offsets[v + 1]; i++) {
            arcs.ends[2 * i] = (uint32_t)v;
            arcs.ends[2 * i + 1] = rank[heads[i]];
        }
    arcs.weights = weights;
    rc = mw_graph_job_run(builder, &arcs, &(struct mw_graph_options){ 0 }, false, &sorted);
    arcs.weights = NULL;
    TRY(rc);
    for (uint64_t i = 0; i < sorted.arcs; i++)
        heads[i] = vertex[sorted.heads[i]];
    if (weights)
        memcpy(weights, sorted.weights, (size_t)sorted.arcs * sizeof *weights);
out:
    mw_graph_job_free(&sorted);
    mw_edges_free(&arcs);
    free(vertex);
    free(rank);
    return rc;
}
/* SPDX-License-Identifier: MIT */
