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

/* Seeds the tables of all streams, one per work-item. */
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

/* Makes `r.steps` numbers of each table, one table per work-item: the first GPU method of Hawick, Leist and Playne.
 * With few streams on CPU cores it is their method of threads. */
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

/* Makes one number of each of `width` adjacent tables: `one` and `other` are their entries i and j.  The loops are
 * vectorised if `width` is a constant.  The copies show the compiler that the three places do not overlap.  With `past`
 * stores bypass the caches; lines must then be aligned. */
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

/* Makes `r.steps` numbers of each of the `width` tables of a group. */
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

/* Makes `r.steps` numbers of each table, one group of tables per work-item: the tables are lanes of vectors.  This is
 * the method for the Cell processor, used for many tables on CPU cores. */
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

/* Makes `r.steps` numbers of one stream with a long table, `each` per work-item: the second GPU method.  Up to
 * length / 3 + 1 numbers from number k on are independent of each other if k is 0 or more than length / 3. */
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
