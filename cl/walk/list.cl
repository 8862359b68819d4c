/* Steps of a walk over a list of accessible sites, from the start outwards, with a table of neighbours: variant C of
 * Hoffmann et al. 2010. */
#include "walk/step.clh"

NATIVE_PROGRAM(walk_list_2, WALK_DIMS=2)
NATIVE_PROGRAM(walk_list_3, WALK_DIMS=3)
NATIVE_PROGRAM(walk_list_2_double, WALK_DIMS=2 REAL_DOUBLE)
NATIVE_PROGRAM(walk_list_3_double, WALK_DIMS=3 REAL_DOUBLE)

/* Returns the new value of site i.  Its neighbour j is site adjacent[j * sites + i]: `absent` if not accessible,
 * `absent` + 1 if never reached.  Both places hold 0. */
INLINE real walk_list_next(const __global real *from, const __global i32 *adjacent, const i64 sites, const i32 absent,
                           const i64 i)
{
    const i32 l = adjacent[i], r = adjacent[sites + i], b = adjacent[2 * sites + i], a = adjacent[3 * sites + i];
    real sum = (from[l] + from[r]) + (from[b] + from[a]);
    i32 closed = (l == absent) + (r == absent) + (b == absent) + (a == absent);
#if WALK_DIMS == 3
    const i32 f = adjacent[4 * sites + i], k = adjacent[5 * sites + i];
    sum += from[f] + from[k];
    closed += (f == absent) + (k == absent);
#endif
    return walk_next(sum, (real)closed * from[i]);
}

/* Updates the first n sites. */
__kernel SHARES void walk_list(const __global real *from, __global real *to, const __global i32 *adjacent,
                               const i64 sites, const i32 absent, const i64 n, const i64 each)
{
    for (i64 i = PART_FIRST(each), end = PART_END(n, each); i < end; i += PART_STEP)
        to[i] = walk_list_next(from, adjacent, sites, absent, i);
}

/* Computes the n sites in `numbers` for other parts, before the step itself; sites from `reached` on are 0. */
__kernel SHARES void walk_ahead(const __global real *from, const __global i32 *adjacent, const i64 sites,
                                const i32 absent, const __global i32 *numbers, __global real *ahead,
                                const i64 reached, const i64 n, const i64 each)
{
    for (i64 i = PART_FIRST(each), end = PART_END(n, each); i < end; i += PART_STEP)
        ahead[i] = numbers[i] < reached ? walk_list_next(from, adjacent, sites, absent, numbers[i]) : R(0.0);
}
/* SPDX-License-Identifier: MIT */
