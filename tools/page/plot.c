/* Plots of figures, drawn by gnuplot, as SVG within a page. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/page/page.h"
#include "tools/report/files.h"

enum { LABEL_MOST = 30, AXIS_MOST = 60 }; /* characters */
#define LABEL_STEP 0.048                  /* least distance of labels, as a part of the plot's height */

/* Colours with contrast to both white and black. */
static const char *const colours[] = { "#0f7bc4", "#d9600a", "#12946b", "#b3569e",
                                       "#a98307", "#6f66c9", "#c0404a", "#5f7d2e" };
/* gnuplot's numbers of open and filled circles, squares, triangles and other shapes. */
static const int points[] = { 7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14, 1, 2, 3 };

/* Curves with numbers, by the height of their labels: part of the plot's height. */
struct labelled {
    size_t curve;
    double height;
};
struct labels {
    struct labelled item[CURVES_MOST];
    size_t count, longest;
};

/* ---- labels ---- */

/* Adds a text of at most `most` characters; those special to gnuplot, SVG or HTML become ?, but apostrophes. */
static void add_label(struct mw_text *script, const char *name, size_t most)
{
    mw_text_add(script, "'");
    for (size_t n = 0; name[n] && (n < most || (name[n] & 0xC0) == 0x80); n++) {
        const bool special = (unsigned char)name[n] < ' ' || strchr("\"`\\<>&\177", name[n]);
        mw_text_add(script, special ? "?" : name[n] == '\'' ? "''" : "%c", name[n]);
    }
    mw_text_add(script, "'");
}

static int by_height(const void *a, const void *b)
{
    const double x = ((const struct labelled *)a)->height, y = ((const struct labelled *)b)->height;
    return (x > y) - (x < y);
}

/* Moves labels apart, up from the lowest, then down from the highest if they leave the plot. */
static void spread_labels(struct labels *labels)
{
    qsort(labels->item, labels->count, sizeof(*labels->item), by_height);
    for (size_t i = 1; i < labels->count; i++)
        labels->item[i].height = fmax(labels->item[i].height, labels->item[i - 1].height + LABEL_STEP);
    double most = 1;
    for (size_t i = labels->count; i-- > 0; most -= LABEL_STEP)
        labels->item[i].height = most = fmin(labels->item[i].height, most);
}

/* Each curve is labelled at the height of its last point. */
static void make_labels(const struct measured *figure, const struct plot_range *y, bool logarithmic,
                        struct labels *labels)
{
    for (size_t i = 0; i < figure->curve_count; i++) {
        const struct result *last = NULL;
        const size_t length = strlen(curve_label(figure, i).text);
        double height = 0.5;
        for (size_t c = 0; c < figure->count; c++)
            last = result_of(&figure->cases[c], i) ? result_of(&figure->cases[c], i) : last;
        if (!last)
            continue;
        if (y->most > y->least)
            height = logarithmic ? log(last->shown.median / y->least) / log(y->most / y->least)
                                 : (last->shown.median - y->least) / (y->most - y->least);
        labels->item[labels->count++] = (struct labelled){ i, height };
        labels->longest = length > labels->longest ? length : labels->longest;
    }
    if (labels->longest > LABEL_MOST)
        labels->longest = LABEL_MOST;
    spread_labels(labels);
}

/* ---- the script ---- */

static bool is_logarithmic(const struct plot_range *range)
{
    return range->least > 0 && range->most / range->least > 4;
}

static void add_range(struct mw_text *script, char axis, const struct plot_range *range)
{
    if (!(range->most > range->least))
        plot_range_set(script, axis, range);
    else if (is_logarithmic(range))
        mw_text_add(script, "set logscale %c\nset %crange [%.9g:%.9g]\n", axis, axis,
                    range->least / pow(range->most / range->least, 0.03),
                    range->most * pow(range->most / range->least, 0.03));
    else
        mw_text_add(script, "set %crange [%.9g:%.9g]\n", axis, range->least - 0.03 * (range->most - range->least),
                    range->most + 0.03 * (range->most - range->least));
}

static void add_frame(const struct measured *figure, const char *id, const struct labels *labels,
                      const struct plot_range *x, const struct plot_range *y, struct mw_text *script)
{
    mw_text_add(script,
                "set encoding utf8\nset terminal svg size 600,400 dynamic font 'sans-serif,13' noenhanced name '%s'\n"
                "set datafile missing '?'\nset border 3\nset tics nomirror\nset grid lc rgb '#808080' lw 0.5 dt 3\n"
                "set pointsize 0.7\nunset key\nset rmargin %zu\nset xlabel ",
                id, labels->longest + 1);
    add_label(script, figure->x, AXIS_MOST);
    mw_text_add(script, " noenhanced\nset ylabel ");
    add_label(script, figure->values ? figure->shows : figure->has_steps ? "seconds per step" : "seconds", AXIS_MOST);
    /* Ticks of linear axes may be fractions. */
    mw_text_add(script, "\nset format x '%s'\n", is_logarithmic(x) ? "%.0s%c" : "%g");
    if (!figure->values)
        mw_text_add(script, "set format y '%s'\n", is_logarithmic(y) ? "%.0s %cs" : "%.1s %cs");
    for (size_t i = 0; i < labels->count; i++) {
        mw_text_add(script, "set label %zu ", i + 1);
        add_label(script, curve_label(figure, labels->item[i].curve).text, LABEL_MOST);
        mw_text_add(script, " at graph 1.015,%.4f left noenhanced tc rgb '%s'\n", labels->item[i].height,
                    colours[labels->item[i].curve % MW_COUNT(colours)]);
    }
}

static void add_data(const struct measured *figure, size_t curve, struct mw_text *script)
{
    mw_text_add(script, "$c%zu << END\n", curve);
    for (size_t c = 0; c < figure->count; c++) {
        const struct result *r = result_of(&figure->cases[c], curve);
        if (!r)
            continue;
        mw_text_add(script, "%.9g %.9g", figure->cases[c].x, r->shown.median);
        if (r->rounds > 1)
            mw_text_add(script, " %.9g %.9g\n", r->shown.lower, r->shown.upper);
        else
            mw_text_add(script, " ? ?\n");
    }
    mw_text_add(script, "END\n");
}

/* Bars reach from quartile to quartile. */
static void add_ends(const struct result *r, struct plot_range *range)
{
    plot_range_add(range, r->shown.median);
    if (r->rounds > 1) {
        plot_range_add(range, r->shown.lower);
        plot_range_add(range, r->shown.upper);
    }
}

static int make_script(const struct measured *figure, const char *id, struct labels *labels, struct mw_text *script)
{
    struct plot_range x = { 0 }, y = { 0 };
    for (size_t c = 0; c < figure->count; c++) {
        plot_range_add(&x, figure->cases[c].x);
        for (size_t i = 0; i < figure->cases[c].count; i++)
            if (!figure->cases[c].item[i].reason)
                add_ends(&figure->cases[c].item[i], &y);
    }
    make_labels(figure, &y, is_logarithmic(&y), labels);
    add_frame(figure, id, labels, &x, &y, script);
    add_range(script, 'x', &x);
    add_range(script, 'y', &y);
    for (size_t i = 0; i < labels->count; i++)
        add_data(figure, labels->item[i].curve, script);
    for (size_t i = 0; i < labels->count; i++) {
        const size_t curve = labels->item[i].curve;
        mw_text_add(script,
                    "%s $c%zu using 1:2 with linespoints pt %d lw 2 lc rgb '%s' notitle, \\\n $c%zu using "
                    "1:2:3:4 with yerrorbars pt 7 ps 0 lw 1 lc rgb '%s' notitle",
                    i ? ", \\\n" : "plot", curve, points[curve % MW_COUNT(points)], colours[curve % MW_COUNT(colours)],
                    curve, colours[curve % MW_COUNT(colours)]);
    }
    mw_text_add(script, "\n");
    return mw_text_ok(script);
}

/* ---- from gnuplot's SVG to the SVG of the page ---- */

/* Adds the tooltip of a curve, or of the plot; each curve has two of gnuplot's plots. */
static void add_title(const struct measured *figure, const char *of, const struct labels *labels, struct mw_text *to)
{
    const char *name = strstr(of, "_plot_"), *end = strchr(of, '<');
    const size_t k = name && end && name < end ? strtoul(name + 6, NULL, 10) : 0;
    mw_text_add(to, "<title>");
    if (k >= 1 && k <= 2 * labels->count) {
        html_text(to, curve_label(figure, labels->item[(k - 1) / 2].curve).text);
    } else if (!k) {
        html_text(to, figure->title);
        mw_text_add(to, " over ");
        html_text(to, figure->x);
    }
    mw_text_add(to, "</title>");
}

/* Replaces black by the text colour of the page and white by transparent, and makes names unique in the page. */
static void add_svg(const struct measured *figure, const char *id, const char *svg, const struct labels *labels,
                    struct mw_text *to)
{
    /* clang-format off */
    static const struct { const char *of, *as; } changes[] = {
        { "\"black\"", "\"currentColor\"" }, { "'black'", "'currentColor'" },
        { "color='white'", "color='transparent'" },
        { "'gpDot'", "'%s-dot'" }, { "'#gpDot'", "'#%s-dot'" }, { "'gpPt", "'%s-point" }, { "'#gpPt", "'#%s-point" },
        { "'textbox'", "'%s-box'" }, { "'greybox'", "'%s-grey'" }, { "\"gnuplot_canvas\"", "\"%s-canvas\"" },
        { "rgb(  0,   0,   0)", "currentColor" },
        { "<svg ", "<svg role=\"img\" " } };

    while (*svg) {
        size_t i = 0;
        for (; i < MW_COUNT(changes) && strncmp(svg, changes[i].of, strlen(changes[i].of)) != 0; i++)
            ;
        if (i < MW_COUNT(changes)) {
            const char *place = strstr(changes[i].as, "%s");
            mw_text_append(to, changes[i].as, place ? (size_t)(place - changes[i].as) : strlen(changes[i].as));
            mw_text_add(to, "%s%s", place ? id : "", place ? place + 2 : "");
            svg += strlen(changes[i].of);
        } else if (!strncmp(svg, "<title>", 7) && strstr(svg, "</title>")) {
            add_title(figure, svg + 7, labels, to);
            svg = strstr(svg, "</title>") + 8;
        } else {
            mw_text_append(to, svg++, 1);
        }
    }
    /* clang-format on */
}

int page_plot(const struct measured *figure, size_t number, struct mw_text *to)
{
    struct mw_text script = { 0 }, svg = { 0 };
    struct labels labels = { .count = 0 };
    const char *start;
    char id[32];
    int rc;
    snprintf(id, sizeof(id), "plot%zu", number);
    TRY(make_script(figure, id, &labels, &script));
    TRY(plot_draw(id, &script, &svg));
    start = strstr(svg.data, "<svg");
    add_svg(figure, id, start ? start : "", &labels, to);
    rc = mw_text_ok(to);
out:
    mw_text_free(&svg);
    mw_text_free(&script);
    return rc;
}
/* SPDX-License-Identifier: MIT */
