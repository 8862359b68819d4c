/* Names of vertices.  Internal. */
#ifndef MW_GRAPH_NAMES_H
#define MW_GRAPH_NAMES_H

#include <meshwork/graph.h>

#include "base/base.h"

/* Makes names of `count` vertices that are numbers: vertex v is named number[v]. Takes over the malloc'ed array, also
 * on failure. */
int mw_names_of_numbers(uint64_t *number, size_t count, struct mw_names **names);
/* Makes names of `count` vertices that are texts: vertex v is named by the NUL-terminated text at bytes + start[v].
 * Takes over the malloc'ed arrays, also on failure. */
int mw_names_of_texts(char *bytes, size_t *start, size_t count, struct mw_names **names);
/* Makes names that are consecutive numbers: vertex v is named first + v. */
int mw_names_counted(uint64_t first, struct mw_names **names);
/* Adds an owner, and returns `names`; NULL is allowed. */
struct mw_names *mw_names_share(struct mw_names *names);
/* Releases an owner; the last one frees the names. NULL is allowed. */
void mw_names_free(struct mw_names *names);
/* Returns whether names are consecutive numbers, and stores the first one in *first. NULL: true, and 0. */
bool mw_names_are_counted(const struct mw_names *names, uint64_t *first);

#endif
/* SPDX-License-Identifier: MIT */
