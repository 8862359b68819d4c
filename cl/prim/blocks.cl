/* Sum, minimum and maximum of blocks of numbers, one work-item per block, stored in `to`: see blocks.clh. Build macros:
 * REAL_DOUBLE, and SINGLE for single-precision numbers. */
#include "prelude.clh"
#include "prim/blocks.clh"

NATIVE_PROGRAM(blocks_f32, SINGLE REAL_DOUBLE)
NATIVE_PROGRAM(blocks_f64, REAL_DOUBLE)

#ifdef SINGLE
typedef float element;
#else
typedef real element;
#endif

/* Declares the work-item's block of the n elements from `first` on: its number `block`, its address `at` and its number
 * of elements `count`. Returns from the kernel if the block is empty. */
#define ITEM_BLOCK                                                                                                   \
    const i64 block = (i64)get_global_id(0), rest = n - block * VALUES_BLOCK;                                        \
    const __global element *at = from + first + block * VALUES_BLOCK;                                                \
    const int count = rest < VALUES_BLOCK ? (int)rest : VALUES_BLOCK;                                                \
    if (rest <= 0)                                                                                                   \
        return

/* Stores the sum, minimum and maximum of block b in to[3 b] to to[3 b + 2]. */
__kernel void block_sums(const __global element *from, __global real *to, const i64 first, const i64 n)
{
    real sum;
    element least, most;
    ITEM_BLOCK;
    BLOCK_SUM(at, count, sum, least, most);
    to[3 * block] = sum;
    to[3 * block + 1] = least;
    to[3 * block + 2] = most;
}

/* Stores the sum of squared distances from `about` of block b in to[3 b], and 0 in the next two. */
__kernel void block_squares(const __global element *from, __global real *to, const i64 first, const i64 n,
                            const real about)
{
    real sum, distance;
    ITEM_BLOCK;
    BLOCK_SQUARES(at, count, about, distance, sum);
    to[3 * block] = sum;
    to[3 * block + 1] = to[3 * block + 2] = R(0.0);
}
/* SPDX-License-Identifier: MIT */
