/* Fields: their sizes, making and freeing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/field_internal.h"
#include "field/evolve/split.h"

/* ---- sizes ---- */

static int no_such_size(enum mw_status status, const struct mw_field_options *o, const char *why)
{
    struct mw_text size = { 0 };
    for (unsigned d = 0; d < o->dims && d < MW_DIMS_MAX; d++)
        mw_text_add(&size, "%s%zu", d ? "x" : "", o->length[d]);
    mw_fail(status, "size %s%s", size.data ? size.data : "", why);
    mw_text_free(&size);
    return status;
}

static int sizes(const struct mw_model *model, const struct mw_field_options *o, size_t *cells, size_t *bytes)
{
    size_t n = 1, b;
    if (o->dims < 1 || o->dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "a size of %u dimensions: a mesh has 1 to %d", o->dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < o->dims; d++) {
        if (o->length[d] == 0)
            return no_such_size(MW_EINVAL, o, " has no cells");
        if (o->length[d] > INT32_MAX / 4)
            return no_such_size(MW_ELIMIT, o, ": a side has at most 536870911 cells");
        if (!mw_mul(n, o->length[d], &n))
            return no_such_size(MW_ELIMIT, o, " is larger than this machine can address");
    }
    if (n / o->length[0] > INT32_MAX / 2 || !mw_mul(n, o->fp64 ? 8 : 4, &b) ||
        !mw_mul(b, model->info.field_count, &b) || b > SIZE_MAX / 8)
        return no_such_size(MW_ELIMIT, o, " is larger than this machine can address");
    *cells = n;
    *bytes = b;
    return 0;
}

static size_t buffer_count(enum mw_integrator integrator)
{
    return integrator == MW_INTEGRATE_RK4 ? 4 : 2;
}

/* What is asked for, as kernels and their builders want it. */
static struct mw_problem problem_of(const struct mw_model *model, const struct mw_field_options *o, struct mw_reach *reach)
{
    mw_model_reach(model, o->laplacian, reach);
    return (struct mw_problem){ .model = model, .reach = reach, .dims = o->dims, .boundary = o->boundary,
                                .laplacian = o->laplacian, .fp64 = o->fp64 };
}

int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes)
{
    struct mw_field_variant variant = { MW_FUSED, false };
    struct mw_field_options o;
    struct mw_reach reach;
    size_t cells = 0, state = 0, beside = 0;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_field_options, options, shares, &o));
    TRY(sizes(model, &o, &cells, &state));
    if (o.variant && strcmp(o.variant, "auto") != 0)
        TRY(mw_field_variant(o.variant, &variant));
    const struct mw_problem problem = problem_of(model, &o, &reach);
    if (variant.how == MW_STAGED)
        beside = mw_problem_stage_bytes(&problem, o.length);
    else if (mw_how_has_images(variant.how))
        beside = state;
    *bytes = (uint64_t)buffer_count(o.integrator) * state;
    *bytes += beside < UINT64_MAX - *bytes ? beside : UINT64_MAX - *bytes;
out:
    return rc;
}

/* Whether a number keeps its meaning in the field's precision: not infinite, and not 0 unless it is. */
static int check_real(const struct mw_field *f, const char *name, double value)
{
    const double kept = f->options.fp64 ? value : (double)(float)value;
    if (!isfinite(kept) || (kept == 0) != (value == 0))
        return mw_fail(MW_EINVAL, "%s = %g does not fit %s precision: choose another value%s", name, value,
                       f->options.fp64 ? "double" : "single", f->options.fp64 ? "" : ", or --precision double");
    return 0;
}

static void put_real(struct mw_field *f, size_t at, double value)
{
    if (f->options.fp64)
        memcpy(f->params + at, &value, sizeof value);
    else
        memcpy(f->params + at, &(float){ (float)value }, sizeof(float));
}

void mw_field_put_words(struct mw_field *f, size_t at, uint64_t value)
{
    const uint32_t words[2] = { (uint32_t)value, (uint32_t)(value >> 32) };
    memcpy(f->params + at, words, sizeof words);
}

static int make_params(struct mw_field *f)
{
    const struct mw_model_info *info = &f->model->info;
    const size_t reals = 1 + info->param_count + info->field_count;
    size_t at = MW_PARAMS_REALS;
    int rc;
    TRY(check_real(f, "dt", f->options.dt));
    f->params_bytes = MW_PARAMS_REALS + reals * f->real_bytes;
    TRY(mw_new(f->params_bytes, 1, &f->params));
    mw_field_put_words(f, MW_PARAMS_SEED, f->options.seed);
    put_real(f, at, 1 / sqrt(f->options.dt));
    at += f->real_bytes;
    for (size_t i = 0; i < info->param_count; i++, at += f->real_bytes) {
        const double value = f->options.params ? f->options.params[i] : info->params[i].value;
        TRY(check_real(f, info->params[i].name, value));
        put_real(f, at, value);
    }
    for (size_t i = 0; i < info->field_count; i++, at += f->real_bytes) {
        TRY(check_real(f, info->fields[i].name, info->fields[i].outside));
        put_real(f, at, info->fields[i].outside);
    }
out:
    return rc;
}

static int describe(struct mw_field *f)
{
    const struct mw_field_options *o = &f->options;
    f->problem = problem_of(f->model, o, &f->reach);
    if (o->laplacian == MW_LAPLACIAN_ISOTROPIC && o->dims != 2 && o->dims != 3)
        return mw_fail(MW_EINVAL, "the isotropic Laplacian is for 2 and 3 dimensions, and the size has %u", o->dims);
    return 0;
}

/* The array for a place; the lengths of its other dimensions are the whole's. */
static int set_place(struct mw_field *f, const struct mw_place *place)
{
    struct mw_field_options *o = &f->options;
    const int32_t in_params[2] = { place->slab - place->lower, place->slabs };
    int rc;
    if (o->dims > 1)
        o->length[o->dims - 1] = (size_t)place->lower + (size_t)place->own + (size_t)place->upper;
    TRY(sizes(f->model, o, &f->cells, &f->bytes));
    for (unsigned d = 0; d < o->dims; d++)
        f->mesh.n[d] = (int32_t)o->length[d];
    f->place = *place;
    f->rows = f->cells / o->length[0];
    f->slab_rows = o->dims > 1 ? f->rows / o->length[o->dims - 1] : 1;
    f->first = place->lower;
    f->end = place->lower + place->own;
    memcpy(f->params + MW_PARAMS_SLAB, in_params, sizeof in_params);
out:
    return rc;
}

static int make_buffers(struct mw_field *f)
{
    struct mw_buffer **const buffers[] = { &f->state, &f->temp, &f->third, &f->sum };
    int rc = 0;
    for (size_t i = 0; i < buffer_count(f->options.integrator); i++)
        TRY(mw_buffer_new(f->device, f->bytes, buffers[i]));
out:
    return rc;
}

static void drop_buffers(struct mw_field *f)
{
    struct mw_buffer **const buffers[] = { &f->state, &f->temp, &f->third, &f->sum };
    for (size_t i = 0; i < MW_COUNT(buffers); i++) {
        mw_buffer_free(*buffers[i]);
        *buffers[i] = NULL;
    }
}

int mw_field_move(struct mw_field *f, const struct mw_place *place)
{
    int rc;
    drop_buffers(f);
    TRY(set_place(f, place));
    TRY(make_buffers(f));
    TRY(mw_field_plan_fit(f, &f->plan));
out:
    return rc;
}

/* What a field is, without a device's share in it. */
static int describe_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
                        struct mw_field **field)
{
    struct mw_field *f = NULL;
    int rc;
    TRY(mw_new(1, sizeof *f, &f));
    f->device = device;
    f->options = *options;
    f->real_bytes = options->fp64 ? 8 : 4;
    TRY(sizes(model, options, &f->cells, &f->bytes));
    if (options->fp64 && !mw_device_info(device)->fp64) {
        rc = mw_fail(MW_ENOTSUP, "%s has no double precision; use --precision single", mw_device_info(device)->id);
        goto out;
    }
    if (f->options.dt == 0)
        f->options.dt = model->info.dt;
    TRY(mw_model_parse(model->info.path, model->text, &f->model));
    TRY(describe(f));
    TRY(make_params(f));
    f->place.own = f->place.slabs = options->dims > 1 ? (int)options->length[options->dims - 1] : 1;
    *field = f;
    f = NULL;
out:
    mw_field_free(f);
    return rc;
}

int mw_field_part_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
                      const struct mw_place *place, struct mw_field **field)
{
    struct mw_field *f = NULL;
    int rc;
    TRY(describe_new(device, model, options, &f));
    const struct mw_place all = f->place;
    TRY(set_place(f, place ? place : &all));
    TRY(make_buffers(f));
    TRY(mw_field_start(f));
    TRY(mw_field_choose(f));
    *field = f;
    f = NULL;
out:
    mw_field_free(f);
    return rc;
}

int mw_field_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
                 struct mw_field **field)
{
    struct mw_field_options o;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_field_options, options, shares, &o));
    TRY(mw_field_part_new(device, model, &o, NULL, field));
out:
    return rc;
}

int mw_field_new_on(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                    const struct mw_field_options *options, struct mw_field **field)
{
    struct mw_field_options o;
    struct mw_field *f = NULL;
    size_t used;
    int rc;
    if (count == 0)
        return mw_fail(MW_EINVAL, "a field needs a device");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (devices[i] == devices[k])
                return mw_fail(MW_EINVAL, "%s is given twice: a field takes each device once",
                               mw_device_info(devices[i])->id);
    TRY(MW_OPTIONS_TAKE(mw_field_options, options, shares, &o));
    TRY(describe_new(devices[0], model, &o, &f));
    used = mw_split_most(f, count);
    if (used < count)
        mw_log(MW_LOG_NOTICE, "the field has too few places along its slowest dimension for %zu devices: using %zu",
               count, used);
    if (used == 1) {
        rc = mw_field_new(devices[0], model, &o, field);
        goto out;
    }
    TRY(mw_split_new(devices, used, f, &o, &f->split));
    *field = f;
    f = NULL;
out:
    mw_field_free(f);
    return rc;
}

void mw_field_free(struct mw_field *field)
{
    if (!field)
        return;
    mw_split_free(field->split);
    mw_field_plan_clear(&field->plan);
    drop_buffers(field);
    mw_model_free(field->model);
    free(field->params);
    free(field);
}

void mw_field_shape(const struct mw_field *field, struct mw_shape *shape, const char **how)
{
    const struct mw_field *first = field->split ? *mw_split_parts(field->split, NULL) : field;
    *shape = first->plan.shape;
    *how = first->how_chosen;
}

size_t mw_field_parts(const struct mw_field *field, size_t max, struct mw_field_part *parts)
{
    size_t count = 1;
    struct mw_field *const *fields = field->split ? mw_split_parts(field->split, &count) : NULL;
    for (size_t i = 0; i < count && i < max; i++) {
        const struct mw_field *f = fields ? fields[i] : field;
        parts[i] = (struct mw_field_part){ .device = f->device, .shape = f->plan.shape, .how = f->how_chosen,
                                           .share = (double)f->place.own / f->place.slabs,
                                           .step_seconds = fields ? mw_split_step_seconds(field->split, i) : 0 };
    }
    return count;
}
