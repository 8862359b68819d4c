/* From roots to labels (number.clh). In number_write, `labels` may be `roots` if both have the same type.
 *
 * Cores: a work-item numbers a chunk of `chunk` cells. Groups: a group processes chunks of CHUNK cells. */
#include "prim/groups.clh"
#include "components/number.clh"

NATIVE_PROGRAM(number_32, )
NATIVE_PROGRAM(number_32_64, LABEL_64)
NATIVE_PROGRAM(number_64, ROOT_64)

#ifdef GROUP

GROUP_SCAN(scan_items, i32)

__kernel void number_count(__global root *counts, const __global root *roots, const i64 cells, const i64 chunk)
{
    SHARED i32 scanned[2 * GROUP];
    const i64 begin = PART_NUMBER * CHUNK, end = least_i64(cells, begin + CHUNK);
    i32 mine = 0, total;
    for (i64 k = begin + ITEM; k < end; k += GROUP)
        mine += roots[k] == (root)k;
    scan_items(scanned, mine, &total);
    if (ITEM == 0)
        counts[PART_NUMBER] = total;
}

__kernel void number_assign(__global root *numbers, const __global root *roots, const __global root *counts,
                            const i64 cells, const i64 chunk)
{
    SHARED i32 is_root[SLOT(CHUNK)];
    SHARED i32 scanned[2 * GROUP];
    const i64 begin = PART_NUMBER * CHUNK;
    i32 total;
    const i32 before = scan_items(scanned, find_roots(roots, begin, cells, is_root), &total);
    give_numbers(numbers, begin, is_root, counts[PART_NUMBER] + before + 1);
}

#else

#define MINE PART_NUMBER * chunk, least_i64(cells, PART_NUMBER * chunk + chunk)

__kernel void number_count(__global root *counts, const __global root *roots, const i64 cells, const i64 chunk)
{
    counts[PART_NUMBER] = count_roots(roots, MINE);
}

__kernel void number_assign(__global root *numbers, const __global root *roots, const __global root *counts,
                            const i64 cells, const i64 chunk)
{
    number_roots(numbers, roots, counts[PART_NUMBER] + 1, MINE);
}

#endif

__kernel SHARES void number_write(__global label *labels, const __global root *roots, const __global root *numbers,
                                  const i64 cells, const i64 chunk)
{
    const i64 part_end = PART_END(cells, chunk);
    for (i64 k = PART_FIRST(chunk); k < part_end; k += PART_STEP)
        labels[k] = numbered(numbers, roots[k]);
}
/* SPDX-License-Identifier: MIT */
