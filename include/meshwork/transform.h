/* Layout transforms in any dimension: index maps, their algebra, and their execution on a device.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * section 8: flips, cyclic shifts, crinkles, and their composition into one effective k-index (position in memory).
 * This library adds any lengths, permutations of dimensions, padding, cropping, and mixed radix.  A dimension can be
 * split into digits; tilings, bit reversal and Morton order are permutations of digits.
 *
 * A map rearranges the cells of a source array into a result array.  Dimension 0 is x, which is contiguous.  Operations
 * take effect in the order in which they are appended; all run as one kernel.  An operation that fails with MW_EINVAL
 * leaves the map unchanged; after another failure the map can only be freed.
 *
 * Threads: one thread changes a map, and any number may read it.  A transform belongs to its device's thread
 * (device.h). */
#ifndef MESHWORK_TRANSFORM_H
#define MESHWORK_TRANSFORM_H

#include <meshwork/io.h>
#include <meshwork/program.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index map: it assigns to each cell of the result array a cell of the source array, or the fill value. */
struct mw_map;
/* Makes the identity map of arrays of these lengths, which may be 0. Errors: MW_EINVAL (no or too many dimensions),
 * MW_ELIMIT (too many cells), MW_ENOMEM. */
MW_API int mw_map_new(unsigned dims, const size_t *length, struct mw_map **map);
/* Makes a copy of a map.  Errors: MW_ENOMEM. */
MW_API int mw_map_copy(const struct mw_map *map, struct mw_map **copy);
MW_API void mw_map_free(struct mw_map *map);
/* Writes the number of dimensions and the lengths of a map's result; `length` must have room for MW_DIMS_MAX. */
MW_API void mw_map_lengths(const struct mw_map *map, unsigned *dims, size_t *length);
/* Writes the number of dimensions and the lengths of a map's source; `length` must have room for MW_DIMS_MAX. */
MW_API void mw_map_source_lengths(const struct mw_map *map, unsigned *dims, size_t *length);

/* ---- operations ----
 *
 * Each appends an operation to a map.  L is the length of dimension `dim` before the operation.
 * Errors of all: MW_EINVAL (no such dimension, or an invalid argument), MW_ELIMIT (more than MW_DIMS_MAX dimensions, or
 * too many cells), MW_ENOMEM. */

/* Reverses a dimension: cell x of the result is cell L - 1 - x of the source. */
MW_API int mw_map_flip(struct mw_map *map, unsigned dim);
/* Shifts a dimension cyclically: cell x of the result is cell x - by of the source, modulo L.  `by` may be negative or
 * larger than L. */
MW_API int mw_map_shift(struct mw_map *map, unsigned dim, int64_t by);
/* Stores every step-th cell of a dimension together: cells 0, step, 2 step, ..., then 1, step + 1, ..., and so on.  If
 * `step` does not divide L, each of the first L % step sequences has one more cell.  A step of L or more changes
 * nothing. */
MW_API int mw_map_crinkle(struct mw_map *map, unsigned dim, size_t step);
/* Reverts mw_map_crinkle with the same step. */
MW_API int mw_map_uncrinkle(struct mw_map *map, unsigned dim, size_t step);
/* Permutes the dimensions: dimension i of the result is dimension order[i] of the source. */
MW_API int mw_map_permute(struct mw_map *map, const unsigned *order);
/* Adds `before` and `after` cells of the fill value at the ends of a dimension. */
MW_API int mw_map_pad(struct mw_map *map, unsigned dim, size_t before, size_t after);
/* Keeps `count` cells of a dimension, from cell `first` on. */
MW_API int mw_map_crop(struct mw_map *map, unsigned dim, size_t first, size_t count);
/* Splits a dimension into two, of lengths `radix` and L / radix, in this order.  `radix` must divide L. */
MW_API int mw_map_split(struct mw_map *map, unsigned dim, size_t radix);
/* Merges dimensions dim and dim + 1 into one; cells stay at their place in memory. */
MW_API int mw_map_merge(struct mw_map *map, unsigned dim);
/* Splits L into its prime factors and reverses the order of the digits; if L is a power of two, this is bit reversal.
 * A second call reverts this only if all factors are equal; mw_map_inverse always does. */
MW_API int mw_map_reverse_digits(struct mw_map *map, unsigned dim);
/* Makes the cells of each tile contiguous.  tile[d] is the length of a tile in dimension d, and must divide the length.
 * The result has twice as many dimensions: those within a tile, then those of the grid of tiles. */
MW_API int mw_map_tile(struct mw_map *map, const size_t *tile);
/* Arranges the cells in Morton order: the bits of the coordinates are interleaved, beginning with the lowest of x.  All
 * lengths must be powers of two.  The result has one dimension. */
MW_API int mw_map_morton(struct mw_map *map);

/* Appends an operation that is given as text, as in the command `meshwork transform`:
 *   - "flip=0,2", "merge=0", "reverse=0": dimensions.
 *   - "shift=3,-1": the shift of each dimension, x first.
 *   - "crinkle=0:2,1:2", "uncrinkle=0:2", "split=0:4": dimension, then step or radix.
 *   - "pad=0:2:3": dimension, cells before, cells after.
 *   - "crop=0:5:10": dimension, first cell, number of cells.
 *   - "permute=1,0", "tile=16,16", "morton". */
MW_API int mw_map_parse(struct mw_map *map, const char *operation);

/* Makes the inverse map, from the result of this map to its source.  Cells that this map cropped get the fill value.
 * Errors: MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_map_inverse(const struct mw_map *map, struct mw_map **inverse);
/* Returns the k-index (position in memory) of the source cell for cell k of the result; -1: the cell has the fill
 * value.
 * Cost: slow; transforms compute many cells faster. */
MW_API int64_t mw_map_source(const struct mw_map *map, int64_t k);
/* Returns whether the map is its own inverse.  Such a map can be applied in place. */
MW_API bool mw_map_is_involution(const struct mw_map *map);

/* A map that is prepared for a device and an element size. */
struct mw_transform;
/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row. */
MW_API const struct mw_variant *mw_transform_variants(size_t i);
/* Prepares a map for a device and elements of 1, 2, 4, 8 or 16 bytes.  `variant` is a name in mw_transform_variants;
 * NULL or "auto": chosen by map and device.  The map may be freed before the transform.
 * Errors: MW_EINVAL (invalid element size; an unknown variant, or one that does not support the map or the device),
 * MW_ELIMIT, MW_EBUILD.
 * Cost: for variants points, blocks and local an OpenCL device compiles a program per map; programs are cached. */
MW_API int mw_transform_new(struct mw_device *device, const struct mw_map *map, size_t element_bytes,
                            const char *variant, struct mw_transform **transform);
MW_API void mw_transform_free(struct mw_transform *transform);
/* Queues the transform of `from` into `to`; does not wait.
 *   - from, to: buffers with room for all cells of the source and the result.  They may be the same buffer if the map
 *     is its own inverse (in place).
 *   - fill: the fill value, one element; NULL: zero bytes.  Not used in place.
 * Errors: MW_EINVAL (a buffer is too small; in place, the map is not its own inverse); those of mw_launch; in place
 * also MW_ELIMIT and MW_EBUILD.
 * Cost: the first call in place tests the map and builds another kernel.  The test is fast for flips, transpositions
 * and other swaps of digits; for other maps it takes about ten nanoseconds per cell. */
MW_API int mw_transform_run(struct mw_transform *transform, struct mw_buffer *from, struct mw_buffer *to,
                            const void *fill);
/* Returns the name of the chosen variant. */
MW_API const char *mw_transform_variant(const struct mw_transform *transform);
/* Transforms an array in host memory on a device; waits.  The fill value is zero.
 *   - result: receives a new array, which the caller frees by mw_array_free.
 *   - seconds: receives the time of a second pass on the device, without transfers; NULL: no second pass.
 * Errors: those of mw_transform_new, mw_transform_run and mw_buffer_new; MW_EINVAL (the array does not have the number
 * of cells of the map's source), MW_ENOMEM. */
MW_API int mw_transform_array(struct mw_device *device, const struct mw_map *map, const struct mw_array *array,
                              const char *variant, struct mw_array *result, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
