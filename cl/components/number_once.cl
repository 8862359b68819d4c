/* Counts and numbers roots in one launch, for devices with the trait groups_progress; otherwise as number.cl. */
#include "prim/once/look_back.clh"
#include "components/number.clh"

#ifdef GROUP

GROUP_SCAN(scan_items, i32)
LOOK_BACK(roots, root)

/* *count is set to the number of roots. */
__kernel void number_once(__global root *numbers, const __global root *roots, volatile __global u32 *words,
                          __global root *count, const i64 cells, const u32 call, const u32 first)
{
    SHARED i32 is_root[SLOT(CHUNK)];
    SHARED i32 scanned[2 * GROUP];
    SHARED root room[SUBGROUP + 1];
    SHARED u32 told[SUBGROUP + 1];
    const i64 chunk = take_part(words, first, told), begin = chunk * CHUNK;
    i32 total;
    const i32 before = scan_items(scanned, find_roots(roots, begin, cells, is_root), &total);
    const root all = roots_before(words, chunk, total, call, room, told);
    give_numbers(numbers, begin, is_root, all + before + 1);
    if (ITEM == 0 && begin + CHUNK >= cells)
        *count = all + total;
}

#endif
/* SPDX-License-Identifier: MIT */
