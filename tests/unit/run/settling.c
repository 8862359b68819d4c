/* Tests of equilibrium: series in equilibrium, and others. */
#include <meshwork/run.h>
#include <meshwork/spin.h>

#include <math.h>

#include "tests/check.h"

enum { EARLY = 500, MEASURED = 1000, N = EARLY + MEASURED, SERIES = 200, COPIES = 4 };

/* Variance 1, nearly normal. */
static double noise(void)
{
    double sum = 0;
    for (unsigned j = 0; j < 12; j++)
        sum += (double)(random_word() >> 11) * 0x1p-53 - 0.5;
    return sum;
}

/* Fills numbers of variance 1 that lose a fraction 1 - a of the previous one at each step. */
static void fill(double *v, size_t n, double a)
{
    v[0] = noise();
    for (size_t i = 1; i < n; i++)
        v[i] = a * v[i - 1] + sqrt(1 - a * a) * noise();
}

/* Returns how many of SERIES series, with a drift added, are not settled. */
static unsigned unsettled(double a, double (*drift)(size_t i))
{
    static double v[N];
    unsigned count = 0;
    for (unsigned k = 0; k < SERIES; k++) {
        struct mw_settling s = MW_INIT(s);
        fill(v, N, a);
        for (size_t i = 0; i < N; i++)
            v[i] += drift(i);
        OK(mw_values_settling(v, N, 1, EARLY, &s));
        assert_int_equal(s.why != MW_UNSETTLED_NONE, s.widening > 0);
        assert_true(s.widening == 0 || s.widening >= 4 * fabs(s.drift));
        count += s.why != MW_UNSETTLED_NONE;
    }
    return count;
}

static double no_drift(size_t i) { return (void)i, 0; }
static double power(size_t i) { return 40 / sqrt((double)(i + EARLY)); }
static double slope(size_t i) { return 1e-3 * (double)i; }
static double late_step(size_t i) { return i < EARLY + MEASURED / 2 ? 0 : 3; }

static void equilibrium_passes(void **state)
{
    random_state = 17;
    for (unsigned k = 0; k < 3; k++) {
        const double a = (double[]){ 0, 0.5, 0.8 }[k];
        const unsigned count = unsettled(a, no_drift);
        if (count > SERIES / 20)
            fail_msg("a = %g: %u of %d series in equilibrium do not pass", a, count, SERIES);
    }
}

static void drifts_are_found(void **state)
{
    static double (*const drifts[])(size_t) = { power, slope, late_step };

    random_state = 19;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < 2; j++) {
            const unsigned count = unsettled((double[]){ 0, 0.5 }[j], drifts[k]);
            if (count < SERIES * 3 / 4)
                fail_msg("drift %u: only %u of %d series are found", k, count, SERIES);
        }
}

/* A series that changes slowly, and copies trapped in different states, have few independent numbers. */
static void slow_series_are_found(void **state)
{
    static double v[COPIES * MEASURED];
    unsigned count = 0;
    random_state = 23;
    count = unsettled(0.999, no_drift);
    if (count < SERIES * 3 / 4)
        fail_msg("only %u of %d slow series are found", count, SERIES);
    for (size_t copy = 0; copy < COPIES; copy++) {
        fill(v + copy * MEASURED, MEASURED, 0);
        for (size_t i = 0; i < MEASURED; i++)
            v[copy * MEASURED + i] += copy == 0 ? 4 : 0;
    }
    struct mw_settling s = MW_INIT(s);
    OK(mw_values_settling(v, MEASURED, COPIES, 0, &s));
    assert_int_equal(s.why, MW_UNSETTLED_SLOW);
    assert_true(s.independent < 10 && s.widening >= 1);
    for (size_t i = 0; i < MEASURED; i++)
        v[i] -= 4;
    OK(mw_values_settling(v, MEASURED, COPIES, 0, &s));
    assert_int_equal(s.why, MW_UNSETTLED_NONE);
}

static void ends(void **state)
{
    double v[40] = { 0 }, time, error;
    struct mw_spin_equilibrium e = MW_INIT(e);
    struct mw_settling s = MW_INIT(s), of_energy = MW_INIT(of_energy), of_absolute = MW_INIT(of_absolute);
    OK(mw_values_settling(v, 40, 1, 10, &s)); /* frozen from the start */
    assert_int_equal(s.why, MW_UNSETTLED_NONE);
    assert_true(isnan(s.time) && s.widening == 0);
    v[0] = 1;
    OK(mw_values_settling(v, 40, 1, 10, &s)); /* one of ten is not a drift */
    assert_int_equal(s.why, MW_UNSETTLED_NONE);
    for (unsigned i = 0; i < 10; i++)
        v[i] = 1 + i;
    OK(mw_values_settling(v, 40, 1, 10, &s)); /* frozen later */
    assert_int_equal(s.why, MW_UNSETTLED_DRIFT);
    assert_true(s.drift == -5.5 && s.widening == 22);
    OK(mw_values_settling(v, 15, 1, 0, &s));
    assert_int_equal(s.why, MW_UNSETTLED_FEW);
    OK(mw_values_settling(v, 1, 1, 0, &s));
    assert_int_equal(s.why, MW_UNSETTLED_FEW);
    OK(mw_values_settling(v, 0, 1, 0, &s));
    assert_int_equal(s.why, MW_UNSETTLED_FEW);
    OK(mw_values_settling(v, 10, 1, 10, &s));
    assert_int_equal(s.why, MW_UNSETTLED_FEW);
    /* Frozen above a ground state, in it, and with an unknown ground state. */
    const struct mw_spin_measures ground = { .energy = -2, .magnetisation = -1 };
    double energy[40], magnetisation[40];
    for (unsigned k = 0; k < 3; k++) {
        const bool frozen = k == 0;
        for (unsigned i = 0; i < 40; i++) {
            energy[i] = k == 1 ? -2 : -1.9375;
            magnetisation[i] = k == 1 ? 1 : 0.25;
        }
        OK(mw_spin_equilibrium_estimate(energy, magnetisation, 40, 1, 4096, 0.5, &e));
        OK(mw_spin_equilibrium_settling(energy, magnetisation, 40, 1, 0, false, k == 2 ? NULL : &ground, &e, &of_energy,
                                        &of_absolute));
        assert_int_equal(of_energy.why, frozen ? MW_UNSETTLED_FROZEN : MW_UNSETTLED_NONE);
        assert_true(e.energy.error == (frozen ? 0.0625 : 0) && e.absolute.error == (frozen ? 0.75 : 0));
    }
    /* One of two copies is frozen within the range of the other: errors include half of its distance. */
    for (unsigned i = 0; i < 40; i++) {
        energy[i] = i < 20 ? -1.75 : i % 2 ? -2 : -1.5;
        magnetisation[i] = i < 20 ? 0.5 : i % 2 ? 0.75 : 0.25;
    }
    OK(mw_spin_equilibrium_estimate(energy, magnetisation, 20, 2, 4096, 0.5, &e));
    OK(mw_spin_equilibrium_settling(energy, magnetisation, 20, 2, 0, false, &ground, &e, &of_energy, &of_absolute));
    assert_int_equal(of_energy.why, MW_UNSETTLED_FROZEN);
    assert_true(of_energy.widening == 0.125 && of_absolute.widening == 0.25);
    assert_true(e.energy.error > 0.125 && e.absolute.error > 0.25);
    /* More numbers than addresses, with a product that overflows to 0 or to a small number. */
    assert_int_equal(mw_values_settling(v, SIZE_MAX / 2 + 1, 2, 0, &s), MW_ENOMEM);
    assert_int_equal(mw_values_settling(v, SIZE_MAX / 4 + 2, 4, SIZE_MAX / 4, &s), MW_ENOMEM);
    assert_int_equal(mw_values_autocorrelation(v, SIZE_MAX / 2 + 1, 2, &time, &error), MW_ENOMEM);
    assert_int_equal(mw_spin_equilibrium_estimate(v, v, SIZE_MAX / 2 + 1, 2, 1, 1, &e), MW_ENOMEM);
    assert_int_equal(mw_spin_equilibrium_settling(v, v, SIZE_MAX / 2 + 1, 2, 0, false, NULL, &e, &of_energy,
                                                  &of_absolute),
                     MW_ENOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equilibrium_passes),
        cmocka_unit_test(drifts_are_found),
        cmocka_unit_test(slow_series_are_found),
        cmocka_unit_test(ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
