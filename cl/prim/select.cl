/* The places of non-zero bytes: counted by parts, then written, each part behind those before it.
 *
 * Cores: by windows, as in scan.cl.  Groups: tiles; between the two launches their counts are scanned. */
#include "prim/select.clh"

NATIVE_PROGRAM(select, )

#ifdef GROUP

#define EACH SELECT_EACH
#define TILE (GROUP * EACH)

GROUP_SCAN(scan_items, u32)

/* An item's flags, one bit each. */
INLINE u32 flags_of(const __global unsigned char *flags, const i64 begin, const i64 n)
{
    u32 set = 0;
    for (int i = 0; i < EACH; i++)
        if (begin + i < n && flags[begin + i])
            set |= (u32)1 << i;
    return set;
}

INLINE u32 bits_of(u32 set)
{
    u32 count = 0;
    for (int i = 0; i < EACH; i++)
        count += set >> i & 1;
    return count;
}

__kernel void select_tile_counts(const __global unsigned char *flags, __global u32 *counts, const i64 n)
{
    SHARED u32 scanned[2 * GROUP];
    u32 total;
    scan_items(scanned, bits_of(flags_of(flags, PART_NUMBER * TILE + ITEM * EACH, n)), &total);
    if (ITEM == 0)
        counts[PART_NUMBER] = total;
}

__kernel void select_tiles(const __global unsigned char *flags, __global u32 *places, const __global u32 *before,
                           const i64 n, const u32 capacity)
{
    SHARED u32 scanned[2 * GROUP];
    const i64 begin = PART_NUMBER * TILE + ITEM * EACH;
    const u32 set = flags_of(flags, begin, n);
    u32 total;
    u32 k = before[PART_NUMBER] + scan_items(scanned, bits_of(set), &total);
    for (int i = 0; i < EACH; i++)
        if (set >> i & 1 && k < capacity)
            places[k++] = (u32)(begin + i);
}

#else

__kernel void select_count(const __global unsigned char *flags, __global u32 *counts, const i64 first, const i64 end,
                           const i64 each)
{
    const i64 begin = first + PART_NUMBER * each;
    counts[PART_NUMBER] = count_flags(flags + begin, least_i64(each, end - begin));
}

__kernel void select_write(const __global unsigned char *flags, __global u32 *places, const __global u32 *counts,
                           __global u32 *carry, const i64 first, const i64 end, const i64 each, const i64 window,
                           const u32 capacity)
{
    select_part(flags, places, counts, carry, first, end, each, window, capacity, PART_NUMBER);
}

#endif
