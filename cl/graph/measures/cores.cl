/* Core numbers by rounds: remove all vertices with at most k remaining neighbours, until none remains. Then k becomes
 * the smallest number of remaining neighbours.
 *
 * In the form for groups, one device with all arcs in one block does this with a queue. There are two kinds of rounds:
 *
 * - A scan removes the vertices of a list that have at most k neighbours, and lists the others.
 * - If the previous round removed vertices, a round lowers the counts of their neighbours. Heads are removed when
 *   their count becomes k.
 *
 * So each arc is read once, and a round is one launch.
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

/* A queue with a list of remaining vertices, and a round's row. */
struct cores_queue {
    const __global place *offsets;
    __global u32 *cores, *queue;
    volatile __global u32 *now;
    u32 begin, k; /* index of the first entry that the round makes */
};

/* Returns the number of queue entries for the arcs of vertex v. */
INLINE u32 cores_entries(const __private struct cores_queue *q, const u32 v)
{
    return (q->offsets[v + 1] - q->offsets[v] + CORES_ARCS - 1) / CORES_ARCS;
}

/* Removes vertex v, whose arcs get the queue entries from number `at` of the round on. */
INLINE void cores_push(const __private struct cores_queue *q, const u32 v, const u32 at)
{
    const place end = q->offsets[v + 1];
    __global u32 *entry = q->queue + (i64)CORES_ENTRY * (q->begin + at);
    q->cores[v] = q->k;
    for (place arc = q->offsets[v]; arc < end; arc += CORES_ARCS, entry += CORES_ENTRY) {
        entry[0] = arc;
        entry[1] = end - arc < CORES_ARCS ? end : arc + CORES_ARCS;
    }
}

/* Lowers the counts of the heads of a queue entry's arcs. Removes the heads whose count becomes k. */
INLINE void cores_lower(const __private struct cores_queue *q, const __global u32 *heads, volatile __global u32 *left,
                        const __global u32 *entry)
{
    for (u32 at = entry[0] + (u32)(ITEM % SUBGROUP), end = entry[1]; at < end; at += CORES_AHEAD * SUBGROUP) {
        u32 head[CORES_AHEAD], before[CORES_AHEAD];
        UNROLL_ALL for (u32 a = 0; a < CORES_AHEAD; a++)
            head[a] = at + a * SUBGROUP < end ? heads[at + a * SUBGROUP] : CORES_NONE;
        UNROLL_ALL for (u32 a = 0; a < CORES_AHEAD; a++)
            before[a] = head[a] == CORES_NONE ? 0 : (u32)ATOMIC_LOOK_32(left + head[a]);
        UNROLL_ALL for (u32 a = 0; a < CORES_AHEAD; a++)
            if (before[a] > q->k) /* otherwise it is removed already */
                before[a] = ATOMIC_ADD_32(left + head[a], ~(u32)0);
        UNROLL_ALL for (u32 a = 0; a < CORES_AHEAD; a++) {
            if (before[a] != q->k + 1)
                continue;
            cores_push(q, head[a], ATOMIC_ADD_32(q->now + CORES_MADE, cores_entries(q, head[a])));
            (void)ATOMIC_ADD_32(q->now + CORES_TAKEN, 1u);
        }
    }
}

/* A round; `groups` groups are launched. */
__kernel void cores_round(__global u32 *cores, volatile __global u32 *left, const __global place *offsets,
                          const __global u32 *heads, __global u32 *queue, __global u32 *lists,
                          volatile __global u32 *states, const i32 vertices, const i32 r, const i32 groups)
{
    const volatile __global u32 *before = states + (r - 1) * CORES_STATE;
    const u32 begin = before[CORES_BEGIN], made = before[CORES_MADE], listed = before[CORES_LISTED];
    const u32 list = before[CORES_LIST], scan = made == 0;
    const u32 k = !scan ? before[CORES_K] : before[CORES_SCANNED] ? before[CORES_LEAST] : before[CORES_K] + 1;
    const struct cores_queue q = { offsets, cores, queue, states + r * CORES_STATE, begin + made, k };
    const i64 group = PART_NUMBER;
    const u32 other = list == 0 ? 1 : 0;
    SHARED u32 of_group[4], first[2]; /* entries, listed vertices, removed vertices, fewest neighbours */
    if (group >= groups || (scan && listed == 0)) {
        if (group == 0 && ITEM == 0)
            q.now[CORES_SCANNED] = 1;
        return; /* uniform */
    }
    if (group == 0 && ITEM == 0) {
        q.now[CORES_K] = k;
        q.now[CORES_BEGIN] = begin + made;
        q.now[CORES_LIST] = scan ? other : list;
        q.now[CORES_SCANNED] = scan;
        if (!scan)
            q.now[CORES_LISTED] = listed;
    }
    if (!scan) {
        const i64 teams = GROUP / SUBGROUP;
        for (i64 e = group * teams + ITEM / SUBGROUP; e < made; e += groups * teams)
            cores_lower(&q, heads, left, queue + CORES_ENTRY * (begin + e));
        return;
    }
    for (i64 from = group * GROUP; from < listed; from += (i64)groups * GROUP) { /* uniform */
        const i64 i = from + ITEM;
        const u32 v = i >= listed ? 0 : list == CORES_ALL ? (u32)i : lists[(i64)list * vertices + i];
        const int is_left = i < listed && cores[v] == CORES_NONE, goes = is_left && left[v] <= k;
        const int stays = is_left && !goes;
        u32 at = 0;
        if (ITEM == 0) {
            of_group[0] = of_group[1] = of_group[2] = 0;
            of_group[3] = CORES_NONE;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (goes) {
            at = ATOMIC_ADD_32(of_group, cores_entries(&q, v));
            (void)ATOMIC_ADD_32(of_group + 2, 1u);
        } else if (stays) {
            at = ATOMIC_ADD_32(of_group + 1, 1u);
            (void)ATOMIC_LOWER_32(of_group + 3, left[v]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (ITEM == 0) {
            first[0] = of_group[0] ? ATOMIC_ADD_32(q.now + CORES_MADE, of_group[0]) : 0;
            first[1] = of_group[1] ? ATOMIC_ADD_32(q.now + CORES_LISTED, of_group[1]) : 0;
            if (of_group[2])
                (void)ATOMIC_ADD_32(q.now + CORES_TAKEN, of_group[2]);
            if (of_group[1])
                (void)ATOMIC_LOWER_32(q.now + CORES_LEAST, of_group[3]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (goes)
            cores_push(&q, v, first[0] + at);
        else if (stays)
            lists[(i64)other * vertices + first[1] + at] = v;
    }
}
#endif
/* SPDX-License-Identifier: MIT */
