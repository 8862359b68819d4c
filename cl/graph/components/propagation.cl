/* Kernels 1, 2 and 3: see graph/spread.clh.  Round r has nothing to do where changed[r], of the round before it, is 0,
 * and stores 1 to changed[r + 1] where it changes a label. */
#include "graph/components/propagation.clh"

/* What an item found, told once for a group. */
#ifdef GROUP
#define TELL_BEGIN                                                                                                   \
    SHARED i32 told[1];                                                                                              \
    if (ITEM == 0)                                                                                                   \
        told[0] = 0;                                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE)
#define TELL_END(found)                                                                                              \
    if (found)                                                                                                       \
        told[0] = 1;                                                                                                 \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (ITEM == 0 && told[0])                                                                                        \
    changed[r + 1] = 1
#else
#define TELL_BEGIN
#define TELL_END(found)                                                                                              \
    if (found)                                                                                                       \
    changed[r + 1] = 1
#endif

__kernel void graph_spread_edges(shared_parents labels, const __global u32 *ends, const i64 edges,
                                 __global i32 *changed, const i32 r, const i64 each)
{
    i32 found = 0;
    TELL_BEGIN;
    if (changed[r])
        for (i64 e = PART_FIRST(each); e < PART_END(edges, each); e += PART_STEP)
            found |= spread_edge(labels, ends[2 * e], ends[2 * e + 1]);
    TELL_END(found);
}

__kernel void graph_spread_vertices(shared_parents labels, __global flag *now, __global flag *next, ARCS,
                                    __global i32 *changed, const i32 r, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
#ifdef GROUP
    /* An item a vertex, which has its neighbour's offset for the end of its own arcs. */
    SHARED place begins[GROUP];
    const i64 i = PART_FIRST(each);
    const i32 inside = i < count;
    const place begin = inside ? arcs_begin(&g, (i32)i) : 0;
    begins[ITEM] = begin;
    TELL_BEGIN;
    if (inside && changed[r])
        found = spread_vertex(labels, now, next, &g, (i32)i, begin,
                              ITEM + 1 < GROUP && i + 1 < count ? begins[ITEM + 1] : arcs_end(&g, (i32)i));
#else
    if (changed[r])
        for (i64 i = PART_FIRST(each); i < PART_END(count, each); i += PART_STEP)
            found |= spread_vertex(labels, now, next, &g, (i32)i, arcs_begin(&g, (i32)i), arcs_end(&g, (i32)i));
#endif
    TELL_END(found);
}

__kernel void graph_spread_search(shared_parents labels, __global flag *now, __global flag *next, ARCS,
                                  __global i32 *changed, const i32 r, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
    TELL_BEGIN;
    if (changed[r])
        for (i64 i = PART_FIRST(each); i < PART_END(count, each); i += PART_STEP)
            found |= spread_search(labels, now, next, &g, (i32)i);
    TELL_END(found);
}

/* One item.  Looks for a source only where the search has come to its end. */
__kernel void graph_spread_seek(__global label *labels, __global flag *next, __global i32 *place_of,
                                const i32 vertices, __global i32 *changed, const i32 r)
{
    if (get_global_id(0) == 0 && changed[r] && !changed[r + 1])
        changed[r + 1] = spread_seek(labels, next, place_of, vertices);
}

__kernel void graph_spread_start(__global label *labels, const i32 vertices, const i64 each)
{
    for (i64 v = PART_FIRST(each); v < PART_END(vertices, each); v += PART_STEP)
        labels[v] = (label)v;
}

__kernel void graph_spread_isolated(__global label *labels, ARCS, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    for (i64 i = PART_FIRST(each); i < PART_END(count, each); i += PART_STEP)
        spread_isolated(labels, &g, (i32)i);
}
