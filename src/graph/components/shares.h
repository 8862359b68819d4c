/* Labellings of graphs, their shares per device, and their variants. Internal. */
#ifndef MW_GRAPH_COMPONENTS_SHARES_H
#define MW_GRAPH_COMPONENTS_SHARES_H

#include <meshwork/graph_components.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* One device's share of a labelling: a range of the arcs, and a label for each vertex of the graph. */
struct mw_component_share {
    struct mw_graph_labelling *of;
    struct mw_arc_worker on;
    uint64_t low, high;            /* the graph's arcs from `low` to below `high` */
    bool whole;                    /* the share has all arcs: there is only one */
    struct mw_buffer *own;         /* labels of this device; NULL for the first share, which uses the caller's */
    struct mw_buffer *labels;      /* labels of the current run: `own`, or the caller's buffer */
    void *state;                   /* the variant's own state */
    struct mw_owner owner;         /* frees what is made for the share */
    struct mw_graph_union *unions; /* union-find (union_find.c); NULL if the variant does not use it */
};

/* A graph prepared for labelling its components: its shares, and the chosen variant. */
struct mw_graph_labelling {
    struct mw_graph graph;      /* the labelled graph: the caller's, or a copy of `undirected` */
    struct mw_graph undirected; /* made from a directed graph if the variant needs both_ways, otherwise empty */
    struct mw_graph_labelling_options options;
    struct mw_arc_limits limits;
    const struct mw_component_variant *variant;
    size_t share_count;
    struct mw_component_share *share;
};

/* Returns the number of vertices of the labelled graph; each share has labels for all of them. */
static inline size_t mw_share_vertices(const struct mw_component_share *share) { return share->of->graph.vertices; }

/* A variant: an algorithm for labelling, as a row of the table in components.c. */
struct mw_component_variant {
    bool both_ways; /* needs both arcs of every edge */
    /* Returns NULL, or the reason why the variant cannot label this graph on these devices, as the end of a sentence:
     * "needs a native device: use afforest". Only the shares' devices and arcs are set. */
    const char *(*refuses)(const struct mw_graph_labelling *labelling);
    /* Makes kernels, buffers and state of one share, which share->owner frees. */
    int (*make)(struct mw_component_share *share);
    /* Labels each vertex with the smallest vertex that it is connected to by the share's arcs, for all shares. Queues
     * the work of all devices before it waits for one; complete on return. */
    int (*run)(struct mw_graph_labelling *labelling, size_t *iterations);
    /* Computes the device memory for a graph with labels; a variant that needs both_ways gets no directed graph. NULL:
     * it depends on the device. */
    void (*memory)(const struct mw_graph *graph, struct mw_graph_footprint *memory);
};
/* Returns whether variant `auto` uses ECL-CC instead of Afforest (choose.c). */
bool mw_component_prefers_ecl(const struct mw_graph_labelling *labelling);
/* The variants of afforest.c, propagation.c and reference.c. */
extern const struct mw_component_variant mw_component_afforest, mw_component_ecl, mw_component_edges,
    mw_component_frontier, mw_component_frontier_image, mw_component_bfs, mw_component_reference;

/* Calls `step` for one share after the other; stops at the first failure and returns it. */
int mw_component_each_share(struct mw_graph_labelling *labelling, int (*step)(struct mw_component_share *share));
/* Submits the queued work on all devices without waiting for it. */
int mw_component_flush(struct mw_graph_labelling *labelling);
/* Returns the launch range of n work-items in work-groups of the set's size. */
struct mw_range mw_graph_items(const struct mw_kernel_set *set, size_t n);

/* ---- union_find.c: a vertex's label is a vertex of the same set, at last the smallest (the root) ---- */

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
