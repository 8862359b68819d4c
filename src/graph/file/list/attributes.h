/* Lines of edge lists. Internal. */
#ifndef MW_GRAPH_FILE_LIST_ATTRIBUTES_H
#define MW_GRAPH_FILE_LIST_ATTRIBUTES_H

#include "graph/file/text.h"
#include "graph/weights.h"

/* Beginning of a line that names a vertex without edges. To other programs, the line is a comment. */
#define MW_LIST_VERTEX "# meshwork vertex "

/* The attributes of an edge in a line of an edge list. */
struct mw_attributes {
    bool has_weight;
    mw_decimal weight;  /* if has_weight */
    const char *unread; /* first ignored text in the line; NULL: none */
};
/* Reads the rest of a line, from the end of the names to the newline or to a comment after #. A weight is one of these;
 * the first in the line is used:
 * - a number as the first word
 * - weight=NUMBER
 * - {'weight': NUMBER}, an entry of a dictionary as Python and JSON write it
 * After a brace that does not begin a dictionary, no other dictionary is read. */
void mw_attributes_read(const char *at, struct mw_attributes *found);

#endif
/* SPDX-License-Identifier: MIT */
