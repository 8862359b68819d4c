/* Prefix sums in one launch, for devices with the trait groups_progress. */
#include "prim/once/look_back.clh"
#include "prim/scan.clh"

#ifdef GROUP

LOOK_BACK(sums, element)

/* Scans n elements; *total is set to their sum. */
__kernel void scan_once(const __global element *from, __global element *to, volatile __global u32 *words,
                        __global element *total, const i64 n, const int inclusive, const u32 call, const u32 first)
{
    SHARED element rows[PLACE(TILE_VECTORS)], room[2 * GROUP];
    SHARED u32 told[SUBGROUP + 1];
    const i64 begin = take_part(words, first, told) * TILE;
    element x[SCAN_EACH], before[SCAN_VECTORS], sum;
    load_tile(from, begin, n, x);
    add_up_tile(x, before, rows, room, &sum);
    const element all = sums_before(words, begin / TILE, sum, call, room, told);
    store_tile(to, begin, n, x, before, all, inclusive);
    if (ITEM == 0 && begin + TILE >= n)
        *total = all + sum;
}

#endif
/* SPDX-License-Identifier: MIT */
