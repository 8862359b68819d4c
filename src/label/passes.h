/* Labelling: functions shared by the variants for devices with work-groups.  Internal. */
#ifndef MW_LABEL_PASSES_H
#define MW_LABEL_PASSES_H

#include "dev/kernel_set.h"
#include "label/label_internal.h"

/* Builds a list of kernels for the mesh of a labelling: with the macros of mw_label_defines, and `options` (may be
 * NULL).  Without `takes`, the kernels take any size of group that the user gives.  The labelling's owner frees them,
 * and the buffers below. */
int mw_label_set_new(struct mw_labelling *labelling, const struct mw_kernel_list *list,
                     const struct mw_kernel_options *options, struct mw_kernel_set **set);

/* Returns the bytes of a root, the k-index of a component's first cell: 4 or 8.  Labels may be wider. */
size_t mw_label_root_bytes(const struct mw_labelling *labelling);
/* Allocates a buffer with a root per cell. */
int mw_label_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots);
/* Allocates a buffer with a root per cell if roots are narrower than labels.  Otherwise sets it to NULL: the buffer of
 * labels then holds the roots. */
int mw_label_own_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots);

/* Returns the kernel argument for a parameter of type VALUES (cl/label/mesh.clh): the image if the labelling has one,
 * otherwise the buffer. */
struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from);
/* Converts the root of each cell to a label, 1 to *components (0: background).  `roots` may be the buffer of the
 * labels. */
int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components);

#endif
/* SPDX-License-Identifier: MIT */
