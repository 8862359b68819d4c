/* Betweenness: see betweenness.clh. */
#include "graph/measures/weighted.clh"

NATIVE_PROGRAM(graph_betweenness, REAL_DOUBLE)

#ifndef GROUP
/* Variant queue: a work-item takes sources from a shared counter, one after the other, and has its own memory. */
__kernel void betweenness_queue(const __global u32 *sources, const u32 source_count, volatile __global u32 *next, ARCS,
                                const __global place *in_offsets, const __global u32 *in_heads,
                                __global i32 *distances, __global u32 *queues, __global number *paths,
                                __global number *shares, __global u64 *sums, volatile __global u32 *too_many,
                                const i32 vertices, const i32 bits, const i32 items)
{
    const i64 item = (i64)get_global_id(0), own = item * vertices;
    const struct queue_search s = { offsets, in_offsets, heads, in_heads, distances + own, queues + own, paths + own,
                                    shares + own, sums + own, bits };
    const number most = number_power(BETWEENNESS_MOST);
    if (item >= items)
        return;
    for (u32 at = ATOMIC_ADD_32(next, 1u); at < source_count; at = ATOMIC_ADD_32(next, 1u)) {
        int exact = 1;
        const i32 met = queue_out(&s, sources[at], &exact);
        if (!exact)
            queue_count(&s, met);
        if (queue_back(&s, met, most))
            ATOMIC_STORE_32(too_many, 1);
    }
}

/* The same with weights. */
__kernel void betweenness_weighted(const __global u32 *sources, const u32 source_count, volatile __global u32 *next,
                                   ARCS, const __global i32 *weights, const __global place *in_offsets,
                                   const __global u32 *in_heads, const __global i32 *in_weights,
                                   __global i64 *distances, __global u32 *words, __global number *paths,
                                   __global number *shares, __global u64 *sums, volatile __global u32 *too_many,
                                   const i32 vertices, const i32 bits, const i32 shift, const i32 items)
{
    const i64 item = (i64)get_global_id(0), n = vertices, own = item * n;
    __global u32 *own_words = words + BETWEENNESS_LINKS * own;
    const struct weighted_search s = { offsets, in_offsets, heads, in_heads, weights, in_weights, distances + own,
                                       own_words, own_words + n, own_words + 2 * n, paths + own, shares + own,
                                       sums + own, bits, shift };
    const number most = number_power(BETWEENNESS_MOST);
    if (item >= items)
        return;
    for (u32 at = ATOMIC_ADD_32(next, 1u); at < source_count; at = ATOMIC_ADD_32(next, 1u)) {
        int exact = 1;
        const i32 met = weighted_out(&s, sources[at], &exact);
        if (!exact)
            weighted_count(&s, met);
        if (weighted_back(&s, met, most))
            ATOMIC_STORE_32(too_many, 1);
    }
}
#endif

/* Variant lanes: one work-item per element, which is a vertex as seen from one source. The elements of a vertex are
 * adjacent, one per lane. */

__kernel SHARES void betweenness_start(__global i32 *distances, __global number *paths, __global number *shares,
                                       const i64 elements, const i64 each)
{
    for (i64 x = PART_FIRST(each), stop = PART_END(elements, each); x < stop; x += PART_STEP) {
        distances[x] = -1;
        paths[x] = shares[x] = NUMBER_ZERO;
    }
}

__kernel void betweenness_sources(__global i32 *distances, __global number *paths, const __global u32 *sources,
                                  const i32 first, const i32 count, const i32 lanes)
{
    const i32 lane = (i32)get_global_id(0);
    if (lane >= count)
        return;
    const i64 x = (i64)sources[first + lane] * lanes + lane;
    distances[x] = 0;
    paths[x] = NUMBER_ONE;
}

/* Adds to `sum` the values of the heads of vertex v's arcs with distance `wanted` in a lane, in the order of arcs. The
 * distance of v must be another. In the form for groups, the loads of ARCS_AHEAD arcs overlap. */
INLINE number lane_sum(struct arc_list arcs, const i32 v, volatile __global i32 *distances,
                       const __global number *values, const i32 lanes, const i32 lane, const i32 wanted, number sum)
{
#ifdef GROUP
    u32 head[ARCS_AHEAD];
    i32 distance[ARCS_AHEAD];
    number value[ARCS_AHEAD];
    while (arcs_turn(&arcs, (u32)v, head)) {
        UNROLL_ALL for (int a = 0; a < ARCS_AHEAD; a++)
            distance[a] = ATOMIC_LOOK_32(distances + ((i64)head[a] * lanes + lane));
        UNROLL_ALL for (int a = 0; a < ARCS_AHEAD; a++)
            value[a] = distance[a] == wanted ? values[(i64)head[a] * lanes + lane] : NUMBER_ZERO;
        UNROLL_ALL for (int a = 0; a < ARCS_AHEAD; a++) /* adding 0 changes no bit */
            sum = number_add(sum, value[a]);
    }
#else
    (void)v;
    for (place at = arcs.at; at < arcs.end; at++) {
        const i64 y = (i64)arcs.heads[at] * lanes + lane;
        if (ATOMIC_LOOK_32(distances + y) == wanted)
            sum = number_add(sum, values[y]);
    }
#endif
    return sum;
}

/* Finds the vertices of the next level, and counts the paths to them, by arcs that lead to them. A vertex with arcs in
 * several blocks is completed by its last block. */
__kernel SHARES void betweenness_out(volatile __global i32 *distances, __global number *paths, ARCS,
                                     volatile __global u32 *counts, volatile __global u32 *too_many,
                                     const struct betweenness_level given)
{
    const struct betweenness_level l = given; /* llvmpipe loads parameters in loops, and miscompiles this */
    const struct arcs g = ARCS_HERE;
    const number most = number_power(BETWEENNESS_MOST);
    const i64 elements = (i64)g.count * l.lanes;
    u32 found = 0, over = 0;
    if (counts[l.r] == 0)
        return;
    for (i64 e = PART_FIRST(l.each), stop = PART_END(elements, l.each); e < stop; e += PART_STEP) {
        const i32 i = (i32)(e / l.lanes), lane = (i32)(e % l.lanes);
        const i64 x = ((i64)g.first + i) * l.lanes + lane;
        if (ATOMIC_LOOK_32(distances + x) >= 0)
            continue;
        /* Concurrent updates change distances from -1 to the next level. */
        const number sum = lane_sum(arcs_of(&g, i), g.first + i, distances, paths, l.lanes, lane, l.level, paths[x]);
        paths[x] = sum;
        if (!number_is_at_least(sum, NUMBER_ONE) || (i == g.count - 1 && g.cut))
            continue;
        ATOMIC_STORE_32(distances + x, l.level + 1);
        over |= (u32)number_is_at_least(sum, most);
        found = 1;
    }
    if (found)
        ATOMIC_STORE_32(counts + l.r + 1, 1);
    if (over)
        ATOMIC_STORE_32(too_many, 1);
}

/* Computes the dependencies of this level's vertices, by the arcs that leave them. */
__kernel SHARES void betweenness_back(volatile __global i32 *distances, const __global number *paths,
                                      __global number *shares, __global u64 *sums, ARCS,
                                      const struct betweenness_level given)
{
    const struct betweenness_level l = given;
    const struct arcs g = ARCS_HERE;
    const i64 elements = (i64)g.count * l.lanes;
    for (i64 e = PART_FIRST(l.each), stop = PART_END(elements, l.each); e < stop; e += PART_STEP) {
        const i32 i = (i32)(e / l.lanes), lane = (i32)(e % l.lanes);
        const i64 x = ((i64)g.first + i) * l.lanes + lane;
        if (ATOMIC_LOOK_32(distances + x) != l.level)
            continue;
        number sum = lane_sum(arcs_of(&g, i), g.first + i, distances, shares, l.lanes, lane, l.level + 1, shares[x]);
        if (!(i == g.count - 1 && g.cut)) {
            const number through = number_multiply(paths[x], sum);
            sums[x] += number_units(through, l.bits);
            sum = number_divide(number_add(NUMBER_ONE, through), paths[x]);
        }
        shares[x] = sum;
    }
}

/* ---- lanes with weights ----
 *
 * First, rounds over all arcs find the lengths of shortest paths. A level is then not a distance but a depth: the most
 * arcs of a shortest path to the vertex. All earlier vertices on shortest paths have smaller depths. */

__kernel void betweenness_near(__global i64 *lengths, const __global u32 *sources, const i32 first, const i32 count,
                               const i32 lanes)
{
    const i32 lane = (i32)get_global_id(0);
    if (lane < count)
        lengths[(i64)sources[first + lane] * lanes + lane] = 0;
}

/* A round, from one array to the other, by arcs that lead to vertices. `was_cut`: the block's first vertex had arcs in
 * the previous block, and continues from its result. If nothing changed, both arrays are equal. */
__kernel SHARES void betweenness_lengths(const __global i64 *from, __global i64 *to, ARCS,
                                         const __global i32 *weights, const i32 was_cut,
                                         volatile __global u32 *counts, const struct betweenness_level given)
{
    const struct betweenness_level l = given;
    const struct arcs g = ARCS_HERE;
    const i64 elements = (i64)g.count * l.lanes;
    u32 found = 0;
    if (counts[l.r] == 0)
        return;
    for (i64 e = PART_FIRST(l.each), stop = PART_END(elements, l.each); e < stop; e += PART_STEP) {
        const i32 i = (i32)(e / l.lanes), lane = (i32)(e % l.lanes);
        const i64 x = ((i64)g.first + i) * l.lanes + lane;
        const place end = arcs_end(&g, i);
        i64 least = was_cut && i == 0 ? to[x] : from[x];
        for (place at = arcs_begin(&g, i); at < end; at++) {
            const i64 length = from[(i64)g.heads[at] * l.lanes + lane] + weights[at];
            least = length < least ? length : least;
        }
        to[x] = least;
        found |= (u32)(least != from[x]);
    }
    if (found)
        ATOMIC_STORE_32(counts + l.r + 1, 1);
}

/* Counts the paths to vertices whose predecessors on shortest paths all have a depth; these vertices get the next
 * depth. WAITS marks a vertex with arcs in several blocks if an earlier block had a predecessor without a depth. */
#define WAITS (-2)
__kernel SHARES void betweenness_deeper(const __global i64 *lengths, volatile __global i32 *depths,
                                        __global number *paths, ARCS, const __global i32 *weights,
                                        volatile __global u32 *counts, volatile __global u32 *too_many,
                                        const struct betweenness_level given)
{
    const struct betweenness_level l = given;
    const struct arcs g = ARCS_HERE;
    const number most = number_power(BETWEENNESS_MOST);
    const i64 elements = (i64)g.count * l.lanes;
    u32 found = 0, over = 0;
    if (counts[l.r] == 0)
        return;
    for (i64 e = PART_FIRST(l.each), stop = PART_END(elements, l.each); e < stop; e += PART_STEP) {
        const i32 i = (i32)(e / l.lanes), lane = (i32)(e % l.lanes);
        const i64 x = ((i64)g.first + i) * l.lanes + lane, length = lengths[x];
        const place end = arcs_end(&g, i);
        const i32 known = ATOMIC_LOOK_32(depths + x);
        const number before = paths[x];
        number sum = before;
        int ready = known != WAITS;
        if (known >= 0 || length == LENGTH_NONE)
            continue;
        for (place at = arcs_begin(&g, i); at < end && ready; at++) {
            const i64 y = (i64)g.heads[at] * l.lanes + lane;
            if (lengths[y] + weights[at] != length)
                continue;
            const i32 depth = ATOMIC_LOOK_32(depths + y); /* concurrent updates change -1 to the next depth */
            ready = depth >= 0 && depth <= l.level;
            sum = ready ? number_add(sum, paths[y]) : NUMBER_ZERO;
        }
        if (ready || number_is_at_least(before, NUMBER_ONE))
            paths[x] = ready ? sum : NUMBER_ZERO;
        if (i == g.count - 1 && g.cut) {
            if (!ready)
                ATOMIC_STORE_32(depths + x, WAITS);
            continue;
        }
        if (ready || known == WAITS)
            ATOMIC_STORE_32(depths + x, ready ? l.level + 1 : -1);
        over |= (u32)(ready && number_is_at_least(sum, most));
        found |= (u32)ready;
    }
    if (found)
        ATOMIC_STORE_32(counts + l.r + 1, 1);
    if (over)
        ATOMIC_STORE_32(too_many, 1);
}

/* Computes the dependencies of this depth's vertices, by the arcs that leave them. */
__kernel SHARES void betweenness_shallower(const __global i64 *lengths, const __global i32 *depths,
                                           const __global number *paths, __global number *shares, __global u64 *sums,
                                           ARCS, const __global i32 *weights, const struct betweenness_level given)
{
    const struct betweenness_level l = given;
    const struct arcs g = ARCS_HERE;
    const i64 elements = (i64)g.count * l.lanes;
    for (i64 e = PART_FIRST(l.each), stop = PART_END(elements, l.each); e < stop; e += PART_STEP) {
        const i32 i = (i32)(e / l.lanes), lane = (i32)(e % l.lanes);
        const i64 x = ((i64)g.first + i) * l.lanes + lane, length = lengths[x];
        const place end = arcs_end(&g, i);
        number sum;
        if (depths[x] != l.level)
            continue;
        sum = shares[x];
        for (place at = arcs_begin(&g, i); at < end; at++) {
            const i64 y = (i64)g.heads[at] * l.lanes + lane;
            if (lengths[y] == length + weights[at])
                sum = number_add(sum, shares[y]);
        }
        if (!(i == g.count - 1 && g.cut)) {
            const number through = number_multiply(paths[x], sum);
            sums[x] += number_units(through, l.bits);
            sum = number_divide(number_add(NUMBER_ONE, through), paths[x]);
        }
        shares[x] = sum;
    }
}

/* Sums the lanes of each vertex. */
__kernel SHARES void betweenness_total(const __global u64 *sums, __global u64 *totals, const i64 vertices,
                                       const i32 lanes, const i64 each)
{
    for (i64 v = PART_FIRST(each), stop = PART_END(vertices, each); v < stop; v += PART_STEP) {
        u64 total = 0;
        for (i32 lane = 0; lane < lanes; lane++)
            total += sums[v * lanes + lane];
        totals[v] = total;
    }
}
/* SPDX-License-Identifier: MIT */
