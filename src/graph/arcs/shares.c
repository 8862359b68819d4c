/* Ranges of vertices with their arcs, one per device. */
#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* Returns the first vertex of a share. Each earlier and later share keeps a vertex. */
static size_t begin_of(const struct mw_graph *graph, size_t number, size_t count)
{
    const uint64_t all = graph->vertices + graph->arcs, work = mw_arc_share_begin(all, number, count);
    return mw_max(number, mw_min(mw_offset_find(graph->offsets, graph->vertices, work, true),
                                 graph->vertices - (count - number)));
}

void mw_vertex_share(const struct mw_graph *graph, size_t number, size_t count, struct mw_vertex_share *share)
{
    const size_t first = begin_of(graph, number, count), end = begin_of(graph, number + 1, count);
    share->first = first;
    share->rows = (struct mw_graph){ .directed = graph->directed,
                                     .vertices = end - first,
                                     .arcs = graph->offsets[end],
                                     .offsets = graph->offsets + first,
                                     .heads = graph->heads,
                                     .weights = graph->weights };
}
/* SPDX-License-Identifier: MIT */
