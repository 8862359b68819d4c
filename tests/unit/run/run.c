/* The time loop with a simulation that records its calls. */
#include <meshwork/run.h>

#include "base/base.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/check.h"

#define NEVER UINT64_MAX

struct diary {
    uint64_t every, steps; /* as requested */
    uint64_t step;         /* queued */
    uint64_t together;
    uint64_t advances, largest;     /* batches, and the largest one */
    bool queues;                    /* steps may be queued without waiting ... */
    uint64_t queued, queues_called; /* ... and these are so far */
    uint64_t observed, last;        /* number of outputs, and step of the last one */
    bool begun;
    bool wrong;                /* a call violated the contract */
    uint64_t stop_at, fail_at; /* in the batch that reaches this step */
    uint64_t stop_observing_at;
    int fail_init, fail_observe; /* returned by init, and by the first observation after fail_at */
    bool slow;                   /* so slow that 2^64 steps never end */
    atomic_bool started;
    uint64_t shown, shows; /* progress */
    uint64_t stop_showing_at;
};

static int advance(void *context, uint64_t n)
{
    struct diary *d = context;
    uint64_t to_output = d->every > 0 ? d->every - d->step % d->every : n;
    if (n == 0) {
        d->wrong = d->wrong || d->queued == 0;
        d->queued = 0;
        return 0;
    }
    d->queued = 0;
    d->wrong = d->wrong || n > d->steps - d->step || n > to_output || d->observed == 0;
    d->wrong = d->wrong || (d->advances == 0 && n != 1);
    if (d->together > 1 && d->advances > 0)
        d->wrong = d->wrong || (n % d->together != 0 && n != d->steps - d->step && n != to_output);
    else
        d->wrong = d->wrong || (d->advances < 20 && n > (uint64_t)1 << 2 * d->advances); /* grows by 4 at most */
    d->advances++;
    d->step += n;
    if (d->slow)
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    d->largest = n > d->largest ? n : d->largest;
    if (d->step >= d->stop_at) {
        mw_run_stop();
        d->stop_at = NEVER;
    }
    return d->step >= d->fail_at && !d->fail_observe ? mw_fail(MW_EDEVICE, "broken") : 0;
}

/* Queues steps up to an output or the end, at most the previous batch size. */
static int queue(void *context, uint64_t n)
{
    struct diary *d = context;
    const uint64_t waited = d->queued, most = (uint64_t)1 << (2 * d->advances < 62 ? 2 * d->advances : 62);
    const int rc = advance(context, n);
    d->advances--;
    d->queues_called++;
    d->wrong = d->wrong || n == 0 || d->advances == 0 || waited + n >= most ||
               (d->every > 0 && d->step % d->every != 0 && d->step != d->steps);
    d->queued = waited + n;
    return rc;
}

static int init(void *context)
{
    struct diary *d = context;
    d->wrong = d->wrong || d->begun || d->observed > 0;
    d->begun = true;
    return d->fail_init ? mw_fail(d->fail_init, "broken") : 0;
}

static int observe(void *context, uint64_t step)
{
    struct diary *d = context;
    d->wrong = d->wrong || !d->begun || step != d->step || (d->observed > 0 && step <= d->last);
    d->observed++;
    d->last = step;
    atomic_store(&d->started, true);
    if (step == d->stop_observing_at)
        mw_run_stop();
    return step >= d->fail_at ? d->fail_observe : 0;
}

static int progress(void *context, uint64_t step, uint64_t steps)
{
    struct diary *d = context;
    d->wrong = d->wrong || step < d->shown || steps != d->steps || step != d->step;
    d->shown = step;
    d->shows++;
    return step >= d->stop_showing_at;
}

static struct diary new_diary(uint64_t steps, uint64_t every)
{
    return (struct diary){ .every = every,
                           .steps = steps,
                           .stop_at = NEVER,
                           .fail_at = NEVER,
                           .stop_observing_at = NEVER,
                           .stop_showing_at = NEVER };
}

static int run_for(struct diary *d, double limit, struct mw_run_result *result)
{
    struct mw_run_simulation s = { .size = sizeof s,
                                   .context = d,
                                   .init = init,
                                   .advance = advance,
                                   .observe = observe,
                                   .together = d->together,
                                   .queue = d->queues ? queue : NULL };
    struct mw_run_options o = { .size = sizeof o, .steps = d->steps, .every = d->every, .time_limit = limit };
    mw_progress_to(progress, d);
    const int rc = mw_run(&s, &o, result);
    mw_progress_to(NULL, NULL);
    return rc;
}

static int run(struct diary *d, struct mw_run_result *result) { return run_for(d, 0, result); }

/* Returns the number of outputs: 0, the multiples of `every`, and the end, each once. */
static uint64_t outputs(uint64_t steps, uint64_t every)
{
    uint64_t n = 1;
    if (every > 0)
        n += steps / every;
    return n + (steps > 0 && (every == 0 || steps % every != 0));
}

static void assert_complete(uint64_t steps, uint64_t every)
{
    struct diary d = new_diary(steps, every);
    struct mw_run_result r = MW_INIT(r);
    if (run(&d, &r) != 0)
        fail_msg("%s", mw_errmsg());
    if (d.wrong || d.step != steps || r.steps != steps || d.observed != outputs(steps, every) || d.last != steps)
        fail_msg("steps %llu every %llu: wrong %d, step %llu, observed %llu, last %llu", (unsigned long long)steps,
                 (unsigned long long)every, d.wrong, (unsigned long long)d.step, (unsigned long long)d.observed,
                 (unsigned long long)d.last);
    assert_true(r.seconds >= 0 && r.first_step_seconds >= 0);
    assert_true(r.done == steps && r.checkpoints == 0 && r.checkpoint_seconds == 0);
    if (steps > 0) {
        assert_int_equal(d.shown, steps);
    } else {
        assert_int_equal(d.advances, 0);
        assert_true(r.first_step_seconds == 0 && r.seconds == 0);
    }
}

static void outputs_come_on_schedule(void **state)
{
    seed_random();
    for (uint64_t steps = 0; steps < 12; steps++)
        for (uint64_t every = 0; every < 14; every++)
            assert_complete(steps, every);
    for (int i = 0; i < 300; i++)
        assert_complete((uint64_t)rand() % 100000, (uint64_t)rand() % (rand() % 2 ? 50000 : 100));
}

static void batches_grow(void **state)
{
    struct diary d = new_diary(1000000000, 0);
    assert_int_equal(run(&d, NULL), 0);
    assert_false(d.wrong);
    assert_true(d.advances < 1000000);
    assert_true(d.largest > 1000);
}

static void batches_are_of_steps_that_belong_together(void **state)
{
    for (uint64_t together = 1; together < 40; together = together * 2 + 1) {
        struct diary d = new_diary(100003, together % 3 ? 0 : 1001);
        d.together = together;
        assert_int_equal(run(&d, NULL), 0);
        assert_false(d.wrong);
        assert_int_equal(d.step, 100003);
    }
}

static void steps_up_to_an_output_may_be_queued(void **state)
{
    uint64_t called = 0;
    seed_random();
    for (int i = 0; i < 500; i++) {
        struct diary d = new_diary((uint64_t)rand() % 20000, (uint64_t)rand() % 200);
        struct mw_run_result r = MW_INIT(r);
        d.queues = true;
        d.stop_at = i % 5 ? NEVER : (uint64_t)rand() % 20000;
        const int rc = run(&d, &r);
        assert_true(rc == 0 || rc == MW_ESTOPPED);
        if (d.wrong || d.queued > 0 || d.last != d.step || r.done != d.step || (rc == 0 && d.step != d.steps))
            fail_msg("steps %llu every %llu: wrong %d, %llu queued at the end, step %llu, last %llu",
                     (unsigned long long)d.steps, (unsigned long long)d.every, d.wrong, (unsigned long long)d.queued,
                     (unsigned long long)d.step, (unsigned long long)d.last);
        called += d.queues_called;
    }
    assert_true(called > 1000);
}

static void the_function_of_progress_ends_the_loop(void **state)
{
    struct diary d = new_diary(100000, 1000);
    struct mw_run_result r = MW_INIT(r);
    d.stop_showing_at = 1;
    assert_int_equal(run(&d, &r), MW_ESTOPPED);
    assert_true(!d.wrong && d.shows == 1 && d.step == d.shown && d.last == d.step && r.steps == d.step);
}

static void a_stop_ends_the_loop(void **state)
{
    for (uint64_t at = 1; at < 4000; at = at * 3 + 1) {
        struct diary d = new_diary(NEVER, 1000);
        struct mw_run_result r = MW_INIT(r);
        d.stop_at = at;
        assert_int_equal(run(&d, &r), MW_ESTOPPED);
        assert_false(d.wrong);
        assert_true(d.step >= at);
        assert_true(d.step < at + 1000);
        assert_int_equal(r.steps, d.step);
        assert_int_equal(d.last, d.step);                        /* the last state was observed, */
        assert_int_equal(d.observed, 1 + (d.step + 999) / 1000); /* once */
        assert_non_null(strstr(mw_errmsg(), "on request"));
    }
    assert_complete(10, 3); /* all stops are used */
}

static void an_early_stop_stops_the_next_loop(void **state)
{
    struct diary d = new_diary(100, 10), last = new_diary(100, 10);
    struct mw_run_result r = { .size = sizeof r, .steps = 77 };
    mw_run_stop();
    mw_run_stop();
    assert_int_equal(run(&d, &r), MW_ESTOPPED);
    assert_int_equal(r.steps, 0);
    assert_int_equal(d.observed, 1);
    assert_int_equal(d.advances, 0);
    assert_complete(100, 10);
    last.stop_observing_at = 100; /* too late for this loop, which is complete */
    assert_int_equal(run(&last, &r), 0);
    d = new_diary(100, 10);
    assert_int_equal(run(&d, &r), MW_ESTOPPED);
    assert_complete(100, 10);
}

static void *run_until_stopped(void *context) { return run(context, NULL) == MW_ESTOPPED ? context : NULL; }

static void a_stop_ends_all_loops(void **state)
{
    struct diary d[3];
    pthread_t t[3];
    void *stopped;
    for (int i = 0; i < 3; i++) {
        d[i] = new_diary(NEVER, 0);
        d[i].slow = true;
        assert_int_equal(pthread_create(&t[i], NULL, run_until_stopped, &d[i]), 0);
    }
    for (int i = 0; i < 3; i++)
        while (!atomic_load(&d[i].started))
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    mw_run_stop();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(t[i], &stopped), 0);
        assert_ptr_equal(stopped, &d[i]);
        assert_false(d[i].wrong);
        assert_int_equal(d[i].last, d[i].step);
    }
    assert_complete(10, 3);
}

static void the_time_limit_ends_the_loop(void **state)
{
    struct diary d = new_diary(NEVER, 0), short_one = new_diary(10, 0);
    struct mw_run_result r = MW_INIT(r);
    d.slow = true;
    assert_int_equal(run_for(&d, 0.01, &r), MW_ESTOPPED);
    assert_false(d.wrong);
    assert_int_equal(r.steps, d.step);
    assert_int_equal(d.last, d.step);
    assert_non_null(strstr(mw_errmsg(), "time limit"));
    assert_int_equal(run_for(&short_one, 1e9, &r), 0);
    assert_int_equal(r.steps, 10);
    assert_int_equal(run_for(&d, -1, &r), MW_EINVAL);
    assert_int_equal(run_for(&d, NAN, &r), MW_EINVAL);
}

/* A simulation that ends by itself at step `last`: later steps are not computed. */
struct ending {
    uint64_t step, last, observed, shown, expected;
};

static int advance_to_end(void *context, uint64_t n)
{
    struct ending *e = context;
    e->step += n < e->last - e->step ? n : e->last - e->step;
    return 0;
}

static void look_where(void *context, uint64_t *step, double *left)
{
    const struct ending *e = context;
    *step = e->step;
    *left = 1 - (double)e->step / (double)e->last;
}

static int observe_ending(void *context, uint64_t step)
{
    struct ending *e = context;
    e->observed = e->observed * 100 + step;
    return step == e->step ? 0 : mw_fail(MW_EVERIFY, "wrong step");
}

static int show_ending(void *context, uint64_t step, uint64_t steps)
{
    struct ending *e = context;
    e->shown = step;
    e->expected = steps;
    return 0;
}

static int start_ending(void *context) { return 0; }

static void a_simulation_may_end_by_itself(void **state)
{
    struct ending e = { .last = 27 };
    const struct mw_run_simulation s = { .size = sizeof s,
                                         .context = &e,
                                         .init = start_ending,
                                         .advance = advance_to_end,
                                         .observe = observe_ending,
                                         .where = look_where };
    struct mw_run_options o = { .size = sizeof o, .steps = UINT64_MAX / 2, .every = 10 };
    struct mw_run_result r = MW_INIT(r);
    mw_progress_to(show_ending, &e);
    OK(mw_run(&s, &o, &r));
    assert_true(r.steps == 27 && r.done == 27 && e.observed == 102027 && e.shown == 27 && e.expected == 27);
    e = (struct ending){ .last = 27 };
    o.steps = 20; /* the options end it earlier */
    OK(mw_run(&s, &o, &r));
    mw_progress_to(NULL, NULL);
    assert_true(r.steps == 20 && e.observed == 1020 && e.shown == 20 && e.expected == 20);
}

static void errors_of_the_simulation_come_back(void **state)
{
    for (int kind = 0; kind < 3; kind++)
        for (uint64_t at = 0; at < 50; at += 7) {
            struct diary d = new_diary(100, 5);
            struct mw_run_result r = { .size = sizeof r, .steps = 77 };
            int wanted = kind == 0 ? MW_EDEVICE : kind == 1 ? MW_EVERIFY : MW_EIO;
            d.fail_at = at;
            d.fail_init = kind == 1 ? MW_EVERIFY : 0;
            d.fail_observe = kind == 2 ? MW_EIO : 0;
            assert_int_equal(run(&d, &r), wanted);
            assert_false(d.wrong);
            assert_true(kind == 1 ? d.step == 0 : d.step >= at && d.step <= at + 5);
            assert_int_equal(r.steps, 77);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_come_on_schedule),
        cmocka_unit_test(batches_grow),
        cmocka_unit_test(batches_are_of_steps_that_belong_together),
        cmocka_unit_test(steps_up_to_an_output_may_be_queued),
        cmocka_unit_test(a_stop_ends_the_loop),
        cmocka_unit_test(the_function_of_progress_ends_the_loop),
        cmocka_unit_test(an_early_stop_stops_the_next_loop),
        cmocka_unit_test(a_stop_ends_all_loops),
        cmocka_unit_test(the_time_limit_ends_the_loop),
        cmocka_unit_test(a_simulation_may_end_by_itself),
        cmocka_unit_test(errors_of_the_simulation_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
