/* The evolution of a field on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/field_internal.h"

#define TUNE_BUDGET 1.0          /* seconds, on first use */
#define NOISE_ITEM_CELLS 64
#define ROW_PADDING 16           /* cells between rows of a ring, so that they do not fall on one cache set */

/* The kernels of one shape. */
struct plan {
    struct mw_shape shape;
    enum mw_field_how how;
    struct mw_program *program;
    struct mw_kernel *update, *stage;
    struct mw_buffer *aux;
    struct mw_range range;
    int pitch, item_cells, item_rows;
};

struct mw_field {
    struct mw_device *device;
    struct mw_model *model;
    struct mw_field_options options;
    int nx, ny;
    size_t cells, bytes;         /* of one field; of the state */
    size_t real_bytes;
    unsigned char *params;       /* the kernel's struct params */
    size_t params_bytes;
    struct mw_buffer *state, *temp;
    struct plan plan;
    const char *how_chosen;
};

static struct mw_arg real_arg(const struct mw_field *f, double value)
{
    return f->options.fp64 ? mw_arg_f64(value) : mw_arg_f32((float)value);
}

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* ---- sizes ---- */

static int sizes(const struct mw_model *model, const struct mw_field_options *o, size_t *cells, size_t *bytes)
{
    size_t n, b;
    if (o->dims != 2)
        return mw_fail(MW_ENOTSUP, "a size of %u dimensions: field equations run in 2 dimensions (--size WIDTHxHEIGHT)",
                       o->dims);
    for (unsigned d = 0; d < 2; d++) {
        if (o->length[d] == 0)
            return mw_fail(MW_EINVAL, "size %zux%zu has no cells", o->length[0], o->length[1]);
        if (o->length[d] > INT32_MAX - 1024)
            return mw_fail(MW_ELIMIT, "size %zux%zu: a side has at most %d cells", o->length[0], o->length[1],
                           INT32_MAX - 1024);
    }
    if (!mw_mul(o->length[0], o->length[1], &n) || !mw_mul(n, o->fp64 ? 8 : 4, &b) ||
        !mw_mul(b, model->info.field_count, &b) || b > SIZE_MAX / 4)
        return mw_fail(MW_ELIMIT, "size %zux%zu is larger than this machine can address", o->length[0], o->length[1]);
    *cells = n;
    *bytes = b;
    return 0;
}

/* An item's rows: as the shape says, but no more than leave four strips to each unit of the device. */
static unsigned shape_rows(const struct mw_device_info *device, const struct mw_shape *shape, size_t ny)
{
    const size_t strips = 4 * (size_t)(device->compute_units ? device->compute_units : 1);
    const size_t most = ny / strips ? ny / strips : 1;
    return shape->per_item == 0 && shape->rows > most ? (unsigned)most : shape->rows;
}

static size_t aux_bytes(const struct mw_device_info *device, const struct mw_model *model, const struct mw_shape *shape,
                        enum mw_field_how how, size_t cells, size_t nx, size_t ny, size_t real_bytes)
{
    const size_t rings = device->kind == MW_KIND_NATIVE ? device->compute_units : ceil_div(ny, shape->rows);
    return how == MW_HOW_STAGED    ? model->stage_count * cells * real_bytes
           : how == MW_HOW_ROLLING ? rings * (size_t)model->ring_rows * (nx + ROW_PADDING) * real_bytes
                                   : 0;
}

int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes)
{
    size_t cells = 0, state = 0;
    const int rc = sizes(model, options, &cells, &state);
    const bool staged = options->variant && strcmp(options->variant, mw_field_variants[MW_HOW_STAGED].name) == 0;
    if (rc == 0)
        *bytes = 2 * (uint64_t)state + (staged ? (uint64_t)model->stage_count * cells * (options->fp64 ? 8 : 4) : 0);
    return rc;
}

/* ---- plans ---- */

static void plan_clear(struct plan *plan)
{
    mw_kernel_free(plan->update);
    mw_kernel_free(plan->stage);
    mw_program_free(plan->program);
    mw_buffer_free(plan->aux);
    *plan = (struct plan){ 0 };
}

static int plan_make(const struct mw_field *f, const struct mw_shape *shape, struct plan *result)
{
    const struct mw_device_info *device = mw_device_info(f->device);
    struct plan plan = { .shape = *shape, .pitch = f->nx + ROW_PADDING };
    struct mw_text defines = { 0 };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_source source;
    size_t bytes, item_cells;
    int rc;

    TRY(mw_field_check_shape(device, f->model, f->options.fp64, shape));
    TRY(mw_field_how(shape->variant, &plan.how));
    plan.shape.rows = shape_rows(device, shape, (size_t)f->ny);
    plan.shape.vec = mw_field_lanes(device, f->model, shape, (size_t)f->nx);
    TRY(mw_field_check_loops(device, f->model, &plan.shape, (size_t)f->nx));
    TRY(mw_field_source(f->model, &plan.shape, f->options.fp64, &defines, texts, &source));
    source.fast_math = f->options.fast_math;
    if (device->kind == MW_KIND_NATIVE && !source.native) {
        rc = mw_fail(MW_ENOTSUP, "%s: %s runs only models that meshwork was built with: choose an OpenCL device (-d)",
                     f->model->info.path, device->id);
        goto out;
    }
    TRY(mw_program_new(f->device, &source, &plan.program));
    TRY(mw_kernel_new(plan.program, "field_update", &plan.update));
    if (plan.how == MW_HOW_STAGED)
        TRY(mw_kernel_new(plan.program, "field_stage", &plan.stage));
    bytes = aux_bytes(device, f->model, &plan.shape, plan.how, f->cells, (size_t)f->nx, (size_t)f->ny, f->real_bytes);
    if (bytes)
        TRY(mw_buffer_new(f->device, bytes, &plan.aux));
    item_cells = (size_t)shape->per_item * plan.shape.vec;
    if (item_cells == 0 || item_cells > (size_t)f->nx)
        item_cells = (size_t)f->nx;
    plan.item_cells = (int)item_cells;
    plan.item_rows = (int)plan.shape.rows;
    plan.range.dims = 2;
    plan.range.global[0] = ceil_div((size_t)f->nx, item_cells);
    plan.range.global[1] = ceil_div((size_t)f->ny, plan.shape.rows);
    memcpy(plan.range.group, shape->group, sizeof shape->group);
    *result = plan;
    plan = (struct plan){ 0 };
out:
    mw_text_free(&defines);
    plan_clear(&plan);
    return rc;
}

/* out = base + h rate(in): one launch, or one a stage and one for the update. */
static int plan_launch(const struct mw_field *f, const struct plan *p, struct mw_buffer *out, struct mw_buffer *base,
                       struct mw_buffer *in, double h)
{
    int rc = 0;
    if (p->how == MW_HOW_STAGED)
        for (size_t s = 0; s < f->model->stage_count; s++) {
            const struct mw_arg args[] = { mw_arg_buffer(in), mw_arg_buffer(p->aux),
                                           mw_arg_struct(f->params, f->params_bytes), mw_arg_i32((int)s),
                                           mw_arg_i32(f->nx), mw_arg_i32(f->ny), mw_arg_i32(p->item_cells),
                                           mw_arg_i32(p->item_rows) };
            TRY(mw_launch(p->stage, &p->range, args, MW_COUNT(args), NULL));
        }
    const struct mw_arg args[] = { mw_arg_buffer(out), mw_arg_buffer(base), mw_arg_buffer(in), mw_arg_buffer(p->aux),
                                   mw_arg_struct(f->params, f->params_bytes), real_arg(f, h), mw_arg_i32(f->nx),
                                   mw_arg_i32(f->ny), mw_arg_i32(p->pitch), mw_arg_i32(p->item_cells),
                                   mw_arg_i32(p->item_rows) };
    TRY(mw_launch(p->update, &p->range, args, MW_COUNT(args), NULL));
out:
    return rc;
}

/* ---- the choice of a plan ---- */

struct measuring { struct mw_field *field; };

/* Seconds of one launch from the state into the other buffer, which holds nothing yet: the state stays. */
static int measure(void *context, const struct mw_shape *shape, double *seconds)
{
    struct mw_field *f = ((struct measuring *)context)->field;
    struct plan plan = { 0 };
    double start, best = 1e300, total = 0;
    char text[MW_SHAPE_TEXT];
    int rc;

    TRY(plan_make(f, shape, &plan));
    TRY(plan_launch(f, &plan, f->temp, f->state, f->state, f->options.dt));
    TRY(mw_device_finish(f->device));
    for (int i = 0; i < 20 && (i < 5 || total < 0.05); i++) {
        start = mw_now();
        TRY(plan_launch(f, &plan, f->temp, f->state, f->state, f->options.dt));
        TRY(mw_device_finish(f->device));
        const double took = mw_now() - start;
        total += took;
        best = took < best ? took : best;
    }
    *seconds = best;
    mw_shape_format(shape, text);
    mw_log(MW_LOG_INFO, "tuning: %s: %.3g s a launch", text, best);
out:
    plan_clear(&plan);
    return rc;
}

/* What a tuned shape depends on beside device and size: the source, without the shape. */
static int tune_signature(const struct mw_field *f, uint64_t *signature)
{
    struct mw_text macros = { 0 }, flat = { 0 };
    const struct mw_source_text texts[] = { { "model", f->model->text, f->model->info.path } };
    int rc;
    TRY(mw_model_macros(f->model, &macros));
    const struct mw_source source = { .file = "field/update.cl", .defines = macros.data, .texts = texts,
                                      .text_count = MW_COUNT(texts) };
    if (mw_device_info(f->device)->kind == MW_KIND_NATIVE) {
        mw_text_add(&flat, "%s %s", mw_version(), f->model->text);
        TRY(mw_text_ok(&flat));
    } else {
        TRY(mw_flatten(f->device->kernel_path, &source, &flat));
    }
    *signature = mw_hash64(flat.data, flat.length, 0);
out:
    mw_text_free(&macros);
    mw_text_free(&flat);
    return rc;
}

static void tune_key(const struct mw_field *f, char *key, size_t size)
{
    struct mw_text t = { 0 };
    unsigned bits = 0;
    while (f->cells >> bits > 1)
        bits++;
    mw_text_add(&t, "field/%s/%s/2d/2^%u", f->model->info.name, f->options.fp64 ? "double" : "single", bits);
    mw_copy_string(key, size, t.data ? t.data : "");
    mw_text_free(&t);
}

/* Candidates that agree with what the user fixed. */
static int restrict_candidates(const struct mw_field *f, struct mw_shape *shapes, size_t *count)
{
    const struct mw_field_options *o = &f->options;
    const bool any = !o->variant || strcmp(o->variant, "auto") == 0;
    enum mw_field_how how;
    size_t kept = 0;
    int rc = 0;
    if (!any)
        TRY(mw_field_how(o->variant, &how));
    for (size_t i = 0; i < *count; i++) {
        struct mw_shape s = shapes[i];
        bool twice = false;
        if (!any && strcmp(s.variant, o->variant) != 0)
            continue;
        if (o->shape)
            TRY(mw_shape_parse(o->shape, &s));
        for (size_t k = 0; k < kept; k++)
            twice = twice || memcmp(&shapes[k], &s, sizeof s) == 0;
        if (!twice)
            shapes[kept++] = s;
    }
    if (kept == 0) {
        /* A variant that no rule proposes here: in the first candidate's shape. */
        mw_copy_string(shapes[0].variant, sizeof shapes[0].variant, o->variant);
        if (o->shape)
            TRY(mw_shape_parse(o->shape, &shapes[0]));
        kept = 1;
    }
    *count = kept;
out:
    return rc;
}

static int choose(struct mw_field *f)
{
    const struct mw_device_info *device = mw_device_info(f->device);
    const struct mw_field_options *o = &f->options;
    const bool by_hand = o->shape || (o->variant && strcmp(o->variant, "auto") != 0);
    struct mw_shape shapes[MW_SHAPES_MAX] = { 0 }, best;
    struct measuring measuring = { f };
    struct mw_tuning tuning = { .candidates = shapes, .measure = measure, .context = &measuring };
    char key[96], text[MW_SHAPE_TEXT];
    uint64_t signature;
    double seconds = 0;
    size_t tried = 0;
    int rc;

    TRY(tune_signature(f, &signature));
    tuning.count = mw_field_candidates(device, f->model, o, shapes);
    TRY(restrict_candidates(f, shapes, &tuning.count));
    best = shapes[0];
    tune_key(f, key, sizeof key);
    f->how_chosen = by_hand ? "by hand" : "by rule";
    if (!by_hand && !o->retune && !o->no_tune && mw_tune_get(device, key, signature, &best)) {
        f->how_chosen = "remembered";
    } else if (!o->no_tune && !(o->shape && tuning.count == 1)) {
        tuning.budget = o->tune_budget > 0 ? o->tune_budget : o->retune ? 1e9 : TUNE_BUDGET;
        TRY(mw_tune(&tuning, &best, &seconds, &tried));
        f->how_chosen = "tuned";
        if (!by_hand && mw_tune_put(device, key, signature, &best, seconds) != 0)
            mw_log(MW_LOG_INFO, "the tuned shape is not remembered: %s", mw_errmsg());
    }
    mw_shape_format(&best, text);
    if (tried)
        mw_log(MW_LOG_INFO, "tuning: fastest of %zu tried (of %zu): %s", tried, tuning.count, text);
    else
        mw_log(MW_LOG_INFO, "shape (%s): %s", f->how_chosen, text);
    rc = plan_make(f, &best, &f->plan);
    if (rc != 0 && strcmp(f->how_chosen, "remembered") == 0) {
        /* Remembered from another size or driver of the same name: the rule's choice is always safe. */
        mw_log(MW_LOG_INFO, "the remembered shape does not fit (%s); taking the rule's", mw_errmsg());
        f->how_chosen = "by rule";
        rc = plan_make(f, &shapes[0], &f->plan);
    }
out:
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

static int make_params(struct mw_field *f)
{
    const struct mw_model_info *info = &f->model->info;
    const size_t n = info->param_count ? info->param_count : 1;
    int rc;
    TRY(check_real(f, "dt", f->options.dt));
    TRY(mw_new(n, f->real_bytes, &f->params));
    f->params_bytes = n * f->real_bytes;
    for (size_t i = 0; i < info->param_count; i++) {
        const double value = f->options.params ? f->options.params[i] : info->params[i].value;
        TRY(check_real(f, info->params[i].name, value));
        if (f->options.fp64)
            ((double *)(void *)f->params)[i] = value;
        else
            ((float *)(void *)f->params)[i] = (float)value;
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
        const struct mw_range range = { 1, { ceil_div(f->cells, NOISE_ITEM_CELLS), 1, 1 }, { 0 } };
        const struct mw_arg args[] = { mw_arg_buffer(f->state), mw_arg_u64(f->cells), mw_arg_u32((uint32_t)i),
                                       real_arg(f, info->fields[i].mean), real_arg(f, info->fields[i].noise),
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

int mw_field_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
                 struct mw_field **field)
{
    struct mw_field *f = NULL;
    int rc;

    TRY(mw_new(1, sizeof *f, &f));
    f->device = device;
    f->options = *options;
    TRY(sizes(model, options, &f->cells, &f->bytes));
    if (options->fp64 && !mw_device_info(device)->fp64) {
        rc = mw_fail(MW_ENOTSUP, "%s has no double precision; use --precision single", mw_device_info(device)->id);
        goto out;
    }
    if (f->options.dt == 0)
        f->options.dt = model->info.dt;
    f->nx = (int)options->length[0];
    f->ny = (int)options->length[1];
    f->real_bytes = options->fp64 ? 8 : 4;
    TRY(mw_model_parse(model->info.path, model->text, &f->model));
    TRY(make_params(f));
    TRY(mw_buffer_new(device, f->bytes, &f->state));
    TRY(mw_buffer_new(device, f->bytes, &f->temp));
    TRY(start_with_noise(f));
    TRY(choose(f));
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
    plan_clear(&field->plan);
    mw_buffer_free(field->state);
    mw_buffer_free(field->temp);
    mw_model_free(field->model);
    free(field->params);
    free(field);
}

/* ---- stepping ---- */

int mw_field_advance(struct mw_field *f, uint64_t steps)
{
    const double dt = f->options.dt;
    int rc = 0;
    for (uint64_t i = 0; i < steps; i++) {
        if (f->options.integrator == MW_RK2) {
            /* Midpoint: the second launch reads the state only where it writes it. */
            TRY(plan_launch(f, &f->plan, f->temp, f->state, f->state, dt / 2));
            TRY(plan_launch(f, &f->plan, f->state, f->state, f->temp, dt));
        } else {
            struct mw_buffer *next = f->temp;
            TRY(plan_launch(f, &f->plan, next, f->state, f->state, dt));
            f->temp = f->state;
            f->state = next;
        }
    }
    TRY(mw_device_flush(f->device));
out:
    return rc;
}

int mw_field_sync(struct mw_field *field)
{
    return mw_device_finish(field->device);
}

static void state_shape(const struct mw_field *f, unsigned *dims, size_t *length)
{
    *dims = f->model->info.field_count > 1 ? 3 : 2;
    length[0] = (size_t)f->nx;
    length[1] = (size_t)f->ny;
    length[2] = f->model->info.field_count;
}

int mw_field_get(struct mw_field *f, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[3];
    unsigned dims;
    int rc;
    state_shape(f, &dims, length);
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
    size_t length[3];
    unsigned dims;
    state_shape(f, &dims, length);
    if (state->type != type)
        return mw_fail(MW_EINVAL, "the state holds %s, and the field %s", mw_type_name(state->type),
                       mw_type_name(type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths are not those of the field (%dx%d, %zu fields)", f->nx, f->ny,
                       f->model->info.field_count);
    return mw_buffer_write(f->state, 0, f->bytes, state->data, NULL);
}

void mw_field_shape(const struct mw_field *field, struct mw_shape *shape, const char **how)
{
    *shape = field->plan.shape;
    *how = field->how_chosen;
}
