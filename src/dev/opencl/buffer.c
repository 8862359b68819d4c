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
    CL_TRY(buffer->device, error, "making a buffer");
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
    if (cl->host_buffers) {
        (void)clGetMemObjectInfo(buffer->impl, CL_MEM_HOST_PTR, sizeof memory, &memory, NULL);
        (void)clFinish(cl->queue);  /* queued work may still touch it */
    }
    clReleaseMemObject(buffer->impl);
    mw_host_memory_free(memory, buffer->bytes);
}

int mw_cl_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event)
{
    struct mw_cl_device *cl = to->device->impl;
    cl_event made;
    int rc = 0;
    CL_TRY(to->device, clEnqueueWriteBuffer(cl->queue, to->impl, event ? CL_FALSE : CL_TRUE, offset, bytes, from, 0,
                                            NULL, wanted(event, &made)), "copying to the device");
    if (event)
        event->impl = made;
out:
    return rc;
}

int mw_cl_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event)
{
    struct mw_cl_device *cl = from->device->impl;
    cl_event made;
    int rc = 0;
    CL_TRY(from->device, clEnqueueReadBuffer(cl->queue, from->impl, event ? CL_FALSE : CL_TRUE, offset, bytes, to, 0,
                                             NULL, wanted(event, &made)), "copying from the device");
    if (event)
        event->impl = made;
out:
    return rc;
}

int mw_cl_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
                   struct mw_event *event)
{
    struct mw_cl_device *cl = from->device->impl;
    cl_event made;
    int rc = 0;
    CL_TRY(from->device, clEnqueueCopyBuffer(cl->queue, from->impl, to->impl, from_offset, to_offset, bytes, 0, NULL,
                                             wanted(event, &made)), "copying on the device");
    if (event)
        event->impl = made;
    else
        rc = mw_cl_finish(from->device);
out:
    return rc;
}

int mw_cl_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
{
    struct mw_cl_device *cl = buffer->device->impl;
    unsigned char pattern[16];
    size_t size = sizeof(pattern);
    int rc = 0;
    /* Drivers fill by whole patterns, and the wider ones are many times faster. */
    while ((offset | bytes) % size != 0)
        size /= 2;
    memset(pattern, value, sizeof(pattern));
    CL_TRY(buffer->device, clEnqueueFillBuffer(cl->queue, buffer->impl, pattern, size, offset, bytes, 0, NULL, NULL),
           "filling a buffer");
out:
    return rc;
}
