/* Fills a table of neighbours: entry j * LATTICE_CELLS + k is the k-index of neighbour j of cell k; -1: none.
 *
 *   COORDINATION  neighbours of a cell
 *   STEPS         { { ... }, ... }: LATTICE_DIMS coordinates of the step to each of them
 *   BOUNDARIES    { ... }: boundary of each dimension; unused with LATTICE_BITS, where all are periodic */
#include "prelude.clh"
#include "lattice.clh"

LUT i32 steps[COORDINATION][LATTICE_DIMS] = STEPS;

#ifdef LATTICE_BITS

/* Returns the k-index of neighbour j of cell k. */
INLINE kindex neighbour(const kindex k, const int j)
{
    kindex to = 0;
#define MOVE(i, length, stride, offset) to |= bits_advance(k, steps[j][i], stride, bits_mask(length, offset));
    LATTICE_EACH(MOVE)
    return to;
}

#else

LUT i32 boundaries[LATTICE_DIMS] = BOUNDARIES;

/* Returns the k-index of neighbour j of cell k, or -1 outside a fixed boundary. */
INLINE kindex neighbour(const kindex k, const int j)
{
    kindex to = 0, x;
#define MOVE(i, length, stride, offset)                                                                              \
    x = k_arrive(lattice_x(k, i), k_turns(steps[j][i], length), k_rest(steps[j][i], length), length, boundaries[i]); \
    if (x < 0)                                                                                                       \
        return -1;                                                                                                   \
    to += k_place(x, stride);
    LATTICE_EACH(MOVE)
    return to;
}

#endif

__kernel void lattice_neighbours(__global kindex *table)
{
    const u64 k = get_global_id(0);
    if (k >= LATTICE_CELLS)
        return;
    for (int j = 0; j < COORDINATION; j++)
        table[(u64)j * LATTICE_CELLS + k] = neighbour((kindex)k, j);
}
/* SPDX-License-Identifier: MIT */
