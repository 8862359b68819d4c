/* Prefix sums.
 *
 * Cores: by windows that stay in the caches between their two launches. The first computes sums of parts; in the
 * second, each part adds up the earlier sums, then scans its elements. carry[w] is the sum of all windows before w.
 *
 * Groups: sums of tiles; one group scans these; then the tiles are scanned. */
#include "prim/scan.clh"

NATIVE_PROGRAM(scan_u32, )
NATIVE_PROGRAM(scan_u64, ELEMENT_64)

#ifdef GROUP

/* Stores the sum of each tile in sums[tile]. */
__kernel void scan_tile_sums(const __global element *from, __global element *sums, const i64 n)
{
    SHARED element room[2 * GROUP];
    element x[SCAN_EACH], sum = 0, total;
    load_tile(from, PART_NUMBER * TILE, n, x);
    UNROLL_ALL for (int i = 0; i < SCAN_EACH; i++)
        sum += x[i];
    scan_items(room, sum, &total);
    if (ITEM == 0)
        sums[PART_NUMBER] = total;
}

/* Scans all elements by one group, one tile after the other; *total is their sum. */
__kernel void scan_alone(const __global element *from, __global element *to, __global element *total, const i64 n,
                         const int inclusive)
{
    SHARED element rows[PLACE(TILE_VECTORS)], room[2 * GROUP];
    element x[SCAN_EACH], before[SCAN_VECTORS], sum, all = 0;
    for (i64 begin = 0; begin < n; begin += TILE) { /* uniform */
        load_tile(from, begin, n, x);
        add_up_tile(x, before, rows, room, &sum);
        store_tile(to, begin, n, x, before, all, inclusive);
        all += sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (ITEM == 0)
        *total = all;
}

/* Scans each tile; sums[tile] is the sum of all tiles before it. */
__kernel void scan_tiles(const __global element *from, __global element *to, const __global element *sums, const i64 n,
                         const int inclusive)
{
    SHARED element rows[PLACE(TILE_VECTORS)], room[2 * GROUP];
    element x[SCAN_EACH], before[SCAN_VECTORS], sum;
    load_tile(from, PART_NUMBER * TILE, n, x);
    add_up_tile(x, before, rows, room, &sum);
    store_tile(to, PART_NUMBER * TILE, n, x, before, sums[PART_NUMBER], inclusive);
}

#else

/* Stores the sum of each part of a window in sums[part]. */
__kernel void scan_sums(const __global element *from, __global element *sums, const i64 first, const i64 end,
                        const i64 each)
{
    const i64 begin = first + PART_NUMBER * each;
    sums[PART_NUMBER] = sum_elements(from + begin, least_i64(each, end - begin));
}

/* Scans each part of a window, from the sums of its parts and carry[window]; sets carry[window + 1]. */
__kernel void scan_parts(const __global element *from, __global element *to, const __global element *sums,
                         __global element *carry, const i64 first, const i64 end, const i64 each, const i64 window,
                         const int inclusive, const int stream)
{
    scan_part(from, to, sums, carry, first, end, each, window, inclusive, stream, PART_NUMBER);
    STREAMS_DONE;
}

#endif
/* SPDX-License-Identifier: MIT */
