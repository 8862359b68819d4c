/* Layout transforms by tiles: to = map(from) by a plan. */
#include "lattice/items.clh"
#include "lattice/tiles.clh"

NATIVE_PROGRAM(transform_tiles_1, ELEMENT_BYTES=1 INDEX_64)
NATIVE_PROGRAM(transform_tiles_2, ELEMENT_BYTES=2 INDEX_64)
NATIVE_PROGRAM(transform_tiles_4, ELEMENT_BYTES=4 INDEX_64)
NATIVE_PROGRAM(transform_tiles_8, ELEMENT_BYTES=8 INDEX_64)
NATIVE_PROGRAM(transform_tiles_16, ELEMENT_BYTES=16 INDEX_64)

__kernel SHARES void transform_tiles(__global element *to, const __global element *from, const __global i64 *plan,
                                     const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    for (i64 tile = begin; tile < end; tile++)
        move_tile(to, from, plan, fill, tile);
    STREAMS_DONE;
}
/* SPDX-License-Identifier: MIT */
