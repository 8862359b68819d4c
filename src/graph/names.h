/* Names of vertices.  Internal. */
#ifndef MW_GRAPH_NAMES_H
#define MW_GRAPH_NAMES_H

#include <meshwork/graph.h>

#include "base/base.h"

/* Make names from malloc'ed arrays and take these over, also on failure. The name of v is number[v], or the text at
 * bytes + start[v], which ends with a NUL. */
int mw_names_of_numbers(uint64_t *number, size_t count, struct mw_names **names);
int mw_names_of_texts(char *bytes, size_t *start, size_t count, struct mw_names **names);
/* Makes names that are consecutive numbers: first + v. */
int mw_names_counted(uint64_t first, struct mw_names **names);
/* Add and release an owner; NULL is allowed. */
struct mw_names *mw_names_share(struct mw_names *names);
void mw_names_free(struct mw_names *names);
/* Returns whether names are consecutive numbers, and stores the first in *first (0 if names is NULL). */
bool mw_names_are_counted(const struct mw_names *names, uint64_t *first);

#endif
/* SPDX-License-Identifier: MIT */
