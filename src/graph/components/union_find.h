/* Union-find on one device: a vertex's label is a vertex of the same set, at last the smallest (the root). Internal. */
#ifndef MW_GRAPH_COMPONENTS_JOINS_H
#define MW_GRAPH_COMPONENTS_JOINS_H

#include "graph/components/shares.h"

/* Kernels and buffers of union-find on a share's device. */
struct mw_graph_union {
    struct mw_kernel_set *set;    /* cl/graph/components/components.cl */
    struct mw_buffer *other;      /* per vertex: its second neighbour, or a label from another device */
    struct mw_buffer *unfinished, /* one flag: a work-item gave up, and its pass must be repeated */
        *changed;                 /* flags of the rounds of graph_flatten: whether a round changed a label */
};
/* Makes share->unions: its kernels and buffers, which share->owner frees. */
int mw_graph_union_make(struct mw_component_share *share);
/* Queues the initial labels: each vertex is its own set. */
int mw_graph_union_start(struct mw_component_share *share);
/* Queues path compression: the label of each vertex becomes its root. */
int mw_graph_union_compress(struct mw_component_share *share);
/* Queues one round of path compression on GPUs, after which most labels are roots. Does nothing on cores, where paths
 * are short already. */
int mw_graph_union_shorten(struct mw_component_share *share);
/* Waits for the queued work. Stores in *unfinished whether a work-item gave up, so that its pass must be repeated
 * (never on cores). */
int mw_graph_union_check(struct mw_component_share *share, bool *unfinished);
/* Joins each vertex v with its label in each of `count` buffers of other devices, and compresses the paths. Waits. */
int mw_graph_union_merge(struct mw_component_share *share, struct mw_buffer *const *labels, size_t count);

#endif
/* SPDX-License-Identifier: MIT */
