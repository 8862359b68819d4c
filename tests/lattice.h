/* Common helpers of tests of lattices: random lattices, and steps across their ends. */
#ifndef MW_TESTS_LATTICE_H
#define MW_TESTS_LATTICE_H

#include <meshwork/lattice.h>

#include "lattice/lattice_internal.h"

#include "tests/check.h"

static inline int64_t below(int64_t n) { return (int64_t)random_below((size_t)n); }

static inline struct mw_lattice make(unsigned dims, const int64_t *length)
{
    struct mw_lattice l;
    OK(mw_lattice_make(dims, length, &l));
    return l;
}

/* Returns a lattice with random lengths and at most `most` cells; powers: the lengths are powers of two. */
static inline struct mw_lattice random_lattice(unsigned dims, int64_t most, bool powers)
{
    static const int64_t any[] = { 1, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 31, 64 };
    static const int64_t two[] = { 1, 1, 2, 2, 4, 8, 16, 32, 64 };
    int64_t length[MW_DIMS_MAX], cells = 1;
    for (unsigned i = 0; i < dims; i++) {
        length[i] = powers ? two[below(MW_COUNT(two))] : any[below(MW_COUNT(any))];
        if (cells * length[i] > most)
            length[i] = 1;
        cells *= length[i];
    }
    const struct mw_lattice l = make(dims, length);
    assert_int_equal(l.cells, cells);
    return l;
}

/* Returns the coordinate after n single steps from x, which turn round at a mirror; -1: beyond a fixed boundary. */
static inline int64_t walk(int64_t x, int64_t n, int64_t length, enum mw_boundary boundary)
{
    int64_t way = n < 0 ? -1 : 1;
    for (int64_t left = n < 0 ? -n : n; left > 0; left--) {
        const int64_t to = x + way;
        if (to >= 0 && to < length)
            x = to;
        else if (boundary == MW_BOUNDARY_FIXED)
            return -1;
        else if (boundary <= MW_BOUNDARY_PERIODIC)
            x = to < 0 ? length - 1 : 0;
        else
            way = -way;
    }
    return x;
}

#endif
/* SPDX-License-Identifier: MIT */
