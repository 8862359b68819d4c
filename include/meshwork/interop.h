/* Interoperation: uses OpenCL or CUDA queues, device memory and host memory of a program or another library in place,
 * without a copy.
 *
 * Ownership: queues and memory stay the caller's. Free them only after the buffers and devices made from them. Until
 * then, access the memory only by commands on the same queue. Commands queued there before a call precede the work of
 * the call. Commands queued after mw_device_flush follow it.
 *
 * Threads: as for other devices and buffers (device.h). */
#ifndef MESHWORK_INTEROP_H
#define MESHWORK_INTEROP_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a device that queues its work on a queue of the caller, and uses the context and the device of that queue.
 *   backend    type of queue       requirements
 *   "opencl"   cl_command_queue    an in-order queue; its context has only one device
 *   "cuda"     CUstream            not NULL: the default stream cannot be used
 * `options` may be NULL. With `profile`, an OpenCL queue must have profiling enabled. mw_device_close waits for the
 * work of the device, and leaves the queue open.
 * Errors: MW_EINVAL (no such backend; the queue is NULL, invalid or of another kind), MW_ENODEV (mw_device_list_new
 * does not list the device of the queue), MW_ENOTSUP (the backend is not built in; the context has several devices).
 * Cost: that of mw_device_list_new for the backend. */
MW_API int mw_device_from_queue(const char *backend, void *queue, const struct mw_device_options *options,
                                struct mw_device **device);

/* Makes a buffer from the first `bytes` bytes of existing device memory. `memory` depends on the device:
 * - OpenCL: a cl_mem, which must be a buffer of the context of the queue;
 * - CUDA: a CUdeviceptr, cast to a pointer;
 * - native: host memory, as for mw_buffer_from_host.
 * The buffer does not count towards the memory limit of the device. mw_buffer_free waits for work on the buffer, and
 * does not free the memory. Errors: MW_EINVAL (NULL, memory of another kind or context, or smaller than `bytes`),
 * MW_ENOMEM. */
MW_API int mw_buffer_from_memory(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

/* Makes a buffer from `bytes` bytes of host memory, without a copy. Results are in the memory after mw_device_finish.
 * `memory` must be aligned:
 * - on native devices to 64 bytes;
 * - on OpenCL devices that share host memory to the multiple that the driver requires, at least 64 bytes.
 * Errors: MW_EINVAL (NULL or alignment; the message names the multiple), MW_ENOTSUP (CUDA, or an OpenCL device with
 * its own memory), MW_ENOMEM. */
MW_API int mw_buffer_from_host(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
