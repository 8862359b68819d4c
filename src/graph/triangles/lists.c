/* The oriented lists of neighbours (cl/graph/triangles/oriented.clh), made on a device. */
#include "graph/triangles/counter.h"

#include "graph/triangles/triangles_internal.h"
#include "kernels/graph/triangles/oriented.h"

/* Makes the lists of each part from the start of its arcs on. */
static int make_on_cores(const struct mw_arc_worker *on, const struct mw_kernel_set *set, const struct mw_graph *graph,
                         const struct mw_arc_view *arcs, struct mw_buffer *degrees, struct mw_triangle_lists *l)
{
    int64_t each;
    const struct mw_range range = mw_arc_range(on, set, graph->vertices, &each);
    l->arcs = graph->arcs;
    TRY_RETURN(mw_arc_buffer(on, mw_triangle_head_bytes((size_t)graph->arcs), &l->heads));
    TRY_RETURN(
        mw_buffer_fill(l->heads, (size_t)graph->arcs * sizeof(uint32_t), TRIANGLES_BEYOND * sizeof(uint32_t), 0));
    return launch_triangles_orient(set, range, arcs->offsets, arcs->heads, degrees, l->heads, l->spans,
                                   (int64_t)graph->vertices, each);
}

/* Makes contiguous lists. Waits. */
static int make_in_groups(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                          const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                          struct mw_triangle_lists *l)
{
    const size_t n = (size_t)graph->arcs;
    struct mw_buffer *up = NULL, *places = NULL;
    size_t taken;
    int rc;
    TRY(mw_buffer_new(on->device, n, &up));
    TRY(mw_buffer_new(on->device, n * sizeof(uint32_t), &places));
    TRY(launch_triangles_choose(set, mw_items(n), arcs->offsets, arcs->heads, degrees, up, (int64_t)graph->vertices,
                                (int64_t)n));
    TRY(mw_prim_select(prim, up, n, places, &taken));
    l->arcs = taken;
    TRY(mw_arc_buffer(on, taken * sizeof(uint32_t), &l->tails));
    TRY(mw_arc_buffer(on, taken * sizeof(uint32_t), &l->heads));
    TRY(mw_buffer_fill(l->spans, 0, mw_buffer_bytes(l->spans), 0));
    if (taken > 0)
        TRY(launch_triangles_take(set, mw_items(taken), arcs->offsets, arcs->heads, places, l->tails, l->heads,
                                  l->spans, (int64_t)graph->vertices, (int64_t)n, (int64_t)taken));
out:
    mw_buffer_free(up);
    mw_buffer_free(places);
    return rc;
}

int mw_triangle_lists_make(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                           const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                           struct mw_triangle_lists *lists)
{
    *lists = (struct mw_triangle_lists){ .count = graph->vertices };
    TRY_RETURN(mw_arc_buffer(on, mw_triangle_span_bytes(graph->vertices), &lists->spans));
    return on->cores ? make_on_cores(on, set, graph, arcs, degrees, lists)
                     : make_in_groups(on, set, prim, graph, arcs, degrees, lists);
}

/* SPDX-License-Identifier: MIT */
