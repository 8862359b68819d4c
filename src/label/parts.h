/* Labelling on several devices, in parts of the mesh.  Internal. */
#ifndef MW_LABEL_PARTS_H
#define MW_LABEL_PARTS_H

#include "label/label_internal.h"

/* Returns the number of parts that these devices label: one per device, but at most one per slab. */
size_t mw_label_part_count(const struct mw_labelling *labelling, size_t devices);
/* Makes a labelling of the first `count`, at least 2, of these devices, each with the variant of this name (NULL:
 * chosen).  Sets its variant to mw_label_parts, whose state the owner frees. */
int mw_label_parts_make(struct mw_labelling *labelling, struct mw_device *const *devices, size_t count,
                        const char *variant);
/* Labels values in host memory, part by part: no device holds the whole mesh.  Stores labels in host memory, and sizes
 * in a new array, unless these are NULL. */
int mw_label_parts_array(struct mw_labelling *labelling, const void *values, void *labels, struct mw_array *sizes,
                         size_t *components);
/* The variant of a labelling that has parts. */
extern const struct mw_label_variant mw_label_parts;

#endif
/* SPDX-License-Identifier: MIT */
