/* Time steps that choose themselves: embedded pairs of explicit Runge-Kutta methods.
 *
 * A pair evaluates the rates of several stages.  One combination of them gives the next state, another one the
 * estimated error.  The last stage is evaluated at the next state, and is the first one of the next step ("first same
 * as last").  Bogacki and Shampine, Appl. Math. Lett. 2 (1989) 321; Dormand and Prince, J. Comput. Appl. Math. 6 (1980)
 * 19.
 *
 * The error of a step is the largest one of all cells and fields as a fraction of the tolerance: unlike a mean it does
 * not depend on the size of the mesh, and unlike a sum it does not depend on an order.  Steps follow from it on the
 * host, by a controller that also regards the previous error (Gustafsson; Hairer and Wanner, Solving Ordinary
 * Differential Equations II, IV.2).  If accuracy does not limit the steps, but stability, it approaches the limit
 * without oscillations.
 *
 * Parts with neighbours exchange borders once per step.  Halos are as deep as all stages read. */
#include <math.h>
#include <stdio.h>

#include <meshwork/run.h>

#include "base/progress.h"
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

#define SAFETY 0.9
#define GROWTH_LEAST 0.2 /* limits of the ratio of a step to the previous one */
#define GROWTH_MOST 5.0
#define GRAIN 64.0       /* ratios are rounded down to multiples of 1 / GRAIN: bits of pow may depend on the machine */
#define ERROR_LEAST 1e-4 /* errors below count as this in the next step's controller */
#define REJECTIONS_MOST 30 /* in a row */
#define PROGRESS_PARTS 1e6 /* in a call up to a time */

/* ---- pairs of methods ---- */

/* row[i]: weights of earlier rates in the state of stage i + 1, the last row also of the next state.  error: weights of
 * the rates in the error.  order: of the error, in a single step. */
struct pair {
    double row[MW_MORE_STATES - 1][MW_COMBINED_MOST], error[MW_MORE_STATES], order;
    double time[MW_MORE_STATES]; /* times of the stages, in steps */
};

/* clang-format off */
static const struct pair bs3 = {
    .row = { { 1.0 / 2 },
             { 0, 3.0 / 4 },
             { 2.0 / 9, 1.0 / 3, 4.0 / 9 } },
    .error = { -5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8 },
    .order = 3,
    .time = { 0, 1.0 / 2, 3.0 / 4, 1 }
};
static const struct pair dp5 = {
    .row = { { 1.0 / 5 },
             { 3.0 / 40, 9.0 / 40 },
             { 44.0 / 45, -56.0 / 15, 32.0 / 9 },
             { 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729 },
             { 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656 },
             { 35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84 } },
    .error = { 71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40 },
    .order = 5,
    .time = { 0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1 }
};
/* clang-format on */

static const struct pair *pair_of(const struct mw_problem *p)
{
    return p->integrator == MW_INTEGRATOR_BS3 ? &bs3 : &dp5;
}

/* Returns base + h times the weighted rates of a part, without those of weight 0. */
static struct mw_field_combination combine(const struct mw_part *p, const double *weights, int count, double h)
{
    struct mw_field_combination c = { .base = p->state };
    for (int i = 0; i < count; i++)
        if (weights[i] != 0) {
            c.rates[c.count] = p->plan.more[i];
            c.weights[c.count++] = h * weights[i];
        }
    return c;
}

/* ---- one part ---- */

/* An attempt of a step of length h, from one time to another. */
struct attempt {
    double h, time, until, relative, absolute;
    bool begins; /* the first rate is unknown */
};

static int set_time(struct mw_part *p, struct mw_buffer *in, const struct attempt *a, double in_steps)
{
    return mw_part_set_time(p, in, mw_place_own(&p->array.place), in_steps == 1 ? a->until : a->time + in_steps * a->h);
}

/* Evaluates the rates in slabs of a buffer that has been cleared: 0 + 1 rate. */
static int evaluate(struct mw_part *p, struct mw_buffer *rate, struct mw_buffer *in, int first, int end)
{
    const struct mw_field_update update = { .out = rate, .base = rate, .in = in, .h = 1 };
    const int slabs = mw_place_slabs(&p->array.place);
    const struct mw_slabs range = { first > 0 ? first : 0, end < slabs ? end : slabs };
    return range.first < range.end ? mw_field_plan_update(&p->plan, &p->array, &update, range) : 0;
}

/* Sets the numbers of neighbours' slabs to 0, so that the maximum is of the part's own. */
static int clear_halo(const struct mw_part *p, struct mw_buffer *buffer)
{
    const struct mw_place *place = &p->array.place;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    for (size_t i = 0; i < p->array.layers; i++) {
        if (place->lower > 0)
            TRY_RETURN(mw_buffer_fill(buffer, mw_field_array_at(&p->array, i, 0), (size_t)place->lower * slab, 0));
        if (place->upper > 0)
            TRY_RETURN(mw_buffer_fill(buffer, mw_field_array_at(&p->array, i, place->lower + place->own),
                                      (size_t)place->upper * slab, 0));
    }
    return 0;
}

static int take_attempt(struct mw_part *p, const struct attempt *a)
{
    const struct mw_problem *problem = p->array.problem;
    const struct pair *pair = pair_of(problem);
    const struct mw_slabs own = mw_place_own(&p->array.place);
    const int stages = mw_problem_updates(problem), reach = mw_update_reach(problem);
    struct mw_buffer **rate = p->plan.more;
    if (!p->combining)
        TRY_RETURN(mw_field_combining_new(&p->array, &p->combining));
    if (!p->prim)
        TRY_RETURN(mw_prim_new(p->array.device, &p->prim));
    if (a->begins) {
        const int beyond = (stages - 1) * reach;
        TRY_RETURN(set_time(p, p->state, a, 0));
        TRY_RETURN(mw_buffer_fill(rate[0], 0, p->array.bytes, 0));
        TRY_RETURN(evaluate(p, rate[0], p->state, own.first - beyond, own.end + beyond));
    }
    for (int i = 1; i < stages; i++) {
        const struct mw_field_combination c = combine(p, pair->row[i - 1], i, a->h);
        const int beyond = (stages - 1 - i) * reach;
        TRY_RETURN(mw_field_combine(p->combining, &p->array, &c, p->temp, rate[i]));
        TRY_RETURN(set_time(p, p->temp, a, pair->time[i]));
        TRY_RETURN(evaluate(p, rate[i], p->temp, own.first - beyond, own.end + beyond));
    }
    const struct mw_field_combination error = combine(p, pair->error, stages, a->h);
    TRY_RETURN(mw_field_error(p->combining, &p->array, &error, p->temp, a->relative, a->absolute, rate[1]));
    TRY_RETURN(clear_halo(p, rate[1]));
    union {
        float single;
        double twice;
    } most;
    TRY_RETURN(mw_prim_reduce(p->prim, rate[1], p->array.bytes / mw_problem_real_bytes(problem),
                              problem->fp64 ? MW_TYPE_F64 : MW_TYPE_F32, MW_REDUCTION_MAX, &most));
    p->error = problem->fp64 ? most.twice : (double)most.single;
    return 0;
}

/* Computes the next state in `temp`, and the largest error.  Other parts may wait for means of this one. */
static int attempt_part(void *part, void *context)
{
    const struct mw_part *p = part;
    const int rc = take_attempt(part, context);
    if (rc != 0 && p->whole->exchange)
        mw_exchange_break(p->whole->exchange);
    return rc;
}

/* Exchanges the borders of a new state, and evaluates the first rate there. */
static int exchange(struct mw_part *p)
{
    const struct mw_problem *problem = p->array.problem;
    const struct mw_slabs own = mw_place_own(&p->array.place);
    const int beyond = (mw_problem_updates(problem) - 1) * mw_update_reach(problem);
    TRY_RETURN(mw_borders_send(p, p->state));
    TRY_RETURN(mw_port_post(&p->borders.port));
    TRY_RETURN(mw_borders_receive(p));
    if (p->array.place.lower > 0)
        TRY_RETURN(evaluate(p, p->plan.more[0], p->state, own.first - beyond, own.first));
    if (p->array.place.upper > 0)
        TRY_RETURN(evaluate(p, p->plan.more[0], p->state, own.end, own.end + beyond));
    return 0;
}

static int accept_part(void *part, void *context)
{
    struct mw_part *p = part;
    int rc = 0;
    mw_buffer_swap(&p->state, &p->temp);
    mw_buffer_swap(&p->plan.more[0], &p->plan.more[mw_problem_updates(p->array.problem) - 1]);
    p->array.step++;
    if (p->borders.port.exchange && ((rc = set_time(p, p->state, context, 1)) != 0 || (rc = exchange(p)) != 0))
        mw_exchange_break(p->borders.port.exchange);
    return rc;
}

/* ---- steps ---- */

/* Returns the ratio of the next step to one with this error; `before`: error of the previous step, or 0. */
static double growth(double error, double before, double order)
{
    double ratio = GROWTH_MOST;
    if (!isfinite(error))
        return GROWTH_LEAST;
    if (error > 0 && before > 0 && error <= 1)
        ratio = SAFETY * pow(error, -0.7 / order) * pow(fmax(before, ERROR_LEAST), 0.4 / order);
    else if (error > 0)
        ratio = SAFETY * pow(error, -1 / order);
    ratio = floor(ratio * GRAIN) / GRAIN;
    return fmin(fmax(ratio, GROWTH_LEAST), GROWTH_MOST);
}

/* Reads the errors or rates of field number i, which are buffer `which` of the plans. */
static int read_field(const struct mw_field *f, int which, size_t i, void *values)
{
    for (size_t p = 0; p < f->count; p++)
        TRY_RETURN(mw_part_read(&f->parts[p], f->parts[p].plan.more[which], (struct mw_quantities){ i, 1 }, values));
    return 0;
}

/* Fails if a rate of the state that a step begins with is not finite, since no length of the step changes that. */
static int check_first_rates(struct mw_field *f)
{
    const struct mw_model_info *info = &f->model->info;
    char cell[24 * MW_DIMS_MAX] = "";
    char *rates = NULL;
    int rc;
    TRY(mw_new(f->cells, mw_problem_real_bytes(&f->problem), &rates));
    for (size_t i = 0; i < info->field_count; i++) {
        TRY(read_field(f, 0, i, rates));
        size_t at = mw_values_not_finite(rates, f->problem.fp64, f->cells), n = 0;
        if (at == f->cells)
            continue;
        for (unsigned d = 0; d < f->options.dims; at /= f->options.length[d++])
            n += (size_t)snprintf(cell + n, sizeof cell - n, "%s%zu", d ? ", " : "", at % f->options.length[d]);
        rc = mw_fail(MW_EDATA,
                     "model %s: the rate of field %s is not finite at step %llu (time %g), first at cell (%s): check "
                     "the model for a division by 0 or a root of a negative number; no time step avoids it",
                     info->name, info->fields[i].name, (unsigned long long)mw_field_step(f), f->pace.time, cell);
        break;
    }
out:
    free(rates);
    return rc;
}

/* Reports that no step is short enough, with the first of the worst places. */
static int too_short(struct mw_field *f, double h)
{
    const struct mw_model_info *info = &f->model->info;
    const size_t bytes = mw_problem_real_bytes(&f->problem);
    const char *field = info->fields[0].name;
    double worst = -1;
    char *errors = NULL;
    int rc;
    TRY(mw_new(f->cells, bytes, &errors));
    for (size_t i = 0; i < info->field_count && !isnan(worst); i++) {
        TRY(read_field(f, 1, i, errors));
        for (size_t k = 0; k < f->cells && !isnan(worst); k++) {
            const double error = f->problem.fp64 ? ((double *)errors)[k] : (double)((float *)errors)[k];
            field = isnan(error) || error > worst ? info->fields[i].name : field;
            worst = isnan(error) || error > worst ? error : worst;
        }
    }
    rc = mw_fail(MW_EDATA,
                 "model %s: no step from step %llu (time %g) on is short enough, down to %.3g, because of field %s: "
                 "the solution grows without limit, or a rate is not finite; check the model and its parameters",
                 info->name, (unsigned long long)mw_field_step(f), f->pace.time, h, field);
out:
    free(errors);
    return rc;
}

/* Returns the length of a step that ends at `end` at most: the last two steps are equal, so that none is tiny. */
static double shortened(double next, double left)
{
    return next >= left * (1 - 1e-9) ? left : next > left / 2 ? left / 2 : next;
}

static int adaptive_step(struct mw_field *f, double end)
{
    struct mw_field_pace *pace = &f->pace;
    const double order = pair_of(&f->problem)->order, left = end - pace->time;
    struct attempt a = { .time = pace->time,
                         .relative = f->options.tolerance,
                         .absolute = f->options.tolerance_absolute,
                         .begins = !f->has_rate };
    for (int rejections = 0;; rejections++) {
        double error = 0;
        a.h = shortened(pace->next, left);
        a.until = a.h == left ? end : pace->time + a.h;
        if (a.until == pace->time)
            return too_short(f, a.h);
        TRY_RETURN(mw_field_each_part(f, attempt_part, &a));
        pace->evaluations += (uint64_t)mw_problem_updates(&f->problem) - !a.begins;
        f->has_rate = true;
        for (size_t i = 0; i < f->count && !isnan(error); i++)
            error = isnan(f->parts[i].error) ? NAN : fmax(error, f->parts[i].error);
        if (a.begins && !isfinite(error))
            TRY_RETURN(check_first_rates(f));
        a.begins = false;
        if (error <= 1) {
            const bool whole = a.h == pace->next;
            TRY_RETURN(mw_field_each_part(f, accept_part, &a));
            pace->time = a.until;
            if (!whole)
                return 0;
            const double ratio = growth(error, pace->error, order);
            pace->least = pace->least > 0 ? fmin(pace->least, a.h) : a.h;
            pace->most = fmax(pace->most, a.h);
            pace->next = a.h * (rejections ? fmin(ratio, 1) : ratio);
            pace->error = fmax(error, ERROR_LEAST);
            return 0;
        }
        if (rejections == REJECTIONS_MOST)
            return too_short(f, a.h);
        pace->rejected++;
        pace->next = a.h * fmin(growth(error, 0, order), SAFETY);
    }
}

/* ---- calls ---- */

int mw_adaptive_check(struct mw_field *f)
{
    struct mw_field_options *o = &f->options;
    const char *name = mw_integrator_name(o->integrator);
    if (!mw_problem_is_adaptive(&f->problem)) {
        if (o->tolerance != 0 || o->tolerance_absolute != 0)
            return mw_fail(MW_EINVAL, "a tolerance requires an integrator that chooses its steps (bs3 or dp5), not %s",
                           name);
        return 0;
    }
    if (f->model->info.has_noise)
        return mw_fail(MW_EINVAL,
                       "integrator %s estimates errors from smooth rates, but model %s has noise: use euler or rk2",
                       name, f->model->info.name);
    if (mw_field_has_systems(&f->problem))
        return mw_fail(MW_EINVAL,
                       "integrator %s chooses its steps for a single system, but there are %zu: use rk2 or rk4, or one "
                       "run per system",
                       name, f->problem.systems);
    o->tolerance = o->tolerance == 0 ? MW_FIELD_TOLERANCE : o->tolerance;
    o->tolerance_absolute = o->tolerance_absolute == 0 ? MW_FIELD_ABSOLUTE_PART * o->tolerance : o->tolerance_absolute;
    if (!(o->tolerance > 0) || !(o->tolerance_absolute > 0) || !isfinite(o->tolerance + o->tolerance_absolute))
        return mw_fail(MW_EINVAL, "invalid tolerances %g and %g: both must be positive", o->tolerance,
                       o->tolerance_absolute);
    if (!(o->dt > 0))
        return mw_fail(MW_EINVAL, "invalid first time step %g: it must be positive", o->dt);
    f->pace.next = o->dt;
    return 0;
}

int mw_adaptive_advance(struct mw_field *f, double end, uint64_t steps)
{
    const double start = f->pace.time;
    struct mw_listener *l = mw_progress_take();
    int rc = 0;
    if (f->exchange)
        TRY(mw_exchange_check(f->exchange));
    for (uint64_t done = 0; done < steps && f->pace.time < end; done++) {
        TRY(adaptive_step(f, end));
        if (isfinite(end))
            TRY(mw_progress_tell(l, (uint64_t)(PROGRESS_PARTS * (f->pace.time - start) / (end - start)),
                                 (uint64_t)PROGRESS_PARTS));
    }
out:
    mw_progress_give(l);
    return rc;
}

int mw_field_advance_to(struct mw_field *f, double time, uint64_t most)
{
    const double dt = f->options.dt, left = time - mw_field_time(f);
    if (!isfinite(time))
        return mw_fail(MW_EINVAL, "cannot advance to time %g: it must be finite", time);
    if (mw_problem_is_adaptive(&f->problem))
        return mw_adaptive_advance(f, time, most);
    const double steps = left > 0 ? round(left / dt) : 0;
    if (left > 0 && fabs(steps * dt - left) > 1e-6 * dt)
        return mw_fail(MW_EINVAL, "time %g is not a multiple of the time step %g: use %g", time, dt,
                       left / ceil(left / dt));
    return mw_field_advance(f, steps < (double)most ? (uint64_t)steps : most);
}

double mw_field_time(const struct mw_field *f)
{
    return mw_problem_is_adaptive(&f->problem) ? f->pace.time : (double)mw_field_step(f) * f->options.dt;
}

int mw_field_get_pace(const struct mw_field *f, struct mw_field_pace *pace)
{
    struct mw_field_pace now = f->pace;
    if (!mw_problem_is_adaptive(&f->problem))
        now = (struct mw_field_pace){ .time = mw_field_time(f),
                                      .next = f->options.dt,
                                      .least = f->options.dt,
                                      .most = f->options.dt,
                                      .evaluations = mw_field_step(f) * (uint64_t)mw_problem_updates(&f->problem) };
    return MW_RESULT_GIVE(mw_field_pace, &now, evaluations, pace);
}

int mw_field_set_pace(struct mw_field *f, const struct mw_field_pace *pace)
{
    struct mw_field_pace p;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_field_pace, pace, evaluations, &p));
    if (!mw_problem_is_adaptive(&f->problem))
        return mw_fail(MW_EINVAL, "integrator %s has a constant time step, which cannot be set",
                       mw_integrator_name(f->problem.integrator));
    if (!(p.next > 0) || !isfinite(p.next + p.time + p.error + p.least + p.most))
        return mw_fail(MW_EINVAL, "invalid time %g or next time step %g: the first must be finite, the second positive",
                       p.time, p.next);
    f->pace = p;
    f->has_rate = false;
    return 0;
}
/* SPDX-License-Identifier: MIT */
