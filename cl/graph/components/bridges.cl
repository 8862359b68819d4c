/* Biconnected components by a skeleton: see bridges.clh. Kernels are in the order of their launches. */
#include "graph/components/bridges.clh"

NATIVE_PROGRAM(graph_bridges, )

#define EACH_ELEMENT(x, n) for (i64 x = PART_FIRST(each), stop = PART_END(n, each); x < stop; x += PART_STEP)
#define SAY_UNFINISHED(rounds)                                                                                       \
    if ((rounds) < 0)                                                                                                \
        unfinished[0] = 1

/* ---- spanning forest ---- */

__kernel SHARES void bridges_start(__global label *parents, __global u32 *links, const i32 vertices, const i64 each)
{
    EACH_ELEMENT(v, vertices) {
        parents[v] = (label)v;
        links[2 * v] = (u32)(v > 0 ? v - 1 : 0);
        links[2 * v + 1] = (u32)v;
    }
}

/* Hooks each vertex to the first smaller one among its first `tries` neighbours. Cores flatten their part's trees at
 * once. */
__kernel SHARES void bridges_first(__global label *parents, __global u32 *links, ARCS, const i32 tries, const i64 each)
{
    const struct arcs g = ARCS_HERE;
#ifndef GROUP
    const i64 begin = PART_FIRST(each);
#endif
    EACH_ELEMENT(i, g.count) {
        const label v = g.first + (i32)i;
        place at = arcs_begin(&g, (i32)i), end = arcs_end(&g, (i32)i);
        label head = v;
        if (parents[v] != v)
            continue;
        for (i32 t = 0; t < tries && at < end && head >= v; t++, at++)
            head = (label)g.heads[at];
        if (head >= v)
            continue;
        links[2 * (u32)v] = (u32)v;
        links[2 * (u32)v + 1] = (u32)head;
#ifndef GROUP
        if (head >= g.first + begin)
            head = parents[head];
#endif
        parents[v] = head;
    }
}

#ifdef GROUP

__kernel void bridges_hook_whole(shared_parents parents, __global u32 *links, ARCS, __global i32 *unfinished,
                                 const i64 each)
{
    const struct arcs g = ARCS_HERE;
    const i32 i = (i32)PART_FIRST(each);
    if (i >= count)
        return;
    const place begin = arcs_begin(&g, i), end = arcs_end(&g, i);
    if (!arcs_are_split(begin, end))
        SAY_UNFINISHED(bridges_hook(parents, links, heads, first + i, begin, end, 1));
}

/* Pieces of high-degree vertices' arcs. */
__kernel void bridges_hook_split(shared_parents parents, __global u32 *links, ARCS, ARC_PIECES,
                                 __global i32 *unfinished)
{
    const struct arc_piece p = ARC_PIECE_HERE;
    SAY_UNFINISHED(bridges_hook(parents, links, heads, p.vertex, p.at, p.end, width));
}

#else

__kernel void bridges_hook_part(shared_parents parents, __global u32 *links, ARCS, const u64 parts)
{
    const struct arcs g = ARCS_HERE;
    const struct arcs_part p = arcs_part(&g, get_global_id(0), parts);
    for (i32 i = p.begin; i < p.end; i++) {
        const place at = arcs_begin(&g, i), stop = arcs_end(&g, i);
        (void)bridges_hook(parents, links, heads, first + i, at > p.low ? at : p.low,
                           stop < p.high ? stop : p.high, 1);
    }
}

#endif

/* ---- Euler tour ---- */

/* Marks the roots, makes each vertex a set of its own for the skeleton, and links the arcs that leave a vertex into a
 * list: `leaving` is its first arc, `turns` the next one. */
__kernel SHARES void bridges_thread(__global label *parents, const __global u32 *links, __global flag *roots,
                                    volatile __global i32 *leaving, __global i32 *turns, const i32 vertices,
                                    const i64 each)
{
    EACH_ELEMENT(v, vertices) {
        roots[v] = (flag)(parents[v] == (label)v);
        parents[v] = (label)v;
        for (i64 arc = 2 * v; v > 0 && arc <= 2 * v + 1; arc++)
            turns[arc] = ATOMIC_SWAP_32(leaving + links[arc], (i32)(u32)arc);
    }
}

/* Closes the lists: the last arc of a vertex is followed by its first one, except at vertex 0, where the tour ends. */
__kernel SHARES void bridges_close(const __global u32 *links, const __global u32 *leaving, __global u32 *turns,
                                   const i64 arcs, const i64 each)
{
    EACH_ELEMENT(arc, arcs)
        if (arc > 1 && turns[arc] == BRIDGES_NONE && links[arc] != 0)
            turns[arc] = leaving[links[arc]];
}

/* Walks that a work-item advances in turn, since each step waits for memory. */
#ifdef GROUP
#define WALKS 1
#else
#define WALKS 16
#endif
struct bridges_walk { u32 arc, stretch, steps; };

/* Walks all stretches. Stores two numbers per arc, its stretch and its step there, and two per stretch, the next
 * stretch and the length. */
__kernel SHARES void bridges_walk(const __global u32 *leaving, const __global u32 *turns, __global u32 *steps,
                                  __global u32 *stretches, const i32 count, const u32 shift, const u64 arcs,
                                  const i64 each)
{
    const i64 end = PART_END(count, each);
    const u32 first = leaving[0];
    struct bridges_walk walk[WALKS];
    int walks = 0;
    i64 next = PART_FIRST(each);
    while (walks > 0 || next < end) {
        for (; walks < WALKS && next < end; next += PART_STEP) {
            const u32 arc = bridges_stretch((u32)next, first, shift, arcs);
            stretches[2 * next] = BRIDGES_NONE;
            stretches[2 * next + 1] = 0;
            if (arc == BRIDGES_NONE)
                continue;
            walk[walks].arc = arc;
            walk[walks].stretch = (u32)next;
            walk[walks++].steps = 0;
        }
        for (int w = 0; w < walks;) {
            const u32 arc = walk[w].arc, then = turns[arc ^ 1];
            steps[2 * (u64)arc] = walk[w].stretch;
            steps[2 * (u64)arc + 1] = walk[w].steps++;
            if (then == BRIDGES_NONE || then == bridges_stretch(then >> shift, first, shift, arcs)) {
                stretches[2 * (u64)walk[w].stretch] = then == BRIDGES_NONE ? then : then >> shift;
                stretches[2 * (u64)walk[w].stretch + 1] = walk[w].steps;
                walk[w] = walk[--walks];
            } else {
                walk[w++].arc = then;
            }
        }
    }
}

/* Pointer jumping: stores for each stretch the number of steps to a later stretch, and that stretch. Each launch
 * doubles the distance. */
__kernel SHARES void bridges_jump(const __global u32 *from, __global u32 *to, const i32 count, const i64 each)
{
    EACH_ELEMENT(s, count) {
        u32 next = from[2 * s], steps = from[2 * s + 1];
        if (next != BRIDGES_NONE) {
            steps += from[2 * (u64)next + 1];
            next = from[2 * (u64)next];
        }
        to[2 * s] = next;
        to[2 * s + 1] = steps;
    }
}

/* Finds for each link its lower vertex, the vertex above, and the steps of both arcs. `stretches`: steps left from each
 * stretch. */
__kernel SHARES void bridges_number(const __global u32 *links, const __global u32 *steps,
                                    const __global u32 *stretches, __global u32 *spans, __global u32 *above,
                                    const i32 vertices, const i64 each)
{
    const u32 all_after = 2 * (u32)vertices - 1;
    EACH_ELEMENT(v, vertices) {
        if (v == 0) {
            spans[0] = above[0] = 0;
            spans[1] = all_after;
            continue;
        }
        const u32 one = all_after - stretches[2 * (u64)steps[4 * v] + 1] + steps[4 * v + 1];
        const u32 other = all_after - stretches[2 * (u64)steps[4 * v + 2] + 1] + steps[4 * v + 3];
        const u32 lower = links[2 * v + (one < other)];
        spans[2 * lower] = one < other ? one : other;
        spans[2 * lower + 1] = one < other ? other : one;
        above[lower] = links[2 * v + (one > other)];
    }
}

/* ---- skeleton ---- */

#define SIGHT const __global u32 *spans, const __global u32 *above, shared_numbers near, shared_numbers ways
#define SIGHT_HERE { spans, above, near, ways }

#ifdef GROUP

__kernel void bridges_look_whole(shared_parents parents, SIGHT, ARCS, __global i32 *unfinished, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    const struct bridges_sight sight = SIGHT_HERE;
    const i32 i = (i32)PART_FIRST(each);
    if (i >= count)
        return;
    const place begin = arcs_begin(&g, i), end = arcs_end(&g, i);
    if (!arcs_are_split(begin, end))
        SAY_UNFINISHED(bridges_look(parents, &sight, heads, first + i, begin, end, 1, i > 0 && i + 1 < count));
}

__kernel void bridges_look_split(shared_parents parents, SIGHT, ARCS, ARC_PIECES, __global i32 *unfinished)
{
    const struct bridges_sight sight = SIGHT_HERE;
    const struct arc_piece p = ARC_PIECE_HERE;
    SAY_UNFINISHED(bridges_look(parents, &sight, heads, p.vertex, p.at, p.end, width, 0));
}

#else

__kernel void bridges_look_part(shared_parents parents, SIGHT, ARCS, const u64 parts)
{
    const struct arcs g = ARCS_HERE;
    const struct bridges_sight sight = SIGHT_HERE;
    const struct arcs_part p = arcs_part(&g, get_global_id(0), parts);
    for (i32 i = p.begin; i < p.end; i++) {
        const place at = arcs_begin(&g, i), stop = arcs_end(&g, i);
        const int alone = i > 0 && i + 1 < count && at >= p.low && stop <= p.high;
        (void)bridges_look(parents, &sight, heads, first + i, at > p.low ? at : p.low,
                           stop < p.high ? stop : p.high, 1, alone);
    }
}

#endif

/* Computes a level of `near` from the level below. */
__kernel SHARES void bridges_level(__global u32 *near, const i64 below, const i64 below_count, const i64 level,
                                   const i64 count, const i64 each)
{
    EACH_ELEMENT(i, count) {
        const i64 end = least_i64(below_count, (i + 1) * BRIDGES_FAN);
        u32 least = BRIDGES_NONE, most = BRIDGES_NONE;
        for (i64 j = i * BRIDGES_FAN; j < end; j++) {
            least = near[2 * (below + j)] < least ? near[2 * (below + j)] : least;
            most = near[2 * (below + j) + 1] < most ? near[2 * (below + j) + 1] : most;
        }
        near[2 * (level + i)] = least;
        near[2 * (level + i) + 1] = most;
    }
}

/* Joins each vertex with the one above, unless the edge between them is a fence: no arc leaves the subtree of the upper
 * vertex from the lower vertex or below it. */
__kernel SHARES void bridges_fence(shared_parents parents, const __global u32 *spans, const __global u32 *above,
                                   const __global u32 *near, const __global flag *roots, const i32 vertices,
                                   __global i32 *unfinished, const i64 each)
{
    i32 rounds = GRAPH_ROUNDS;
    EACH_ELEMENT(v, vertices) {
        const u32 up = above[v];
        if (roots[v] || rounds < 0)
            continue;
        if (bridges_leaves(near, spans[2 * v], spans[2 * v + 1], 2 * (u64)vertices, spans[2 * up], spans[2 * up + 1]))
            rounds = graph_join(parents, (label)v, (label)up, rounds);
    }
    SAY_UNFINISHED(rounds);
}

/* ---- results ---- */

/* Adds 1 to counters that many work-items share. Consecutive additions to the same counter are combined. */
struct bridges_sum { u32 at, value; };
INLINE void bridges_flush(shared_numbers numbers, __private struct bridges_sum *sum)
{
    if (sum->value)
        (void)ATOMIC_ADD_32(numbers + sum->at, sum->value);
    sum->value = 0;
}
INLINE void bridges_add(shared_numbers numbers, __private struct bridges_sum *sum, const u32 at)
{
    if (at != sum->at)
        bridges_flush(numbers, sum);
    sum->at = at;
    sum->value++;
}

/* Counts the vertices of each set of the skeleton, and stores the vertex above a set in tops[set]. A set and that
 * vertex are a biconnected component. Sets memberships[v] to 1 for all vertices except roots. */
__kernel SHARES void bridges_tops(const __global label *sets, const __global u32 *above, const __global flag *roots,
                                  shared_numbers sizes, shared_numbers tops, __global u32 *memberships,
                                  const i32 vertices, const i64 each)
{
    struct bridges_sum sum = { 0, 0 };
#ifdef GROUP
    /* The set of the group's first vertex is counted in local memory. */
    SHARED u32 first[2];
    if (ITEM == 0) {
        first[0] = (u32)sets[PART_FIRST(each)];
        first[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    EACH_ELEMENT(v, vertices) {
        const u32 set = (u32)sets[v];
        memberships[v] = !roots[v];
        if (!roots[v] && (u32)sets[above[v]] != set)
            ATOMIC_STORE_32(tops + set, above[v]);
#ifdef GROUP
        if (set == first[0]) {
            (void)ATOMIC_ADD_32(first + 1, 1);
            continue;
        }
#endif
        bridges_add(sizes, &sum, set);
    }
    bridges_flush(sizes, &sum);
#ifdef GROUP
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM == 0)
        (void)ATOMIC_ADD_32(sizes + first[0], first[1]);
#endif
}

/* Adds each set to the memberships of the vertex above. A set of one vertex with one edge to the vertex above makes
 * that edge a bridge. */
__kernel SHARES void bridges_count(const __global label *sets, const __global flag *roots, const __global u32 *sizes,
                                   const __global u32 *tops, const __global u32 *ways, shared_numbers memberships,
                                   __global flag *bridges, const i32 vertices, const i64 each)
{
    struct bridges_sum sum = { 0, 0 };
    EACH_ELEMENT(v, vertices) {
        const int is_set = sets[v] == (label)v && !roots[v];
        bridges[v] = (flag)(is_set && sizes[v] == 1 && ways[v] == 1);
        if (is_set)
            bridges_add(memberships, &sum, tops[v]);
    }
    bridges_flush(memberships, &sum);
}

/* Packs bridges into keys that sort by endpoints. */
__kernel SHARES void bridges_key(const __global u32 *lower, const __global u32 *above, __global u64 *keys,
                                 const u32 bits, const i64 count, const i64 each)
{
    EACH_ELEMENT(i, count) {
        const u32 a = lower[i], b = above[a];
        keys[i] = (u64)(a < b ? a : b) << bits | (a < b ? b : a);
    }
}
/* SPDX-License-Identifier: MIT */
