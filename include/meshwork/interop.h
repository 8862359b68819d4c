/* Interoperation: makes devices and buffers from OpenCL or CUDA queues, device memory and host memory that a program or
 * another library already has. Nothing is copied.
 *
 * Ownership: queues and memory stay the caller's. The caller frees the buffers and closes the devices made from them
 * before it frees the queues and the memory. Until then, it accesses the memory only by commands on the same queue. The
 * work of a call runs after commands that were queued before the call. It runs before commands that are queued after
 * mw_device_flush.
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
 * `options` may be NULL. If its `profile` is true, an OpenCL queue must have profiling enabled. The caller closes the
 * device by mw_device_close, which waits for the work of the device and leaves the queue open.
 * Errors:
 * - MW_EINVAL: no such backend; the queue is NULL, invalid, out of order, or lacks profiling that `options` ask for;
 * - MW_ENODEV: mw_device_list_new does not list the device of the queue;
 * - MW_ENOTSUP: this build lacks the backend; the context has several devices;
 * - those of mw_device_open.
 * Cost: lists the devices of the backend, which starts its drivers in the first call of a process. */
MW_API int mw_device_from_queue(const char *backend, void *queue, const struct mw_device_options *options,
                                struct mw_device **device);

/* Makes a buffer from the first `bytes` bytes of existing device memory. `memory` depends on the device:
 * - OpenCL: a cl_mem, which must be a buffer of the context of the queue;
 * - CUDA: a CUdeviceptr, cast to a pointer;
 * - native: host memory, as for mw_buffer_from_host.
 * The buffer does not count towards the memory limit of the device. mw_buffer_free waits for work on the buffer, and
 * does not free the memory. Errors: MW_EINVAL (`memory` is NULL, of another kind or context, smaller than `bytes`, or
 * not aligned), MW_ENOMEM. */
MW_API int mw_buffer_from_memory(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

/* Makes a buffer from `bytes` bytes of host memory, in which the device then reads and writes. Results of kernels are
 * in `memory` after mw_device_finish. The address must be a multiple of a number of bytes:
 * - native devices: 64;
 * - OpenCL devices of kind MW_DEVICE_CPU: the number that the driver requires, and at least 64.
 * The caller frees `memory` after mw_buffer_free.
 * Errors: MW_EINVAL (`memory` is NULL or not aligned; the message names the multiple), MW_ENOTSUP (a CUDA device, or an
 * OpenCL device that cannot work in host memory), MW_ENOMEM. */
MW_API int mw_buffer_from_host(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
