/* Kernel sets. */
#include "dev/kernel_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/backend.h"
#include "dev/core/registers.h"

#define ARGUMENTS_MAX 128

static bool is_wanted(const struct mw_kernel_row *row, size_t number, const struct mw_kernel_options *options)
{
    const bool in_form = options->group > 0 ? row->groups : row->cores;
    return options->wanted ? options->wanted >> number & 1 : in_form;
}

static void drop_kernels(struct mw_kernel_set *set)
{
    for (size_t i = 0; i < set->list->count; i++) {
        mw_kernel_free(set->kernels[i]);
        set->kernels[i] = NULL;
    }
    mw_program_free(set->program);
    set->program = NULL;
}

void mw_kernel_set_free(struct mw_kernel_set *set)
{
    if (!set)
        return;
    drop_kernels(set);
    free(set);
}

static int kernel_set_build(struct mw_kernel_set *set, const struct mw_kernel_options *options)
{
    struct mw_source source = { .size = sizeof source,
                                .file = set->list->file,
                                .texts = options->texts,
                                .text_count = options->text_count,
                                .fp64 = options->fp64,
                                .fast_math = options->fast_math,
                                .native = options->native,
                                .native_file = options->compiles_native ? set->list->file : NULL };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s", options->defines ? options->defines : "");
    if (options->group > 0)
        mw_text_add(&defines, "#define GROUP %zu\n", set->group);
    if (options->add_defines)
        options->add_defines(&defines, options->group > 0 ? set->group : 0, options->context);
    TRY(mw_text_ok(&defines));
    source.defines = defines.data;
    TRY(mw_program_new(set->device, &source, &set->program));
    for (size_t i = 0; i < set->list->count; i++)
        if (is_wanted(&set->list->rows[i], i, options))
            TRY(mw_kernel_new(set->program, set->list->rows[i].name, &set->kernels[i]));
out:
    mw_text_free(&defines);
    return rc;
}

size_t mw_kernel_set_group(const struct mw_kernel_set *set, size_t group)
{
    for (size_t i = 0; i < set->list->count; i++) {
        struct mw_kernel_limits limits = MW_INIT(limits);
        if (set->kernels[i])
            mw_kernel_limits(set->kernels[i], &limits);
        while (limits.max_group && group > limits.max_group)
            group /= 2;
    }
    return group;
}

size_t mw_kernel_set_resident(const struct mw_kernel_set *set, unsigned kernel, size_t items)
{
    struct mw_kernel_limits limits = MW_INIT(limits);
    if (set->kernels[kernel])
        mw_kernel_limits(set->kernels[kernel], &limits);
    return mw_resident_groups(&limits, items);
}

/* Checks that a given size is one that the set takes. */
static int check_given(const struct mw_kernel_set *set, enum mw_group_taken takes)
{
    if (takes == MW_GROUP_POWER && (set->given & (set->given - 1)))
        return mw_fail(MW_EINVAL,
                       "work-group size %zu: kernels of %s take only powers of two: choose one, or another variant",
                       set->given, set->list->file);
    return 0;
}

/* Returns the largest group that all built kernels accept. */
static size_t most_of(const struct mw_kernel_set *set)
{
    size_t most = SIZE_MAX;
    for (size_t i = 0; i < set->list->count; i++) {
        struct mw_kernel_limits limits = MW_INIT(limits);
        if (set->kernels[i])
            mw_kernel_limits(set->kernels[i], &limits);
        most = limits.max_group && limits.max_group < most ? limits.max_group : most;
    }
    return most;
}

/* Sets the group to the largest size that all built kernels accept. Drops the kernels if it was larger. A given size
 * must be accepted. */
static int fit_group(struct mw_kernel_set *set)
{
    const size_t taken = mw_kernel_set_group(set, set->group);
    if (taken == set->group)
        return 0;
    if (set->given)
        return mw_fail(MW_ELIMIT, "work-group size %zu: kernels of %s support at most %zu work-items on %s", set->given,
                       set->list->file, most_of(set), mw_device_info(set->device)->id);
    drop_kernels(set);
    set->group = taken;
    return 0;
}

int mw_kernel_set_new(struct mw_device *device, const struct mw_kernel_list *list,
                      const struct mw_kernel_options *options, struct mw_kernel_set **result)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_kernel_set *set = NULL;
    int rc;
    TRY(mw_new(1, sizeof *set + list->count * sizeof set->kernels[0], &set));
    set->device = device;
    set->list = list;
    set->fp64 = options->fp64;
    set->given = options->takes == MW_GROUP_CHOSEN ? 0 : device->options.group;
    TRY(check_given(set, options->takes));
    set->group = options->group == 0 ? 1 : set->given ? set->given : options->group;
    while (set->group > 1 && ((info->max_group && set->group > info->max_group) ||
                              (info->max_group_dims[0] && set->group > info->max_group_dims[0])))
        set->group /= 2;
    while (!set->program) {
        TRY(kernel_set_build(set, options));
        if (options->group > 0)
            TRY(fit_group(set));
    }
    *result = MW_PASS(set);
out:
    mw_kernel_set_free(set);
    return rc;
}

/* Sets a range's group to the given size, unless it has one, which must then be of this size. */
static int give_group(const struct mw_kernel_set *set, const char *kernel, struct mw_range *range)
{
    size_t items = 1;
    for (unsigned d = 0; d < range->dims; d++)
        items *= range->group[d];
    if (items != 0 && items != set->given)
        return mw_fail(MW_EINVAL,
                       "work-group size %zu: kernel %s needs groups of %zu: choose another variant, or no size",
                       set->given, kernel, items);
    if (items == 0)
        for (unsigned d = 0; d < range->dims; d++)
            range->group[d] = d == 0 ? set->given : 1;
    return 0;
}

int mw_kernel_set_launch(const struct mw_kernel_set *set, unsigned kernel, struct mw_range range,
                         const struct mw_arg *args, size_t count)
{
    if (kernel >= set->list->count || !set->kernels[kernel])
        return mw_fail(MW_EINVAL, "%s was built without its kernel %s", set->list->file,
                       kernel < set->list->count ? set->list->rows[kernel].name : "of that number");
    TRY_RETURN(mw_progress_look());
    if (set->given)
        TRY_RETURN(give_group(set, set->list->rows[kernel].name, &range));
    return mw_launch(set->kernels[kernel], &range, args, count, NULL);
}

int mw_kernel_set_launch_more(const struct mw_kernel_set *set, unsigned kernel, struct mw_range range,
                              const struct mw_arg *args, size_t count, const struct mw_arg *more, size_t more_count)
{
    struct mw_arg all[ARGUMENTS_MAX];
    if (count > ARGUMENTS_MAX || more_count > ARGUMENTS_MAX - count)
        return mw_fail(MW_ELIMIT, "%s: too many arguments for a kernel (at most %d)", set->list->file, ARGUMENTS_MAX);
    memcpy(all, args, count * sizeof *all);
    if (more_count > 0)
        memcpy(all + count, more, more_count * sizeof *all);
    return mw_kernel_set_launch(set, kernel, range, all, count + more_count);
}

struct mw_arg mw_kernel_set_real(const struct mw_kernel_set *set, double value)
{
    return set->fp64 ? mw_arg_f64(value) : mw_arg_f32((float)value);
}

struct mw_range mw_parts(const struct mw_kernel_set *set, size_t parts)
{
    struct mw_range range = { .dims = 1, .group = { set->group } };
    if (!mw_mul(parts, set->group, &range.global[0]))
        range.global[0] = SIZE_MAX;
    return range;
}

struct mw_range mw_items(size_t n) { return (struct mw_range){ .dims = 1, .global = { n } }; }
/* SPDX-License-Identifier: MIT */
