/* Prefix sums.
 *
 * Cores: by windows that stay in the caches between their two launches: sums of parts, then the parts themselves, each
 * of which adds up the sums before it.  carry[w] is the sum of all windows before w.
 * Groups: sums of tiles; these scanned by one group; then the tiles. */
#include "prim/scan.clh"

NATIVE_PROGRAM(scan_u32, )
NATIVE_PROGRAM(scan_u64, ELEMENT_64)

#ifdef GROUP

#define EACH SCAN_EACH
#define TILE (GROUP * EACH)
/* Items read what others loaded: rows of EACH elements start in different banks. */
#define PLACE(i) ((i) + (i) / 32)

GROUP_SCAN(scan_items, element)

/* A tile from `begin` on: loaded by neighbours, then EACH elements in a row an item's.  Gives the sum of all. */
INLINE element scan_tile(const __global element *from, __global element *to, const i64 begin, const i64 end,
                         const element before, const int inclusive, IN_LOCAL element *tile, IN_LOCAL element *room)
{
    element sum = 0, total;
    for (int i = ITEM; i < TILE; i += GROUP)
        tile[PLACE(i)] = begin + i < end ? from[begin + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < EACH; i++)
        sum += tile[PLACE(ITEM * EACH + i)];
    sum = before + scan_items(room, sum, &total);
    for (int i = 0; i < EACH; i++) {
        const element x = tile[PLACE(ITEM * EACH + i)];
        tile[PLACE(ITEM * EACH + i)] = inclusive ? sum + x : sum;
        sum += x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = ITEM; i < TILE; i += GROUP)
        if (begin + i < end)
            to[begin + i] = tile[PLACE(i)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

__kernel void scan_tile_sums(const __global element *from, __global element *sums, const i64 n)
{
    SHARED element room[2 * GROUP];
    const i64 begin = PART_NUMBER * TILE;
    element sum = 0, total;
    for (int i = ITEM; i < TILE; i += GROUP)
        if (begin + i < n)
            sum += from[begin + i];
    scan_items(room, sum, &total);
    if (ITEM == 0)
        sums[PART_NUMBER] = total;
}

/* One group, tile after tile. */
__kernel void scan_alone(const __global element *from, __global element *to, __global element *total, const i64 n,
                         const int inclusive)
{
    SHARED element tile[PLACE(TILE)], room[2 * GROUP];
    element before = 0;
    for (i64 begin = 0; begin < n; begin += TILE) /* uniform */
        before += scan_tile(from, to, begin, n, before, inclusive, tile, room);
    if (ITEM == 0)
        *total = before;
}

__kernel void scan_tiles(const __global element *from, __global element *to, const __global element *sums, const i64 n,
                         const int inclusive)
{
    SHARED element tile[PLACE(TILE)], room[2 * GROUP];
    scan_tile(from, to, PART_NUMBER * TILE, n, sums[PART_NUMBER], inclusive, tile, room);
}

#else

__kernel void scan_sums(const __global element *from, __global element *sums, const i64 first, const i64 end,
                        const i64 each)
{
    const i64 begin = first + PART_NUMBER * each;
    sums[PART_NUMBER] = sum_elements(from + begin, least_i64(each, end - begin));
}

__kernel void scan_parts(const __global element *from, __global element *to, const __global element *sums,
                         __global element *carry, const i64 first, const i64 end, const i64 each, const i64 window,
                         const int inclusive, const int stream)
{
    scan_part(from, to, sums, carry, first, end, each, window, inclusive, stream, PART_NUMBER);
    STREAMS_DONE;
}

#endif
