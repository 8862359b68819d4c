/* The CUDA backend: events.  An event is complete when all earlier work of its stream is.  If times are requested, a
 * second event, `first`, precedes the work. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

#include <stdlib.h>

/* Either all events of a device have times, or none of them. */
static int take_event(struct mw_device *device, mw_cu_event *event)
{
    struct mw_cuda_events *all = &((struct mw_cuda_device *)device->impl)->events;
    *event = NULL;
    pthread_mutex_lock(&all->lock);
    if (all->count)
        *event = all->idle[--all->count];
    pthread_mutex_unlock(&all->lock);
    if (!*event)
        TRY_RETURN(mw_cuda_check(device, mw_cu.EventCreate(event, device->options.profile ? 0 : MW_CU_EVENT_UNTIMED),
                                 "making an event"));
    return 0;
}

static bool make_room(struct mw_cuda_events *all)
{
    const size_t room = all->room ? 2 * all->room : 16;
    mw_cu_event *idle = all->count < all->room ? all->idle : realloc(all->idle, room * sizeof *idle);
    if (!idle)
        return false;
    all->room = all->count < all->room ? all->room : room;
    all->idle = idle;
    return true;
}

static void give_event(struct mw_cuda_device *cuda, mw_cu_event event)
{
    struct mw_cuda_events *all = &cuda->events;
    pthread_mutex_lock(&all->lock);
    if (make_room(all))
        all->idle[all->count++] = event;
    else
        (void)mw_cu.EventDestroy(event);
    pthread_mutex_unlock(&all->lock);
}

void mw_cuda_events_begin(struct mw_cuda_device *cuda) { pthread_mutex_init(&cuda->events.lock, NULL); }

void mw_cuda_events_end(struct mw_cuda_device *cuda)
{
    for (size_t i = 0; i < cuda->events.count; i++)
        (void)mw_cu.EventDestroy(cuda->events.idle[i]);
    free(cuda->events.idle);
    pthread_mutex_destroy(&cuda->events.lock);
}

/* Records a new event after the stream's work. */
static int record(struct mw_device *device, mw_cu_stream stream, void **result)
{
    mw_cu_event event = NULL;
    int rc;
    TRY(take_event(device, &event));
    TRY(mw_cuda_check(device, mw_cu.EventRecord(event, stream), "marking queued work"));
    *result = MW_PASS(event);
out:
    if (event)
        give_event(device->impl, event);
    return rc;
}

int mw_cuda_event_start(struct mw_device *device, mw_cu_stream stream, struct mw_event *event)
{
    return event && device->options.profile ? record(device, stream, &event->first) : 0;
}

void mw_cuda_event_drop(struct mw_device *device, struct mw_event *event)
{
    if (event && event->first)
        give_event(device->impl, event->first);
    if (event)
        event->first = NULL;
}

int mw_cuda_event_finish(struct mw_device *device, mw_cu_stream stream, struct mw_event *event)
{
    int rc = event ? record(device, stream, &event->impl) : 0;
    if (rc) {
        /* No caller waits for it after this failure, and callers then free its buffers. */
        (void)mw_cu.StreamSynchronize(stream);
        mw_cuda_event_drop(device, event);
    }
    return rc;
}

int mw_cuda_event_queued(struct mw_device *device, mw_cu_stream stream, struct mw_event *event, mw_cu_result error,
                         const char *what)
{
    if (error == 0)
        return mw_cuda_event_finish(device, stream, event);
    mw_cuda_event_drop(device, event);
    return mw_cuda_fail(device, error, what);
}

int mw_cuda_event_wait(struct mw_event *event)
{
    return mw_cuda_check(event->device, mw_cu.EventSynchronize(event->impl), "queued work");
}

int mw_cuda_event_seconds(const struct mw_event *event, double *seconds)
{
    const struct mw_device *device = event->device;
    float milliseconds = 0;
    TRY_RETURN(mw_cuda_check(device, mw_cu.EventElapsedTime(&milliseconds, event->first, event->impl),
                             "asking for the time of some work"));
    *seconds = milliseconds > 0 ? 1e-3 * (double)milliseconds : 0.0;
    return 0;
}

void mw_cuda_event_free(struct mw_event *event)
{
    struct mw_cuda_device *cuda = event->device->impl;
    if (event->impl)
        give_event(cuda, event->impl);
    if (event->first)
        give_event(cuda, event->first);
}
/* SPDX-License-Identifier: MIT */
