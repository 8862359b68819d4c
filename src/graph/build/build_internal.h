/* Building adjacency from edges: functions for tests. Internal. */
#ifndef MW_GRAPH_BUILD_INTERNAL_H
#define MW_GRAPH_BUILD_INTERNAL_H

#include "graph/build/builder.h"

/* Builds a graph from edges as mw_graph_new does, by the kernels and limits of `builder`. `report` may be NULL. */
int mw_graph_build(struct mw_graph_builder *builder, const struct mw_edges *edges,
                   const struct mw_graph_options *options, struct mw_graph *graph, struct mw_graph_report *report);

#endif
/* SPDX-License-Identifier: MIT */
