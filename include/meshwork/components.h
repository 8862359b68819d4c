/* Book-keeping of components of meshes and graphs: their sizes, their cells, the largest ones, and selection by size.
 *
 * After Hawick, Leist and Playne, "Parallel graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010)
 * 655), section 2. There these steps run on the host; here they run on the device, by the primitives of prim.h.
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

/* Makes components from n labels (MW_TYPE_I32 or MW_TYPE_I64) in a buffer on the primitives' device; computes nothing
 * yet. Primitives and labels stay the caller's and must outlive the result; labels must not change.
 * Errors: MW_EINVAL (another type, a buffer too small), MW_ELIMIT (2^32 cells or components or more), MW_ENOMEM. */
MW_API int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                             struct mw_components **components);
MW_API void mw_components_free(struct mw_components *components);

/* Result arrays, all uint32_t. In arrays of places, component c (from 0) has label c + 1. */
enum mw_components_part {
    MW_COMPONENTS_SIZES,       /* cells of each component */
    MW_COMPONENTS_OFFSETS,     /* where in CELLS each component's cells begin */
    MW_COMPONENTS_CELLS,       /* the cells (k-indices) of component 0, of 1, ..., each upwards; without background */
    MW_COMPONENTS_ORDER,       /* labels by size, the largest component first; those of one size by label */
    MW_COMPONENTS_SIZE_VALUES, /* each size that occurs, upwards (0 among them where components are empty), */
    MW_COMPONENTS_SIZE_NUMBERS /* and how many components have it */
};

/* Returns a part as a buffer on the device, made at the first call. The buffer belongs to the components; it is empty
 * for a part without elements. *count is the number of elements.
 * Cost: SIZES a pass over the labels, of i64 two; CELLS on cores a pass over the labels; CELLS on other devices a pass
 * of a radix sort for every 8 bits of `count`, and 16 bytes per cell. The others are made from SIZES. Errors: those of
 * prim.h. */
MW_API int mw_components_buffer(struct mw_components *components, enum mw_components_part part,
                                struct mw_buffer **buffer, size_t *count);
/* Returns a part as a copy in host memory, which belongs to the components. *count is the number of elements. Cost and
 * errors: those of mw_components_buffer. */
MW_API int mw_components_array(struct mw_components *components, enum mw_components_part part, const uint32_t **array,
                               size_t *count);
/* Copies a part to the caller's array of `count` elements.  Errors: those of mw_components_buffer; MW_EINVAL (the part
 * has another number of elements). */
MW_API int mw_components_array_into(struct mw_components *components, enum mw_components_part part, uint32_t *array,
                                    size_t count);

/* Result of mw_components_summarise and mw_labelling_summarise. */
struct mw_components_summary {
    size_t size;          /* sizeof the struct: see status.h */
    size_t components;    /* `count` of the labelling: empty ones among them */
    size_t cells;         /* that belong to a component */
    size_t largest_label; /* the first of the largest components; 0: no component */
    size_t largest_size;
    double mean_size; /* 0 of no components */
    /* For a labelling by a threshold, from mw_labelling_summarise and _end: the largest component above the threshold,
     * and the largest of the others; otherwise 0. */
    size_t largest_above, largest_below;
};
/* Computes a summary of all components. Errors and cost: those of MW_COMPONENTS_SIZES. */
MW_API int mw_components_summarise(struct mw_components *components, struct mw_components_summary *summary);

/* Keeps the components of `least` to `most` cells. Writes the labels to `to`: other components become background, and
 * kept ones are renumbered from 1 in the order of their first cells. Empty components are never
 * kept. `to` holds as many labels as the components were made from, of the same type. Sets *kept to the number of kept
 * components. `to` may be the buffer of the original labels: all later calls with these components, except
 * mw_components_free, then return MW_EINVAL. Waits. Cost: memory per component only.
 * Errors: MW_EINVAL (a buffer too small), and those of prim.h. */
MW_API int mw_components_keep(struct mw_components *components, size_t least, size_t most, struct mw_buffer *to,
                              size_t *kept);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
