/* Waiting for all work of a device, or for some by events, and its time. */
#include "dev/core/backend.h"

#include <stdlib.h>

int mw_device_flush(struct mw_device *device)
{
    return MW_CALL_AS(MW_ENTRY_LAUNCH, device, device->backend->flush(device));
}

int mw_device_finish(struct mw_device *device) { return MW_CALL(device, device->backend->finish(device)); }

int mw_event_new(struct mw_device *device, struct mw_event **event)
{
    struct mw_event *made;
    TRY_RETURN(mw_new(1, sizeof(*made), &made));
    made->device = device;
    *event = made;
    return 0;
}

int mw_event_wait(struct mw_event *event)
{
    return event->impl ? MW_CALL(event->device, event->device->backend->event_wait(event)) : 0;
}

int mw_event_seconds(const struct mw_event *event, double *seconds)
{
    if (event->impl)
        return event->device->backend->event_seconds(event, seconds);
    *seconds = 0.0;
    return 0;
}

void mw_event_free(struct mw_event *event)
{
    if (!event)
        return;
    if (event->impl)
        MW_CALL_FREE(event->device, event->device->backend->event_free(event));
    free(event);
}
/* SPDX-License-Identifier: MIT */
