/* Simple graphs, in which triangles are counted: sorted heads, no self-loops, no multiple arcs. */
#include "graph/triangles/triangles_internal.h"

enum { CHECKED = 1024 };        /* vertices per block */
enum { THREAD_ARCS = 1 << 19 }; /* fewest arcs per thread that pay for starting it */

static bool vertex_is_simple(const struct mw_graph *g, size_t v)
{
    const uint64_t begin = g->offsets[v], end = g->offsets[v + 1];
    unsigned wrong = 0;
    for (uint64_t i = begin; i < end; i++)
        wrong |= (g->heads[i] == v) | (i > begin && g->heads[i] <= g->heads[i - 1]);
    return !wrong;
}

static bool block_is_simple(const struct mw_graph *graph, size_t block)
{
    const size_t first = block * CHECKED, left = graph->vertices - first;
    for (size_t v = first; v < first + (left < CHECKED ? left : CHECKED); v++)
        if (!vertex_is_simple(graph, v))
            return false;
    return true;
}

int mw_graph_is_simple(const struct mw_graph *graph, unsigned threads, bool *simple)
{
    const size_t blocks = (graph->vertices + CHECKED - 1) / CHECKED;
    return mw_graph_holds(graph, block_is_simple, blocks, graph->arcs / THREAD_ARCS, threads, simple);
}

int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple)
{
    const struct mw_graph_options options = { .size = sizeof options, .remove_self = true, .remove_multiple = true };
    struct mw_edges edges = { 0 };
    int rc;
    TRY(mw_graph_edges(graph, &edges));
    TRY(mw_graph_new(device, &edges, &options, simple, NULL));
out:
    mw_edges_free(&edges);
    return rc;
}
/* SPDX-License-Identifier: MIT */
