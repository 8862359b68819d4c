/* The time loop: batches of steps, scheduled outputs and checkpoints, progress, and early stops. */
#include "run/run_internal.h"

#include "base/base.h"
#include "base/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Number of requests, and of those already answered by a stop.  A loop compares `requested` with `answered` at its
 * start, so one request stops all running loops; if none is running, it stops the next. */
static atomic_uint requested, answered;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "mw_run_stop is called by signal handlers");

struct loop {
    const struct mw_run_simulation *simulation;
    const struct mw_run_options *options;
    struct mw_listener *listener; /* to progress */
    bool asked;                   /* the listener asked for a stop */
    double start;                 /* time of the start */
    struct mw_run_result result;
    uint64_t step, observed, saved; /* observed, saved: last step this was done, or MW_NEVER */
    bool ours;                      /* this loop wrote the checkpoint file */
    uint64_t batch;                 /* steps of a batch */
    uint64_t queued;                /* steps queued but not waited for, */
    double queued_since;            /* and the start of the first of them */
    double left;                    /* part of the simulation that is left; 0: it has ended */
    unsigned answered;
};

void mw_run_stop(void) { atomic_fetch_add(&requested, 1); }

/* Returns the reason to stop now; NULL: continue. */
static const char *reason_to_stop(const struct loop *l)
{
    if (l->asked || atomic_load(&requested) != l->answered)
        return "on request";
    if (l->options->time_limit > 0 && mw_now() - l->start >= l->options->time_limit)
        return "at the time limit";
    return NULL;
}

/* Returns the steps of a batch without the schedule. */
static uint64_t wanted_batch(const struct loop *l)
{
    const uint64_t together = l->simulation->together;
    if (together < 2 || l->result.done == 0)
        return l->batch;
    return l->batch < together ? together : l->batch / together * together;
}

/* Returns the steps of the next batch: at most to the next output or checkpoint, or the end. */
static uint64_t next_batch(const struct loop *l)
{
    const uint64_t schedules[] = { l->options->every, l->options->checkpoint ? l->options->checkpoint_every : 0 };
    uint64_t n = l->options->steps - l->step;
    for (size_t i = 0; i < MW_COUNT(schedules); i++)
        if (schedules[i] > 0 && n > schedules[i] - l->step % schedules[i])
            n = schedules[i] - l->step % schedules[i];
    return n < wanted_batch(l) ? n : wanted_batch(l);
}

/* Returns whether the next n steps can be queued without waiting: an output shortens a batch. */
static bool may_queue(const struct loop *l, uint64_t n)
{
    return l->simulation->queue != NULL && l->result.done > 0 && l->queued + n < l->batch;
}

static int wait_for_queued(struct loop *l)
{
    const double begin = mw_work_now();
    if (l->queued == 0)
        return 0;
    TRY_RETURN(l->simulation->advance(l->simulation->context, 0));
    l->queued = 0;
    l->result.seconds += mw_work_now() - begin;
    return 0;
}

/* Asks the simulation for its step and its end, after n steps. */
static void look_where(struct loop *l, uint64_t *n)
{
    uint64_t step = l->step + *n;
    if (l->simulation->where)
        l->simulation->where(l->simulation->context, &step, &l->left);
    *n = step - l->step;
}

/* Returns the step at which the run ends, estimated from the part that is left. */
static uint64_t expected_end(const struct loop *l)
{
    const double all = l->left < 1 ? (double)l->step / (1 - l->left) : HUGE_VAL;
    return l->left == 0 ? l->step : all < (double)l->options->steps ? (uint64_t)all : l->options->steps;
}

/* Runs a batch and measures its time. */
static int run_advance(struct loop *l)
{
    const struct mw_run_simulation *s = l->simulation;
    uint64_t n = next_batch(l);
    const bool queues = may_queue(l, n);
    const double begin = mw_now(), work_begin = mw_work_now();
    double now;
    if (l->queued == 0)
        l->queued_since = begin;
    TRY_RETURN(queues ? s->queue(s->context, n) : s->advance(s->context, n));
    now = mw_now();
    l->result.seconds += mw_work_now() - work_begin;
    look_where(l, &n);
    if (l->result.done == 0) /* it may include compilation, so it does not count in the rate */
        l->result.first_step_seconds = now - l->start;
    l->step += n;
    l->result.done += n;
    l->queued += n;
    if (!queues) {
        /* Includes outputs in between: the target is the time between two waits. */
        l->batch = mw_progress_batch(l->batch, l->queued, now - l->queued_since);
        l->queued = 0;
    }
    l->asked = mw_progress_tell(l->listener, l->step, expected_end(l)) != 0;
    return 0;
}

static bool due(const struct loop *l, uint64_t every) { return every > 0 && l->step % every == 0; }

static int observe(struct loop *l)
{
    l->observed = l->step;
    return l->simulation->observe(l->simulation->context, l->step);
}

/* Returns whether checkpoints contain the position of a series. */
static bool is_kept(const struct mw_series *series) { return series != NULL && mw_series_is_file(series); }

static int save(struct loop *l)
{
    const struct mw_run_options *o = l->options;
    struct mw_run_position position = { .step = l->step, .observed = l->observed, .has_series = is_kept(o->series) };
    double begin = mw_now();
    int rc;
    if (is_kept(o->series)) {
        TRY(mw_series_sync(o->series, &position.series));
    } else if (o->restart != NULL) {
        /* Keeps the position of a series that this run does not write, so that a later run can continue it. */
        position.has_series = mw_checkpoint_position(o->restart)->has_series;
        position.series = mw_checkpoint_position(o->restart)->series;
    }
    TRY(mw_checkpoint_write(o->checkpoint, l->simulation, o->settings, &position, &l->ours));
    l->saved = l->step;
    l->result.checkpoints++;
out:
    l->result.checkpoint_seconds += mw_now() - begin;
    return rc;
}

/* Initialises, and observes step 0. */
static int run_begin(struct loop *l)
{
    TRY_RETURN(l->simulation->init(l->simulation->context));
    if (l->options->series != NULL)
        TRY_RETURN(mw_series_start(l->options->series, 0));
    l->start = mw_now();
    return observe(l);
}

/* Loads a checkpoint; observes its step if that is due now but was not then. */
static int resume(struct loop *l)
{
    const struct mw_run_options *o = l->options;
    const struct mw_run_position *p = mw_checkpoint_position(o->restart);
    struct mw_series *series = o->series;
    TRY_RETURN(l->simulation->load(l->simulation->context, o->restart));
    l->step = p->step;
    l->observed = p->observed;
    if (o->checkpoint != NULL && strcmp(o->checkpoint, mw_checkpoint_path(o->restart)) == 0 &&
        (!is_kept(series) || p->has_series))
        l->saved = l->step; /* if there is nothing to do, nothing is written */
    if (series != NULL)
        TRY_RETURN(is_kept(series) && p->has_series ? mw_series_resume(series, &p->series)
                                                    : mw_series_start(series, p->step));
    l->start = mw_now();
    if (l->observed != l->step && due(l, o->every))
        TRY_RETURN(observe(l));
    return 0;
}

/* Runs the steps with their outputs and checkpoints.  *why: the reason of an early end, or NULL. */
static int loop_steps(struct loop *l, const char **why)
{
    const struct mw_run_options *o = l->options;
    uint64_t none = 0;
    *why = NULL;
    TRY_RETURN(o->restart != NULL ? resume(l) : run_begin(l));
    look_where(l, &none);
    while (l->step < o->steps && l->left > 0 && (*why = reason_to_stop(l)) == NULL) {
        TRY_RETURN(run_advance(l));
        if (due(l, o->every))
            TRY_RETURN(observe(l));
        if (o->checkpoint != NULL && due(l, o->checkpoint_every)) {
            TRY_RETURN(wait_for_queued(l));
            TRY_RETURN(save(l));
        }
    }
    TRY_RETURN(wait_for_queued(l));
    /* Saved before the last observation: if that is off schedule, it is not part of a resumed run. */
    if (o->checkpoint != NULL && l->saved != l->step)
        TRY_RETURN(save(l));
    if (l->observed != l->step)
        TRY_RETURN(observe(l));
    if (o->series != NULL)
        TRY_RETURN(mw_series_finish(o->series));
    return 0;
}

static int check_simulation(const struct mw_run_simulation *s, const struct mw_run_options *o)
{
    const char *missing = NULL;
    if (s->advance == NULL || s->observe == NULL)
        missing = s->advance == NULL ? "advance" : "observe";
    else if (o->restart != NULL ? s->load == NULL : s->init == NULL)
        missing = o->restart != NULL ? "load" : "init";
    else if (o->checkpoint != NULL && s->save == NULL)
        missing = "save";
    return missing == NULL
               ? 0
               : mw_fail(MW_EINVAL,
                         "the simulation lacks function '%s', which this run needs: set it in struct mw_run_simulation",
                         missing);
}

static int run_check_options(const struct mw_run_options *o)
{
    static const struct mw_setting none = { 0 };
    int rc = 0;
    if (!(o->time_limit >= 0))
        return mw_fail(MW_EINVAL, "invalid time limit of %g seconds (must be positive, or 0 for none)", o->time_limit);
    if (o->checkpoint != NULL)
        TRY(mw_checkpoint_replaceable(o->checkpoint));
    if (o->restart != NULL) {
        TRY(mw_checkpoint_compare(o->restart, o->settings != NULL ? o->settings : &none));
        if (mw_checkpoint_step(o->restart) > o->steps)
            rc = mw_fail(MW_EINVAL,
                         "checkpoint %s is at step %" PRIu64 ", beyond the requested %" PRIu64 " (steps "
                         "count from the start of the first run)",
                         mw_checkpoint_path(o->restart), mw_checkpoint_step(o->restart), o->steps);
    }
out:
    return rc;
}

int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
           struct mw_run_result *result)
{
    struct mw_run_simulation given;
    struct mw_run_options asked;
    struct loop l = { .simulation = &given,
                      .options = &asked,
                      .batch = 1,
                      .left = 1,
                      .observed = MW_NEVER,
                      .saved = MW_NEVER,
                      .answered = atomic_load(&answered) };
    const char *why;
    int rc;
    TRY(MW_RESULT_GIVE(mw_run_result, NULL, checkpoints, result));
    TRY(MW_OPTIONS_TAKE(mw_run_simulation, simulation, load, &given));
    TRY(MW_OPTIONS_TAKE(mw_run_options, options, series, &asked));
    TRY(check_simulation(&given, &asked));
    TRY(run_check_options(&asked));
    l.listener = mw_progress_take();
    rc = loop_steps(&l, &why);
    mw_progress_give(l.listener);
    TRY(rc);
    l.result.steps = l.step;
    TRY(MW_RESULT_GIVE(mw_run_result, &l.result, checkpoints, result));
    if (why != NULL) {
        atomic_store(&answered, atomic_load(&requested));
        rc = mw_fail(MW_ESTOPPED, "stopped %s after %" PRIu64 " of %" PRIu64 " steps", why, l.step, asked.steps);
    }
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */
