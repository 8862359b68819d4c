/* The time loop: batches of steps between looks at the clock, outputs on schedule, stopping. */
#include <meshwork/run.h>

#include "base/base.h"

#include <inttypes.h>
#include <stdatomic.h>

#define LOOK 0.05          /* seconds of work between two looks at the clock */
#define GROWTH 4           /* of a batch from one to the next, at most: early steps may be untypical */
#define BATCH_MAX 1e15     /* steps; keeps the arithmetic of batches exact */
#define PROGRESS_EVERY 0.1 /* seconds */
#define RECENT 2.0         /* seconds after which a rate counts about half */

/* Requests so far, and how many of them some loop has answered by stopping.  A loop compares the first with what had
 * been answered when it began: one request stops all loops that run, and if none runs, the next. */
static atomic_uint requested, answered;
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "mw_run_stop is called by signal handlers");

struct loop {
    const struct mw_run_simulation *simulation;
    const struct mw_run_options *options;
    double start, looked, showed;        /* times: of the beginning, the last look, the last report of progress */
    double computing;                    /* seconds without observing */
    double first_step;                   /* seconds from the start */
    uint64_t step, observed;
    uint64_t batch;                      /* steps wanted between two looks */
    double recent_steps, recent_seconds; /* decaying sums */
    unsigned answered;
};

void mw_run_stop(void)
{
    atomic_fetch_add(&requested, 1);
}

/* Why to stop now, NULL: carry on. */
static const char *reason_to_stop(const struct loop *l)
{
    if (atomic_load(&requested) != l->answered)
        return "on request";
    if (l->options->time_limit > 0 && mw_now() - l->start >= l->options->time_limit)
        return "at the time limit";
    return NULL;
}

/* Steps of the next batch: at most up to the next output or the end. */
static uint64_t next_batch(const struct loop *l)
{
    uint64_t n = l->options->steps - l->step, every = l->options->every;

    if (every > 0 && n > every - l->step % every)
        n = every - l->step % every;
    return n < l->batch ? n : l->batch;
}

static void adapt_batch(struct loop *l, uint64_t n, double seconds)
{
    double most = (double)l->batch * GROWTH;
    double wanted = seconds > 0 ? LOOK / seconds * (double)n : most;

    wanted = wanted < most ? wanted : most;
    wanted = wanted < BATCH_MAX ? wanted : BATCH_MAX;
    l->batch = wanted > 1 ? (uint64_t)wanted : 1;
}

/* The rate of the recent past, outputs included: it is to tell the time left. */
static double rate(const struct loop *l)
{
    if (l->recent_seconds > 0)
        return l->recent_steps / l->recent_seconds;
    return l->looked > l->start ? (double)l->step / (l->looked - l->start) : 0;
}

static void show_progress(struct loop *l)
{
    const struct mw_run_options *o = l->options;
    struct mw_run_progress p = { .step = l->step, .steps = o->steps, .seconds = l->looked - l->start };

    if (o->progress == NULL || (l->step < o->steps && l->looked - l->showed < PROGRESS_EVERY))
        return;
    l->showed = l->looked;
    p.steps_per_second = rate(l);
    p.seconds_left = p.steps_per_second > 0 ? (double)(o->steps - l->step) / p.steps_per_second : 0;
    o->progress(o->progress_context, &p);
}

/* One batch, and a look at the clock. */
static int advance(struct loop *l)
{
    const struct mw_run_simulation *s = l->simulation;
    uint64_t n = next_batch(l);
    double begin = mw_now(), now, decay;
    int rc;

    TRY(s->advance(s->context, n));
    TRY(s->sync(s->context));
    now = mw_now();
    l->computing += now - begin;
    if (l->step == 0) {
        l->first_step = now - l->start; /* it may hold a compiler's run, and says nothing of the rate */
    } else {
        decay = RECENT / (RECENT + now - l->looked);
        l->recent_steps = l->recent_steps * decay + (double)n;
        l->recent_seconds = l->recent_seconds * decay + now - l->looked;
    }
    l->step += n;
    l->looked = now;
    adapt_batch(l, n, now - begin);
    show_progress(l);
out:
    return rc;
}

static int observe(struct loop *l)
{
    l->observed = l->step;
    return l->simulation->observe(l->simulation->context, l->step);
}

/* The steps and their outputs; *why is why it ended early, NULL if it did not.  Every batch ends in sync. */
static int loop_steps(struct loop *l, const char **why)
{
    const struct mw_run_options *o = l->options;
    int rc;

    *why = NULL;
    TRY(l->simulation->sync(l->simulation->context));
    TRY(observe(l));
    while (l->step < o->steps && (*why = reason_to_stop(l)) == NULL) {
        TRY(advance(l));
        if (o->every > 0 && l->step % o->every == 0)
            TRY(observe(l));
    }
    if (l->observed != l->step)
        TRY(observe(l));
out:
    return rc;
}

int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
           struct mw_run_result *result)
{
    struct loop l = { .simulation = simulation, .options = options, .batch = 1, .answered = atomic_load(&answered) };
    const char *why;
    int rc;

    if (!(options->time_limit >= 0))
        return mw_fail(MW_EINVAL, "a time limit of %g seconds makes no sense; 0 stands for none", options->time_limit);
    l.start = l.looked = l.showed = mw_now();
    TRY(loop_steps(&l, &why));
    if (result != NULL)
        *result = (struct mw_run_result){ l.step, l.computing, l.first_step };
    if (why != NULL) {
        atomic_store(&answered, atomic_load(&requested));
        rc = mw_fail(MW_ESTOPPED, "stopped %s after %" PRIu64 " of %" PRIu64 " steps", why, l.step, options->steps);
    }
out:
    return rc;
}
