/* Colour maps: from elements to pixels.  Internal. */
#ifndef MW_COLOUR_H
#define MW_COLOUR_H

#include <stdbool.h>

#include <meshwork/io.h>

#define MW_COLOURS 256 /* entries of a table */

/* A map and the values of its ends. */
struct mw_colour_scale {
    double lo, hi;
    bool is_gray;
    unsigned bytes; /* per element: 1: index in the table, also the gray level; 2: gray level; 3: red, green, blue */
    unsigned char table[MW_COLOURS][3];
};
/* Fills a scale for the first `count` elements of an array; lo == hi: their range.  If all of them are finite, elements
 * become one byte, with map "gray16" two.  MW_EINVAL: unknown map (the message lists the known ones), elements that are
 * not real, or limits that are not finite. */
int mw_colour_scale_make(struct mw_colour_scale *scale, const struct mw_array *array, size_t count, const char *map,
                         double lo, double hi);
/* Writes the bytes of `count` elements from `first` on. */
void mw_colour_elements(const struct mw_colour_scale *scale, const struct mw_array *array, size_t first, size_t count,
                        unsigned char *to);

#endif
/* SPDX-License-Identifier: MIT */
