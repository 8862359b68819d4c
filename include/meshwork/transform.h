/* Layout transforms in any dimension: index maps, their algebra, and their execution on a device.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * section 8: flips, cyclic shifts, crinkles, and their composition into one effective k-index.  Beyond the paper: any
 * lengths, permutations of dimensions, padding and cropping, and mixed radix: a dimension may be split into digits, so
 * that tilings, bit reversal and Morton order are permutations of digits.
 *
 * A map takes an array of given lengths to another; dimension 0 is x, the contiguous one.  Operations are appended in
 * the order in which they are to take effect, and the whole runs as one kernel.  After MW_EINVAL a map gives what it
 * gave before; after another failure it can only be freed.
 *
 * Threads: one thread changes a map, any may read it; a transform belongs to its device's thread (device.h). */
#ifndef MESHWORK_TRANSFORM_H
#define MESHWORK_TRANSFORM_H

#include <meshwork/io.h>
#include <meshwork/program.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index map: for each cell of a result array, the cell of a source array or the fill value. */
struct mw_map;
/* Makes the identity map of arrays of these lengths, which may be 0. Errors: MW_EINVAL (no or too many dimensions),
 * MW_ELIMIT (too many cells), MW_ENOMEM. */
MW_API int mw_map_new(unsigned dims, const size_t *length, struct mw_map **map);
/* Makes a copy of a map.  Errors: MW_ENOMEM. */
MW_API int mw_map_copy(const struct mw_map *map, struct mw_map **copy);
MW_API void mw_map_free(struct mw_map *map);
/* Returns the dimensions and lengths of a map's result; `length` has room for MW_DIMS_MAX. */
MW_API void mw_map_lengths(const struct mw_map *map, unsigned *dims, size_t *length);
/* Returns the dimensions and lengths of a map's source; `length` has room for MW_DIMS_MAX. */
MW_API void mw_map_source_lengths(const struct mw_map *map, unsigned *dims, size_t *length);

/* ---- operations on a dimension of length L ----
 *
 * Errors of all: MW_EINVAL (no such dimension, a step of 0, ...), MW_ELIMIT (more dimensions than MW_DIMS_MAX, too many
 * cells), MW_ENOMEM. */

/* Reverses a dimension: cell x comes from L - 1 - x. */
MW_API int mw_map_flip(struct mw_map *map, unsigned dim);
/* Shifts a dimension cyclically: cell x comes from x - by. `by` may be negative or larger than L. */
MW_API int mw_map_shift(struct mw_map *map, unsigned dim, int64_t by);
/* Stores every step-th cell of a dimension together: cells 0, step, 2 step, ..., then 1, step + 1, ..., and so on. If
 * the step does not divide L, the first L % step of these stretches have one more cell. L or more changes nothing. */
MW_API int mw_map_crinkle(struct mw_map *map, unsigned dim, size_t step);
/* Undoes mw_map_crinkle with this step. */
MW_API int mw_map_uncrinkle(struct mw_map *map, unsigned dim, size_t step);
/* Permutes the dimensions: dimension i of the result is dimension order[i] of the source. */
MW_API int mw_map_permute(struct mw_map *map, const unsigned *order);
/* Adds `before` and `after` cells of the fill value at the ends of a dimension. */
MW_API int mw_map_pad(struct mw_map *map, unsigned dim, size_t before, size_t after);
/* Keeps `count` cells of a dimension, from cell `first` on. */
MW_API int mw_map_crop(struct mw_map *map, unsigned dim, size_t first, size_t count);
/* Splits a dimension into two, of lengths `radix` (which must divide L) and L / radix, in this order. */
MW_API int mw_map_split(struct mw_map *map, unsigned dim, size_t radix);
/* Merges dimensions dim and dim + 1 into one. */
MW_API int mw_map_merge(struct mw_map *map, unsigned dim);
/* Splits L into its prime factors, and writes the digits in reverse order (for a power of two: bit reversal). If the
 * factors differ, the map's inverse undoes this, and a second call does not. */
MW_API int mw_map_reverse_digits(struct mw_map *map, unsigned dim);
/* Makes the cells of each tile contiguous. Each dimension d is split by tile[d], and the digits within tiles come
 * first: the result has twice as many dimensions. */
MW_API int mw_map_tile(struct mw_map *map, const size_t *tile);
/* Makes Morton order: the bits of all dimensions interleaved, those of x first. All lengths must be powers of two; the
 * result has one dimension. */
MW_API int mw_map_morton(struct mw_map *map);

/* Appends an operation in the form of the command: "flip=0,2"; "shift=3,-1" (one amount per dimension, x first);
 * "crinkle=0:2,1:2"; "uncrinkle=0:2"; "permute=1,0"; "pad=0:2:3"; "crop=0:5:10" (dimension, first, count); "split=0:4";
 * "merge=0"; "reverse=0"; "tile=16,16"; "morton". MW_EINVAL: the message names the error. */
MW_API int mw_map_parse(struct mw_map *map, const char *operation);

/* Makes the inverse map, from this map's result lengths to its source lengths; cropped cells get the fill value. The
 * inverse of a chain is the reversed chain of inverses. */
MW_API int mw_map_inverse(const struct mw_map *map, struct mw_map **inverse);
/* Returns the k-index of the source cell for cell k of the result, or -1 for the fill value. This is the definition of
 * the map, and the slow way to apply it. */
MW_API int64_t mw_map_source(const struct mw_map *map, int64_t k);
/* Returns whether applying the map twice changes nothing, so that it can be applied in place. */
MW_API bool mw_map_is_involution(const struct mw_map *map);

/* A map that is prepared for a device and an element size. */
struct mw_transform;
/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_transform_variants(size_t i);
/* Prepares applying a map on a device to elements of 1, 2, 4, 8 or 16 bytes. Variant NULL or "auto" chooses by map and
 * device. For "points", "blocks" and "local" an OpenCL device compiles a program for each map, which is cached like all
 * programs. The map may be freed before the transform. Errors: MW_EINVAL (element size; no
 * such variant, or one that does not support this map or device), MW_ELIMIT, MW_EBUILD. */
MW_API int mw_transform_new(struct mw_device *device, const struct mw_map *map, size_t element_bytes,
                            const char *variant, struct mw_transform **transform);
MW_API void mw_transform_free(struct mw_transform *transform);
/* Queues to = map(from); does not wait.  Each buffer must hold at least its array's cells.  They may be the same buffer
 * if the map is its own inverse: applied twice, it returns every k-index to itself.  The first call in place tests this
 * and builds the kernel.  The test takes no time for flips, transpositions and other swaps of digits; for other maps it
 * takes about ten nanoseconds per cell.  If it fails, the buffer is unchanged (MW_EINVAL).
 * `fill`: the bytes of one element; NULL: zeros; not used in place.  Errors: MW_EINVAL; in place also MW_ELIMIT and
 * MW_EBUILD. */
MW_API int mw_transform_run(struct mw_transform *transform, struct mw_buffer *from, struct mw_buffer *to,
                            const void *fill);
/* Returns the name of the chosen variant. */
MW_API const char *mw_transform_variant(const struct mw_transform *transform);
/* Transforms host arrays: to a device, through the map, and back; the map fills with zeros. The caller frees *result.
 * `seconds`: time of a second pass on the device, without transfers; NULL: no second pass. Errors: those of
 * mw_transform_new, mw_transform_run and mw_buffer_new; MW_EINVAL (an array without the map's number of cells),
 * MW_ENOMEM. */
MW_API int mw_transform_array(struct mw_device *device, const struct mw_map *map, const struct mw_array *array,
                              const char *variant, struct mw_array *result, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
