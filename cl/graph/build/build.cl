/* Adjacency from edges.
 *
 * Cores: edges are counted and scattered into bins, large bins again by their next bits, and each bin is sorted by one
 * work-item. Groups: arcs are 64-bit keys, which src/prim sorts; heads and offsets are extracted from them. */
#include "graph/build/build.clh"

NATIVE_PROGRAM(build_32, )
NATIVE_PROGRAM(build_64, KEY_64)

#ifdef GROUP

#define TILE (GROUP * BUILD_EACH)
#define FOR_EACH(i, n)                                                                                               \
    for (i64 i = PART_NUMBER * TILE + ITEM; i < (n) && i < (PART_NUMBER + 1) * TILE; i += GROUP)

/* Stores keys minus the range's first key. If the range is the whole graph, each edge has a fixed place after the
 * `before` arcs of earlier chunks; otherwise arcs take the next free places. */
__kernel void build_keys(const __global u32 *ends, const i64 n, const i64 before, const __global u64 *plan,
                         __global u64 *keys, __global u32 *counters)
{
    const struct range r = range_of(plan);
    const int whole = (plan[RANGE_FLAGS] & BUILD_WHOLE) != 0;
    const u64 vertices = plan[RANGE_VERTICES];
    FOR_EACH(e, n) {
        const u32 tail = ends[2 * e], head = ends[2 * e + 1];
        const u64 arc = ARC(tail, head, r.bits) - r.lo, opposite = ARC(head, tail, r.bits) - r.lo;
        const int there = arc < r.span, back = !r.directed && opposite < r.span;
        if (tail >= vertices || head >= vertices) {
            (void)ATOMIC_ADD_32(counters + COUNTER_BAD, 1);
        } else if (whole) {
            keys[before + e] = arc;
            if (!r.directed)
                keys[before + n + e] = opposite;
        } else if (there || back) {
            const u32 at = ATOMIC_ADD_32(counters + COUNTER_ARCS, (u32)(there + back));
            if (there)
                keys[at] = arc;
            if (back)
                keys[at + (u32)there] = opposite;
        }
    }
}

/* Stores in kept[i] whether arc i is kept. */
__kernel void build_mark(const __global u64 *keys, const i64 n, const __global u64 *plan, __global u32 *kept,
                         __global u32 *counters)
{
    const u64 lo = plan[RANGE_LO];
    const u32 bits = (u32)plan[RANGE_BITS], flags = (u32)plan[RANGE_FLAGS];
    const u32 directed = (flags & BUILD_DIRECTED) != 0, no_self = (flags & BUILD_NO_SELF) != 0;
    const u32 no_multiple = (flags & BUILD_NO_MULTIPLE) != 0;
    u32 self = 0, multiple = 0, self_again = 0;
    FOR_EACH(i, n) {
        const u64 k = keys[i];
        const u32 tail = (u32)((k + lo) >> bits), head = (u32)((k + lo) & (((u64)1 << bits) - 1)), loop = head == tail;
        const u32 again = i > 0 && keys[i - 1] == k, third = again && i > 1 && keys[i - 2] == k;
        kept[i] = !((no_self & loop) | (no_multiple & (loop & !directed ? third : again)));
        self += loop;
        multiple += again & (directed | (head > tail));
        self_again += loop & third;
    }
    if (self > 0)
        (void)ATOMIC_ADD_32(counters + FOUND_SELF, self);
    if (multiple > 0)
        (void)ATOMIC_ADD_32(counters + FOUND_MULTIPLE, multiple);
    if (self_again > 0)
        (void)ATOMIC_ADD_32(counters + FOUND_SELF_AGAIN, self_again);
}

/* places[i]: number of arcs kept before arc i, `total` in all. Read only if arcs are removed. */
__kernel void build_heads(const __global u64 *keys, const i64 n, const __global u64 *plan, const __global u32 *places,
                          const u32 total, __global u32 *heads)
{
    const u64 lo = plan[RANGE_LO], mask = ((u64)1 << plan[RANGE_BITS]) - 1;
    const int removes = (plan[RANGE_FLAGS] & BUILD_REMOVES) != 0;
    FOR_EACH(i, n) {
        const u32 head = (u32)((keys[i] + lo) & mask);
        if (!removes)
            heads[i] = head;
        else if ((i + 1 < n ? places[i + 1] : total) != places[i])
            heads[places[i]] = head;
    }
}

/* Finds the first key of each vertex, or the position where it would be. */
__kernel void build_offsets(const __global u64 *keys, const i64 n, const __global u64 *plan, const __global u32 *places,
                            const u32 total, __global u64 *offsets, const i64 vertices)
{
    const u64 first = plan[RANGE_FIRST], before = plan[RANGE_BEFORE], lo = plan[RANGE_LO], bits = plan[RANGE_BITS];
    const int removes = (plan[RANGE_FLAGS] & BUILD_REMOVES) != 0;
    FOR_EACH(v, vertices) {
        const u64 wanted = ((first + (u64)v) << bits) - lo;
        i64 least = 0, most = n;
        while (least < most) {
            const i64 middle = least + (most - least) / 2;
            if (keys[middle] < wanted)
                least = middle + 1;
            else
                most = middle;
        }
        offsets[v] = before + (!removes ? (u64)least : least < n ? places[least] : total);
    }
}

#else

__kernel void build_count(const __global u32 *ends, const i64 n, const i64 each, const i64 row,
                          const __global u64 *plan, __global u32 *counts, __global u32 *largest)
{
    const struct range r = range_of(plan);
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
    largest[row + PART_NUMBER] = count_edges(ends, begin, end, r, counts + (row + PART_NUMBER) * r.bins);
}

__kernel void build_scatter(const __global u32 *ends, const i64 n, const i64 each, const i64 row,
                            const __global u64 *plan, const __global u64 *starts, __global key *keys, const int stream)
{
    const struct range r = range_of(plan);
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
    scatter_edges(ends, begin, end, r, starts + (row + PART_NUMBER) * r.bins, keys, stream);
    STREAMS_DONE;
}

__kernel void build_count_again(const __global key *keys, const i64 first, const i64 n, const i64 each, const u32 shift,
                                const int bins, __global u32 *counts)
{
    const i64 begin = first + PART_NUMBER * each, end = least_i64(first + n, begin + each);
    count_keys(keys, begin, end, shift, bins, counts + PART_NUMBER * bins);
}

__kernel void build_scatter_again(const __global key *keys, const i64 first, const i64 n, const i64 each,
                                  const u32 shift, const int bins, const __global u64 *starts, __global key *to,
                                  const int stream)
{
    const i64 begin = first + PART_NUMBER * each, end = least_i64(first + n, begin + each);
    scatter_keys(keys, begin, end, shift, bins, starts + PART_NUMBER * bins, to, stream);
    STREAMS_DONE;
}

/* Native devices have one task per work-item, so that idle threads take over remaining ones. */
__kernel void build_sort(const __global u64 *tasks, const i64 count, const __global u64 *plan, const __global key *keys,
                         const __global key *others, __global key *scratch, const i64 length, __global u32 *heads,
                         __global u64 *offsets, __global u64 *found, const i64 items)
{
    __global key *own = scratch + (i64)WORKER * 2 * length;
    for (i64 t = PART_NUMBER; t < count; t += items)
        sort_task(tasks + t * TASK_WORDS, plan, keys, others, own, length, heads, offsets, found + t * FOUND_WORDS);
}

__kernel void build_move(const __global u64 *tasks, const i64 count, const __global u64 *plan,
                         const __global u64 *found, const __global u32 *from, __global u32 *to, __global u64 *offsets,
                         const i64 items)
{
    for (i64 t = PART_NUMBER; t < count; t += items)
        move_task(tasks + t * TASK_WORDS, plan, found + t * FOUND_WORDS, from, to, offsets);
}

#endif
/* SPDX-License-Identifier: MIT */
