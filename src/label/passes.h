/* What the variants share that go through the mesh in passes, on devices other than native ones. */
#ifndef MW_LABEL_PASSES_H
#define MW_LABEL_PASSES_H

#include "dev/kernel_set.h"
#include "label/label_internal.h"

/* Builds kernels for a labelling's mesh: with what `options` say (NULL: nothing), and mw_label_defines. */
int mw_label_set_new(const struct mw_labelling *labelling, const struct mw_kernel_list *list,
                     const struct mw_kernel_options *options, struct mw_kernel_set **set);

/* Bytes of a k-index, and thus of a root in these programs, also where labels are wider.  A buffer with a root for each
 * cell. */
size_t mw_label_root_bytes(const struct mw_labelling *labelling);
int mw_label_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);
/* The same where the buffer of labels cannot serve for roots, because these are narrower; else NULL. */
int mw_label_own_roots_new(const struct mw_labelling *labelling, struct mw_buffer **roots);

/* The argument for VALUES (cl/label/mesh.clh): the buffer, or the image that it was copied to. */
struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from);
/* From roots, in a buffer of their own or that of the labels, to labels. */
int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components);

#endif
/* SPDX-License-Identifier: MIT */
