/* meshwork sweep: a plot of all columns. */
#include <math.h>

#include "tools/report/files.h"
#include "tools/sweep/sweep.h"

/* Panels from left to right, row by row. */
static const char *const panels[] = { "energy", "magnetisation_absolute", "specific_heat", "susceptibility",
                                      "binder", "magnetisation_time" };

static size_t column_called(const char *name)
{
    size_t c = 0;
    while (strcmp(sweep_columns[c].name, name) != 0)
        c++;
    return c;
}

/* Appends one data block per size with the values of all panels. */
static void add_data(const struct sweep *s, struct mw_text *script)
{
    for (size_t size = 0; size < s->size_count; size++) {
        mw_text_add(script, "$size%zu << END\n", size);
        for (size_t point = 0; point < s->point_count; point++) {
            mw_text_add(script, "%.9g", s->points[point].value);
            for (size_t p = 0; p < MW_COUNT(panels); p++) {
                const struct mw_spin_estimate e =
                    sweep_estimate(s, size * s->point_count + point, column_called(panels[p]));
                if (isfinite(e.value))
                    mw_text_add(script, " %.9g %.3g", e.value, isfinite(e.error) ? e.error : 0);
                else
                    mw_text_add(script, " ? ?");
            }
            mw_text_add(script, "\n");
        }
        mw_text_add(script, "END\n");
    }
}

/* Appends one panel, with the sizes that have its values. */
static void add_panel(const struct sweep *s, size_t panel, struct mw_text *script)
{
    const size_t column = column_called(panels[panel]);
    struct plot_range x = { 0 }, y = { 0 };
    size_t drawn = 0;
    for (size_t row = 0; row < s->size_count * s->point_count; row++) {
        const struct mw_spin_estimate e = sweep_estimate(s, row, column);
        plot_range_add(&x, s->points[row % s->point_count].value);
        if (isfinite(e.value)) {
            plot_range_add(&y, e.value);
            plot_range_add(&y, e.value + (isfinite(e.error) ? e.error : 0));
        }
    }
    if (x.least < x.most)
        mw_text_add(script, "set xrange [%.9g:%.9g]\n", x.least, x.most);
    else
        plot_range_set(script, 'x', &x);
    plot_range_set(script, 'y', &y);
    mw_text_add(script, "set ylabel '%s'\n", sweep_columns[column].words);
    for (size_t size = 0; size < s->size_count; size++) {
        bool any = false;
        for (size_t point = 0; point < s->point_count; point++)
            any |= isfinite(sweep_estimate(s, size * s->point_count + point, column).value);
        if (any)
            mw_text_add(script, "%s $size%zu using 1:%zu:%zu with yerrorlines pointtype 7 pointsize 0.4 title '%s'",
                        drawn++ ? ", \\\n" : "plot", size, 2 * panel + 2, 2 * panel + 3,
                        size_text(&s->sizes[size].size, "x").text);
    }
    mw_text_add(script, drawn ? "\n" : "plot NaN notitle\n");
}

static void add_script(const struct sweep *s, struct mw_text *script)
{
    plot_begin(script, s->set->plot);
    add_data(s, script);
    mw_text_add(script, "set multiplot layout 2,3\nset xlabel '%s' noenhanced\n", s->over);
    for (size_t p = 0; p < MW_COUNT(panels); p++)
        add_panel(s, p, script);
    mw_text_add(script, "unset multiplot\n");
}

int sweep_plot(const struct sweep *s)
{
    struct mw_text script = { 0 };
    int rc;
    add_script(s, &script);
    rc = plot_run(s->set->plot, &script);
    mw_text_free(&script);
    return rc;
}
/* SPDX-License-Identifier: MIT */
