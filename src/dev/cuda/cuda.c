/* The CUDA backend: its table.  Nothing else in this folder names it.  Calls are made with the device's context on the
 * calling thread, which gets its own back: a program may have others.  What asks the device for something, and is no
 * launch, comes behind the launches that wait (chain.c). */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"

static mw_cu_result begin(const struct mw_device *device)
{
    return mw_cu.CtxPushCurrent(((const struct mw_cuda_device *)device->impl)->context);
}

static void end(void)
{
    mw_cu_context ended;
    (void)mw_cu.CtxPopCurrent(&ended);
}

/* Functions of the table: mw_cuda_NAME in the device's context, behind what `first` does there. */
#define IN_CONTEXT_BEHIND(first, name, device, parameters, arguments)                                                \
    static int name parameters                                                                                       \
    {                                                                                                                \
        const mw_cu_result error = begin(device);                                                                    \
        if (error)                                                                                                   \
            return mw_cuda_fail((device), error, "taking up its context");                                           \
        int rc = (first);                                                                                            \
        if (rc == 0)                                                                                                 \
            rc = mw_cuda_##name arguments;                                                                           \
        end();                                                                                                       \
        return rc;                                                                                                   \
    }
#define IN_CONTEXT(name, device, parameters, arguments)                                                              \
    IN_CONTEXT_BEHIND(mw_cuda_chain_flush(device), name, device, parameters, arguments)

#define IN_CONTEXT_VOID(name, device, type, it)                                                                      \
    static void name(type *it)                                                                                       \
    {                                                                                                                \
        const mw_cu_result error = begin(device);                                                                    \
        if (!error)                                                                                                  \
            mw_cuda_chain_pass(device);                                                                              \
        mw_cuda_##name(it);                                                                                          \
        if (!error)                                                                                                  \
            end();                                                                                                   \
    }

IN_CONTEXT_BEHIND(0, chain_flush, device, (struct mw_device *device), (device))
IN_CONTEXT(finish, device, (struct mw_device *device), (device))

IN_CONTEXT(buffer_new, buffer->device, (struct mw_buffer *buffer), (buffer))
IN_CONTEXT_VOID(buffer_free, buffer->device, struct mw_buffer, buffer)
IN_CONTEXT(write, to->device,
           (struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event),
           (to, offset, bytes, from, event))
IN_CONTEXT(read, from->device,
           (struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event),
           (from, offset, bytes, to, event))
IN_CONTEXT(copy, from->device,
           (struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
            struct mw_event *event),
           (from, from_offset, to, to_offset, bytes, event))
IN_CONTEXT(fill, buffer->device, (struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value),
           (buffer, offset, bytes, value))
IN_CONTEXT(fork_beside, device, (struct mw_device *device), (device))
IN_CONTEXT(join_beside, device, (struct mw_device *device), (device))
IN_CONTEXT(swap_beside, device, (struct mw_device *device), (device))
IN_CONTEXT(read_beside, from->device,
           (struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event),
           (from, offset, bytes, to, event))
IN_CONTEXT(write_beside, to->device,
           (struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event),
           (to, offset, bytes, from, event))
IN_CONTEXT(copy_beside, from->device,
           (struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
            struct mw_event *event),
           (from, from_offset, to, to_offset, bytes, event))
IN_CONTEXT(staging_new, staging->device, (struct mw_staging *staging), (staging))
IN_CONTEXT_VOID(staging_free, staging->device, struct mw_staging, staging)

IN_CONTEXT(image_new, image->device, (struct mw_image *image), (image))
IN_CONTEXT_VOID(image_free, image->device, struct mw_image, image)
IN_CONTEXT(image_from, to->device,
           (struct mw_image *to, struct mw_buffer *from, size_t offset, struct mw_event *event),
           (to, from, offset, event))
IN_CONTEXT(image_to, from->device,
           (struct mw_image *from, struct mw_buffer *to, size_t offset, struct mw_event *event),
           (from, to, offset, event))

/* Compiling takes long: the device has something to do meanwhile. */
IN_CONTEXT(compile, device,
           (struct mw_device *device, const struct mw_build *build, struct mw_code *code, struct mw_binary *binary),
           (device, build, code, binary))
IN_CONTEXT(load, device,
           (struct mw_device *device, const struct mw_build *build, const struct mw_binary *binary,
            struct mw_code *code),
           (device, build, binary, code))
IN_CONTEXT(kernel_new, kernel->device, (struct mw_kernel *kernel), (kernel))
IN_CONTEXT_BEHIND(0, launch, kernel->device,
                  (struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                   struct mw_event *event),
                  (kernel, range, args, count, event))

IN_CONTEXT(event_wait, event->device, (struct mw_event *event), (event))
IN_CONTEXT_VOID(event_free, event->device, struct mw_event, event)

/* What asks for no context, or takes one up itself, stands here by itself. */
const struct mw_backend mw_backend_cuda = {
    .name = "cuda",
    .preferred = true,                /* faster than OpenCL where launches count, as fast elsewhere: doc/results */
    .list = mw_cuda_list,
    .open = mw_cuda_open,
    .close = mw_cuda_close,
    .flush = chain_flush,
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
    .copy_beside = copy_beside,
    .reaches = mw_cuda_reaches,
    .staging_new = staging_new,
    .staging_free = staging_free,
    .image_check = mw_cuda_image_check,
    .image_new = image_new,
    .image_free = image_free,
    .image_from = image_from,
    .image_to = image_to,
    .compiles = true,
    .preamble = "cuda.clh",
    .identify = mw_cuda_identify,
    .compile = compile,
    .load = load,
    .unload = mw_cuda_unload,
    .kernel_new = kernel_new,
    .kernel_free = mw_cuda_kernel_free,
    .launch = launch,
    .event_wait = event_wait,
    .event_seconds = mw_cuda_event_seconds,
    .event_free = event_free,
};
/* SPDX-License-Identifier: MIT */
