/* One digit of a stable radix sort: parts count; after a scan of the counts, they scatter. */
#include "prim/sort.clh"
#ifdef GROUP
#include "prim/sort_tile.clh"
#endif

NATIVE_PROGRAM(sort_u32, COUNT_64)
NATIVE_PROGRAM(sort_u64, KEY_64 COUNT_64)

#ifdef GROUP

/* Counts the keys of each tile per value of the digit, in counts[value * parts + tile]. */
__kernel void sort_count(const __global key *keys, __global count *counts, const i64 n, const i64 each, const u32 shift,
                         const u32 mask, const i64 parts)
{
    SHARED u32 table[DIGITS];
    const i64 begin = PART_NUMBER * TILE;
    key mine[EACH];
    (void)each;
    for (int d = ITEM; d < DIGITS; d += GROUP)
        table[d] = 0;
    load_keys(keys, begin, n, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL_ALL for (int i = 0; i < EACH; i++)
        if (begin + OWN(i) < n)
            (void)ATOMIC_ADD_32(table + DIGIT(mine[i], shift, mask), 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = ITEM; d < DIGITS; d += GROUP)
        counts[d * parts + PART_NUMBER] = table[d];
}

/* Stores each tile's keys and values sorted by the digit, from the scanned counts. */
__kernel void sort_scatter(const __global key *keys, __global key *to, const __global u32 *values,
                           __global u32 *values_to, const __global count *counts, const i64 n, const i64 each,
                           const u32 shift, const u32 mask, const i64 parts, const int bytes, const int stream)
{
    SHARED u64 room[ROOM_64];
    SHARED u32 sums[2 * GROUP];
    SHARED count base[DIGITS];
    IN_LOCAL unsigned short *const in_subgroups = (IN_LOCAL unsigned short *)((IN_LOCAL u32 *)room + 2 * MARKS);
    const i64 begin = PART_NUMBER * TILE;
    key mine[EACH];
    u32 place[EACH], in_subgroup[PER_ITEM * SUBGROUPS], in_tile[PER_ITEM], start[PER_ITEM];
    (void)each;
    (void)bytes;
    (void)stream;
    load_keys(keys, begin, n, mine);
    rank_keys(mine, place, (IN_LOCAL u32 *)room, in_subgroups, shift, mask);
    count_tile(in_subgroups, in_subgroup, in_tile);
    place_keys(place, in_subgroups, in_subgroup, in_tile, start, sums);
    for (int d = 0; d < PER_ITEM; d++) {
        const int digit = ITEM * PER_ITEM + d;
        base[digit] = counts[digit * parts + PART_NUMBER] - start[d];
    }
    store_tile(mine, place, values, to, values_to, room, base, begin, n, shift, mask);
}

MOVE_OWN(move_keys, key)
#if VALUE_BYTES > 0
MOVE_OWN(move_origins, u32)
#endif

/* Sorts at most one tile of keys with their values in place, by all digits, in one group. `origin` is the index of a
 * key's value. */
__kernel void sort_alone(__global key *keys, __global u32 *values, const i64 n, const u32 bits, const u32 width)
{
    SHARED u64 room[ROOM_64];
    SHARED u32 sums[2 * GROUP];
    IN_LOCAL unsigned short *const in_subgroups = (IN_LOCAL unsigned short *)((IN_LOCAL u32 *)room + 2 * MARKS);
    key mine[EACH];
    u32 place[EACH], in_subgroup[PER_ITEM * SUBGROUPS], in_tile[PER_ITEM], start[PER_ITEM];
#if VALUE_BYTES > 0
    u32 origin[EACH];
    value moved[EACH];
    UNROLL_ALL for (int i = 0; i < EACH; i++)
        origin[i] = (u32)OWN(i);
#endif
    load_keys(keys, 0, n, mine);
    for (u32 shift = 0; shift < bits; shift += width) { /* uniform */
        const u32 mask = ((u32)1 << (bits - shift < width ? bits - shift : width)) - 1;
        rank_keys(mine, place, (IN_LOCAL u32 *)room, in_subgroups, shift, mask);
        count_tile(in_subgroups, in_subgroup, in_tile);
        place_keys(place, in_subgroups, in_subgroup, in_tile, start, sums);
        move_keys(mine, place, (IN_LOCAL key *)room);
#if VALUE_BYTES > 0
        move_origins(origin, place, (IN_LOCAL u32 *)room);
#endif
    }
    UNROLL_ALL for (int i = 0; i < EACH; i++)
        if (OWN(i) < n)
            keys[OWN(i)] = mine[i];
#if VALUE_BYTES > 0
    UNROLL_ALL for (int i = 0; i < EACH; i++)
        moved[i] = OWN(i) < n ? ((const __global value *)values)[origin[i]] : 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    UNROLL_ALL for (int i = 0; i < EACH; i++)
        if (OWN(i) < n)
            ((__global value *)values)[OWN(i)] = moved[i];
#else
    (void)values;
#endif
}

#else

__kernel void sort_count(const __global key *keys, __global count *counts, const i64 n, const i64 each, const u32 shift,
                         const u32 mask, const i64 parts)
{
    const i64 begin = PART_NUMBER * each;
    count_digits(keys, counts, begin, least_i64(n, begin + each), shift, mask, parts, PART_NUMBER);
}

__kernel void sort_scatter(const __global key *keys, __global key *to, const __global u32 *values,
                           __global u32 *values_to, const __global count *counts, const i64 n, const i64 each,
                           const u32 shift, const u32 mask, const i64 parts, const int bytes, const int stream)
{
    const i64 begin = PART_NUMBER * each;
    sort_part(keys, to, values, values_to, counts, begin, least_i64(n, begin + each), shift, mask, parts, PART_NUMBER,
              bytes, stream);
    STREAMS_DONE;
}

#endif
/* SPDX-License-Identifier: MIT */
