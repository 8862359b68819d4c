/* One digit of 8 bits of a stable radix sort: counted by parts, and, when the counts have been scanned, scattered.
 *
 * Groups: a tile is first sorted in local memory, by two digits of 4 bits, so that keys of one digit leave it side by
 * side. */
#include "prim/sort.clh"

NATIVE_PROGRAM(sort_u32, COUNT_64)
NATIVE_PROGRAM(sort_u64, KEY_64 COUNT_64)

#ifdef GROUP

#define EACH SORT_EACH
#define TILE (GROUP * EACH)
#define SMALL_DIGITS 16
#define SMALL_DIGIT(k) (DIGIT(k, shift, mask) >> low & (SMALL_DIGITS - 1))

GROUP_SCAN(scan_items, u32)

INLINE void move_value(const __global u32 *from, const i64 i, __global u32 *to, const i64 k, const int bytes)
{
    if (bytes == 8)
        ((__global u64 *)to)[k] = ((const __global u64 *)from)[i];
    else if (bytes == 4)
        to[k] = from[i];
}

__kernel void sort_count(const __global key *keys, __global count *counts, const i64 n, const i64 each, const u32 shift,
                         const u32 mask, const i64 parts)
{
    SHARED u32 table[DIGITS];
    const i64 begin = PART_NUMBER * each;
    for (int d = ITEM; d < DIGITS; d += GROUP)
        table[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ITEM; i < TILE; i += GROUP)
        if (begin + i < n)
            (void)ATOMIC_ADD_32(table + DIGIT(keys[begin + i], shift, mask), 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = ITEM; d < DIGITS; d += GROUP)
        counts[d * parts + PART_NUMBER] = table[d];
}

/* Sorts the tile by 4 bits of the digit, from bit `low` on.  An item has EACH keys in a row, and counts them in a
 * column of its own. */
INLINE void sort_tile(IN_LOCAL key *tile, IN_LOCAL unsigned short *place, IN_LOCAL unsigned short *column,
                      IN_LOCAL u32 *room, const u32 shift, const u32 mask, const int low)
{
    key mine[EACH];
    unsigned short from[EACH], rank[EACH];
    u32 sum = 0, total;
    for (int d = 0; d < SMALL_DIGITS; d++)
        column[d * GROUP + ITEM] = 0;
    for (int i = 0; i < EACH; i++) {
        mine[i] = tile[ITEM * EACH + i];
        from[i] = place[ITEM * EACH + i];
        rank[i] = column[SMALL_DIGIT(mine[i]) * GROUP + ITEM]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < SMALL_DIGITS; i++)
        sum += column[ITEM * SMALL_DIGITS + i];
    sum = scan_items(room, sum, &total);
    for (int i = 0; i < SMALL_DIGITS; i++) {
        const u32 here = column[ITEM * SMALL_DIGITS + i];
        column[ITEM * SMALL_DIGITS + i] = (unsigned short)sum;
        sum += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < EACH; i++) {
        const int to = column[SMALL_DIGIT(mine[i]) * GROUP + ITEM] + rank[i];
        tile[to] = mine[i];
        place[to] = from[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Beyond the end of the keys a tile is filled with the largest key, which stays behind all others. */
__kernel void sort_scatter(const __global key *keys, __global key *to, const __global u32 *values,
                           __global u32 *values_to, const __global count *counts, const i64 n, const i64 each,
                           const u32 shift, const u32 mask, const i64 parts, const int bytes, const int stream)
{
    SHARED key tile[TILE];
    SHARED unsigned short place[TILE], column[SMALL_DIGITS * GROUP];
    SHARED u32 room[2 * GROUP], start[DIGITS];
    const i64 begin = PART_NUMBER * each;
    (void)stream;
    for (int i = ITEM; i < TILE; i += GROUP) {
        tile[i] = begin + i < n ? keys[begin + i] : ~(key)0;
        place[i] = (unsigned short)i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_tile(tile, place, column, room, shift, mask, 0);
    sort_tile(tile, place, column, room, shift, mask, 4);
    for (int i = ITEM; i < TILE; i += GROUP)
        if (i == 0 || DIGIT(tile[i - 1], shift, mask) != DIGIT(tile[i], shift, mask))
            start[DIGIT(tile[i], shift, mask)] = (u32)i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ITEM; i < TILE && begin + i < n; i += GROUP) {
        const int digit = DIGIT(tile[i], shift, mask);
        const i64 k = (i64)counts[digit * parts + PART_NUMBER] + i - start[digit];
        to[k] = tile[i];
        move_value(values, begin + place[i], values_to, k, bytes);
    }
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
