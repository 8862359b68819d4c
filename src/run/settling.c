/* Tests whether a series shows signs of not being in equilibrium. */
#include <meshwork/run.h>

#include "base/base.h"

#include <math.h>
#include <stdlib.h>

#define MEASURED_LEAST 16    /* numbers per copy */
#define INDEPENDENT_LEAST 10 /* independent numbers per copy; the relative error of an error is then about a quarter */
#define WINDOW_TIMES 6       /* in autocorrelation times (mw_values_autocorrelation) */
#define AHEAD 4              /* about 1 / (2^(1/3) - 1): the rest of a slow decay, in units of its differences */
#define ROUNDING 1e-12       /* relative, of a mean */

MW_ENUM_NAMES(unsettled, "reason", [MW_UNSETTLED_NONE] = "settled", [MW_UNSETTLED_FEW] = "few",
              [MW_UNSETTLED_DRIFT] = "drift", [MW_UNSETTLED_SLOW] = "slow", [MW_UNSETTLED_FROZEN] = "frozen")

/* A part of each copy of a series. */
struct part {
    size_t begin, end;
};

static double mean_of(const double *values, size_t n, size_t copies, struct part p)
{
    double sum = 0;
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = p.begin; i < p.end; i++)
            sum += values[copy * n + i];
    return sum / (double)(copies * (p.end - p.begin));
}

static double variance_of(const double *values, size_t n, size_t copies, struct part p)
{
    const double mean = mean_of(values, n, copies, p);
    double sum = 0;
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = p.begin; i < p.end; i++)
            sum += (values[copy * n + i] - mean) * (values[copy * n + i] - mean);
    return sum / (double)(copies * (p.end - p.begin));
}

/* Computes the autocorrelation time of one part of all copies. */
static int time_of(const double *values, size_t n, size_t copies, struct part p, double *time)
{
    const size_t count = p.end - p.begin;
    double *measured = NULL, error;
    int rc;
    TRY(mw_new(count * copies, sizeof *measured, &measured));
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = 0; i < count; i++)
            measured[copy * count + i] = values[copy * n + p.begin + i];
    TRY(mw_values_autocorrelation(measured, count, copies, time, &error));
out:
    free(measured);
    return rc;
}

/* Uses the whole series: without drift the part before the measured one is like it, and makes the time more certain.
 * The time of n numbers is too short by a fraction (2 w + 1) / n for window w (Wolff 2004), which is corrected. */
static int count_independent(const double *values, size_t n, size_t copies, struct part measured, struct mw_settling *s)
{
    double time;
    TRY_RETURN(time_of(values, n, copies, (struct part){ 0, n }, &time));
    if (!isfinite(time))
        return 0;
    time *= 1 + (2 * WINDOW_TIMES * time + 1) / (double)(n * copies);
    s->independent = (double)(measured.end - measured.begin) / (2 * time);
    if (s->independent < INDEPENDENT_LEAST)
        s->why = MW_UNSETTLED_SLOW;
    return 0;
}

struct difference {
    double value, error;
};

/* `variance`: of a number, times twice the autocorrelation time. */
static struct difference difference_of(const double *values, size_t n, size_t copies, struct part a, struct part b,
                                       double variance)
{
    const double each = 1 / (double)(a.end - a.begin) + 1 / (double)(b.end - b.begin);
    return (struct difference){ mean_of(values, n, copies, b) - mean_of(values, n, copies, a),
                                sqrt(variance * each / (double)copies) };
}

static bool is_drift(struct difference d, double mean)
{
    return fabs(d.value) > MW_DRIFT_ERRORS * d.error + ROUNDING * fabs(mean);
}

/* Returns the difference that is larger in units of its error. */
static struct difference worse_of(struct difference a, struct difference b)
{
    return fabs(a.value) * b.error > fabs(b.value) * a.error ? a : b;
}

int mw_values_settling(const double *values, size_t n, size_t copies, size_t first, struct mw_settling *settling)
{
    const struct part all = { 0, n }, measured = { first, n };
    const size_t middle = first + (n - first) / 2;
    const struct part third = { first, middle }, fourth = { middle, n };
    const struct part early = { 0, first ? first : n / 4 }, late = { first ? first : middle, n };
    struct mw_settling s = { .size = sizeof s, .why = MW_UNSETTLED_NONE, .time = NAN, .independent = NAN };
    size_t numbers;
    TRY_RETURN(MW_RESULT_GIVE(mw_settling, NULL, widening, settling));
    TRY_RETURN(mw_numbers_of(n, copies, &numbers));
    if (first >= n || copies == 0) {
        s.why = MW_UNSETTLED_FEW;
        goto done;
    }
    const double deviation = sqrt(variance_of(values, n, copies, measured));
    const double mean = mean_of(values, n, copies, measured);
    TRY_RETURN(time_of(values, n, copies, measured, &s.time));
    /* Constant measured numbers have no variance: uses the variance of the whole series. */
    const double time = isfinite(s.time) ? s.time : 0.5;
    const double variance = 2 * time * (deviation > 0 ? deviation * deviation : variance_of(values, n, copies, all));
    struct difference d = { 0, 1 };
    if (n - first >= 2)
        d = difference_of(values, n, copies, third, fourth, variance);
    if (early.end > 0)
        d = worse_of(difference_of(values, n, copies, early, late, variance), d);
    s.independent = (double)(n - first) / (2 * time);
    s.deviation = deviation;
    s.drift = d.value;
    s.drift_error = d.error;
    if (n - first < MEASURED_LEAST)
        s.why = MW_UNSETTLED_FEW;
    else if (is_drift(d, mean))
        s.why = MW_UNSETTLED_DRIFT;
    else
        TRY_RETURN(count_independent(values, n, copies, measured, &s));
    if (s.why != MW_UNSETTLED_NONE)
        s.widening = fmax(AHEAD * fabs(s.drift), s.why == MW_UNSETTLED_DRIFT ? 0 : deviation);
done:
    return MW_RESULT_GIVE(mw_settling, &s, widening, settling);
}
/* SPDX-License-Identifier: MIT */
