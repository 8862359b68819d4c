/* Variant oriented on GPUs, if only the triangles of a whole graph are counted: lists of ranks, with hubs as bits.
 *
 * A vertex's rank is its position in the order of oriented.clh, so that hubs have the highest ranks. Lists of ranks are
 * sorted, so entries after v in the list of u are also after v in the order. A triangle u, v, w is found from its
 * middle vertex v. A group has the list of v in local memory, as one bit per rank from the first hub on. It tests the
 * entries that follow v in the lists of all u: one bit per pair of arcs that leave a vertex upwards. Vertices before
 * the first hub, whose bits would rarely be used, are handled by kernel triangles_count. */
#include "graph/arcs/arcs.clh"
#include "graph/triangles/triangles_plan.clh"
#include "prim/groups.clh"
#include "prim/halves.clh"

#ifdef GROUP

/* HUBS, a build macro: the number of vertices with a bit in a group's marks, a multiple of 32. */
#define TEAM (GROUP < TRIANGLES_TEAM ? GROUP : TRIANGLES_TEAM)

/* Returns the last index from `low` to `high` that begins at or before `at`; `low` does. */
INLINE u32 last_begun(const __global u32 *begins, u32 low, u32 high, const u32 at)
{
    while (low < high) {
        const u32 middle = low + (high - low + 1) / 2;
        if (begins[middle] <= at)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Prepares sorting: the degrees, and the vertex numbers. */
__kernel void triangles_unsorted(const __global place *offsets, __global u32 *degrees, __global u32 *vertices_of,
                                 const i64 vertices)
{
    const i64 v = (i64)get_global_id(0);
    if (v >= vertices)
        return;
    degrees[v] = offsets[v + 1] - offsets[v];
    vertices_of[v] = (u32)v;
}

__kernel void triangles_rank(const __global u32 *vertices_of, __global u32 *ranks, const i64 vertices)
{
    const i64 r = (i64)get_global_id(0);
    if (r < vertices)
        ranks[vertices_of[r]] = (u32)r;
}

/* Copies each vertex's neighbours of higher rank, from the start of its arcs on, in any order, and counts them. */
__kernel void triangles_gather(const __global place *offsets, const __global u32 *heads, const __global u32 *ranks,
                               __global u32 *counts, __global u32 *gathered, const i64 vertices, const i64 arcs)
{
    SHARED u32 tails[2];
    const i64 first = PART_NUMBER * (GROUP * TRIANGLES_EACH), end = least_i64(arcs, first + GROUP * TRIANGLES_EACH);
    if (first >= end)
        return;
    for (int i = ITEM; i < 2; i += GROUP)
        tails[i] = last_begun(offsets, 0, (u32)vertices - 1, (u32)(i == 0 ? first : end - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i64 at = first + ITEM; at < end; at += GROUP) {
        const u32 v = last_begun(offsets, tails[0], tails[1], (u32)at), u = ranks[v], w = ranks[heads[at]];
        if (w > u)
            gathered[offsets[v] + ATOMIC_ADD_32(counts + u, 1)] = w;
    }
}

/* Sorts the lists and makes them contiguous: an entry's position is the number of smaller entries in its list. */
__kernel void triangles_order(const __global place *offsets, const __global u32 *vertices_of,
                              const __global u32 *gathered, const __global u32 *begins, __global u32 *tails,
                              __global u32 *heads, const i64 vertices, const i64 arcs)
{
    SHARED u32 ends[2];
    const i64 first = PART_NUMBER * (GROUP * TRIANGLES_EACH), end = least_i64(arcs, first + GROUP * TRIANGLES_EACH);
    if (first >= end)
        return;
    for (int i = ITEM; i < 2; i += GROUP)
        ends[i] = last_begun(begins, 0, (u32)vertices - 1, (u32)(i == 0 ? first : end - 1));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i64 at = first + ITEM; at < end; at += GROUP) {
        const u32 u = last_begun(begins, ends[0], ends[1], (u32)at), begin = begins[u], count = begins[u + 1] - begin;
        const __global u32 *list = gathered + offsets[vertices_of[u]];
        const u32 w = list[(u32)at - begin];
        u32 i = 0, before = 0;
        for (; i + 4 <= count; i += 4)
            UNROLL for (u32 k = 0; k < 4; k++)
                before += list[i + k] < w;
        for (; i < count; i++)
            before += list[i] < w;
        tails[begin + before] = u;
        heads[begin + before] = w;
    }
}

/* Stores the span of each list, and the number of arcs to each hub from lower ranks. */
__kernel void triangles_spans(const __global u32 *begins, const __global u32 *degrees, __global u32 *spans,
                              __global u32 *arriving, const i64 vertices, const i64 first_hub)
{
    const i64 r = (i64)get_global_id(0);
    if (r >= vertices)
        return;
    spans[r * TRIANGLES_SPAN] = begins[r];
    spans[r * TRIANGLES_SPAN + 1] = begins[r + 1];
    if (r >= first_hub)
        arriving[r - first_hub] = degrees[r] - (begins[r + 1] - begins[r]);
}

/* Stores for each arc to a hub the entries that follow it in its list, grouped by hub. `ends` starts as the beginning
 * of each hub's group, and becomes its end. */
__kernel void triangles_arrive(const __global u32 *tails, const __global u32 *heads, const __global u32 *spans,
                               __global u32 *ends, __global u32 *follow, const i64 arcs, const i64 first_hub)
{
    const i64 at = (i64)get_global_id(0);
    if (at >= arcs || heads[at] < first_hub)
        return;
    const u32 to = ATOMIC_ADD_32(ends + (heads[at] - first_hub), 1);
    if (to >= arcs)
        return; /* a missing reverse arc: see triangles_arrived */
    follow[to * (size_t)TRIANGLES_SPAN] = (u32)at + 1;
    follow[to * (size_t)TRIANGLES_SPAN + 1] = spans[tails[at] * (size_t)TRIANGLES_SPAN + 1];
}

/* Sets `wrong` if a hub has another number of arcs than places. That happens if an arc of the graph has no reverse
 * arc. */
__kernel void triangles_arrived(const __global u32 *degrees, const __global u32 *spans, const __global u32 *ends,
                                __global u32 *wrong, const i64 first_hub, const i64 hubs)
{
    const i64 h = (i64)get_global_id(0);
    if (h >= hubs)
        return;
    const size_t rank = (size_t)(first_hub + h);
    const u32 places = degrees[rank] - (spans[rank * TRIANGLES_SPAN + 1] - spans[rank * TRIANGLES_SPAN]);
    if (ends[h] - (h > 0 ? ends[h - 1] : 0) != places)
        ATOMIC_STORE_32(wrong, 1);
}

/* Counts the triangles with hubs in the middle, for the group's tile of the arcs to hubs. A device has whole hubs: the
 * order of the arcs to a hub differs between devices. */
__kernel void triangles_hubs(const __global u32 *heads, const __global u32 *spans, const __global u32 *ends,
                             const __global u32 *follow, __global u32 *sums, const i64 first_hub, const i64 hubs,
                             const i64 part, const i64 part_count)
{
    SHARED u32 marks[HUBS / 32], of_group[1];
    const u32 all = ends[hubs - 1];
    const u32 low = (u32)least_i64(all, PART_NUMBER * TRIANGLES_ARRIVING);
    const u32 high = (u32)least_i64(all, (PART_NUMBER + 1) * TRIANGLES_ARRIVING);
    const u32 words = low == high ? 0 : HUBS / 32; /* no return before barriers: PoCL would count wrongly */
    u32 hits = 0;
    for (u32 i = ITEM; i < words; i += GROUP)
        marks[i] = 0;
    if (ITEM == 0)
        of_group[0] = 0;
    u32 hub = low < ends[0] ? 0 : last_begun(ends, 0, (u32)hubs - 1, low) + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 at = low; at < high; hub++) { /* uniform */
        const size_t span = (size_t)(first_hub + hub) * TRIANGLES_SPAN;
        const u32 begin = spans[span], end = spans[span + 1], until = ends[hub] < high ? ends[hub] : high;
        const i64 own = triangles_part_of_hub(hub) - part;
        if (own < 0 || own >= part_count) {
            at = until;
            continue;
        }
        for (u32 i = begin + ITEM; i < end; i += GROUP) {
            const u32 bit = heads[i] - (u32)first_hub;
            (void)ATOMIC_ADD_32(marks + bit / 32, (u32)1 << bit % 32);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 i = at + ITEM / TEAM; i < until; i += GROUP / TEAM) {
            const u32 last = follow[i * (size_t)TRIANGLES_SPAN + 1];
            for (u32 k = follow[i * (size_t)TRIANGLES_SPAN] + ITEM % TEAM; k < last; k += TEAM) {
                const u32 bit = heads[k] - (u32)first_hub;
                hits += marks[bit / 32] >> bit % 32 & 1;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 i = begin + ITEM; i < end; i += GROUP)
            marks[(heads[i] - (u32)first_hub) / 32] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        at = until;
    }
    if (hits)
        (void)ATOMIC_ADD_32(of_group, hits);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM == 0 && of_group[0])
        halves_add(sums, of_group[0]);
}

#endif
/* SPDX-License-Identifier: MIT */
