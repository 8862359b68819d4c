/* Components: functions of components.c and totals.c for other modules. Internal. */
#ifndef MW_COMPONENTS_INTERNAL_H
#define MW_COMPONENTS_INTERNAL_H

#include <meshwork/components.h>

/* Totals over the sizes of all components. A size may have a sign: see mw_components_totals_read. */
struct mw_components_totals {
    uint32_t cells, /* sum of the absolute sizes */
        side,       /* sum of the positive sizes */
        largest,    /* largest absolute size */
        above,      /* largest positive size; 0: none */
        below,      /* largest absolute value of a negative size; 0: none */
        first;      /* first component with the largest size, counted from 0 */
};

struct mw_prim_program;
/* The program of the kernels for 32-bit labels, which include the operations on sizes. */
extern const struct mw_prim_program mw_components_32;

/* Computes the totals of `count` unsigned sizes on the device of `prim`, and waits. *totals is unchanged if `count` is
 * 0. */
int mw_components_totals(struct mw_prim *prim, struct mw_buffer *sizes, size_t count,
                         struct mw_components_totals *totals);

/* Counts the cells of each label from 1 to `count`, at least 1, on the host, and computes the totals of these sizes.
 * `labels` are n uint32_t. Waits. */
int mw_components_count(struct mw_buffer *labels, size_t n, size_t count, struct mw_buffer *sizes,
                        struct mw_components_totals *totals);

/* Totals on their way to the host: a queued copy, and the host memory that receives it. Zero it before first use. */
struct mw_components_told {
    struct mw_staging *staging; /* TOTALS words per part of the sizes, then the word `also` */
    size_t room,                /* words that `staging` can hold */
        words;                  /* words of the queued copy; 0 without components */
    struct mw_event *event;     /* completion of the copy; NULL after a wait */
};

/* The labels of a struct mw_components, and their numbers. */
struct mw_components_view {
    struct mw_buffer *labels; /* NULL if the kept labels were written over them */
    size_t n,                 /* number of cells */
        count;                /* number of components */
    enum mw_type type;        /* type of a label */
};
/* Stores the labels of components in *view; the components still own them. */
void mw_components_view(const struct mw_components *components, struct mw_components_view *view);

/* Allocates host memory for totals of `count` sizes. Call it before work is queued: a driver may finish that work
 * before it allocates. */
int mw_components_told_reserve(struct mw_prim *prim, size_t count, struct mw_components_told *told);
/* Queues the computation of the totals of `count` sizes, and their copy to the host. Sizes are int32_t; they are
 * negative for components that are not above a threshold. Also copies word also[also_at] (also NULL: none). */
int mw_components_totals_read(struct mw_prim *prim, struct mw_buffer *sizes, size_t count, struct mw_buffer *also,
                              size_t also_at, struct mw_components_told *told);
/* Stores the totals of mw_components_totals_read in *totals, and its word also[also_at] in *word; waits for the copy if
 * necessary. Without components, all totals are 0, and *word is unchanged. */
int mw_components_totals_hear(struct mw_components_told *told, struct mw_components_totals *totals, uint32_t *word);
/* Waits until the queued copy is complete; returns at once if no copy is queued. */
int mw_components_told_wait(struct mw_components_told *told);
/* Waits for a queued copy, and frees the host memory. Accepts a zeroed struct. */
void mw_components_told_free(struct mw_components_told *told);
/* Computes a public summary from the totals of `count` components: also the mean size, and the largest one's label. */
void mw_components_summary_of(size_t count, const struct mw_components_totals *totals,
                              struct mw_components_summary *summary);

/* Copies one element per component to host memory: from[i], where i is the component's first cell. `from` has an
 * element of `bytes` bytes per cell. Labels must be in the order of these cells, as in a labelling, and no component
 * may be empty. */
int mw_components_first_elements(struct mw_components *components, struct mw_buffer *from, size_t bytes,
                                 void *elements);

/* Queues the replacement of the labels of n cells, at least 1, by numbers[label]; numbers[0] is the background's. Both
 * buffers have elements of `type`, MW_TYPE_I32 or MW_TYPE_I64. */
int mw_components_rename(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type,
                         struct mw_buffer *numbers);

#endif
/* SPDX-License-Identifier: MIT */
