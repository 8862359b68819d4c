/* Steps of a walk by tiles, which are whole iterators of the carpet.  A tile is a task, as in Hoffmann, Hofmann,
 * Ruenger and Seeger 2006 ("Task Pool Teams").  Neighbours within a tile have 16-bit numbers. */
#include "walk/step.clh"

NATIVE_PROGRAM(walk_iterators_2, WALK_DIMS=2)
NATIVE_PROGRAM(walk_iterators_3, WALK_DIMS=3)
NATIVE_PROGRAM(walk_iterators_2_double, WALK_DIMS=2 REAL_DOUBLE)
NATIVE_PROGRAM(walk_iterators_3_double, WALK_DIMS=3 REAL_DOUBLE)

typedef unsigned short u16;

/* Updates the first n tiles.  After a tile's own sites come copies of neighbouring sites of other tiles, which are
 * fetched first.  Then follow two zeros, for neighbours that are not accessible and for those never reached. */
__kernel SHARES void walk_iterators(__global real *state, __global real *next, const __global u16 *adjacent,
                                    const __global i64 *tiles, const __global i32 *copied, const i64 n, const i64 each)
{
    for (i64 t = PART_FIRST(each), end = PART_END(n, each); t < end; t += PART_STEP) {
        const __global i64 *tile = tiles + t * WALK_TILE;
        const i32 sites = (i32)tile[1], copies = (i32)tile[4];
        const i32 absent = sites + copies;
        __global real *from = state + tile[0], *to = next + tile[0];
        const __global u16 *left = adjacent + tile[2], *right = left + sites;
        const __global u16 *below = right + sites, *above = below + sites;
        for (i32 i = 0; i < copies; i++)
            from[sites + i] = state[copied[tile[3] + i]];
        for (i32 i = 0; i < sites; i++) {
            const i32 l = left[i], r = right[i], b = below[i], a = above[i];
            real sum = (from[l] + from[r]) + (from[b] + from[a]);
            i32 closed = (l == absent) + (r == absent) + (b == absent) + (a == absent);
#if WALK_DIMS == 3
            const i32 f = above[sites + i], k = above[2 * sites + i];
            sum += from[f] + from[k];
            closed += (f == absent) + (k == absent);
#endif
            to[i] = walk_next(sum, (real)closed * from[i]);
        }
    }
}
/* SPDX-License-Identifier: MIT */
