/* The kernels of one shape, and their launches. */
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/field_internal.h"

#define STREAM_BYTES ((size_t)24 << 20)  /* a state of this size is not in the caches any more when it is needed again */
#define STRIPS_A_UNIT 4                  /* at least, of the slowest dimension, so that units share the work */

static size_t ceil_div(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

struct mw_arg mw_field_real(const struct mw_field *f, double value)
{
    return f->options.fp64 ? mw_arg_f64(value) : mw_arg_f32((float)value);
}

static void drop_images(struct mw_field_plan *plan)
{
    for (size_t i = 0; i < plan->image_count; i++)
        mw_image_free(plan->images[i]);
    free(plan->images);
    plan->images = NULL;
    plan->image_count = 0;
}

void mw_field_plan_clear(struct mw_field_plan *plan)
{
    mw_kernel_free(plan->update);
    mw_kernel_free(plan->stage);
    mw_kernel_free(plan->step);
    mw_program_free(plan->program);
    mw_buffer_free(plan->aux);
    drop_images(plan);
    *plan = (struct mw_field_plan){ 0 };
}

/* Strips of as many slices or rows as the shape says, but no more than leave some to each unit of the device.  The
 * threads of native devices share out strips alone, and each goes through all columns of its own. */
static int strip_length(const struct mw_field *f, size_t columns, size_t places, size_t wanted)
{
    const struct mw_device_info *device = mw_device_info(f->device);
    const size_t units = device->compute_units ? device->compute_units : 1;
    const size_t beside = device->kind == MW_DEVICE_NATIVE ? 1 : columns;
    const size_t strips = ceil_div(STRIPS_A_UNIT * units, beside), most = places / strips ? places / strips : 1;
    return (int)(wanted < most ? wanted : most);
}

static void cut(const struct mw_field *f, struct mw_field_plan *p)
{
    const size_t nx = f->options.length[0], slabs = (size_t)(f->end - f->first);
    if (mw_how_has_rings(p->variant.how)) {
        const bool volume = f->problem.dims == 3, tile = p->variant.how == MW_TILE || p->variant.how == MW_IMAGE_TILE;
        p->block_x = p->rings.block_x;
        p->block_1 = p->rings.block_1;
        p->columns = ceil_div(nx, (size_t)p->block_x);
        if (volume)
            p->columns *= ceil_div(f->options.length[1], (size_t)p->block_1);
        p->strip = p->rings.flat ? p->block_1
                                 : strip_length(f, p->columns, slabs, volume && !tile ? slabs : p->shape.rows);
    } else {
        const size_t cells = (size_t)p->shape.per_item * p->shape.vec;
        p->block_x = (int)(cells && cells < nx ? cells : nx);
        p->columns = ceil_div(nx, (size_t)p->block_x);
        p->block_1 = p->shape.per_item ? (int)p->shape.rows
                                       : strip_length(f, p->columns, slabs * f->slab_rows, p->shape.rows);
    }
    p->stream = f->bytes >= STREAM_BYTES && p->variant.how == MW_ROLLING &&
                p->shape.vec * f->real_bytes == 64 && nx % p->shape.vec == 0;
}

/* Memory beside the state: stages, or on native devices, which have no local memory, each thread's rings. */
static size_t aux_bytes(const struct mw_field *f, const struct mw_field_plan *p)
{
    const struct mw_device_info *device = mw_device_info(f->device);
    if (p->variant.how == MW_STAGED)
        return mw_problem_stage_bytes(&f->problem, f->options.length);
    if (p->variant.how == MW_ROLLING && device->kind == MW_DEVICE_NATIVE)
        return device->compute_units * p->rings.cells * f->real_bytes;
    return 0;
}

static int make_images(const struct mw_field *f, struct mw_field_plan *plan)
{
    const size_t fields = f->model->info.field_count;
    int rc;
    TRY(mw_new(fields, sizeof(struct mw_image *), &plan->images));
    for (size_t i = 0; i < fields; i++, plan->image_count++)
        TRY(mw_image_new(f->device, f->problem.dims, f->options.length, f->real_bytes, &plan->images[i]));
out:
    return rc;
}

int mw_field_plan_fit(const struct mw_field *f, struct mw_field_plan *plan)
{
    const size_t bytes = aux_bytes(f, plan);
    int rc = 0;
    mw_buffer_free(plan->aux);
    plan->aux = NULL;
    drop_images(plan);
    cut(f, plan);
    if (mw_how_has_images(plan->variant.how))
        TRY(make_images(f, plan));
    if (bytes)
        TRY(mw_buffer_new(f->device, bytes, &plan->aux));
out:
    return rc;
}

int mw_field_plan_make(const struct mw_field *f, const struct mw_shape *shape, struct mw_field_plan *result)
{
    const struct mw_device_info *device = mw_device_info(f->device);
    struct mw_field_plan plan = { .shape = *shape };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_text defines = { 0 };
    struct mw_source source;
    int rc;

    TRY(mw_field_check_shape(device, &f->problem, f->options.integrator, f->options.length, shape));
    TRY(mw_field_variant(shape->variant, &plan.variant));
    mw_problem_rings(&f->problem, shape, &plan.rings);
    TRY(mw_field_source(&f->problem, shape, &defines, texts, &source));
    source.fast_math = f->options.fast_math;
    TRY(mw_program_new(f->device, &source, &plan.program));
    TRY(mw_kernel_new(plan.program, "field_update", &plan.update));
    if (plan.variant.how == MW_STAGED)
        TRY(mw_kernel_new(plan.program, "field_stage", &plan.stage));
    if (plan.variant.temporal)
        TRY(mw_kernel_new(plan.program, "field_step", &plan.step));
    TRY(mw_field_plan_fit(f, &plan));
    *result = plan;
    plan = (struct mw_field_plan){ 0 };
out:
    mw_text_free(&defines);
    mw_field_plan_clear(&plan);
    return rc;
}

/* ---- launches ---- */

/* Rows, or slices of the slowest dimension. */
static struct mw_range range_of(const struct mw_field_plan *p, int first, int end)
{
    const size_t each = (size_t)(mw_how_has_rings(p->variant.how) ? p->strip : p->block_1);
    struct mw_range range = { 2, { p->columns, ceil_div((size_t)(end - first), each), 1 }, { 0 } };
    memcpy(range.group, p->shape.group, sizeof p->shape.group);
    if (mw_how_is_together(p->variant.how))
        for (int d = 0; d < 2; d++)
            range.global[d] *= range.group[d];
    return range;
}

static struct mw_arg params_arg(const struct mw_field *f)
{
    return mw_arg_struct(f->params, f->params_bytes);
}

/* The rows of stages in memory that an update of these slabs looks at: as far around them as the array and its ghosts
 * go. */
static struct mw_range stage_range(const struct mw_field *f, const struct mw_field_plan *p, int *first, int *end)
{
    const int lead = f->reach.max_lead, slabs = (int)(f->rows / f->slab_rows);
    const unsigned dims = f->problem.dims;
    const int ghost = dims > 1 ? mw_problem_ghost(&f->problem, dims - 1) : 0;
    const size_t width = f->options.length[0] + 2 * (size_t)mw_problem_ghost(&f->problem, 0);
    int rows = 1;
    for (unsigned d = 1; d + 1 < dims; d++)
        rows *= f->mesh.n[d] + 2 * mw_problem_ghost(&f->problem, d);
    *first = ((f->first - lead > -ghost ? f->first - lead : -ghost) + ghost) * rows;
    *end = ((f->end + lead < slabs + ghost ? f->end + lead : slabs + ghost) + ghost) * rows;
    struct mw_range range = range_of(p, *first, *end);
    range.global[0] = ceil_div(width, (size_t)p->block_x);
    return range;
}

static int launch_stages(const struct mw_field *f, const struct mw_field_plan *p, struct mw_buffer *in)
{
    int first, end, rc = 0;
    const struct mw_range range = stage_range(f, p, &first, &end);
    for (size_t s = 0; s < f->model->stage_count; s++) {
        const struct mw_arg args[] = { mw_arg_buffer(in), mw_arg_buffer(p->aux), params_arg(f), mw_arg_i32((int)s),
                                       mw_arg_struct(&f->mesh, sizeof f->mesh), mw_arg_i32(first), mw_arg_i32(end),
                                       mw_arg_i32(p->block_x), mw_arg_i32(p->block_1) };
        TRY(mw_launch(p->stage, &range, args, MW_COUNT(args), NULL));
    }
out:
    return rc;
}

/* What images show is a copy of a state. */
static int fill_images(const struct mw_field *f, const struct mw_field_plan *p, struct mw_buffer *in)
{
    struct mw_event *queued = NULL;
    int rc = 0;
    for (size_t i = 0; i < p->image_count; i++) {
        TRY(mw_image_copy_from(p->images[i], in, i * f->cells * f->real_bytes, &queued));
        mw_event_free(queued);
        queued = NULL;
    }
out:
    return rc;
}

int mw_field_plan_update(const struct mw_field *f, const struct mw_field_plan *p, const struct mw_field_update *u)
{
    enum { ARGS = 16 };
    const int rows = mw_how_has_rings(p->variant.how) ? 1 : (int)f->slab_rows;
    const int first = f->first * rows, end = f->end * rows;
    const struct mw_range range = range_of(p, first, end);
    struct mw_arg args[ARGS + MW_MODEL_NAMES_MAX] = {
        mw_arg_buffer(u->out), mw_arg_buffer(u->base), mw_arg_buffer(u->in), mw_arg_buffer(p->aux),
        mw_arg_buffer(u->sum), params_arg(f), mw_field_real(f, u->h), mw_field_real(f, u->w), mw_arg_i32(u->acc_mode),
        mw_arg_struct(&f->mesh, sizeof f->mesh), mw_arg_i32(first), mw_arg_i32(end), mw_arg_i32(p->block_x),
        mw_arg_i32(p->block_1), mw_arg_i32(p->strip), mw_arg_i32(p->stream) };
    int rc = 0;
    if (p->variant.how == MW_STAGED)
        TRY(launch_stages(f, p, u->in));
    TRY(fill_images(f, p, u->in));
    for (size_t i = 0; i < p->image_count; i++)
        args[ARGS + i] = mw_arg_image(p->images[i]);
    TRY(mw_launch(p->update, &range, args, ARGS + p->image_count, NULL));
out:
    return rc;
}

int mw_field_plan_step(const struct mw_field *f, const struct mw_field_plan *p, struct mw_buffer *out,
                       struct mw_buffer *in, double h1, double h, bool from_middle)
{
    const struct mw_range range = range_of(p, f->first, f->end);
    const struct mw_arg args[] = {
        mw_arg_buffer(out), mw_arg_buffer(in), mw_arg_buffer(p->aux), params_arg(f), mw_field_real(f, h1),
        mw_field_real(f, h), mw_arg_i32(from_middle), mw_arg_struct(&f->mesh, sizeof f->mesh), mw_arg_i32(f->first),
        mw_arg_i32(f->end), mw_arg_i32(p->strip), mw_arg_i32(p->stream) };
    return mw_launch(p->step, &range, args, MW_COUNT(args), NULL);
}
