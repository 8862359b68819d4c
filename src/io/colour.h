/* Colour maps as tables.  Internal. */
#ifndef MW_COLOUR_H
#define MW_COLOUR_H

#define MW_COLOURS 256 /* entries of a table */

/* Fills a table with the red, green and blue of a map, from low to high values.  MW_EINVAL: unknown map; the message
 * lists the known ones. */
int mw_colour_table(const char *map, unsigned char table[MW_COLOURS][3]);

#endif
/* SPDX-License-Identifier: MIT */
