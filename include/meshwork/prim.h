/* Data-parallel primitives on buffers of any device: reduce, scan, select, histogram, sort by key.
 *
 * Common to labelling of meshes and of graphs. Results have the same bits on every device: integers are exact, and sums
 * of reals follow one tree, whose form depends only on the number of elements.
 *
 * Threads: belong to their device's thread (device.h). */
#ifndef MESHWORK_PRIM_H
#define MESHWORK_PRIM_H

#include <meshwork/io.h>
#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The primitives of one device: programs, built when first used and kept, and scratch memory, which grows to the
 * maximum of all calls.  Belongs to one thread at a time; the device must outlive it. */
struct mw_prim;
/* Makes the primitives of a device; builds nothing yet.  Errors: MW_ENOMEM. */
MW_API int mw_prim_new(struct mw_device *device, struct mw_prim **prim);
MW_API void mw_prim_free(struct mw_prim *prim);

/* In the following functions buffers are on the primitives' device and hold `n` elements from their start; calls queue
 * and do not wait, except where a result comes to host memory. n = 0 is legal.
 * Errors: MW_EINVAL (a buffer too small, a type or operation that is not taken), MW_ELIMIT, MW_ENOMEM, and those of
 * mw_program_new and mw_launch. */

/* Operations of mw_prim_reduce. */
enum mw_reduction { MW_REDUCTION_SUM, MW_REDUCTION_MIN, MW_REDUCTION_MAX };

/* Computes the sum, minimum or maximum of n elements of a type (i32, u32, i64, u64, f32, f64).  `result` is in host
 * memory: of the same type, sums of 32-bit integers as 64 bits of the same sign.  Without elements: 0, and for
 * MW_REDUCTION_MIN and MW_REDUCTION_MAX MW_EINVAL. A NaN among reals makes the result NaN. Reads every element
 * once. */
MW_API int mw_prim_reduce(struct mw_prim *prim, struct mw_buffer *from, size_t n, enum mw_type type,
                          enum mw_reduction operation, void *result);

/* Computes to[i] = from[0] + ... + from[i - 1] (`inclusive`: + from[i]), modulo the type's range: i32, u32, i64, u64.
 * `to` may be `from`.  `total`: the sum of all, in host memory, of the same type; NULL: not wanted, and nothing waits.
 * Writes elements once and reads them twice, or once on GPUs whose work-groups may wait for each other (device.h). */
MW_API int mw_prim_scan(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, enum mw_type type,
                        bool inclusive, void *total);

/* Writes the indices of the non-zero ones of n bytes to `places`, ascending, as u32 (n below 2^32), and their number to
 * *count in host memory; waits. If `places` has too little room (n elements always suffice), it gets the first indices,
 * and the call fails with MW_EINVAL. */
MW_API int mw_prim_select(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                          size_t *count);

/* Counts keys: counts[b] (u32) is the number of the n keys (u32) equal to b, for b below `bins`; keys from `bins` on
 * are not counted. */
MW_API int mw_prim_histogram(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins,
                             struct mw_buffer *counts);

/* Sorts n keys (u32 or u64) with their values in place, stably and ascending, by the lowest `bits` bits of the keys.
 * `value_bytes` is 4 or 8, or 0 with `values` NULL.  Radix sort by digits of at most 8 bits: each digit reads the keys
 * twice and writes all once. On GPUs whose work-groups may wait for each other, each digit reads the keys once. */
MW_API int mw_prim_sort(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                        struct mw_buffer *values, size_t value_bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
