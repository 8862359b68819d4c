/* The CUDA backend: a device's primary context, and an in-order stream. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdlib.h>

static int learn_architecture(struct mw_device *device, struct mw_cuda_device *cuda)
{
    int major = 0, minor = 0;
    TRY_RETURN(mw_cuda_check(device, mw_cu.DeviceGetAttribute(&major, MW_CU_MAJOR, cuda->device), "opening it"));
    TRY_RETURN(mw_cuda_check(device, mw_cu.DeviceGetAttribute(&minor, MW_CU_MINOR, cuda->device), "opening it"));
    cuda->architecture = 10 * major + minor;
    return 0;
}

/* Does the part of opening that needs a current context. */
static int open_streams(struct mw_device *device, struct mw_cuda_device *cuda)
{
    mw_cu_context before;
    TRY_RETURN(mw_cuda_check(device, mw_cu.CtxPushCurrent(cuda->context), "opening it (the context)"));
    const mw_cu_result streams = device->queue ? 0 : mw_cu.StreamCreate(&cuda->stream, MW_CU_STREAM_CONCURRENT);
    if (device->queue)
        cuda->stream = device->queue;
    const mw_cu_result events = streams ? 0 : mw_cu.EventCreate(&cuda->mark, MW_CU_EVENT_UNTIMED);
    if (!streams && !events)
        mw_cuda_pool_begin(cuda);
    (void)mw_cu.CtxPopCurrent(&before);
    TRY_RETURN(mw_cuda_check(device, streams, "opening it (the stream)"));
    return mw_cuda_check(device, events, "opening it (an event)");
}

int mw_cuda_device_of(void *queue, const void **handle)
{
    mw_cu_context context = NULL, before;
    mw_cu_device device = 0;
    mw_cu_result error = mw_cu.StreamGetCtx ? mw_cu.StreamGetCtx(queue, &context) : MW_CU_NO_DEVICE; /* no driver */
    if (!error && (error = mw_cu.CtxPushCurrent(context)) == 0) {
        error = mw_cu.CtxGetDevice(&device);
        (void)mw_cu.CtxPopCurrent(&before);
    }
    if (error)
        return mw_fail(MW_EINVAL, "the given queue is not a usable CUDA stream: pass a CUstream of an existing "
                                  "context");
    *handle = (const void *)(intptr_t)device;
    return 0;
}

int mw_cuda_open(struct mw_device *device, const void *handle)
{
    struct mw_cuda_device *cuda = NULL;
    int rc;
    TRY(mw_new(1, sizeof *cuda, &cuda));
    device->impl = cuda;
    mw_cuda_events_begin(cuda);
    mw_cuda_chain_begin(&cuda->chain);
    TRY(mw_cuda_check(device, mw_cu.DeviceGet(&cuda->device, (int)(intptr_t)handle), "opening it"));
    TRY(learn_architecture(device, cuda));
    TRY(mw_cuda_check(device,
                      device->queue ? mw_cu.StreamGetCtx(device->queue, &cuda->context)
                                    : mw_cu.DevicePrimaryCtxRetain(&cuda->context, cuda->device),
                      "opening it (the context)"));
    TRY(open_streams(device, cuda));
    device->build_options[false] = MW_CUDA_OPTIONS MW_CUDA_SAME_BITS;
    device->build_options[true] = MW_CUDA_OPTIONS " --use_fast_math";
    device->grid = (struct mw_grid){ .groups = { 0x7fffffff, 0xffff, 0xffff } };
    cuda = NULL;
out:
    if (cuda)
        mw_cuda_close(device);
    return rc;
}

/* Also closes a partly opened device. */
void mw_cuda_close(struct mw_device *device)
{
    struct mw_cuda_device *cuda = device->impl;
    mw_cu_context before;
    if (cuda->context) {
        const bool pushed = mw_cu.CtxPushCurrent(cuda->context) == 0;
        mw_cuda_chain_pass(device);
        const mw_cu_stream streams[] = { cuda->second, cuda->stream };
        for (size_t i = 0; i < MW_COUNT(streams); i++) {
            if (streams[i]) {
                (void)mw_cu.StreamSynchronize(streams[i]);
                if (streams[i] != device->queue)
                    (void)mw_cu.StreamDestroy(streams[i]);
            }
        }
        mw_cuda_chain_end(&cuda->chain);
        mw_cuda_events_end(cuda);
        mw_cuda_pool_end(cuda);
        if (cuda->mark)
            (void)mw_cu.EventDestroy(cuda->mark);
        if (pushed)
            (void)mw_cu.CtxPopCurrent(&before);
        if (!device->queue)
            (void)mw_cu.DevicePrimaryCtxRelease(cuda->device);
    }
    free(cuda);
    device->impl = NULL;
}

int mw_cuda_finish(struct mw_device *device)
{
    struct mw_cuda_device *cuda = device->impl;
    const mw_cu_result first = mw_cu.StreamSynchronize(cuda->stream);
    mw_cuda_chain_restart(cuda);
    if (cuda->second)
        TRY_RETURN(mw_cuda_check(device, mw_cu.StreamSynchronize(cuda->second), "waiting for queued work"));
    return mw_cuda_check(device, first, "waiting for queued work");
}
/* SPDX-License-Identifier: MIT */
