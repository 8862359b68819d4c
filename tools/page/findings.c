/* Findings: the fastest device, exponents, and statements of the papers for comparison. */
#include <math.h>

#include <meshwork/run.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"
#include "tools/report/numbers.h"

void page_name(const struct measured *suite, const struct result *result, struct mw_text *to)
{
    const char *variant = suite->variants[result->variant];
    html_text(to, suite->devices[result->device]);
    mw_text_add(to, " by ");
    html_text(to, result->chosen ? result->chosen : variant);
    if (result->chosen && strcmp(result->chosen, variant) != 0) {
        mw_text_add(to, " (");
        html_text(to, variant);
        mw_text_add(to, ")");
    }
}

#define SLOPE_SIZES 3  /* sizes needed for an exponent */
#define ERROR_SIZES 5  /* with fewer sizes its error is unreliable */
#define NEAR_PERCENT 5 /* up to this factor slower counts as equal */
#define NEAR (1 + NEAR_PERCENT / 100.0)

/* ---- the fastest ---- */

static void add_sizes(const struct measured *suite, size_t from, size_t stop, struct mw_text *to)
{
    mw_text_add(to, "%s", digits_text(suite->cases[from].x).text);
    if (stop - from > 1)
        mw_text_add(to, " to %s", digits_text(suite->cases[stop - 1].x).text);
}

/* Returns the device of the fastest result of a size; NAMES_MOST: none. */
static size_t fastest_device(const struct measured *suite, size_t c, bool whole)
{
    const struct result *r = fastest_of(suite, &suite->cases[c], whole, NULL, NULL);
    return r ? r->device : NAMES_MOST;
}

/* Adds a row per range of adjacent sizes with the same fastest device. */
static void add_fastest(const struct measured *suite, bool whole, struct mw_text *to)
{
    for (size_t from = 0, stop; from < suite->count; from = stop) {
        const size_t device = fastest_device(suite, from, whole);
        const struct result *r;
        for (stop = from + 1; stop < suite->count && fastest_device(suite, stop, whole) == device;)
            stop++;
        if (device == NAMES_MOST)
            continue;
        mw_text_add(to, "<tr><td>%s</td><td class=\"n\">", whole ? "with all" : "task alone");
        add_sizes(suite, from, stop, to);
        mw_text_add(to, "</td><td class=\"best\">");
        html_text(to, suite->devices[device]);
        mw_text_add(to, "</td><td>");
        r = fastest_of(suite, &suite->cases[stop - 1], whole, NULL, NULL);
        page_name(suite, r, to);
        mw_text_add(to, "</td>");
        html_number(to, "%s", seconds_text(result_seconds(r, whole)).text);
        mw_text_add(to, "</tr>\n");
    }
}

/* ---- the choices of auto ---- */

/* Accepts results of the same device with the same random numbers.  Others are different results, which auto may not
 * choose. */
static bool is_like(const struct measured *suite, const struct result *r, const void *context)
{
    const struct result *chosen = context;
    return r->device == chosen->device &&
           (r->draws && chosen->draws ? !strcmp(r->draws, chosen->draws) : r->draws == chosen->draws);
}

static bool is_chosen(const struct measured *suite, const struct result *r, const struct result *chosen)
{
    return r->device == chosen->device && chosen->chosen && !strcmp(suite->variants[r->variant], chosen->chosen);
}

/* Returns the time of auto relative to the fastest variant of its device.  A row of the chosen variant measures the
 * same work again, so the faster of both counts. */
static double ratio_of(const struct measured *suite, const struct sized *of, const struct result *chosen,
                       const struct result *best)
{
    double least = chosen->seconds.median;
    if (is_chosen(suite, best, chosen))
        return 1;
    for (size_t i = 0; i < of->count; i++)
        if (!of->item[i].reason && is_chosen(suite, &of->item[i], chosen))
            least = fmin(least, of->item[i].seconds.median);
    return least / best->seconds.median;
}

/* Rows of auto on devices with other variants. */
struct chosen_rows {
    size_t count, near, worst_case, worst_device;
    double worst;
};

static struct chosen_rows find_choices(const struct measured *suite)
{
    struct chosen_rows all = { .worst = 1 };
    for (size_t c = 0; c < suite->count && suite->variant_count > 1 && !strcmp(suite->variants[0], "auto"); c++)
        for (size_t d = 0; d < suite->device_count; d++) {
            const struct result *chosen = result_of(&suite->cases[c], d, 0);
            const struct result *best = chosen ? fastest_of(suite, &suite->cases[c], false, is_like, chosen) : NULL;
            if (!best || !(best->seconds.median > 0))
                continue;
            const double ratio = ratio_of(suite, &suite->cases[c], chosen, best);
            all.count++;
            all.near += ratio <= NEAR;
            if (ratio > all.worst)
                all = (struct chosen_rows){ all.count, all.near, c, d, ratio };
        }
    return all;
}

static void add_auto(const struct measured *suite, struct mw_text *to)
{
    const struct chosen_rows all = find_choices(suite);
    if (!all.count)
        return;
    mw_text_add(to, "<p>auto is within %d %% of the fastest variant of its device in %zu of %zu rows", NEAR_PERCENT,
                all.near, all.count);
    if (all.worst > NEAR) {
        mw_text_add(to, ", and takes up to %.3g times as long: on ", all.worst);
        html_text(to, suite->devices[all.worst_device]);
        mw_text_add(to, ", %s ", digits_text(suite->cases[all.worst_case].x).text);
        html_text(to, suite->x);
    }
    mw_text_add(to, ".</p>\n");
}

void page_choices(const struct results *results, struct mw_text *to)
{
    size_t count = 0, near = 0;
    for (size_t s = 0; s < results->count; s++) {
        const struct chosen_rows of = find_choices(&results->suites[s]);
        count += of.count;
        near += of.near;
    }
    if (count)
        mw_text_add(to,
                    "<p>In all suites, auto is within %d %% of the fastest variant of its device in %zu of %zu "
                    "rows.</p>\n",
                    NEAR_PERCENT, near, count);
}

void page_fastest(const struct measured *suite, struct mw_text *to)
{
    mw_text_add(to, "<h3>The fastest device</h3>\n<div class=\"scroll\"><table>\n"
                    "<thead><tr><th>of</th><th class=\"n\">");
    html_text(to, suite->x);
    mw_text_add(to, "</th><th>device</th><th>at the largest of these</th><th class=\"n\">seconds</th></tr></thead>\n"
                    "<tbody>\n");
    add_fastest(suite, false, to);
    add_fastest(suite, true, to);
    mw_text_add(to, "</tbody></table></div>\n");
    add_auto(suite, to);
}

/* ---- exponents ---- */

int slope_of(const struct measured *suite, size_t device, size_t variant, double *exponent, double *error)
{
    double *x = NULL, *y = NULL;
    size_t n = 0;
    int rc;
    *exponent = *error = NAN;
    TRY(mw_new(suite->count, sizeof(*x), &x));
    TRY(mw_new(suite->count, sizeof(*y), &y));
    for (size_t c = 0; c < suite->count; c++) {
        const struct result *r = result_of(&suite->cases[c], device, variant);
        if (!r || !(r->seconds.median > 0) || (n && x[n - 1] == suite->cases[c].x))
            continue;
        x[n] = suite->cases[c].x;
        y[n++] = r->seconds.median / suite->cases[c].steps;
    }
    if (n >= SLOPE_SIZES)
        TRY(mw_power_law_fit(x, y, NULL, n, exponent, error));
    if (n < ERROR_SIZES)
        *error = NAN;
out:
    free(x);
    free(y);
    return rc;
}

static int add_slopes_of(const struct measured *suite, size_t variant, struct mw_text *rows)
{
    struct mw_text cells = { 0 };
    double exponent, error;
    bool any = false;
    int rc = 0;
    for (size_t d = 0; d < suite->device_count; d++) {
        TRY(slope_of(suite, d, variant, &exponent, &error));
        any |= isfinite(exponent);
        if (isfinite(exponent) && isfinite(error))
            html_number(&cells, "%.2f \xC2\xB1 %.2f", exponent, error);
        else if (isfinite(exponent))
            html_number(&cells, "%.2f", exponent);
        else
            html_number(&cells, "%s", "");
    }
    if (any) {
        mw_text_add(rows, "<tr><th scope=\"row\">");
        html_text(rows, suite->variants[variant]);
        mw_text_add(rows, "</th>%s</tr>\n", cells.data);
    }
    rc = mw_text_ok(&cells);
out:
    mw_text_free(&cells);
    return rc;
}

int page_slopes(const struct measured *suite, struct mw_text *to)
{
    struct mw_text rows = { 0 };
    int rc = 0;
    for (size_t v = 0; v < suite->variant_count; v++)
        TRY(add_slopes_of(suite, v, &rows));
    if (!rows.length)
        goto out;
    mw_text_add(to, "<h3>Exponents</h3>\n<p class=\"soft\">Seconds of %s grow as this power of ",
                suite->has_steps ? "a step" : "the task");
    html_text(to, suite->x);
    mw_text_add(to, ": least squares of logarithms, over all sizes.</p>\n<div class=\"scroll\"><table>\n"
                    "<thead><tr><th>variant</th>");
    for (size_t d = 0; d < suite->device_count; d++) {
        mw_text_add(to, "<th class=\"n\">");
        html_text(to, suite->devices[d]);
        mw_text_add(to, "</th>");
    }
    mw_text_add(to, "</tr></thead>\n<tbody>\n%s</tbody></table></div>\n", rows.data);
    rc = mw_text_ok(&rows);
out:
    mw_text_free(&rows);
    return rc;
}
/* SPDX-License-Identifier: MIT */
