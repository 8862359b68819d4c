/* The default device: one a thread, since devices belong to threads, opened when it is first needed. */
#include "dev/core/given.h"

#include "dev/core/backend.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_exit; /* closes a thread's device when the thread ends; the main thread's stays open */
static bool closes;
static _Thread_local struct mw_device *own;

static void close_own(void *device) { mw_device_close(device); }

static void watch_threads(void) { closes = pthread_key_create(&at_exit, close_own) == 0; }

int mw_device_default(struct mw_device **device)
{
    struct mw_device *made;
    /* One that was open before fork() belongs to the parent. */
    if (!own || mw_device_is_lost(own)) {
        TRY_RETURN(mw_device_open_by_name(NULL, NULL, &made));
        own = made;
        pthread_once(&once, watch_threads);
        if (closes)
            (void)pthread_setspecific(at_exit, own);
    }
    *device = own;
    return 0;
}

void mw_device_default_closed(const struct mw_device *device)
{
    if (device != own)
        return;
    own = NULL;
    if (closes)
        (void)pthread_setspecific(at_exit, NULL);
}

int mw_device_given(struct mw_device **device) { return *device ? 0 : mw_device_default(device); }

int mw_devices_given(struct mw_device *const **devices, size_t *count, const char *what)
{
    struct mw_device *device;
    if (*devices && *count > 0)
        return 0;
    if (*devices || *count > 0)
        return mw_fail(MW_EINVAL, "no device is given for %s: give at least one, or NULL and 0 for the default device",
                       what);
    TRY_RETURN(mw_device_default(&device));
    *devices = &own;
    *count = 1;
    return 0;
}
/* SPDX-License-Identifier: MIT */
