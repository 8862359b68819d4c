/* The cost of starting the native executors, by executor and number of threads.
 *
 *   bench/parallel-for [-s] [-l] [--threads MOST] [ROUNDS]          (twice the cores, to show oversubscription; 99)
 *
 * "empty" is a parallel for with an empty body, repeated.  In "met" every thread waits for all others, so all must
 * arrive.  "rested" is the same after 1 ms of sleep, when the workers sleep as well.  Medians in microseconds; in
 * brackets the 90th percentile, which shows other load on the machine. */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/common/table.h"
#include "dev/host/host.h"
#include "dev/native/executor.h"

static void nothing(void *context, size_t begin, size_t end, unsigned worker) {}

/* Waiting for all threads has a time limit, since TBB does not guarantee that all of them start. */
struct meeting {
    atomic_uint come;
    unsigned all;
};

static void meet(void *context, size_t begin, size_t end, unsigned worker)
{
    struct meeting *meeting = context;
    double patience = 0.0;
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

static void start_empty(struct mw_executor *executor)
{
    mw_parallel_for(executor, 64 * (size_t)mw_executor_threads(executor), 0, nothing, NULL);
}

static void start_met(struct mw_executor *executor)
{
    struct meeting meeting = { .all = mw_executor_threads(executor) };
    mw_parallel_for(executor, meeting.all, 1, meet, &meeting);
}

static const struct {
    const char *name;
    void (*start)(struct mw_executor *executor);
    int starts;
    useconds_t rest;
} measures[] = {
    { "empty", start_empty, 100, 0 },
    { "met", start_met, 20, 0 },
    { "rested", start_met, 1, 1000 },
};

/* One of these cases on an executor. */
struct start {
    struct mw_executor *executor;
    size_t measure;
};

static double start_seconds(void *of)
{
    const struct start *s = of;
    if (measures[s->measure].rest)
        usleep(measures[s->measure].rest);
    const double begin = mw_now();
    for (int k = 0; k < measures[s->measure].starts; k++)
        measures[s->measure].start(s->executor);
    return (mw_now() - begin) / measures[s->measure].starts;
}

static void measure(const struct bench *bench, struct bench_table *table, struct mw_executor *executor)
{
    struct start starts[MW_COUNT(measures)];
    struct bench_contender contenders[MW_COUNT(measures)];
    char name[64];
    for (size_t m = 0; m < MW_COUNT(measures); m++) {
        starts[m] = (struct start){ executor, m };
        contenders[m] =
            (struct bench_contender){ .name = measures[m].name, .of = &starts[m], .seconds = start_seconds };
    }
    snprintf(name, sizeof name, "%s %u", executor->kind->name, mw_executor_threads(executor));
    bench_contest(bench, &(struct bench_contest){ .name = name }, contenders, MW_COUNT(measures));
    bench_text(table, "%s", executor->kind->name);
    bench_number(table, mw_executor_threads(executor));
    for (size_t m = 0; m < MW_COUNT(measures); m++) {
        bench_number(table, bench_seconds(&contenders[m]).median * 1e6);
        bench_text(table, "(%8.2f)", bench_quantile(&contenders[m], 0.9) * 1e6);
    }
}

int main(int argc, char **argv)
{
    const char *most_text = NULL;
    const struct bench_option options[] = { { "threads", "MOST", &most_text }, { NULL, NULL, NULL } };
    const struct bench_setup setup = { .rounds = BENCH_ROUNDS_MAX, .own_devices = true, .options = options };
    static const struct bench_column columns[] = {
        { "executor", -9, 0 }, { "threads", 7, 0 }, { "empty", 10, 2 },  { "", -10, 0 },
        { "met", 10, 2 },      { "", -10, 0 },      { "rested", 10, 2 }, { "", -10, 0 },
    };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    const unsigned cores = mw_core_count();
    const unsigned most = most_text ? (unsigned)strtoul(most_text, NULL, 10) : bench.small ? 2 : 2 * cores;
    bench_say(&bench, "%u cores; microseconds of a start: median (nine of ten below)\n", cores);
    struct bench_table table = BENCH_TABLE(&bench, columns);
    for (const struct mw_executor_kind *kind = mw_executor_kinds; kind->name; kind++) {
        unsigned last = 0;
        for (unsigned threads = 1; threads <= most; threads *= 2) {
            struct mw_executor *executor;
            if (mw_executor_new(kind->name, threads, &executor) != 0)
                bench_die(kind->name);
            /* An executor that uses fewer threads than requested is measured once with that number. */
            if (mw_executor_threads(executor) != last)
                measure(&bench, &table, executor);
            last = mw_executor_threads(executor);
            mw_executor_free(executor);
        }
    }
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
