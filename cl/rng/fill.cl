/* Fills memory with numbers of a stream (rng/fill.clh), `fill.each` blocks per work-item, starting at element `at`. */
#include "prelude.clh"
#include "rng/fill.clh"

NATIVE_PROGRAM(rng_philox_single, TILE=32 VEC=16)
NATIVE_PROGRAM(rng_philox_double, TILE=32 VEC=8 REAL_DOUBLE)
NATIVE_PROGRAM(rng_threefry_single, TILE=32 VEC=16 THREEFRY)
NATIVE_PROGRAM(rng_threefry_double, TILE=32 VEC=8 THREEFRY REAL_DOUBLE)
NATIVE_PROGRAM(rng_stored_single, TILE=32 VEC=16 STORED)
NATIVE_PROGRAM(rng_stored_double, TILE=32 VEC=8 STORED REAL_DOUBLE)

/* EACH_BLOCK(per) loops over the blocks of a work-item, of `per` numbers each.  On CPU cores these are consecutive, and
 * the loop advances by TILE.  On GPUs they are `fill.items` apart, so that adjacent items store to adjacent places. */
#if TILE > 1
#define EACH_BLOCK(per)                                                                                              \
    const u64 end = blocks_end(fill, (per), (u64)ITEMS_END(0) * fill.each);                                          \
    for (u64 block = fill.first / (per) + (u64)get_global_id(0) * fill.each; block < end; block += TILE)
#else
#define EACH_BLOCK(per)                                                                                              \
    const u64 end = (u64)get_global_id(0) < fill.items ? blocks_end(fill, (per), fill.count) : 0;                    \
    for (u64 block = fill.first / (per) + (u64)get_global_id(0); block < end; block += fill.items)
#endif
/* Returns the end of the blocks with requested numbers, at most `share` blocks after the first of them. */
INLINE u64 blocks_end(const struct fill f, const u32 per, const u64 share)
{
    const u64 all = (f.first + f.count + per - 1) / per, mine = f.first / per + share;
    return mine < all ? mine : all;
}

/* Fills `to` with words shifted right by `without` bits. */
__kernel SHARES void rng_bits(__global u32 *to, const u64 at, const __global u32 *numbers, const struct fill fill,
                              const u32 without)
{
    EACH_BLOCK(4) {
        u32 made[TILE_WORDS] IN_LINES;
        BY_LINES(lines_of_words, to + at, 4, without)
        tile_fill(made, fill, block, numbers, 1);
        for (int i = 0; i < TILE_WORDS; i++)
            made[i] >>= without;
        store_words(to + at, made, TILE_WORDS, 4 * block, fill);
    }
    STREAMS_DONE;
}

/* Fills `to` with uniform integers below n, for n from 1 to 2^32; `least` is 2^32 mod n. */
__kernel SHARES void rng_below(__global u32 *to, const u64 at, const __global u32 *numbers, const struct fill fill,
                               const u64 n, const u32 least)
{
    EACH_BLOCK(4) {
        u32 words[TILE_WORDS] IN_LINES, made[TILE_WORDS] IN_LINES, again = 0;
        tile_fill(words, fill, block, numbers, 1);
        for (int i = 0; i < TILE_WORDS; i++) {
            again |= (u32)(words[i] * n) < least;
            made[i] = (u32)(words[i] * n >> 32);
        }
        if (again)
            for (int i = 0; i < TILE_WORDS; i++)
                if ((u32)(words[i] * n) < least)
                    made[i] = below_again(fill, block + (u64)(i / 4), i % 4, n, least);
        store_words(to + at, made, TILE_WORDS, 4 * block, fill);
    }
    STREAMS_DONE;
}

#ifndef STORED
/* Fills `to` with words whose bits are 1 with probability p / 2^32. */
__kernel SHARES void rng_bernoulli(__global u32 *to, const u64 at, const struct fill fill, const u32 p)
{
    EACH_BLOCK(4) {
        struct tile_words words;
        u32 made[TILE_WORDS] IN_LINES;
        tile_bernoulli(&words, fill, block, p);
        tile_in_order(&words, made);
        store_words(to + at, made, TILE_WORDS, 4 * block, fill);
    }
    STREAMS_DONE;
}
#endif

/* Fills `to` with uniform reals of an interval: RNG_LOWER, RNG_UPPER or RNG_OPEN. */
__kernel SHARES void rng_uniform(__global real *to, const u64 at, const __global u32 *numbers, const struct fill fill,
                                 const u32 interval)
{
    const u32 per = 4 / REAL_WORDS;
    EACH_BLOCK(per) {
        u32 words[TILE_WORDS] IN_LINES;
        real made[TILE_REALS] IN_LINES;
        BY_LINES(lines_of_uniform, to + at, per, interval)
        tile_fill(words, fill, block, numbers, REAL_WORDS);
        for (int i = 0; i < TILE_REALS; i++)
            made[i] = uniform_real(bits_of_tile(words, i), interval);
        store_reals(to + at, made, TILE_REALS, per * block, fill);
    }
    STREAMS_DONE;
}

/* Fills `to` with normally distributed reals of mean 0 and variance 1. */
__kernel SHARES void rng_normal(__global real *to, const u64 at, const __global u32 *numbers, const struct fill fill)
{
    const u32 per = 4 / REAL_WORDS;
    EACH_BLOCK(per) {
        u32 words[TILE_WORDS] IN_LINES;
        real made[TILE_REALS] IN_LINES;
        tile_fill(words, fill, block, numbers, REAL_WORDS);
        for (int i = 0; i < TILE_REALS; i += NORMAL_VECTORS * VEC) {
            bitsv bits[NORMAL_VECTORS];
            realv values[NORMAL_VECTORS];
            UNROLL
            for (int v = 0; v < NORMAL_VECTORS; v++)
                bits[v] = BITS_OF_LANES(words, i + v * VEC);
            normal_vectors(values, bits);
            UNROLL
            for (int v = 0; v < NORMAL_VECTORS; v++)
                scatter_lanes(values[v], made + i + v * VEC);
        }
        store_reals(to + at, made, TILE_REALS, per * block, fill);
    }
    STREAMS_DONE;
}
/* SPDX-License-Identifier: MIT */
