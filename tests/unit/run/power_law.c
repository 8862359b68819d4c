/* Fits of power laws: known laws, and the scatter from normal errors. */
#include <meshwork/run.h>

#include <math.h>

#include "tests/check.h"

enum { POINTS = 20 };

static void a_law_is_found(void **unused)
{
    double t[POINTS], y[POINTS], errors[POINTS], exponent, error;
    for (int i = 0; i < POINTS; i++) {
        t[i] = pow(1.7, i);
        y[i] = 0.3 * pow(t[i], 0.954);
        errors[i] = y[i] * (1 + i) / 100;
    }
    OK(mw_power_law_fit(t, y, NULL, POINTS, &exponent, &error));
    assert_true(fabs(exponent - 0.954) < 1e-13 && error < 1e-12);
    OK(mw_power_law_fit(t, y, errors, POINTS, &exponent, &error));
    assert_true(fabs(exponent - 0.954) < 1e-13 && error > 1e-4);
    OK(mw_power_law_fit(t, y, NULL, 2, &exponent, &error));
    assert_true(fabs(exponent - 0.954) < 1e-13 && isnan(error));
    OK(mw_power_law_fit(t, y, errors, 2, &exponent, &error));
    assert_true(error > 0);
}

/* A point of small weight has a small effect. */
static void errors_are_weights(void **unused)
{
    const double t[] = { 1, 10, 100 }, y[] = { 1, 10, 1000 }, errors[] = { 1e-3, 1e-2, 1e4 };
    double exponent, error;
    OK(mw_power_law_fit(t, y, errors, 3, &exponent, &error));
    assert_true(fabs(exponent - 1) < 1e-6);
    OK(mw_power_law_fit(t, y, NULL, 3, &exponent, &error));
    assert_true(fabs(exponent - 1.5) < 1e-13);
}

/* About normal, of deviation 1. */
static double noise(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(random_word() >> 11) * 0x1p-53;
    return sum;
}

/* Exponents of many noisy laws scatter by the reported error. */
static void errors_are_what_exponents_scatter_by(void **unused)
{
    enum { LAWS = 4000 };
    const double s = 0.01;
    for (int with = 0; with < 2; with++) {
        double sum = 0, squares = 0, said = 0;
        for (int law = 0; law < LAWS; law++) {
            double t[POINTS], y[POINTS], errors[POINTS], exponent, error;
            for (int i = 0; i < POINTS; i++) {
                t[i] = i + 1;
                y[i] = pow(t[i], 0.8) * exp(s * noise());
                errors[i] = s * y[i];
            }
            OK(mw_power_law_fit(t, y, with ? errors : NULL, POINTS, &exponent, &error));
            sum += exponent - 0.8;
            squares += (exponent - 0.8) * (exponent - 0.8);
            said += error / LAWS;
        }
        const double scatter = sqrt(squares / LAWS);
        assert_true(fabs(sum / LAWS) < 4 * scatter / sqrt(LAWS));
        /* The larger of given errors and residuals is reported, about a tenth more on average. */
        assert_true(said > 0.93 * scatter && said < (with ? 1.2 : 1.07) * scatter);
    }
}

static void what_is_no_law_is_refused(void **unused)
{
    const double t[] = { 1, 2, 0 }, y[] = { 1, -2, 3 }, same[] = { 2, 2 }, none[] = { 0, 1 };
    double exponent, error;
    FAILS(MW_EINVAL, "two points", mw_power_law_fit(t, y, NULL, 0, &exponent, &error));
    FAILS(MW_EINVAL, "two points", mw_power_law_fit(t, y, NULL, 1, &exponent, &error));
    FAILS(MW_EINVAL, "two points", mw_power_law_fit(same, same, NULL, 2, &exponent, &error));
    FAILS(MW_EINVAL, "point 1 (-2 at 2)", mw_power_law_fit(t, y, NULL, 2, &exponent, &error));
    FAILS(MW_EINVAL, "point 0", mw_power_law_fit(same, same, none, 2, &exponent, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_is_found),
        cmocka_unit_test(errors_are_weights),
        cmocka_unit_test(errors_are_what_exponents_scatter_by),
        cmocka_unit_test(what_is_no_law_is_refused),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
