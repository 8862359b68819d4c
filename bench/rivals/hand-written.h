/* Hand-written Cahn-Hilliard loops, as a scientist writes in an afternoon: the opponent of bench/cahn-hilliard.  Single
 * precision, two or three dimensions, periodic, RK2, all coefficients 1; compiled with -O3 -march=native and OpenMP. */
#ifndef HAND_WRITTEN_H
#define HAND_WRITTEN_H

#include <stdbool.h>

struct hand_lattice {
    int nx, ny, nz;       /* at least 4 each; nz 0: two dimensions */
    float *c, *half, *mu; /* the state, the state after half a step, space for a potential */
};

/* Allocates zeroed arrays for the lengths; the thread that will work on a page touches it first.  Returns false if
 * memory runs out. */
bool hand_new(struct hand_lattice *lattice);
void hand_free(struct hand_lattice *lattice);
long hand_cells(const struct hand_lattice *lattice);

/* Advances one step in two passes, with the potential evaluated at all points of the stencil: minimum memory
 * traffic. */
void hand_two_passes(struct hand_lattice *l, float dt);
/* Advances one step in four passes, with the potential stored in memory: minimum arithmetic. */
void hand_four_passes(struct hand_lattice *l, float dt);
/* Copies with all threads: the machine's copy bandwidth. */
void hand_copy(float *to, const float *from, long n);
int hand_threads(void);

#endif
/* SPDX-License-Identifier: MIT */
