/* Biconnected components on a device. Internal. */
#ifndef MW_GRAPH_BRIDGES_INTERNAL_H
#define MW_GRAPH_BRIDGES_INTERNAL_H

#include "graph/components/shares.h"

/* skeleton.c: makes kernels and buffers for an undirected graph with at least one vertex, which must outlive them. The
 * run fills in the results except times, articulation points and fields common to all variants. A skeleton runs
 * once. */
struct mw_bridge_skeleton;
int mw_bridge_skeleton_new(struct mw_device *device, const struct mw_graph *graph, uint64_t block_arcs,
                           const struct mw_arc_limits *limits, struct mw_bridge_skeleton **skeleton);
int mw_bridge_skeleton_run(struct mw_bridge_skeleton *skeleton, uint32_t *memberships, struct mw_graph_bridges *found);
void mw_bridge_skeleton_free(struct mw_bridge_skeleton *skeleton);

#endif
/* SPDX-License-Identifier: MIT */
