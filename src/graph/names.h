/* Names of vertices.  Internal. */
#ifndef MW_GRAPH_NAMES_H
#define MW_GRAPH_NAMES_H

#include <meshwork/graph.h>

#include "base/base.h"

/* Names that take over malloc'ed arrays, also where they fail: number[v], or the text at bytes + start[v], which a NUL
 * ends. */
int mw_names_of_numbers(uint64_t *number, size_t count, struct mw_names **names);
int mw_names_of_texts(char *bytes, size_t *start, size_t count, struct mw_names **names);
/* The numbers from `first` on: first + v. */
int mw_names_counted(uint64_t first, struct mw_names **names);
/* One more owner, and one fewer; NULL is legal. */
struct mw_names *mw_names_share(struct mw_names *names);
void mw_names_free(struct mw_names *names);
/* For writers: true where names are counted from `*first` on (0 of NULL). */
bool mw_names_are_counted(const struct mw_names *names, uint64_t *first);

#endif
/* SPDX-License-Identifier: MIT */
