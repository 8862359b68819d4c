/* The lists that triangles are seen from: see cl/graph/triangles/oriented.clh.  Internal. */
#ifndef MW_GRAPH_TRIANGLES_LISTS_H
#define MW_GRAPH_TRIANGLES_LISTS_H

#include "graph/arcs/arcs.h"
#include "graph/triangles/triangles_plan.clh"

struct mw_prim;

/* Of `count` vertices from `first` on, on a device; all buffers are the lists'. */
struct mw_triangle_lists {
    struct mw_buffer *tails;     /* of each head; in the form for groups alone */
    struct mw_buffer *heads, *spans;
    uint64_t arcs;               /* room for heads; in the form for groups, how many there are */
    bool ranked;                 /* of ranks: see cl/graph/triangles/ranked.cl */
    size_t first, count;
};
/* Bytes of the spans of so many vertices, and of so many heads with what may be read behind them. */
static inline size_t mw_triangle_span_bytes(size_t vertices) { return vertices * TRIANGLES_SPAN * sizeof(uint32_t); }
static inline size_t mw_triangle_head_bytes(size_t heads) { return (heads + TRIANGLES_BEYOND) * sizeof(uint32_t); }
/* The lists of a graph of which all arcs are on a device, in order by `degrees`.  `prim`: NULL in the form for
 * cores. */
int mw_triangle_lists_make(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                           const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                           struct mw_triangle_lists *lists);
/* Legal for zeroed ones, and after a failure. */
void mw_triangle_lists_drop(struct mw_triangle_lists *lists);

#endif
/* SPDX-License-Identifier: MIT */
