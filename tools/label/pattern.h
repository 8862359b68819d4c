/* Test patterns of 0 and 1, for `meshwork label --pattern`, its bench and its tests. */
#ifndef PATTERN_H
#define PATTERN_H

#include <meshwork/io.h>

struct pattern {
    const char *name;
    bool has_density;    /* --density and --seed apply */
    unsigned cell_bytes; /* extra memory per cell while it is made */
    /* Fills an array of zeroed bytes with any lengths. */
    int (*make)(struct mw_array *cells, double density, uint64_t seed);
};
extern const struct pattern patterns[]; /* ends with a NULL name */

#endif
/* SPDX-License-Identifier: MIT */
