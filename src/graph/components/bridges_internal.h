/* Biconnected components on devices. Internal. */
#ifndef MW_GRAPH_BRIDGES_INTERNAL_H
#define MW_GRAPH_BRIDGES_INTERNAL_H

#include "graph/components/shares.h"

/* Kernels and buffers of the skeleton method for one graph, on all its devices: skeletons.c. */
struct mw_bridge_skeletons;
/* Makes kernels and buffers, which the owner frees, for an undirected graph with at least one vertex, which must
 * outlive them. Each device holds a share of the arcs. block_arcs: arcs on a device at once (0: as many as fit). */
int mw_bridge_skeletons_new(struct mw_owner *own, struct mw_device *const *devices, size_t count,
                            const struct mw_graph *graph, uint64_t block_arcs, const struct mw_arc_limits *limits,
                            struct mw_bridge_skeletons **skeletons);
/* Finds the biconnected components, once. Stores the number of components of each vertex in `memberships`. Fills in
 * *found except times, articulation points and fields common to all variants. */
int mw_bridge_skeletons_run(struct mw_bridge_skeletons *skeletons, uint32_t *memberships,
                            struct mw_graph_bridges *found);

#endif
/* SPDX-License-Identifier: MIT */
