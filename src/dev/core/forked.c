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

#define FAILS(name, device, ...)                                                                                       \
    static int name(__VA_ARGS__) { return fail(device); }
/* Parameters without a use need no names in the table's types, but in C. */
#define UNUSED __attribute__((unused))

FAILS(device_call, device, struct mw_device *device)
FAILS(buffer_new, buffer->device, struct mw_buffer *buffer)
FAILS(borrow, buffer->device, struct mw_buffer *buffer, UNUSED void *memory, UNUSED bool host)
FAILS(write_to, to->device, struct mw_buffer *to, UNUSED size_t offset, UNUSED size_t bytes, UNUSED const void *from,
      UNUSED struct mw_event *event)
FAILS(read_from, from->device, struct mw_buffer *from, UNUSED size_t offset, UNUSED size_t bytes, UNUSED void *to,
      UNUSED struct mw_event *event)
FAILS(forked_copy, from->device, struct mw_buffer *from, UNUSED size_t from_offset, UNUSED struct mw_buffer *to,
      UNUSED size_t to_offset, UNUSED size_t bytes, UNUSED struct mw_event *event)
FAILS(forked_fill, buffer->device, struct mw_buffer *buffer, UNUSED size_t offset, UNUSED size_t bytes,
      UNUSED unsigned char value)
FAILS(staging_new, staging->device, struct mw_staging *staging)
FAILS(image_check, device, const struct mw_device *device, UNUSED unsigned dims, UNUSED const size_t *length,
      UNUSED size_t cell_bytes)
FAILS(image_new, image->device, struct mw_image *image)
FAILS(image_from, to->device, struct mw_image *to, UNUSED struct mw_buffer *from, UNUSED size_t offset,
      UNUSED struct mw_event *event)
FAILS(image_to, from->device, struct mw_image *from, UNUSED struct mw_buffer *to, UNUSED size_t offset,
      UNUSED struct mw_event *event)
FAILS(identify, device, const struct mw_device *device, UNUSED const struct mw_build *build, UNUSED struct mw_text *key)
FAILS(compile, device, struct mw_device *device, UNUSED const struct mw_build *build, UNUSED struct mw_code *code,
      UNUSED struct mw_binary *binary)
FAILS(forked_load, device, struct mw_device *device, UNUSED const struct mw_build *build,
      UNUSED const struct mw_binary *binary, UNUSED struct mw_code *code)
FAILS(kernel_new, kernel->device, struct mw_kernel *kernel)
FAILS(launch, kernel->device, struct mw_kernel *kernel, UNUSED const struct mw_range *range,
      UNUSED const struct mw_arg *args, UNUSED size_t count, UNUSED struct mw_event *event)
FAILS(event_wait, event->device, struct mw_event *event)
FAILS(event_seconds, event->device, const struct mw_event *event, UNUSED double *seconds)

static void close_nothing(UNUSED struct mw_device *device) {}
static void free_no_buffer(UNUSED struct mw_buffer *buffer) {}
static void free_no_staging(UNUSED struct mw_staging *staging) {}
static void free_no_image(UNUSED struct mw_image *image) {}
static void unload_nothing(UNUSED struct mw_code *code) {}
static void free_no_kernel(UNUSED struct mw_kernel *kernel) {}
static void free_no_event(UNUSED struct mw_event *event) {}

/* clang-format off */
static const struct mw_memory_calls lost_memory = {
    .buffer_new = buffer_new, .buffer_free = free_no_buffer, .borrow = borrow, .write = write_to,
    .read = read_from, .copy = forked_copy, .fill = forked_fill,
    .staging_new = staging_new, .staging_free = free_no_staging,
};
/* clang-format on */
static const struct mw_queue_calls lost_queue = { device_call, device_call, device_call, read_from, write_to };
static const struct mw_image_calls lost_images = { image_check, image_new, free_no_image, image_from, image_to };
static const struct mw_compile_calls lost_compile = {
    .identify = identify,
    .compile = compile,
    .load = forked_load,
    .unload = unload_nothing,
};
/* clang-format off */
static const struct mw_backend lost = {
    .name = "lost", .compiles = true,
    .close = close_nothing, .flush = device_call, .finish = device_call,
    .memory = &lost_memory, .queue = &lost_queue, .images = &lost_images, .compile = &lost_compile,
    .kernel_new = kernel_new, .kernel_free = free_no_kernel, .launch = launch, .event_wait = event_wait,
    .event_seconds = event_seconds, .event_free = free_no_event,
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
