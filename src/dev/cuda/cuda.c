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
    TRY(mw_cuda_check(device, mw_cu.CtxPushCurrent(cuda->context), "taking up its context"));
    if (entry == MW_ENTRY_FREE)
        mw_cuda_chain_pass(device);
    else if (entry == MW_ENTRY_WORK)
        rc = mw_cuda_chain_flush(device);
    if (rc)
        mw_cuda_leave(device);
out:
    return rc;
}

void mw_cuda_leave(struct mw_device *device)
{
    mw_cu_context ended;
    (void)mw_cu.CtxPopCurrent(&ended);
}

static const struct mw_memory_calls memory = {
    .buffer_new = mw_cuda_buffer_new,
    .buffer_free = mw_cuda_buffer_free,
    .borrow = mw_cuda_borrow,
    .write = mw_cuda_write,
    .read = mw_cuda_read,
    .copy = mw_cuda_copy,
    .fill = mw_cuda_fill,
    .staging_new = mw_cuda_staging_new,
    .staging_free = mw_cuda_staging_free,
};

static const struct mw_queue_calls queue = {
    .second_after_first = mw_cuda_second_after_first,
    .first_after_second = mw_cuda_first_after_second,
    .swap_queues = mw_cuda_swap_queues,
    .read = mw_cuda_second_read,
    .write = mw_cuda_second_write,
};

static const struct mw_image_calls images = {
    .check = mw_cuda_image_check,
    .new = mw_cuda_image_new,
    .free = mw_cuda_image_free,
    .from = mw_cuda_image_from,
    .to = mw_cuda_image_to,
};

static const struct mw_compile_calls compile = {
    .preamble = "cuda.clh",
    .identify = mw_cuda_identify,
    .compile = mw_cuda_compile,
    .load = mw_cuda_load,
    .unload = mw_cuda_unload,
};

static const struct mw_peer_calls peer = { .reaches = mw_cuda_reaches, .second_copy = mw_cuda_second_copy };

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
    .memory = &memory,
    .queue = &queue,
    .images = &images,
    .compile = &compile,
    .peer = &peer,
    .kernel_new = mw_cuda_kernel_new,
    .kernel_free = mw_cuda_kernel_free,
    .launch = mw_cuda_launch,
    .event_wait = mw_cuda_event_wait,
    .event_seconds = mw_cuda_event_seconds,
    .event_free = mw_cuda_event_free,
};
/* SPDX-License-Identifier: MIT */
