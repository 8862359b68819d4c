/* Colour maps as tables. */
#ifndef MW_COLOUR_H
#define MW_COLOUR_H

#define MW_COLOURS 256

/* Fills a table of red, green, blue from a map's low end to its high end.  MW_EINVAL: no such map; the message lists
 * those that there are. */
int mw_colour_table(const char *map, unsigned char table[MW_COLOURS][3]);

#endif
/* SPDX-License-Identifier: MIT */
