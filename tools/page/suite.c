/* A suite as plots and tables. */
#include <math.h>

#include "tools/page/page.h"
#include "tools/report/numbers.h"

/* ---- the results of a size ---- */

static void add_agreement(const struct result *r, struct mw_text *to)
{
    if (r->agrees) {
        mw_text_add(to, "<td class=\"good\">agree</td>");
    } else if (r->alone) {
        html_cell(to, "%s", "its own random numbers");
    } else {
        mw_text_add(to, "<td class=\"bad\">differ in ");
        html_text(to, r->differs ? r->differs : "results");
        mw_text_add(to, "</td>");
    }
}

static void add_fraction(double fraction, struct mw_text *to)
{
    if (isfinite(fraction))
        html_number(to, "%.2f", fraction);
    else
        html_number(to, "%s", "");
}

static void add_result(const struct measured *suite, const struct result *r, bool best, struct mw_text *to)
{
    mw_text_add(to, "<tr%s><th scope=\"row\">", best ? " class=\"best\"" : "");
    html_text(to, suite->devices[r->device]);
    mw_text_add(to, "</th><td>");
    html_text(to, suite->variants[r->variant]);
    if (r->chosen && strcmp(r->chosen, suite->variants[r->variant]) != 0) {
        mw_text_add(to, ": ");
        html_text(to, r->chosen);
    }
    mw_text_add(to, "</td>");
    html_number(to, "%s", seconds_text(r->seconds.median).text);
    html_number(to, "%s", seconds_text(r->seconds.least).text);
    html_number(to, "%s", seconds_text(r->seconds.most).text);
    html_number(to, "%s", seconds_text(r->whole).text);
    if (isfinite(r->speedup))
        html_number(to, "%.3g", r->speedup);
    else
        html_number(to, "%s", "");
    html_number(to, "%s", isfinite(r->rate) && r->unit ? rate_text(r->rate, r->unit).text : "");
    add_fraction(r->fraction, to);
    add_fraction(r->arithmetic, to);
    add_agreement(r, to);
    mw_text_add(to, "</tr>\n");
}

static void add_reasons(const struct measured *suite, const struct sized *of, size_t count, struct mw_text *to)
{
    mw_text_add(to,
                "<details><summary>%zu without times</summary>\n"
                "<div class=\"scroll\"><table>\n<thead><tr><th>device</th><th>variant</th><th>reason</th></tr>"
                "</thead>\n<tbody>\n",
                count);
    for (size_t i = 0; i < of->count; i++) {
        const struct result *r = &of->item[i];
        if (!r->reason)
            continue;
        mw_text_add(to, "<tr><th scope=\"row\">");
        html_text(to, suite->devices[r->device]);
        mw_text_add(to, "</th><td>");
        html_text(to, suite->variants[r->variant]);
        mw_text_add(to, "</td><td>");
        html_text(to, r->reason);
        mw_text_add(to, "</td></tr>\n");
    }
    mw_text_add(to, "</tbody></table></div></details>\n");
}

static void add_size(const struct measured *suite, const struct sized *of, bool open, struct mw_text *to)
{
    const struct result *best = fastest_of(suite, of, false, NULL, NULL);
    size_t failed = 0;
    mw_text_add(to, "<details%s><summary>%s ", open ? " open=\"open\"" : "", digits_text(of->x).text);
    html_text(to, suite->x);
    mw_text_add(to, "</summary>\n<p><code>meshwork ");
    html_text(to, of->task);
    mw_text_add(to, "</code></p>\n<div class=\"scroll\"><table>\n<thead><tr><th>device</th><th>variant</th><th "
                    "class=\"n\">seconds</th><th class=\"n\">least</th><th class=\"n\">most</th><th class=\"n\">with "
                    "all</th><th class=\"n\">speed-up</th><th class=\"n\">rate</th><th class=\"n\">of a copy</th><th "
                    "class=\"n\">of arithmetic</th><th>results</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < of->count; i++) {
        failed += of->item[i].reason != NULL;
        if (!of->item[i].reason)
            add_result(suite, &of->item[i], &of->item[i] == best, to);
    }
    mw_text_add(to, "</tbody></table></div>\n");
    if (failed)
        add_reasons(suite, of, failed, to);
    mw_text_add(to, "</details>\n");
}

/* ---- suites ---- */

static bool has_variant(const struct measured *suite, bool first)
{
    for (size_t c = 0; c < suite->count; c++)
        for (size_t i = 0; i < suite->cases[c].count; i++)
            if (!suite->cases[c].item[i].reason && (suite->cases[c].item[i].variant == 0) == first)
                return true;
    return false;
}

static bool has_rounds(const struct measured *suite)
{
    for (size_t c = 0; c < suite->count; c++)
        for (size_t i = 0; i < suite->cases[c].count; i++) {
            const struct result *r = &suite->cases[c].item[i];
            if (!r->reason && r->seconds.most > r->seconds.least)
                return true;
        }
    return false;
}

/* Adds a plot of the first variant of each device, and one of all variants, if the suite has both. */
static int add_plots(const struct measured *suite, size_t number, struct mw_text *to)
{
    static const struct {
        enum plot_kind kind;
        const char *words;
    } plots[] = { { PLOT_FIRST, "Task alone on each device, with " },
                  { PLOT_VARIANTS, "Task alone on each device, with all variants" },
                  { PLOT_WHOLE, "Total time with start, files and transfers, with " } };
    const bool first = has_variant(suite, true), others = has_variant(suite, false);

    for (size_t i = 0; i < MW_COUNT(plots); i++) {
        if (plots[i].kind == PLOT_VARIANTS ? !others : !first)
            continue;
        mw_text_add(to, "<figure>\n");
        TRY_RETURN(page_plot(suite, number, plots[i].kind, to));
        mw_text_add(to, "<figcaption>%s", plots[i].words);
        if (plots[i].kind != PLOT_VARIANTS)
            html_text(to, suite->variants[0]);
        if (plots[i].kind != PLOT_WHOLE && has_rounds(suite))
            mw_text_add(to, "; bars from the least to the most of several rounds");
        mw_text_add(to, "</figcaption>\n</figure>\n");
    }
    return 0;
}

static bool any_times(const struct measured *suite)
{
    for (size_t c = 0; c < suite->count; c++)
        if (fastest_of(suite, &suite->cases[c], false, NULL, NULL))
            return true;
    return false;
}

static void add_picture(const struct measured *suite, struct mw_text *to)
{
    mw_text_add(to, "<figure class=\"field\">\n<img alt=\"");
    html_text(to, suite->title);
    mw_text_add(to, "\" src=\"data:image/png;base64,");
    mw_text_append(to, suite->picture, strlen(suite->picture));
    mw_text_add(to, "\"/>\n<figcaption><code>meshwork ");
    html_text(to, suite->picture_task);
    mw_text_add(to, "</code></figcaption>\n</figure>\n");
}

int page_suite(const struct measured *suite, size_t number, bool plots, struct mw_text *to)
{
    mw_text_add(to, "<section id=\"suite-%zu\">\n<h2>", number);
    html_text(to, suite->title);
    mw_text_add(to, "</h2>\n<p class=\"soft\"><code>");
    html_text(to, suite->name);
    mw_text_add(to, "</code>, ");
    html_text(to, suite->source);
    mw_text_add(to, "</p>\n");
    if (suite->picture)
        add_picture(suite, to);
    if (any_times(suite)) {
        if (plots)
            TRY_RETURN(add_plots(suite, number, to));
        page_fastest(suite, to);
        TRY_RETURN(page_papers(suite, to));
        TRY_RETURN(page_slopes(suite, to));
    }
    mw_text_add(to, "<h3>Results</h3>\n");
    for (size_t c = 0; c < suite->count; c++)
        add_size(suite, &suite->cases[c], c + 1 == suite->count, to);
    mw_text_add(to, "</section>\n");
    return 0;
}
/* SPDX-License-Identifier: MIT */
