/* How many keys are 0, 1, 2, ...
 *
 * Cores: a table each part, then these added up; one table and atomic additions where tables would be larger than the
 * keys.
 * Groups: a table in local memory, then added to the one table; atomic additions to that where it is too large. */
#include "prim/histogram.clh"

NATIVE_PROGRAM(histogram, )

#ifdef GROUP

__kernel void histogram_parts(const __global u32 *keys, volatile __global u32 *tables, const i64 n, const i64 each,
                              const u32 bins)
{
    SHARED u32 table[HISTOGRAM_LOCAL_BINS];
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
    for (u32 b = (u32)ITEM; b < bins; b += GROUP)
        table[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    add_local_keys(keys, table, begin, end, ITEM, GROUP, bins);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 b = (u32)ITEM; b < bins; b += GROUP)
        if (table[b])
            (void)ATOMIC_ADD_32(tables + b, table[b]);
}

__kernel void histogram_shared(const __global u32 *keys, volatile __global u32 *counts, const i64 n, const i64 each,
                               const u32 bins)
{
    const i64 begin = PART_NUMBER * each;
    add_keys(keys, counts, begin, least_i64(n, begin + each), ITEM, GROUP, bins);
}

#else

__kernel void histogram_parts(const __global u32 *keys, __global u32 *tables, const i64 n, const i64 each,
                              const u32 bins)
{
    const i64 begin = PART_NUMBER * each;
    count_keys(keys, tables + PART_NUMBER * bins, begin, least_i64(n, begin + each), bins);
}

__kernel void histogram_shared(const __global u32 *keys, volatile __global u32 *counts, const i64 n, const i64 each,
                               const u32 bins)
{
    const i64 begin = PART_NUMBER * each;
    add_keys(keys, counts, begin, least_i64(n, begin + each), 0, 1, bins);
}

__kernel void histogram_join(const __global u32 *tables, __global u32 *counts, const i64 table_count, const i64 bins,
                             const i64 each)
{
    const i64 begin = PART_NUMBER * each;
    add_tables(tables, counts, table_count, bins, begin, least_i64(bins, begin + each));
}

#endif
