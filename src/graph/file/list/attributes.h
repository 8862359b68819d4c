/* What follows an edge's names in a list of edges.  Internal. */
#ifndef MW_GRAPH_FILE_LIST_ATTRIBUTES_H
#define MW_GRAPH_FILE_LIST_ATTRIBUTES_H

#include "graph/file/text.h"
#include "graph/weights.h"

struct mw_attributes {
    bool has_weight;
    mw_decimal weight;
    const char *unread;          /* the first text that is none of it; NULL: all was read */
};
/* Reads the rest of a line, from behind the names to its newline: a number as the first word, weight=NUMBER, or a
 * dictionary as Python and JSON write it, {'weight': NUMBER}; the first weight counts.  Text after
 * a brace that begins no dictionary has none.  Behind # is a comment. */
void mw_attributes_read(const char *at, struct mw_attributes *found);

#endif
/* SPDX-License-Identifier: MIT */
