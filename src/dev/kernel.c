/* Kernels: looking them up, checking launches, cutting ranges into work-groups. */
#include "dev/core/backend.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/tune.h>

int mw_kernel_missing(const struct mw_kernel *kernel)
{
    return mw_fail(
        MW_EINVAL,
        "%s: the program has no kernel '%s': check the name, or clear the caches, whose files may be damaged",
        kernel->device->info.id, kernel->name);
}

int mw_kernel_new(struct mw_program *program, const char *name, struct mw_kernel **result)
{
    struct mw_kernel *kernel = NULL;
    int rc;
    TRY(mw_new(1, sizeof(*kernel), &kernel));
    kernel->device = program->device;
    kernel->program = program;
    TRY(mw_strdup(name, &kernel->name));
    TRY(MW_CALL(program->device, program->device->backend->kernel_new(kernel)));
    *result = MW_PASS(kernel);
out:
    if (kernel) {
        free(kernel->parameters);
        free(kernel->name);
    }
    free(kernel);
    return rc;
}

/* Adds the time of the launch that was sampled last. */
static void take_sample(struct mw_kernel *kernel)
{
    double seconds;
    if (kernel->sample && mw_event_wait(kernel->sample) == 0 && mw_event_seconds(kernel->sample, &seconds) == 0) {
        kernel->samples++;
        kernel->sample_seconds += seconds;
    }
    mw_event_free(kernel->sample);
    kernel->sample = NULL;
}

/* The time of every launch would cost more than many launches: the first ones, then ever fewer. */
static bool sample_is_due(const struct mw_kernel *kernel)
{
    return kernel->device->options.profile && (kernel->launches & (kernel->launches - 1)) == 0;
}

void mw_kernel_free(struct mw_kernel *kernel)
{
    if (!kernel)
        return;
    take_sample(kernel);
    if (kernel->samples)
        mw_log(MW_LOG_INFO, "kernel %s: %" PRIu64 " launches on %s, %.3g s each (mean of %u)", kernel->name,
               kernel->launches, kernel->device->info.id, kernel->sample_seconds / kernel->samples, kernel->samples);
    MW_CALL_FREE(kernel->device, kernel->device->backend->kernel_free(kernel));
    free(kernel->parameters);
    free(kernel->name);
    free(kernel);
}

int mw_kernel_limits(const struct mw_kernel *kernel, struct mw_kernel_limits *limits)
{
    return MW_RESULT_GIVE(mw_kernel_limits, &kernel->limits, resident_groups, limits);
}

static const size_t scalar_bytes[] = {
    [MW_ARG_I32] = 4, [MW_ARG_U32] = 4, [MW_ARG_I64] = 8, [MW_ARG_U64] = 8, [MW_ARG_F32] = 4, [MW_ARG_F64] = 8
};

static const char *const type_names[] = {
    [MW_ARG_BUFFER] = "a buffer", [MW_ARG_I32] = "an i32",
    [MW_ARG_U32] = "a u32",       [MW_ARG_I64] = "an i64",
    [MW_ARG_U64] = "a u64",       [MW_ARG_F32] = "a float",
    [MW_ARG_F64] = "a double",    [MW_ARG_STRUCT] = "a struct",
    [MW_ARG_IMAGE] = "an image",  [MW_ARG_LOCAL] = "local memory, which only a kernel's own arrays are",
};

/* The argument by itself. */
static int check_arg(const struct mw_kernel *kernel, size_t i, const struct mw_arg *arg)
{
    switch (arg->type) {
    case MW_ARG_BUFFER:
        if (arg->as.buffer && arg->as.buffer->device != kernel->device)
            return mw_fail(MW_EINVAL,
                           "kernel %s, argument %zu: a buffer of %s cannot be used on %s: copy it to a "
                           "buffer there",
                           kernel->name, i, arg->as.buffer->device->info.id, kernel->device->info.id);
        break;
    case MW_ARG_IMAGE:
        if (!arg->as.image)
            return mw_fail(MW_EINVAL, "kernel %s, argument %zu: no image is given", kernel->name, i);
        if (arg->as.image->device != kernel->device)
            return mw_fail(MW_EINVAL, "kernel %s, argument %zu: an image of %s cannot be used on %s: make one there",
                           kernel->name, i, arg->as.image->device->info.id, kernel->device->info.id);
        break;
    case MW_ARG_STRUCT:
        if (!arg->as.data || arg->bytes == 0)
            return mw_fail(MW_EINVAL, "kernel %s, argument %zu: the address of the struct is NULL", kernel->name, i);
        break;
    case MW_ARG_I32:
    case MW_ARG_U32:
    case MW_ARG_I64:
    case MW_ARG_U64:
    case MW_ARG_F32:
    case MW_ARG_F64:
        if (arg->bytes != scalar_bytes[arg->type])
            return mw_fail(MW_EINVAL,
                           "kernel %s, argument %zu: a scalar of %zu bytes does not match its type (see enum "
                           "mw_arg_type)",
                           kernel->name, i, arg->bytes);
        break;
    default: return mw_fail(MW_EINVAL, "kernel %s, argument %zu: invalid type (see enum mw_arg_type)", kernel->name, i);
    }
    return 0;
}

/* Checks an argument against its parameter. A struct argument fits any value of its size, for types that a program
 * chooses. */
static int check_type(const struct mw_kernel *kernel, size_t i, const struct mw_arg *arg)
{
    const struct mw_parameter *parameter = &kernel->parameters[i];
    const unsigned given = MW_TAKES(arg->type);
    unsigned taken = parameter->types, type = 0;
    while (taken >> type > 1)
        type++;
    const bool one = taken == MW_TAKES(type);
    const size_t bytes =
        parameter->bytes || !one || type >= MW_COUNT(scalar_bytes) ? parameter->bytes : scalar_bytes[type];
    if (taken & MW_TAKES_VALUES)
        taken |= MW_TAKES(MW_ARG_STRUCT);
    if (taken && !(taken & given))
        return mw_fail(MW_EINVAL, "kernel %s, argument %zu: found %s, expected %s", kernel->name, i,
                       type_names[arg->type], one ? type_names[type] : "a value");
    if (bytes && (given & MW_TAKES_VALUES) && arg->bytes != bytes)
        return mw_fail(MW_EINVAL, "kernel %s, argument %zu: found a value of %zu bytes, expected %zu", kernel->name, i,
                       arg->bytes, bytes);
    if (parameter->image_dims && arg->type == MW_ARG_IMAGE && arg->as.image->dims != parameter->image_dims)
        return mw_fail(MW_EINVAL, "kernel %s, argument %zu: found an image of %u dimensions, expected %u", kernel->name,
                       i, arg->as.image->dims, parameter->image_dims);
    return 0;
}

static int check_args(const struct mw_kernel *kernel, const struct mw_arg *args, size_t count)
{
    const bool known = kernel->parameter_count != MW_PARAMETERS_UNKNOWN;
    const size_t taken = known ? kernel->parameter_count : count, given = args ? count : 0;
    if (taken != given)
        return mw_fail(MW_EINVAL, "kernel %s takes %zu arguments, but %zu are given", kernel->name, taken, given);
    for (size_t i = 0; i < count; i++) {
        TRY_RETURN(check_arg(kernel, i, &args[i]));
        if (known)
            TRY_RETURN(check_type(kernel, i, &args[i]));
    }
    return 0;
}

static int check_group(const struct mw_kernel *kernel, const struct mw_range *range)
{
    const struct mw_device_info *info = &kernel->device->info;
    size_t items = 1;
    for (unsigned d = 0; d < range->dims; d++) {
        if (range->group[d] == 0)
            return mw_fail(MW_EINVAL,
                           "kernel %s: the work-group has length 0 in dimension %u (must be 1 or more; 0 in all "
                           "dimensions selects a default)",
                           kernel->name, d);
        if (info->max_group_dims[d] && range->group[d] > info->max_group_dims[d])
            return mw_fail(MW_ELIMIT,
                           "%s (%s) supports work-groups of at most %zu items in dimension %u, not %zu: choose a"
                           " smaller one",
                           info->id, info->name, info->max_group_dims[d], d, range->group[d]);
        if (!mw_mul(items, range->group[d], &items))
            items = SIZE_MAX;
    }
    if (kernel->limits.max_group && items > kernel->limits.max_group)
        return mw_fail(MW_ELIMIT,
                       "kernel %s supports work-groups of at most %zu items on %s (%s), not %zu: choose a "
                       "smaller work-group",
                       kernel->name, kernel->limits.max_group, info->id, info->name, items);
    return 0;
}

static int dev_kernel_round_up(const struct mw_kernel *kernel, struct mw_range *range)
{
    for (unsigned d = 0; d < range->dims; d++) {
        size_t beyond = range->global[d] % range->group[d];
        size_t whole = range->global[d];
        if (beyond && !mw_add(range->global[d], range->group[d] - beyond, &whole))
            return mw_fail(MW_ELIMIT,
                           "kernel %s: %zu items in dimension %u, rounded up to whole work-groups, exceed the "
                           "address space: use fewer",
                           kernel->name, range->global[d], d);
        range->global[d] = whole;
    }
    return 0;
}

static void group_by_rule(struct mw_kernel *kernel, struct mw_range *range)
{
    if (memcmp(&kernel->asked, range, sizeof *range) != 0) {
        kernel->asked = kernel->ruled = *range;
        mw_group_by_rule(&kernel->device->info, &kernel->limits, &kernel->ruled);
    }
    *range = kernel->ruled;
}

/* Completes a range for backends: sets unused dimensions to 1 and the group, and for compiled kernels rounds up to
 * whole groups. */
static int complete(struct mw_kernel *kernel, struct mw_range *range)
{
    bool chosen = false;
    for (unsigned d = 0; d < 3; d++) {
        if (d >= range->dims)
            range->global[d] = range->group[d] = 1;
        else
            chosen = chosen || range->group[d] != 0;
    }
    if (!chosen)
        group_by_rule(kernel, range);
    TRY_RETURN(check_group(kernel, range));
    return kernel->device->backend->compiles ? dev_kernel_round_up(kernel, range) : 0;
}

int mw_launch(struct mw_kernel *kernel, const struct mw_range *range, const struct mw_arg *args, size_t arg_count,
              struct mw_event **done)
{
    const struct mw_device_info *info = &kernel->device->info;
    struct mw_event *event = NULL;
    int rc;
    if (range->dims < 1 || range->dims > 3)
        return mw_fail(MW_EINVAL, "kernel %s: invalid range: %u dimensions (must be 1 to 3)", kernel->name,
                       range->dims);
    struct mw_range whole;
    memset(&whole, 0, sizeof whole); /* padding too: ranges are compared as bytes */
    whole.dims = range->dims;
    memcpy(whole.global, range->global, sizeof whole.global);
    memcpy(whole.group, range->group, sizeof whole.group);
    TRY(check_args(kernel, args, arg_count));
    /* Not left to the driver: PoCL ends the process. */
    if (info->local_bytes && kernel->limits.local_bytes > info->local_bytes) {
        rc = mw_fail(MW_ELIMIT, "kernel %s needs %" PRIu64 " bytes of local memory, but %s (%s) has %" PRIu64,
                     kernel->name, kernel->limits.local_bytes, info->id, info->name, info->local_bytes);
        goto out;
    }
    bool empty = false;
    for (unsigned d = 0; d < range->dims; d++)
        empty = empty || range->global[d] == 0;
    if (!empty) {
        TRY(complete(kernel, &whole));
        kernel->launches++;
    }
    const bool sample = !empty && !done && sample_is_due(kernel);
    if (sample)
        take_sample(kernel);
    if (done || sample)
        TRY(mw_event_new(kernel->device, &event));
    if (!empty)
        TRY(MW_CALL_AS(MW_ENTRY_LAUNCH, kernel->device,
                       kernel->device->backend->launch(kernel, &whole, args, arg_count, event)));
    if (sample)
        kernel->sample = MW_PASS(event);
    if (done)
        *done = MW_PASS(event);
out:
    free(event);
    return rc;
}
/* SPDX-License-Identifier: MIT */
