/* Public calls that make, advance, read and free fields. */
#include <math.h>

#include "base/progress.h"
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "lattice/lattice_internal.h"

#define FIRST_CHUNK 10   /* rounds before the first check of the balance, */
#define FIRST_WINDOW 0.1 /* and seconds */

/* ---- problems and sizes ---- */

static unsigned row_lanes(size_t length)
{
    unsigned lanes = 1;
    while (lanes < 16 && length % (2 * lanes) == 0)
        lanes *= 2;
    return lanes;
}

/* Makes the problem of these options.  The result points into the options and to `reach`. */
static struct mw_problem problem_of(const struct mw_model *model, const struct mw_field_options *o,
                                    struct mw_reach *reach)
{
    mw_model_reach(model, o->laplacian, reach);
    return (struct mw_problem){ .model = model,
                                .reach = reach,
                                .dims = o->dims,
                                .boundary = o->boundary,
                                .laplacian = o->laplacian,
                                .integrator = o->integrator,
                                .fp64 = o->fp64,
                                .fast_math = o->fast_math,
                                .systems = o->systems > 1 ? o->systems : 1,
                                .spacing = o->spacing,
                                .row_lanes = row_lanes(o->length[0]) };
}

static int evolve_field_take_options(const struct mw_model *model, const struct mw_field_options *options,
                                     struct mw_field_options *o)
{
    if (model->info.kind != MW_MODEL_FIELD)
        return mw_fail(MW_EINVAL, "model %s is a spin model: expected a field model", model->info.name);
    TRY_RETURN(MW_OPTIONS_TAKE(mw_field_options, options, shares, o));
    if (!mw_integrator_name((int)o->integrator) || !mw_laplacian_name((int)o->laplacian))
        return mw_fail(MW_EINVAL,
                       "invalid integrator %d or Laplacian %d of a field (see enum mw_integrator, mw_laplacian)",
                       (int)o->integrator, (int)o->laplacian);
    if (o->dt < 0)
        return mw_fail(MW_EINVAL, "invalid dt %g of a field (must be positive, or 0 for that of the model)", o->dt);
    if (!(o->tune_budget >= 0))
        return mw_fail(MW_EINVAL, "invalid tune_budget %g of a field (must be 0 or more seconds)", o->tune_budget);
    for (size_t d = 0; d < MW_DIMS_MAX; d++)
        o->spacing[d] = o->spacing[d] == 0 ? 1 : o->spacing[d];
    TRY_RETURN(mw_boundaries_take(o->boundary, o->dims < MW_DIMS_MAX ? o->dims : MW_DIMS_MAX, MW_BOUNDARY_PERIODIC,
                                  o->boundary));
    if (model->domain && o->laplacian == MW_LAPLACIAN_FOURTH)
        return mw_fail(MW_EINVAL,
                       "the fourth-order Laplacian reads across holes, which model %s has: use second or isotropic",
                       model->info.name);
    for (unsigned d = 0; d < MW_DIMS_MAX; d++)
        if (model->info.bounded >> d & 1 && o->boundary[d] == MW_BOUNDARY_PERIODIC)
            o->boundary[d] = MW_BOUNDARY_MIRROR;
    return 0;
}

/* Computes the cells and bytes of a state of all systems.  MW_EINVAL, MW_ELIMIT. */
static int state_size(const struct mw_problem *p, const size_t *length, size_t *cells, size_t *bytes)
{
    size_t all;
    TRY_RETURN(mw_problem_size(p, length, cells, &all));
    if (mw_field_has_systems(p) && p->dims == MW_DIMS_MAX)
        return mw_fail(MW_EINVAL,
                       "%zu systems of %u dimensions: systems add one dimension, the total must be at most %d",
                       p->systems, p->dims, MW_DIMS_MAX);
    if (p->systems > INT32_MAX / 4 || !mw_mul(all, p->systems, &all) || all > SIZE_MAX / 8)
        return mw_fail(MW_ELIMIT, "%zu systems of %zu cells exceed the address space of this machine", p->systems,
                       *cells);
    *bytes = all;
    return 0;
}

/* Multiplies; returns SIZE_MAX on overflow. */
static size_t times(size_t bytes, size_t systems)
{
    size_t all;
    return mw_mul(bytes, systems, &all) ? all : SIZE_MAX;
}

/* mw_field_bytes for options of the current size: memory that the given shape needs, or the maximum over all candidates
 * if the shape is to be chosen. */
static int evolve_field_bytes_of(const struct mw_model *model, const struct mw_field_options *o, uint64_t *bytes)
{
    struct mw_field_variant variant = { 0 };
    struct mw_shape shape = { .steps = 0 };
    struct mw_reach reach;
    const struct mw_problem problem = problem_of(model, o, &reach);
    size_t cells, state = 0, others = 0;
    TRY_RETURN(state_size(&problem, o->length, &cells, &state));
    if (o->variant && strcmp(o->variant, "auto") != 0)
        mw_copy_string(shape.variant, sizeof shape.variant, o->variant);
    if (o->shape)
        TRY_RETURN(mw_shape_parse(o->shape, &shape));
    if (shape.variant[0])
        TRY_RETURN(mw_field_variant(shape.variant, &variant));
    if (variant.staged)
        others = times(mw_problem_stage_bytes(&problem, o->length), problem.systems);
    else if (variant.images)
        others = state;
    *bytes = (uint64_t)(2 + mw_problem_more_states(&problem, &shape)) * state;
    if (!shape.variant[0] && mw_field_may_be_alone(&problem, o->length))
        *bytes += state;
    *bytes += variant.draws ? 0 : problem.systems * mw_problem_noise_bytes(&problem, cells, o->length[0]);
    if (model->density_count)
        *bytes += times(cells * mw_problem_real_bytes(&problem), problem.systems);
    if (mw_problem_is_spectral(&problem))
        *bytes += mw_spectral_bytes(&problem, state);
    *bytes += others < UINT64_MAX - *bytes ? others : UINT64_MAX - *bytes;
    return 0;
}

int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes)
{
    struct mw_field_options o;
    TRY_RETURN(evolve_field_take_options(model, options, &o));
    return evolve_field_bytes_of(model, &o, bytes);
}

/* Beyond a side, values follow from one mirror image inside. */
static int check_edges(const struct mw_problem *p, const size_t *length)
{
    for (unsigned d = 0; d < p->dims; d++)
        if (mw_problem_has_edges(p, d) && length[d] < (size_t)p->reach->reach)
            return mw_fail(MW_EINVAL,
                           "model %s reads %d cells on either side: with boundary conditions of its own, dimension %u "
                           "must have at least as many cells, not %zu",
                           p->model->info.name, p->reach->reach, d, length[d]);
    return 0;
}

/* Checks that exponential time steps apply to a problem. */
static int check_spectral(const struct mw_problem *p)
{
    const char *name = mw_integrator_name((int)p->integrator);
    if (!mw_problem_is_spectral(p))
        return 0;
    if (mw_problem_count(p, MW_BOUNDARY_FIXED))
        return mw_fail(MW_ENOTSUP, "integrator %s requires periodic or mirror boundaries: choose another integrator",
                       name);
    if (p->model->info.map_count > 0)
        return mw_fail(MW_ENOTSUP,
                       "integrator %s requires coefficients that are the same in all cells, but model %s has maps: "
                       "replace maps by parameters, or choose rk2, or bs3, which chooses its steps",
                       name, p->model->info.name);
    if (mw_field_has_systems(p))
        return mw_fail(MW_ENOTSUP, "integrator %s advances one system at a time: choose another integrator", name);
    return 0;
}

static int evolve_field_describe(struct mw_field *f, const struct mw_model *model,
                                 const struct mw_field_options *options)
{
    struct mw_field_options *o = &f->options;
    uint64_t bytes;
    TRY_RETURN(evolve_field_take_options(model, options, o));
    f->model = mw_model_hold(model);
    if (o->dt == 0)
        o->dt = model->info.dt;
    f->problem = problem_of(model, o, &f->reach);
    TRY_RETURN(state_size(&f->problem, o->length, &f->cells, &f->bytes));
    if (o->laplacian == MW_LAPLACIAN_ISOTROPIC && o->dims != 2 && o->dims != 3)
        return mw_fail(MW_EINVAL, "the isotropic Laplacian requires 2 or 3 dimensions, the size has %u", o->dims);
    TRY_RETURN(mw_problem_check_spacing(&f->problem));
    TRY_RETURN(mw_adaptive_check(f));
    TRY_RETURN(check_spectral(&f->problem));
    TRY_RETURN(check_edges(&f->problem, o->length));
    TRY_RETURN(evolve_field_bytes_of(model, o, &bytes));
    TRY_RETURN(mw_field_take_params(f));
    f->slabs = (int)(mw_field_has_systems(&f->problem) ? f->problem.systems : o->length[o->dims - 1]);
    f->layers = mw_field_has_systems(&f->problem) ? 1 : mw_model_quantities(model);
    f->slab_memory = (double)bytes / f->slabs;
    f->kept = o->shares != NULL;
    f->window = FIRST_WINDOW;
    f->chunk = FIRST_CHUNK;
    return 0;
}

/* ---- making ---- */

/* Uses as many devices as have enough slabs for their neighbours' halos, and sets the steps per round. */
static void evolve_field_share_out(struct mw_field *f, struct mw_device *const *devices, size_t count)
{
    const int halo = mw_round_halo(&f->problem, 1);
    const size_t most = (size_t)(f->slabs / (halo > 0 ? halo : 1));
    bool gpus = true;
    f->count = most < 1 ? 1 : most < count ? most : count;
    if (f->count < count)
        mw_log(MW_LOG_NOTICE, "the field has too few %s for %zu devices: using %zu",
               mw_field_has_systems(&f->problem) ? "systems" : "places along its slowest dimension", count, f->count);
    for (size_t i = 0; i < f->count; i++)
        gpus = gpus && mw_device_info(devices[i])->kind == MW_DEVICE_GPU;
    f->round_steps = mw_round_steps(&f->problem, f->cells / (size_t)f->slabs, f->slabs / (int)f->count, gpus);
    f->halo = mw_round_halo(&f->problem, f->round_steps);
}

static int make_parts(struct mw_field *f, struct mw_device *const *devices)
{
    TRY_RETURN(mw_new(f->count, sizeof *f->parts, &f->parts));
    for (size_t i = 0; i < f->count; i++) {
        if (f->problem.fp64 && !mw_device_info(devices[i])->fp64)
            return mw_fail(MW_ENOTSUP, "%s has no double precision: use single precision",
                           mw_device_info(devices[i])->id);
        TRY_RETURN(mw_part_new(devices[i], &f->problem, &f->options, &f->parts[i]));
        f->parts[i].round_steps = f->round_steps;
        f->parts[i].whole = f;
    }
    return 0;
}

static int given_weights(const struct mw_field *f, double *weights)
{
    double sum = 0;
    for (size_t i = 0; i < f->count; i++) {
        weights[i] = f->options.shares ? f->options.shares[i] : 1;
        sum += weights[i];
        if (!(weights[i] > 0) || !isfinite(sum))
            return mw_fail(MW_EINVAL, "invalid share %g: shares of devices must be positive", weights[i]);
    }
    return 0;
}

/* Places the parts; slabs that do not fit on one device go to others. */
static int place_parts(struct mw_field *f)
{
    struct mw_owner own = { 0 };
    struct mw_place *places;
    double *weights, *most;
    int *shares, rc;
    TRY(mw_own_new(&own, f->count, sizeof *places, &places));
    TRY(mw_own_new(&own, f->count, sizeof *weights, &weights));
    TRY(mw_own_new(&own, f->count, sizeof *most, &most));
    TRY(mw_own_new(&own, f->count, sizeof *shares, &shares));
    TRY(given_weights(f, weights));
    mw_balance_limits(f, most);
    if (f->count > 1)
        TRY(mw_balance_shares(f->count, f->slabs, mw_least_share(f), weights, most, shares));
    else
        shares[0] = f->slabs;
    if (f->streams) {
        rc = mw_stream_new(f, shares);
        goto out;
    }
    mw_balance_places(f, shares, places);
    for (size_t i = 0; i < f->count; i++)
        TRY(mw_part_place(&f->parts[i], &places[i]));
out:
    mw_owner_drop(&own);
    return rc;
}

/* Makes the channels between neighbours: each part sends through two, one per side. */
static int join_neighbours(struct mw_field *f)
{
    const size_t block = f->bytes / (size_t)f->slabs * (size_t)f->halo;
    struct mw_channel *channels = NULL;
    int rc;
    TRY(mw_new(f->count * MW_SIDES, sizeof *channels, &channels));
    for (size_t i = 0; i < f->count; i++) {
        const size_t below = (i + f->count - 1) % f->count, above = (i + 1) % f->count;
        const struct mw_part *p = f->parts;
        f->parts[i].borders =
            (struct mw_borders){ .slabs = f->halo,
                                 .neighbour = { &f->parts[below], &f->parts[above] },
                                 .send = { MW_SIDES * i + MW_LOWER, MW_SIDES * i + MW_UPPER },
                                 .receive = { MW_SIDES * below + MW_UPPER, MW_SIDES * above + MW_LOWER } };
        channels[MW_SIDES * i + MW_LOWER] =
            (struct mw_channel){ p[i].array.device, p[below].array.device, block, f->streams };
        channels[MW_SIDES * i + MW_UPPER] =
            (struct mw_channel){ p[i].array.device, p[above].array.device, block, f->streams };
    }
    TRY(mw_exchange_new(channels, f->count * MW_SIDES, "the field", &f->exchange));
    for (size_t i = 0; i < f->count; i++)
        f->parts[i].borders.port = (struct mw_port){ .exchange = f->exchange, .device = f->parts[i].array.device };
    TRY(mw_team_new(f->parts, sizeof *f->parts, f->count, &f->team));
out:
    free(channels);
    return rc;
}

static int choose_plan(const struct mw_field *f, struct mw_part *p)
{
    struct mw_shape one;
    TRY_RETURN(mw_field_choose(&p->array, &f->options, p->state, p->temp, &p->plan));
    one = p->plan.shape;
    if (one.steps > 1 && !mw_field_is_alone(&one)) {
        one.steps = 1;
        TRY_RETURN(mw_field_plan_make(&p->array, &one, &p->single));
    }
    return 0;
}

/* Makes a field whose parts fit in device memory. */
static int make_whole(struct mw_field *f, struct mw_device *const *devices)
{
    f->problem.steps_most = f->count > 1 ? f->round_steps : 0;
    TRY_RETURN(make_parts(f, devices));
    TRY_RETURN(place_parts(f));
    for (size_t i = 0; i < f->count; i++) {
        struct mw_part *p = &f->parts[i];
        TRY_RETURN(mw_field_noisy_start(&p->array, p->state));
        TRY_RETURN(choose_plan(f, p));
        if (mw_problem_is_spectral(&f->problem))
            TRY_RETURN(mw_spectral_new(p, f->params, f->options.dt, &p->spectral));
    }
    if (f->count == 1)
        TRY_RETURN(mw_stream_check_room(devices[0]));
    return 0;
}

static void drop_parts(struct mw_field *f)
{
    for (size_t i = 0; i < f->count && f->parts; i++)
        mw_part_clear(&f->parts[i]);
    free(f->parts);
    f->parts = NULL;
}

/* Makes a field that streams, after make_whole failed. */
static int make_streamed(struct mw_field *f, struct mw_device *const *devices)
{
    drop_parts(f);
    f->streams = true;
    f->halo = mw_round_halo(&f->problem, 1);
    TRY_RETURN(make_parts(f, devices));
    TRY_RETURN(place_parts(f));
    f->problem.steps_most = f->round_steps;
    TRY_RETURN(mw_stream_fill(f));
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(choose_plan(f, &f->parts[i]));
    return 0;
}

static int cannot_stream(const struct mw_field *f)
{
    if (f->model->density_count)
        return mw_fail(MW_ELIMIT,
                       "model %s reads means over all cells before each update, so that it cannot stream: it needs %s "
                       "on its devices; use a smaller field or more devices",
                       f->model->info.name, mw_amount((uint64_t)(f->slab_memory * f->slabs)).text);
    return mw_fail(MW_ELIMIT,
                   "integrator %s needs %s on the device, which has less: use rk2, a smaller field or more devices",
                   mw_integrator_name(f->problem.integrator), mw_amount((uint64_t)(f->slab_memory * f->slabs)).text);
}

int mw_field_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                 const struct mw_field_options *options, struct mw_field **field)
{
    struct mw_field *f = NULL;
    int rc;
    TRY(mw_team_devices(&devices, &count, "a field"));
    TRY(mw_new(1, sizeof *f, &f));
    TRY(evolve_field_describe(f, model, options));
    if (count > 1 && mw_problem_is_spectral(&f->problem))
        TRY(mw_fail(MW_ENOTSUP,
                    "integrator %s uses one device, %zu are given: choose one of them or another integrator",
                    mw_integrator_name((int)f->problem.integrator), count));
    evolve_field_share_out(f, devices, count);
    if (f->model->density_count)
        TRY(mw_new(mw_block_count(f), sizeof *f->blocks, &f->blocks));
    TRY(mw_stream_check_size(f, devices));
    rc = make_whole(f, devices);
    if (rc == MW_ELIMIT && !mw_problem_is_spectral(&f->problem) && mw_stream_may_help(f, devices))
        rc = mw_problem_is_adaptive(&f->problem) || f->model->density_count ? cannot_stream(f)
                                                                            : make_streamed(f, devices);
    TRY(rc);
    if (f->count > 1)
        TRY(join_neighbours(f));
    /* The caller owns these; they are no longer needed. */
    f->options.params = f->options.shares = NULL;
    f->options.field_seeds = NULL;
    f->options.values = NULL;
    f->options.variant = f->options.shape = NULL;
    TRY(mw_field_start(f));
    *field = f;
    f = NULL;
out:
    mw_field_free(f);
    return rc;
}

void mw_field_free(struct mw_field *f)
{
    if (!f)
        return;
    mw_team_free(f->team);
    /* After a failure, queued work may still write to blocks or windows. */
    for (size_t i = 0; i < f->count && f->parts && (f->exchange || f->streams); i++)
        if (f->parts[i].array.device)
            (void)mw_device_finish(f->parts[i].array.device);
    drop_parts(f);
    mw_exchange_free(f->exchange);
    mw_model_free(f->model);
    free(f->params);
    free(f->blocks);
    free(f);
}

/* ---- running ---- */

static int evolve_field_advance(void *field, uint64_t steps)
{
    struct mw_field *f = field;
    struct mw_part *p = &f->parts[0];
    if (mw_problem_is_adaptive(&f->problem))
        return mw_adaptive_advance(f, HUGE_VAL, steps);
    return f->team      ? mw_balance_advance(f, steps)
           : f->streams ? mw_stream_advance(p, f->options.dt, steps)
                        : mw_part_advance(p, f->options.dt, steps);
}

static int evolve_field_sync(void *field) { return mw_field_sync(field); }

int mw_field_advance(struct mw_field *f, uint64_t steps)
{
    return mw_progress_steps(f, steps, evolve_field_advance, evolve_field_sync);
}

int mw_field_each_part(struct mw_field *f, mw_team_job *job, void *context)
{
    return f->team ? mw_team_run(f->team, job, context) : job(&f->parts[0], context);
}

int mw_field_sync(struct mw_field *f)
{
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(mw_device_finish(f->parts[i].array.device));
    return 0;
}

uint64_t mw_field_step(const struct mw_field *f) { return f->parts[0].array.step; }

void mw_field_set_step(struct mw_field *f, uint64_t step)
{
    for (size_t i = 0; i < f->count; i++)
        f->parts[i].array.step = step;
}

void mw_field_shape(const struct mw_field *f, struct mw_shape *shape, const char **how)
{
    *shape = f->parts[0].plan.shape;
    *how = f->parts[0].plan.chosen;
}

double mw_field_operations(const struct mw_field *f)
{
    static const struct {
        double evaluations, sums;
    } of[] = { [MW_INTEGRATOR_EULER] = { 1, 2 },
               [MW_INTEGRATOR_RK2] = { 2, 4 },
               [MW_INTEGRATOR_RK4] = { 4, 12 },
               /* One evaluation less than stages.  A term of a sum counts 2, the scaling of the error 5. */
               [MW_INTEGRATOR_BS3] = { 3, 23 },
               [MW_INTEGRATOR_DP5] = { 6, 57 },
               [MW_INTEGRATOR_ETD2] = { 2, 2 },
               [MW_INTEGRATOR_ETD4] = { 4, 4 },
               [MW_INTEGRATOR_STRANG] = { 2, 3 } };
    const struct mw_field_options *o = &f->options;
    return of[o->integrator].evaluations * mw_model_operations(f->model, o->laplacian, o->dims) +
           of[o->integrator].sums * (double)mw_model_info(f->model)->field_count;
}

size_t mw_field_windows(const struct mw_field *f, unsigned *steps)
{
    size_t windows = 0;
    *steps = f->streams ? f->round_steps : 1;
    for (size_t i = 0; i < f->count && f->streams; i++)
        windows += f->parts[i].stream->count;
    return f->streams ? windows : 1;
}

size_t mw_field_parts(const struct mw_field *f, size_t max, struct mw_field_part *parts)
{
    for (size_t i = 0; i < f->count && i < max; i++) {
        const struct mw_part *p = &f->parts[i];
        parts[i] = (struct mw_field_part){ .device = p->array.device,
                                           .shape = p->plan.shape,
                                           .how = p->plan.chosen,
                                           .share = (double)mw_balance_slabs(p) / f->slabs,
                                           .step_seconds =
                                               p->speed.timed_steps > 0 ? p->speed.seconds / p->speed.timed_steps : 0 };
    }
    return f->count;
}
/* SPDX-License-Identifier: MIT */
