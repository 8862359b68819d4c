/* Native executors, which run a `parallel for`: the calling thread, a pool of POSIX threads, or TBB. Each is a row of a
 * table.  Internal. */
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

/* A row of the table of executors. */
struct mw_executor_kind {
    const char *name; /* "serial", "pthreads", "tbb" */
    const char *description;
    /* Starts the threads. Sets executor->threads (may be fewer than `threads`) and ->impl. Returns a status, without
     * setting a message. */
    int (*start)(struct mw_executor *executor, unsigned threads);
    void (*stop)(struct mw_executor *executor);
    void (*run)(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);
};
/* The executors that were built in, the fastest first, ended by a NULL name. */
extern const struct mw_executor_kind mw_executor_kinds[];

/* A started executor. */
struct mw_executor {
    const struct mw_executor_kind *kind;
    unsigned threads;
    bool bound; /* each thread is bound to a core or a memory node */
    void *impl; /* the kind's own state */
};

/* Computes a number of threads: `wanted`; if that is 0, $MESHWORK_THREADS; if that is unset, the number of cores in the
 * affinity mask. Errors: MW_EINVAL ($MESHWORK_THREADS is not a number of threads), MW_ELIMIT (more than
 * MW_THREADS_MAX). */
int mw_thread_count(unsigned wanted, unsigned *threads);

/* executor_pool.c: start, stop and run of the row "pthreads". */
int mw_pool_start(struct mw_executor *executor, unsigned threads);
void mw_pool_stop(struct mw_executor *executor);
void mw_pool_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);
/* executor_tbb.cpp: start, stop and run of the row "tbb". */
int mw_tbb_start(struct mw_executor *executor, unsigned threads);
void mw_tbb_stop(struct mw_executor *executor);
void mw_tbb_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);

/* Starts an executor by its name, with threads as by mw_thread_count. `serial` always has 1, and TBB at most one per
 * core. There are fewer if the system refuses to start them.
 * Errors: MW_EINVAL (no such kind, or an invalid $MESHWORK_THREADS), MW_ENOMEM, MW_ELIMIT (threads). */
int mw_executor_new(const char *kind, unsigned threads, struct mw_executor **executor);
/* Ends the threads of an executor and frees it. */
void mw_executor_free(struct mw_executor *executor);
/* Returns whether the caller's own thread does all the work. */
bool mw_executor_is_alone(const struct mw_executor *executor);
/* Returns whether each thread is bound to a core or a memory node. */
bool mw_executor_is_bound(const struct mw_executor *executor);
/* Returns the number of threads, the maximum of `worker` plus 1. NULL: the calling thread only. */
unsigned mw_executor_threads(const struct mw_executor *executor);

/* Calls body for shares of [0, count) of about `grain` positions each (0: chosen), dynamically balanced, and waits for
 * all. NULL: on the calling thread. Starting takes 1 to 2 microseconds while the threads of the pool are active. Not
 * reentrant. */
void mw_parallel_for(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
