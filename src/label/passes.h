/* Declarations shared by variants for devices with work-groups.  Internal. */
#ifndef MW_LABEL_PASSES_H
#define MW_LABEL_PASSES_H

#include "dev/kernel_set.h"
#include "label/label_internal.h"

/* Builds kernels for the mesh of a labelling, with `options` (may be NULL) and mw_label_defines. */
int mw_label_set_new(const struct mw_labelling *labelling, const struct mw_kernel_list *list,
                     const struct mw_kernel_options *options, struct mw_kernel_set **set);

/* _root_bytes returns the bytes of a k-index, and so of a root in these programs, even if labels are wider.  _roots_new
 * allocates a root per cell. */
size_t mw_label_root_bytes(const struct mw_labelling *labelling);
int mw_label_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);
/* The same if roots are narrower than labels; otherwise NULL, since the buffer of labels then serves for roots. */
int mw_label_own_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);

/* Returns the argument for VALUES (cl/label/mesh.clh): the buffer, or the image with its copy. */
struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from);
/* Converts roots, in their own buffer or that of the labels, to labels. */
int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components);

#endif
/* SPDX-License-Identifier: MIT */
