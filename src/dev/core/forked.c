/* Devices in a child process that fork() made: threads are gone there, and drivers wait for theirs for ever.  A device
 * that was open before has another table in the child, whose calls fail and whose frees do nothing. */
#include "dev/core/backend.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mw_device *open_devices;

static int fail(const struct mw_device *device)
{
    return mw_fail(MW_EDEVICE,
                   "%s (%s) was opened before this process was forked, and its driver and threads do not "
                   "work in the child: open devices after fork(), or start the child by posix_spawn()",
                   device->info.id, device->info.name);
}

/* Calls that need a device fail before they reach its table. */
static int forked_enter(struct mw_device *device, enum mw_backend_entry entry)
{
    return entry == MW_ENTRY_FREE ? 0 : fail(device);
}

/* Calls without `enter`, staging_new (staging.c tests whether a table has it), and calls that free nothing. */
static int staging_new(struct mw_staging *staging) { return fail(staging->device); }
static int image_check(const struct mw_device *device, unsigned dims, const size_t *length, size_t cell_bytes)
{
    return fail(device);
}
static int identify(const struct mw_device *device, const struct mw_build *build, struct mw_text *key)
{
    return fail(device);
}
static int event_seconds(const struct mw_event *event, double *seconds) { return fail(event->device); }
static void close_nothing(struct mw_device *device) {}
static void free_no_buffer(struct mw_buffer *buffer) {}
static void free_no_staging(struct mw_staging *staging) {}
static void free_no_image(struct mw_image *image) {}
static void unload_nothing(struct mw_code *code) {}
static void free_no_kernel(struct mw_kernel *kernel) {}
static void free_no_event(struct mw_event *event) {}

static const struct mw_memory_calls lost_memory = { .buffer_free = free_no_buffer,
                                                    .staging_new = staging_new,
                                                    .staging_free = free_no_staging };
static const struct mw_image_calls lost_images = { .check = image_check, .free = free_no_image };
static const struct mw_compile_calls lost_compile = { .identify = identify, .unload = unload_nothing };
/* clang-format off */
static const struct mw_backend lost = {
    .name = "lost", .compiles = true, .close = close_nothing, .enter = forked_enter,
    .memory = &lost_memory, .images = &lost_images, .compile = &lost_compile,
    .kernel_free = free_no_kernel, .event_seconds = event_seconds, .event_free = free_no_event,
};
/* clang-format on */

bool mw_device_is_lost(const struct mw_device *device) { return device->backend == &lost; }

static void before_fork(void) { pthread_mutex_lock(&lock); }

static void after_fork_parent(void) { pthread_mutex_unlock(&lock); }

static void after_fork_child(void)
{
    for (struct mw_device *d = open_devices; d; d = d->next_open) {
        if (d->backend->survives_fork && d->backend->survives_fork(d))
            continue;
        d->backend = &lost;
        d->copy_pool = NULL;
        d->without_copy_pool = true;
    }
    pthread_mutex_unlock(&lock);
}

static void watch_forks(void) { (void)pthread_atfork(before_fork, after_fork_parent, after_fork_child); }

void mw_device_opened(struct mw_device *device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&lock);
    device->next_open = open_devices;
    open_devices = device;
    pthread_mutex_unlock(&lock);
}

void mw_device_closed(struct mw_device *device)
{
    pthread_mutex_lock(&lock);
    struct mw_device **at = &open_devices;
    while (*at && *at != device)
        at = &(*at)->next_open;
    if (*at)
        *at = device->next_open;
    pthread_mutex_unlock(&lock);
}
/* SPDX-License-Identifier: MIT */
