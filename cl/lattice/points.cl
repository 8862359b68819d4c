/* A layout transform cell by cell: to = map(from), by a plan. */
#include "lattice/points.clh"
#include "lattice/shares.clh"

NATIVE_PROGRAM(transform_points_1, ELEMENT_BYTES=1 INDEX_64)
NATIVE_PROGRAM(transform_points_2, ELEMENT_BYTES=2 INDEX_64)
NATIVE_PROGRAM(transform_points_4, ELEMENT_BYTES=4 INDEX_64)
NATIVE_PROGRAM(transform_points_8, ELEMENT_BYTES=8 INDEX_64)
NATIVE_PROGRAM(transform_points_16, ELEMENT_BYTES=16 INDEX_64)

__kernel SHARES void transform_points(__global element *to, const __global element *from, const __global i64 *plan,
                                      const element fill, const i64 count, const i64 each)
{
#ifdef FIXED_CELLS
    FOR_ROUNDS(first)
        move_points(to, from, plan, fill, first, step, FIXED_CELLS);
#else
    ITEM_RANGE;
    for (i64 k = begin; k < end; k++)
        move_points(to, from, plan, fill, (u64)k, 1, (u64)end);
#endif
}
/* SPDX-License-Identifier: MIT */
