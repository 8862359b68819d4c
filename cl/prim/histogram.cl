/* Histogram of keys.
 *
 * Cores: one table per part, which are then added up; or a single table with atomic additions, if tables would be
 * larger than the keys. Groups: a table in local memory, which is added to the result; if it is too large, atomic
 * additions to the result, except for keys with a slot in local memory. */
#include "prim/histogram.clh"

NATIVE_PROGRAM(histogram, )

#ifdef GROUP

/* Counts each part's keys in a table in local memory, and adds it to `tables`, which is the result. */
__kernel void histogram_parts(const __global u32 *keys, volatile __global u32 *tables, const i64 n, const i64 each,
                              const u32 first, const u32 bins)
{
    SHARED u32 table[HISTOGRAM_LOCAL_BINS];
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
    for (u32 b = (u32)ITEM; b < bins; b += GROUP)
        table[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_local_keys(keys, table, begin, end, ITEM, GROUP, first, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 b = (u32)ITEM; b < bins; b += GROUP)
        if (table[b])
            (void)ATOMIC_ADD_32(tables + b, table[b]);
}

/* Adds each part's counts to the result, except for keys with a slot in local memory, whose slots are added at the
 * end. */
__kernel void histogram_shared(const __global u32 *keys, volatile __global u32 *counts, const i64 n, const i64 each,
                               const u32 first, const u32 bins)
{
    SHARED i32 owners[HISTOGRAM_SLOTS];
    SHARED u32 slots[HISTOGRAM_SLOTS];
    const i64 begin = PART_NUMBER * each;
    for (int i = ITEM; i < HISTOGRAM_SLOTS; i += GROUP) {
        owners[i] = FREE_SLOT;
        slots[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    add_slot_keys(keys, owners, slots, counts, begin, least_i64(n, begin + each), ITEM, GROUP, first, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ITEM; i < HISTOGRAM_SLOTS; i += GROUP)
        if (slots[i])
            (void)ATOMIC_ADD_32(counts + (u32)owners[i], slots[i]);
}

#else

/* Counts each part's keys in a table of its own. */
__kernel void histogram_parts(const __global u32 *keys, __global u32 *tables, const i64 n, const i64 each,
                              const u32 first, const u32 bins)
{
    const i64 begin = PART_NUMBER * each;
    count_keys(keys, tables + PART_NUMBER * bins, begin, least_i64(n, begin + each), first, bins);
}

/* Adds each part's counts to the result by atomic additions. */
__kernel void histogram_shared(const __global u32 *keys, volatile __global u32 *counts, const i64 n, const i64 each,
                               const u32 first, const u32 bins)
{
    const i64 begin = PART_NUMBER * each;
    add_keys(keys, counts, begin, least_i64(n, begin + each), 0, 1, first, bins);
}

/* Adds up the tables of all parts; each work-item adds `each` bins. */
__kernel void histogram_join(const __global u32 *tables, __global u32 *counts, const i64 table_count, const i64 bins,
                             const i64 each)
{
    const i64 begin = PART_NUMBER * each;
    add_tables(tables, counts, table_count, bins, begin, least_i64(bins, begin + each));
}

#endif
/* SPDX-License-Identifier: MIT */
