/* The OpenCL backend: kernels and launches. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/opencl/opencl_internal.h"
#include "dev/build/interface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- kernels ---- */

/* A mw_kernel's impl is the cl_kernel. */

_Static_assert((int)MW_PARAMETER_BUFFER == (int)MW_ARG_BUFFER && (int)MW_PARAMETER_I32 == (int)MW_ARG_I32 &&
                   (int)MW_PARAMETER_F64 == (int)MW_ARG_F64,
               "types that a name alone decides have the same numbers");

/* Sets a parameter's types by the name of its type. clSetKernelArg checks the sizes of structs and of `real` in some
 * drivers. */
static struct mw_parameter parameter_of_type(const char *type)
{
    const enum mw_parameter_kind kind = mw_parameter_kind_of(type);
    const unsigned dims = strstr(type, "image2d_t") ? 2 : strstr(type, "image3d_t") ? 3 : 0;
    if (dims)
        return (struct mw_parameter){ .types = MW_TAKES(MW_ARG_IMAGE), .image_dims = dims };
    return (struct mw_parameter){ .types = kind <= MW_PARAMETER_F64      ? MW_TAKES(kind)
                                           : kind == MW_PARAMETER_REAL   ? MW_TAKES(MW_ARG_F32) | MW_TAKES(MW_ARG_F64)
                                           : kind == MW_PARAMETER_STRUCT ? MW_TAKES(MW_ARG_STRUCT)
                                                                         : 0 };
}

/* Reads a parameter's address space and type name, if the driver keeps them. */
static struct mw_parameter learn_parameter(cl_kernel kernel, cl_uint i)
{
    struct mw_parameter p = { 0 };
    cl_kernel_arg_address_qualifier space;
    char type[64] = "";
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space), &space, NULL) != CL_SUCCESS)
        return p;
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return (struct mw_parameter){ .types = MW_TAKES(MW_ARG_LOCAL) };
    if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type, NULL) == CL_SUCCESS)
        p = parameter_of_type(type);
    if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE && !p.types)
        p.types = MW_TAKES_VALUES;
    return p;
}

static int learn_parameters(struct mw_kernel *kernel, cl_kernel made)
{
    cl_uint count = 0;
    TRY_RETURN(mw_cl_check(kernel->device, clGetKernelInfo(made, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL),
                           "asking for a kernel's arguments"));
    TRY_RETURN(mw_new(count, sizeof *kernel->parameters, &kernel->parameters));
    kernel->parameter_count = count;
    for (cl_uint i = 0; i < count; i++)
        kernel->parameters[i] = learn_parameter(made, i);
    return 0;
}

static int learn_limits(const struct mw_kernel *of, cl_kernel kernel, struct mw_kernel_limits *limits)
{
    const struct mw_device *device = of->device;
    const struct mw_cl_code *code = of->program->code.impl;
    const struct mw_cl_device *cl = device->impl;
    const struct {
        cl_kernel_work_group_info what;
        void *value;
        size_t bytes;
    } queries[] = {
        { CL_KERNEL_WORK_GROUP_SIZE, &limits->max_group, sizeof(size_t) },
        { CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, &limits->group_multiple, sizeof(size_t) },
        { CL_KERNEL_LOCAL_MEM_SIZE, &limits->local_bytes, sizeof(cl_ulong) },
        { CL_KERNEL_PRIVATE_MEM_SIZE, &limits->private_bytes, sizeof(cl_ulong) },
    };
    for (size_t i = 0; i < MW_COUNT(queries); i++)
        TRY_RETURN(mw_cl_check(device,
                               clGetKernelWorkGroupInfo(kernel, cl->id, queries[i].what, queries[i].bytes,
                                                        queries[i].value, NULL),
                               "reading the resources of a kernel"));
    const size_t local_bytes = (size_t)limits->local_bytes;
    if (limits->local_bytes >= device->info.traits->local_extra)
        limits->local_bytes -= device->info.traits->local_extra;
    if (device->info.traits->counts_local_twice)
        limits->local_bytes /= 2;
    if (limits->group_multiple == 0)
        limits->group_multiple = 1;
    if (limits->max_group == 0)
        limits->max_group = device->info.max_group;
    if (cl->room)
        mw_registers_limit(cl->room, mw_registers_of(code->registers, of->name), local_bytes, limits);
    return 0;
}

int mw_cl_kernel_new(struct mw_kernel *kernel)
{
    const struct mw_cl_code *code = kernel->program->code.impl;
    cl_int error = CL_SUCCESS;
    int rc = 0;
    cl_kernel made = clCreateKernel(code->program, kernel->name, &error);
    if (error == CL_INVALID_KERNEL_NAME)
        return mw_kernel_missing(kernel);
    TRY_RETURN(mw_cl_check(kernel->device, error, "making a kernel"));
    TRY(learn_limits(kernel, made, &kernel->limits));
    TRY(learn_parameters(kernel, made));
    kernel->impl = MW_PASS(made);
out:
    if (made)
        clReleaseKernel(made);
    return rc;
}

void mw_cl_kernel_free(struct mw_kernel *kernel) { clReleaseKernel(kernel->impl); }

/* ---- launches ---- */

static int set_argument(const struct mw_kernel *kernel, cl_uint i, const struct mw_arg *arg)
{
    const bool is_memory = arg->type == MW_ARG_BUFFER || arg->type == MW_ARG_IMAGE;
    char what[128];
    /* A null buffer and one without bytes are both a null pointer. */
    cl_mem memory = arg->type == MW_ARG_BUFFER && arg->as.buffer ? arg->as.buffer->impl
                    : arg->type == MW_ARG_IMAGE                  ? arg->as.image->impl
                                                                 : NULL;
    const void *value = is_memory                    ? (memory ? &memory : NULL)
                        : arg->type == MW_ARG_STRUCT ? arg->as.data
                                                     : (const void *)&arg->as;
    cl_int error = clSetKernelArg(kernel->impl, i, is_memory ? sizeof(memory) : arg->bytes, value);
    if (error == CL_SUCCESS)
        return 0;
    snprintf(what, sizeof(what), "setting argument %u of kernel %.60s", (unsigned)i, kernel->name);
    return mw_cl_fail(kernel->device, error, what);
}

/* Splits large ranges into slices, each at its offset: kernels identify items and groups by get_global_id only. */
static int launch_slices(const struct mw_kernel *kernel, const struct mw_range *range, cl_event *first, cl_event *last)
{
    const struct mw_cl_device *cl = kernel->device->impl;
    struct mw_slice slice = { .global = { 0 } };
    char what[128];
    while (mw_slice_next(&kernel->device->grid, range, &slice)) {
        cl_event made = NULL;
        cl_int error = clEnqueueNDRangeKernel(cl->queue, kernel->impl, range->dims, slice.offset, slice.global,
                                              range->group, 0, NULL, last ? &made : NULL);
        if (error != CL_SUCCESS) {
            snprintf(what, sizeof(what), "launching kernel %.80s", kernel->name);
            return mw_cl_fail(kernel->device, error, what);
        }
        if (last && *last && !*first)
            *first = *last;
        else if (last && *last)
            clReleaseEvent(*last);
        if (last)
            *last = made;
    }
    return 0;
}

static uint64_t groups_of(const struct mw_range *range)
{
    return mw_hash64(range->group, range->dims * sizeof range->group[0], 0);
}

static bool is_loaded(const struct mw_kernel *kernel, const struct mw_range *range)
{
    const bool never = !kernel->device->info.traits->keeps_programs;
    const uint64_t groups = never ? 0 : groups_of(range);
    bool found = never;
    for (size_t i = 0; i < MW_COUNT(kernel->loaded) && i < kernel->loads; i++)
        found = found || kernel->loaded[i] == groups;
    return found;
}

/* Seconds from the start of the first piece of work to the end of the last. */
static double worked(cl_event first, cl_event last)
{
    cl_ulong start = 0, end = 0;
    if (!last ||
        clGetEventProfilingInfo(first ? first : last, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) ||
        clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) || end < start)
        return 0;
    return 1e-9 * (double)(end - start);
}

/* Until work begins, or it fails. */
static void await_start(cl_event event)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    cl_int status = CL_COMPLETE;
    while (event && !clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) &&
           status > CL_RUNNING)
        nanosleep(&pause, NULL);
}

/* PoCL compiles and loads a kernel in its own thread at the first launch with a group size. We wait for that with a
 * lock, so that no process removes the files; it counts as compilation. The lock is not held while the kernel runs,
 * which may take long. */
static int launch_first(struct mw_kernel *kernel, const struct mw_range *range, cl_event *first, cl_event *last)
{
    const struct mw_cl_device *cl = kernel->device->impl;
    char key[64];
    bool watched = false;
    double start;
    int rc, lock = -1;
    TRY(mw_cl_check(kernel->device, clFinish(cl->queue), "waiting for work before a kernel is loaded"));
    start = mw_now();
    snprintf(key, sizeof key, "a load of %ld, %p", (long)getpid(), (void *)kernel);
    if (!mw_cache_lock(key, &lock))
        mw_cache_wait(key, lock);
    mw_cl_watch_signals(true);
    watched = true;
    TRY(launch_slices(kernel, range, first, last));
    TRY(mw_cl_check(kernel->device, clFlush(cl->queue), "starting a kernel"));
    await_start(*first ? *first : *last);
    mw_cache_unlock(lock);
    lock = -1;
    TRY(mw_cl_check(kernel->device, clFinish(cl->queue), "waiting for a kernel to be loaded"));
    mw_compile_seconds_add(mw_now() - start - worked(*first, *last));
    kernel->loaded[kernel->loads++ % MW_COUNT(kernel->loaded)] = groups_of(range);
out:
    if (watched)
        mw_cl_watch_signals(false);
    mw_cache_unlock(lock);
    return rc;
}

int mw_cl_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                 struct mw_event *event)
{
    cl_event first = NULL, last = NULL;
    int rc = 0;
    for (size_t i = 0; i < count; i++)
        TRY(set_argument(kernel, (cl_uint)i, &args[i]));
    TRY(is_loaded(kernel, range) ? launch_slices(kernel, range, &first, event ? &last : NULL)
                                 : launch_first(kernel, range, &first, &last));
    if (event) {
        event->first = first;
        event->impl = last;
        first = last = NULL;
    }
out:
    if (first)
        clReleaseEvent(first);
    if (last)
        clReleaseEvent(last);
    return rc;
}
/* SPDX-License-Identifier: MIT */
