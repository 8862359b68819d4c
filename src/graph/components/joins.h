/* Union-find on one device.  Internal. */
#ifndef MW_GRAPH_COMPONENTS_JOINS_H
#define MW_GRAPH_COMPONENTS_JOINS_H

#include "graph/components/shares.h"

/* The kernels and buffers of union-find on a share's device. */
struct mw_graph_union {
    struct mw_kernel_set *set;   /* cl/graph/components/components.cl */
    struct mw_buffer *other;     /* second neighbours, or another device's labels */
    struct mw_buffer *unfinished, *changed;
};
int mw_graph_union_make(struct mw_component_share *share);
void mw_graph_union_drop(struct mw_component_share *share);
/* Each vertex by itself. */
int mw_graph_union_start(struct mw_component_share *share);
/* Each vertex under its root. */
int mw_graph_union_compress(struct mw_component_share *share);
/* Most vertices under their root, where items are many; cores have short ways already. */
int mw_graph_union_shorten(struct mw_component_share *share);
/* Whether an item gave up; waits.  On cores none does. */
int mw_graph_union_check(struct mw_component_share *share, bool *unfinished);
/* Unites the share's labels with those of another, n of them in host memory.  Waits. */
int mw_graph_union_merge(struct mw_component_share *share, const int32_t *labels);

#endif
/* SPDX-License-Identifier: MIT */
