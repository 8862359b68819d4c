/* A pool of POSIX threads.
 *
 * The caller is worker 0. A start opens a gate and wakes the workers. Workers that are awake enter, take shares and
 * leave. The caller closes the gate when no share is left, and waits only for workers that have entered. A worker that
 * the system did not run in time therefore costs nothing: others took its shares.
 *
 * Each worker has a contiguous stretch, which it takes share by share, and then helps the next workers. In every step a
 * worker thus processes the same positions, which are in its caches, and a slow core delays no other.
 *
 * Idle workers spin for a short time, because the next start is usually near, and then sleep, so that other programs
 * are not slowed. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "dev/host/host.h"
#include "dev/native/executor.h"

#define LINE 64 /* bytes: what must not share a cache line */
#define SHARES_PER_WORKER 8
#define PAUSE_SECONDS 5e-6 /* spinning without giving the core up */
#define SPIN_SECONDS 80e-6 /* in all, before sleeping */

/* The gate, one word so that coming in, closing and counting are one atomic step each. */
#define GENERATION 0xffff0000u /* number of the start; it may wrap: a worker then misses a start */
#define GENERATION_ONE 0x00010000u
#define OPEN 0x8000u
#define CALLER_SLEEPS 0x4000u /* the last to leave wakes the caller */
#define INSIDE 0x3fffu        /* workers that came in, without the caller */
_Static_assert(MW_THREADS_MAX <= INSIDE, "the gate counts all workers");

struct slot {
    _Alignas(LINE) atomic_size_t next; /* next share of the stretch */
    size_t end;
    unsigned worker;
    struct pool *pool;
    pthread_t thread;
};

struct pool {
    _Alignas(LINE) atomic_uint gate;
    _Alignas(LINE) atomic_uint sleepers;
    atomic_bool stop;
    bool crowded;     /* more workers than cores: spinning would keep a core from one that has work */
    unsigned workers; /* with the caller */
    struct slot *slots;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    /* The work: written while the gate is closed and no worker is inside. */
    _Alignas(LINE) size_t count;
    size_t grain;
    mw_range_fn *body;
    void *context;
};

struct patience {
    bool pausing;
    double since;
};

static struct patience patience_new(const struct pool *pool)
{
    return (struct patience){ .pausing = !pool->crowded, .since = mw_now() };
}

static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Waits a little; false when it is time to sleep. */
static bool patience_spend(struct patience *p)
{
    if (p->pausing) {
        for (int i = 0; i < 8; i++)
            pause_core();
        p->pausing = mw_now() - p->since < PAUSE_SECONDS;
        return true;
    }
    sched_yield();
    return mw_now() - p->since < SPIN_SECONDS;
}

static void drain(struct pool *pool, unsigned worker)
{
    size_t count = pool->count, grain = pool->grain;
    for (unsigned i = 0; i < pool->workers; i++) {
        struct slot *slot = &pool->slots[(worker + i) % pool->workers];
        /* Reading first keeps helpers that find no share from taking the cache line from its owner. */
        while (atomic_load_explicit(&slot->next, memory_order_relaxed) < slot->end) {
            size_t share = atomic_fetch_add_explicit(&slot->next, 1, memory_order_relaxed);
            if (share >= slot->end)
                break;
            size_t begin = share * grain;
            size_t end = count - begin > grain ? begin + grain : count;

            pool->body(pool->context, begin, end, worker);
        }
    }
}

/* Returns the gate once it is of another generation than `seen`. */
static unsigned await_start(struct pool *pool, unsigned seen)
{
    struct patience patience = patience_new(pool);
    unsigned gate;
    do {
        gate = atomic_load_explicit(&pool->gate, memory_order_acquire);
        if ((gate & GENERATION) != seen)
            return gate;
    } while (patience_spend(&patience));

    pthread_mutex_lock(&pool->lock);
    /* Either this is seen by the next start, or the next start is seen here: both sides are sequentially consistent. */
    atomic_fetch_add(&pool->sleepers, 1);
    /* The end is looked for by itself: generations wrap around, and a worker may sleep through all of them. */
    while (((gate = atomic_load(&pool->gate)) & GENERATION) == seen && !atomic_load(&pool->stop))
        pthread_cond_wait(&pool->start, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
    return gate;
}

static void executor_pool_leave(struct pool *pool)
{
    unsigned gate = atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_acq_rel);
    if ((gate & (CALLER_SLEEPS | INSIDE)) == (CALLER_SLEEPS | 1)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void *executor_pool_work(void *argument)
{
    const struct slot *me = argument;
    struct pool *pool = me->pool;
    unsigned seen = 0;
    for (;;) {
        unsigned gate = await_start(pool, seen);
        if (atomic_load_explicit(&pool->stop, memory_order_relaxed))
            return NULL;
        seen = gate & GENERATION;
        while ((gate & OPEN) && (gate & GENERATION) == seen) {
            if (atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1, memory_order_acq_rel,
                                                      memory_order_acquire)) {
                drain(pool, me->worker);
                executor_pool_leave(pool);
                break;
            }
        }
    }
}

/* Starts a new generation: workers that enter read everything written before. */
static void ring(struct pool *pool, unsigned flags)
{
    unsigned gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    atomic_store(&pool->gate, ((gate & GENERATION) + GENERATION_ONE) | flags);
    if (atomic_load(&pool->sleepers) > 0) {
        /* A sleeper has read the gate before it releases the lock; waking it outside the lock saves a wait. */
        pthread_mutex_lock(&pool->lock);
        pthread_mutex_unlock(&pool->lock);
        pthread_cond_broadcast(&pool->start);
    }
}

/* Waits until no worker is inside a closed gate. */
static void await_done(struct pool *pool)
{
    struct patience patience;
    unsigned gate = atomic_fetch_and_explicit(&pool->gate, ~OPEN, memory_order_acq_rel);
    if ((gate & INSIDE) == 0)
        return;
    patience = patience_new(pool);
    do {
        if ((atomic_load_explicit(&pool->gate, memory_order_acquire) & INSIDE) == 0)
            return;
    } while (patience_spend(&patience));

    pthread_mutex_lock(&pool->lock);
    atomic_fetch_or(&pool->gate, CALLER_SLEEPS);
    while (atomic_load_explicit(&pool->gate, memory_order_acquire) & INSIDE)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void mw_pool_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context)
{
    struct pool *pool = executor->impl;
    size_t shares = pool->workers == 1 ? 1 : (size_t)SHARES_PER_WORKER * pool->workers, next = 0;
    if (grain == 0)
        grain = (count - 1) / shares + 1;
    shares = (count - 1) / grain + 1;
    pool->count = count;
    pool->grain = grain;
    pool->body = body;
    pool->context = context;
    for (unsigned i = 0; i < pool->workers; i++) {
        atomic_store_explicit(&pool->slots[i].next, next, memory_order_relaxed);
        next += shares / pool->workers + (i < shares % pool->workers);
        pool->slots[i].end = next;
    }
    ring(pool, OPEN);
    drain(pool, 0);
    await_done(pool);
}

/* The caller's own thread is bound to nothing: what it starts, compilers among it, would be bound as well. */
static void start_workers(struct pool *pool, unsigned threads, const struct mw_places *places)
{
    sigset_t all, before;
    int error = 0;
    /* Signals are for the program's own threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (pool->workers = 1; pool->workers < threads; pool->workers++) {
        struct slot *slot = &pool->slots[pool->workers];
        slot->worker = pool->workers;
        slot->pool = pool;
        if ((error = pthread_create(&slot->thread, NULL, executor_pool_work, slot)) != 0)
            break;
        mw_places_bind(places, slot->worker, slot->thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        mw_log(MW_LOG_NOTICE,
               "continuing with %u of %u threads: the system starts no more (%s), for lack of memory or "
               "processes: see `ulimit -v` and `ulimit -u`",
               pool->workers, threads, strerror(error));
}

int mw_pool_start(struct mw_executor *executor, unsigned threads)
{
    struct pool *pool = NULL;
    struct mw_places *places;
    int rc;
    TRY(mw_new_aligned(1, sizeof *pool, &pool));
    TRY(mw_new_aligned(threads, sizeof *pool->slots, &pool->slots));
    pool->crowded = threads > mw_core_count();
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    places = mw_places_new(threads);
    start_workers(pool, threads, places);
    executor->bound = places != NULL;
    mw_places_free(places);
    executor->threads = pool->workers;
    executor->impl = pool;
    return 0;
out:
    free(pool);
    return rc;
}

void mw_pool_stop(struct mw_executor *executor)
{
    struct pool *pool = executor->impl;
    atomic_store_explicit(&pool->stop, true, memory_order_relaxed);
    ring(pool, 0);
    for (unsigned i = 1; i < pool->workers; i++)
        pthread_join(pool->slots[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->lock);
    free(pool->slots);
    free(pool);
}
/* SPDX-License-Identifier: MIT */
