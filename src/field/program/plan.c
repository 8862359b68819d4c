/* Plans: the kernels of one shape, their memory and their launches. */
#include "field/program/program.h"
#include "kernels/field/update.h"

#define STREAM_BYTES ((size_t)24 << 20)   /* states of this size no longer fit in caches between updates */
#define RUN_CELLS ((size_t)1024)          /* a work-item's share of a row is a multiple of this */
#define SYSTEMS_BYTES ((size_t)512 << 10) /* systems that a core processes at once, in its second-level cache */

void mw_field_plan_drop(struct mw_field_plan *plan)
{
    struct mw_buffer **const buffers[] = { &plan->aux, &plan->noises };
    for (size_t i = 0; i < MW_COUNT(buffers) + MW_MORE_STATES; i++) {
        struct mw_buffer **buffer = i < MW_COUNT(buffers) ? buffers[i] : &plan->more[i - MW_COUNT(buffers)];
        mw_buffer_free(*buffer);
        *buffer = NULL;
    }
    for (size_t i = 0; i < plan->image_count; i++)
        mw_image_free(plan->images[i]);
    free(plan->images);
    plan->images = NULL;
    plan->image_count = 0;
}

void mw_field_plan_clear(struct mw_field_plan *plan)
{
    mw_kernel_set_free(plan->kernels);
    mw_kernel_set_free(plan->drawing);
    mw_field_plan_drop(plan);
    free(plan->waves);
    *plan = (struct mw_field_plan){ 0 };
}

/* Returns the bytes of a system, including the additional memory of launches. */
static size_t system_bytes(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    const size_t state = a->slab_cells * mw_problem_real_bytes(a->problem);
    const size_t noise = p->variant.draws ? 0 : mw_problem_noise_bytes(a->problem, a->cells, a->length[0]);
    return (2 + p->more_states) * state + noise +
           (p->variant.staged ? mw_problem_stage_bytes(a->problem, a->length) : 0);
}

int mw_field_plan_batch(const struct mw_field_plan *p, const struct mw_field_array *a)
{
    return mw_field_has_systems(a->problem) && p->batch < a->place.own ? p->batch : a->place.own;
}

/* Returns the systems per batch: as many as fit in the caches of all cores, in equal batches.  It is 1 if there are
 * fewer systems than cores, which then share each system.  On other devices it is all systems. */
static int batch_of(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    const size_t all = (size_t)a->place.own, units = mw_field_units(a), fit = SYSTEMS_BYTES / system_bytes(a, p);
    if (!mw_field_has_systems(a->problem) || !mw_device_info(a->device)->traits->has_cores || all == 0)
        return (int)all;
    const size_t together = mw_field_is_alone(&p->shape) ? mw_max(fit, 1) : fit;
    if (together == 0 || (all < units && !mw_field_is_alone(&p->shape)))
        return 1;
    const size_t batches = mw_ceil_div(all, together * units);
    return (int)mw_ceil_div(all, batches);
}

/* Returns the cells per work-item in one dimension, if the row is split: whole vectors. */
static int run_length(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    const size_t places = mw_field_has_systems(a->problem) ? a->length[0] : (size_t)a->place.own;
    const size_t share = mw_field_strip_share(a, p, places);
    return (int)(p->shape.per_item ? (size_t)p->shape.per_item * p->shape.vec
                                   : mw_ceil_div(share, RUN_CELLS) * RUN_CELLS);
}

static void program_plan_cut(const struct mw_field_array *a, struct mw_field_plan *p)
{
    const bool systems = mw_field_has_systems(a->problem);
    const size_t nx = a->length[0], slabs = systems ? a->length[a->problem->dims - 1] : (size_t)a->place.own;
    p->batch = batch_of(a, p);
    if (p->variant.ringed && a->problem->dims == 1) {
        p->block_x = p->rings.block_x;
        p->block_1 = p->strip = 1;
    } else if (p->variant.ringed) {
        const bool volume = a->problem->dims == 3;
        p->block_x = p->rings.block_x;
        p->block_1 = p->rings.block_1;
        p->columns = mw_ceil_div(nx, (size_t)p->block_x);
        if (volume)
            p->columns *= mw_ceil_div(a->length[1], (size_t)p->block_1);
        p->strip = mw_field_strip(a, p, slabs);
    } else if (a->problem->dims == 1) {
        p->block_x = run_length(a, p);
        p->block_1 = 1;
    } else {
        const size_t cells = (size_t)p->shape.per_item * p->shape.vec;
        p->block_x = (int)(cells && cells < nx ? cells : nx);
        p->columns = mw_ceil_div(nx, (size_t)p->block_x);
        p->block_1 = p->shape.per_item ? (int)p->shape.rows
                                       : mw_field_strip_length(a, p, slabs * (size_t)a->slab_rows, p->shape.rows);
    }
    const size_t bytes = systems ? a->slab_cells * mw_problem_real_bytes(a->problem) : a->bytes;
    p->stream = bytes >= STREAM_BYTES && p->variant.ringed && !p->variant.together &&
                p->shape.vec * mw_problem_real_bytes(a->problem) == 64 && nx % p->shape.vec == 0;
}

size_t mw_problem_more_states(const struct mw_problem *p, const struct mw_shape *shape)
{
    if (mw_field_is_alone(shape))
        return shape->steps > 1;
    if (mw_problem_is_adaptive(p))
        return (size_t)mw_problem_updates(p);
    return p->integrator == MW_INTEGRATOR_RK4 && shape->steps == 0 ? 2 : 0;
}

/* Returns the number of meshes in memory. */
static size_t systems_in(const struct mw_field_array *a)
{
    return mw_field_has_systems(a->problem) ? (size_t)mw_place_slabs(&a->place) : 1;
}

/* Returns the bytes of stages in memory, or of each thread's rings on native devices, which have no local memory. */
static size_t aux_bytes(const struct mw_field_array *a, const struct mw_field_plan *p)
{
    if (p->variant.staged)
        return mw_problem_stage_bytes(a->problem, a->length) * systems_in(a);
    if (p->variant.ringed && mw_device_info(a->device)->kind == MW_DEVICE_NATIVE)
        return mw_field_units(a) * p->rings.cells * mw_problem_real_bytes(a->problem);
    return 0;
}

/* Makes an image per field. Above three dimensions, an image is an array of volumes, one after the other along z. */
static int make_images(const struct mw_field_array *a, struct mw_field_plan *plan)
{
    const size_t fields = mw_model_quantities(a->problem->model), *n = a->length;
    const unsigned dims = a->problem->dims;
    const size_t length[] = { n[0], n[1], dims > 2 ? a->cells / (n[0] * n[1]) : 1 };
    TRY_RETURN(mw_new(fields, sizeof(struct mw_image *), &plan->images));
    for (size_t i = 0; i < fields; i++, plan->image_count++)
        TRY_RETURN(
            mw_image_new(a->device, dims > 2 ? 3 : 2, length, mw_problem_real_bytes(a->problem), &plan->images[i]));
    return 0;
}

static size_t noise_bytes(const struct mw_field_array *a)
{
    return mw_problem_noise_bytes(a->problem, a->cells, a->length[0]) * systems_in(a);
}

int mw_field_plan_hush(const struct mw_field_plan *plan, const struct mw_field_array *a)
{
    return mw_buffer_fill(plan->noises, 0, noise_bytes(a), 0);
}

static int make_noises(const struct mw_field_array *a, struct mw_field_plan *plan)
{
    TRY_RETURN(mw_buffer_new(a->device, noise_bytes(a), &plan->noises));
    return mw_field_plan_hush(plan, a);
}

int mw_field_plan_fit(struct mw_field_plan *plan, const struct mw_field_array *a)
{
    const size_t bytes = aux_bytes(a, plan);
    mw_field_plan_drop(plan);
    if (plan->waves)
        memset(plan->waves->known, 0, sizeof plan->waves->known);
    program_plan_cut(a, plan);
    if (plan->variant.images)
        TRY_RETURN(make_images(a, plan));
    if (bytes)
        TRY_RETURN(mw_buffer_new(a->device, bytes, &plan->aux));
    for (size_t i = 0; i < plan->more_states; i++)
        TRY_RETURN(mw_buffer_new(a->device, a->bytes, &plan->more[i]));
    if (plan->drawing)
        TRY_RETURN(make_noises(a, plan));
    return 0;
}

#define WANTED(kernel) ((uint64_t)1 << (kernel))

static int make_kernels(struct mw_device *device, const struct mw_source *source, uint64_t wanted,
                        struct mw_kernel_set **kernels)
{
    /* clang-format off */
    const struct mw_kernel_options options = {
        .defines = source->defines, .texts = source->texts, .text_count = source->text_count, .fp64 = source->fp64,
        .fast_math = source->fast_math, .native = source->native, .compiles_native = true, .wanted = wanted };
    /* clang-format on */
    return mw_kernel_set_new(device, &kernels_field_update, &options, kernels);
}

int mw_field_plan_make(const struct mw_field_array *a, const struct mw_shape *shape, struct mw_field_plan *result)
{
    const struct mw_device_info *device = mw_device_info(a->device);
    struct mw_field_plan plan = { .shape = *shape };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_text defines = { 0 };
    struct mw_source source;
    uint64_t wanted = WANTED(KERNEL_FIELD_UPDATE);
    int rc;
    TRY(mw_field_check_shape(device, a->problem, a->length, shape));
    TRY(mw_field_variant(shape->variant, &plan.variant));
    mw_problem_rings(a->problem, shape, &plan.rings);
    TRY(mw_field_source(a->problem, shape, &defines, texts, &source));
    source.fast_math = a->problem->fast_math;
    if (plan.variant.staged)
        wanted |= WANTED(KERNEL_FIELD_STAGE);
    if (plan.variant.temporal)
        wanted |= WANTED(KERNEL_FIELD_STEP);
    if (shape->steps)
        wanted = plan.variant.temporal ? WANTED(KERNEL_FIELD_STEP) : WANTED(KERNEL_FIELD_STEPS);
    TRY(make_kernels(a->device, &source, wanted, &plan.kernels));
    const unsigned kernel = shape->steps ? KERNEL_FIELD_STEPS : KERNEL_FIELD_UPDATE;
    const size_t told = mw_kernel_set_resident(plan.kernels, kernel, shape->group[0] * shape->group[1]);
    TRY(mw_field_waves_new(a, &plan, told, &plan.waves));
    if (a->problem->model->noise_count && !plan.variant.draws)
        TRY(mw_field_drawing_new(a, &plan.drawing));
    plan.more_states = mw_problem_more_states(a->problem, shape);
    TRY(mw_field_plan_fit(&plan, a));
    *result = plan;
    plan = (struct mw_field_plan){ 0 };
out:
    mw_text_free(&defines);
    mw_field_plan_clear(&plan);
    return rc;
}

/* ---- time steps ---- */

/* Two Euler steps with noise cannot be combined: the second would reuse the noise of the first. */
bool mw_field_plan_pairs(const struct mw_field_plan *plan, const struct mw_problem *problem)
{
    return plan->variant.temporal && (problem->integrator == MW_INTEGRATOR_RK2 || !problem->model->info.has_noise);
}

unsigned mw_field_plan_together(const struct mw_field_plan *plan, const struct mw_problem *problem)
{
    const bool two = mw_field_plan_pairs(plan, problem) && problem->integrator == MW_INTEGRATOR_EULER;
    return plan->shape.steps ? plan->shape.steps : two ? 2 : 1;
}

/* Kernels read a cell of `out` or `base` only where they write it, so the last update may write to the state.  RK4
 * accumulates its weighted sum of rates in the updates. */
struct mw_field_update mw_field_plan_nth(const struct mw_field_plan *p, const struct mw_problem *problem, int i,
                                         double dt, struct mw_buffer *state, struct mw_buffer *temp)
{
    const struct mw_field_update euler = { temp, state, state, NULL, dt, 0, 0 };
    const struct mw_field_update rk2[] = { { temp, state, state, NULL, dt / 2, 0, 0 },
                                           { state, state, temp, NULL, dt, 0, 0 } };
    struct mw_buffer *const third = p->more[0], *const sum = p->more[1];
    const struct mw_field_update rk4[] = { { temp, state, state, sum, dt / 2, dt / 6, 1 },
                                           { third, state, temp, sum, dt / 2, dt / 3, 2 },
                                           { temp, state, third, sum, dt, dt / 3, 2 },
                                           { state, sum, temp, NULL, dt / 6, 0, 0 } };
    return problem->integrator == MW_INTEGRATOR_RK4   ? rk4[i]
           : problem->integrator == MW_INTEGRATOR_RK2 ? rk2[i]
                                                      : euler;
}

/* ---- the free energy ---- */

/* Work-items own rows on cores and cells elsewhere, as in fused updates. */
int mw_field_plan_make_energy(const struct mw_field_array *a, struct mw_field_plan *result)
{
    const struct mw_device_info *device = mw_device_info(a->device);
    const bool cores = device->traits->has_cores;
    struct mw_field_plan plan = {
        .shape = { .variant = "fused", .vec = 1, .per_item = cores ? 0 : 1, .rows = cores ? 16 : 1 }
    };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_text defines = { 0 };
    struct mw_source source;
    int rc;
    if (device->kind == MW_DEVICE_NATIVE)
        plan.shape.vec = MW_NATIVE_LANES(a->problem->fp64);
    if (cores)
        plan.shape.group[0] = plan.shape.group[1] = 1;
    TRY(mw_field_energy_source(a->problem, &plan.shape, &defines, texts, &source));
    TRY(make_kernels(a->device, &source, WANTED(KERNEL_FIELD_ENERGY), &plan.kernels));
    TRY(mw_field_plan_fit(&plan, a));
    *result = plan;
    plan = (struct mw_field_plan){ 0 };
out:
    mw_text_free(&defines);
    mw_field_plan_clear(&plan);
    return rc;
}

/* ---- launches ---- */

/* Returns the range for slabs in pieces of `each`: rows or slices, in one dimension cells. */
static struct mw_range mesh_range(const struct mw_field_array *a, const struct mw_field_plan *p, int first, int end,
                                  size_t each)
{
    struct mw_range range = { 2, { p->columns, mw_ceil_div((size_t)(end - first), each), 1 }, { 0 } };
    if (a->problem->dims == 1 && p->variant.ringed)
        range = (struct mw_range){ 2, { mw_ceil_div((size_t)(end - first), (size_t)p->block_x), 1, 1 }, { 0 } };
    else if (a->problem->dims == 1)
        return (struct mw_range){ 1,
                                  { mw_ceil_div((size_t)(end - first), (size_t)p->block_x), 1, 1 },
                                  { p->shape.group[0] * p->shape.group[1], 0, 0 } };
    memcpy(range.group, p->shape.group, sizeof p->shape.group);
    if (p->variant.together)
        for (int d = 0; d < 2; d++)
            range.global[d] *= range.group[d];
    return range;
}

/* A launch: the kernels' argument, and the range. */
struct launching {
    struct mw_range range;
    struct launch launch;
};
static struct launching launch_over(const struct mw_field_array *a, const struct mw_field_plan *p,
                                    const struct mw_extent *over, int first, int end)
{
    const int slabs = end - first;
    const bool its_own = p->waves && !mw_field_has_systems(a->problem) && slabs != a->place.own;
    const int strip = its_own ? mw_field_strip_of_waves(a, p, (size_t)slabs) : p->strip;
    const struct mw_range range = mesh_range(a, p, first, end, (size_t)(p->variant.ringed ? strip : p->block_1));
    struct launching l = { mw_field_over_systems(range, over->systems), mw_field_array_launch(a, over) };
    l.launch.first = first;
    l.launch.end = end;
    l.launch.block_x = p->block_x;
    l.launch.block_1 = p->block_1;
    l.launch.strip = strip;
    l.launch.stream = p->stream;
    return l;
}

/* Returns a launch over the stages that an update of these slabs reads: `max_lead` rows more on each side, limited by
 * the array and its ghost cells. */
static struct launching launch_over_stages(const struct mw_field_array *a, const struct mw_field_plan *p,
                                           const struct mw_extent *over)
{
    const struct mw_problem *problem = a->problem;
    const struct mw_slabs slabs = over->slabs;
    const unsigned dims = problem->dims;
    const int lead = problem->reach->max_lead, all = (int)a->length[dims - 1];
    const int ghost = mw_problem_ghost(problem, dims - 1);
    const size_t width = a->length[0] + 2 * (size_t)mw_problem_ghost(problem, 0);
    int rows = 1;
    for (unsigned d = 1; d + 1 < dims; d++)
        rows *= a->mesh.n[d] + 2 * mw_problem_ghost(problem, d);
    const int first = ((slabs.first - lead > -ghost ? slabs.first - lead : -ghost) + ghost) * rows;
    const int end = ((slabs.end + lead < all + ghost ? slabs.end + lead : all + ghost) + ghost) * rows;
    struct launching l = launch_over(a, p, over, first, end);
    if (dims > 1) {
        l.launch.block_x = p->shape.per_item ? p->block_x : (int)width;
        l.range.global[0] = mw_ceil_div(width, (size_t)l.launch.block_x);
    }
    return l;
}

static int launch_stages(const struct mw_field_array *a, const struct mw_field_plan *p, const struct mw_extent *over,
                         struct mw_buffer *in)
{
    struct launching l = launch_over_stages(a, p, over);
    for (size_t i = 0; i < a->problem->model->stage_count; i++) {
        l.launch.which = (int)i;
        TRY_RETURN(launch_field_stage(p->kernels, l.range, in, p->aux, p->noises, mw_field_array_params(a), a->each,
                                      &l.launch));
    }
    return 0;
}

/* Copies a state into images. */
static int fill_images(const struct mw_field_array *a, const struct mw_field_plan *p, struct mw_buffer *in)
{
    struct mw_event *queued = NULL;
    for (size_t i = 0; i < p->image_count; i++) {
        TRY_RETURN(mw_image_copy_from(p->images[i], in, mw_field_array_at(a, i, 0), &queued));
        mw_event_free(queued);
        queued = NULL;
    }
    return 0;
}

int mw_field_plan_update(const struct mw_field_plan *p, const struct mw_field_array *a, const struct mw_field_update *u,
                         struct mw_slabs slabs)
{
    const struct mw_extent over = mw_field_array_extent(a, slabs);
    const int rows = p->variant.ringed ? 1 : a->slab_rows;
    struct launching l = launch_over(a, p, &over, over.slabs.first * rows, over.slabs.end * rows);
    struct mw_arg images[MW_MODEL_NAMES_MAX];
    if (p->variant.staged)
        TRY_RETURN(launch_stages(a, p, &over, u->in));
    TRY_RETURN(fill_images(a, p, u->in));
    for (size_t i = 0; i < p->image_count; i++)
        images[i] = mw_arg_image(p->images[i]);
    l.launch.acc_mode = u->acc_mode;
    return launch_field_update(p->kernels, l.range, u->out, u->base, u->in, p->aux, u->sum, p->noises,
                               mw_field_array_params(a), a->each, u->h, u->w, &l.launch, images, p->image_count);
}

static int launch_pairs(const struct mw_field_array *a, const struct mw_field_plan *p,
                        const struct mw_field_two_updates *u, struct mw_buffer *other, unsigned count,
                        struct mw_slabs slabs)
{
    const struct mw_extent over = mw_field_array_extent(a, slabs);
    struct launching l = launch_over(a, p, &over, over.slabs.first, over.slabs.end);
    l.launch.from_level = u->from_middle;
    l.launch.count = (int)count;
    return launch_field_step(p->kernels, l.range, u->out, other, u->in, p->aux, p->noises, mw_field_array_params(a),
                             a->each, u->h1, u->h, &l.launch);
}

int mw_field_plan_step(const struct mw_field_plan *p, const struct mw_field_array *a,
                       const struct mw_field_two_updates *u, struct mw_slabs slabs)
{
    return launch_pairs(a, p, u, u->out, 1, slabs);
}

int mw_field_plan_steps(const struct mw_field_plan *p, const struct mw_field_array *a, struct mw_buffer *out,
                        struct mw_buffer *in, double dt, unsigned steps, struct mw_slabs slabs)
{
    const struct mw_field_two_updates u = { out, in, dt / 2, dt, false };
    const struct mw_extent over = mw_field_array_extent(a, slabs);
    if (p->variant.temporal)
        return launch_pairs(a, p, &u, p->more[0] ? p->more[0] : out, steps, slabs);
    const struct launching l = launch_over(a, p, &over, over.slabs.first, over.slabs.end);
    return launch_field_steps(p->kernels, l.range, out, in, mw_field_array_params(a), a->each, dt, dt / 2, dt / 3,
                              dt / 6, &l.launch);
}

int mw_field_plan_energy(const struct mw_field_plan *p, const struct mw_field_array *a, int which,
                         struct mw_buffer *out, struct mw_buffer *in, struct mw_slabs slabs)
{
    const struct mw_extent over = mw_field_array_extent(a, slabs);
    struct launching l = launch_over(a, p, &over, over.slabs.first * a->slab_rows, over.slabs.end * a->slab_rows);
    l.launch.which = which;
    return launch_field_energy(p->kernels, l.range, out, in, mw_field_array_params(a), a->each, &l.launch);
}
/* SPDX-License-Identifier: MIT */
