/* Layout transforms by segments of rows: to = map(from) by a plan. */
#include "lattice/items.clh"
#include "lattice/rows.clh"

NATIVE_PROGRAM(transform_rows_1, ELEMENT_BYTES=1 INDEX_64)
NATIVE_PROGRAM(transform_rows_2, ELEMENT_BYTES=2 INDEX_64)
NATIVE_PROGRAM(transform_rows_4, ELEMENT_BYTES=4 INDEX_64)
NATIVE_PROGRAM(transform_rows_8, ELEMENT_BYTES=8 INDEX_64)
NATIVE_PROGRAM(transform_rows_16, ELEMENT_BYTES=16 INDEX_64)

__kernel SHARES void transform_rows(__global element *to, const __global element *from, const __global i64 *plan,
                                    const element fill, const i64 count, const i64 each)
{
    ITEM_RANGE;
    move_rows(to, from, plan, fill, begin, end);
    STREAMS_DONE;
}
/* SPDX-License-Identifier: MIT */
