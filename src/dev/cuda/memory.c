/* The CUDA backend: buffers, transfers in order and concurrent ones, page-locked memory of the host. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"
#include "dev/host/host.h"

static int buffer_new(struct mw_buffer *buffer)
{
    mw_cu_address address = 0;
    TRY_RETURN(mw_cuda_check(buffer->device, mw_cuda_pool_take(buffer->device->impl, buffer->bytes, &address),
                             "making a buffer"));
    buffer->impl = (void *)(uintptr_t)address;
    return 0;
}

/* Queued work may still use it. */
static void buffer_free(struct mw_buffer *buffer)
{
    (void)mw_cuda_finish(buffer->device);
    if (!buffer->borrowed)
        mw_cuda_pool_give(buffer->device->impl, mw_cuda_address(buffer, 0));
}

static int buffer_borrow(struct mw_buffer *buffer, void *memory, bool host)
{
    const struct mw_device_info *info = &buffer->device->info;
    const mw_cu_address address = (mw_cu_address)(uintptr_t)memory;
    mw_cu_address begin = 0;
    size_t bytes = 0;
    if (host)
        return mw_fail(MW_ENOTSUP,
                       "%s (%s) does not work in the host's memory: make a buffer by mw_buffer_new, "
                       "and copy",
                       info->id, info->name);
    if (mw_cu.MemGetAddressRange(&begin, &bytes, address))
        return mw_fail(MW_EINVAL, "%s: the given memory belongs to another CUDA context", info->id);
    if (buffer->bytes > begin + bytes - address)
        return mw_fail(MW_EINVAL, "%s: the given memory has %llu bytes, too few for a buffer of %zu", info->id,
                       begin + bytes - address, buffer->bytes);
    buffer->impl = memory;
    return 0;
}

/* ---- transfers ---- */

static int transfer_on(mw_cu_stream stream, struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from,
                       void *to, struct mw_event *event)
{
    const mw_cu_address at = mw_cuda_address(buffer, offset);
    TRY_RETURN(mw_cuda_event_start(buffer->device, stream, event));
    return mw_cuda_event_queued(buffer->device, stream, event,
                                from ? mw_cu.MemcpyHtoDAsync(at, from, bytes, stream)
                                     : mw_cu.MemcpyDtoHAsync(to, at, bytes, stream),
                                from ? "copying to the device" : "copying from the device");
}

/* After a wait the stream has nothing to do. */
static int buffer_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event)
{
    struct mw_cuda_device *cuda = buffer->device->impl;
    TRY_RETURN(transfer_on(cuda->stream, buffer, offset, bytes, from, to, event));
    if (event)
        return 0;
    TRY_RETURN(mw_cuda_check(buffer->device, mw_cu.StreamSynchronize(cuda->stream),
                             from ? "copying to the device" : "copying from the device"));
    mw_cuda_chain_restart(cuda);
    return 0;
}

/* Fills by words of 32 bits if offset and size are multiples of them, otherwise by bytes. */
static int buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
{
    const struct mw_cuda_device *cuda = buffer->device->impl;
    const mw_cu_address to = mw_cuda_address(buffer, offset);
    const bool words = (offset | bytes) % 4 == 0;
    return mw_cuda_check(buffer->device,
                         words ? mw_cu.MemsetD32Async(to, 0x01010101u * value, bytes / 4, cuda->stream)
                               : mw_cu.MemsetD8Async(to, value, bytes, cuda->stream),
                         "filling a buffer");
}

/* ---- concurrent transfers ---- */

int mw_cuda_second_take(struct mw_device *device, mw_cu_stream *stream)
{
    struct mw_cuda_device *cuda = device->impl;
    if (!cuda->second)
        TRY_RETURN(mw_cuda_check(device, mw_cu.StreamCreate(&cuda->second, MW_CU_STREAM_CONCURRENT),
                                 "making a second stream"));
    *stream = cuda->second;
    return 0;
}

/* Later work of `waiting` begins after all current work of `stream`. */
static int wait_for(struct mw_device *device, mw_cu_stream waiting, mw_cu_stream stream)
{
    const struct mw_cuda_device *cuda = device->impl;
    TRY_RETURN(mw_cuda_check(device, mw_cu.EventRecord(cuda->mark, stream), "marking queued work"));
    return mw_cuda_check(device, mw_cu.StreamWaitEvent(waiting, cuda->mark, 0), "ordering work of two queues");
}

static int second_after_first(struct mw_device *device)
{
    const struct mw_cuda_device *cuda = device->impl;
    mw_cu_stream second = NULL;
    TRY_RETURN(mw_cuda_second_take(device, &second));
    return wait_for(device, second, cuda->stream);
}

static int first_after_second(struct mw_device *device)
{
    const struct mw_cuda_device *cuda = device->impl;
    mw_cu_stream second = NULL;
    TRY_RETURN(mw_cuda_second_take(device, &second));
    return wait_for(device, cuda->stream, second);
}

static int swap_queues(struct mw_device *device)
{
    struct mw_cuda_device *cuda = device->impl;
    mw_cu_stream second = NULL;
    TRY_RETURN(mw_cuda_second_take(device, &second));
    cuda->second = cuda->stream;
    cuda->stream = second;
    cuda->chain.way ^= 1;
    return 0;
}

static int second_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event)
{
    mw_cu_stream second = NULL;
    TRY_RETURN(mw_cuda_second_take(buffer->device, &second));
    return transfer_on(second, buffer, offset, bytes, from, to, event);
}

/* ---- memory of the host ---- */

static int staging_new(struct mw_staging *staging)
{
    void *memory = NULL;
    if (mw_cu.MemHostAlloc(&memory, staging->bytes, MW_CU_HOST_PORTABLE) == 0) {
        staging->memory = staging->impl = memory;
        return 0;
    }
    /* Page-locked memory is limited; other memory works, but is slower. */
    return mw_host_memory_new(staging->bytes, 0, &staging->memory);
}

static void staging_free(struct mw_staging *staging)
{
    (void)mw_cuda_finish(staging->device);
    if (staging->impl)
        (void)mw_cu.MemFreeHost(staging->impl);
    else
        mw_host_memory_free(staging->memory, staging->bytes);
}

const struct mw_memory_calls mw_cuda_buffers = {
    .buffer_new = buffer_new,
    .buffer_free = buffer_free,
    .borrow = buffer_borrow,
    .transfer = buffer_transfer,
    .copy = mw_cuda_copy,
    .fill = buffer_fill,
    .staging_new = staging_new,
    .staging_free = staging_free,
};

const struct mw_queue_calls mw_cuda_queues = {
    .second_after_first = second_after_first,
    .first_after_second = first_after_second,
    .swap_queues = swap_queues,
    .transfer = second_transfer,
};
/* SPDX-License-Identifier: MIT */
