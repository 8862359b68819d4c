/* Transforms on several devices: each computes a part of the result.  Internal. */
#ifndef MW_LATTICE_PARTS_H
#define MW_LATTICE_PARTS_H

#include <meshwork/transform.h>

/* The parts of a transform. */
struct mw_transform_parts;
/* Returns the number of parts of a map's result: one per device, but at most one per slab, and at least one. */
size_t mw_transform_part_count(const struct mw_map *map, size_t devices);
/* Makes a part for each of the first `count` devices. */
int mw_transform_parts_new(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                           size_t element_bytes, const char *variant, struct mw_transform_parts **parts);
void mw_transform_parts_free(struct mw_transform_parts *parts);
/* Returns the variant of the first part. */
const char *mw_transform_parts_variant(const struct mw_transform_parts *parts);
/* Transforms a buffer of the first device into another one; waits. */
int mw_transform_parts_run(struct mw_transform_parts *parts, struct mw_buffer *from, struct mw_buffer *to,
                           const void *fill);
/* Transforms an array in host memory, with a fill value of zero.  `seconds` is as for mw_transform_array. */
int mw_transform_parts_array(struct mw_transform_parts *parts, const void *from, void *to, double *seconds);

#endif
/* SPDX-License-Identifier: MIT */
