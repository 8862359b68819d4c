/* The OpenCL backend: its table.  No other file in this folder refers to it.  Drivers that are not thread-safe are
 * called by one thread at a time, for all their devices. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static int enter(struct mw_device *device, enum mw_backend_entry entry)
{
    if (device->info.traits->one_thread)
        pthread_mutex_lock(&turn);
    return 0;
}

static void opencl_leave(struct mw_device *device)
{
    if (device->info.traits->one_thread)
        pthread_mutex_unlock(&turn);
}

static int open(struct mw_device *device, const void *handle)
{
    enter(device, MW_ENTRY_WORK);
    const int rc = mw_cl_open(device, handle);
    opencl_leave(device);
    return rc;
}

static void close(struct mw_device *device)
{
    enter(device, MW_ENTRY_FREE);
    mw_cl_close(device);
    opencl_leave(device);
}

const struct mw_backend mw_backend_opencl = {
    .name = "opencl",
    .compiles = true,
    .list = mw_cl_list,
    .open = open,
    .close = close,
    .device_of = mw_cl_device_of,
    .enter = enter,
    .leave = opencl_leave,
    .flush = mw_cl_flush,
    .finish = mw_cl_finish,
    .memory = &mw_cl_buffers,
    .queue = &mw_cl_queues,
    .images = &mw_cl_images,
    .compile = &mw_cl_programs,
    .kernel_new = mw_cl_kernel_new,
    .kernel_free = mw_cl_kernel_free,
    .launch = mw_cl_launch,
    .event_wait = mw_cl_event_wait,
    .event_seconds = mw_cl_event_seconds,
    .event_free = mw_cl_event_free,
};
/* SPDX-License-Identifier: MIT */
