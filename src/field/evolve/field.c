/* Public calls that make, advance, read and free fields. */
#include <math.h>

#include "base/progress.h"
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "lattice/lattice_internal.h"

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
    TRY(mw_field_describe(f, model, options));
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
