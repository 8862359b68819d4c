/* Spins of one byte: random start, updates of one colour, and measures.  Work-items of the first dimension share a row;
 * the second dimension has the rows. */
#include "spin/sweep.clh"

NATIVE_PROGRAM(spin_lengths, SPIN_BLOCKS=32)
NATIVE_PROGRAM(spin_powers, SPIN_BLOCKS=32 SPIN_POWERS)
NATIVE_PROGRAM(spin_plane, SPIN_BLOCKS=32 SPIN_PLANE)
NATIVE_PROGRAM(spin_lengths_crinkled, SPIN_BLOCKS=32 SPIN_CRINKLED)
NATIVE_PROGRAM(spin_powers_crinkled, SPIN_BLOCKS=32 SPIN_POWERS SPIN_CRINKLED)
NATIVE_PROGRAM(spin_plane_crinkled, SPIN_BLOCKS=32 SPIN_PLANE SPIN_CRINKLED)

/* Sets spins up or down with equal probability; a work-item sets SPIN_START_CELLS cells. */
__kernel void spin_start(__global spin *cells, const __global struct spin_mesh *mesh, const i32 rows, const u64 seed)
{
    const i32 block = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    if (mine >= rows || block > (length - 1) / SPIN_START_CELLS)
        return;
    const i32 first = block * SPIN_START_CELLS, n = length - first < SPIN_START_CELLS ? length - first
                                                                                      : SPIN_START_CELLS;
    const i64 at = (i64)(mine + mesh->halo) * mesh->pitch;
    const struct philox r = philox4x32_10((u32)block, (u32)(mesh->first + mine), 0u, SPIN_DRAW_START, (u32)seed,
                                          (u32)(seed >> 32));
    for (i32 j = 0; j < n; j++)
        cells[SPIN_PLACE(mesh, at, first + j)] = r.word[j / 32] >> j % 32 & 1u ? 1 : -1;
}

/* Updates `each` sites (a multiple of SPIN_SITES) of a colour per work-item, in rows first to last - 1. */
__kernel void spin_sweep(__global spin *cells, const __global u32 *rule, const __global struct spin_mesh *mesh,
                         const i32 first, const i32 last, const i32 each, const i32 colour, const u64 seed,
                         const u64 step SPIN_IMAGE_PARAMS)
{
    const i32 mine = first + (i32)get_global_id(1);
    const i32 end = ((mesh->length[0] + 1) / 2 + SPIN_SITES - 1) / SPIN_SITES;
    const i64 begin = (i64)get_global_id(0) * each;
    struct spin_row row;
    if (mine >= last || begin >= (i64)end * SPIN_SITES)
        return;
    spin_row_find(mesh, mine, &row);
    const struct spin_sites sites = spin_sites_of(mesh, &row, colour);
    const i64 stop = begin + each < sites.end ? begin + each : sites.end;
    spin_sweep_sites(cells, rule + row.system * SPIN_RULE(mesh->dims), mesh, &row, sites, (i32)begin, (i32)stop,
                     colour, seed, step SPIN_IMAGE_ARGS);
}

/* Computes, for each work-item, the sum of its spins and the sum of the products of the pairs that start at them.
 * These are pairs with the next neighbour in each dimension and with the spins beyond fixed boundaries.  `each`
 * work-items share a row, interleaved over its even cells, then its odd ones.  Sums have 64 bits: a row has up to 2^31
 * cells of 17 pairs. */
__kernel void spin_measure(const __global spin *cells, __global i64 *spins, __global i64 *pairs,
                           const __global struct spin_mesh *mesh, const i32 rows, const i32 each)
{
    const i32 item = (i32)get_global_id(0), mine = (i32)get_global_id(1), length = mesh->length[0];
    struct spin_row row;
    i64 all = 0, products = 0;
    if (mine >= rows || item >= each)
        return;
    spin_row_find(mesh, mine, &row);
    for (i32 odd = 0; odd < 2; odd++) {
        const i32 end = (length + 1 - odd) / 2;
        const __global spin *own = cells + SPIN_LINE(mesh, row.at, odd);
        const __global spin *right = cells + SPIN_LINE(mesh, row.at, 1 - odd) + odd * SPIN_APART;
        const i32 inner = 2 * (end - 1) + odd == length - 1 ? end - 1 : end;
        i32 sum = 0;
        for (i32 s = item; s < end; s += each)
            sum += own[(i64)s * SPIN_APART];
        all += sum;
        products += (i64)sum * row.outside;
        sum = 0;
        for (i32 s = item; s < inner; s += each)
            sum += own[(i64)s * SPIN_APART] * right[(i64)s * SPIN_APART];
        products += sum;
        for (i32 b = 0; b < row.above; b++) {
            const __global spin *line = cells + SPIN_LINE(mesh, row.row[b], odd);
            sum = 0;
            for (i32 s = item; s < end; s += each)
                sum += own[(i64)s * SPIN_APART] * line[(i64)s * SPIN_APART];
            products += sum;
        }
    }
    if (item == 0) {
        products += cells[SPIN_PLACE(mesh, row.at, length - 1)] * spin_beyond(mesh, &row, cells, 0);
        if (mesh->boundary[0] == BOUNDARY_FIXED)
            products += cells[SPIN_PLACE(mesh, row.at, 0)] * row.fixed;
    }
    spins[(i64)mine * each + item] = all;
    pairs[(i64)mine * each + item] = products;
}
/* SPDX-License-Identifier: MIT */
