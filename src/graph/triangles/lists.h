/* The oriented lists of neighbours: see cl/graph/triangles/oriented.clh. Internal. */
#ifndef MW_GRAPH_TRIANGLES_LISTS_H
#define MW_GRAPH_TRIANGLES_LISTS_H

#include "graph/arcs/arcs.h"
#include "graph/triangles/triangles_plan.clh"

struct mw_prim;

/* The lists of `count` vertices from `first` on, on a device. A list has the neighbours that come after the vertex in
 * the order of degrees. */
struct mw_triangle_lists {
    struct mw_buffer *tails; /* form for groups: the vertex whose list has heads[i]; NULL on cores */
    struct mw_buffer *heads, /* the neighbours, list by list */
        *spans;              /* per vertex: begin and end of its list in `heads` */
    uint64_t arcs;           /* elements of `heads`; on cores, there may be unused ones between lists */
    bool ranked;             /* elements are ranks, not vertices: see cl/graph/triangles/ranked.cl */
    size_t first, count;
};
/* Returns the bytes of `spans` for so many vertices. */
static inline size_t mw_triangle_span_bytes(size_t vertices) { return vertices * TRIANGLES_SPAN * sizeof(uint32_t); }
/* Returns the bytes of `heads` for so many elements, with the words that kernels may read after the last one. */
static inline size_t mw_triangle_head_bytes(size_t heads) { return (heads + TRIANGLES_BEYOND) * sizeof(uint32_t); }
/* Makes the lists of a graph, all of whose arcs are on the device. `degrees`: u32 per vertex, the order. `prim` is NULL
 * on cores. The worker's owner frees the lists. */
int mw_triangle_lists_make(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                           const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                           struct mw_triangle_lists *lists);

#endif
/* SPDX-License-Identifier: MIT */
