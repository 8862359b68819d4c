/* The OpenCL backend: a context, an in-order queue and a queue for concurrent work per device; events. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

#include <stdio.h>
#include <stdlib.h>

/* CL_KERNEL_ARG_INFO makes a wrong argument an error of ours; without it some drivers follow a number as a pointer. */
#define OPTIONS "-cl-std=CL1.2 -cl-kernel-arg-info"

void mw_cl_close(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    if (cl->second) {
        clFinish(cl->second);
        clReleaseCommandQueue(cl->second);
    }
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
    TRY_RETURN(mw_cl_check(device, clGetDeviceInfo(cl->id, CL_DEVICE_PLATFORM, sizeof(*platform), platform, NULL),
                           "opening it"));
    char *version = mw_cl_platform_text(*platform, CL_PLATFORM_VERSION);
    snprintf(cl->platform, sizeof(cl->platform), "%.100s, %.150s", device->info.platform, version ? version : "");
    free(version);
    return 0;
}

/* Returns the capacity of a unit; NULL if that, or the compiler's register counts, are unknown. */
static const struct mw_unit_room *room_of(cl_device_id id)
{
    enum { CAPABILITY_MAJOR_NV = 0x4000, CAPABILITY_MINOR_NV = 0x4001 };
    cl_uint major, minor;
    if (!mw_cl_has_extension(id, "cl_nv_compiler_options") ||
        clGetDeviceInfo(id, CAPABILITY_MAJOR_NV, sizeof(major), &major, NULL) != CL_SUCCESS ||
        clGetDeviceInfo(id, CAPABILITY_MINOR_NV, sizeof(minor), &minor, NULL) != CL_SUCCESS)
        return NULL;
    return mw_unit_room((int)(10 * major + minor));
}

static void set_options(struct mw_device *device, bool fast_math, const char *more)
{
    struct mw_cl_device *cl = device->impl;
    snprintf(cl->options[fast_math], sizeof cl->options[fast_math], "%s%s%s", OPTIONS, more,
             cl->room ? " -cl-nv-verbose" : "");
    device->build_options[fast_math] = cl->options[fast_math];
}

int mw_cl_device_of(void *queue, const void **handle)
{
    cl_device_id id = NULL;
    if (clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL) != CL_SUCCESS)
        return mw_fail(MW_EINVAL, "the given queue is not an OpenCL command queue: pass a cl_command_queue");
    *handle = id;
    return 0;
}

/* Both stay until the device is closed, whatever the caller does. */
static int take_queue(struct mw_device *device, struct mw_cl_device *cl, bool profile)
{
    cl_command_queue_properties properties = 0;
    cl_command_queue queue = device->queue;
    cl_context context = NULL;
    cl_uint devices = 0;
    TRY_RETURN(mw_cl_check(device, clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL),
                           "opening it"));
    TRY_RETURN(mw_cl_check(device,
                           clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
                           "opening it"));
    TRY_RETURN(mw_cl_check(device, clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, NULL),
                           "opening it"));
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return mw_fail(MW_EINVAL, "%s: the given queue is out of order: create an in-order queue", device->info.id);
    if (profile && !(properties & CL_QUEUE_PROFILING_ENABLE))
        return mw_fail(MW_EINVAL, "%s: the given queue records no times: create one with profiling", device->info.id);
    if (devices != 1)
        return mw_fail(MW_ENOTSUP, "%s: the context of the given queue has %u devices: create one of this device only",
                       device->info.id, devices);
    TRY_RETURN(mw_cl_check(device, clRetainContext(context), "opening it"));
    cl->context = context;
    TRY_RETURN(mw_cl_check(device, clRetainCommandQueue(queue), "opening it"));
    cl->queue = queue;
    return 0;
}

static int make_queue(struct mw_device *device, struct mw_cl_device *cl, cl_platform_id platform)
{
    const cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0 };
    /* Launches that compile are recognised by their time (kernel.c). */
    const bool profile = device->options.profile || device->info.traits->keeps_programs;
    cl_int error = CL_SUCCESS;
    cl->context = clCreateContext(properties, 1, &cl->id, NULL, NULL, &error);
    TRY_RETURN(mw_cl_check(device, error, "opening it (the context)"));
    cl->queue = clCreateCommandQueue(cl->context, cl->id, profile ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    return mw_cl_check(device, error, "opening it (the queue)");
}

int mw_cl_open(struct mw_device *device, const void *handle)
{
    struct mw_cl_device *cl = NULL;
    cl_platform_id platform = NULL;
    cl_device_fp_config floats = 0;
    char exact[120];
    int rc;
    TRY(mw_new(1, sizeof(*cl), &cl));
    device->impl = cl;
    cl->id = (cl_device_id)handle;
    TRY(mw_cl_check_kept(device));
    TRY(describe_platform(device, cl, &platform));
    TRY(device->queue ? take_queue(device, cl, device->options.profile) : make_queue(device, cl, platform));
    if (clGetDeviceInfo(cl->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(floats), &floats, NULL) != CL_SUCCESS)
        floats = 0;
    cl->room = room_of(cl->id);
    /* MW_IEEE_SINGLE: quotients, roots and comparisons are exact, also of subnormal numbers (cl/math/lanes.clh).
     * MW_FMA_SINGLE: so is fma (cl/math/fused.clh). */
    snprintf(exact, sizeof exact, "%s%s%s%s",
             floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
             floats & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT && floats & CL_FP_DENORM ? " -DMW_IEEE_SINGLE" : "",
             floats & CL_FP_FMA ? " -DMW_FMA_SINGLE" : "",
             device->info.traits->wrong_extensions ? " -DMW_WRONG_EXTENSIONS" : "");
    set_options(device, false, exact);
    set_options(device, true, " -cl-fast-relaxed-math");
    cl->host_buffers =
        device->info.kind == MW_DEVICE_CPU && device->info.shares_host_memory && !device->info.traits->keeps_copies;
    /* Some drivers count items in 32 bits, and end the process where that is not enough (Mesa's rusticl). */
    for (unsigned d = 0; d < MW_COUNT(device->grid.items); d++)
        device->grid.items[d] = (size_t)1 << 31;
    cl = NULL;
out:
    if (cl)
        mw_cl_close(device);
    return rc;
}

int mw_cl_flush(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    /* It flushes by itself. */
    if (device->info.traits->forgets_flushed)
        return 0;
    TRY_RETURN(mw_cl_check(device, clFlush(cl->queue), "handing over queued work"));
    if (cl->second && cl->second != cl->queue)
        TRY_RETURN(mw_cl_check(device, clFlush(cl->second), "handing over queued work"));
    return 0;
}

int mw_cl_finish(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    const cl_int first = clFinish(cl->queue);
    if (cl->second && cl->second != cl->queue)
        TRY_RETURN(mw_cl_check(device, clFinish(cl->second), "waiting for queued work"));
    return mw_cl_check(device, first, "waiting for queued work");
}

/* ---- events ---- */

int mw_cl_event_wait(struct mw_event *event)
{
    cl_event it = event->impl;
    cl_int error = clWaitForEvents(1, &it), status = CL_COMPLETE;
    if (error == CL_SUCCESS)
        return 0;
    /* The work's status is more precise than the wait's. */
    if (error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST &&
        clGetEventInfo(it, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL) == CL_SUCCESS &&
        status < 0 && mw_cl_error_is_known(status))
        error = status;
    return mw_fail(MW_EDEVICE, "%s (%s): queued work failed: %s (%s, %d)", event->device->info.id,
                   event->device->info.name, mw_cl_error_words(error), mw_cl_error_name(error), (int)error);
}

int mw_cl_event_seconds(const struct mw_event *event, double *seconds)
{
    const struct mw_device *device = event->device;
    cl_ulong start = 0, end = 0;
    TRY_RETURN(mw_cl_check(device,
                           clGetEventProfilingInfo(event->first ? event->first : event->impl,
                                                   CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL),
                           "asking for the start of some work"));
    TRY_RETURN(mw_cl_check(device,
                           clGetEventProfilingInfo(event->impl, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
                           "asking for the end of some work"));
    *seconds = end > start ? 1e-9 * (double)(end - start) : 0.0;
    return 0;
}

void mw_cl_event_free(struct mw_event *event)
{
    clReleaseEvent(event->impl);
    if (event->first)
        clReleaseEvent(event->first);
}
/* SPDX-License-Identifier: MIT */
