/* Progress of calls: each thread has a listener. */
#include "base/progress.h"

#include <inttypes.h>
#include <stdatomic.h>

#include <meshwork/status.h>

#define EVERY 0.1      /* least seconds between two reports */
#define LOOK 0.05      /* target time of a batch of steps, in seconds */
#define GROWTH 4       /* maximum growth from one batch to the next, since early steps may be untypical */
#define BATCH_MAX 1e15 /* steps; keeps the arithmetic of batches exact */

struct mw_listener {
    mw_progress_fn *function;
    void *context;
    double next; /* earliest time of the next report */
    atomic_uint_least64_t done, all;
    atomic_bool stops; /* the function asked for a stop; read by helping threads */
};

static _Thread_local struct mw_listener own;
static _Thread_local struct mw_listener *listening;

void mw_progress_to(mw_progress_fn *function, void *context)
{
    own.function = function;
    own.context = context;
    own.next = 0;
    atomic_store(&own.all, 0);
    listening = function ? &own : NULL;
}

bool mw_progress_wanted(void) { return listening != NULL; }

struct mw_listener *mw_progress_take(void)
{
    struct mw_listener *taken = MW_PASS(listening);
    return taken;
}

void mw_progress_give(struct mw_listener *listener) { listening = listener; }

static int base_progress_stop(uint64_t done, uint64_t all)
{
    return mw_fail(MW_ESTOPPED, "stopped on request after %" PRIu64 " of %" PRIu64, done, all);
}

static bool ask(struct mw_listener *l, uint64_t done, uint64_t all)
{
    const bool over = done >= all;
    const double now = mw_now();
    if (all == 0 || (now < l->next && !over))
        return false;
    l->next = now + EVERY;
    const bool stops = l->function(l->context, done, all) != 0 && !over;
    if (over || stops) /* no further reports of this call */
        atomic_store(&l->all, 0);
    return stops;
}

int mw_progress_tell(struct mw_listener *l, uint64_t done, uint64_t all)
{
    if (!l)
        return 0;
    uint_least64_t before = atomic_load(&l->done);
    while (l != &own && before < done && !atomic_compare_exchange_weak(&l->done, &before, done))
        continue;
    if (l == &own)
        atomic_store(&l->done, done);
    atomic_store(&l->all, all);
    return (l == &own ? ask(l, done, all) : atomic_load(&l->stops)) ? base_progress_stop(done, all) : 0;
}

int mw_progress(uint64_t done, uint64_t all) { return mw_progress_tell(listening, done, all); }

int mw_progress_look(void)
{
    struct mw_listener *l = listening;
    if (!l)
        return 0;
    const uint64_t done = atomic_load(&l->done), all = atomic_load(&l->all);
    return (l == &own ? ask(l, done, all) : atomic_load(&l->stops)) ? base_progress_stop(done, all) : 0;
}

struct mw_listener *mw_progress_begin(void)
{
    if (listening) {
        atomic_store(&listening->stops, false);
        atomic_store(&listening->done, 0);
    }
    return listening;
}

void mw_progress_pass(struct mw_listener *l)
{
    if (ask(l, atomic_load(&l->done), atomic_load(&l->all)))
        atomic_store(&l->stops, true);
}

uint64_t mw_progress_batch(uint64_t batch, uint64_t n, double seconds)
{
    const double most = (double)batch * GROWTH;
    double wanted = seconds > 0 ? LOOK / seconds * (double)n : most;
    wanted = wanted < most ? wanted : most;
    wanted = wanted < BATCH_MAX ? wanted : BATCH_MAX;
    return wanted > 1 ? (uint64_t)wanted : 1;
}

int mw_progress_steps(void *what, uint64_t steps, int (*advance)(void *what, uint64_t steps), int (*sync)(void *what))
{
    struct mw_listener *l = mw_progress_take();
    int rc = 0;
    if (!l)
        return advance(what, steps);
    TRY(steps > 0 ? mw_progress_tell(l, 0, steps) : 0);
    for (uint64_t done = 0, batch = 1, n; done < steps; done += n) {
        const double begin = mw_now();
        n = steps - done < batch ? steps - done : batch;
        TRY(advance(what, n));
        TRY(sync(what));
        TRY(mw_progress_tell(l, done + n, steps));
        batch = mw_progress_batch(batch, n, mw_now() - begin);
    }
out:
    mw_progress_give(l);
    return rc;
}
/* SPDX-License-Identifier: MIT */
