/* Exponential time steps: sums of the spectra of rates with a factor, or a 2 x 2 matrix, per wave vector; and the step
 * from a state. See src/field/evolve/spectral.c. */
#include "hints.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(spectral_single, VEC=16)
NATIVE_PROGRAM(spectral_double, VEC=8 REAL_DOUBLE)
NATIVE_PROGRAM(spectral_single_1, )
NATIVE_PROGRAM(spectral_double_1, REAL_DOUBLE)

/* Adds a factor of `parts` parts, the real and the imaginary one, `plane` apart, times the number (r, i). */
INLINE void add_factor(const __global real *factor, const int parts, const i64 plane, const realv r, const realv i,
                       __private realv *re, __private realv *im)
{
    const realv a = load_lanes(factor);
    *re = *re + a * r;
    *im = *im + a * i;
    if (parts == 2) {
        const realv b = load_lanes(factor + plane);
        *re = *re - b * i;
        *im = *im + b * r;
    }
}

/* Computes the result of fields `first` and `second` (the same: one field) from the spectra of `stages` stages. Factors
 * begin at `offset`. They have a plane per stage, row and column of the matrix, and part. Spectra have `rows` rows of
 * two parts of `length` reals; fields are `field` reals apart, stages `stage` reals. An item sums VEC numbers. */
__kernel void SHARES spectral_sum(const __global real *spectra, __global real *to, const __global real *factors,
                                  const i64 offset, const i64 first, const i64 second, const i32 stages,
                                  const i32 parts, const i64 rows, const i64 length, const i64 field,
                                  const i64 stage)
{
    const i64 chunks = length / VEC, plane = rows * length, last = ITEMS_END(0);
    const int columns = first == second ? 1 : 2;
    for (i64 item = (i64)get_global_id(0); item < last; item++) {
        const i64 row = item / chunks, x = item % chunks * VEC, at = 2 * row * length + x;
        const __global real *factor = factors + offset + row * length + x;
        realv re[2], im[2];
        if (row >= rows)
            return;
        for (int a = 0; a < 2; a++)
            re[a] = im[a] = splat(R(0.0));
        for (int s = 0; s < stages; s++) {
            const __global real *const u = spectra + s * stage + at;
            const realv r0 = load_lanes(u + first * field), i0 = load_lanes(u + first * field + length);
            const realv r1 = load_lanes(u + second * field), i1 = load_lanes(u + second * field + length);
            add_factor(factor, parts, plane, r0, i0, &re[0], &im[0]);
            factor += parts * plane;
            if (columns == 2) {
                add_factor(factor, parts, plane, r1, i1, &re[0], &im[0]);
                add_factor(factor + parts * plane, parts, plane, r0, i0, &re[1], &im[1]);
                add_factor(factor + 2 * parts * plane, parts, plane, r1, i1, &re[1], &im[1]);
                factor += 3 * parts * plane;
            }
        }
        store_lanes(re[0], to + first * field + at);
        store_lanes(im[0], to + first * field + at + length);
        if (columns == 2) {
            store_lanes(re[1], to + second * field + at);
            store_lanes(im[1], to + second * field + at + length);
        }
    }
}

/* Adds an increment to n cells of a state, in parts of `each` cells. */
__kernel void SHARES spectral_add(const __global real *state, const __global real *increment, __global real *to,
                                  const i64 n, const i64 each)
{
    const i64 end = PART_END(n, each);
    for (i64 i = PART_FIRST(each); i < end; i += PART_STEP)
        to[i] = state[i] + increment[i];
}
/* SPDX-License-Identifier: MIT */
