/* Biconnected components on a device. Internal. */
#ifndef MW_GRAPH_BRIDGES_INTERNAL_H
#define MW_GRAPH_BRIDGES_INTERNAL_H

#include "graph/components/shares.h"

/* Kernels and buffers of the skeleton method for one graph: see cl/graph/components/bridges.clh and skeleton.c. */
struct mw_bridge_skeleton;
/* Makes kernels and buffers for an undirected graph with at least one vertex, which must outlive them. block_arcs: arcs
 * on the device at once (0: as many as fit). */
int mw_bridge_skeleton_new(struct mw_device *device, const struct mw_graph *graph, uint64_t block_arcs,
                           const struct mw_arc_limits *limits, struct mw_bridge_skeleton **skeleton);
/* Finds the biconnected components; a skeleton runs once. Stores the number of components of each vertex in
 * `memberships`. Fills in *found except times, articulation points and fields common to all variants. */
int mw_bridge_skeleton_run(struct mw_bridge_skeleton *skeleton, uint32_t *memberships, struct mw_graph_bridges *found);
/* Frees the kernels and buffers of mw_bridge_skeleton_new; NULL is allowed. */
void mw_bridge_skeleton_free(struct mw_bridge_skeleton *skeleton);

#endif
/* SPDX-License-Identifier: MIT */
