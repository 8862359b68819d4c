/* A transposition, compiled for one plan.  A work-group reads a tile along the source, transposes it in local memory,
 * and writes it along the result.  Axis 0 is contiguous in the result, axis 1 in the source.
 *
 * A tile has TILE_0 x TILE_1 cells; a work-group moves GROUP cells at a time.  Tiles that are adjacent in the result
 * are processed consecutively, so that lines of two tiles are complete before they leave the caches. */
#include "lattice/plan.clh"
#include "lattice/vectors.clh"

#define PITCH (TILE_0 + 1)       /* so that the cells of a column are in different banks */

__kernel void transform_local(__global element *to, const __global element *from, const __global i64 *plan,
                              const element fill, const i64 count, const i64 each)
{
    SHARED element tile[TILE_1 * PITCH];
    const ukindex n0 = axis_length(0), n1 = axis_length(1);
    const ukindex tiles0 = (n0 + TILE_0 - 1) / TILE_0, tiles1 = (n1 + TILE_1 - 1) / TILE_1;
    const ukindex group = (ukindex)(get_global_id(0) / GROUP), item = (ukindex)get_local_id(0);
    const ukindex first0 = group % tiles0 * TILE_0, first1 = group / tiles0 % tiles1 * TILE_1;
    kindex f, t;
    const int inside = place(plan, 2, (kindex)(group / tiles0 / tiles1), &f, &t);
    for (int turn = 0; turn < TILE_0 * TILE_1 / GROUP; turn++) {
        const ukindex cell = turn * GROUP + item, i = cell / TILE_1, j = cell % TILE_1;
        if (inside && first0 + i < n0 && first1 + j < n1)
            tile[j * PITCH + i] = from[(ukindex)f + (first0 + i) * axis_stride(0) + first1 + j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int turn = 0; turn < TILE_0 * TILE_1 / GROUP; turn++) {
        const ukindex cell = turn * GROUP + item, i = cell % TILE_0, j = cell / TILE_0;
        const ukindex k = (ukindex)t + (first1 + j) * axis_to(1) + first0 + i;
        if (first0 + i < n0 && first1 + j < n1) {
            if (inside)
                to[k] = tile[j * PITCH + i];
            else
                to[k] = fill;
        }
    }
}
/* SPDX-License-Identifier: MIT */
