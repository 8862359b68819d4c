/* Colour maps as tables. */
#ifndef MW_COLOUR_H
#define MW_COLOUR_H

#define MW_COLOURS 256

/* Fills a table of red, green and blue from the low to the high end of a map.  MW_EINVAL: unknown map; the message
 * lists the known ones. */
int mw_colour_table(const char *map, unsigned char table[MW_COLOURS][3]);

#endif
/* SPDX-License-Identifier: MIT */
