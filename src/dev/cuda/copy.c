/* The CUDA backend: copies on a device, and between two that have each other's memory in reach. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

/* Two devices of the library may be one: then they share a context. */
static bool is_same(const struct mw_cuda_device *a, const struct mw_cuda_device *b) { return a->context == b->context; }

/* Queries and enables peer access once. Without it, the driver copies through the host. */
static bool find_peer(const struct mw_cuda_device *from, const struct mw_cuda_device *to)
{
    mw_cu_context before;
    int can = 0;
    if (mw_cu.DeviceCanAccessPeer(&can, from->device, to->device) != 0 || !can ||
        mw_cu.CtxPushCurrent(from->context) != 0)
        return false;
    const mw_cu_result error = mw_cu.CtxEnablePeerAccess(to->context, 0);
    (void)mw_cu.CtxPopCurrent(&before);
    return (error == 0 || error == MW_CU_PEER_ALREADY_ENABLED) && mw_cuda_pool_reach(from, to);
}

static bool copy_reaches(const struct mw_device *from, const struct mw_device *to)
{
    struct mw_cuda_device *f = from->impl;
    const struct mw_cuda_device *t = to->impl;
    if (is_same(f, t))
        return true;
    unsigned char *peer = &f->peers[t->device % MW_CUDA_DEVICES_MAX];
    if (*peer == MW_CUDA_PEER_UNKNOWN)
        *peer = find_peer(f, t) ? MW_CUDA_PEER_NEAR : MW_CUDA_PEER_FAR;
    return *peer == MW_CUDA_PEER_NEAR;
}

/* In that device's context, as all that is launched: entering it does so. */
static int flush_other(struct mw_device *device)
{
    TRY_RETURN(mw_cuda_enter(device, MW_ENTRY_WORK));
    mw_cuda_leave(device);
    return 0;
}

static mw_cu_result queue_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset,
                               size_t bytes, mw_cu_stream stream)
{
    const struct mw_cuda_device *f = from->device->impl, *t = to->device->impl;
    const mw_cu_address source = mw_cuda_address(from, from_offset), target = mw_cuda_address(to, to_offset);
    return is_same(f, t) ? mw_cu.MemcpyDtoDAsync(target, source, bytes, stream)
                         : mw_cu.MemcpyPeerAsync(target, t->context, source, f->context, bytes, stream);
}

static int second_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event)
{
    mw_cu_stream second = NULL;
    TRY_RETURN(mw_cuda_second_take(from->device, &second));
    TRY_RETURN(mw_cuda_event_start(from->device, second, event));
    return mw_cuda_event_queued(from->device, second, event,
                                queue_copy(from, from_offset, to, to_offset, bytes, second),
                                "copying to another device");
}

/* On from's stream, between what `to` has got and what it will get. */
static int copy_across(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event)
{
    struct mw_device *const device = from->device;
    const struct mw_cuda_device *f = device->impl, *t = to->device->impl;
    TRY_RETURN(flush_other(to->device));
    TRY_RETURN(mw_cuda_check(to->device, mw_cu.EventRecord(t->mark, t->stream), "marking queued work"));
    TRY_RETURN(mw_cuda_check(device, mw_cu.StreamWaitEvent(f->stream, t->mark, 0), "ordering work of two queues"));
    TRY_RETURN(mw_cuda_event_start(device, f->stream, event));
    TRY_RETURN(mw_cuda_event_queued(device, f->stream, event,
                                    queue_copy(from, from_offset, to, to_offset, bytes, f->stream),
                                    "copying to another device"));
    TRY_RETURN(mw_cuda_check(device, mw_cu.EventRecord(f->mark, f->stream), "marking queued work"));
    return mw_cuda_check(to->device, mw_cu.StreamWaitEvent(t->stream, f->mark, 0), "ordering work of two queues");
}

static int copy_within(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event)
{
    struct mw_device *const device = from->device;
    const struct mw_cuda_device *cuda = device->impl;
    TRY_RETURN(mw_cuda_event_start(device, cuda->stream, event));
    return mw_cuda_event_queued(device, cuda->stream, event,
                                queue_copy(from, from_offset, to, to_offset, bytes, cuda->stream),
                                "copying on the device");
}

int mw_cuda_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                 struct mw_event *event)
{
    if (from->device == to->device)
        TRY_RETURN(copy_within(from, from_offset, to, to_offset, bytes, event));
    else
        TRY_RETURN(copy_across(from, from_offset, to, to_offset, bytes, event));
    if (!event)
        return mw_cuda_finish(from->device);
    return 0;
}

const struct mw_peer_calls mw_cuda_peers = { .reaches = copy_reaches, .second_copy = second_copy };
/* SPDX-License-Identifier: MIT */
