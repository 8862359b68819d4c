/* What a start of the native executors costs, by executor and number of threads.
 *
 * "empty" is a parallel for whose body does nothing, one after another; "met" one in which every thread waits for all
 * others, so that all must have come; "rested" the same after 1 ms of sleep, when the workers sleep too.  Medians in
 * microseconds, and in brackets what nine of ten stay below, which shows a machine that is busy with other things.
 *
 * Usage: parallel-for [largest number of threads; default: twice the cores, to show what too many cost] */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "dev/host/host.h"
#include "dev/native/executor.h"

#define SAMPLES 100

static void nothing(void *context, size_t begin, size_t end, unsigned worker)
{
    (void)context;
    (void)begin;
    (void)end;
    (void)worker;
}

/* A meeting is given up after a while: TBB does not promise that all its threads come. */
struct meeting { atomic_uint come; unsigned all; };

static void meet(void *context, size_t begin, size_t end, unsigned worker)
{
    struct meeting *meeting = context;
    double patience = 0.0;

    (void)begin;
    (void)end;
    (void)worker;
    atomic_fetch_add(&meeting->come, 1);
    for (unsigned turn = 1; atomic_load_explicit(&meeting->come, memory_order_acquire) < meeting->all; turn++) {
        if (turn % 1024 != 0)
            continue;
        sched_yield();
        if (patience == 0.0)
            patience = mw_now() + 10e-3;
        if (mw_now() > patience)
            return;
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void start_empty(struct mw_executor *executor)
{
    mw_parallel_for(executor, 64 * (size_t)mw_executor_threads(executor), 0, nothing, NULL);
}

static void start_met(struct mw_executor *executor)
{
    struct meeting meeting = { .all = mw_executor_threads(executor) };

    mw_parallel_for(executor, meeting.all, 1, meet, &meeting);
}

static const struct { const char *name; void (*start)(struct mw_executor *executor); int starts; useconds_t rest; }
measures[] = {
    { "empty", start_empty, 100, 0 },
    { "met", start_met, 20, 0 },
    { "rested", start_met, 1, 1000 },
};

static void bench(struct mw_executor *executor)
{
    double samples[SAMPLES];

    printf("%-9s %7u", executor->kind->name, mw_executor_threads(executor));
    for (size_t m = 0; m < MW_COUNT(measures); m++) {
        for (int i = 0; i < SAMPLES; i++) {
            if (measures[m].rest)
                usleep(measures[m].rest);
            double begin = mw_now();

            for (int k = 0; k < measures[m].starts; k++)
                measures[m].start(executor);
            samples[i] = (mw_now() - begin) * 1e6 / measures[m].starts;
        }
        qsort(samples, SAMPLES, sizeof *samples, by_size);
        printf(" %10.2f (%8.2f)", samples[SAMPLES / 2], samples[SAMPLES - SAMPLES / 10]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    unsigned cores = mw_core_count(), most = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2 * cores;
    int rc = 0;

    printf("%u cores; microseconds of a start: median (nine of ten below)\n%-9s %7s", cores, "executor", "threads");
    for (size_t m = 0; m < MW_COUNT(measures); m++)
        printf(" %10s           ", measures[m].name);
    printf("\n");
    for (const struct mw_executor_kind *kind = mw_executor_kinds; kind->name && rc == 0; kind++) {
        unsigned last = 0;

        for (unsigned threads = 1; threads <= most && rc == 0; threads *= 2) {
            struct mw_executor *executor = NULL;

            rc = mw_executor_new(kind->name, threads, &executor);
            /* An executor that takes fewer threads than asked for is measured once with those. */
            if (rc == 0 && mw_executor_threads(executor) != last) {
                last = mw_executor_threads(executor);
                bench(executor);
            }
            mw_executor_free(executor);
        }
    }
    if (rc != 0)
        fprintf(stderr, "parallel-for: %s\n", mw_errmsg());
    return rc != 0;
}
