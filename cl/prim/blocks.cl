/* Sum, minimum and maximum of blocks of numbers, stored in `to`: see blocks.clh. A work-item, or a group, has one
 * block. Build macros: REAL_DOUBLE, and SINGLE for single-precision numbers. */
#include "prim/groups.clh"
#include "prim/blocks.clh"

NATIVE_PROGRAM(blocks_f32, SINGLE REAL_DOUBLE)
NATIVE_PROGRAM(blocks_f64, REAL_DOUBLE)

#ifdef SINGLE
typedef float element;
#else
typedef real element;
#endif

/* Declares the part's block of the n elements from `first` on: its number `block`, its address `at` and its number of
 * elements `count`. Returns from the kernel if the block is empty; a group returns as a whole. */
#define PART_BLOCK                                                                                                   \
    const i64 block = PART_NUMBER, rest = n - block * VALUES_BLOCK;                                                  \
    const __global element *at = from + first + block * VALUES_BLOCK;                                                \
    const int count = rest < VALUES_BLOCK ? (int)rest : VALUES_BLOCK;                                                \
    if (rest <= 0)                                                                                                   \
        return

#ifdef GROUP
#define LANES_OF(type, name) SHARED type name[VALUES_LANES]
/* Repeats a statement for the lanes below `end` of the work-item. */
#define MY_LANES(end, statement)                                                                                     \
    for (int l = ITEM; l < (end); l += GROUP) {                                                                      \
        statement;                                                                                                   \
    }
/* The steps of blocks.clh, with lanes shared by the group. */
#define START_LANES(start, take)                                                                                     \
    MY_LANES(VALUES_LANES, start; for (int i = l; i < count; i += VALUES_LANES) { take; })
#define JOIN_LANES(join)                                                                                             \
    for (int upper = VALUES_LANES / 2; upper > 0; upper /= 2) { /* uniform */                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        MY_LANES(upper, join)                                                                                        \
    }
#define IS_FIRST_ITEM (ITEM == 0)
#else
#define LANES_OF(type, name) type name[VALUES_LANES]
#define IS_FIRST_ITEM 1
#endif

/* Stores the sum, minimum and maximum of block b in to[3 b] to to[3 b + 2]. */
__kernel void block_sums(const __global element *from, __global real *to, const i64 first, const i64 n)
{
    LANES_OF(real, sum);
    LANES_OF(element, least);
    LANES_OF(element, most);
    PART_BLOCK;
#ifdef GROUP
    START_LANES(sum[l] = R(0.0); least[l] = most[l] = at[0],
                sum[l] += at[i]; RANGE_TAKE(least, most, l, at[i], at[i]))
    JOIN_LANES(sum[l] += sum[upper + l]; RANGE_TAKE(least, most, l, least[upper + l], most[upper + l]))
#else
    BLOCK_SUM(at, count, sum, least, most);
#endif
    if (IS_FIRST_ITEM) {
        to[3 * block] = sum[0];
        to[3 * block + 1] = least[0];
        to[3 * block + 2] = most[0];
    }
}

/* Stores the sum of squared distances from `about` of block b in to[3 b], and 0 in the next two. */
__kernel void block_squares(const __global element *from, __global real *to, const i64 first, const i64 n,
                            const real about)
{
    LANES_OF(real, sum);
    real distance;
    PART_BLOCK;
#ifdef GROUP
    START_LANES(sum[l] = R(0.0), distance = at[i] - about; sum[l] += distance * distance)
    JOIN_LANES(sum[l] += sum[upper + l])
#else
    BLOCK_SQUARES(at, count, about, distance, sum);
#endif
    if (IS_FIRST_ITEM) {
        to[3 * block] = sum[0];
        to[3 * block + 1] = to[3 * block + 2] = R(0.0);
    }
}
/* SPDX-License-Identifier: MIT */
