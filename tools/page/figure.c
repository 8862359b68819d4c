/* A figure as a plot and tables. */
#include <math.h>

#include "tools/bench/bench.h"
#include "tools/page/page.h"

/* ---- the results of a size ---- */

static void add_agreement(const struct result *r, struct mw_text *to)
{
    if (r->agrees || r->alone)
        return;
    mw_text_add(to, "<br/><span class=\"bad\">differs in ");
    html_text(to, r->differs ? r->differs : "results");
    mw_text_add(to, "</span>");
}

/* Adds the line with its device and variant. */
static void add_curve(const struct measured *figure, const struct result *r, struct mw_text *to)
{
    const struct curve *c = &figure->curves[r->curve];
    mw_text_add(to, "<th scope=\"row\">");
    html_text(to, c->line);
    mw_text_add(to, "<br/><span class=\"soft\">");
    html_text(to, c->device);
    mw_text_add(to, ", ");
    html_text(to, r->chosen ? r->chosen : c->variant);
    mw_text_add(to, "</span>");
    add_agreement(r, to);
    mw_text_add(to, "</th>");
}

static void add_result(const struct measured *figure, const struct result *r, struct mw_text *to)
{
    mw_text_add(to, "<tr>");
    add_curve(figure, r, to);
    html_number(to, "%s", shown_text(figure, r->shown.median).text);
    html_number(to, "%s", shown_text(figure, r->shown.least).text);
    if (r->rounds > 1)
        html_number(to, "%s to %s", shown_text(figure, r->shown.lower).text, shown_text(figure, r->shown.upper).text);
    else
        html_number(to, "%s", "");
    html_number(to, "%s", isfinite(r->rate) && r->unit ? rate_text(r->rate, r->unit).text : "");
    mw_text_add(to, "</tr>\n");
}

static void add_reasons(const struct measured *figure, const struct sized *of, struct mw_text *to)
{
    mw_text_add(to, "<div class=\"scroll\"><table>\n<thead><tr><th>not measured</th><th>reason</th></tr></thead>\n"
                    "<tbody>\n");
    for (size_t i = 0; i < of->count; i++) {
        if (!of->item[i].reason)
            continue;
        mw_text_add(to, "<tr>");
        add_curve(figure, &of->item[i], to);
        html_cell(to, "%s", of->item[i].reason);
        mw_text_add(to, "</tr>\n");
    }
    mw_text_add(to, "</tbody></table></div>\n");
}

static void add_size(const struct measured *figure, const struct sized *of, bool open, struct mw_text *to)
{
    size_t failed = 0;
    mw_text_add(to, "<details%s><summary>", open ? " open=\"open\"" : "");
    html_text(to, figure->x);
    mw_text_add(to, " %s", digits_text(of->x).text);
    mw_text_add(to, "</summary>\n<p><code>meshwork ");
    html_text(to, of->task);
    mw_text_add(to, "</code></p>\n<div class=\"scroll\"><table>\n<thead><tr><th>line</th><th class=\"n\">median</th>"
                    "<th class=\"n\">least</th><th class=\"n\">quartiles</th><th class=\"n\">rate</th></tr></thead>\n"
                    "<tbody>\n");
    for (size_t i = 0; i < of->count; i++) {
        failed += of->item[i].reason != NULL;
        if (!of->item[i].reason)
            add_result(figure, &of->item[i], to);
    }
    mw_text_add(to, "</tbody></table></div>\n");
    if (failed)
        add_reasons(figure, of, to);
    mw_text_add(to, "</details>\n");
}

static void add_left_out(const struct measured *figure, struct mw_text *to)
{
    const size_t count = json_array_size(figure->left_out);
    if (!count)
        return;
    mw_text_add(to, "<p>Not measured within the budget: ");
    html_text(to, figure->x);
    mw_text_add(to, " ");
    for (size_t i = 0; i < count; i++)
        mw_text_add(to, "%s%s", i ? ", " : "",
                    digits_text(json_number_value(json_array_get(figure->left_out, i))).text);
    mw_text_add(to, ".</p>\n");
}

/* ---- the section ---- */

static bool any_numbers(const struct measured *figure)
{
    for (size_t c = 0; c < figure->count; c++)
        for (size_t i = 0; i < figure->cases[c].count; i++)
            if (!figure->cases[c].item[i].reason)
                return true;
    return false;
}

static bool has_rounds(const struct measured *figure)
{
    for (size_t c = 0; c < figure->count; c++)
        for (size_t i = 0; i < figure->cases[c].count; i++)
            if (!figure->cases[c].item[i].reason && figure->cases[c].item[i].rounds > 1)
                return true;
    return false;
}

static void add_picture(const struct measured *figure, struct mw_text *to)
{
    mw_text_add(to, "<figure class=\"field\">\n<img alt=\"");
    html_text(to, figure->title);
    mw_text_add(to, "\" src=\"data:image/png;base64,");
    mw_text_append(to, figure->picture, strlen(figure->picture));
    mw_text_add(to, "\"/>\n<figcaption><code>meshwork ");
    html_text(to, figure->picture_task);
    mw_text_add(to, "</code></figcaption>\n</figure>\n");
}

static int add_plot(const struct measured *figure, size_t number, struct mw_text *to)
{
    mw_text_add(to, "<figure>\n");
    TRY_RETURN(page_plot(figure, number, to));
    mw_text_add(to, "<figcaption>Medians%s</figcaption>\n</figure>\n",
                has_rounds(figure) ? "; bars are quartiles of the rounds" : " of one round");
    return 0;
}

int page_figure(const struct results *results, size_t number, bool plots, struct mw_text *to)
{
    const struct measured *figure = &results->figures[number - 1];
    mw_text_add(to, "<section id=\"%s\">\n<h2>", figure_id(figure->suite, figure->name).text);
    html_text(to, figure->title);
    mw_text_add(to, "</h2>\n<p class=\"soft\"><code>");
    html_text(to, figure->suite);
    mw_text_add(to, "</code>, ");
    html_text(to, figure->name);
    mw_text_add(to, " of ");
    html_text(to, figure->paper);
    mw_text_add(to, "</p>\n");
    if (figure->known && figure->known->remark) {
        mw_text_add(to, "<p>");
        html_text(to, figure->known->remark);
        mw_text_add(to, "</p>\n");
    }
    if (figure->picture)
        add_picture(figure, to);
    if (any_numbers(figure)) {
        if (plots)
            TRY_RETURN(add_plot(figure, number, to));
        TRY_RETURN(page_claims(results, figure, to));
        if (!figure->values)
            TRY_RETURN(page_exponents(figure, to));
    }
    if (figure->count)
        mw_text_add(to, "<div class=\"results\">\n<h3>Results</h3>\n");
    for (size_t c = 0; c < figure->count; c++)
        add_size(figure, &figure->cases[c], c + 1 == figure->count, to);
    if (figure->count)
        mw_text_add(to, "</div>\n");
    add_left_out(figure, to);
    mw_text_add(to, "</section>\n");
    return 0;
}
/* SPDX-License-Identifier: MIT */
