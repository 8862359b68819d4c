/* The rest of an edge list's line after the names. Internal. */
#ifndef MW_GRAPH_FILE_LIST_ATTRIBUTES_H
#define MW_GRAPH_FILE_LIST_ATTRIBUTES_H

#include "graph/file/text.h"
#include "graph/weights.h"

struct mw_attributes {
    bool has_weight;
    mw_decimal weight;
    const char *unread; /* first ignored text; NULL: none */
};
/* Reads the rest of a line, from the end of the names to the newline. A weight is a number as the first word,
 * weight=NUMBER, or an entry of a dictionary as Python and JSON write it, {'weight': NUMBER}; the first weight counts.
 * After a brace that does not begin a dictionary, no other dictionary is read. # begins a comment. */
void mw_attributes_read(const char *at, struct mw_attributes *found);

#endif
/* SPDX-License-Identifier: MIT */
