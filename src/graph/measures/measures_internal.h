/* What measures of vertices share.  Internal. */
#ifndef MW_GRAPH_MEASURES_INTERNAL_H
#define MW_GRAPH_MEASURES_INTERNAL_H

#include <meshwork/graph_measures.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

__extension__ typedef unsigned __int128 mw_u128;

/* For tests: with other limits. */
int mw_graph_pagerank_within(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, const struct mw_arc_limits *limits,
                             struct mw_graph_pagerank *pagerank);
int mw_graph_cores_within(struct mw_device *device, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_cores *cores);
int mw_graph_betweenness_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                                const struct mw_graph_betweenness_options *options,
                                const struct mw_arc_limits *limits, struct mw_graph_betweenness *betweenness);

/* undirected.c: the graph itself, or of a directed one a graph made of its arcs as edges, none of which is left out.
 * `made` is to be freed. */
int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges);

#endif
