#include "bench/common/plot.h"

#include <math.h>
#include <string.h>

#include "bench/common/bench.h"
#include "tools/report/files.h"

/* Distinguished by points, and without colour by brightness. */
static const struct {
    const char *rgb;
    int point;
} colours[] = {
    { "#000000", 7 }, { "#c0392b", 5 }, { "#e69f00", 9 }, { "#1f2f8f", 13 }, { "#3aa98f", 11 }, { "#9ecae1", 15 },
};
static const char *const dashes[] = { "solid", "'-'", "'_.'", "'.'", "'_ -'" };

/* Style of a line: index of its colour and dash, and whether it is the first line with each. */
struct look {
    bool drawn, first_who, first_how;
    size_t who, how;
};

void bench_plot_check(const char *file)
{
    if (plot_check(file, "the table") != 0)
        bench_wrong("%s", mw_errmsg());
}

static void choose_looks(const struct bench_plot *plot, struct look *looks)
{
    size_t whos = 0, hows = 0;
    for (size_t l = 0; l < plot->count; l++) {
        const struct bench_line *line = &plot->lines[l];
        struct look *own = &looks[l];
        *own = (struct look){ .who = whos, .how = hows, .first_who = true, .first_how = true };
        for (size_t i = 0; i < line->count; i++)
            own->drawn |= isfinite(line->y[i]);
        for (size_t before = 0; before < l && own->drawn; before++) {
            if (looks[before].drawn && strcmp(plot->lines[before].who, line->who) == 0) {
                own->who = looks[before].who;
                own->first_who = false;
            }
            if (looks[before].drawn && strcmp(plot->lines[before].how, line->how) == 0) {
                own->how = looks[before].how;
                own->first_how = false;
            }
        }
        whos += own->drawn && own->first_who && !line->thin;
        hows += own->drawn && own->first_how;
    }
}

/* Appends a data block per line. */
static void add_data(const struct bench_plot *plot, struct mw_text *script, struct plot_range *x, struct plot_range *y)
{
    for (size_t l = 0; l < plot->count; l++) {
        const struct bench_line *line = &plot->lines[l];
        mw_text_add(script, "$line%zu << END\n", l);
        for (size_t i = 0; i < line->count; i++) {
            if (!isfinite(line->y[i]))
                continue;
            mw_text_add(script, "%.9g %.9g\n", line->x[i], line->y[i]);
            plot_range_add(x, line->x[i]);
            plot_range_add(y, line->y[i]);
        }
        mw_text_add(script, "END\n");
    }
}

static void add_who(const struct bench_line *line, const struct look *look, const char *dash, struct mw_text *script)
{
    const size_t colour = look->who % MW_COUNT(colours);
    if (line->thin)
        mw_text_add(script, "with lines linewidth 1.5 linecolor rgb '#808080' dashtype %s", dash);
    else
        mw_text_add(script, "with linespoints linewidth 2 linecolor rgb '%s' pointtype %d pointsize 0.9 dashtype %s",
                    colours[colour].rgb, colours[colour].point, dash);
}

/* Appends the lines, then the key as empty lines: one per colour, one per dash. */
static void add_lines(const struct bench_plot *plot, const struct look *looks, struct mw_text *script)
{
    mw_text_add(script, "plot NaN notitle");
    for (size_t l = 0; l < plot->count; l++) {
        if (!looks[l].drawn)
            continue;
        mw_text_add(script, ", \\\n $line%zu using 1:2 ", l);
        add_who(&plot->lines[l], &looks[l], dashes[looks[l].how % MW_COUNT(dashes)], script);
        mw_text_add(script, " notitle");
    }
    for (size_t l = 0; l < plot->count; l++) {
        if (!looks[l].drawn || !looks[l].first_who)
            continue;
        mw_text_add(script, ", \\\n NaN ");
        add_who(&plot->lines[l], &looks[l], dashes[0], script);
        mw_text_add(script, " title ");
        plot_quote(script, plot->lines[l].who);
    }
    for (size_t l = 0; l < plot->count; l++)
        if (looks[l].drawn && looks[l].first_how)
            mw_text_add(script, ", \\\n NaN with lines linewidth 2 linecolor rgb 'black' dashtype %s title '%s'",
                        dashes[looks[l].how % MW_COUNT(dashes)], plot->lines[l].how);
    mw_text_add(script, "\n");
}

/* Sets the range from least to most, with a margin. */
static void set_range(struct mw_text *script, char axis, const struct plot_range *range)
{
    if (range->least < range->most)
        mw_text_add(script, "set %crange [%.9g:%.9g]\n", axis, range->least / 1.25, range->most * 1.25);
    else
        plot_range_set(script, axis, range);
}

void bench_plot_draw(const char *file, const struct bench_plot *plot)
{
    struct look looks[plot->count + 1];
    struct plot_range x = { 0 }, y = { 0 };
    struct mw_text script = { 0 };
    choose_looks(plot, looks);
    plot_begin(&script, file, PLOT_WIDTH, PLOT_HEIGHT);
    add_data(plot, &script, &x, &y);
    mw_text_add(&script,
                "set title '%s'\nset xlabel '%s'\nset ylabel '%s'\nset logscale xy\nset format y '10^{%%T}'\n"
                "set key below vertical maxrows 4 Left reverse samplen 5 title ' '\n",
                plot->title, plot->x, plot->y);
    set_range(&script, 'x', &x);
    set_range(&script, 'y', &y);
    add_lines(plot, looks, &script);
    if (plot_run(file, &script) != 0)
        bench_wrong("%s", mw_errmsg());
    mw_text_free(&script);
}
/* SPDX-License-Identifier: MIT */
