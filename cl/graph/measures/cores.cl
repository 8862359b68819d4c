/* Core numbers by rounds: remove all vertices with at most k remaining neighbours, until none remains. Then k becomes
 * the smallest number of remaining neighbours.
 *
 * Row r of `states` has a round's k, the number of vertices it removed, and the smallest number of remaining neighbours
 * of the others. */
#include "graph/arcs/arcs.clh"
#include "graph/measures/cores_plan.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_cores, )

/* Returns the k of a round, from the previous round. */
INLINE u32 cores_k(const volatile __global u32 *before)
{
    return before[CORES_TAKEN] ? before[CORES_K] : before[CORES_LEAST];
}

/* Removes vertices: stores their core numbers, and a flag for the next kernels. The device's vertices begin at
 * all_left[first], and are numbered from 0 elsewhere. */
__kernel SHARES void cores_take(__global u32 *cores, const __global u32 *all_left, __global flag *taken,
                                volatile __global u32 *states, const i32 vertices, const i32 first, const i32 r,
                                const i64 each)
{
    const __global u32 *left = all_left + first;
    volatile __global u32 *before = states + (r - 1) * CORES_STATE, *now = states + r * CORES_STATE;
    const u32 k = cores_k(before);
    u32 count = 0, least = CORES_NONE;
#ifdef GROUP
    SHARED u32 of_group[2];
    if (ITEM == 0) {
        of_group[0] = 0;
        of_group[1] = CORES_NONE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (i64 v = PART_FIRST(each), stop = PART_END(vertices, each); v < stop; v += PART_STEP) {
        const int is_left = cores[v] == CORES_NONE, goes = is_left && left[v] <= k;
        taken[v] = (flag)goes;
        if (goes) {
            cores[v] = k;
            count++;
        } else if (is_left && left[v] < least) {
            least = left[v];
        }
    }
#ifdef GROUP
    if (count)
        (void)ATOMIC_ADD_32(of_group, count);
    if (least != CORES_NONE)
        (void)ATOMIC_LOWER_32(of_group + 1, least);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM > 0)
        return;
    count = of_group[0];
    least = of_group[1];
#endif
    if (count)
        (void)ATOMIC_ADD_32(now + CORES_TAKEN, count);
    if (least != CORES_NONE)
        (void)ATOMIC_LOWER_32(now + CORES_LEAST, least);
    if (PART_NUMBER == 0)
        now[CORES_K] = k;
}

/* Decrements the counts of the removed vertices' neighbours; in the form for groups, of low-degree vertices only. */
__kernel SHARES void cores_tell(volatile __global u32 *left, const __global flag *taken, ARCS, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    for (i64 i = PART_FIRST(each), stop = PART_END(count, each); i < stop; i += PART_STEP) {
        if (!taken[g.first + i])
            continue;
        const place begin = arcs_begin(&g, (i32)i), end = arcs_end(&g, (i32)i);
        if (arcs_are_split(begin, end))
            continue;
        for (place at = begin; at < end; at++)
            (void)ATOMIC_ADD_32(left + g.heads[at], ~(u32)0);
    }
}

#ifdef GROUP
/* The same for pieces of high-degree vertices' arcs. */
__kernel void cores_tell_split(volatile __global u32 *left, const __global flag *taken, ARCS, ARC_PIECES)
{
    const struct arc_piece p = ARC_PIECE_HERE;
    if (!taken[p.vertex])
        return;
    for (place at = p.at; at < p.end; at += width)
        (void)ATOMIC_ADD_32(left + heads[at], ~(u32)0);
}
#endif
/* SPDX-License-Identifier: MIT */
