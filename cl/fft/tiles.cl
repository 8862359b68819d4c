/* Fourier transforms of lines, for work-groups: a group transforms `together` neighbouring lines in local memory. Build
 * macros: GROUP, and TILE, the complex numbers in local memory, which holds two copies. */
#include "fft/passes.clh"

/* Loop over elements i of a tile, whose neighbouring lines are next to each other; and an element's number and line. */
#define EACH_OF(count) for (int i = ITEM; i < (count) * l->together; i += GROUP)
#define NUMBER (i / l->together)
#define LINE_OF (i % l->together)

#define TILE_PASS(R)                                                                                                 \
    INLINE void tile_pass_##R(const struct fft_pass s, const __global real *table, const int together)               \
    {                                                                                                                \
        for (int i = ITEM; i < s.n / R * together; i += GROUP) {                                                     \
            const int j = i / together, k = j % s.before;                                                            \
            real wr[R], wi[R];                                                                                       \
            struct fft_pass of_line = s;                                                                             \
            of_line.from.re += i % together;                                                                         \
            of_line.to.re += i % together;                                                                           \
            if (s.before > 1)                                                                                        \
                fft_twiddles_##R(s, table, k, wr, wi);                                                               \
            fft_butterfly_##R(of_line, j / s.before, k, wr, wi);                                                     \
        }                                                                                                            \
    }
TILE_PASS(2)
TILE_PASS(3)
TILE_PASS(4)
TILE_PASS(5)
TILE_PASS(7)
TILE_PASS(8)

INLINE void tile_any(const struct fft_pass s, const __global real *table, const int radix, const int together)
{
    for (int i = ITEM; i < s.n * together; i += GROUP) {
        const int at = i / together, q = at % radix, j = at / radix;
        struct fft_pass of_line = s;
        of_line.from.re += i % together;
        of_line.to.re += i % together;
        fft_any(of_line, table, radix, j / s.before, j % s.before, q);
    }
}

INLINE void tile_pass(const struct fft_pass s, const __global real *table, const int radix, const int together)
{
    switch (radix) {
    case 2: tile_pass_2(s, table, together); break;
    case 3: tile_pass_3(s, table, together); break;
    case 4: tile_pass_4(s, table, together); break;
    case 5: tile_pass_5(s, table, together); break;
    case 7: tile_pass_7(s, table, together); break;
    case 8: tile_pass_8(s, table, together); break;
    default: tile_any(s, table, radix, together);
    }
}

INLINE struct fft_memory memory_line(struct fft_memory place, const int line)
{
    place.re += line;
    return place;
}
INLINE struct fft_place place_line(struct fft_place place, const int line)
{
    place.re += line;
    return place;
}

/* A tile: `count` lines from line `first` on of a group of lines. */
struct tile {
    i64 array, group, first;
    int count;
};

/* Loads a tile's lines into local memory. */
INLINE void load_tile(__private const struct fft_lines *l, const struct tile t, __global real *from,
                      const __global real *table, const struct fft_place a)
{
    const int packed = l->kind == FFT_REAL && !l->back && l->packed;
    const struct fft_memory source = fft_side_place(l->from, from, t.array, t.group, t.first, packed);
    if (l->kind == FFT_ROWS && !l->back) {
        EACH_OF(l->n)
        {
            const int line = i / l->n, x = i % l->n;
            const i64 number = line < t.count ? t.first + line : l->lines - 1;
            const __global real *row = from + fft_group(l->from, t.array, number) + x;
            a.re[x * l->together + line] = row[0];
            a.re[x * l->together + line + a.im] = row[l->from.im];
        }
    } else if (l->kind == FFT_REAL && l->back) {
        EACH_OF(l->n / 2 + 1)
            if (LINE_OF < t.count) {
                if (l->packed)
                    fft_join(memory_line(source, LINE_OF), place_line(a, LINE_OF), table, l->n, NUMBER);
                else
                    fft_whole(memory_line(source, LINE_OF), place_line(a, LINE_OF), l->n, NUMBER);
            }
    } else {
        EACH_OF(l->n)
        {
            const int inside = LINE_OF < t.count;
            const __global real *at = source.re + LINE_OF + NUMBER * source.step;
            a.re[i] = inside ? at[0] : R(0.0);
            a.re[i + a.im] = inside && (l->kind != FFT_REAL || l->packed) ? at[source.im] : R(0.0);
        }
    }
}

/* Stores a tile's lines from local memory. */
INLINE void store_tile(__private const struct fft_lines *l, const struct tile t, const struct fft_place result,
                       __global real *to, const __global real *table)
{
    const int packed = l->kind == FFT_REAL && l->back && l->packed;
    const struct fft_memory target = fft_side_place(l->to, to, t.array, t.group, t.first, packed);
    if (l->kind == FFT_ROWS && l->back) {
        for (int i = ITEM; i < l->n * t.count; i += GROUP) {
            const int line = i / l->n, x = i % l->n;
            __global real *row = to + fft_group(l->to, t.array, t.first + line) + x;
            row[0] = result.re[x * l->together + line];
            row[l->to.im] = result.re[x * l->together + line + result.im];
        }
    } else if (l->kind == FFT_REAL && !l->back) {
        EACH_OF(l->n / 2 + 1)
            if (LINE_OF < t.count) {
                if (l->packed)
                    fft_split(place_line(result, LINE_OF), memory_line(target, LINE_OF), table, l->n, NUMBER);
                else
                    fft_half(place_line(result, LINE_OF), memory_line(target, LINE_OF), NUMBER);
            }
    } else {
        EACH_OF(l->n)
            if (LINE_OF < t.count) {
                __global real *at = target.re + LINE_OF + NUMBER * target.step;
                at[0] = result.re[i];
                if (l->kind != FFT_REAL || l->packed)
                    at[target.im] = result.re[i + result.im];
            }
    }
}

/* Transforms the lines of one tile per group. */
__kernel void fft_tiles(__global real *from, __global real *to, const __global real *table,
                        const __global i32 *radices, const struct fft_lines l)
{
    SHARED real room[4 * TILE];
    const i64 tiles = (l.lines + l.together - 1) / l.together, group = PART_NUMBER / tiles;
    const i64 first = PART_NUMBER % tiles * l.together;
    const struct tile t = { group / l.groups, group % l.groups, first,
                            l.lines - first < l.together ? (int)(l.lines - first) : l.together };
    const struct fft_place a = { room, l.n * l.together, l.together };
    const struct fft_place b = { room + 2 * l.n * l.together, l.n * l.together, l.together };
    struct fft_pass s = { l.back ? fft_turned(a) : a, b, l.n, 1, 0, l.table };
    int in_b = 0;
    if (t.array >= l.batch)
        return;
    load_tile(&l, t, from, table, a);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < l.passes; i++) { /* uniform */
        s.to = in_b ? a : b;
        s.scale = l.table / (s.before * radices[i]);
        tile_pass(s, table, radices[i], l.together);
        barrier(CLK_LOCAL_MEM_FENCE);
        s.before *= radices[i];
        s.from = s.to;
        in_b = !in_b;
    }
    store_tile(&l, t, l.back ? fft_turned(s.from) : s.from, to, table);
}
/* SPDX-License-Identifier: MIT */
