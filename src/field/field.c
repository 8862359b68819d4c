/* The evolution of a field on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/field_internal.h"

#define NOISE_ITEM_CELLS 64

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
    return integrator == MW_RK4 ? 4 : 2;
}

int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes)
{
    size_t cells = 0, state = 0;
    const int rc = sizes(model, options, &cells, &state);
    const bool staged = options->variant && strcmp(options->variant, "staged") == 0;
    if (rc == 0)
        *bytes = buffer_count(options->integrator) * (uint64_t)state +
                 (staged ? (uint64_t)model->stage_count * cells * (options->fp64 ? 8 : 4) : 0);
    return rc;
}

/* ---- making ---- */

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

/* The kernels' struct params: seed and step, the slab's place, the scale of noise, parameters, values outside. */
enum { PARAMS_SEED = 0, PARAMS_STEP = 8, PARAMS_SLAB = 16, PARAMS_SLABS = 20, PARAMS_REALS = 24 };

static int make_params(struct mw_field *f)
{
    const struct mw_model_info *info = &f->model->info;
    const size_t reals = 1 + info->param_count + info->field_count;
    const int32_t slab[2] = { 0, (int32_t)f->options.length[f->options.dims - 1] };
    size_t at = PARAMS_REALS;
    int rc;
    TRY(check_real(f, "dt", f->options.dt));
    f->params_bytes = PARAMS_REALS + (reals * f->real_bytes + 7) / 8 * 8;
    TRY(mw_new(f->params_bytes, 1, &f->params));
    memcpy(f->params + PARAMS_SEED, &f->options.seed, 8);
    memcpy(f->params + PARAMS_SLAB, slab, sizeof slab);
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

static int start_with_noise(struct mw_field *f)
{
    struct mw_text defines = { 0 };
    struct mw_source source;
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    const struct mw_model_info *info = &f->model->info;
    int rc;

    TRY(mw_noise_source(NOISE_ITEM_CELLS, f->options.fp64, &defines, &source));
    TRY(mw_program_new(f->device, &source, &program));
    TRY(mw_kernel_new(program, "field_noise", &kernel));
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mw_range range = { 1, { (f->cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS, 1, 1 }, { 0 } };
        const struct mw_arg args[] = { mw_arg_buffer(f->state), mw_arg_u64(f->cells), mw_arg_u32((uint32_t)i),
                                       mw_field_real(f, info->fields[i].mean), mw_field_real(f, info->fields[i].noise),
                                       mw_arg_u64(f->options.seed) };
        TRY(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    }
    TRY(mw_device_finish(f->device));
out:
    mw_kernel_free(kernel);
    mw_program_free(program);
    mw_text_free(&defines);
    return rc;
}

/* What is asked for, as kernels and their builders want it. */
static int describe(struct mw_field *f)
{
    const struct mw_field_options *o = &f->options;
    mw_model_reach(f->model, o->laplacian, &f->reach);
    f->problem = (struct mw_problem){ .model = f->model, .reach = &f->reach, .dims = o->dims,
                                      .boundary = f->options.boundary, .laplacian = o->laplacian, .fp64 = o->fp64 };
    if (o->laplacian == MW_LAPLACIAN_ISOTROPIC && o->dims != 2 && o->dims != 3)
        return mw_fail(MW_EINVAL, "the isotropic Laplacian is for 2 and 3 dimensions, and the size has %u", o->dims);
    for (unsigned d = 0; d < o->dims; d++)
        f->mesh.n[d] = (int32_t)o->length[d];
    f->rows = f->cells / o->length[0];
    f->slab_rows = o->dims > 1 ? f->rows / o->length[o->dims - 1] : 1;
    f->end = o->dims > 1 ? f->mesh.n[o->dims - 1] : 1;
    return 0;
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

int mw_field_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
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
    TRY(make_buffers(f));
    TRY(start_with_noise(f));
    TRY(mw_field_choose(f));
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
    mw_field_plan_clear(&field->plan);
    mw_buffer_free(field->state);
    mw_buffer_free(field->temp);
    mw_buffer_free(field->third);
    mw_buffer_free(field->sum);
    mw_model_free(field->model);
    free(field->params);
    free(field);
}

/* ---- stepping ---- */

static void swap(struct mw_buffer **a, struct mw_buffer **b)
{
    struct mw_buffer *const held = *a;
    *a = *b;
    *b = held;
}

/* out = base + h rate(in) */
static int update(struct mw_field *f, struct mw_buffer *out, struct mw_buffer *base, struct mw_buffer *in, double h)
{
    return mw_field_plan_update(f, &f->plan, &(struct mw_field_update){ out, base, in, NULL, h, 0, 0 });
}

static int euler(struct mw_field *f, double dt)
{
    const int rc = update(f, f->temp, f->state, f->state, dt);
    swap(&f->state, &f->temp);
    return rc;
}

/* Midpoint.  Kernels read what they update only where they write it, so that the second goes back into the state. */
static int rk2(struct mw_field *f, double dt)
{
    int rc;
    if (f->plan.variant.temporal) {
        rc = mw_field_plan_step(f, &f->plan, f->temp, f->state, dt / 2, dt, false);
        swap(&f->state, &f->temp);
        return rc;
    }
    TRY(update(f, f->temp, f->state, f->state, dt / 2));
    TRY(update(f, f->state, f->state, f->temp, dt));
out:
    return rc;
}

/* The classical method.  Its weighted sum of rates is collected on the way. */
static int rk4(struct mw_field *f, double dt)
{
    const struct mw_field_update stages[] = {
        { f->temp, f->state, f->state, f->sum, dt / 2, dt / 6, 1 },
        { f->third, f->state, f->temp, f->sum, dt / 2, dt / 3, 2 },
        { f->temp, f->state, f->third, f->sum, dt, dt / 3, 2 },
        { f->state, f->sum, f->temp, NULL, dt / 6, 0, 0 },
    };
    int rc = 0;
    for (size_t i = 0; i < MW_COUNT(stages); i++)
        TRY(mw_field_plan_update(f, &f->plan, &stages[i]));
out:
    return rc;
}

/* Two steps in one pass.  The noise of the second would be that of the first, so that models with noise take one. */
static int two_eulers(struct mw_field *f, double dt)
{
    const int rc = mw_field_plan_step(f, &f->plan, f->temp, f->state, dt, dt, true);
    swap(&f->state, &f->temp);
    return rc;
}

int mw_field_advance(struct mw_field *f, uint64_t steps)
{
    static int (*const methods[])(struct mw_field *, double) = { euler, rk2, rk4 };
    const bool pairs = f->plan.variant.temporal && f->options.integrator == MW_EULER && !f->model->info.has_noise;
    int rc = 0;
    for (uint64_t done = 0; done < steps;) {
        const uint64_t n = pairs && steps - done > 1 ? 2 : 1;
        memcpy(f->params + PARAMS_STEP, &f->step, 8);
        TRY(n == 2 ? two_eulers(f, f->options.dt) : methods[f->options.integrator](f, f->options.dt));
        done += n;
        f->step += n;
    }
    TRY(mw_device_flush(f->device));
out:
    return rc;
}

int mw_field_sync(struct mw_field *field)
{
    return mw_device_finish(field->device);
}

uint64_t mw_field_step(const struct mw_field *field)
{
    return field->step;
}

void mw_field_set_step(struct mw_field *field, uint64_t step)
{
    field->step = step;
}

/* ---- states ---- */

/* Several fields are one more, slowest, dimension of the file's array. */
static void state_shape(const struct mw_field *f, unsigned *dims, size_t *length)
{
    *dims = f->options.dims;
    memcpy(length, f->options.length, *dims * sizeof *length);
    if (f->model->info.field_count > 1)
        length[(*dims)++] = f->model->info.field_count;
}

int mw_field_get(struct mw_field *f, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX + 1];
    unsigned dims;
    int rc;
    state_shape(f, &dims, length);
    if (dims > MW_DIMS_MAX) {
        rc = mw_fail(MW_ENOTSUP, "a state of %u dimensions and several fields has no place in a file", dims - 1);
        goto out;
    }
    TRY(mw_array_new(f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32, dims, length, &array));
    TRY(mw_buffer_read(f->state, 0, f->bytes, array.data, NULL));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_field_set(struct mw_field *f, const struct mw_array *state)
{
    const enum mw_type type = f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    size_t length[MW_DIMS_MAX + 1];
    unsigned dims;
    state_shape(f, &dims, length);
    if (state->type != type)
        return mw_fail(MW_EINVAL, "the state holds %s, and the field %s", mw_type_name(state->type),
                       mw_type_name(type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths are not those of the field (%zu cells of %zu fields)", f->cells,
                       f->model->info.field_count);
    return mw_buffer_write(f->state, 0, f->bytes, state->data, NULL);
}

/* ---- free energy ---- */

static int energy_density(struct mw_field *f, struct mw_program *program)
{
    const size_t nx = f->options.length[0], rows_an_item = 16;
    const struct mw_range range = { 2, { 1, (f->rows + rows_an_item - 1) / rows_an_item, 1 }, { 1, 1, 1 } };
    struct mw_kernel *kernel = NULL;
    int rc;
    TRY(mw_kernel_new(program, "field_energy", &kernel));
    memcpy(f->params + PARAMS_STEP, &f->step, 8);
    const struct mw_arg args[] = { mw_arg_buffer(f->temp), mw_arg_buffer(f->state),
                                   mw_arg_struct(f->params, f->params_bytes), mw_arg_struct(&f->mesh, sizeof f->mesh),
                                   mw_arg_i32(0), mw_arg_i32((int32_t)f->rows), mw_arg_i32((int32_t)nx),
                                   mw_arg_i32((int32_t)rows_an_item) };
    TRY(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    TRY(mw_device_finish(f->device));
out:
    mw_kernel_free(kernel);
    return rc;
}

int mw_field_energy(struct mw_field *f, double *energy)
{
    const struct mw_shape shape = { .variant = "fused", .vec = mw_device_info(f->device)->kind == MW_KIND_NATIVE
                                                                   ? MW_NATIVE_LANES(f->options.fp64) : 1,
                                    .rows = 1, .group = { 1, 1 } };
    struct mw_text defines = { 0 };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_source source;
    struct mw_program *program = NULL;
    struct mw_array density = { 0 };
    int rc;

    if (!f->model->info.has_energy)
        return mw_fail(MW_EINVAL, "model %s gives no free energy", f->model->info.name);
    TRY(mw_field_source(&f->problem, &shape, &defines, texts, &source));
    TRY(mw_program_new(f->device, &source, &program));
    TRY(energy_density(f, program));
    TRY(mw_array_new(f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 1, &f->cells, &density));
    TRY(mw_buffer_read(f->temp, 0, f->cells * f->real_bytes, density.data, NULL));
    TRY(mw_field_means(&density, 1, energy));
    *energy *= (double)f->cells;
out:
    mw_array_free(&density);
    mw_program_free(program);
    mw_text_free(&defines);
    return rc;
}

void mw_field_shape(const struct mw_field *field, struct mw_shape *shape, const char **how)
{
    *shape = field->plan.shape;
    *how = field->how_chosen;
}
