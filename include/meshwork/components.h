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

/* Numbers components: computes labels from roots. A component has two identifiers:
 * - Its root is its first cell, or its smallest vertex; the background has root -1. Labelling of graphs gives roots.
 * - Its label is its number 1, 2, ... in the order of the roots; the background has label 0. Labelling of meshes gives
 *   labels, and all other functions of this header use labels.
 *
 * Parameters: `roots` holds the root of each of `n` cells or vertices, and `labels` receives their labels. Both are
 * MW_TYPE_I32 or MW_TYPE_I64. `labels` may be the same buffer as `roots` if the types are equal. `count` receives the
 * number of components. Waits.
 * To find the root of label c + 1, read CELLS[OFFSETS[c]] of mw_components_array: it is the first cell of the
 * component.
 * Errors: MW_EINVAL (other types, labels narrower than roots, a buffer too small), those of prim.h. Cost: reads the
 * roots at most three times. */
MW_API int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                                struct mw_buffer *labels, enum mw_type type, size_t *count);

/* Handle of the components of one labelling. Cells with a label from 1 to `count` belong to a component; cells with
 * any other label are background. Components may be empty. Belongs to one thread at a time. */
struct mw_components;

/* Makes components from `n` labels, MW_TYPE_I32 or MW_TYPE_I64, in a buffer on the device of `prim`. `count` is the
 * largest label. Computes nothing yet. `prim` and `labels` stay the caller's; keep them, and the contents of `labels`,
 * until mw_components_free.
 * Errors: MW_EINVAL (another type, a buffer too small), MW_ELIMIT (2^32 or more cells or components), MW_ENOMEM. */
MW_API int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                             struct mw_components **components);
/* Frees components and all their parts; NULL is allowed. */
MW_API void mw_components_free(struct mw_components *components);

/* Parts: result arrays, all uint32_t. Component c, counted from 0, has label c + 1. */
enum mw_components_part {
    MW_COMPONENTS_SIZES,   /* number of cells, per component */
    MW_COMPONENTS_OFFSETS, /* index in CELLS of the first cell, per component */
    /* Linear cell indices, ascending within a component: component 0, 1, ...; no background. */
    MW_COMPONENTS_CELLS,
    MW_COMPONENTS_ORDER,       /* labels, largest component first; components of equal size by ascending label */
    MW_COMPONENTS_SIZE_VALUES, /* sizes that occur, ascending; includes 0 if components are empty */
    MW_COMPONENTS_SIZE_NUMBERS /* number of components of each size in SIZE_VALUES */
};

/* Returns a part as a buffer on the device. The first call makes it. `*count` receives the number of elements. The
 * buffer belongs to the components, and has 0 bytes if the part has no elements.
 * Errors: MW_EINVAL (an invalid part; mw_components_keep has overwritten the labels), those of prim.h.
 * Cost: all parts need SIZES, which reads int32 labels once and int64 labels twice. CELLS on a device with `cores`
 * (mw_device_info) needs OFFSETS, and reads the labels once more. CELLS on other devices does one radix sort pass
 * per 8 bits of `count`, with 16 bytes per cell. OFFSETS, ORDER and the two SIZE_ arrays need only SIZES. */
MW_API int mw_components_buffer(struct mw_components *components, enum mw_components_part part,
                                struct mw_buffer **buffer, size_t *count);
/* Returns a part as an array in host memory, copied at the first call; it belongs to the components. `*count`
 * receives the number of elements. Cost and errors: those of mw_components_buffer. */
MW_API int mw_components_array(struct mw_components *components, enum mw_components_part part, const uint32_t **array,
                               size_t *count);
/* Copies a part to an array of the caller, which has `count` elements. Errors: those of mw_components_buffer;
 * MW_EINVAL (`count` is not the number of elements of the part). */
MW_API int mw_components_array_into(struct mw_components *components, enum mw_components_part part, uint32_t *array,
                                    size_t count);

/* Result of mw_components_summarise and mw_labelling_summarise. */
struct mw_components_summary {
    size_t size;          /* sizeof the struct: see status.h */
    size_t components;    /* number of components, including empty ones */
    size_t cells;         /* number of cells that belong to a component */
    size_t largest_label; /* label of the largest component, the smallest label on a tie; 0: no component */
    size_t largest_size;  /* number of cells of that component */
    double mean_size;     /* cells / components; 0: no components */
    /* Only after a labelling by a threshold, by mw_labelling_summarise or mw_labelling_summary_end; otherwise 0.
     * Cells of the largest component above the threshold, and of the largest component of the other cells. */
    size_t largest_above, largest_below;
};
/* Computes a summary of all components. Errors and cost: those of MW_COMPONENTS_SIZES. */
MW_API int mw_components_summarise(struct mw_components *components, struct mw_components_summary *summary);

/* Selects the components of `least` to `most` cells, and writes their labels to `to`. All other cells become
 * background. Kept components are renumbered from 1 in the order of their first cells; empty components are never kept.
 * `*kept` receives their number. Waits.
 * `to` holds as many labels as the components were made from, of the same type. If `to` is the buffer of the original
 * labels, these are overwritten: all later calls with these components except mw_components_free then return MW_EINVAL.
 * Errors: MW_EINVAL (a buffer too small), those of prim.h. Cost: memory per component only. */
MW_API int mw_components_keep(struct mw_components *components, size_t least, size_t most, struct mw_buffer *to,
                              size_t *kept);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
