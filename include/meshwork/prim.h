/* Data-parallel primitives on buffers of any device: reduce, scan, select, histogram, sort by key.
 *
 * Results have the same bits on every device: the order in which floating-point numbers are added depends only on how
 * many there are.
 *
 * Threads: only the thread that uses a device may use its primitives (device.h). */
#ifndef MESHWORK_PRIM_H
#define MESHWORK_PRIM_H

#include <meshwork/io.h>
#include <meshwork/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Handle with which the functions below work on one device.  It holds their programs, each built when it is first used.
 * It also holds scratch memory, which grows to the largest size that a call has required. */
struct mw_prim;
/* Makes the handle for a device; NULL: the default device.  It builds no program yet.  The caller frees the handle by
 * mw_prim_free, before it closes the device.  Errors: MW_ENOMEM, those of mw_device_default. */
MW_API int mw_prim_new(struct mw_device *device, struct mw_prim **prim);
/* Frees the handle with its programs and scratch memory; NULL is allowed. */
MW_API void mw_prim_free(struct mw_prim *prim);

/* The following functions work on the first `n` elements of buffers on the device of `prim`; n may be 0.  A call that
 * writes a result to host memory waits for it; other calls only queue work.
 * Errors of all: MW_EINVAL (a buffer is too small; the type or operation is not supported), MW_ELIMIT (too many
 * elements), MW_ENOMEM, those of mw_program_new and mw_launch. */

/* Selects the operation of mw_prim_reduce. */
enum mw_reduction { MW_REDUCTION_SUM, MW_REDUCTION_MIN, MW_REDUCTION_MAX };

/* Computes the sum, minimum or maximum of n elements; waits.
 *   - type: type of the elements: i32, u32, i64, u64, f32 or f64.
 *   - result: receives the result, in host memory.  It has the type of the elements, except that sums of i32 are
 *     int64_t, and sums of u32 are uint64_t.
 * Sums of 64-bit integers wrap around.  If an element is NaN, so is the result.  For n = 0 the sum is 0; a minimum or
 * maximum is MW_EINVAL.
 * Cost: reads every element once. */
MW_API int mw_prim_reduce(struct mw_prim *prim, struct mw_buffer *from, size_t n, enum mw_type type,
                          enum mw_reduction operation, void *result);

/* Computes prefix sums: to[i] = from[0] + ... + from[i - 1].  If `inclusive` is true, from[i] is added as well.
 *   - from, to: elements and sums; they may be the same buffer.
 *   - type: type of elements and sums: i32, u32, i64 or u64.  Sums wrap around in this type.
 *   - total: receives the sum of all elements, in host memory and of the same type; the call waits for it.  NULL: no
 *     total is computed, and the call does not wait.
 * Cost: writes every sum once, and reads every element twice.  NVIDIA GPUs read it once if n is at
 * most 2^22. */
MW_API int mw_prim_scan(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, enum mw_type type,
                        bool inclusive, void *total);

/* Finds the bytes of `flags` that are not 0; waits.
 *   - flags: n bytes; n must be below 2^32 (MW_ELIMIT).
 *   - places: receives the indices of these bytes as u32, ascending.  Room for n indices always suffices.
 *   - count: receives the number of indices, in host memory.
 * If `places` is too small, it receives as many indices as fit.  The call then returns MW_EINVAL and leaves *count
 * unchanged. */
MW_API int mw_prim_select(struct mw_prim *prim, struct mw_buffer *flags, size_t n, struct mw_buffer *places,
                          size_t *count);

/* Counts equal keys: sets counts[b] to the number of keys equal to b, for each b below `bins`.
 *   - keys: n keys of type u32.  Keys of `bins` or more are not counted.
 *   - bins: number of elements of `counts`, which are u32; n and `bins` must be below 2^32 (MW_ELIMIT).
 * The call only queues work. */
MW_API int mw_prim_histogram(struct mw_prim *prim, struct mw_buffer *keys, size_t n, size_t bins,
                             struct mw_buffer *counts);

/* Sorts n keys in place, ascending, by their lowest `bits` bits, and moves the values with them.  Keys that are equal
 * in these bits keep their order.
 *   - type: type of the keys: u32 or u64.
 *   - bits: number of bits to sort by, at most those of the type.
 *   - values: a value for each key; NULL: none.
 *   - value_bytes: bytes per value, 4 or 8; 0 if `values` is NULL.
 * The call only queues work.
 * Cost: a radix sort by digits of at most 8 bits, with scratch memory for a copy of keys and values.  Each digit reads
 * the keys twice and the values once, and writes both once.  NVIDIA GPUs read the keys once per digit and once before.
 * A GPU that can sort all keys in one work-group reads and writes them once. */
MW_API int mw_prim_sort(struct mw_prim *prim, struct mw_buffer *keys, enum mw_type type, unsigned bits,
                        struct mw_buffer *values, size_t value_bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
