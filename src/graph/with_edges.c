/* Undirected version of a graph, for measures that need edges. */
#include "graph/graph_internal.h"

int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges)
{
    struct mw_edges list = { 0 };
    int rc = 0;
    *edges = graph;
    if (!graph->directed)
        goto out;
    TRY(mw_graph_edges(graph, &list));
    list.directed = false;
    TRY(mw_graph_new(device, &list, NULL, made, NULL));
    *edges = made;
out:
    mw_edges_free(&list);
    return rc;
}
/* SPDX-License-Identifier: MIT */
