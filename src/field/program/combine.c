/* Linear combinations of the rates of a time step, and the scaled error of the step. */
#include "field/program/program.h"
#include "kernels/field/combine.h"
#include "kernels/native.h"

int mw_field_combining_new(const struct mw_field_array *a, struct mw_kernel_set **combining)
{
    const struct mw_device_info *device = mw_device_info(a->device);
    const bool fp64 = a->problem->fp64;
    struct mw_kernel_options build = { .fp64 = fp64,
                                       .fast_math = a->problem->fast_math,
                                       .native =
                                           fp64 ? mw_native_field_combine_double : mw_native_field_combine_single };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s", fp64 ? "#define REAL_DOUBLE 1\n" : "");
    if (device->traits->has_cores)
        mw_text_add(&defines, "#define VEC %u\n", MW_NATIVE_LANES(fp64));
    TRY(mw_text_ok(&defines));
    build.defines = defines.data;
    TRY(mw_kernel_set_new(a->device, &kernels_field_combine, &build, combining));
out:
    mw_text_free(&defines);
    return rc;
}

/* Returns the numbers of an array's state, and the range of a launch over them. */
static size_t numbers_of(const struct mw_field_array *a, struct mw_range *range, uint32_t *each)
{
    const size_t numbers = a->bytes / mw_problem_real_bytes(a->problem);
    *each = mw_device_info(a->device)->traits->has_cores ? COMBINE_CELLS : 1;
    *range = mw_items((numbers + *each - 1) / *each);
    return numbers;
}

#define RATES(c) c->rates[0], c->rates[1], c->rates[2], c->rates[3], c->rates[4], c->rates[5]
#define WEIGHTS(c) c->weights[0], c->weights[1], c->weights[2], c->weights[3], c->weights[4], c->weights[5]

int mw_field_combine(const struct mw_kernel_set *combining, const struct mw_field_array *a,
                     const struct mw_field_combination *c, struct mw_buffer *out, struct mw_buffer *clear)
{
    struct mw_range range;
    uint32_t each;
    const size_t numbers = numbers_of(a, &range, &each);
    return launch_field_combine(combining, range, out, clear, c->base, RATES(c), WEIGHTS(c), c->count, each, numbers);
}

int mw_field_error(const struct mw_kernel_set *combining, const struct mw_field_array *a,
                   const struct mw_field_combination *c, struct mw_buffer *next, double relative, double absolute,
                   struct mw_buffer *out)
{
    struct mw_range range;
    uint32_t each;
    const size_t numbers = numbers_of(a, &range, &each);
    return launch_field_error(combining, range, out, c->base, next, RATES(c), WEIGHTS(c), absolute, relative, c->count,
                              each, numbers);
}
/* SPDX-License-Identifier: MIT */
