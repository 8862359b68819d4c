/* The indices of nonzero bytes: counted per part, then written, after those of earlier parts.
 *
 * Cores: by windows, as in scan.cl. Groups: tiles, whose counts are scanned between the two launches. */
#include "prim/select.clh"

NATIVE_PROGRAM(select, )

#ifdef GROUP

GROUP_SCAN(scan_items, u32)

/* Stores the number of nonzero bytes of each tile in counts[tile]. */
__kernel void select_tile_counts(const __global unsigned char *flags, __global u32 *counts, const i64 n)
{
    SHARED u32 room[2 * GROUP];
    u32 total;
    scan_items(room, ones_u32(flags_of(flags, PART_NUMBER * TILE + ITEM * SELECT_EACH, n)), &total);
    if (ITEM == 0)
        counts[PART_NUMBER] = total;
}

/* Stores the indices of each tile's nonzero bytes in `places`, after before[tile] earlier ones; at most `capacity`. */
__kernel void select_tiles(const __global unsigned char *flags, __global u32 *places, const __global u32 *before,
                           const i64 n, const u32 capacity)
{
    SHARED u32 room[2 * GROUP];
    SHARED unsigned short list[TILE];
    const i64 begin = PART_NUMBER * TILE;
    const u32 set = flags_of(flags, begin + ITEM * SELECT_EACH, n);
    u32 total;
    list_set(set, scan_items(room, ones_u32(set), &total), list);
    barrier(CLK_LOCAL_MEM_FENCE);
    store_list(list, total, places, before[PART_NUMBER], begin, capacity);
}

#else

/* Stores the number of nonzero bytes of each part of a window in counts[part]. */
__kernel void select_count(const __global unsigned char *flags, __global u32 *counts, const i64 first, const i64 end,
                           const i64 each)
{
    const i64 begin = first + PART_NUMBER * each;
    counts[PART_NUMBER] = count_flags(flags + begin, least_i64(each, end - begin));
}

/* Stores the indices of nonzero bytes of each part of a window; at most `capacity` in all. */
__kernel void select_write(const __global unsigned char *flags, __global u32 *places, const __global u32 *counts,
                           __global u32 *carry, const i64 first, const i64 end, const i64 each, const i64 window,
                           const u32 capacity)
{
    select_part(flags, places, counts, carry, first, end, each, window, capacity, PART_NUMBER);
}

#endif
/* SPDX-License-Identifier: MIT */
