/* Book-keeping of components, of meshes and of graphs alike: how large they are, which cells they have, which are the
 * largest, and removing some.
 *
 * After Hawick, Leist and Playne, "Parallel graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010)
 * 655), section 2, which leaves these steps to the host; here they run on the device, by the primitives of prim.h.
 *
 * Threads: components belong to their device's thread (device.h). */
#ifndef MESHWORK_COMPONENTS_H
#define MESHWORK_COMPONENTS_H

#include <meshwork/prim.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Components have two kinds of names.  A root is a component's first cell, or its smallest vertex, -1 of background:
 * what union-find finds, and what labelling of a graph gives.  Labels are the numbers 1, 2, ... of components in the
 * order of their roots, 0 of background: what labelling of a mesh gives, and what all of this is about.
 *
 * From roots to labels: each of n cells (or vertices) has its root in `roots`, and gets its label; `count`: how many
 * components there are.  Types MW_TYPE_I32 or MW_TYPE_I64; `labels` may be `roots` where they have the same.  Waits.
 * From labels to roots: that of label c + 1 is the first of its cells, CELLS[OFFSETS[c]] of mw_components_array.
 * Cost: reads the roots three times at most.  Errors: MW_EINVAL (other types, labels narrower than roots, a buffer too
 * small), and those of prim.h. */
MW_API int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                                struct mw_buffer *labels, enum mw_type type, size_t *count);

/* The components of one labelling.  A cell's label is 1 to `count`; 0, and what else is no such number, is background.
 * Components may be empty.  Belongs to one thread at a time. */
struct mw_components;

/* From n labels (MW_TYPE_I32 or MW_TYPE_I64) in a buffer on the primitives' device; computes nothing yet.  Primitives
 * and labels stay the caller's, outlive the result, and labels stay as they are meanwhile.
 * Errors: MW_EINVAL (another type, a buffer too small), MW_ELIMIT (2^32 cells or components or more), MW_ENOMEM. */
MW_API int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                             struct mw_components **components);
MW_API void mw_components_free(struct mw_components *components);

/* What there is to know: arrays of u32.  In those of places, component c (from 0) is that of label c + 1. */
enum mw_components_part {
    MW_COMPONENTS_SIZES,       /* cells of each component */
    MW_COMPONENTS_OFFSETS,     /* where in CELLS each component's cells begin */
    MW_COMPONENTS_CELLS,       /* the cells (k-indices) of component 0, of 1, ..., each upwards; without background */
    MW_COMPONENTS_ORDER,       /* labels by size, the largest component first; those of one size by label */
    MW_COMPONENTS_SIZE_VALUES, /* each size that occurs, upwards (0 among them where components are empty), */
    MW_COMPONENTS_SIZE_NUMBERS /* and how many components have it */
};

/* A part, made when it is first asked for: on the device, or as a copy in host memory.  `count`: its elements.  Both
 * belong to the components.  A part without elements is a buffer that holds none.
 * Cost: SIZES a pass over the labels, of i64 two; CELLS on cores a pass over the labels, elsewhere one of a radix sort
 * for every 8 bits of `count` and 16 bytes a cell; the others are made from SIZES.  Errors: those of prim.h. */
MW_API int mw_components_buffer(struct mw_components *components, enum mw_components_part part,
                                struct mw_buffer **buffer, size_t *count);
MW_API int mw_components_array(struct mw_components *components, enum mw_components_part part, const uint32_t **array,
                               size_t *count);

struct mw_components_summary {
    size_t size;          /* sizeof the struct: see status.h */
    size_t components;    /* `count` of the labelling: empty ones among them */
    size_t cells;         /* that belong to a component */
    size_t largest_label; /* the first of the largest components; 0: there is none */
    size_t largest_size;
    double mean_size; /* 0 of no components */
    /* Of a labelling by a threshold, from mw_labelling_summarise and _end: the largest component above the threshold,
     * and the largest of the others; else 0. */
    size_t largest_above, largest_below;
};
/* Errors and cost: those of MW_COMPONENTS_SIZES. */
MW_API int mw_components_summarise(struct mw_components *components, struct mw_components_summary *summary);

/* Keeps the components of `least` to `most` cells: writes to `to` the labels without the others, which become
 * background, and numbered anew from 1 in the order of the first cells of those kept.  Empty components are never kept.
 * `to` holds n labels of the same type; *kept: their number.  Where it is the labels' own buffer, the components are
 * good for mw_components_free alone afterwards (MW_EINVAL).  Waits.  Cost: memory by component alone.
 * Errors: MW_EINVAL (a buffer too small), and those of prim.h. */
MW_API int mw_components_keep(struct mw_components *components, size_t least, size_t most, struct mw_buffer *to,
                              size_t *kept);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
