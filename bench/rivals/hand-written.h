/* Cahn-Hilliard by hand: what a scientist writes in an afternoon, the opponent of bench/cahn-hilliard.  Single
 * precision, two or three dimensions, periodic, RK2, all coefficients 1; compiled with -O3 -march=native and OpenMP. */
#ifndef HAND_WRITTEN_H
#define HAND_WRITTEN_H

#include <stdbool.h>

struct hand_lattice {
    int nx, ny, nz;              /* at least 4 each; nz 0: two dimensions */
    float *c, *half, *mu;        /* the state, the state after half a step, room for a potential */
};

/* Zeroed arrays for the lengths that are set, each page first touched by the thread that works on it; false where
 * there is no memory. */
bool hand_new(struct hand_lattice *lattice);
void hand_free(struct hand_lattice *lattice);
long hand_cells(const struct hand_lattice *lattice);

/* One step in two passes, the potential evaluated at all points of the stencil: the least memory traffic. */
void hand_two_passes(struct hand_lattice *l, float dt);
/* One step in four passes, the potential written to memory: the least arithmetic. */
void hand_four_passes(struct hand_lattice *l, float dt);
/* to = from, with all threads: the machine's copy bandwidth. */
void hand_copy(float *to, const float *from, long n);
int hand_threads(void);

#endif
/* SPDX-License-Identifier: MIT */
