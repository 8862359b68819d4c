/* Components: what other modules of the library take of components.c. */
#ifndef MW_COMPONENTS_INTERNAL_H
#define MW_COMPONENTS_INTERNAL_H

#include <meshwork/components.h>

/* Of sizes: their sum, the largest, also of each sign, and the first component that has the largest. */
struct mw_components_totals { uint32_t cells, largest, above, below, first; };

/* The program of components whose labels are i32, which has what is done with sizes as well. */
struct mw_prim_program;
extern const struct mw_prim_program mw_components_32;

/* Of `count` sizes on the primitives' device; of none *totals stays as it is.  Waits. */
int mw_components_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count,
                         struct mw_components_totals *totals);

/* Totals on their way to the host: { 0 } before the first.  TOTALS words of each part, and one more. */
struct mw_components_told { struct mw_staging *staging; size_t room, words; struct mw_event *event; };

/* The labels that components are of; NULL where those that were kept were written over them. */
struct mw_components_view { struct mw_buffer *labels; size_t n, count; enum mw_type type; };
void mw_components_view(const struct mw_components *components, struct mw_components_view *view);

/* Allocates the host's memory for totals of `count` sizes.  To be called before work is queued, which a driver may
 * finish before it allocates. */
int mw_components_told_reserve(struct mw_prim *prim, size_t count, struct mw_components_told *told);
/* Queues the totals of `count` sizes on the primitives' device, and their copy to the host.  Sizes are below 2^31;
 * negative ones are those of components that are not above a threshold.  The copy includes element `also_at` of the
 * words in `also` (NULL: none). */
int mw_components_totals_tell(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                              size_t also_at, struct mw_components_told *told);
/* Returns what was queued, and waits for it unless mw_components_told_wait has.  Of no components all totals are 0, and
 * *word, the element of `also`, stays as it is. */
int mw_components_totals_hear(struct mw_components_told *told, struct mw_components_totals *totals, uint32_t *word);
int mw_components_told_wait(struct mw_components_told *told);
void mw_components_told_free(struct mw_components_told *told);
void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary);

/* Copies to host memory the element of each component's first cell; `from` holds n elements of `bytes` each.
 * Labels are in the order of these cells, as those of a labelling, and no component is empty. */
int mw_components_first_elements(struct mw_components *components, struct mw_buffer *from, size_t bytes,
                                 void *elements);

#endif
/* SPDX-License-Identifier: MIT */
