/* Devices and memory that a program, or another library, has from OpenCL or CUDA already, and its host memory: used in
 * place, without a copy.
 *
 * Ownership: queues and memory stay the caller's. Free them after the buffers and devices made here. Until then, use
 * them only in the order of the queue: commands queued there before a call precede the call's work, and commands queued
 * after mw_device_flush follow it.
 *
 * Threads: as for other devices and buffers (device.h). */
#ifndef MESHWORK_INTEROP_H
#define MESHWORK_INTEROP_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a device that queues its work on the caller's queue.
 *   backend    queue               takes over
 *   "opencl"   cl_command_queue    its context and device; the queue is in order, the context has one device
 *   "cuda"     CUstream            its context (not NULL, which is the default stream)
 * mw_device_close waits for the device's work.  `options` may be NULL; with `profile`, an OpenCL queue needs profiling.
 * Cost: that of mw_device_list_new for the backend.
 * Errors: MW_EINVAL (no such backend; no valid queue, or one of another kind), MW_ENODEV (mw_device_list_new does not
 * list its device), MW_ENOTSUP (the backend is not built in; a context of several devices). */
MW_API int mw_device_from_queue(const char *backend, void *queue, const struct mw_device_options *options,
                                struct mw_device **device);

/* Makes a buffer of the first `bytes` of memory of the device: a cl_mem (a buffer of the queue's context), a
 * CUdeviceptr as a pointer, or, of a native device, host memory as mw_buffer_from_host has it.  It does not count for
 * the device's memory.  mw_buffer_free waits for work on it and leaves the memory alone.
 * Errors: MW_EINVAL (it is no such memory, of another context, or smaller). */
MW_API int mw_buffer_from_memory(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

/* Makes a buffer of host memory.  Native devices take memory that begins at a multiple of 64 bytes.  OpenCL devices
 * that work in the host's memory take it if it is aligned as their driver reports, by at least 64 bytes.  Results are
 * there after mw_device_finish.
 * Errors: MW_EINVAL (alignment; the message has the multiple), MW_ENOTSUP (the device has memory of its own). */
MW_API int mw_buffer_from_host(struct mw_device *device, void *memory, size_t bytes, struct mw_buffer **buffer);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
