/* The CUDA backend: its table.  No other file in this folder refers to it.  Calls set the device's context on the
 * calling thread and then restore the thread's own.  Other calls than launches first submit delayed ones (chain.c). */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

int mw_cuda_enter(struct mw_device *device, enum mw_backend_entry entry)
{
    const struct mw_cuda_device *const cuda = device->impl;
    int rc = 0;
    TRY_RETURN(mw_cuda_check(device, mw_cu.CtxPushCurrent(cuda->context), "taking up its context"));
    if (entry == MW_ENTRY_FREE)
        mw_cuda_chain_pass(device);
    else if (entry == MW_ENTRY_WORK)
        rc = mw_cuda_chain_flush(device);
    if (rc)
        mw_cuda_leave(device);
    return rc;
}

void mw_cuda_leave(struct mw_device *device)
{
    mw_cu_context ended;
    (void)mw_cu.CtxPopCurrent(&ended);
}

const struct mw_backend mw_backend_cuda = {
    .name = "cuda",
    .priority = 1, /* faster than OpenCL where launches count, as fast elsewhere: doc/results */
    .compiles = true,
    .list = mw_cuda_list,
    .open = mw_cuda_open,
    .close = mw_cuda_close,
    .device_of = mw_cuda_device_of,
    .enter = mw_cuda_enter,
    .leave = mw_cuda_leave,
    .flush = mw_cuda_chain_flush,
    .finish = mw_cuda_finish,
    .memory = &mw_cuda_buffers,
    .queue = &mw_cuda_queues,
    .images = &mw_cuda_images,
    .compile = &mw_cuda_programs,
    .peer = &mw_cuda_peers,
    .kernel_new = mw_cuda_kernel_new,
    .kernel_free = mw_cuda_kernel_free,
    .launch = mw_cuda_launch,
    .event_wait = mw_cuda_event_wait,
    .event_seconds = mw_cuda_event_seconds,
    .event_free = mw_cuda_event_free,
};
/* SPDX-License-Identifier: MIT */
