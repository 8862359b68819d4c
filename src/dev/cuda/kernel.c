/* The CUDA backend: kernels and launches. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "dev/cuda/cuda_internal.h"
#include "dev/core/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mw_kernel's impl. */
struct kernel {
    mw_cu_function function;
    /* Arguments of a launch, for up to `room` parameters: the address and size of each value; `words` has the values of
     * buffers and images. */
    size_t room;
    void **values;
    size_t *bytes;
    unsigned long long *words;
};

/* ---- kernels ---- */

static int learn_limits(const struct mw_kernel *kernel, mw_cu_function function, struct mw_kernel_limits *limits)
{
    const struct mw_device *device = kernel->device;
    const struct mw_cuda_device *cuda = device->impl;
    int group = 0, warp = 0, local = 0, private = 0;
    mw_cu_result error = mw_cu.FuncGetAttribute(&group, MW_CU_FUNCTION_GROUP, function);
    error = error ? error : mw_cu.FuncGetAttribute(&local, MW_CU_FUNCTION_LOCAL, function);
    error = error ? error : mw_cu.FuncGetAttribute(&private, MW_CU_FUNCTION_PRIVATE, function);
    error = error ? error : mw_cu.DeviceGetAttribute(&warp, MW_CU_WARP, cuda->device);
    TRY_RETURN(mw_cuda_check(device, error, "reading the resources of a kernel"));
    limits->max_group = group > 0 ? (size_t)group : device->info.max_group;
    limits->group_multiple = warp > 0 ? (size_t)warp : 1;
    limits->local_bytes = (uint64_t)local;
    limits->private_bytes = (uint64_t) private;
    for (unsigned i = 0; i < MW_COUNT(limits->resident_groups); i++) {
        const size_t items = mw_resident_items(limits, i);
        int groups = 0;
        if (items)
            TRY_RETURN(mw_cuda_check(device,
                                     mw_cu.OccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, (int)items, 0),
                                     "asking how many groups run at once"));
        limits->resident_groups[i] = (unsigned)groups;
    }
    return 0;
}

enum { PARAMETERS_MAX = 1024 };

/* How many there are, and of how many bytes: nothing before CUDA 12.4.  A pointer has 8. */
static int learn_parameters(struct mw_kernel *kernel, mw_cu_function function)
{
    size_t bytes[PARAMETERS_MAX], count = 0, offset;
    mw_cu_result error = 0;
    kernel->parameter_count = MW_PARAMETERS_UNKNOWN;
    if (!mw_cu.FuncGetParamInfo)
        return 0;
    while (count < PARAMETERS_MAX && (error = mw_cu.FuncGetParamInfo(function, count, &offset, &bytes[count])) == 0)
        count++;
    if (error != MW_CU_INVALID_VALUE) /* after the last one */
        TRY_RETURN(mw_cuda_check(kernel->device, error, "asking for a kernel's arguments"));
    TRY_RETURN(mw_new(count, sizeof *kernel->parameters, &kernel->parameters));
    kernel->parameter_count = count;
    for (size_t i = 0; i < count; i++) {
        kernel->parameters[i].bytes = bytes[i];
        kernel->parameters[i].types = bytes[i] == sizeof(mw_cu_address) ? 0 : MW_TAKES_VALUES;
    }
    return 0;
}

static int make_room(struct kernel *it, size_t parameter_count)
{
    it->room = parameter_count == MW_PARAMETERS_UNKNOWN ? PARAMETERS_MAX : parameter_count;
    TRY_RETURN(mw_new(it->room, sizeof *it->values, &it->values));
    TRY_RETURN(mw_new(it->room, sizeof *it->bytes, &it->bytes));
    return mw_new(it->room, sizeof *it->words, &it->words);
}

static void free_kernel(struct kernel *it)
{
    if (it) {
        free(it->values);
        free(it->bytes);
        free(it->words);
    }
    free(it);
}

int mw_cuda_kernel_new(struct mw_kernel *kernel)
{
    const struct mw_cuda_code *code = kernel->program->code.impl;
    struct kernel *made = NULL;
    int rc;
    TRY(mw_new(1, sizeof *made, &made));
    const mw_cu_result error = mw_cu.ModuleGetFunction(&made->function, code->module, kernel->name);
    TRY(error == MW_CU_NOT_FOUND ? mw_kernel_missing(kernel) : mw_cuda_check(kernel->device, error, "making a kernel"));
    TRY(learn_limits(kernel, made->function, &kernel->limits));
    TRY(learn_parameters(kernel, made->function));
    TRY(make_room(made, kernel->parameter_count));
    kernel->impl = MW_PASS(made);
out:
    free_kernel(made);
    return rc;
}

void mw_cuda_kernel_free(struct mw_kernel *kernel) { free_kernel(kernel->impl); }

/* ---- launches ---- */

static int set_values(const struct mw_kernel *kernel, const struct mw_arg *args, size_t count)
{
    const struct mw_cuda_code *code = kernel->program->code.impl;
    struct kernel *it = kernel->impl;
    if (count > it->room)
        return mw_fail(MW_EINVAL, "kernel %s: %zu arguments are given, the maximum is %zu", kernel->name, count,
                       it->room);
    for (size_t i = 0; i < count; i++) {
        it->values[i] = &it->words[i];
        it->bytes[i] = sizeof it->words[i];
        if (args[i].type == MW_ARG_BUFFER)
            it->words[i] = args[i].as.buffer ? mw_cuda_address(args[i].as.buffer, 0) : 0;
        else if (args[i].type == MW_ARG_IMAGE)
            TRY_RETURN(mw_cuda_image_texture(args[i].as.image, code->image_address, &it->words[i]));
        else
            it->values[i] =
                args[i].type == MW_ARG_STRUCT ? (void *)(uintptr_t)args[i].as.data : (void *)(uintptr_t)&args[i].as,
            it->bytes[i] = args[i].bytes;
    }
    return 0;
}

/* Where a slice begins: cuda.clh adds it to the numbers of groups. */
static int set_first_group(const struct mw_kernel *kernel, const size_t offset[3], const size_t group[3])
{
    const struct mw_cuda_device *cuda = kernel->device->impl;
    const struct mw_cuda_code *code = kernel->program->code.impl;
    TRY_RETURN(mw_cuda_chain_flush(kernel->device));
    if (!code->first_group)
        return mw_fail(MW_EDEVICE,
                       "kernel %s: its program has no mw_first_group: clear the caches, whose files may be "
                       "damaged",
                       kernel->name);
    for (unsigned d = 0; d < 3; d++)
        TRY_RETURN(mw_cuda_check(kernel->device,
                                 mw_cu.MemsetD32Async(code->first_group + 4 * d, (unsigned)(offset[d] / group[d]), 1,
                                                      cuda->stream),
                                 "launching a part of a range"));
    return 0;
}

static int refuse(const struct mw_kernel *kernel, mw_cu_result error, bool others)
{
    char what[128];
    if (others)
        return mw_cuda_fail(kernel->device, error, "launching kernels");
    snprintf(what, sizeof what, "launching kernel %.80s", kernel->name);
    return mw_cuda_fail(kernel->device, error, what);
}

static int launch_slices(const struct mw_kernel *kernel, const struct mw_range *range, size_t count)
{
    const struct kernel *it = kernel->impl;
    const size_t *group = range->group;
    static const size_t start[3] = { 0 };
    struct mw_slice slice = { .global = { 0 } };
    bool moved = false;
    int rc = 0;
    while (mw_slice_next(&kernel->device->grid, range, &slice)) {
        if (memcmp(slice.offset, start, sizeof start) != 0) {
            TRY(set_first_group(kernel, slice.offset, group));
            moved = true;
        }
        struct mw_cuda_launch launch = { .function = it->function, .values = it->values };
        for (unsigned d = 0; d < 3; d++) {
            launch.groups[d] = (unsigned)(slice.global[d] / group[d]);
            launch.items[d] = (unsigned)group[d];
        }
        bool others;
        const mw_cu_result error = mw_cuda_chain_add(kernel->device->impl, &launch, it->bytes, count, &others);
        TRY(error ? refuse(kernel, error, others) : 0);
    }
out:
    if (moved && set_first_group(kernel, start, group) != 0)
        rc = rc ? rc : MW_EDEVICE;
    return rc;
}

int mw_cuda_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t count,
                   struct mw_event *event)
{
    const struct mw_cuda_device *cuda = kernel->device->impl;
    TRY_RETURN(set_values(kernel, args, count));
    /* The next launch does not wait then. */
    TRY_RETURN(event ? mw_cuda_chain_flush(kernel->device) : 0);
    TRY_RETURN(mw_cuda_event_start(kernel->device, cuda->stream, event));
    const int rc = launch_slices(kernel, range, count);
    if (rc == 0)
        return mw_cuda_event_finish(kernel->device, cuda->stream, event);
    mw_cuda_event_drop(kernel->device, event);
    return rc;
}
/* SPDX-License-Identifier: MIT */
