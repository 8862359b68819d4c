/* Data-parallel primitives on buffers of any device: reduce, scan, select, histogram, sort by key.
 *
 * Results have the same bits on every device.  Integers are exact.  The order of additions of reals depends only on the
 * number of elements.
 *
 * Threads: primitives belong to their device's thread (device.h). */
#ifndef MESHWORK_PRIM_H
#define MESHWORK_PRIM_H

#include <meshwork/io.h>
#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The primitives of one device: programs, which are built at their first use, and scratch memory, which grows to the
 * maximum that a call needs.  One thread at a time uses them.  The device must outlive them. */
struct mw_prim;
/* Makes the primitives of a device; builds no program yet.  Errors: MW_ENOMEM. */
MW_API int mw_prim_new(struct mw_device *device, struct mw_prim **prim);
MW_API void mw_prim_free(struct mw_prim *prim);

/* In the following functions buffers must be on the device of the primitives; the first `n` elements are used.  n may
 * be 0.  A call with a result in host memory waits for it; other calls only queue work.
 * Errors of all: MW_EINVAL (a buffer is too small; the type or operation is not supported), MW_ELIMIT (too many
 * elements), MW_ENOMEM, those of mw_program_new and mw_launch. */

/* Operations of mw_prim_reduce. */
enum mw_reduction { MW_REDUCTION_SUM, MW_REDUCTION_MIN, MW_REDUCTION_MAX };

/* Computes the sum, minimum or maximum of n elements of a type: i32, u32, i64, u64, f32 or f64; waits.  `result` points
 * to host memory for one element of that type; sums of i32 are int64_t, sums of u32 uint64_t.  If an element is NaN, so
 * is the result.  For n = 0 the sum is 0, and a minimum or maximum is MW_EINVAL.
 * Cost: reads every element once. */
MW_API int mw_prim_reduce(struct mw_prim *prim, struct mw_buffer *from, size_t n, enum mw_type type,
                          enum mw_reduction operation, void *result);

/* Computes prefix sums: to[i] = from[0] + ... + from[i - 1], and with `inclusive` also + from[i].  Sums wrap around in
 * the type: i32, u32, i64 or u64.  `to` may be `from`.  `total` points to host memory for the sum of all elements, of
 * the same type; the call then waits.  NULL: no total, and the call does not wait.
 * Cost: writes every element once; reads it twice, or once on GPUs whose work-groups may wait for each other
 * (device.h). */
MW_API int mw_prim_scan(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, enum mw_type type,
                        bool inclusive, void *total);

/* Writes the indices of the non-zero bytes among n bytes to `places`, ascending, as u32; waits.  n must be below 2^32.
 * *count receives their number.  Room for n indices always suffices.  If `places` is too small, it receives the first
 * indices, and the call returns MW_EINVAL. */
MW_API int mw_prim_select(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                          size_t *count);

/* Counts equal keys: counts[b] is the number of keys equal to b, for b below `bins`.  Keys and counts are u32.  Keys of
 * `bins` or more are not counted. */
MW_API int mw_prim_histogram(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins,
                             struct mw_buffer *counts);

/* Sorts n keys and their values in place: stable, ascending, by the lowest `bits` bits of the keys.  `type` is the type
 * of the keys: u32 or u64.  `value_bytes` is the size of a value, 4 or 8.  `values` may be NULL with `value_bytes` 0.
 * Cost: radix sort, by digits of at most 8 bits.  Each digit reads the keys twice, and writes keys and values once.  On
 * GPUs whose work-groups may wait for each other (device.h), each digit reads the keys once. */
MW_API int mw_prim_sort(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                        struct mw_buffer *values, size_t value_bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
