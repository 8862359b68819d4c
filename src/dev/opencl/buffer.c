/* The OpenCL backend: buffers, and transfers of them, in order or in a second queue. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <string.h>

static int buffer_new(struct mw_buffer *buffer)
{
    struct mw_cl_device *cl = buffer->device->impl;
    cl_int error = CL_SUCCESS;
    void *memory = NULL;
    int rc = 0;
    if (cl->host_buffers)
        TRY(mw_host_memory_new(buffer->bytes, cl->next_turn++, &memory));
    cl_mem made = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | (memory ? CL_MEM_USE_HOST_PTR : 0), buffer->bytes,
                                 memory, &error);
    TRY(mw_cl_check(buffer->device, error, "making a buffer"));
    buffer->impl = made;
    memory = NULL;
out:
    mw_host_memory_free(memory, buffer->bytes);
    return rc;
}

static void buffer_free(struct mw_buffer *buffer)
{
    struct mw_cl_device *cl = buffer->device->impl;
    void *memory = NULL;
    if (buffer->borrowed) {
        (void)mw_cl_finish(buffer->device);
    } else if (cl->host_buffers) {
        (void)clGetMemObjectInfo(buffer->impl, CL_MEM_HOST_PTR, sizeof memory, &memory, NULL);
        (void)clFinish(cl->queue); /* queued work may still touch it */
        if (cl->second)
            (void)clFinish(cl->second);
    }
    clReleaseMemObject(buffer->impl);
    mw_host_memory_free(memory, buffer->bytes);
}

/* Drivers use the memory itself if it is aligned, and else a copy. */
static int borrow_host(struct mw_buffer *buffer, void *memory)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    const struct mw_device_info *info = &buffer->device->info;
    cl_int error = CL_SUCCESS;
    cl_uint bits = 0;
    if (!cl->host_buffers)
        return mw_fail(MW_ENOTSUP,
                       "%s (%s) does not work in the host's memory: make a buffer by mw_buffer_new, "
                       "and copy",
                       info->id, info->name);
    TRY_RETURN(mw_cl_check(buffer->device,
                           clGetDeviceInfo(cl->id, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL),
                           "asking for its alignment"));
    const size_t multiple = bits / 8 > 64 ? bits / 8 : 64;
    if ((uintptr_t)memory % multiple != 0)
        return mw_fail(MW_EINVAL,
                       "%s: memory for a buffer begins at %p, which is not a multiple of %zu bytes: allocate"
                       " it by aligned_alloc(%zu, ...)",
                       info->id, memory, multiple, multiple);
    buffer->impl = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, buffer->bytes, memory, &error);
    return mw_cl_check(buffer->device, error, "making a buffer of the host's memory");
}

static int buffer_borrow(struct mw_buffer *buffer, void *memory, bool host)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    const char *id = buffer->device->info.id;
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    size_t bytes = 0;
    if (host)
        return borrow_host(buffer, memory);
    if (clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS ||
        clGetMemObjectInfo(memory, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS ||
        type != CL_MEM_OBJECT_BUFFER)
        return mw_fail(MW_EINVAL, "%s: the given memory is not an OpenCL buffer: pass a cl_mem", id);
    if (context != cl->context)
        return mw_fail(MW_EINVAL,
                       "%s: the given memory belongs to another context of OpenCL: open the device by "
                       "mw_device_from_queue with a queue of that context",
                       id);
    if (bytes < buffer->bytes)
        return mw_fail(MW_EINVAL, "%s: the given memory has %zu bytes, too few for a buffer of %zu", id, bytes,
                       buffer->bytes);
    TRY_RETURN(mw_cl_check(buffer->device, clRetainMemObject(memory), "taking a buffer"));
    buffer->impl = memory;
    return 0;
}

static int transfer(cl_command_queue queue, struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from,
                    void *to, struct mw_event *event)
{
    const cl_bool waits = event ? CL_FALSE : CL_TRUE;
    cl_event made = NULL, *const wanted = event ? &made : NULL;
    const cl_int error = from ? clEnqueueWriteBuffer(queue, buffer->impl, waits, offset, bytes, from, 0, NULL, wanted)
                              : clEnqueueReadBuffer(queue, buffer->impl, waits, offset, bytes, to, 0, NULL, wanted);
    TRY_RETURN(mw_cl_check(buffer->device, error, from ? "copying to the device" : "copying from the device"));
    if (event)
        event->impl = made;
    return 0;
}

static int buffer_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    return transfer(cl->queue, buffer, offset, bytes, from, to, event);
}

static int buffer_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                       struct mw_event *event)
{
    struct mw_cl_device *cl = from->device->impl;
    cl_event made = NULL;
    TRY_RETURN(mw_cl_check(from->device,
                           clEnqueueCopyBuffer(cl->queue, from->impl, to->impl, from_offset, to_offset, bytes, 0, NULL,
                                               event ? &made : NULL),
                           "copying on the device"));
    if (!event)
        return mw_cl_finish(from->device);
    event->impl = made;
    return 0;
}

/* Patterns that the driver's own call fills: NVIDIA's (580) counts them from the buffer's beginning with an int; fills
 * beyond that go elsewhere, or never end. */
#define FILL_REACH ((size_t)INT32_MAX)
/* The rest is copied from a small buffer of so many bytes. (Sub-buffers of the large one, by clCreateSubBuffer, take
 * seconds there.) */
#define FILL_COPIED ((size_t)1 << 26)

struct fill {
    unsigned char pattern[16];
    size_t size;
};

static int fill_near(struct mw_buffer *buffer, cl_mem to, const struct fill *with, size_t offset, size_t bytes)
{
    struct mw_cl_device *cl = buffer->device->impl;
    return mw_cl_check(buffer->device,
                       clEnqueueFillBuffer(cl->queue, to, with->pattern, with->size, offset, bytes, 0, NULL, NULL),
                       "filling a buffer");
}

static int fill_far(struct mw_buffer *buffer, const struct fill *with, size_t offset, size_t bytes)
{
    struct mw_cl_device *cl = buffer->device->impl;
    const size_t room = bytes < FILL_COPIED ? bytes : FILL_COPIED;
    cl_int error = CL_SUCCESS;
    int rc = 0;
    cl_mem from = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, room, NULL, &error);
    TRY(mw_cl_check(buffer->device, error, "making a buffer"));
    TRY(fill_near(buffer, from, with, 0, room));
    for (size_t done = 0, n; done < bytes; done += n) {
        n = bytes - done < room ? bytes - done : room;
        TRY(mw_cl_check(buffer->device,
                        clEnqueueCopyBuffer(cl->queue, from, buffer->impl, 0, offset + done, n, 0, NULL, NULL),
                        "filling a buffer"));
    }
out:
    if (from)
        clReleaseMemObject(from); /* the driver keeps it until the copies are done */
    return rc;
}

static int buffer_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
{
    struct fill with = { .size = sizeof with.pattern };
    size_t near = 0;
    /* Drivers fill by whole patterns, and the wider ones are many times faster. */
    while ((offset | bytes) % with.size != 0)
        with.size /= 2;
    memset(with.pattern, value, sizeof with.pattern);
    if (offset < FILL_REACH * with.size)
        near = bytes < FILL_REACH * with.size - offset ? bytes : FILL_REACH * with.size - offset;
    if (near > 0)
        TRY_RETURN(fill_near(buffer, buffer->impl, &with, offset, near));
    return near < bytes ? fill_far(buffer, &with, offset + near, bytes - near) : 0;
}

/* ---- the host's side ---- */

static int buffer_map(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    cl_int error = CL_SUCCESS;
    if (!cl->host_buffers)
        return 0;
    void *mapped = clEnqueueMapBuffer(cl->queue, buffer->impl, CL_TRUE, writes ? CL_MAP_WRITE : CL_MAP_READ, offset,
                                      bytes, 0, NULL, NULL, &error);
    TRY_RETURN(mw_cl_check(buffer->device, error, "giving a buffer to the host"));
    *memory = mapped;
    return 0;
}

static int buffer_unmap(struct mw_buffer *buffer, void *memory)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    return mw_cl_check(buffer->device, clEnqueueUnmapMemObject(cl->queue, buffer->impl, memory, 0, NULL, NULL),
                       "taking a buffer back from the host");
}

/* Drivers allocate a buffer for the host in memory with the fastest transfers, which the host can use while it is
 * mapped. */
static int staging_new(struct mw_staging *staging)
{
    struct mw_cl_device *cl = staging->device->impl;
    cl_int error = CL_SUCCESS;
    cl_mem made;
    if (cl->host_buffers)
        return mw_host_memory_new(staging->bytes, 0, &staging->memory);
    made = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, staging->bytes, NULL, &error);
    if (error == CL_SUCCESS) {
        staging->memory = clEnqueueMapBuffer(cl->queue, made, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, staging->bytes, 0,
                                             NULL, NULL, &error);
        staging->impl = made;
        if (error == CL_SUCCESS)
            return 0;
        clReleaseMemObject(made);
    }
    /* Page-locked memory is limited; other memory works, but is slower. */
    staging->impl = NULL;
    return mw_host_memory_new(staging->bytes, 0, &staging->memory);
}

static void staging_free(struct mw_staging *staging)
{
    struct mw_cl_device *cl = staging->device->impl;
    if (!staging->impl) {
        mw_host_memory_free(staging->memory, staging->bytes);
        return;
    }
    (void)clEnqueueUnmapMemObject(cl->queue, staging->impl, staging->memory, 0, NULL, NULL);
    (void)clFinish(cl->queue);
    clReleaseMemObject(staging->impl);
}

const struct mw_memory_calls mw_cl_buffers = {
    .buffer_new = buffer_new,
    .buffer_free = buffer_free,
    .borrow = buffer_borrow,
    .transfer = buffer_transfer,
    .copy = buffer_copy,
    .fill = buffer_fill,
    .map = buffer_map,
    .unmap = buffer_unmap,
    .staging_new = staging_new,
    .staging_free = staging_free,
};

/* ---- the second queue ---- */

/* Makes the second queue at its first use. Queues that wait for each other have to be flushed. Drivers that must not be
 * flushed, or that offer no second queue, use the first one in order. */
static cl_command_queue take_queue(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    cl_int error = CL_SUCCESS;
    if (cl->second)
        return cl->second;
    if (!device->info.traits->forgets_flushed)
        cl->second =
            clCreateCommandQueue(cl->context, cl->id, device->options.profile ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    if (!cl->second || error != CL_SUCCESS) {
        (void)clRetainCommandQueue(cl->queue);
        cl->second = cl->queue;
    }
    return cl->second;
}

/* Later work of `waiting` begins after all current work of `queue`. */
static int wait_for(struct mw_device *device, cl_command_queue waiting, cl_command_queue queue)
{
    cl_event all = NULL;
    int rc = 0;
    TRY(mw_cl_check(device, clEnqueueMarkerWithWaitList(queue, 0, NULL, &all), "marking queued work"));
    TRY(mw_cl_check(device, clFlush(queue), "handing over queued work"));
    TRY(mw_cl_check(device, clEnqueueBarrierWithWaitList(waiting, 1, &all, NULL), "ordering work of two queues"));
out:
    if (all)
        clReleaseEvent(all);
    return rc;
}

static int second_after_first(struct mw_device *device)
{
    const struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    return second == cl->queue ? 0 : wait_for(device, second, cl->queue);
}

static int first_after_second(struct mw_device *device)
{
    const struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    return second == cl->queue ? 0 : wait_for(device, cl->queue, second);
}

static int swap_queues(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    cl->second = cl->queue;
    cl->queue = second;
    return 0;
}

static int second_transfer(struct mw_buffer *buffer, size_t offset, size_t bytes, const void *from, void *to,
                           struct mw_event *event)
{
    return transfer(take_queue(buffer->device), buffer, offset, bytes, from, to, event);
}

const struct mw_queue_calls mw_cl_queues = { .second_after_first = second_after_first,
                                             .first_after_second = first_after_second,
                                             .swap_queues = swap_queues,
                                             .transfer = second_transfer };
/* SPDX-License-Identifier: MIT */
