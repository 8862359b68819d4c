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
 * Parameters:
 * - roots: root of each of `n` cells or vertices
 * - root_type, type: type of the roots; type of the labels: MW_TYPE_I32 or MW_TYPE_I64
 * - labels: receives `n` labels; may be `roots`, if the two types are equal
 * - count: receives the number of components
 * Waits for the result. To find the root of label c + 1, read CELLS[OFFSETS[c]] of mw_components_array: it is the first
 * cell of the component.
 * Errors: MW_EINVAL (other types; labels narrower than roots; a buffer that is too small), those of prim.h. Cost: reads
 * the roots at most three times. */
MW_API int mw_components_number(struct mw_prim *prim, struct mw_buffer *roots, size_t n, enum mw_type root_type,
                                struct mw_buffer *labels, enum mw_type type, size_t *count);

/* Handle of the components of one labelling, from which sizes, members and selections are computed. A cell with a label
 * from 1 to `count` (of mw_components_new) belongs to that component. A cell with any other label is background.
 * Components may be empty. One thread at a time may use a handle. */
struct mw_components;

/* Makes a handle of components from labels. Computes nothing yet.
 * - prim: primitives of the device
 * - labels: buffer on that device with `n` labels, one per cell
 * - type: type of the labels: MW_TYPE_I32 or MW_TYPE_I64
 * - count: largest label, which is the number of components
 * `prim` and `labels` still belong to the caller. Keep both, and do not change the labels, until mw_components_free.
 * Errors: MW_EINVAL (another type; a buffer that is too small), MW_ELIMIT (2^32 or more cells; 2^32 - 1 or more
 * components), MW_ENOMEM. */
MW_API int mw_components_new(struct mw_prim *prim, struct mw_buffer *labels, size_t n, enum mw_type type, size_t count,
                             struct mw_components **components);
/* Frees a handle and all its parts, but not `prim` and `labels`; NULL is allowed. */
MW_API void mw_components_free(struct mw_components *components);

/* Parts: arrays that are computed from the labels. All have the type uint32_t. Component c, numbered from 0, has the
 * label c + 1. */
enum mw_components_part {
    MW_COMPONENTS_SIZES,   /* per component: number of cells */
    MW_COMPONENTS_OFFSETS, /* per component: index of its first cell in CELLS */
    /* Indices of all cells except background: first those of component 0, then those of component 1, ... Ascending
     * within a component. */
    MW_COMPONENTS_CELLS,
    MW_COMPONENTS_ORDER,       /* labels by descending component size; of equal size by ascending label */
    MW_COMPONENTS_SIZE_VALUES, /* the different sizes, ascending; 0 is one of them if a component is empty */
    MW_COMPONENTS_SIZE_NUMBERS /* per element of SIZE_VALUES: number of components of that size */
};

/* Returns a part as a buffer on the device, and writes the number of its elements to `*count`. The first call for a
 * part computes it. The buffer belongs to the handle. It has 0 bytes if the part has no elements.
 * Errors: MW_EINVAL (an invalid part; mw_components_keep has overwritten the labels), those of prim.h.
 * Cost of the first call. SIZES is computed before any other part.
 * - SIZES: reads each label once. Of int64 labels, it then writes and reads a key of 4 bytes per cell.
 * - OFFSETS: a prefix sum over the sizes.
 * - ORDER, SIZE_VALUES and SIZE_NUMBERS: one sort of the sizes gives all three.
 * - CELLS, if `cores` of mw_device_info is set: computes OFFSETS first. Then up to 8 work-items each read all labels.
 * - CELLS on other devices: a radix sort of the cells by label, with 16 bytes of memory per cell. It has one pass per 8
 *   bits of the largest label. */
MW_API int mw_components_buffer(struct mw_components *components, enum mw_components_part part,
                                struct mw_buffer **buffer, size_t *count);
/* Returns a part as an array in host memory, and writes the number of its elements to `*count`. The first call for a
 * part copies it from the device. The array belongs to the handle. Cost and errors: those of mw_components_buffer. */
MW_API int mw_components_array(struct mw_components *components, enum mw_components_part part, const uint32_t **array,
                               size_t *count);
/* Copies a part to an array of the caller. `count` is the number of elements of `array`, and must be that of the part.
 * Errors: those of mw_components_buffer; MW_EINVAL (another `count`). */
MW_API int mw_components_array_into(struct mw_components *components, enum mw_components_part part, uint32_t *array,
                                    size_t count);

/* Result of mw_components_summarise and mw_labelling_summarise: number and sizes of components. */
struct mw_components_summary {
    size_t size;          /* sizeof the struct: see status.h */
    size_t components;    /* number of components, including empty ones */
    size_t cells;         /* number of cells that belong to a component */
    size_t largest_label; /* label of the largest component; on a tie the smallest label; 0: no components */
    size_t largest_size;  /* number of cells of that component */
    double mean_size;     /* cells / components; 0: no components */
    /* Cells of the largest component whose values are above the threshold, and of the largest one of the other cells.
     * Only mw_labelling_summarise and mw_labelling_summary_end set these and `cells_above`, after a labelling by a
     * threshold; otherwise 0. */
    size_t largest_above, largest_below;
    size_t cells_above; /* number of cells above the threshold, in all components */
};
/* Computes the summary of all components. Errors and cost: those of mw_components_buffer for SIZES. */
MW_API int mw_components_summarise(struct mw_components *components, struct mw_components_summary *summary);

/* Selects the components that have `least` to `most` cells, and writes new labels of all cells to `to`. The kept
 * components have the labels 1, 2, ... in the order of their first cells. All other cells become background, label 0.
 * Empty components are never kept. Waits for the result.
 * - to: buffer for as many labels as `components` was made from, of the same type
 * - kept: receives the number of kept components
 * `to` may be the buffer of the original labels. They are then overwritten, and all later calls with `components`
 * return MW_EINVAL, except mw_components_free.
 * Errors: MW_EINVAL (a buffer that is too small), those of prim.h. Cost: computes SIZES first; allocates memory per
 * component, but none per cell. */
MW_API int mw_components_keep(struct mw_components *components, size_t least, size_t most, struct mw_buffer *to,
                              size_t *kept);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
