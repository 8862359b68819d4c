/* Numbers stated in the papers, next to ours from the same lines. */
#include <math.h>

#include "tools/page/page.h"

/* A row is filled only from the lines and the range of sizes that the statement names. */

static bool is_in(const struct claim *claim, double x)
{
    return x >= claim->from && (claim->to <= 0 || x <= claim->to);
}

static bool is_line(const struct measured *figure, size_t curve, const char *line)
{
    return !strcmp(figure->curves[curve].line, line);
}

/* Returns the fastest result of a line at a size; of one device, unless that is NULL. */
static const struct result *line_at(const struct measured *figure, const struct sized *of, const char *line,
                                    const char *device)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < of->count; i++) {
        const struct result *r = &of->item[i];
        if (!r->reason && is_line(figure, r->curve, line) &&
            (!device || !strcmp(figure->curves[r->curve].device, device)) &&
            (!best || r->shown.median < best->shown.median))
            best = r;
    }
    return best;
}

/* The paper compares a GPU with a CPU: a result on another device is no counterpart. */
static bool needs_gpu(const struct figure *known, const struct claim *claim)
{
    const struct line *of = figure_line(known, claim->of);
    const struct line *than = claim->than ? figure_line(known, claim->than) : NULL;
    return of && of->where >= ON_DEVICES && than && than->where < ON_DEVICES;
}

/* Finds the largest size in the claim's range at which `of` and `than` have results; NULL: none. */
static const struct sized *largest(const struct measured *figure, const struct claim *claim, const char *of)
{
    for (size_t c = figure->count; c-- > 0;) {
        const struct sized *at = &figure->cases[c];
        if (is_in(claim, at->x) && line_at(figure, at, of, NULL) &&
            (!claim->than || line_at(figure, at, claim->than, NULL)))
            return at;
    }
    return NULL;
}

static void add_at(const struct measured *figure, const struct sized *at, struct mw_text *to)
{
    mw_text_add(to, " at %s %s", figure->x, digits_text(at->x).text);
}

/* Adds the factor of line `of` over the claim's other line, on each device of the line. */
static void add_factors(const struct results *results, const struct measured *figure, const struct claim *claim,
                        const char *of, struct mw_text *to)
{
    const struct sized *at = largest(figure, claim, of);
    const bool gpu = needs_gpu(figure->known, claim);
    bool any = false;
    for (size_t i = 0; at && i < at->count; i++) {
        const struct result *r = &at->item[i], *than;
        const char *device = figure->curves[r->curve].device;
        if (r->reason || !is_line(figure, r->curve, of) || (gpu && !is_gpu(results, device)))
            continue;
        than = line_at(figure, at, claim->than, NULL);
        if (line_at(figure, at, claim->than, device))
            than = line_at(figure, at, claim->than, device);
        mw_text_add(to, "%s", any ? ", " : "");
        if (claim->kind == CLAIM_CHANGE)
            mw_text_add(to, "%+.0f %%", 100 * (r->shown.median / than->shown.median - 1));
        else
            mw_text_add(to, "%.3g", than->shown.median / r->shown.median);
        mw_text_add(to, " on ");
        mw_text_add(to, "%s", device);
        if (r->chosen && !strcmp(of, LINE_TODAY)) {
            mw_text_add(to, " by ");
            mw_text_add(to, "%s", r->chosen);
        }
        any = true;
    }
    if (any)
        add_at(figure, at, to);
    else
        mw_text_add(to, "%s", gpu && at ? "no GPU here" : "not measured in this range");
}

static int add_claimed_exponents(const struct measured *figure, const struct claim *claim, struct mw_text *to)
{
    bool any = false;
    for (size_t i = 0; i < figure->curve_count; i++) {
        double exponent, error;
        if (!is_line(figure, i, claim->of))
            continue;
        TRY_RETURN(exponent_of(figure, i, claim->from, claim->to, &exponent, &error));
        if (isnan(exponent))
            continue;
        mw_text_add(to, "%s%.2f \xC2\xB1 %.2f on ", any ? ", " : "", exponent, error);
        mw_text_add(to, "%s", figure->curves[i].device);
        any = true;
    }
    if (!any)
        mw_text_add(to, "%s", "fewer than five sizes or three rounds in this range");
    return 0;
}

/* Fits seconds = a x^3 to all curves of the line. */
static void add_cubes(const struct measured *figure, const struct claim *claim, struct mw_text *to)
{
    bool any = false;
    for (size_t i = 0; i < figure->curve_count; i++) {
        double above = 0, below = 0;
        for (size_t c = 0; is_line(figure, i, claim->of) && c < figure->count; c++) {
            const struct result *r = result_of(&figure->cases[c], i);
            const double cube = pow(figure->cases[c].x, 3);
            above += r && is_in(claim, figure->cases[c].x) ? r->shown.median * cube : 0;
            below += r && is_in(claim, figure->cases[c].x) ? cube * cube : 0;
        }
        if (!(below > 0))
            continue;
        mw_text_add(to, "%s%.3g on ", any ? ", " : "", 1e9 * above / below);
        mw_text_add(to, "%s", figure->curves[i].device);
        any = true;
    }
    if (!any)
        mw_text_add(to, "%s", "not measured in this range");
}

static void add_shown(const struct measured *figure, const struct claim *claim, struct mw_text *to)
{
    const struct sized *at = largest(figure, claim, claim->of);
    const struct result *r = at ? line_at(figure, at, claim->of, NULL) : NULL;
    if (!r) {
        mw_text_add(to, "%s", "not measured in this range");
        return;
    }
    mw_text_add(to, "%s on ", shown_text(figure, r->shown.median).text);
    mw_text_add(to, "%s", figure->curves[r->curve].device);
    add_at(figure, at, to);
}

const char *claim_kind_name(enum claim_kind kind)
{
    static const char *const names[] = {
        [CLAIM_FACTOR] = "factor", [CLAIM_CHANGE] = "change",   [CLAIM_EXPONENT] = "exponent",
        [CLAIM_CUBE] = "constant", [CLAIM_SECONDS] = "seconds", [CLAIM_VALUE] = "value"
    };
    return names[kind];
}

int claim_ours(const struct results *results, const struct measured *figure, const struct claim *claim,
               struct mw_text *to)
{
    switch (claim->kind) {
    case CLAIM_FACTOR:
    case CLAIM_CHANGE: add_factors(results, figure, claim, claim->of, to); break;
    case CLAIM_EXPONENT: return add_claimed_exponents(figure, claim, to);
    case CLAIM_CUBE: add_cubes(figure, claim, to); break;
    case CLAIM_SECONDS:
    case CLAIM_VALUE: add_shown(figure, claim, to); break;
    }
    return mw_text_ok(to);
}

int claim_today(const struct results *results, const struct measured *figure, const struct claim *claim,
                struct mw_text *to)
{
    if (claim->kind == CLAIM_FACTOR)
        add_factors(results, figure, claim, LINE_TODAY, to);
    return mw_text_ok(to);
}

/* Appends a cell with the text that one of these functions makes. */
typedef int claim_text(const struct results *, const struct measured *, const struct claim *, struct mw_text *);
static int add_cell(const struct results *results, const struct measured *figure, const struct claim *claim,
                    claim_text *make, struct mw_text *to)
{
    struct mw_text text = { 0 };
    int rc;
    TRY(make(results, figure, claim, &text));
    mw_text_add(to, "<td>");
    html_text(to, text.data ? text.data : "");
    mw_text_add(to, "</td>");
out:
    mw_text_free(&text);
    return rc;
}

int page_claims(const struct results *results, const struct measured *figure, struct mw_text *to)
{
    if (!figure->known || !figure->known->claims[0].words)
        return 0;
    mw_text_add(to,
                "<h3>Statements of the paper</h3>\n<div class=\"scroll\"><table>\n<thead><tr><th>paper</th>"
                "<th>here, the same lines</th><th>here, %s</th></tr></thead>\n<tbody>\n",
                LINE_TODAY);
    for (const struct claim *c = figure->known->claims; c->words; c++) {
        mw_text_add(to, "<tr><td>");
        html_text(to, c->words);
        mw_text_add(to, " <span class=\"soft\">(");
        html_text(to, c->place);
        mw_text_add(to, ")</span></td>");
        TRY_RETURN(add_cell(results, figure, c, claim_ours, to));
        TRY_RETURN(add_cell(results, figure, c, claim_today, to));
        mw_text_add(to, "</tr>\n");
    }
    mw_text_add(to, "</tbody></table></div>\n");
    return 0;
}
/* SPDX-License-Identifier: MIT */
