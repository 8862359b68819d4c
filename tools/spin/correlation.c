/* Spins: the correlation function along each dimension, averaged over measured states. */
#include <math.h>

#include "tools/report/csv.h"
#include "tools/report/files.h"
#include "tools/spin/spin.h"

/* Maximum number of averages kept, unless they need too much memory.  Beyond it, neighbouring pairs are merged. */
#define ROWS 1024
#define ROWS_LEAST 64
#define ROWS_BYTES ((size_t)64 << 20)
#define RANGE 64 /* default */

static size_t columns(const struct spin_run *own) { return own->options.dims * own->correlation.range; }

int correlation_prepare(struct run *r)
{
    struct spin_run *own = r->own;
    size_t longest = 2;
    if (!own->set->correlation) {
        if (own->set->correlation_range && !files_forbidden())
            return mw_fail(MW_EINVAL, "--correlation-range requires --correlation FILE.csv");
        return 0;
    }
    if (own->info->spin.values > MW_SPIN_VALUES_WHOLE)
        return mw_fail(MW_EINVAL, "correlations need scalar spins; model %s has none: leave out --correlation",
                       r->model.name);
    for (unsigned d = 0; d < own->options.dims; d++)
        longest = own->options.length[d] > longest ? own->options.length[d] : longest;
    if (own->set->correlation_range >= longest)
        return mw_fail(MW_EINVAL,
                       "--correlation-range %llu: the longest dimension has %zu spins, so the distance is at most %zu",
                       (unsigned long long)own->set->correlation_range, longest, longest - 1);
    own->correlation.range = own->set->correlation_range ? own->set->correlation_range
                             : longest / 2 < RANGE       ? longest / 2
                                                         : RANGE;
    own->correlation.each = 1;
    TRY_RETURN(file_kind_writable("correlation", own->set->correlation, ".csv"));
    if (r->set->dry_run)
        return 0;
    own->correlation.most = ROWS;
    while (own->correlation.most > ROWS_LEAST && own->correlation.most * columns(own) * sizeof(double) > ROWS_BYTES)
        own->correlation.most /= 2;
    TRY_RETURN(mw_new(columns(own), sizeof(double), &own->correlation.now));
    TRY_RETURN(mw_new(columns(own), sizeof(double), &own->correlation.part));
    return mw_new(own->correlation.most * columns(own), sizeof(double), &own->correlation.rows);
}

void correlation_free(struct spin_correlation *c)
{
    free(c->now);
    free(c->part);
    free(c->rows);
}

static void halve(struct spin_correlation *c, size_t n)
{
    for (size_t row = 0; row < c->most / 2; row++)
        for (size_t i = 0; i < n; i++)
            c->rows[row * n + i] = (c->rows[2 * row * n + i] + c->rows[(2 * row + 1) * n + i]) / 2;
    c->count = c->most / 2;
    c->each *= 2;
}

int correlation_observe(struct spin_run *own)
{
    struct spin_correlation *c = &own->correlation;
    const size_t n = columns(own);
    TRY_RETURN(mw_spins_correlation(own->spins, c->range, c->now));
    for (size_t i = 0; i < n; i++)
        c->part[i] += c->now[i] / (double)c->each;
    if (++c->in_part < c->each)
        return 0;
    memcpy(c->rows + c->count * n, c->part, n * sizeof(double));
    memset(c->part, 0, n * sizeof(double));
    c->in_part = 0;
    if (++c->count == c->most)
        halve(c, n);
    return 0;
}

/* ---- the file ---- */

static void spin_correlation_add_row(const void *context, size_t row, struct mw_text *text)
{
    const struct spin_run *own = context;
    const struct spin_correlation *c = &own->correlation;
    double series[ROWS], mean, error;
    mw_text_add(text, "%zu", row + 1);
    for (unsigned d = 0; d < own->options.dims; d++) {
        const size_t column = d * c->range + row;
        for (size_t i = 0; i < c->count; i++)
            series[i] = c->rows[i * columns(own) + column];
        if (!c->count || mw_values_binning(series, c->count, &mean, &error) != 0) {
            mean = c->now[column];
            error = NAN;
        }
        mw_text_add(text, ",%s", isfinite(mean) ? real_text(mean).text : "");
        mw_text_add(text, ",%s", isfinite(error) ? real_text(error).text : "");
    }
    mw_text_add(text, "\n");
}

int correlation_write(struct run *r)
{
    struct spin_run *own = r->own;
    struct mw_text titles = { 0 };
    int rc = 0;
    if (!own->set->correlation)
        return 0;
    if (!own->correlation.count) /* no measurement was due: use the final state */
        TRY(mw_spins_correlation(own->spins, own->correlation.range, own->correlation.now));
    mw_text_add(&titles, "distance");
    for (unsigned d = 0; d < own->options.dims; d++)
        mw_text_add(&titles, ",%s,%s_error", axis_names[d], axis_names[d]);
    TRY(mw_text_ok(&titles));
    TRY(csv_write(own->set->correlation, titles.data, own->correlation.range, spin_correlation_add_row, own));
out:
    mw_text_free(&titles);
    return rc;
}
/* SPDX-License-Identifier: MIT */
