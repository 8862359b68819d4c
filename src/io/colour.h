/* Colour maps: from elements to pixels.  Internal. */
#ifndef MW_COLOUR_H
#define MW_COLOUR_H

#include <stdbool.h>

#include <meshwork/io.h>

#define MW_COLOURS 256 /* entries of a table */

/* A map and the values of its ends. */
struct mw_colour_scale {
    double lo, hi;
    bool is_gray; /* elements become one byte each, not three */
    unsigned char table[MW_COLOURS][3];
};
/* Fills a scale for the first `count` elements of an array; lo == hi: their range.  A scale of map "gray" is gray if
 * all elements are finite.  MW_EINVAL: unknown map (the message lists the known ones), elements that are not real, or
 * limits that are not finite. */
int mw_colour_scale_make(struct mw_colour_scale *scale, const struct mw_array *array, size_t count, const char *map,
                         double lo, double hi);
/* Writes the colours of `count` elements from `first` on. */
void mw_colour_elements(const struct mw_colour_scale *scale, const struct mw_array *array, size_t first, size_t count,
                        unsigned char *to);

#endif
/* SPDX-License-Identifier: MIT */
