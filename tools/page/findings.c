/* Findings: exponents, and how good the choices of auto are. */
#include <math.h>

#include <meshwork/run.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"

enum { SIZES_LEAST = 5, ROUNDS_LEAST = 3 }; /* for an exponent */
#define NEAR_PERCENT 5                      /* up to this factor slower counts as equal */
#define NEAR (1 + NEAR_PERCENT / 100.0)

/* ---- exponents ---- */

int exponent_of(const struct measured *figure, size_t curve, double from, double to, double *exponent, double *error)
{
    double *x = NULL, *y = NULL;
    size_t n = 0, sizes = 0, most = 0;
    int rc;
    *exponent = *error = NAN;
    for (size_t c = 0; c < figure->count; c++)
        for (size_t i = 0; i < figure->cases[c].count; i++)
            most += figure->cases[c].item[i].rounds;
    TRY(mw_new(most, sizeof(*x), &x));
    TRY(mw_new(most, sizeof(*y), &y));
    for (size_t c = 0; c < figure->count; c++) {
        const struct result *r = result_of(&figure->cases[c], curve);
        if (!r || r->rounds < ROUNDS_LEAST || !(r->shown.least > 0) || figure->cases[c].x < from ||
            (to > 0 && figure->cases[c].x > to))
            continue;
        sizes++;
        for (size_t i = 0; i < r->rounds; i++) {
            x[n] = figure->cases[c].x;
            y[n++] = r->each[i];
        }
    }
    if (sizes >= SIZES_LEAST)
        TRY(mw_power_law_fit(x, y, NULL, n, exponent, error));
out:
    free(x);
    free(y);
    return rc;
}

int page_exponents(const struct measured *figure, struct mw_text *to)
{
    struct mw_text rows = { 0 };
    int rc = 0;
    for (size_t i = 0; i < figure->curve_count; i++) {
        double exponent, error;
        TRY(exponent_of(figure, i, 0, 0, &exponent, &error));
        if (isnan(exponent))
            continue;
        mw_text_add(&rows, "<tr><th scope=\"row\">");
        html_text(&rows, curve_label(figure, i).text);
        mw_text_add(&rows, "</th>");
        html_number(&rows, "%.2f \xC2\xB1 %.2f", exponent, error);
        mw_text_add(&rows, "</tr>\n");
    }
    TRY(mw_text_ok(&rows));
    if (!rows.length)
        goto out;
    mw_text_add(to, "<h3>Exponents</h3>\n<p class=\"soft\">Seconds%s grow as this power of ",
                figure->has_steps ? " per step" : "");
    html_text(to, figure->x);
    mw_text_add(to,
                ": least squares of logarithms over all rounds and sizes; the error is from their scatter.</p>\n"
                "<div class=\"scroll\"><table>\n<thead><tr><th>line</th><th class=\"n\">exponent</th></tr></thead>\n"
                "<tbody>\n%s</tbody></table></div>\n",
                rows.data);
out:
    mw_text_free(&rows);
    return rc;
}

/* ---- the choices of auto ---- */

/* Rows of auto, and how many are as fast as the fastest variant of the same device with the same random numbers. */
struct auto_rows {
    size_t count, near;
    double worst;
    const struct measured *figure;
    const struct sized *at;
};

static bool is_alike(const struct measured *figure, const struct result *a, const struct result *b)
{
    return !strcmp(figure->curves[a->curve].device, figure->curves[b->curve].device) &&
           (a->draws && b->draws ? !strcmp(a->draws, b->draws) : a->draws == b->draws);
}

/* A variant counts as faster only if its slowest quarter of rounds is below auto's fastest. */
static bool is_faster(const struct result *r, const struct result *than)
{
    return r->shown.upper < than->shown.lower && r->shown.median < than->shown.median;
}

static void add_choice(const struct measured *figure, const struct sized *at, const struct result *chosen,
                       struct auto_rows *all)
{
    const struct result *best = chosen;
    double ratio;
    for (size_t i = 0; i < at->count; i++) {
        const struct result *r = &at->item[i];
        /* The chosen variant, measured by itself, is auto measured once more. */
        if (!r->reason && is_alike(figure, r, chosen) && is_faster(r, best) &&
            (!chosen->chosen || strcmp(figure->curves[r->curve].variant, chosen->chosen) != 0))
            best = r;
    }
    ratio = chosen->shown.median / best->shown.median;
    all->count++;
    all->near += ratio <= NEAR;
    if (ratio > all->worst)
        *all = (struct auto_rows){ all->count, all->near, ratio, figure, at };
}

void page_choices(const struct results *results, struct mw_text *to)
{
    struct auto_rows all = { .worst = 1 };
    for (size_t f = 0; f < results->count; f++) {
        const struct measured *figure = &results->figures[f];
        for (size_t c = 0; c < figure->count && !figure->values; c++)
            for (size_t i = 0; i < figure->cases[c].count; i++) {
                const struct result *r = &figure->cases[c].item[i];
                if (!r->reason && r->rounds >= SIZES_LEAST && !strcmp(figure->curves[r->curve].line, LINE_TODAY))
                    add_choice(figure, &figure->cases[c], r, &all);
            }
    }
    if (!all.count)
        return;
    mw_text_add(to, "<p>%s is within %d %% of the fastest line of its device in %zu of %zu rows with %d rounds or more",
                LINE_TODAY, NEAR_PERCENT, all.near, all.count, SIZES_LEAST);
    if (all.worst > NEAR) {
        mw_text_add(to, ", and takes up to %.3g times as long: ", all.worst);
        html_text(to, all.figure->suite);
        mw_text_add(to, ", ");
        html_text(to, all.figure->name);
        mw_text_add(to, ", ");
        html_text(to, all.figure->x);
        mw_text_add(to, " %s", digits_text(all.at->x).text);
    }
    mw_text_add(to, ".</p>\n");
}
/* SPDX-License-Identifier: MIT */
