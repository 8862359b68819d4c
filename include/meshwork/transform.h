/* Layout transforms in any dimension: index maps, their algebra, and their execution on a device.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * section 8: flips, cyclic shifts, crinkles, and their composition into one effective k-index (position in memory).
 * This library adds any lengths, permutations of dimensions, padding, cropping, and mixed radix.  A dimension can be
 * split into digits; tilings, bit reversal and Morton order are permutations of digits.
 *
 * A map rearranges the cells of a source array into a result array.  Dimension 0 is x, which is contiguous.  Operations
 * take effect in the order in which they are appended; all run as one kernel.  An operation that fails with MW_EINVAL
 * leaves the map unchanged.  After another error the map can only be freed, unless mw_map_parse returned it.
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

/* Handle of an index map.  A map assigns to each cell of the result array a cell of the source array, or the fill
 * value. */
struct mw_map;
/* Makes the identity map of arrays of these lengths, x first.  A length may be 0.  Errors: MW_EINVAL (`dims` is not 1
 * to MW_DIMS_MAX), MW_ELIMIT (2^57 cells or more, where a length of 0 counts as 1), MW_ENOMEM. */
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
 * Each of the following functions appends an operation to a map.  In their comments, the source is the array before the
 * operation, and the result is the array after it.  L is the length of dimension `dim` of this source.
 * Errors of all: MW_EINVAL (no such dimension, or an invalid argument); MW_ELIMIT (more than MW_DIMS_MAX dimensions;
 * 2^57 cells or more; more than 64 digits; a table of more than 2^32 entries); MW_ENOMEM. */

/* Reverses a dimension: cell x of the result is cell L - 1 - x of the source. */
MW_API int mw_map_flip(struct mw_map *map, unsigned dim);
/* Shifts a dimension cyclically: cell x of the result is cell x - by of the source, modulo L.  `by` may be negative or
 * larger than L. */
MW_API int mw_map_shift(struct mw_map *map, unsigned dim, int64_t by);
/* Stores every step-th cell of a dimension together: first the sequence of cells 0, step, 2 step, ..., then 1,
 * step + 1, 2 step + 1, ..., and so on.  If `step` does not divide L, the first L % step of these sequences have one
 * more cell than the others.  A step of L or more changes nothing.  `step` must be 1 or more. */
MW_API int mw_map_crinkle(struct mw_map *map, unsigned dim, size_t step);
/* Reverts mw_map_crinkle with the same step. */
MW_API int mw_map_uncrinkle(struct mw_map *map, unsigned dim, size_t step);
/* Permutes the dimensions: dimension i of the result is dimension order[i] of the source. */
MW_API int mw_map_permute(struct mw_map *map, const unsigned *order);
/* Adds cells with the fill value to a dimension: `before` cells before cell 0, and `after` cells after cell L - 1. */
MW_API int mw_map_pad(struct mw_map *map, unsigned dim, size_t before, size_t after);
/* Keeps `count` cells of a dimension, from cell `first` on.  first + count must be at most L. */
MW_API int mw_map_crop(struct mw_map *map, unsigned dim, size_t first, size_t count);
/* Splits dimension `dim` into two: coordinate x becomes x % radix in dimension dim, and x / radix in dimension dim + 1.
 * Their lengths are `radix` and L / radix.  `radix` must divide L.  Cells keep their positions in memory. */
MW_API int mw_map_split(struct mw_map *map, unsigned dim, size_t radix);
/* Merges dimensions dim and dim + 1 into one, whose length is the product.  Cells keep their positions in memory. */
MW_API int mw_map_merge(struct mw_map *map, unsigned dim);
/* Reverses the order of the digits of the coordinate along a dimension.  The digits have the prime factors of L as
 * radices, the smallest factor first.  If L is a power of two, this is bit reversal.  A second call reverts the first
 * one only if all factors are equal; mw_map_inverse always reverts it. */
MW_API int mw_map_reverse_digits(struct mw_map *map, unsigned dim);
/* Cuts the array into tiles, and makes the cells of each tile contiguous.  tile[d] is the length of a tile in dimension
 * d, and must divide the length of the array.  The result has twice as many dimensions as the array: those within a
 * tile, then those of the grid of tiles. */
MW_API int mw_map_tile(struct mw_map *map, const size_t *tile);
/* Arranges the cells in Morton order: the bits of the coordinates are interleaved, beginning with the lowest of x.  All
 * lengths must be powers of two.  The result has one dimension. */
MW_API int mw_map_morton(struct mw_map *map);

/* Appends operations that are given as text, as in the command `meshwork transform`.  If this fails, the map is
 * unchanged.  Forms of `operation`:
 *   - "flip=0,2", "merge=0", "reverse=0": dimensions; one operation for each.
 *   - "shift=3,-1": shift of dimension 0, of dimension 1, and so on; further dimensions are not shifted.
 *   - "crinkle=0:2,1:2", "uncrinkle=0:2", "split=0:4": dimension, then step or radix.
 *   - "pad=0:2:3": dimension, cells before, cells after.
 *   - "crop=0:5:10": dimension, first cell, number of cells.
 *   - "permute=1,0": order of all dimensions.
 *   - "tile=16,16": length of a tile in each dimension.
 *   - "morton". */
MW_API int mw_map_parse(struct mw_map *map, const char *operation);

/* Makes the inverse map: its source is the result of `map`, and its result is the source of `map`.  Cells that `map`
 * cropped get the fill value.  Errors: MW_ELIMIT (as for operations), MW_ENOMEM. */
MW_API int mw_map_inverse(const struct mw_map *map, struct mw_map **inverse);
/* Returns the k-index (position in memory) of the source cell for cell k of the result; -1: cell k has the fill value.
 * k must be 0 to the number of cells of the result less 1; this is not checked.
 * Cost: struct mw_transform is faster for many cells. */
MW_API int64_t mw_map_source(const struct mw_map *map, int64_t k);
/* Returns whether the map is its own inverse.  mw_transform_run can apply such a map in place.  Returns false also if
 * memory for the test is lacking.
 * Cost: fast for flips, transpositions and other swaps of digits; other maps are tested cell by cell. */
MW_API bool mw_map_is_involution(const struct mw_map *map);

/* Handle that applies a map to arrays on one device or several.  It is prepared for one map and element size. */
struct mw_transform;
/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row. */
MW_API const struct mw_variant *mw_transform_variants(size_t i);
/* Makes a transform.
 *   - map: may be freed before the transform.
 *   - element_bytes: size of an element: 1, 2, 4, 8 or 16 bytes.
 *   - variant: name in mw_transform_variants; NULL or "auto": chosen by map and device.
 *   - transform: receives the transform; mw_transform_free frees it.
 * Several devices share the slabs of the result along its slowest dimension that is longer than 1.  Each needs memory
 * for the whole source and its part of the result.  Variants lengths, powers, plane and plane-image are for one device.
 * Errors: MW_EINVAL (invalid element size; an unknown variant, or one that does not support the map or the devices);
 * MW_ELIMIT (an array exceeds the address space); MW_ENOMEM; those of mw_program_new and mw_buffer_new.
 * Cost: with variants points, blocks and local, a device that is not native builds a program for each map.  Built
 * programs are cached. */
MW_API int mw_transform_new(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                            size_t element_bytes, const char *variant, struct mw_transform **transform);
MW_API void mw_transform_free(struct mw_transform *transform);
/* Queues the transform of `from` into `to`; does not wait for it.  If both are the same buffer, the transform is in
 * place; the map must then be its own inverse.
 *   - from: buffer with all cells of the map's source.
 *   - to: buffer with room for all cells of the map's result.
 *   - fill: the fill value, one element; NULL: zero bytes.  Ignored in place.
 * With several devices, both buffers are on the first device, and the call waits.  In place needs one device.
 * Errors: MW_EINVAL (a buffer is too small; in place, the map is not its own inverse, or there are several devices);
 * those of mw_launch; in place also those of mw_program_new and mw_buffer_new.
 * Cost: the first call in place tests the map (mw_map_is_involution) and builds another kernel.  A test of every cell
 * takes about 10 ns per cell on the host. */
MW_API int mw_transform_run(struct mw_transform *transform, struct mw_buffer *from, struct mw_buffer *to,
                            const void *fill);
/* Returns the name of the chosen variant, with several devices that of the first. */
MW_API const char *mw_transform_variant(const struct mw_transform *transform);
/* Transforms an array in host memory on one device or several; waits.  The fill value is zero.
 *   - map, variant: as in mw_transform_new.
 *   - array: the source, with as many cells as the map's source.
 *   - result: receives a new array, which the caller frees by mw_array_free.
 *   - seconds: receives a time, in seconds.  The transform runs twice on the devices, and the second time is measured,
 *     without transfers.  NULL: it runs once.
 * Errors: those of mw_transform_new, mw_transform_run and mw_buffer_new; MW_EINVAL (the array does not have the number
 * of cells of the map's source), MW_ENOMEM. */
MW_API int mw_transform_array(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                              const struct mw_array *array, const char *variant, struct mw_array *result,
                              double *seconds);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
