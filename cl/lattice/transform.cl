/* Layout transforms: to = map(from) by a plan (see plan.clh).  An item does `each` of `count` segments of rows, tiles or
 * cells, beginning with `each` times its number. */
#include "lattice/points.clh"
#include "lattice/rows.clh"
#include "lattice/tiles.clh"

#define ITEM_RANGE                                                                                                   \
    const i64 begin = (i64)get_global_id(0) * each;                                                                  \
    const i64 end = count - begin < each ? count : begin + each

__kernel void transform_rows(__global element *to, const __global element *from, const __global i64 *plan,
                             const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    move_rows(to, from, plan, fill, begin, end);
    STREAMS_DONE;
}

__kernel void transform_tiles(__global element *to, const __global element *from, const __global i64 *plan,
                              const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    for (i64 tile = begin; tile < end; tile++)
        move_tile(to, from, plan, fill, tile);
    STREAMS_DONE;
}

__kernel void transform_points(__global element *to, const __global element *from, const __global i64 *plan,
                               const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    for (i64 k = begin; k < end; k++)
        move_point(to, from, plan, fill, k);
}

__kernel void transform_swap(__global element *to, const __global element *from, const __global i64 *plan,
                             const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    for (i64 k = begin; k < end; k++)
        swap_point(to, plan, k);
}
