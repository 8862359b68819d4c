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
    const struct mw_device *const device = event->device;
    if (!event->impl) {
        *seconds = 0.0;
        return 0;
    }
    if (device->backend->compiles && !device->options.profile && !mw_device_is_lost(device))
        return mw_fail(MW_ENOTSUP,
                       "%s was opened without profiling and records no times: set mw_device_options.profile",
                       device->info.id);
    return device->backend->event_seconds(event, seconds);
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
