/* Steps of a walk by short rows of places, each a vector, stored only if they contain a site: for CPUs.  Neighbours
 * within a row need no table; a row stores the numbers of adjacent rows. */
#include "walk/step.clh"

NATIVE_PROGRAM(walk_rows_2, WALK_DIMS=2 VEC=16)
NATIVE_PROGRAM(walk_rows_3, WALK_DIMS=3 VEC=16)
NATIVE_PROGRAM(walk_rows_2_double, WALK_DIMS=2 REAL_DOUBLE VEC=8)
NATIVE_PROGRAM(walk_rows_3_double, WALK_DIMS=3 REAL_DOUBLE VEC=8)

#ifndef GROUP
#include "walk/rows.clh"

/* Updates rows 1 to n; row 0 is all zeros.  The code of a place is the number of its inaccessible neighbours, or
 * WALK_NO_SITE.  Places without a site hold 0.  Four rows share a vector of codes, one byte each, since not all
 * compilers widen vectors of bytes. */
__kernel SHARES void walk_rows(const __global real *from, __global real *to, const __global i32 *adjacent,
                               const __global i32 *codes, const i64 n, const i64 each)
{
    for (i64 i = PART_FIRST(each) + 1, end = PART_END(n, each) + 1; i < end; i += PART_STEP) {
        const __global i32 *near = adjacent + i * WALK_PARTS;
        const realv row = load_lanes(from + i * VEC);
        const realv before = load_lanes(from + (i64)near[0] * VEC), after = load_lanes(from + (i64)near[1] * VEC);
        const realv below = load_lanes(from + (i64)near[2] * VEC), above = load_lanes(from + (i64)near[3] * VEC);
        const numbersv code = ROW_NUMBERS(codes + i / 4 * VEC) >> (i32)(i % 4 * 8) & 255;
        realv all = (ROW_LEFT(before, row) + ROW_RIGHT(row, after)) + (below + above);
#if WALK_DIMS == 3
        all += load_lanes(from + (i64)near[4] * VEC) + load_lanes(from + (i64)near[5] * VEC);
#endif
        all += ROW_OF_NUMBERS(code) * row;
        WALK_MEAN(realv, all, mean);
        store_lanes(row_counting(mean, code), to + i * VEC);
    }
}
#endif
/* SPDX-License-Identifier: MIT */
