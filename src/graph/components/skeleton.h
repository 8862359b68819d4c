/* Biconnected components by their skeleton, on one device and on several. Internal. */
#ifndef MW_GRAPH_SKELETON_H
#define MW_GRAPH_SKELETON_H

#include "graph/components/shares.h"

enum { LEVELS = 12 }; /* BRIDGES_FAN^LEVELS exceeds the 2^33 steps of a tour */

/* One level of the pairs `near`. */
struct level {
    size_t first, count;
};

/* Kernels and buffers of the skeleton method on one device, with a share of the arcs. */
struct mw_bridge_skeleton {
    struct mw_bridge_skeletons *of;
    const struct mw_graph *graph; /* undirected */
    uint64_t low, high;           /* its arcs of this device: from `low` to below `high` */
    /* Union-find of components, which flattens the trees; labels are their parents. */
    struct mw_graph_labelling labelling;
    struct mw_component_share share;
    struct mw_kernel_set *set;
    struct mw_prim *prim;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct level level[LEVELS];
    size_t levels, stretches;
    uint32_t shift; /* one of 2^shift arcs begins a stretch */
    struct mw_buffer *labels, *links, *turns, *near, *stretch[2], *spans, *above, *memberships, *roots, *bridges;
};

/* Returns the arcs from each vertex to its parent, in a buffer of two numbers per vertex that is reused. */
static inline struct mw_buffer *mw_skeleton_ways(const struct mw_bridge_skeleton *s) { return s->turns; }
/* Returns the bytes of the pairs `near` of vertices. */
static inline size_t mw_skeleton_near_bytes(const struct mw_bridge_skeleton *s)
{
    return 2 * s->level[0].count * sizeof(uint32_t);
}

/* Makes kernels and buffers, which s->share.owner frees. The graph, the range of arcs and s->share.on are set. */
int mw_skeleton_make(struct mw_bridge_skeleton *s, uint64_t block_arcs);
/* Makes a spanning forest of the device's arcs: labels and links. */
int mw_skeleton_forest(struct mw_bridge_skeleton *s);
/* Extends the forest by further edges, an undirected graph with the same vertices. */
int mw_skeleton_extend(struct mw_bridge_skeleton *s, const struct mw_graph *edges);
/* Makes the Euler tour of the forest: spans and parents. Each vertex becomes a set. */
int mw_skeleton_tour(struct mw_bridge_skeleton *s);
/* Makes the sets of the skeleton from all arcs on one device. */
int mw_skeleton_sets(struct mw_bridge_skeleton *s);
/* The same in two steps: joins sets along the device's arcs, and finds the pairs `near` and the ways of vertices; then
 * joins sets across the tour, from these of all arcs. */
int mw_skeleton_look(struct mw_bridge_skeleton *s);
int mw_skeleton_fence(struct mw_bridge_skeleton *s);
/* Counts components and lists bridges. */
int mw_skeleton_results(struct mw_bridge_skeleton *s, uint32_t *memberships, struct mw_graph_bridges *found);

/* ---- skeletons.c ---- */

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
