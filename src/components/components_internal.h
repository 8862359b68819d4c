/* Components: functions of components.c and totals.c for other modules. Internal. */
#ifndef MW_COMPONENTS_INTERNAL_H
#define MW_COMPONENTS_INTERNAL_H

#include <meshwork/components.h>

/* Totals of sizes: the sum, the largest (also of each sign), and the first component with the largest. */
struct mw_components_totals {
    uint32_t cells, largest, above, below, first;
};

/* The kernels for i32 labels, which include the operations on sizes. */
struct mw_prim_program;
extern const struct mw_prim_program mw_components_32;

/* Computes the totals of `count` sizes on the primitives' device; with count 0, *totals is unchanged. Waits. */
int mw_components_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count,
                         struct mw_components_totals *totals);

/* Totals that are being copied to the host; { 0 } initially. TOTALS words per part, and one more. */
struct mw_components_told {
    struct mw_staging *staging;
    size_t room, words;
    struct mw_event *event;
};

/* The labels of components; NULL if the kept labels were written over them. */
struct mw_components_view {
    struct mw_buffer *labels;
    size_t n, count;
    enum mw_type type;
};
void mw_components_view(const struct mw_components *components, struct mw_components_view *view);

/* Allocates host memory for totals of `count` sizes. Call it before work is queued: a driver may finish that work
 * before it allocates. */
int mw_components_told_reserve(struct mw_prim *prim, size_t count, struct mw_components_told *told);
/* Queues the computation of the totals of `count` sizes, and their copy to the host. Sizes are below 2^31; negative
 * ones are of components that are not above a threshold. The copy includes word also[also_at] (also NULL: none). */
int mw_components_totals_read(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                              size_t also_at, struct mw_components_told *told);
/* Returns the queued totals; waits unless mw_components_told_wait was called. Without components, all totals are 0, and
 * *word, the word of `also`, is unchanged. */
int mw_components_totals_hear(struct mw_components_told *told, struct mw_components_totals *totals, uint32_t *word);
int mw_components_told_wait(struct mw_components_told *told);
void mw_components_told_free(struct mw_components_told *told);
void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary);

/* Copies the element of each component's first cell to host memory; `from` has n elements of `bytes` each. Labels must
 * be in the order of these cells, as in a labelling, and no component may be empty. */
int mw_components_first_elements(struct mw_components *components, struct mw_buffer *from, size_t bytes,
                                 void *elements);

#endif
/* SPDX-License-Identifier: MIT */
