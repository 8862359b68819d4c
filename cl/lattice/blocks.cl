/* A layout transform with rows that run backwards in the source, compiled for one plan.  A work-group reads blocks of a
 * row upwards, reverses them in local memory, and writes them upwards.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * listings 3 and 4.  Extensions: any lengths, any map across the rows, several cells per work-item, and several short
 * rows per work-group.  A work-group has TILE_1 blocks of TILE_0 cells, and moves GROUP cells at a time.  Rows are
 * written in their order. */
#include "lattice/plan.clh"
#include "lattice/vectors.clh"

__kernel void transform_blocks(__global element *to, const __global element *from, const __global i64 *plan,
                               const element fill, const i64 count, const i64 each)
{
    SHARED element block[TILE_0 * TILE_1];
    const ukindex length = axis_length(0), rows = FIXED_CELLS / length, blocks = (length + TILE_0 - 1) / TILE_0;
    const ukindex group = (ukindex)(get_global_id(0) / GROUP), item = (ukindex)get_local_id(0);
    const ukindex row = group / blocks * TILE_1, first = group % blocks * TILE_0;
    const ukindex n = length - first < TILE_0 ? length - first : TILE_0;
    kindex f, t;
    for (int turn = 0; turn < TILE_0 * TILE_1 / GROUP; turn++) {
        const ukindex cell = turn * GROUP + item, x = cell % TILE_0, y = cell / TILE_0;
        if (x < n && row + y < rows) {
            if (place(plan, 1, (kindex)(row + y), &f, &t))
                block[y * TILE_0 + n - 1 - x] = from[(ukindex)f - (first + n - 1) + x];
            else
                block[y * TILE_0 + n - 1 - x] = fill;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int turn = 0; turn < TILE_0 * TILE_1 / GROUP; turn++) {
        const ukindex cell = turn * GROUP + item, x = cell % TILE_0, y = cell / TILE_0;
        if (x < n && row + y < rows)
            to[(row + y) * length + first + x] = block[cell];
    }
}
/* SPDX-License-Identifier: MIT */
