/* Reductions in one launch, for devices with the trait groups_progress: parts publish their results, and the last part
 * combines them. For reals, parts are blocks, at most as many as a block has numbers. */
#include "prim/once/look_back.clh"
#include "prim/reduce.clh"

#ifdef GROUP

LOOK_BACK(parts, partial)
#ifdef REALS
LOOK_BACK(sums, ELEMENT)
#endif

/* The body of a kernel that reduces integers, or finds an extreme real: `run` reduces a part, and JOIN combines two
 * results, from START on. */
#define REDUCTION(run, JOIN, START)                                                                                  \
    {                                                                                                                \
        SHARED partial value[GROUP];                                                                                 \
        SHARED u32 room[1];                                                                                          \
        const i64 part = take_part(words, first, room), begin = part * each;                                         \
        partial all = (partial)(START);                                                                              \
        u32 told;                                                                                                    \
        value[ITEM] = run(from, begin, least_i64(n, begin + each));                                                  \
        JOIN_ITEMS(value, JOIN)                                                                                      \
        if (ITEM == 0)                                                                                               \
            parts_tell(words, part, value[0], ALL_TOLD, call);                                                       \
        if (part * each + each < n)                                                                                  \
            return;                                                                                                  \
        for (i64 p = ITEM; p <= part; p += GROUP)                                                                    \
            all = JOIN(all, parts_ask(words, p, &told, call));                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                \
        value[ITEM] = all;                                                                                           \
        JOIN_ITEMS(value, JOIN)                                                                                      \
        if (ITEM == 0)                                                                                               \
            to[0] = value[0];                                                                                        \
    }

#ifdef REALS
/* A real, and the integer of its bits. */
union real_bits {
    real number;
    ELEMENT bits;
};

__kernel void reduce_sum_once(const __global real *from, __global real *to, volatile __global u32 *words, const i64 n,
                              const i64 each, const u32 call, const u32 first)
{
    SHARED real lane[BLOCK_LANES];
    SHARED u32 room[1];
    const i64 block = take_part(words, first, room), begin = block * each;
    union real_bits own;
    sum_lanes(from, begin, n, lane);
    ADD_LANES(lane)
    if (ITEM == 0) {
        own.number = lane[0];
        sums_tell(words, block, own.bits, ALL_TOLD, call);
    }
    if (begin + each < n)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (block > 0) {
        for (int l = ITEM; l < BLOCK_LANES; l += GROUP) {
            real sum = R(0.0);
            for (i64 b = l; b <= block; b += BLOCK_LANES) {
                u32 told;
                own.bits = sums_ask(words, b, &told, call);
                sum += own.number;
            }
            lane[l] = sum;
        }
        ADD_LANES(lane)
    }
    if (ITEM == 0)
        to[0] = lane[0];
}
#else
__kernel void reduce_sum_once(const __global ELEMENT *from, __global partial *to, volatile __global u32 *words,
                              const i64 n, const i64 each, const u32 call, const u32 first)
REDUCTION(sum_run, JOIN_SUM, 0)
#endif

__kernel void reduce_min_once(const __global ELEMENT *from, __global partial *to, volatile __global u32 *words,
                              const i64 n, const i64 each, const u32 call, const u32 first)
REDUCTION(min_run, JOIN_MIN, LARGEST)

__kernel void reduce_max_once(const __global ELEMENT *from, __global partial *to, volatile __global u32 *words,
                              const i64 n, const i64 each, const u32 call, const u32 first)
REDUCTION(max_run, JOIN_MAX, LEAST)

#endif
/* SPDX-License-Identifier: MIT */
