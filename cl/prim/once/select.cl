/* The indices of nonzero bytes in one launch, for devices with the trait groups_progress. */
#include "prim/once/look_back.clh"
#include "prim/select.clh"

#ifdef GROUP

LOOK_BACK(counts, u32)
GROUP_SCAN(scan_items, u32)

/* Stores the indices of nonzero bytes in `places`, at most `capacity`; *found is set to their number. */
__kernel void select_once(const __global unsigned char *flags, __global u32 *places, volatile __global u32 *words,
                          __global u32 *found, const i64 n, const u32 capacity, const u32 call, const u32 first)
{
    SHARED u32 room[2 * GROUP], told[SUBGROUP + 1];
    SHARED unsigned short list[TILE];
    const i64 part = take_part(words, first, told), begin = part * TILE;
    const u32 set = flags_of(flags, begin + ITEM * SELECT_EACH, n);
    u32 total;
    list_set(set, scan_items(room, ones_u32(set), &total), list);
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 before = counts_before(words, part, total, call, room, told);
    store_list(list, total, places, before, begin, capacity);
    if (ITEM == 0 && begin + TILE >= n)
        *found = before + total;
}

#endif
/* SPDX-License-Identifier: MIT */
