/* The OpenCL backend: buffers, and transfers of them. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/host/host.h"
#include "dev/opencl/opencl_internal.h"

#include <string.h>

/* Where an event is not asked for, the driver need not make one. */
static cl_event *wanted(const struct mw_event *event, cl_event *made)
{
    *made = NULL;
    return event ? made : NULL;
}

int mw_cl_buffer_new(struct mw_buffer *buffer)
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

void mw_cl_buffer_free(struct mw_buffer *buffer)
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

int mw_cl_borrow(struct mw_buffer *buffer, void *memory, bool host)
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

int mw_cl_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event)
{
    struct mw_cl_device *cl = to->device->impl;
    cl_event made;
    TRY_RETURN(mw_cl_check(to->device,
                           clEnqueueWriteBuffer(cl->queue, to->impl, event ? CL_FALSE : CL_TRUE, offset, bytes, from, 0,
                                                NULL, wanted(event, &made)),
                           "copying to the device"));
    if (event)
        event->impl = made;
    return 0;
}

int mw_cl_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event)
{
    struct mw_cl_device *cl = from->device->impl;
    cl_event made;
    TRY_RETURN(mw_cl_check(from->device,
                           clEnqueueReadBuffer(cl->queue, from->impl, event ? CL_FALSE : CL_TRUE, offset, bytes, to, 0,
                                               NULL, wanted(event, &made)),
                           "copying from the device"));
    if (event)
        event->impl = made;
    return 0;
}

int mw_cl_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
               struct mw_event *event)
{
    struct mw_cl_device *cl = from->device->impl;
    cl_event made;
    TRY_RETURN(mw_cl_check(from->device,
                           clEnqueueCopyBuffer(cl->queue, from->impl, to->impl, from_offset, to_offset, bytes, 0, NULL,
                                               wanted(event, &made)),
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

int mw_cl_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
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
    if (near < bytes)
        TRY_RETURN(fill_far(buffer, &with, offset + near, bytes - near));
    return 0;
}

/* ---- the host's side ---- */

int mw_cl_map(struct mw_buffer *buffer, size_t offset, size_t bytes, bool writes, void **memory)
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

int mw_cl_unmap(struct mw_buffer *buffer, void *memory)
{
    const struct mw_cl_device *cl = buffer->device->impl;
    return mw_cl_check(buffer->device, clEnqueueUnmapMemObject(cl->queue, buffer->impl, memory, 0, NULL, NULL),
                       "taking a buffer back from the host");
}

/* Drivers allocate a buffer for the host in memory with the fastest transfers, which the host can use while it is
 * mapped. */
int mw_cl_staging_new(struct mw_staging *staging)
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

void mw_cl_staging_free(struct mw_staging *staging)
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
/* SPDX-License-Identifier: MIT */
