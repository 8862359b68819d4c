/* Layout transforms by tiles: to = map(from) by a plan. */
#include "lattice/items.clh"
#include "lattice/tiles.clh"

__kernel SHARES void transform_tiles(__global element *to, const __global element *from, const __global i64 *plan,
                                     const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    for (i64 tile = begin; tile < end; tile++)
        move_tile(to, from, plan, fill, tile);
    STREAMS_DONE;
}
