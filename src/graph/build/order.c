/* Sorts heads by degree: arcs are sorted once more, with the rank of each head as its number. */
#include "graph/build/builder.h"

#include <stdlib.h>
#include <string.h>

#include "dev/native/executor.h"

#define DIGIT_BITS 16

/* Sorts vertices, stably, by 16 bits of their degrees, in decreasing order. */
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

/* Vertices and arcs per turn of a thread; fewest arcs that pay for starting one. */
enum { VERTICES_ONCE = 1024, ARCS_ONCE = 1 << 16, THREAD_ARCS = 1 << 20 };

struct ordering {
    const uint64_t *offsets;
    uint32_t *heads, *ends, *vertex, *rank;
    const uint32_t *sorted;
};

/* Makes edges of all arcs, with ranks as heads. */
static void rank_heads(void *of, size_t begin, size_t end, unsigned worker)
{
    const struct ordering *o = of;
    for (size_t v = begin; v < end; v++)
        for (uint64_t i = o->offsets[v]; i < o->offsets[v + 1]; i++) {
            o->ends[2 * i] = (uint32_t)v;
            o->ends[2 * i + 1] = o->rank[o->heads[i]];
        }
}

static void name_heads(void *of, size_t begin, size_t end, unsigned worker)
{
    const struct ordering *o = of;
    for (size_t i = begin; i < end; i++)
        o->heads[i] = o->vertex[o->sorted[i]];
}

int mw_graph_order_heads(struct mw_graph_builder *builder, size_t vertices, const uint64_t *offsets, uint32_t *heads,
                         int32_t *weights)
{
    struct mw_edges arcs = { 0 };
    struct mw_graph_job sorted = { 0 };
    struct ordering o = { .offsets = offsets, .heads = heads };
    struct mw_executor *executor = NULL;
    int rc;
    TRY(mw_executor_new(offsets[vertices] < THREAD_ARCS ? "serial" : "pthreads", mw_graph_threads(builder->device),
                        &executor));
    TRY(mw_new(vertices, sizeof *o.vertex, &o.vertex));
    TRY(mw_new(vertices, sizeof *o.rank, &o.rank));
    TRY(mw_graph_rank_vertices(offsets, vertices, o.vertex, o.rank));
    TRY(mw_edges_new(vertices, offsets[vertices], true, &arcs));
    o.ends = arcs.ends;
    mw_parallel_for(executor, vertices, VERTICES_ONCE, rank_heads, &o);
    arcs.weights = weights;
    rc = mw_graph_job_run(builder, &arcs, &(struct mw_graph_options){ 0 }, false, &sorted);
    arcs.weights = NULL;
    TRY(rc);
    o.sorted = sorted.heads;
    mw_parallel_for(executor, (size_t)sorted.arcs, ARCS_ONCE, name_heads, &o);
    if (weights)
        memcpy(weights, sorted.weights, (size_t)sorted.arcs * sizeof *weights);
out:
    mw_graph_job_free(&sorted);
    mw_edges_free(&arcs);
    free(o.vertex);
    free(o.rank);
    mw_executor_free(executor);
    return rc;
}
/* SPDX-License-Identifier: MIT */
