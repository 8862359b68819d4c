/* Kernels of components.clh, in parts of `each` elements. */
#include "components/components.clh"

NATIVE_PROGRAM(components_i32, )
NATIVE_PROGRAM(components_i64, LABEL_64)

#define MINE PART_FIRST(each), PART_END(n, each), PART_STEP

__kernel SHARES void components_keys(const __global label *labels, __global u32 *keys, const u32 count, const i64 n,
                                     const i64 each)
{
    label_keys(labels, keys, count, MINE);
}

__kernel SHARES void components_places(__global u32 *places, const i64 n, const i64 each)
{
    number_places(places, MINE);
}

__kernel SHARES void components_first(const __global label *labels, volatile __global u32 *first, const u32 count,
                                      const i32 in_order, const i64 n, const i64 each)
{
    find_first(labels, first, count, in_order, MINE);
}

/* For cores: a work-item lists the cells of one range of components. */
__kernel void components_cells(const __global label *labels, __global u32 *next, __global u32 *cells, const u32 count,
                               const u32 ranges, const i64 n)
{
    const u64 range = (u64)PART_NUMBER;
    if (range < ranges)
        find_cells(labels, next, cells, (u32)(range * count / ranges), (u32)((range + 1) * count / ranges), n);
}

/* most: larger values are negative sizes. Word also[also_at] is appended to the totals of all parts; also may be
 * NULL. */
__kernel SHARES void components_totals(const __global u32 *sizes, __global u32 *told, const __global u32 *also,
                                       const i64 also_at, const u32 most, const i64 n, const i64 each)
{
    const i64 parts = (n + each - 1) / each;
#ifdef GROUP
    SHARED u32 room[TOTALS];
    const struct totals t = join_totals(find_totals(sizes, most, MINE), room);
    if (ITEM > 0)
        return;
    tell_totals(t, told + PART_NUMBER * TOTALS);
#else
    for (i64 part = PART_NUMBER; part < PARTS_END; part++)
        tell_totals(find_totals(sizes, most, part * each, least_i64(n, (part + 1) * each), 1), told + part * TOTALS);
#endif
    if (PART_NUMBER == 0 && also)
        told[parts * TOTALS] = also[also_at];
}

__kernel SHARES void components_size_keys(const __global u32 *sizes, __global u32 *keys, const u32 largest, const i64 n,
                                          const i64 each)
{
    size_keys(sizes, keys, largest, MINE);
}

__kernel SHARES void components_mark_runs(const __global u32 *keys, __global unsigned char *flags, const i64 n,
                                          const i64 each)
{
    mark_runs(keys, flags, MINE);
}

__kernel SHARES void components_measure_runs(const __global u32 *keys, const __global u32 *heads, __global u32 *sizes,
                                             __global u32 *numbers, const u32 largest, const u32 count, const i64 n,
                                             const i64 each)
{
    measure_runs(keys, heads, sizes, numbers, largest, count, n, MINE);
}

__kernel SHARES void components_mark_sizes(const __global u32 *sizes, __global unsigned char *flags, const u32 least,
                                           const u32 most, const i64 n, const i64 each)
{
    mark_sizes(sizes, flags, least, most, MINE);
}

__kernel SHARES void components_gather(const __global u32 *from, const __global u32 *places, __global u32 *to,
                                       const i64 n, const i64 each)
{
    gather_u32(from, places, to, MINE);
}

__kernel SHARES void components_elements(const __global unsigned char *from, const __global u32 *places,
                                         __global unsigned char *to, const i32 bytes, const i64 n, const i64 each)
{
    gather_elements(from, places, to, bytes, MINE);
}

__kernel SHARES void components_number(const __global u32 *order, __global u32 *new_label, const i64 n, const i64 each)
{
    number_kept(order, new_label, MINE);
}

__kernel SHARES void components_relabel(const __global label *labels, const __global u32 *new_label, __global label *to,
                                        const u32 count, const i64 n, const i64 each)
{
    relabel(labels, new_label, to, count, MINE);
}

__kernel SHARES void components_labels(__global u32 *numbers, const i64 n, const i64 each)
{
    add_one(numbers, MINE);
}
/* SPDX-License-Identifier: MIT */
