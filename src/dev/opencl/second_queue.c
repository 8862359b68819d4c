/* The OpenCL backend: concurrent work, mostly transfers, in a second queue. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"

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

int mw_cl_second_after_first(struct mw_device *device)
{
    const struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    return second == cl->queue ? 0 : wait_for(device, second, cl->queue);
}

int mw_cl_first_after_second(struct mw_device *device)
{
    const struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    return second == cl->queue ? 0 : wait_for(device, cl->queue, second);
}

int mw_cl_swap_queues(struct mw_device *device)
{
    struct mw_cl_device *cl = device->impl;
    const cl_command_queue second = take_queue(device);
    cl->second = cl->queue;
    cl->queue = second;
    return 0;
}

int mw_cl_second_read(struct mw_buffer *from, size_t offset, size_t bytes, void *to, struct mw_event *event)
{
    cl_event made = NULL;
    TRY_RETURN(mw_cl_check(from->device,
                           clEnqueueReadBuffer(take_queue(from->device), from->impl, CL_FALSE, offset, bytes, to, 0,
                                               NULL, &made),
                           "copying from the device"));
    event->impl = made;
    return 0;
}

int mw_cl_second_write(struct mw_buffer *to, size_t offset, size_t bytes, const void *from, struct mw_event *event)
{
    cl_event made = NULL;
    TRY_RETURN(mw_cl_check(to->device,
                           clEnqueueWriteBuffer(take_queue(to->device), to->impl, CL_FALSE, offset, bytes, from, 0,
                                                NULL, &made),
                           "copying to the device"));
    event->impl = made;
    return 0;
}
/* SPDX-License-Identifier: MIT */
