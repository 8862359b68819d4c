/* Products of spins a distance apart, or how many of them are equal. */
#include "lattice.clh"

NATIVE_PROGRAM(spin_correlate, )

typedef signed char spin;

/* Of n pairs of spins that begin there: rows have less than 2^31. */
INLINE i64 of_pairs(const __global spin *a, const __global spin *b, const i32 n, const i32 equal)
{
    i64 sum = 0;
    if (equal) {
        i32 count = 0;
        for (i32 i = 0; i < n; i++)
            count += a[i] == b[i];
        return count;
    }
    for (i32 begin = 0; begin < n; begin += 1 << 16) {
        const i32 end = n - begin < 1 << 16 ? n : begin + (1 << 16);
        i32 products = 0;
        for (i32 i = begin; i < end; i++)
            products += a[i] * b[i];
        sum += products;
    }
    return sum;
}

/* Along one dimension, of `length` cells that lie `stride` apart, in a mesh of `count` cells: pairs of rows where the
 * stride is 1, and otherwise of lines of `stride` cells, which are neighbours as a whole.  Item (part, distance - 1)
 * takes every `parts`-th one. */
__kernel void spin_correlate(const __global spin *cells, __global i64 *sums, const i32 parts, const i32 distances,
                             const i64 count, const i32 length, const i64 stride, const i32 periodic,
                             const i32 equal)
{
    const i32 part = (i32)get_global_id(0), apart = (i32)get_global_id(1) + 1;
    i64 sum = 0;
    if (part >= parts || apart > distances)
        return;
    if (apart < length && stride == 1) {
        for (i64 row = part; row < count / length; row += parts) {
            const __global spin *own = cells + row * length;
            sum += of_pairs(own, own + apart, length - apart, equal);
            if (periodic)
                sum += of_pairs(own + length - apart, own, apart, equal);
        }
    } else if (apart < length) {
        for (i64 line = part; line < count / stride; line += parts) {
            const i32 x = (i32)(line % length);
            const i64 to = x + apart < length ? line + apart : line + apart - length;
            for (i64 at = 0; (x + apart < length || periodic) && at < stride; at += 1 << 30)
                sum += of_pairs(cells + line * stride + at, cells + to * stride + at,
                                (i32)(stride - at < 1 << 30 ? stride - at : 1 << 30), equal);
        }
    }
    sums[(i64)(apart - 1) * parts + part] = sum;
}
