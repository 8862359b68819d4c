/* Distances with near and far piles: see near_far.clh. */
#include "graph/distances/near_far.clh"

NATIVE_PROGRAM(graph_distances_near_far, )

#define NEAR_FAR { distance, counters, turns, is_far, near, far, turn, limit }

/* Relaxes the arcs of the vertices in the current near pile, `of_turn`. */
__kernel void near_far_relax(const __global u32 *of_turn, const i32 waiting, ARCS, const __global i32 *weights,
                          const i32 weighted, __global u32 *distance, __global i32 *turns, __global i32 *is_far,
                          __global u32 *near, __global u32 *far, __global u32 *counters, const i32 turn,
                          const u32 limit, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    const struct near_far p = NEAR_FAR;
    const i64 end = least_i64((i64)waiting * TEAM, PART_NUMBER * each + each);
    for (i64 i = PART_FIRST(each); i < end; i += PART_STEP) {
        const i32 v = (i32)of_turn[i / TEAM];
        const u32 from = ATOMIC_LOAD_32(p.distance + v);
        for (place at = arcs_begin(&g, v) + TEAM_ITEM, last = arcs_end(&g, v); at < last; at += TEAM)
            near_far_offer(&p, g.heads[at], from + (weighted ? (u32)weights[at] : 1u));
    }
}

/* A level bottom-up: vertices without a distance search for a neighbour in the current level. */
__kernel void near_far_pull(ARCS, __global u32 *distance, __global u32 *near, __global u32 *counters, const u32 level,
                         const i64 each)
{
    const struct arcs g = ARCS_HERE;
    const i64 end = least_i64(count, PART_NUMBER * each + each);
    for (i64 v = PART_FIRST(each); v < end; v += PART_STEP) {
        int found = 0;
        if (ATOMIC_LOAD_32(distance + v) != NEAR_FAR_NONE)
            continue;
        for (place at = arcs_begin(&g, (i32)v), last = arcs_end(&g, (i32)v); at < last && !found; at++)
            found = ATOMIC_LOAD_32(distance + g.heads[at]) == level;
        if (!found)
            continue;
        ATOMIC_STORE_32(distance + v, level + 1);
        near[ATOMIC_ADD_32(counters + NEAR_BIN, 1)] = (u32)v;
    }
}

/* Splits the far pile when the near pile is empty. Vertices below `limit` move to the near pile, those already done
 * (below `done`) are dropped, the rest stays far. */
__kernel void near_far_split(const __global u32 *were_far, const i32 waiting, __global u32 *distance,
                          __global i32 *turns, __global i32 *is_far, __global u32 *near, __global u32 *far,
                          __global u32 *counters, const i32 turn, const u32 done, const u32 limit, const i64 each)
{
    const struct near_far p = NEAR_FAR;
    const i64 end = least_i64(waiting, PART_NUMBER * each + each);
    for (i64 i = PART_FIRST(each); i < end; i += PART_STEP) {
        const u32 v = were_far[i], from = distance[v];
        if (from >= limit) {
            far[ATOMIC_ADD_32(p.counters + FAR_BIN, 1)] = v;
            (void)ATOMIC_LOWER_32(p.counters + NEAR_FAR_LEAST, from);
            continue;
        }
        is_far[v] = 0;
        if (from >= done)
            near_bin(&p, v);
    }
}
/* SPDX-License-Identifier: MIT */
