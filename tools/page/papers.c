/* Numbers stated in the papers, next to the matching results. */
#include <math.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"
#include "tools/report/numbers.h"

static const char nothing[] = "no such rows";

/* ---- rows to choose from ---- */

static bool is_serial(const struct measured *suite, const struct result *r, const void *context)
{
    return !strcmp(suite->devices[r->device], "native:serial");
}

static bool is_threads(const struct measured *suite, const struct result *r, const void *context)
{
    return !strcmp(suite->devices[r->device], "native:pthreads");
}

static bool is_several(const struct measured *suite, const struct result *r, const void *context)
{
    return strchr(suite->devices[r->device], ',') != NULL;
}

static bool is_one(const struct measured *suite, const struct result *r, const void *context)
{
    return !is_several(suite, r, context);
}

static bool is_by(const struct measured *suite, const struct result *r, const void *variant)
{
    return !strcmp(suite->variants[r->variant], variant);
}

/* Accepts rows other than the baseline; of the figure's variant, if it names one. */
static bool is_faster(const struct measured *suite, const struct result *r, const void *variant)
{
    return !is_serial(suite, r, NULL) && (!variant || is_by(suite, r, variant));
}

/* ---- text ---- */

/* Adds the speed of the fastest accepted row relative to a baseline, at the largest size with both. */
static void add_times(const struct measured *suite, result_is_meant *of, const void *context, result_is_meant *than,
                      struct mw_text *to)
{
    for (size_t c = suite->count; c-- > 0;) {
        const struct result *r = fastest_of(suite, &suite->cases[c], false, of, context);
        const struct result *base = fastest_of(suite, &suite->cases[c], false, than, NULL);
        if (!r || !base || !(r->seconds.median > 0))
            continue;
        page_name(suite, r, to);
        mw_text_add(to, " %.3gx ", base->seconds.median / r->seconds.median);
        page_name(suite, base, to);
        mw_text_add(to, ": %s ", digits_text(suite->cases[c].x).text);
        html_text(to, suite->x);
        return;
    }
    mw_text_add(to, "%s", nothing);
}

/* Adds the ratio of two variants on the fastest device that has both. */
static void add_ratio(const struct measured *suite, const struct suite_figure *figure, struct mw_text *to)
{
    for (size_t c = suite->count; c-- > 0;) {
        const struct sized *of = &suite->cases[c];
        const struct result *best = NULL, *slow = NULL;
        for (size_t i = 0; i < of->count; i++) {
            const struct result *fast = &of->item[i];
            for (size_t k = 0; k < of->count && !fast->reason && is_by(suite, fast, figure->than); k++)
                if (of->item[k].device == fast->device && !of->item[k].reason && fast->seconds.median > 0 &&
                    is_by(suite, &of->item[k], figure->variant) &&
                    (!best || fast->seconds.median < best->seconds.median)) {
                    best = fast;
                    slow = &of->item[k];
                }
        }
        if (!best)
            continue;
        html_text(to, suite->devices[best->device]);
        mw_text_add(to, " by %s %.3gx as long as by %s: %s ", figure->variant,
                    slow->seconds.median / best->seconds.median, figure->than, digits_text(of->x).text);
        html_text(to, suite->x);
        return;
    }
    mw_text_add(to, "%s", nothing);
}

static int add_exponents(const struct measured *suite, const struct suite_figure *figure, struct mw_text *to)
{
    double least = INFINITY, most = -INFINITY, exponent, error;
    for (size_t d = 0; d < suite->device_count; d++)
        for (size_t v = 0; v < suite->variant_count; v++) {
            if (figure->variant && strcmp(figure->variant, suite->variants[v]) != 0)
                continue;
            TRY_RETURN(slope_of(suite, d, v, &exponent, &error));
            least = fmin(least, exponent);
            most = fmax(most, exponent);
        }
    if (least < most)
        mw_text_add(to, "%.2f to %.2f", least, most);
    else if (least == most)
        mw_text_add(to, "%.2f", least);
    else
        mw_text_add(to, "%s", nothing);
    return 0;
}

static void add_rate(const struct measured *suite, struct mw_text *to)
{
    const struct result *best = NULL;
    for (size_t c = 0; c < suite->count; c++)
        for (size_t i = 0; i < suite->cases[c].count; i++) {
            const struct result *r = &suite->cases[c].item[i];
            if (!r->reason && r->unit && (!best || r->rate > best->rate) && isfinite(r->rate))
                best = r;
        }
    if (!best) {
        mw_text_add(to, "%s", nothing);
        return;
    }
    html_text(to, rate_text(best->rate, best->unit).text);
    mw_text_add(to, ": ");
    page_name(suite, best, to);
}

static int add_here(const struct measured *suite, const struct suite_figure *figure, struct mw_text *to)
{
    switch (figure->kind) {
    case FIGURE_SPEEDUP: add_times(suite, is_faster, figure->variant, is_serial, to); return 0;
    case FIGURE_THREADS: add_times(suite, is_threads, NULL, is_serial, to); return 0;
    case FIGURE_TOGETHER: add_times(suite, is_several, NULL, is_one, to); return 0;
    case FIGURE_RATIO: add_ratio(suite, figure, to); return 0;
    case FIGURE_SLOPES: return add_exponents(suite, figure, to);
    case FIGURE_RATE: add_rate(suite, to); return 0;
    }
    return 0;
}

int page_papers(const struct measured *suite, struct mw_text *to)
{
    const struct suite *known = suites;
    while (known->name && strcmp(known->name, suite->name) != 0)
        known++;
    if (!known->name || !known->figures[0].words)
        return 0;
    mw_text_add(to, "<h3>Statements of the papers</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>there</th>"
                    "<th class=\"n\">paper</th><th>here</th></tr></thead>\n<tbody>\n");
    for (const struct suite_figure *f = known->figures; f->words; f++) {
        mw_text_add(to, "<tr><td>");
        html_text(to, f->words);
        mw_text_add(to, "</td>");
        html_number(to, "%s", f->source);
        mw_text_add(to, "<td>");
        TRY_RETURN(add_here(suite, f, to));
        mw_text_add(to, "</td></tr>\n");
    }
    mw_text_add(to, "</tbody></table></div>\n");
    return 0;
}
/* SPDX-License-Identifier: MIT */
