/* The executors: every position is visited exactly once, and each worker is used by one share at a time. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "dev/host/host.h"
#include "dev/native/executor.h"

#include "tests/check.h"

#define THREADS_MAX 7

/* Calls `test` for each kind, with 1 to 7 threads. */
static void each_executor(void (*test)(struct mw_executor *executor))
{
    for (const struct mw_executor_kind *kind = mw_executor_kinds; kind->name; kind++) {
        for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
            struct mw_executor *executor = NULL;
            assert_int_equal(mw_executor_new(kind->name, threads, &executor), 0);
            if (strcmp(kind->name, "serial") == 0)
                assert_int_equal(mw_executor_threads(executor), 1);
            else if (strcmp(kind->name, "pthreads") == 0)
                assert_int_equal(mw_executor_threads(executor), threads);
            else
                assert_in_range(mw_executor_threads(executor), 1, threads);
            test(executor);
            mw_executor_free(executor);
        }
    }
}

/* Counters of a body.  Failures are counted, not asserted, since cmocka's jumps work only in the test's own thread. */
struct watch {
    size_t count, longest; /* number of shares, and the longest */
    unsigned workers;
    atomic_int *visits; /* per position; NULL: only the sum is kept */
    atomic_size_t positions;
    atomic_uint wrong;            /* shares that are empty, out of range, or of an invalid worker */
    atomic_uint clashes;          /* two concurrent shares of one worker */
    atomic_int busy[THREADS_MAX]; /* no bytes: gcc 12 for riscv64 calls a library to exchange these */
};

static void watch_share(void *context, size_t begin, size_t end, unsigned worker)
{
    struct watch *w = context;
    if (begin >= end || end > w->count || worker >= w->workers || (w->longest && end - begin > w->longest)) {
        atomic_fetch_add(&w->wrong, 1);
        return;
    }
    if (atomic_exchange(&w->busy[worker], true))
        atomic_fetch_add(&w->clashes, 1);
    for (size_t i = begin; w->visits && i < end; i++)
        atomic_fetch_add_explicit(&w->visits[i], 1, memory_order_relaxed);
    atomic_fetch_add(&w->positions, end - begin);
    atomic_store(&w->busy[worker], false);
}

static void check_for(struct mw_executor *executor, size_t count, size_t grain, size_t longest)
{
    static atomic_int visits[1 << 16];
    struct watch w = { .count = count,
                       .longest = longest,
                       .workers = mw_executor_threads(executor),
                       .visits = count <= MW_COUNT(visits) ? visits : NULL };

    memset(visits, 0, sizeof visits);
    mw_parallel_for(executor, count, grain, watch_share, &w);
    if (w.visits) {
        for (size_t i = 0; i < count && i < MW_COUNT(visits); i++) {
            if (visits[i] != 1)
                fail_msg("%s, %u threads: position %zu of %zu (grain %zu) was visited %d times", executor->kind->name,
                         executor->threads, i, count, grain, visits[i]);
        }
    }
    assert_int_equal(w.wrong, 0);
    assert_int_equal(w.clashes, 0);
    assert_true(w.positions == count);
}

static void small_counts(struct mw_executor *executor)
{
    static const size_t grains[] = { 0, 1, 2, 3, 7, 64, 1000 };
    for (size_t count = 0; count <= 130; count++) {
        for (size_t g = 0; g < MW_COUNT(grains); g++)
            check_for(executor, count, grains[g], grains[g]);
    }
}

static void large_counts(struct mw_executor *executor)
{
    check_for(executor, 65521, 0, 0);
    check_for(executor, 65521, 1, 0);
    check_for(executor, 65536, 97, 97);
    check_for(executor, SIZE_MAX, 0, 0);
    check_for(executor, SIZE_MAX, SIZE_MAX / 1000, 0);
    check_for(executor, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX - 1);
    check_for(executor, SIZE_MAX, SIZE_MAX, 0);
    for (int i = 0; i < 50; i++)
        check_for(executor, random_word() % 65536, random_word() % 300, 0);
}

static void test_small_counts(void **state) { each_executor(small_counts); }

static void test_large_counts(void **state) { each_executor(large_counts); }

/* Shares of very different cost, and idle times in which workers fall asleep. */
static void uneven_share(void *context, size_t begin, size_t end, unsigned worker)
{
    watch_share(context, begin, end, worker);
    if (begin % 13 == 0)
        usleep(300);
}

static void uneven(struct mw_executor *executor)
{
    for (int i = 0; i < 20; i++) {
        struct watch w = { .count = 100, .workers = mw_executor_threads(executor) };
        mw_parallel_for(executor, w.count, 1 + i % 4, uneven_share, &w);
        assert_true(w.positions == w.count);
        assert_int_equal(w.wrong + w.clashes, 0);
        usleep((useconds_t)(random_word() % 400));
    }
}

static void test_uneven(void **state) { each_executor(uneven); }

/* Plain memory is written by one start and read by the next.  A race detector reports missing ordering here. */
static void add_one(void *context, size_t begin, size_t end, unsigned worker)
{
    unsigned *cells = context;
    for (size_t i = begin; i < end; i++)
        cells[i] = cells[64 + i] + 1;
    for (size_t i = begin; i < end; i++)
        cells[64 + i] = cells[i];
}

static void many_starts(struct mw_executor *executor)
{
    unsigned cells[128] = { 0 };
    const unsigned starts = 15000;
    for (unsigned i = 0; i < starts; i++)
        mw_parallel_for(executor, 64, i % 5, add_one, cells);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(cells[i], starts);
}

static void test_many_starts(void **state) { each_executor(many_starts); }

static void test_threads(void **state)
{
    static const char *const wrong[] = { "0", "-1", "two", "3x", " 2", "+2", "1.5" };
    struct mw_executor *executor = NULL;
    cpu_set_t before, one;
    unsigned threads = 0;
    assert_int_equal(setenv("MESHWORK_THREADS", "3", 1), 0);
    assert_int_equal(mw_executor_new("pthreads", 0, &executor), 0);
    assert_int_equal(mw_executor_threads(executor), 3);
    mw_executor_free(executor);
    assert_int_equal(mw_thread_count(2, &threads), 0);
    assert_int_equal(threads, 2);
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        assert_int_equal(setenv("MESHWORK_THREADS", wrong[i], 1), 0);
        assert_int_equal(mw_thread_count(0, &threads), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), "MESHWORK_THREADS"));
    }
    assert_int_equal(setenv("MESHWORK_THREADS", "99999999999999999999999", 1), 0);
    assert_int_equal(mw_thread_count(0, &threads), MW_ELIMIT);
    assert_int_equal(threads, 2);
    assert_int_equal(setenv("MESHWORK_THREADS", "", 1), 0);
    assert_int_equal(mw_thread_count(0, &threads), 0);
    assert_int_equal(threads, mw_core_count());
    assert_int_equal(unsetenv("MESHWORK_THREADS"), 0);

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(mw_core_count(), CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++) {
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(mw_core_count(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

#ifdef HAVE_HWLOC
/* Makes plans for an artificial machine, with the cores of each place as bits.  Returns the number of places, 0 without
 * a plan. */
static unsigned plan(const char *machine, unsigned threads, bool always, uint64_t sets[])
{
    struct mw_places *places;
    assert_int_equal(setenv("HWLOC_SYNTHETIC", machine, 1), 0);
    assert_int_equal(setenv("HWLOC_THISSYSTEM", "0", 1), 0);
    places = mw_places_plan(threads, always);
    for (unsigned i = 0; places && i < threads; i++) {
        sets[i] = 0;
        for (unsigned core = 0; core < 64; core++)
            sets[i] |= (uint64_t)mw_places_has(places, i, core) << core;
    }
    mw_places_free(places);
    assert_int_equal(unsetenv("HWLOC_SYNTHETIC"), 0);
    assert_int_equal(unsetenv("HWLOC_THISSYSTEM"), 0);
    return places ? threads : 0;
}

static void test_places(void **state)
{
    uint64_t sets[16];
    assert_int_equal(plan("numa:1 core:4 pu:1", 4, false, sets), 0);
    assert_int_equal(plan("numa:1 core:4 pu:1", 4, true, sets), 4);
    /* One core per thread, in the order of the cores. */
    assert_int_equal(plan("numa:2 core:4 pu:1", 8, false, sets), 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(sets[i], 1u << i);
    /* Two threads of a core share it, even with distant numbers. */
    assert_int_equal(plan("numa:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", 8, false, sets), 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(sets[i], 0x11u << i / 2);
    /* One core per thread if there are as many threads; its node with fewer; no plan with more than places. */
    assert_int_equal(plan("numa:2 core:4 pu:2", 8, false, sets), 8);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(sets[i], 3u << 2 * i);
    assert_int_equal(plan("numa:2 core:4 pu:1", 4, false, sets), 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sets[i], i < 2 ? 0x0f : 0xf0);
    assert_int_equal(plan("numa:2 core:4 pu:1", 9, false, sets), 0);
}

/* Counts calls on workers that may run on other than one core; the caller's worker is not bound. */
static void see_cores(void *context, size_t begin, size_t end, unsigned worker)
{
    atomic_uint *wrong = context;
    cpu_set_t set;

    if (worker != 0 && (sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1))
        atomic_fetch_add(wrong, 1);
    atomic_fetch_add(&wrong[1], worker != 0);
    usleep(200);
}

/* Two cores in two nodes of an artificial machine; later only one of them is in the mask. */
static void test_threads_are_bound(void **state)
{
    cpu_set_t before, after, one;
    struct mw_executor *executor;
    atomic_uint wrong[2] = { 0, 0 };

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    if (!CPU_ISSET(0, &before) || !CPU_ISSET(1, &before))
        skip();
    assert_int_equal(setenv("MESHWORK_BIND", "1", 1), 0);
    assert_int_equal(setenv("HWLOC_SYNTHETIC", "numa:2 core:1 pu:1", 1), 0);
    assert_int_equal(setenv("HWLOC_THISSYSTEM", "1", 1), 0);
    assert_int_equal(mw_executor_new("pthreads", 2, &executor), 0);
    assert_true(mw_executor_is_bound(executor));
    while (wrong[1] == 0)
        mw_parallel_for(executor, 64, 1, see_cores, wrong);
    assert_int_equal(wrong[0], 0);
    mw_executor_free(executor);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_true(CPU_EQUAL(&before, &after));

    CPU_ZERO(&one);
    CPU_SET(1, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_null(mw_places_plan(1, false));
    assert_null(mw_places_plan(2, true));
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);

    assert_int_equal(setenv("MESHWORK_BIND", "0", 1), 0);
    assert_null(mw_places_new(2));
    assert_int_equal(unsetenv("MESHWORK_BIND"), 0);
    assert_int_equal(unsetenv("HWLOC_SYNTHETIC"), 0);
    assert_int_equal(unsetenv("HWLOC_THISSYSTEM"), 0);
}
#endif

static void test_refusals(void **state)
{
    struct mw_executor *executor = NULL;
    assert_int_equal(mw_executor_new("fibres", 1, &executor), MW_EINVAL);
    assert_non_null(strstr(mw_errmsg(), "fibres"));
    assert_int_equal(mw_executor_new("pthreads", MW_THREADS_MAX + 1, &executor), MW_ELIMIT);
    assert_null(executor);
    mw_executor_free(NULL);
}

static void see_signals(void *context, size_t begin, size_t end, unsigned worker)
{
    atomic_uint *open = context;
    sigset_t blocked;

    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (worker != 0 && !sigismember(&blocked, SIGINT))
        atomic_fetch_add(open, 1);
    usleep(200);
}

static void test_signals_are_blocked(void **state)
{
    struct mw_executor *executor = NULL;
    atomic_uint open = 0;
    sigset_t before, after;

    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(mw_executor_new("pthreads", 4, &executor), 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    mw_parallel_for(executor, 40, 1, see_signals, &open);
    assert_int_equal(open, 0);
    mw_executor_free(executor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_counts), cmocka_unit_test(test_large_counts),
        cmocka_unit_test(test_uneven),       cmocka_unit_test(test_many_starts),
        cmocka_unit_test(test_threads),
#ifdef HAVE_HWLOC
        cmocka_unit_test(test_places),       cmocka_unit_test(test_threads_are_bound),
#endif
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_signals_are_blocked),
    };

    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
