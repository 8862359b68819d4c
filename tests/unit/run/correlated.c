/* Correlated numbers: errors and autocorrelation times of series for which these are known. */
#include <meshwork/run.h>

#include <math.h>

#include "tests/check.h"

enum { N = 1 << 16, COPIES = 4 };

/* Variance 1, nearly normal. */
static double noise(void)
{
    double sum = 0;
    for (unsigned j = 0; j < 12; j++)
        sum += (double)(random_word() >> 11) * 0x1p-53 - 0.5;
    return sum;
}

/* Fills independent series of numbers that lose a fraction 1 - a of the previous one at each step. */
static void fill(double *v, double a, size_t copies)
{
    for (size_t i = 0; i < N; i++)
        v[i] = i % (N / copies) ? a * v[i - 1] + sqrt(1 - a * a) * noise() : noise();
}

/* The error of their mean is that of independent numbers times sqrt((1 + a) / (1 - a)). */
static void errors_know_of_correlation(void **state)
{
    static double v[N];
    double mean, error;
    for (unsigned k = 0; k < 3; k++) {
        const double a = (double[]){ 0, 0.5, 0.9 }[k], exact = sqrt((1 + a) / (1 - a) / N);
        random_state = 7;
        fill(v, a, 1);
        assert_int_equal(mw_values_binning(v, N, &mean, &error), 0);
        assert_true(fabs(mean) < 4 * exact);
        assert_true(error > 0.85 * exact && error < 1.7 * exact);
    }
    assert_int_equal(mw_values_binning(v, 1, &mean, &error), 0);
    assert_true(mean == v[0] && isnan(error));
}

/* The time is half of (1 + a) / (1 - a), for one series or several.  Series too short for a window have no error, and
 * constant ones no time. */
static void autocorrelation_times(void **state)
{
    static double v[N];
    double time, error;
    random_state = 11;
    for (unsigned k = 0; k < 5; k++)
        for (size_t copies = 1; copies <= COPIES; copies *= COPIES) {
            const double a = (double[]){ 0, 0.5, 0.9, 0.97, 0.982 }[k], exact = (1 + a) / (1 - a) / 2;
            fill(v, a, copies);
            OK(mw_values_autocorrelation(v, N / copies, copies, &time, &error));
            if (!(fabs(time - exact) < 4 * error) || error > 0.25 * exact)
                fail_msg("a = %g, %zu series: %g +- %g instead of %g", a, copies, time, error, exact);
        }
    OK(mw_values_autocorrelation(v, 3, 1, &time, &error));
    assert_true(time >= 0.5 && isnan(error));
    for (size_t i = 0; i < 100; i++)
        v[i] = 0.25;
    OK(mw_values_autocorrelation(v, 100, 1, &time, &error));
    assert_true(isnan(time) && isnan(error));
    OK(mw_values_autocorrelation(v, 0, 1, &time, &error));
    assert_true(isnan(time) && isnan(error));
}

/* Sums the autocorrelation function lag by lag. */
static double time_by_lags(const double *v, size_t n)
{
    double mean = 0, variance = 0, sum = 0.5;
    for (size_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += (v[i] - mean) * (v[i] - mean) / (double)n;
    for (size_t apart = 1; (double)apart <= 6 * sum; apart++) {
        double products = 0;
        for (size_t i = 0; i + apart < n; i++)
            products += (v[i] - mean) * (v[i + apart] - mean);
        sum += products / (double)(n - apart) / variance;
    }
    return sum;
}

/* For long times neighbours are averaged, so that slowly changing series cost no more than others. */
static void long_times(void **state)
{
    static double v[4 * N];
    double time, error, direct;
    random_state = 13;
    fill(v, 0.995, 1);
    direct = time_by_lags(v, N);
    OK(mw_values_autocorrelation(v, N, 1, &time, &error));
    if (!(fabs(time / direct - 1) < 0.05 && error > 0.1 * time && error < 0.5 * time))
        fail_msg("%g +- %g instead of %g", time, error, direct);
    for (size_t i = 1; i < 4 * N; i++)
        v[i] = 0.9999 * v[i - 1] + noise();
    OK(mw_values_autocorrelation(v, 4 * N, 1, &time, &error));
    if (!(time > 2000 && time < 30000))
        fail_msg("a time of %g instead of about 10000", time);
}

static double second(const double *means, const void *context) { return means[1]; }

static double variance(const double *means, const void *factor)
{
    return *(const double *)factor * (means[1] - means[0] * means[0]);
}

/* For a mean it is the standard error, to the last bits if there are as many bins as numbers; the error of a variance
 * of normal numbers is sqrt(2 / n). */
static void jackknife(void **state)
{
    static double v[N], squares[N];
    const double *series[] = { v, squares };
    double value, error, factor = 3, mean = 0, spread = 0;
    random_state = 5;
    fill(v, 0, 1);
    for (size_t i = 0; i < N; i++)
        squares[i] = v[i] * v[i];
    for (size_t i = 0; i < 1000; i++)
        mean += squares[i] / 1000;
    for (size_t i = 0; i < 1000; i++)
        spread += (squares[i] - mean) * (squares[i] - mean);
    assert_int_equal(mw_values_jackknife(series, 2, 1000, 1000, second, NULL, &value, &error), 0);
    assert_true(fabs(value - mean) < 1e-12 && fabs(error - sqrt(spread / 999 / 1000)) < 1e-12);
    assert_int_equal(mw_values_jackknife(series, 2, N, 1000, variance, &factor, &value, &error), 0);
    assert_true(fabs(value - 3) < 4 * error);
    assert_true(fabs(error / (3 * sqrt(2.0 / N)) - 1) < 0.15);
    assert_int_equal(mw_values_jackknife(series, 2, 1000, 1, second, NULL, &value, &error), 0);
    assert_true(fabs(value - mean) < 1e-12 && isnan(error));
    assert_int_equal(mw_values_jackknife(series, 2, 0, 0, second, NULL, &value, &error), 0);
    assert_true(isnan(value) && isnan(error));
    assert_int_equal(mw_values_jackknife(series, 2, 10, 11, second, NULL, &value, &error), MW_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_know_of_correlation),
        cmocka_unit_test(autocorrelation_times),
        cmocka_unit_test(long_times),
        cmocka_unit_test(jackknife),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
