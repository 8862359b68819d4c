/* The table of executors, and the number of their threads. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dev/host/host.h"
#include "dev/native/executor.h"

static int serial_start(struct mw_executor *executor, unsigned threads)
{
    executor->threads = 1;
    return 0;
}

static void serial_stop(struct mw_executor *executor) { (void)executor; }

static void serial_run(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context)
{
    if (grain == 0)
        grain = count;
    for (size_t begin = 0; begin < count;) {
        size_t end = count - begin > grain ? begin + grain : count;
        body(context, begin, end, 0);
        begin = end;
    }
}

const struct mw_executor_kind mw_executor_kinds[] = {
    { "pthreads", "pool of POSIX threads", mw_pool_start, mw_pool_stop, mw_pool_run },
#ifdef HAVE_TBB
    { "tbb", "oneTBB task arena", mw_tbb_start, mw_tbb_stop, mw_tbb_run },
#endif
    { "serial", "the calling thread", serial_start, serial_stop, serial_run },
    { NULL, NULL, NULL, NULL, NULL },
};

int mw_thread_count(unsigned wanted, unsigned *threads)
{
    const char *text = getenv("MESHWORK_THREADS");
    char *end;
    if (wanted == 0 && text && *text) {
        errno = 0;
        unsigned long value = strtoul(text, &end, 10);

        if (*text < '0' || *text > '9' || *end != '\0' || value == 0)
            return mw_fail(MW_EINVAL,
                           "MESHWORK_THREADS is \"%.40s\": give a number of threads from 1 to %d, or unset "
                           "it",
                           text, MW_THREADS_MAX);
        wanted = errno != 0 || value > MW_THREADS_MAX ? MW_THREADS_MAX + 1 : (unsigned)value;
    } else if (wanted == 0) {
        wanted = mw_core_count();
        if (wanted > MW_THREADS_MAX)
            wanted = MW_THREADS_MAX;
    }
    if (wanted > MW_THREADS_MAX)
        return mw_fail(MW_ELIMIT, "the number of threads must be at most %d", MW_THREADS_MAX);
    *threads = wanted;
    return 0;
}

int mw_executor_new(const char *kind, unsigned threads, struct mw_executor **executor)
{
    const struct mw_executor_kind *row = mw_executor_kinds;
    struct mw_executor *e = NULL;
    int rc;
    while (row->name && strcmp(row->name, kind) != 0)
        row++;
    if (!row->name)
        return mw_fail(MW_EINVAL, "unknown executor \"%.40s\" in this build: use pthreads or serial", kind);
    TRY(mw_thread_count(threads, &threads));
    TRY(mw_new(1, sizeof *e, &e));
    e->kind = row;
    rc = row->start(e, threads);
    if (rc != 0) {
        mw_fail(rc, "executor %s could not start %u threads (out of memory or processes): use fewer", kind, threads);
        goto out;
    }
    *executor = MW_PASS(e);
out:
    free(e);
    return rc;
}

void mw_executor_free(struct mw_executor *executor)
{
    if (executor)
        executor->kind->stop(executor);
    free(executor);
}

bool mw_executor_is_alone(const struct mw_executor *executor) { return executor->kind->start == serial_start; }

bool mw_executor_is_bound(const struct mw_executor *executor) { return executor->bound; }

unsigned mw_executor_threads(const struct mw_executor *executor) { return executor ? executor->threads : 1; }

void mw_parallel_for(struct mw_executor *executor, size_t count, size_t grain, mw_range_fn *body, void *context)
{
    if (count == 0)
        return;
    if (count == 1 || count <= grain)
        body(context, 0, count, 0);
    else
        (executor ? executor->kind->run : serial_run)(executor, count, grain, body, context);
}
/* SPDX-License-Identifier: MIT */
