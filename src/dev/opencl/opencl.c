/* The OpenCL backend: one context and one in-order queue a device; buffers, transfers, events. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- error codes ---- */

static const struct {
    cl_int error;
    enum mw_status status;
    const char *name, *words;
} errors[] = {
    { CL_DEVICE_NOT_FOUND, MW_ENODEV, "CL_DEVICE_NOT_FOUND", "there is no such device" },
    { CL_DEVICE_NOT_AVAILABLE, MW_EDEVICE, "CL_DEVICE_NOT_AVAILABLE",
      "the device is in use or gone: try again, or take another" },
    { CL_COMPILER_NOT_AVAILABLE, MW_EDEVICE, "CL_COMPILER_NOT_AVAILABLE", "the driver has no compiler" },
    { CL_MEM_OBJECT_ALLOCATION_FAILURE, MW_ELIMIT, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
      "the device's memory is full: make the problem smaller, or end what else uses the device" },
    { CL_OUT_OF_RESOURCES, MW_EDEVICE, "CL_OUT_OF_RESOURCES",
      "the driver ran out of resources, or a kernel of this run crashed or ran too long: no more can be done on it" },
    { CL_OUT_OF_HOST_MEMORY, MW_ENOMEM, "CL_OUT_OF_HOST_MEMORY", "the driver ran out of the host's memory" },
    { CL_PROFILING_INFO_NOT_AVAILABLE, MW_ENOTSUP, "CL_PROFILING_INFO_NOT_AVAILABLE",
      "no times are recorded: open the device with profiling, and wait for the event first" },
    { CL_BUILD_PROGRAM_FAILURE, MW_EBUILD, "CL_BUILD_PROGRAM_FAILURE", "the compiler refused the kernels" },
    { CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, MW_EDEVICE, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
      "the work that was waited for failed" },
    { CL_INVALID_VALUE, MW_EDEVICE, "CL_INVALID_VALUE", "the driver refused a value" },
    { CL_INVALID_DEVICE, MW_EDEVICE, "CL_INVALID_DEVICE", "the device is not there any more" },
    { CL_INVALID_CONTEXT, MW_EDEVICE, "CL_INVALID_CONTEXT",
      "the driver has given up the device's context: close the device" },
    { CL_INVALID_COMMAND_QUEUE, MW_EDEVICE, "CL_INVALID_COMMAND_QUEUE",
      "the device was lost, often by a kernel that crashed or ran too long: close the device" },
    { CL_INVALID_MEM_OBJECT, MW_EDEVICE, "CL_INVALID_MEM_OBJECT", "the driver does not know the buffer" },
    { CL_INVALID_BUILD_OPTIONS, MW_EBUILD, "CL_INVALID_BUILD_OPTIONS", "the compiler does not know an option" },
    { CL_INVALID_KERNEL_NAME, MW_EINVAL, "CL_INVALID_KERNEL_NAME", "the program has no kernel of that name" },
    { CL_INVALID_KERNEL_ARGS, MW_EINVAL, "CL_INVALID_KERNEL_ARGS", "not all arguments are set" },
    { CL_INVALID_ARG_INDEX, MW_EINVAL, "CL_INVALID_ARG_INDEX", "the kernel has fewer arguments" },
    { CL_INVALID_ARG_VALUE, MW_EINVAL, "CL_INVALID_ARG_VALUE", "the argument has another type" },
    { CL_INVALID_ARG_SIZE, MW_EINVAL, "CL_INVALID_ARG_SIZE", "the argument has another size" },
    { CL_INVALID_WORK_GROUP_SIZE, MW_ELIMIT, "CL_INVALID_WORK_GROUP_SIZE",
      "the device does not take this work-group: choose a smaller one" },
    { CL_INVALID_WORK_ITEM_SIZE, MW_ELIMIT, "CL_INVALID_WORK_ITEM_SIZE",
      "the device does not take this work-group: choose a smaller one" },
    { CL_INVALID_GLOBAL_WORK_SIZE, MW_ELIMIT, "CL_INVALID_GLOBAL_WORK_SIZE",
      "the device does not take so many work-items" },
    { CL_INVALID_BUFFER_SIZE, MW_ELIMIT, "CL_INVALID_BUFFER_SIZE", "the device does not take a buffer of that size" },
    { CL_INVALID_IMAGE_SIZE, MW_ELIMIT, "CL_INVALID_IMAGE_SIZE", "the device does not take an image of that size" },
    { CL_IMAGE_FORMAT_NOT_SUPPORTED, MW_ENOTSUP, "CL_IMAGE_FORMAT_NOT_SUPPORTED",
      "the device has no images of that type" },
    { CL_INVALID_PLATFORM, MW_EDEVICE, "CL_INVALID_PLATFORM", "the driver does not know its own platform" },
    { CL_INVALID_OPERATION, MW_EDEVICE, "CL_INVALID_OPERATION", "the driver refused the operation" },
    { -9999, MW_EDEVICE, "NVIDIA's -9999", "a kernel read or wrote outside of its buffers: close the device" },
};

static size_t find_error(cl_int error)
{
    size_t i = 0;
    while (i < MW_COUNT(errors) && errors[i].error != error)
        i++;
    return i;
}

const char *mw_cl_error_name(cl_int error)
{
    size_t i = find_error(error);
    return i < MW_COUNT(errors) ? errors[i].name : "OpenCL error";
}

const char *mw_cl_error_words(cl_int error)
{
    size_t i = find_error(error);
    return i < MW_COUNT(errors) ? errors[i].words : "the driver refused a call";
}

int mw_cl_fail(const struct mw_device *device, cl_int error, const char *what)
{
    size_t i = find_error(error);
    return mw_fail(i < MW_COUNT(errors) ? errors[i].status : MW_EDEVICE, "%s (%s): %s failed: %s (%s, %d)",
                   device->info.id, device->info.name, what, mw_cl_error_words(error), mw_cl_error_name(error),
                   (int)error);
}

/* ---- the device ---- */

/* CL_KERNEL_ARG_INFO makes a wrong argument an error of ours; without it some drivers follow a number as a pointer. */
#define OPTIONS "-cl-std=CL1.2 -cl-kernel-arg-info"

static void cl_close(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    if (cl->queue) {
        clFinish(cl->queue);
        clReleaseCommandQueue(cl->queue);
    }
    if (cl->context)
        clReleaseContext(cl->context);
    free(cl);
    device->impl = NULL;
}

static int describe_platform(struct mw_device *device, struct mw_cl_device *cl, cl_platform_id *platform)
{
    int rc = 0;
    CL_TRY(device, clGetDeviceInfo(cl->id, CL_DEVICE_PLATFORM, sizeof(*platform), platform, NULL), "opening it");
    char *version = mw_cl_platform_text(*platform, CL_PLATFORM_VERSION);
    snprintf(cl->platform, sizeof(cl->platform), "%.100s, %.150s", device->info.platform, version ? version : "");
    free(version);
out:
    return rc;
}

static int cl_open(struct mw_device *device, const void *handle)
{
    struct mw_cl_device *cl = NULL;
    cl_platform_id platform = NULL;
    cl_device_fp_config floats = 0;
    cl_int error = CL_SUCCESS;
    int rc;
    TRY(mw_new(1, sizeof(*cl), &cl));
    device->impl = cl;
    cl->id = (cl_device_id)handle;
    TRY(describe_platform(device, cl, &platform));
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
    cl->context = clCreateContext(properties, 1, &cl->id, NULL, NULL, &error);
    CL_TRY(device, error, "opening it (the context)");
    cl->queue = clCreateCommandQueue(cl->context, cl->id, device->options.profile ? CL_QUEUE_PROFILING_ENABLE : 0,
                                     &error);
    CL_TRY(device, error, "opening it (the queue)");
    if (clGetDeviceInfo(cl->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(floats), &floats, NULL) != CL_SUCCESS)
        floats = 0;
    device->build_options[false] = floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
                                 ? OPTIONS " -cl-fp32-correctly-rounded-divide-sqrt" : OPTIONS;
    device->build_options[true] = OPTIONS " -cl-fast-relaxed-math";
    /* rusticl keeps a copy beside the host's memory. */
    cl->host_buffers = device->info.kind == MW_DEVICE_CPU && device->info.shares_host_memory &&
                       strcmp(device->info.platform, "rusticl") != 0;
    cl = NULL;
out:
    if (cl)
        cl_close(device);
    return rc;
}

static int cl_flush(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    int rc = 0;
    /* rusticl's clFinish (Mesa 22.3) does not wait for work that was flushed before; it flushes by itself. */
    if (strcmp(device->info.platform, "rusticl") == 0)
        return 0;
    CL_TRY(device, clFlush(cl->queue), "handing over queued work");
out:
    return rc;
}

static int cl_finish(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    int rc = 0;
    CL_TRY(device, clFinish(cl->queue), "waiting for queued work");
out:
    return rc;
}

/* ---- events ---- */

/* Where an event is not asked for, the driver need not make one. */
static cl_event *wanted(const struct mw_event *event, cl_event *made)
{
    *made = NULL;
    return event ? made : NULL;
}

static int cl_event_wait(struct mw_event *event)
{
    cl_event it = event->impl;
    cl_int error = clWaitForEvents(1, &it), status = CL_COMPLETE;
    if (error == CL_SUCCESS)
        return 0;
    /* The code of the work itself says more than that of the wait. */
    if (error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
        clGetEventInfo(it, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL) == CL_SUCCESS &&
        status < 0 && find_error(status) < MW_COUNT(errors))
        error = status;
    return mw_fail(MW_EDEVICE, "%s (%s): queued work failed: %s (%s, %d)", event->device->info.id,
                   event->device->info.name, mw_cl_error_words(error), mw_cl_error_name(error), (int)error);
}

static int cl_event_seconds(const struct mw_event *event, double *seconds)
{
    const struct mw_device *device = event->device;
    cl_ulong start = 0, end = 0;
    int rc = 0;
    if (!device->options.profile)
        return mw_fail(MW_ENOTSUP, "%s was opened without profiling and records no times", device->info.id);
    CL_TRY(device, clGetEventProfilingInfo(event->first ? event->first : event->impl, CL_PROFILING_COMMAND_START,
                                           sizeof(start), &start, NULL), "asking for the start of some work");
    CL_TRY(device, clGetEventProfilingInfo(event->impl, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
           "asking for the end of some work");
    *seconds = end > start ? 1e-9 * (double)(end - start) : 0.0;
out:
    return rc;
}

static void cl_event_free(struct mw_event *event)
{
    clReleaseEvent(event->impl);
    if (event->first)
        clReleaseEvent(event->first);
}

/* ---- buffers ---- */

static int cl_buffer_new(struct mw_buffer *buffer)
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

static void cl_buffer_free(struct mw_buffer *buffer)
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

static int cl_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event)
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

static int cl_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event)
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

static int cl_copy(struct mw_buffer *from, size_t from_offset, struct mw_buffer *to, size_t to_offset, size_t bytes,
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
        rc = cl_finish(from->device);
out:
    return rc;
}

static int cl_fill(struct mw_buffer *buffer, size_t offset, size_t bytes, unsigned char value)
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

const struct mw_backend mw_backend_opencl = {
    .name = "opencl",
    .list = mw_cl_list,
    .open = cl_open,
    .close = cl_close,
    .flush = cl_flush,
    .finish = cl_finish,
    .buffer_new = cl_buffer_new,
    .buffer_free = cl_buffer_free,
    .write = cl_write,
    .read = cl_read,
    .copy = cl_copy,
    .fill = cl_fill,
    .image_check = mw_cl_image_check,
    .image_new = mw_cl_image_new,
    .image_free = mw_cl_image_free,
    .image_from = mw_cl_image_from,
    .image_to = mw_cl_image_to,
    .compiles = true,
    .program_new = mw_cl_program_new,
    .program_free = mw_cl_program_free,
    .kernel_new = mw_cl_kernel_new,
    .kernel_free = mw_cl_kernel_free,
    .launch = mw_cl_launch,
    .event_wait = cl_event_wait,
    .event_seconds = cl_event_seconds,
    .event_free = cl_event_free,
};
