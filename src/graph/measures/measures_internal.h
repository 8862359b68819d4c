/* Measures of vertices: functions for tests. Internal. */
#ifndef MW_GRAPH_MEASURES_INTERNAL_H
#define MW_GRAPH_MEASURES_INTERNAL_H

#include <meshwork/graph_measures.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* Computes PageRank as mw_graph_pagerank does, with limits of the caller. */
int mw_graph_pagerank_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, const struct mw_arc_limits *limits,
                             struct mw_graph_pagerank *pagerank);
/* Computes the degree assortativity as mw_graph_assortativity does, with limits of the caller. */
int mw_graph_assortativity_within(struct mw_device *device, const struct mw_graph *graph,
                                  const struct mw_arc_limits *limits, double *assortativity);
/* Computes core numbers as mw_graph_cores does, with limits of the caller. */
int mw_graph_cores_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_cores *cores);
/* Computes betweenness as mw_graph_betweenness does, with limits of the caller. */
int mw_graph_betweenness_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                                const struct mw_graph_betweenness_options *options, const struct mw_arc_limits *limits,
                                struct mw_graph_betweenness *betweenness);

#endif
/* SPDX-License-Identifier: MIT */
