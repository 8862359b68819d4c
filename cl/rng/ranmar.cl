/* The lagged Fibonacci generator on devices: numbers of 24 bits or, with REALS, floats in [0, 1). */
#include "prelude.clh"
#include "hints.clh"
#include "rng/ranmar.clh"

NATIVE_PROGRAM(ranmar_numbers, CORES)
NATIVE_PROGRAM(ranmar_reals, CORES REALS)

#ifdef REALS
#define NUMBER real
#define NUMBER_OF(n) ((real)(n) * RANMAR_UNIT)
#else
#define NUMBER u32
#define NUMBER_OF(n) (n)
#endif

/* Seeds the tables, one per work-item. */
__kernel void ranmar_start(__global u32 *tables, const struct ranmar r, const u64 seed)
{
    const u32 stream = (u32)get_global_id(0);
    if (stream >= r.streams)
        return;
    __global u32 *table = tables + (u64)(stream / r.width) * r.length * r.width + stream % r.width;
    struct ranmar_seed s = ranmar_begin(seed, stream);
    for (u32 i = 0; i < r.length; i++)
        table[(u64)i * r.width] = ranmar_entry(&s);
}

/* The first GPU method of Hawick, Leist and Playne, one table per work-item; with few streams on CPU cores, their
 * method of threads. */
__kernel void ranmar_tables(__global u32 *tables, __global NUMBER *to, const u64 at, const struct ranmar r)
{
    const u32 stream = (u32)get_global_id(0);
    if (stream >= r.streams)
        return;
    const u32 group = stream / r.width, lane = stream % r.width;
    __global u32 *table = tables + (u64)group * r.length * r.width + lane;
    const u64 apart = (u64)(r.streams - r.width) * r.length;
    u64 place = at + (r.round - r.base) * r.streams * r.length + ((u64)group * r.length + r.k) * r.width + lane;
    u32 i = ranmar_i(r.length, r.k), j = ranmar_j(r.length, r.k), c = ranmar_c(r.round * r.length + r.k);
    for (u32 step = 0; step < r.steps; step++) {
        const u32 u = (table[(u64)i * r.width] - table[(u64)j * r.width]) & RANMAR_MASK;
        table[(u64)i * r.width] = u;
        c = ranmar_next_c(c);
        to[place] = NUMBER_OF((u - c) & RANMAR_MASK);
        place += r.width;
        j = j == 0 ? r.length - 1 : j - 1;
        if (i-- == 0) {
            i = r.length - 1;
            place += apart;
        }
    }
}

#ifdef CORES
#if defined(MW_HOST)
typedef NUMBER numbers_line __attribute__((vector_size(64), may_alias));
#define NUMBER_LINES 1
#elif defined(__clang__)
#ifdef REALS
typedef float16 numbers_line;
#else
typedef uint16 numbers_line;
#endif
#define NUMBER_LINES 1
#endif

/* Advances `width` adjacent tables by one step; vectorised if `width` is a constant.  The copies show the compiler that
 * the three places do not overlap.  `past`: lines are aligned and bypass the caches. */
INLINE void ranmar_step(__global u32 *one, const __global u32 *other, __global NUMBER *to, const u32 c, const u32 width,
                        const u32 past)
{
    u32 u[RANMAR_WIDTH];
    NUMBER made[RANMAR_WIDTH] __attribute__((aligned(64)));
    for (u32 l = 0; l < width; l++)
        u[l] = (one[l] - other[l]) & RANMAR_MASK;
    for (u32 l = 0; l < width; l++)
        one[l] = u[l];
    for (u32 l = 0; l < width; l++)
        made[l] = NUMBER_OF((u[l] - c) & RANMAR_MASK);
#ifdef NUMBER_LINES
    if (past) {
        for (u32 l = 0; l < width; l += 16)
            STREAM_STORE(numbers_line, to + l, *(const __private numbers_line *)(made + l));
        return;
    }
#endif
    for (u32 l = 0; l < width; l++)
        to[l] = made[l];
}

INLINE void ranmar_group(__global u32 *tables, __global NUMBER *to, const struct ranmar r, const u32 group,
                         const u32 width, const u32 past)
{
    __global u32 *table = tables + (u64)group * r.length * width;
    __global NUMBER *next = to + (r.round - r.base) * r.streams * r.length + ((u64)group * r.length + r.k) * width;
    u32 i = ranmar_i(r.length, r.k), j = ranmar_j(r.length, r.k), c = ranmar_c(r.round * r.length + r.k);
    for (u32 step = 0; step < r.steps; step++) {
        c = ranmar_next_c(c);
        ranmar_step(table + (u64)i * width, table + (u64)j * width, next, c, width, past);
        next += width;
        j = j == 0 ? r.length - 1 : j - 1;
        if (i-- == 0) {
            i = r.length - 1;
            next += (u64)(r.streams - width) * r.length;
        }
    }
}

/* The method for the Cell processor: tables are lanes of vectors, one group of tables per work-item.  Also used for
 * many tables on CPU cores. */
__kernel void ranmar_lanes(__global u32 *tables, __global NUMBER *to, const u64 at, const struct ranmar r)
{
    const u32 group = (u32)get_global_id(0);
    if (group >= r.streams / r.width)
        return;
    if (r.width == 24)
        ranmar_group(tables, to + at, r, group, 24, 0);
    else if (r.width != RANMAR_WIDTH)
        ranmar_group(tables, to + at, r, group, r.width, 0);
    else if (r.past_caches && ((size_t)(to + at) & 63) == 0)
        ranmar_group(tables, to + at, r, group, RANMAR_WIDTH, 1);
    else
        ranmar_group(tables, to + at, r, group, RANMAR_WIDTH, 0);
    STREAMS_DONE;
}
#endif

/* The second GPU method: one stream with a long table.  Up to length / 3 + 1 numbers from number k on are independent
 * of each other if k is 0 or more than length / 3; `each` per work-item. */
__kernel void ranmar_window(__global u32 *table, __global NUMBER *to, const u64 at, const struct ranmar r,
                            const u32 each)
{
    const u32 begin = (u32)get_global_id(0) * each;
    if (begin >= r.steps)
        return;
    const u32 rest = r.steps - begin, n = rest < each ? rest : each;
    const u32 i = ranmar_i(r.length, r.k + begin), j = ranmar_j(r.length, r.k + begin);
    __global NUMBER *next = to + at + (r.round - r.base) * r.length + r.k + begin;
    u32 c = ranmar_c(r.round * r.length + r.k + begin);
    for (u32 x = 0; x < n; x++) {
        const u32 u = (table[i - x] - table[j - x]) & RANMAR_MASK;
        table[i - x] = u;
        c = ranmar_next_c(c);
        next[x] = NUMBER_OF((u - c) & RANMAR_MASK);
    }
}
/* SPDX-License-Identifier: MIT */
