/* The oriented lists of neighbours: see cl/graph/triangles/oriented.clh. Internal. */
#ifndef MW_GRAPH_TRIANGLES_LISTS_H
#define MW_GRAPH_TRIANGLES_LISTS_H

#include "graph/arcs/arcs.h"
#include "graph/triangles/triangles_plan.clh"

struct mw_prim;

/* Lists of `count` vertices from `first` on, on a device, with their own buffers. */
struct mw_triangle_lists {
    struct mw_buffer *tails; /* tail of each head; form for groups only */
    struct mw_buffer *heads, *spans;
    uint64_t arcs; /* capacity for heads; in the form for groups, their number */
    bool ranked;   /* lists of ranks: see cl/graph/triangles/ranked.cl */
    size_t first, count;
};
/* Return the bytes of the spans of so many vertices, and of so many heads with the words that may be read after
 * them. */
static inline size_t mw_triangle_span_bytes(size_t vertices) { return vertices * TRIANGLES_SPAN * sizeof(uint32_t); }
static inline size_t mw_triangle_head_bytes(size_t heads) { return (heads + TRIANGLES_BEYOND) * sizeof(uint32_t); }
/* Makes the lists of a graph whose arcs are all on a device, ordered by `degrees`. `prim` is NULL in the form for
 * cores. */
int mw_triangle_lists_make(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                           const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                           struct mw_triangle_lists *lists);
/* Allowed for a zeroed struct and after a failure. */
void mw_triangle_lists_drop(struct mw_triangle_lists *lists);

#endif
/* SPDX-License-Identifier: MIT */
