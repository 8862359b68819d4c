/* Tuning: the choice among candidates. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

#include <meshwork/tune.h>

#include "tests/check.h"

/* Candidates with times or failures from a table. */
struct trial {
    int status;
    double seconds, again; /* 0: the same */
};
struct trials {
    const struct trial *trials;
    const struct mw_shape *first;
    size_t measured;
    bool seen[8];
    double pause;
};

static int measure(void *context, const struct mw_shape *shape, double *seconds)
{
    struct trials *t = context;
    const size_t i = (size_t)(shape - t->first);
    const struct trial *trial = &t->trials[i];
    const bool again = t->seen[i];
    if (!again)
        assert_int_equal(i, t->measured++); /* in order */
    t->seen[i] = true;
    if (t->pause > 0)
        usleep((useconds_t)(t->pause * 1e6));
    *seconds = again && trial->again > 0 ? trial->again : trial->seconds;
    if (again && trial->again < 0)
        return mw_fail(MW_EDEVICE, "trial %zu failed the second time", i);
    return trial->status ? mw_fail(trial->status, "trial %zu failed", t->measured) : 0;
}

static int tune(const struct trial *trials, size_t count, double budget, double pause, unsigned *winner, size_t *tried)
{
    struct mw_shape candidates[8] = { { .vec = 1 }, { .vec = 2 }, { .vec = 3 }, { .vec = 4 }, { .vec = 5 } };
    struct mw_shape best = { .vec = 77 };
    struct trials t = { .trials = trials, .first = candidates, .pause = pause };
    struct mw_tuning tuning = { .size = sizeof tuning,
                                .candidates = candidates,
                                .count = count,
                                .budget = budget,
                                .measure = measure,
                                .context = &t };
    double seconds = -1.0;
    int rc = mw_tune(&tuning, &best, &seconds, tried);
    *winner = best.vec;
    if (rc == 0) {
        const struct trial *won = &trials[best.vec - 1];
        assert_true(seconds == won->seconds || (won->again > 0 && seconds == won->again));
        assert_int_equal(*tried, t.measured);
    } else {
        assert_true(seconds == -1.0 && best.vec == 77);
    }
    return rc;
}

static void test_tune(void **state)
{
    const struct trial fine[] = { { 0, 3.0, 0 }, { 0, 1.0, 0 }, { 0, 2.0, 0 }, { 0, 1.0, 0 } };
    const struct trial some[] = {
        { MW_EBUILD, 0, 0 }, { 0, NAN, 0 }, { 0, 2.0, 0 }, { 0, -1.0, 0 }, { MW_ELIMIT, 0, 0 }
    };
    const struct trial none[] = { { MW_EBUILD, 0, 0 }, { MW_ELIMIT, 0, 0 } };
    const struct trial slowed[] = { { 0, 3.0, 1.0 }, { 0, 2.0, 0 }, { 0, 2.5, 0 } };
    const struct trial better[] = { { 0, 3.0, 2.5 }, { 0, 2.0, 4.0 } };
    const struct trial lost[] = { { 0, 3.0, -1 }, { 0, 2.0, -1 } };
    const struct trial stop[] = { { 0, 3.0, 0 }, { MW_ESTOPPED, 0, 0 }, { 0, 1.0, 0 } };
    unsigned winner;
    size_t tried = 99;
    assert_int_equal(tune(fine, 4, 1e9, 0, &winner, &tried), 0);
    assert_int_equal(winner, 2); /* at a tie the first */
    assert_int_equal(tried, 4);
    assert_int_equal(tune(fine, 4, 0.0, 0, &winner, &tried), 0);
    assert_int_equal(winner, 1);
    assert_int_equal(tried, 1);
    assert_int_equal(tune(fine, 4, 1e-3, 2e-3, &winner, &tried), 0);
    assert_int_equal(tried, 1);
    assert_int_equal(tune(fine, 4, 3e-3, 2e-3, &winner, &tried), 0); /* the second would come too late */
    assert_int_equal(tried, 1);
    assert_int_equal(tune(some, 5, 1e9, 0, &winner, &tried), 0);
    assert_int_equal(winner, 3);
    assert_int_equal(tried, 5);
    assert_int_equal(tune(some, 5, 0.0, 0, &winner, &tried), 0); /* until one could be timed */
    assert_int_equal(winner, 3);
    assert_int_equal(tried, 3);
    /* A winner is timed again against the first if there is time; the least time of each counts. */
    assert_int_equal(tune(slowed, 3, 1e9, 0, &winner, &tried), 0);
    assert_int_equal(winner, 1);
    assert_int_equal(tried, 3);
    assert_int_equal(tune(slowed, 3, 10.0, 0, &winner, &tried), 0);
    assert_int_equal(winner, 2);
    assert_int_equal(tune(better, 2, 1e9, 0, &winner, &tried), 0);
    assert_int_equal(winner, 2);
    assert_int_equal(tune(lost, 2, 1e9, 0, &winner, &tried), 0);
    assert_int_equal(winner, 2);
    tried = 99;
    assert_int_equal(tune(none, 2, 1e9, 0, &winner, &tried), MW_ELIMIT);
    assert_non_null(strstr(mw_errmsg(), "trial 2"));
    assert_int_equal(tune(stop, 3, 1e9, 0, &winner, &tried), MW_ESTOPPED);
    assert_int_equal(tune(fine, 0, 1e9, 0, &winner, &tried), MW_EINVAL);
    assert_int_equal(tried, 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tune) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
