/* Other representations of a graph for kernels: the tail of each arc, arcs in groups of four, matrices of bytes or
 * bits. */
#include "graph/graph_internal.h"

#include <stdlib.h>
#include <string.h>

#define GROUP_ARCS 4

int mw_graph_sources(const struct mw_graph *graph, uint32_t **tails)
{
    uint32_t *made;
    TRY_RETURN(mw_new((size_t)graph->arcs, sizeof *made, &made));
    for (size_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            made[i] = (uint32_t)v;
    *tails = made;
    return 0;
}

int mw_graph_groups_new(const struct mw_graph *graph, struct mw_graph_groups *groups)
{
    struct mw_graph_groups made = MW_INIT(made);
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_groups, NULL, heads, groups));
    TRY(mw_new(graph->vertices + 1, sizeof *made.first, &made.first));
    for (size_t v = 0; v < graph->vertices; v++)
        made.first[v + 1] = made.first[v] + (mw_graph_degree(graph, v) + GROUP_ARCS - 1) / GROUP_ARCS;
    made.groups = made.first[graph->vertices];
    TRY(mw_new_aligned((size_t)made.groups, GROUP_ARCS * sizeof *made.heads, &made.heads));
    for (size_t v = 0; v < graph->vertices; v++) {
        uint32_t *to = made.heads + GROUP_ARCS * made.first[v];
        const size_t arcs = (size_t)mw_graph_degree(graph, v);
        memcpy(to, graph->heads + graph->offsets[v], arcs * sizeof *to);
        for (size_t i = arcs; i % GROUP_ARCS != 0; i++)
            to[i] = MW_NO_VERTEX;
    }
    TRY(MW_RESULT_GIVE(mw_graph_groups, &made, heads, groups));
    mw_result_clear(&made);
out:
    mw_graph_groups_free(&made);
    return rc;
}

void mw_graph_groups_free(struct mw_graph_groups *groups)
{
    if (!groups)
        return;
    free(groups->first);
    free(groups->heads);
    mw_result_clear(groups);
}

static int too_large(const struct mw_graph *graph)
{
    return mw_fail(MW_ELIMIT, "an adjacency matrix of %zu by %zu vertices is too large to address: use the arcs",
                   graph->vertices, graph->vertices);
}

int mw_graph_matrix(const struct mw_graph *graph, uint8_t **matrix)
{
    const size_t n = graph->vertices;
    uint8_t *made;
    size_t bytes;
    TRY_RETURN(mw_graph_check_heads(graph, 1));
    if (!mw_mul(n, n, &bytes))
        return too_large(graph);
    TRY_RETURN(mw_new(bytes, sizeof *made, &made));
    for (size_t v = 0; v < n; v++)
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            uint8_t *arcs = made + v * n + graph->heads[i];
            *arcs = (uint8_t)(*arcs + (*arcs < UINT8_MAX));
        }
    *matrix = made;
    return 0;
}

int mw_graph_bits(const struct mw_graph *graph, uint64_t **bits, size_t *words)
{
    const size_t row = (graph->vertices + 511) / 512 * 8;
    uint64_t *made;
    size_t count;
    TRY_RETURN(mw_graph_check_heads(graph, 1));
    if (!mw_mul(graph->vertices, row, &count))
        return too_large(graph);
    TRY_RETURN(mw_new_aligned(count, sizeof *made, &made));
    for (size_t v = 0; v < graph->vertices; v++)
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++)
            made[v * row + graph->heads[i] / 64] |= (uint64_t)1 << graph->heads[i] % 64;
    *bits = made;
    *words = row;
    return 0;
}
/* SPDX-License-Identifier: MIT */
