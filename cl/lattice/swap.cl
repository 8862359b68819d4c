/* A layout transform in place: data = map(data), by a plan. */
#include "lattice/points.clh"
#include "lattice/shares.clh"

NATIVE_PROGRAM(transform_swap_1, ELEMENT_BYTES=1 INDEX_64)
NATIVE_PROGRAM(transform_swap_2, ELEMENT_BYTES=2 INDEX_64)
NATIVE_PROGRAM(transform_swap_4, ELEMENT_BYTES=4 INDEX_64)
NATIVE_PROGRAM(transform_swap_8, ELEMENT_BYTES=8 INDEX_64)
NATIVE_PROGRAM(transform_swap_16, ELEMENT_BYTES=16 INDEX_64)

__kernel SHARES void transform_swap(__global element *data, const __global i64 *plan, const i64 count, const i64 each)
{
#ifdef FIXED_CELLS
    FOR_ROUNDS(first)
        swap_points(data, plan, first, step, FIXED_CELLS);
#else
    ITEM_RANGE;
    for (i64 k = begin; k < end; k++)
        swap_points(data, plan, (u64)k, 1, (u64)end);
#endif
}
/* SPDX-License-Identifier: MIT */
