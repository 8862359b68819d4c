/* Union-find on one device.  Internal. */
#ifndef MW_GRAPH_COMPONENTS_JOINS_H
#define MW_GRAPH_COMPONENTS_JOINS_H

#include "graph/components/shares.h"

/* Kernels and buffers of union-find on a share's device. */
struct mw_graph_union {
    struct mw_kernel_set *set; /* cl/graph/components/components.cl */
    struct mw_buffer *other;   /* second neighbours, or another device's labels */
    struct mw_buffer *unfinished, *changed;
};
int mw_graph_union_make(struct mw_component_share *share);
void mw_graph_union_drop(struct mw_component_share *share);
/* Makes each vertex its own set. */
int mw_graph_union_start(struct mw_component_share *share);
/* Hooks each vertex to its root. */
int mw_graph_union_compress(struct mw_component_share *share);
/* Hooks most vertices to their root on GPUs; does nothing on cores, where paths are short already. */
int mw_graph_union_shorten(struct mw_component_share *share);
/* Waits; stores whether a work-item gave up (never on cores). */
int mw_graph_union_check(struct mw_component_share *share, bool *unfinished);
/* Merges n labels in host memory into the share's labels. Waits. */
int mw_graph_union_merge(struct mw_component_share *share, const int32_t *labels);

#endif
/* SPDX-License-Identifier: MIT */
