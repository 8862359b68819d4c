/* Sums, over pairs of spins at a distance, of products or of the number of equal pairs. */
#include "lattice.clh"

NATIVE_PROGRAM(spin_correlate, )

typedef signed char spin;

/* Sums n pairs; n is small enough for 32 bits. */
INLINE i32 of_pairs(const __global spin *a, const __global spin *b, const i32 n, const i32 equal)
{
    i32 sum = 0;
    if (equal)
        for (i32 i = 0; i < n; i++)
            sum += a[i] == b[i];
    else
        for (i32 i = 0; i < n; i++)
            sum += a[i] * b[i];
    return sum;
}

/* Sums the pairs that start at cells from to end - 1 of a row. */
INLINE i64 of_row(const __global spin *row, const i32 from, const i32 end, const i32 length, const i32 apart,
                  const i32 periodic, const i32 equal)
{
    const i32 around = length - apart;   /* from this cell on partners wrap around to the start of the row */
    const i32 stop = end < around ? end : around, begin = from > around ? from : around;
    i64 sum = 0;
    if (from < stop)
        sum += of_pairs(row + from, row + from + apart, stop - from, equal);
    if (periodic && begin < end)
        sum += of_pairs(row + begin, row + (begin - around), end - begin, equal);
    return sum;
}

/* Sums the pairs along one dimension of `length` cells and stride `stride`, in a mesh of `count` cells.  With stride 1
 * these are pairs of cells of a row; otherwise of lines of `stride` cells.  Rows and lines are divided into pieces of
 * `piece` cells.  Work-item (part, distance - 1) adds `each` pieces, starting with piece first + part each.  The sum
 * includes that of earlier launches, which had a smaller `first`. */
__kernel void spin_correlate(const __global spin *cells, __global i64 *sums, const i64 first, const i32 each,
                             const i32 piece, const i32 parts, const i32 distances, const i64 count, const i32 length,
                             const i64 stride, const i32 periodic, const i32 equal)
{
    const i32 part = (i32)get_global_id(0), apart = (i32)get_global_id(1) + 1;
    if (part >= parts || apart > distances)
        return;
    const i64 line = stride == 1 ? length : stride, pieces = (line - 1) / piece + 1, all = count / line * pieces;
    const i64 begin = first + (i64)part * each, end = all - begin < each ? all : begin + each;
    const i64 at = (i64)(apart - 1) * parts + part;
    i64 sum = first ? sums[at] : 0;
    for (i64 number = begin; number < end && apart < length; number++) {
        const i64 own = number / pieces, from = number % pieces * piece;
        const i64 stop = line - from < piece ? line : from + piece;
        const i32 x = (i32)(own % length);
        if (stride == 1)
            sum += of_row(cells + own * line, (i32)from, (i32)stop, length, apart, periodic, equal);
        else if (x + (i64)apart < length || periodic)
            sum += of_pairs(cells + own * line + from,
                            cells + (own + apart - (x + (i64)apart < length ? 0 : length)) * line + from,
                            (i32)(stop - from), equal);
    }
    sums[at] = sum;
}
/* SPDX-License-Identifier: MIT */
