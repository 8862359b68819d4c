/* The OpenCL backend: its table.  Nothing else in this folder names it.  Drivers that cannot stand several threads are
 * called by one at a time, whatever devices these use. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static bool begin(const struct mw_device *device)
{
    const bool alone = device->info.traits.one_thread;
    if (alone)
        pthread_mutex_lock(&turn);
    return alone;
}

static void end(bool alone)
{
    if (alone)
        pthread_mutex_unlock(&turn);
}

/* A function of the table: mw_cl_NAME in its turn. */
#define IN_TURN(name, device, parameters, arguments)                                                                 \
    static int name parameters                                                                                       \
    {                                                                                                                \
        const bool alone = begin(device);                                                                            \
        const int rc = mw_cl_##name arguments;                                                                       \
        end(alone);                                                                                                  \
        return rc;                                                                                                   \
    }

#define IN_TURN_VOID(name, device, type, it)                                                                         \
    static void name(type *it)                                                                                       \
    {                                                                                                                \
        const bool alone = begin(device);                                                                            \
        mw_cl_##name(it);                                                                                            \
        end(alone);                                                                                                  \
    }

IN_TURN(open, device, (struct mw_device *device, const void *handle), (device, handle))
IN_TURN_VOID(close, device, struct mw_device, device)
IN_TURN(flush, device, (struct mw_device *device), (device))
IN_TURN(finish, device, (struct mw_device *device), (device))

IN_TURN(buffer_new, buffer->device, (struct mw_buffer *buffer), (buffer))
IN_TURN_VOID(buffer_free, buffer->device, struct mw_buffer, buffer)
IN_TURN(write, to->device,
        (struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event),
        (to, offset, bytes, from, event))
IN_TURN(read, from->device, (struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event),
        (from, offset, bytes, to, event))
IN_TURN(copy, from->device,
        (struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
         struct mw_event *event),
        (from, from_offset, to, to_offset, bytes, event))
IN_TURN(fill, buffer->device, (struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value),
        (buffer, offset, bytes, value))
IN_TURN(fork_beside, device, (struct mw_device *device), (device))
IN_TURN(join_beside, device, (struct mw_device *device), (device))
IN_TURN(swap_beside, device, (struct mw_device *device), (device))
IN_TURN(read_beside, from->device,
        (struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event),
        (from, offset, bytes, to, event))
IN_TURN(write_beside, to->device,
        (struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event),
        (to, offset, bytes, from, event))
IN_TURN(map, buffer->device, (struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory),
        (buffer, offset, bytes, writes, memory))
IN_TURN(unmap, buffer->device, (struct mw_buffer *buffer, void *memory), (buffer, memory))
IN_TURN(staging_new, staging->device, (struct mw_staging *staging), (staging))
IN_TURN_VOID(staging_free, staging->device, struct mw_staging, staging)

IN_TURN(image_new, image->device, (struct mw_image *image), (image))
IN_TURN_VOID(image_free, image->device, struct mw_image, image)
IN_TURN(image_from, to->device, (struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event),
        (to, from, offset, event))
IN_TURN(image_to, from->device, (struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event),
        (from, to, offset, event))

IN_TURN(compile, device,
        (struct mw_device *device, const struct mw_build *build, struct mw_code *code, struct mw_binary *binary),
        (device, build, code, binary))
IN_TURN(load, device,
        (struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary, struct mw_code *code),
        (device, build, binary, code))
IN_TURN(kernel_new, kernel->device, (struct mw_kernel *kernel), (kernel))
IN_TURN_VOID(kernel_free, kernel->device, struct mw_kernel, kernel)
IN_TURN(launch, kernel->device,
        (struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
         struct mw_event *event),
        (kernel, range, args, count, event))

IN_TURN(event_wait, event->device, (struct mw_event *event), (event))
IN_TURN_VOID(event_free, event->device, struct mw_event, event)

/* What only asks the driver needs no turn, nor what gives up something that is nobody else's. */
const struct mw_backend mw_backend_opencl = {
    .name = "opencl",
    .list = mw_cl_list,
    .open = open,
    .close = close,
    .flush = flush,
    .finish = finish,
    .buffer_new = buffer_new,
    .buffer_free = buffer_free,
    .write = write,
    .read = read,
    .copy = copy,
    .fill = fill,
    .fork = fork_beside,
    .join = join_beside,
    .swap = swap_beside,
    .read_beside = read_beside,
    .write_beside = write_beside,
    .map = map,
    .unmap = unmap,
    .staging_new = staging_new,
    .staging_free = staging_free,
    .image_check = mw_cl_image_check,
    .image_new = image_new,
    .image_free = image_free,
    .image_from = image_from,
    .image_to = image_to,
    .compiles = true,
    .identify = mw_cl_identify,
    .compile = compile,
    .load = load,
    .unload = mw_cl_unload,
    .kernel_new = kernel_new,
    .kernel_free = kernel_free,
    .launch = launch,
    .event_wait = event_wait,
    .event_seconds = mw_cl_event_seconds,
    .event_free = event_free,
};
/* SPDX-License-Identifier: MIT */
