/* Exponential time steps: sums of the spectra of rates with a factor, or a 2 x 2 matrix, per wave vector; and the step
 * from a state. See src/field/evolve/spectral.c. */
#include "field/mirror.clh"
#include "hints.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(spectral_single, VEC=16)
NATIVE_PROGRAM(spectral_double, VEC=8 REAL_DOUBLE)
NATIVE_PROGRAM(spectral_single_1, )
NATIVE_PROGRAM(spectral_double_1, REAL_DOUBLE)

/* Adds a factor of a kind, whose numbers are `plane` apart, times the number (r, i). */
INLINE void add_factor(const __global real *factor, const int kind, const i64 plane, const realv r, const realv i,
                       __private realv *re, __private realv *im)
{
    const realv a = load_lanes(factor);
    *re = *re + a * r;
    if (kind == FACTOR_APART) {
        *im = *im + load_lanes(factor + plane) * i;
        return;
    }
    *im = *im + a * i;
    if (kind == FACTOR_COMPLEX) {
        const realv b = load_lanes(factor + plane);
        *re = *re - b * i;
        *im = *im + b * r;
    }
}

/* Computes the result of fields `first` and `second` (the same: one field) from the spectra of `stages` stages. Factors
 * of a kind begin at `offset`. They have a plane per stage, row and column of the matrix, and part. Spectra have `rows`
 * rows of two parts of `length` reals. Fields are `field` reals apart, stages `stage` reals. An item sums VEC
 * numbers. */
__kernel void SHARES spectral_sum(const __global real *spectra, __global real *to, const __global real *factors,
                                  const i64 offset, const i64 first, const i64 second, const i32 stages,
                                  const i32 kind, const i64 rows, const i64 length, const i64 field,
                                  const i64 stage)
{
    const i64 chunks = length / VEC, plane = rows * length, each = FACTOR_PLANES(kind) * plane, last = ITEMS_END(0);
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
            add_factor(factor, kind, plane, r0, i0, &re[0], &im[0]);
            factor += each;
            if (columns == 2) {
                add_factor(factor, kind, plane, r1, i1, &re[0], &im[0]);
                add_factor(factor + each, kind, plane, r0, i0, &re[1], &im[1]);
                add_factor(factor + 2 * each, kind, plane, r1, i1, &re[1], &im[1]);
                factor += 3 * each;
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

/* ---- meshes with mirrors: see mirror.clh ---- */

/* Returns where a row of cells begins in a folded state; rows of fields follow each other. */
INLINE i64 folded_row(const __global i64 *axes, const int dims, const i64 row)
{
    i64 rest = row, stride = MIRROR_LENGTH(axes, 0), at = 0;
    for (int d = 1; d < dims; d++) {
        const i64 n = MIRROR_LENGTH(axes, d), x = rest % n;
        at += stride * (!MIRROR_IS(axes, d) ? x : x % 2 ? n - 1 - x / 2 : x / 2);
        rest /= n;
        stride *= n;
    }
    return at + rest * stride;
}

/* Folds n cells of a state, in parts of `each` cells; `back`: adds the folded increment `from` to a state. */
__kernel void SHARES mirror_fold(const __global real *state, const __global real *from, __global real *to,
                                 const __global i64 *axes, const i32 dims, const i32 back, const i64 n, const i64 each)
{
    const i64 end = PART_END(n, each), length = MIRROR_LENGTH(axes, 0);
    const int mirror = MIRROR_IS(axes, 0);
    i64 i = PART_FIRST(each), row = i / length, x = i % length, at = folded_row(axes, dims, row);
    for (; i < end; i += PART_STEP) {
        const i64 folded = at + (!mirror ? x : x % 2 ? length - 1 - x / 2 : x / 2);
        if (back)
            to[i] = state[i] + from[folded];
        else
            to[folded] = state[i];
        x += PART_STEP;
        if (x >= length) {
            row += x / length;
            x %= length;
            at = folded_row(axes, dims, row);
        }
    }
}

/* Turns Fourier into cosine transforms along dimension d, or `back`, in n places of spectra from `first` on, in parts
 * of `each`. An array has `lines` rows of `length` places, of which `used` have numbers. `table`: exp(-i pi k / 2n). */
__kernel void SHARES mirror_turn(__global real *spectra, const __global i64 *axes, const __global real *table,
                                 const i32 dims, const i32 d, const i32 back, const i64 lines, const i64 length,
                                 const i64 used, const i64 first, const i64 n, const i64 each)
{
    const i64 end = PART_END(n, each);
    const int slow = d == dims - 1;
    const real sign = slow ? R(-1.0) : R(1.0), middle = R(0.5); /* sign of the imaginary part at the other place */
    i64 i = PART_FIRST(each), row = i / length, k_0 = row % lines, r = i - row * length - PART_STEP;
    for (; i < end; i += PART_STEP) {
        r += PART_STEP;
        if (r >= length) { /* division takes as long as all else here */
            row = i / length;
            k_0 = row % lines;
            r = i - row * length;
        }
        const i64 k = r < used ? mirror_number(axes, dims, d, k_0, r) : 0;
        const i64 apart = k ? mirror_partner(axes, dims, d, k_0, r) : -1;
        if (apart < 0)
            continue;
        __global real *const a = spectra + first + 2 * row * length + r, *const b = a + apart;
        const real wr = table[2 * k], wi = table[2 * k + 1];
        const real ar = a[0], ai = a[length], br = b[0], bi = sign * b[length];
        if (!back) {
            const real xr = wr * ar - wi * ai, xi = wr * ai + wi * ar, yr = wr * br + wi * bi, yi = wr * bi - wi * br;
            const real cr = middle * (xr + yr), ci = middle * (xi + yi);
            const real dr = -(middle * (xi - yi)), di = middle * (xr - yr);
            a[0] = cr;
            a[length] = apart == 0 && slow ? dr : ci;
            if (apart > 0) {
                b[0] = dr;
                b[length] = sign * di;
            }
        } else {
            const int real_pair = apart == 0 && slow;
            const real ci = real_pair ? R(0.0) : ai, dr = real_pair ? ai : br, di = real_pair ? R(0.0) : bi;
            const real xr = ar + di, xi = ci - dr, yr = ar - di, yi = ci + dr;
            a[0] = wr * xr + wi * xi;
            a[length] = wr * xi - wi * xr;
            if (apart > 0) {
                b[0] = wr * yr - wi * yi;
                b[length] = sign * (wr * yi + wi * yr);
            }
        }
    }
}
/* SPDX-License-Identifier: MIT */
