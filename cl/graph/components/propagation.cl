/* Variants edges, frontier (also with images) and bfs: see propagation.clh. Round r does nothing if changed[r], set by
 * the previous round, is 0. It stores 1 to changed[r + 1] if it changes a label. */
#include "graph/components/propagation.clh"

NATIVE_PROGRAM(graph_propagation, )

/* Stores changed[r + 1] once per group if a work-item found a change. */
#ifdef GROUP
#define CHANGED_BEGIN                                                                                                \
    SHARED i32 any[1];                                                                                               \
    if (ITEM == 0)                                                                                                   \
        any[0] = 0;                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE)
#define CHANGED_END(found)                                                                                           \
    if (found)                                                                                                       \
        any[0] = 1;                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (ITEM == 0 && any[0])                                                                                         \
    changed[r + 1] = 1
#else
#define CHANGED_BEGIN
#define CHANGED_END(found)                                                                                           \
    if (found)                                                                                                       \
    ATOMIC_STORE_32(changed + r + 1, 1)
#endif

__kernel SHARES void propagate_edges(shared_parents labels, const __global u32 *ends, const i64 edges,
                                     __global i32 *changed, const i32 r, const i64 each)
{
    i32 found = 0;
    CHANGED_BEGIN;
    if (changed[r])
        for (i64 e = PART_FIRST(each), end = PART_END(edges, each); e < end; e += PART_STEP)
            found |= lower_edge(labels, ends[2 * e], ends[2 * e + 1]);
    CHANGED_END(found);
}

__kernel SHARES void propagate_frontier(shared_parents labels, __global flag *now, __global flag *next, ARCS,
                                        __global i32 *changed, const i32 r, const i64 each HEADS_PARAMS)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
#ifdef GROUP
    /* One work-item per vertex; the next work-item's offset is the end of its arcs. */
    SHARED place begins[GROUP];
    const i64 i = PART_FIRST(each);
    const i32 inside = i < count;
    const place begin = inside ? arcs_begin(&g, (i32)i) : 0;
    begins[ITEM] = begin;
    CHANGED_BEGIN;
    if (inside && changed[r])
        found = lower_neighbours(labels, now, next, &g, HEADS_HERE, (i32)i, begin,
                                 ITEM + 1 < GROUP && i + 1 < count ? begins[ITEM + 1] : arcs_end(&g, (i32)i));
#else
    if (changed[r])
        for (i64 i = PART_FIRST(each), end = PART_END(count, each); i < end; i += PART_STEP)
            found |= lower_neighbours(labels, now, next, &g, HEADS_HERE, (i32)i, arcs_begin(&g, (i32)i),
                                      arcs_end(&g, (i32)i));
#endif
    CHANGED_END(found);
}

__kernel SHARES void propagate_bfs(shared_parents labels, __global flag *now, __global flag *next, ARCS,
                                   __global i32 *changed, const i32 r, const i64 each HEADS_PARAMS)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
    CHANGED_BEGIN;
    if (changed[r])
        for (i64 i = PART_FIRST(each), end = PART_END(count, each); i < end; i += PART_STEP)
            found |= search_neighbours(labels, now, next, &g, HEADS_HERE, (i32)i);
    CHANGED_END(found);
}

/* One work-item. Searches for a source only after the current search has ended. */
__kernel void propagate_bfs_source(__global label *labels, __global flag *next, __global i32 *place_of,
                                   const i32 vertices, __global i32 *changed, const i32 r)
{
    if (get_global_id(0) == 0 && changed[r] && !changed[r + 1])
        changed[r + 1] = find_source(labels, next, place_of, vertices);
}

__kernel SHARES void propagate_start(__global label *labels, const i32 vertices, const i64 each)
{
    for (i64 v = PART_FIRST(each), end = PART_END(vertices, each); v < end; v += PART_STEP)
        labels[v] = (label)v;
}

__kernel SHARES void propagate_bfs_start(__global label *labels, ARCS, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    for (i64 i = PART_FIRST(each), end = PART_END(count, each); i < end; i += PART_STEP)
        label_isolated(labels, &g, (i32)i);
}
/* SPDX-License-Identifier: MIT */
