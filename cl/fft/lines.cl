/* Fourier transforms of lines, for cores and, with VEC 1, for lines of any length on all devices. A work-item
 * transforms bundles of VEC neighbouring lines in its scratch memory, which fits in caches. The first pass reads the
 * lines and the last one writes them if they are whole vectors there. */
#include "fft/passes.clh"
#if VEC > 1
#ifdef REAL_DOUBLE
#define ELEMENT_BYTES 8
#else
#define ELEMENT_BYTES 4
#endif
#include "lattice/vectors.clh"
#endif

NATIVE_PROGRAM(fft_single, VEC=16)
NATIVE_PROGRAM(fft_double, VEC=8 REAL_DOUBLE)
NATIVE_PROGRAM(fft_single_1, )
NATIVE_PROGRAM(fft_double_1, REAL_DOUBLE)

/* ---- passes ---- */

#define RUN_PASS(R)                                                                                                  \
    INLINE void run_pass_##R(const struct fft_pass s, const __global real *table)                                    \
    {                                                                                                                \
        const int blocks = s.n / R / s.before;                                                                       \
        real wr[R], wi[R];                                                                                           \
        for (int k = 0; k < s.before; k++) {                                                                         \
            fft_twiddles_##R(s, table, k, wr, wi);                                                                   \
            for (int p = 0; p < blocks; p++)                                                                         \
                fft_butterfly_##R(s, p, k, wr, wi);                                                                  \
        }                                                                                                            \
    }
RUN_PASS(2)
RUN_PASS(3)
RUN_PASS(4)
RUN_PASS(5)
RUN_PASS(7)
RUN_PASS(8)

INLINE void run_any(const struct fft_pass s, const __global real *table, const int radix)
{
    for (int p = 0; p < s.n / radix / s.before; p++)
        for (int k = 0; k < s.before; k++)
            for (int q = 0; q < radix; q++)
                fft_any(s, table, radix, p, k, q);
}

INLINE void run_pass(const struct fft_pass s, const __global real *table, const int radix)
{
    switch (radix) {
    case 2: run_pass_2(s, table); break;
    case 3: run_pass_3(s, table); break;
    case 4: run_pass_4(s, table); break;
    case 5: run_pass_5(s, table); break;
    case 7: run_pass_7(s, table); break;
    case 8: run_pass_8(s, table); break;
    default: run_any(s, table, radix);
    }
}

/* ---- rows, which are transposed between memory and scratch ---- */

#ifdef SHUFFLES
#define ROWS_ROUND(to, from)                                                                                         \
    UNROLL for (int v = 0; v < VEC / 2; v++)                                                                         \
    {                                                                                                                \
        to[2 * v] = SHUFFLE(from[v], from[v + VEC / 2], LOW_HALVES, 0, 0, 0);                                        \
        to[2 * v + 1] = SHUFFLE(from[v], from[v + VEC / 2], HIGH_HALVES, 0, 0, 0);                                   \
    }
#if VEC == 16
#define ROWS_LAST ROWS_ROUND(a, b)
#define ROWS_RESULT a
#else
#define ROWS_LAST
#define ROWS_RESULT b
#endif
/* Transposes the VEC vectors of array a; the result is in array ROWS_RESULT. */
#define TRANSPOSE_ROWS                                                                                               \
    realv b[VEC];                                                                                                    \
    ROWS_ROUND(b, a)                                                                                                 \
    ROWS_ROUND(a, b)                                                                                                 \
    ROWS_ROUND(b, a)                                                                                                 \
    ROWS_LAST
#endif

/* Loads a part of elements x to x + VEC - 1 of VEC rows, which are `offset` further. */
INLINE void load_rows(__global real *const *row, const i64 x, const i64 offset, const struct fft_place to,
                      const i64 part)
{
#ifdef SHUFFLES
    realv a[VEC];
    UNROLL for (int v = 0; v < VEC; v++)
        a[v] = load_lanes(row[v] + x + offset);
    TRANSPOSE_ROWS
    UNROLL for (int v = 0; v < VEC; v++)
        store_lanes(ROWS_RESULT[v], to.re + (x + v) * to.step + part);
#else
    for (int v = 0; v < VEC; v++)
        for (int lane = 0; lane < VEC; lane++)
            to.re[(x + v) * to.step + part + lane] = row[lane][x + v + offset];
#endif
}

/* Stores a part of such elements in the first `count` rows. */
INLINE void store_rows(const struct fft_place from, const i64 part, __global real *const *row, const i64 x,
                       const i64 offset, const int count)
{
#ifdef SHUFFLES
    realv a[VEC];
    UNROLL for (int v = 0; v < VEC; v++)
        a[v] = load_lanes(from.re + (x + v) * from.step + part);
    TRANSPOSE_ROWS
    UNROLL for (int v = 0; v < VEC; v++)
        if (v < count)
            store_lanes(ROWS_RESULT[v], row[v] + x + offset);
#else
    for (int v = 0; v < VEC; v++)
        for (int lane = 0; lane < count; lane++)
            row[lane][x + v + offset] = from.re[(x + v) * from.step + part + lane];
#endif
}

/* Finds VEC rows from row `first` on; beyond the last one the last. */
INLINE void find_rows(const struct fft_side side, __global real *memory, const i64 array, const i64 first,
                      const i64 rows, __global real **row)
{
    for (int v = 0; v < VEC; v++)
        row[v] = memory + fft_group(side, array, first + v < rows ? first + v : rows - 1);
}

/* ---- real lines that are no whole vector, or have an odd length ---- */

/* Copies `count` lanes of n elements to scratch memory; other lanes, and imaginary parts unless pairs are packed, are
 * 0. */
INLINE void load_some(const struct fft_memory from, const struct fft_place to, const int n, const int count,
                      const int packed)
{
    for (int e = 0; e < n; e++)
        for (int part = 0; part < 2; part++) {
            const __global real *source = from.re + e * from.step + part * from.im;
            const int lanes = part == 0 || packed ? count : 0;
            if (lanes == VEC)
                store_lanes(load_lanes(source), to.re + e * to.step + part * to.im);
            else
                for (int lane = 0; lane < VEC; lane++)
                    to.re[e * to.step + part * to.im + lane] = lane < lanes ? source[lane] : R(0.0);
        }
}

INLINE void store_some(const struct fft_place from, const struct fft_memory to, const int n, const int count,
                       const int packed)
{
    for (int e = 0; e < n; e++)
        for (int part = 0; part <= packed; part++) {
            __global real *target = to.re + e * to.step + part * to.im;
            if (count == VEC)
                store_lanes(load_lanes(from.re + e * from.step + part * from.im), target);
            else
                for (int lane = 0; lane < count; lane++)
                    target[lane] = from.re[e * from.step + part * from.im + lane];
        }
}

/* ---- lines ---- */

/* Number of elements, in whole vectors for transpositions. */
#define SCRATCH_ELEMENTS(n) (((n) + VEC - 1) / VEC * VEC)

/* Input and output of a bundle: its place in memory, if passes may use it, and rows, if they are transposed. */
struct bundle {
    i64 array, group, first;
    int count; /* lines */
};

/* Loads a bundle's lines into scratch memory. Returns whether the first pass reads them from memory instead. */
INLINE int load_bundle(const struct fft_lines *l, const struct bundle *b, __global real *from,
                       const __global real *table, const struct fft_place to, __private struct fft_memory *place)
{
    *place = fft_side_place(l->from, from, b->array, b->group, b->first, l->kind == FFT_REAL && !l->back && l->packed);
    if (l->kind == FFT_ROWS && !l->back) {
        __global real *row[VEC];
        find_rows(l->from, from, b->array, b->first, l->lines, row);
        for (i64 x = 0; x < l->n; x += VEC) {
            load_rows(row, x, 0, to, 0);
            load_rows(row, x, l->from.im, to, to.im);
        }
        return 0;
    }
    if (l->kind == FFT_REAL && l->back) {
        for (int k = 0; k <= l->n / 2; k++)
            if (l->packed)
                fft_join(*place, to, table, l->n, k);
            else
                fft_whole(*place, to, l->n, k);
        return 0;
    }
    if (l->kind == FFT_REAL && (!l->packed || b->count < VEC)) {
        load_some(*place, to, l->n, b->count, l->packed);
        return 0;
    }
    if (!l->direct) {
        load_some(*place, to, l->n, VEC, 1);
        return 0;
    }
    return 1;
}

/* Returns whether the last pass writes a bundle's lines to memory. */
INLINE int is_stored(const struct fft_lines *l, const struct bundle *b, __global real *to,
                     __private struct fft_memory *place)
{
    *place = fft_side_place(l->to, to, b->array, b->group, b->first, l->kind == FFT_REAL && l->back && l->packed);
    return l->kind == FFT_REAL   ? l->back && l->packed && b->count == VEC
           : l->kind == FFT_ROWS ? !l->back
                                 : 1;
}

/* Stores a bundle's lines from scratch memory. */
INLINE void store_bundle(const struct fft_lines *l, const struct bundle *b, const struct fft_place from,
                         __global real *to, const __global real *table, const struct fft_memory place)
{
    if (l->kind == FFT_ROWS) {
        __global real *row[VEC];
        find_rows(l->to, to, b->array, b->first, l->lines, row);
        for (i64 x = 0; x < l->n; x += VEC) {
            store_rows(from, 0, row, x, 0, b->count);
            store_rows(from, from.im, row, x, l->to.im, b->count);
        }
    } else if (l->back) {
        store_some(from, place, l->n, b->count, l->packed);
    } else {
        for (int k = 0; k <= l->n / 2; k++)
            if (l->packed)
                fft_split(from, place, table, l->n, k);
            else
                fft_half(from, place, k);
    }
}

/* Makes all passes from `source` to `target` if `stored`, else to one of the two places in scratch memory, which it
 * returns. `in_memory`: the source is neither. */
INLINE struct fft_place run_passes(const struct fft_lines *l, struct fft_place source, const struct fft_place target,
                                   const struct fft_place a, const struct fft_place b, const int in_memory,
                                   const int stored, const __global real *table, const __global i32 *radices)
{
    struct fft_pass s = { source, target, l->n, 1, 0, l->table };
    int in_b = !in_memory ? 0 : 1;
    for (int i = 0; i < l->passes; i++) {
        const int radix = radices[i];
        s.to = stored && i + 1 == l->passes ? target : in_b ? a : b;
        s.scale = l->table / (s.before * radix);
        run_pass(s, table, radix);
        s.before *= radix;
        s.from = s.to;
        in_b = !in_b;
    }
    return s.from;
}

/* Transforms lines in parts of `each` bundles. `scratch` has room for two lines per lane of each work-item. */
__kernel void SHARES fft_lines(__global real *from, __global real *to, __global real *scratch,
                               const __global real *table, const __global i32 *radices, const i64 each,
                               const struct fft_lines l)
{
    const i64 bundles = (l.lines + VEC - 1) / VEC, room = SCRATCH_ELEMENTS(l.n) * 2 * VEC;
    const i64 end = PART_END(bundles * l.groups * l.batch, each);
    const struct fft_place a = { scratch + (i64)WORKER * 2 * room, VEC, 2 * VEC }, b = { a.re + room, VEC, 2 * VEC };
    for (i64 i = PART_FIRST(each); i < end; i++) {
        const i64 first = i % bundles * VEC, group = i / bundles;
        const struct bundle at = { group / l.groups, group % l.groups, first,
                                   l.lines - first < VEC ? (int)(l.lines - first) : VEC };
        struct fft_memory source, target;
        const int in_memory = load_bundle(&l, &at, from, table, a, &source);
        const int stored = is_stored(&l, &at, to, &target);
        const struct fft_place from_memory = { source.re, source.im, source.step };
        const struct fft_place to_memory = { target.re, target.im, target.step };
        const struct fft_place input = in_memory ? from_memory : a;
        const struct fft_place result = run_passes(&l, l.back ? fft_turned(input) : input,
                                                   l.back ? fft_turned(to_memory) : to_memory, a, b, in_memory, stored,
                                                   table, radices);
        if (!stored)
            store_bundle(&l, &at, l.back ? fft_turned(result) : result, to, table, target);
    }
}
/* SPDX-License-Identifier: MIT */
