/* Reductions: a partial result per part of `each` elements, which the host combines; sums of reals by blocks, launched
 * until one is left. */
#include "prim/reduce.clh"

NATIVE_PROGRAM(reduce_i32, ELEMENT=i32 SIGNED=1 VEC=16)
NATIVE_PROGRAM(reduce_u32, ELEMENT=u32 SIGNED=0 VEC=16)
NATIVE_PROGRAM(reduce_i64, ELEMENT=i64 SIGNED=1 VEC=8)
NATIVE_PROGRAM(reduce_u64, ELEMENT=u64 SIGNED=0 VEC=8)
NATIVE_PROGRAM(reduce_f32, ELEMENT=i32 SIGNED=1 REALS VEC=16)
NATIVE_PROGRAM(reduce_f64, ELEMENT=i64 SIGNED=1 REALS REAL_DOUBLE VEC=8)

#ifdef GROUP

#define REDUCTION(run, JOIN)                                                                                         \
    {                                                                                                                \
        SHARED partial value[GROUP];                                                                                 \
        const i64 begin = PART_NUMBER * each;                                                                        \
        value[ITEM] = run(from, begin, least_i64(n, begin + each));                                                  \
        JOIN_ITEMS(value, JOIN)                                                                                      \
        if (ITEM == 0)                                                                                               \
            to[PART_NUMBER] = value[0];                                                                              \
    }

#ifdef REALS
/* Sums blocks of reals; a group processes `each` blocks, one after the other. */
__kernel void reduce_sum(const __global real *from, __global real *to, const i64 n, const i64 each)
{
    SHARED real lane[BLOCK_LANES];
    const i64 first = PART_NUMBER * each;
    for (i64 turn = 0; turn < each; turn++) { /* uniform */
        const i64 begin = (first + turn) * BLOCK;
        sum_lanes(from, begin, n, lane);
        ADD_LANES(lane)
        if (ITEM == 0 && begin < n)
            to[first + turn] = lane[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

#else

#define REDUCTION(run, JOIN)                                                                                         \
    {                                                                                                                \
        const i64 begin = PART_NUMBER * each;                                                                        \
        to[PART_NUMBER] = run(from, begin, least_i64(n, begin + each));                                           \
    }

#ifdef REALS
__kernel void reduce_sum(const __global real *from, __global real *to, const i64 n, const i64 each)
{
    sum_blocks(from, to, n, each, PART_NUMBER);
}
#endif

#endif

#ifndef REALS
__kernel void reduce_sum(const __global ELEMENT *from, __global partial *to, const i64 n, const i64 each)
REDUCTION(sum_run, JOIN_SUM)
#endif

__kernel void reduce_min(const __global ELEMENT *from, __global partial *to, const i64 n, const i64 each)
REDUCTION(min_run, JOIN_MIN)

__kernel void reduce_max(const __global ELEMENT *from, __global partial *to, const i64 n, const i64 each)
REDUCTION(max_run, JOIN_MAX)
/* SPDX-License-Identifier: MIT */
