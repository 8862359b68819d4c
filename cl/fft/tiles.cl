/* Fourier transforms of lines, for work-groups: a group transforms `together` neighbouring lines in local memory. Build
 * macros: GROUP, and TILE, the complex numbers in local memory, which holds two copies. */
#include "fft/tiles.clh"

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
