/* Components of graphs: functions for tests. Internal. */
#ifndef MW_GRAPH_COMPONENTS_INTERNAL_H
#define MW_GRAPH_COMPONENTS_INTERNAL_H

#include <meshwork/graph_components.h>

#include "graph/arcs/arcs.h"

/* Makes a labelling as mw_graph_labelling_new does, with limits of the caller. */
int mw_graph_labelling_new_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options, const struct mw_arc_limits *limits,
                                  struct mw_graph_labelling **labelling);
/* Finds strongly connected components as mw_graph_strong does, with limits of the caller. */
int mw_graph_strong_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *options, const struct mw_arc_limits *limits,
                           struct mw_graph_strong *strong);
/* Finds bridges and biconnected components as mw_graph_bridges does, with limits of the caller. */
int mw_graph_bridges_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_bridges_options *options, const struct mw_arc_limits *limits,
                            struct mw_graph_bridges *bridges);

#endif
/* SPDX-License-Identifier: MIT */
