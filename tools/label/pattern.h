/* Test images of 0 and 1, for `meshwork label --pattern`, its bench and its tests. */
#ifndef PATTERN_H
#define PATTERN_H

#include <meshwork/io.h>

struct pattern {
    const char *name;
    bool has_density;                    /* what --density and --seed are for */
    unsigned cell_bytes;                 /* that making it takes in addition, each */
    /* Fills an array of bytes, zeroed, of any lengths. */
    int (*make)(struct mw_array *cells, double density, uint64_t seed);
};
extern const struct pattern patterns[];  /* ended by a NULL name */

#endif
/* SPDX-License-Identifier: MIT */
