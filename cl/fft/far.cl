/* Fourier transforms of lines that are too long for local memory. Each pass over a tile in global memory is a launch
 * with a work-item per butterfly. `room` is a copy of the tile: l.together lines of l.n complex numbers. */
#define FFT_FAR 1
#include "fft/tiles.clh"

/* Returns the place of a tile. */
INLINE struct fft_place far_place(__global real *room, __private const struct fft_lines *l)
{
    const struct fft_place place = { room, (i64)l->n * l->together, l->together };
    return place;
}

/* Loads `count` lines from line `first` on of a group of lines of an array. */
__kernel void far_load(__global real *from, __global real *room, const __global real *table, const i64 array,
                       const i64 group, const i64 first, const i32 count, const struct fft_lines l)
{
    const struct tile t = { array, group, first, count };
    load_tile(&l, t, from, table, far_place(room, &l));
}

/* Makes a pass after passes whose radices have the product `before`. `turned`: real and imaginary parts of the source
 * are exchanged. */
__kernel void far_pass(__global real *from, __global real *to, const __global real *table, const i32 radix,
                       const i32 before, const i32 turned, const struct fft_lines l)
{
    const struct fft_place source = far_place(from, &l);
    const struct fft_pass s = { turned ? fft_turned(source) : source, far_place(to, &l), l.n, before,
                                l.table / (before * radix), l.table };
    tile_pass(s, table, radix, l.together);
}

/* Stores such lines. */
__kernel void far_store(__global real *room, __global real *to, const __global real *table, const i64 array,
                        const i64 group, const i64 first, const i32 count, const struct fft_lines l)
{
    const struct tile t = { array, group, first, count };
    const struct fft_place source = far_place(room, &l);
    store_tile(&l, t, l.back ? fft_turned(source) : source, to, table);
}
/* SPDX-License-Identifier: MIT */
