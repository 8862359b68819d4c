/* Native executors: one `parallel for` over serial, a pool of POSIX threads, and TBB.  A table row an executor.
 * Internal. */
#ifndef MW_EXECUTOR_H
#define MW_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mw_executor;

/* Called with disjoint shares [begin, end) that cover [0, count).  `worker` < mw_executor_threads; two concurrent calls
 * never share a worker. */
typedef void mw_range_fn(void *context, size_t begin, size_t end, unsigned worker);

struct mw_executor_kind {
    const char *name; /* "serial", "pthreads", "tbb" */
    const char *description;
    /* Sets executor->threads (may be fewer than asked for) and ->impl.  Returns a status, without a sentence. */
    int (*start)(struct mw_executor *executor, unsigned threads);
    void (*stop)(struct mw_executor *executor);
    void (*run)(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);
};
/* The kinds that were built in, the fastest first, ended by a NULL name. */
extern const struct mw_executor_kind mw_executor_kinds[];

struct mw_executor {
    const struct mw_executor_kind *kind;
    unsigned threads;
    bool bound; /* its threads stay on one core or memory node each */
    void *impl; /* the kind's own state */
};

/* Returns `wanted`, or for 0 $MESHWORK_THREADS, otherwise the number of cores. Errors: MW_EINVAL ($MESHWORK_THREADS is
 * not a number of threads), MW_ELIMIT (more than MW_THREADS_MAX). */
int mw_thread_count(unsigned wanted, unsigned *threads);

/* The rows of the table that have a file of their own: executor_pool.c, executor_tbb.cpp. */
int mw_pool_start(struct mw_executor *executor, unsigned threads);
void mw_pool_stop(struct mw_executor *executor);
void mw_pool_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);
int mw_tbb_start(struct mw_executor *executor, unsigned threads);
void mw_tbb_stop(struct mw_executor *executor);
void mw_tbb_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);

/* threads 0: one a core in this process's affinity mask ($MESHWORK_THREADS wins over that).  `serial` has always 1.
 * Where the system refuses a thread there are fewer; TBB never has more than one a core.
 * Errors: MW_EINVAL (no such kind, or $MESHWORK_THREADS is no number), MW_ENOMEM, MW_ELIMIT (threads). */
int mw_executor_new(const char *kind, unsigned threads, struct mw_executor **executor);
void mw_executor_free(struct mw_executor *executor);
/* Whether the caller's own thread does all the work. */
bool mw_executor_is_alone(const struct mw_executor *executor);
bool mw_executor_is_bound(const struct mw_executor *executor);
unsigned mw_executor_threads(const struct mw_executor *executor);

/* Runs body over [0, count) in shares of about `grain` positions (0: chosen), dynamically balanced, and returns when
 * all is done.  A start costs about a microsecond or two while the pool is warm.  Not reentrant. */
void mw_parallel_for(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
