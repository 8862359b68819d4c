/* Components: what other modules of the library take of components.c. */
#ifndef MW_COMPONENTS_INTERNAL_H
#define MW_COMPONENTS_INTERNAL_H

#include <meshwork/components.h>

/* Of sizes: their sum, the largest, and the first component that has it. */
struct mw_components_totals { uint32_t cells, largest, first; };

/* From `count` sizes on the primitives' device; all are 0 of no components.  Waits, once; what else is wanted of the
 * device may come by the same read: *word, element `also_at` of the words in `also` (NULL: nothing).  Of no
 * components *word stays as it is. */
int mw_components_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count,
                         struct mw_components_totals *totals, struct mw_buffer *also, size_t also_at, uint32_t *word);
void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary);

#endif
/* SPDX-License-Identifier: MIT */
