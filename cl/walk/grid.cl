/* Steps of a walk over all places of a square or cube; values are negative if a place is not accessible.  Variants A
 * and B of Hoffmann et al. 2010.  The array has `length` places per dimension; the outermost are never updated. */
#include "walk/step.clh"

NATIVE_PROGRAM(walk_grid_2, WALK_DIMS=2)
NATIVE_PROGRAM(walk_grid_3, WALK_DIMS=3)
NATIVE_PROGRAM(walk_grid_2_double, WALK_DIMS=2 REAL_DOUBLE)
NATIVE_PROGRAM(walk_grid_3_double, WALK_DIMS=3 REAL_DOUBLE)

INLINE real grid_open(const real p) { return p < R(0.0) ? R(0.0) : p; }

/* Updates n contiguous places of a row, starting at `at`. */
INLINE void grid_row(const __global real *from, __global real *to, const i64 length, const i64 at, const i64 n)
{
    const __global real *row = from + at, *below = row - length, *above = row + length;
    __global real *next = to + at;
    for (i64 x = 0; x < n; x++) {
        const real p = row[x], l = row[x - 1], r = row[x + 1], b = below[x], a = above[x];
        real sum = (grid_open(l) + grid_open(r)) + (grid_open(b) + grid_open(a));
        i32 closed = (l < R(0.0)) + (r < R(0.0)) + (b < R(0.0)) + (a < R(0.0));
#if WALK_DIMS == 3
        const real f = row[x - length * length], k = row[x + length * length];
        sum += grid_open(f) + grid_open(k);
        closed += (f < R(0.0)) + (k < R(0.0));
#endif
        const real mean = walk_next(sum, (real)closed * p);
        next[x] = p < R(0.0) ? p : mean;
    }
}

/* Updates all places: `each` places of a row per work-item; rows are numbered along y, then z. */
__kernel void walk_square(const __global real *from, __global real *to, const i64 length, const i64 each)
{
    const i64 inner = length - 2, x = (i64)get_global_id(0) * each, row = (i64)get_global_id(1);
#if WALK_DIMS == 2
    const i64 at = (row + 1) * length + 1, rows = inner;
#else
    const i64 at = ((row / inner + 1) * length + row % inner + 1) * length + 1, rows = inner * inner;
#endif
    if (x >= inner || row >= rows)
        return;
    grid_row(from, to, length, at + x, inner - x < each ? inner - x : each);
}

/* Returns the least integer of square j or more, for j from 1 to 2^32. */
INLINE i64 root_above(const i64 j)
{
    i64 root = 0;
    for (i64 bit = 65536; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) < j)
            root += bit;
    return root + 1;
}

/* Finds place i (counted from 1) of a diamond of radius s, row by row: equations (4) to (7) of the paper.  *inside:
 * distance to the diamond's border; *right: number of places after it in its row. */
INLINE void diamond_place(const i64 i, const i64 s, __private i64 *x, __private i64 *y, __private i64 *inside,
                          __private i64 *right)
{
    const i32 upper = i <= (s + 1) * (s + 1);
    const i64 j = upper ? i : 2 * (s * s + s + 1) - i, k = upper ? -1 : 1, root = root_above(j);
    const i64 end = root * root - j, begin = 2 * (root - 1) - end;
    *x = k * (root + (root - 1) * (root - 1) - j);
    *y = -k * (root - s - 1);
    *inside = least_i64(end, begin);
    *right = upper ? end : begin;
}

/* Updates all places within s steps of the middle.  A work-item updates `each` places of the diamond in two dimensions.
 * In three dimensions these are rows of an octahedron, numbered like the places of a diamond. */
__kernel SHARES void walk_diamond(const __global real *from, __global real *to, const i64 length, const i64 s,
                                  const i64 each)
{
    const i64 end = PART_END(2 * s * (s + 1) + 1, each), middle = length / 2;
    for (i64 i = PART_FIRST(each); i < end; ) {
        i64 x, y, inside, right;
        diamond_place(i + 1, s, &x, &y, &inside, &right);
#if WALK_DIMS == 2
        const i64 n = least_i64(end - i, right + 1);
        grid_row(from, to, length, (middle + y) * length + middle + x, n);
        i += n;
#else
        grid_row(from, to, length, ((middle + y) * length + middle + x) * length + middle - inside, 2 * inside + 1);
        i++;
#endif
    }
}
/* SPDX-License-Identifier: MIT */
