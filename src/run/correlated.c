/* Statistics of correlated series: binning errors, autocorrelation times, and jackknife errors of functions of
 * means. */
#include <meshwork/run.h>

#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINS_LEAST 16 /* minimum number of bins for an error */
#define WINDOW 6      /* size of a window in autocorrelation times: Madras and Sokal's automatic window */
#define LAGS 256      /* maximum lags of a window; beyond it pairs of neighbours are averaged */

static double mean_of(const double *bins, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bins[i];
    return sum / (double)n;
}

/* ---- binning ---- */

/* Returns the standard error of the mean of n independent numbers. */
static double error_of(const double *bins, size_t n, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (bins[i] - mean) * (bins[i] - mean);
    return sqrt(squares / (double)n / (double)(n - 1));
}

int mw_values_binning(const double *values, size_t n, double *mean, double *error)
{
    double *bins = NULL, most = NAN;
    int rc = 0;
    *mean = n > 0 ? mean_of(values, n) : NAN;
    *error = NAN;
    if (n < 2)
        return 0;
    TRY(mw_new(n, sizeof *bins, &bins));
    memcpy(bins, values, n * sizeof *bins);
    for (size_t left = n; left == n || left >= BINS_LEAST; left /= 2) {
        most = fmax(most, error_of(bins, left, mean_of(bins, left)));
        for (size_t i = 0; i < left / 2; i++)
            bins[i] = (bins[2 * i] + bins[2 * i + 1]) / 2;
    }
    *error = most;
out:
    free(bins);
    return rc;
}

/* ---- autocorrelation ---- */

/* Returns the mean product of deviations from the mean for values `apart` steps apart. */
static double covariance(const double *values, size_t n, size_t copies, double mean, size_t apart)
{
    double sum = 0;
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = copy * n; i + apart < (copy + 1) * n; i++)
            sum += (values[i] - mean) * (values[i + apart] - mean);
    return sum / (double)(copies * (n - apart));
}

/* Replaces pairs of neighbours of each series by their mean; `to` may be `from`. */
static void halve(const double *from, size_t n, size_t copies, double *to)
{
    for (size_t copy = 0; copy < copies; copy++)
        for (size_t i = 0; i < n / 2; i++)
            to[copy * (n / 2) + i] = (from[copy * n + 2 * i] + from[copy * n + 2 * i + 1]) / 2;
}

/* Sums 1/2 and the autocorrelation function over a window; returns its number of lags, or LAGS if it needs more. */
static size_t sum_window(const double *values, size_t n, size_t copies, double mean, double *sum)
{
    const double variance = covariance(values, n, copies, mean, 0);
    size_t window = 0;
    *sum = 0.5;
    while ((double)window < WINDOW * fmax(*sum, 0.5) && window + 1 < n && window < LAGS)
        *sum += covariance(values, n, copies, mean, ++window) / variance;
    return window;
}

/* The variance of the mean is the variance times twice the autocorrelation time per number.  This is unchanged if
 * numbers are means of `each` measured ones. */
int mw_values_autocorrelation(const double *values, size_t n, size_t copies, double *time, double *error)
{
    double *means = NULL, each = 1, sum;
    size_t window, numbers;
    int rc;
    *time = *error = NAN;
    TRY(mw_numbers_of(n, copies, &numbers));
    const double mean = mean_of(values, numbers);
    const double variance = numbers > 0 ? covariance(values, n, copies, mean, 0) : 0;
    if (!(variance > 0))
        return 0;
    while ((window = sum_window(values, n, copies, mean, &sum)) == LAGS) {
        if (!means)
            TRY(mw_new(n / 2 * copies, sizeof *means, &means));
        halve(values, n, copies, means);
        values = means;
        n /= 2;
        each *= 2;
    }
    *time = fmax(each * covariance(values, n, copies, mean, 0) / variance * sum, 0.5);
    if ((double)window >= WINDOW * fmax(sum, 0.5))
        *error = *time * sqrt(2 * (2 * (double)window + 1) / (double)(n * copies));
out:
    free(means);
    return rc;
}

/* ---- the jackknife ---- */

enum { SERIES_MOST = 8 };

/* Sums the values of each bin, and all values in *all. */
static void sum_bins(const double *values, size_t n, size_t bins, double *sum, double *all)
{
    *all = 0;
    for (size_t bin = 0; bin < bins; bin++) {
        sum[bin] = 0;
        for (size_t i = n * bin / bins; i < n * (bin + 1) / bins; i++)
            sum[bin] += values[i];
        *all += sum[bin];
    }
}

int mw_values_jackknife(const double *const *values, size_t count, size_t n, size_t bins, mw_of_means *of,
                        const void *context, double *value, double *error)
{
    double *sum = NULL, all[SERIES_MOST], means[SERIES_MOST], total = 0, squares = 0;
    int rc;
    if (count > SERIES_MOST || bins > n)
        return mw_fail(MW_EINVAL,
                       "jackknife: %zu series and %zu bins of %zu values (at most 8 series, one bin per "
                       "value)",
                       count, bins, n);
    *value = *error = NAN;
    if (n == 0)
        return 0;
    TRY(mw_new((count + 1) * bins, sizeof *sum, &sum));
    for (size_t k = 0; k < count; k++) {
        sum_bins(values[k], n, bins, sum + k * bins, &all[k]);
        means[k] = all[k] / (double)n;
    }
    *value = of(means, context);
    if (bins < 2)
        goto out;
    double *const each = sum + count * bins; /* value without this bin */
    for (size_t bin = 0; bin < bins; bin++) {
        const size_t left = n - (n * (bin + 1) / bins - n * bin / bins);
        for (size_t k = 0; k < count; k++)
            means[k] = (all[k] - sum[k * bins + bin]) / (double)left;
        total += each[bin] = of(means, context);
    }
    for (size_t bin = 0; bin < bins; bin++)
        squares += (each[bin] - total / (double)bins) * (each[bin] - total / (double)bins);
    *error = sqrt((double)(bins - 1) / (double)bins * squares);
out:
    free(sum);
    return rc;
}
/* SPDX-License-Identifier: MIT */
