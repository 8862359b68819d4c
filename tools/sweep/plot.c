/* meshwork sweep: a plot of the main columns. */
#include <math.h>

#include "tools/report/files.h"
#include "tools/sweep/sweep.h"

/* Panels from left to right, row by row. */
enum { PANELS = 6 };
static const char *const panels[][PANELS] = {
    { "energy", "magnetisation_absolute", "specific_heat", "susceptibility", "binder", "magnetisation_time" },
    { "energy", "specific_heat", "energy_time", "components_mean", "largest_fraction", "largest_minority" },
};
#define SURFACE "largest_minority" /* over both parameters, if there are several fractions */

/* Returns the number of columns if none has the name, as for models without signs. */
static size_t column_called(const struct sweep *s, const char *name)
{
    size_t c = 0;
    while (c < sweep_columns_of(s) && strcmp(sweep_columns[c].name, name) != 0)
        c++;
    return c;
}

static size_t column_of(const struct sweep *s, size_t panel)
{
    return column_called(s, panels[s->set->label_every > 0][panel]);
}

static bool has_panel(const struct sweep *s, size_t panel) { return column_of(s, panel) < sweep_columns_of(s); }

/* Curves: one per size and fraction. */
static size_t curves_of(const struct sweep *s) { return s->size_count * s->fraction_count; }

static struct mw_spin_estimate on_curve(const struct sweep *s, size_t curve, size_t value, size_t column)
{
    return sweep_estimate(s, curve * s->value_count + value, column);
}

/* Appends one data block per curve with the values of all panels. */
static void add_data(const struct sweep *s, struct mw_text *script)
{
    for (size_t curve = 0; curve < curves_of(s); curve++) {
        mw_text_add(script, "$curve%zu << END\n", curve);
        for (size_t value = 0; value < s->value_count; value++) {
            mw_text_add(script, "%.9g", s->points[value].value);
            for (size_t p = 0; p < PANELS; p++) {
                struct mw_spin_estimate e = { .value = NAN };
                if (has_panel(s, p))
                    e = on_curve(s, curve, value, column_of(s, p));
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

/* Appends the colours of curves by their fraction. */
static void add_colours(const struct sweep *s, struct mw_text *script)
{
    double least = s->points[0].fraction, most = least;
    for (size_t i = 1; i < s->point_count; i++) {
        least = fmin(least, s->points[i].fraction);
        most = fmax(most, s->points[i].fraction);
    }
    mw_text_add(script, "unset colorbox\nset cbrange [%.9g:%.9g]\n", least, most);
    mw_text_add(script, "set palette defined (0 '#2a3f8f', 1 '#1f8a8a', 2 '#d95f02')\n");
}

/* Appends the title of a curve: its size, or its fraction, or both. */
static void add_title(const struct sweep *s, size_t curve, struct mw_text *script)
{
    const double fraction = s->points[curve % s->fraction_count * s->value_count].fraction;
    const struct size_text size = size_text(&s->sizes[curve / s->fraction_count].size, "x");
    if (s->fraction_count == 1)
        mw_text_add(script, " title '%s'", size.text);
    else if (s->size_count == 1)
        mw_text_add(script, " linecolor palette cb %.9g title '%.4g up'", fraction, fraction);
    else
        mw_text_add(script, " title '%s, %.4g up'", size.text, fraction);
}

/* Marks the crossing of each two sizes by a line, with its error as a band. */
static int mark_crossings(const struct sweep *s, struct mw_text *script)
{
    const struct sweep_size **sizes = NULL;
    struct mw_spin_estimate e;
    TRY_RETURN(sweep_sizes_sorted(s, &sizes));
    for (size_t i = 0; s->fraction_count == 1 && i + 1 < s->size_count; i++) {
        if (!sweep_crossing(s, sizes[i], sizes[i + 1], &e))
            continue;
        if (isfinite(e.error))
            mw_text_add(script,
                        "set object rectangle from %.9g, graph 0 to %.9g, graph 1 back fillcolor rgb '#dddddd' "
                        "fillstyle solid noborder\n",
                        e.value - e.error, e.value + e.error);
        mw_text_add(script,
                    "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dashtype 2 linecolor rgb '#444444'\n"
                    "set label 'crossing: %s' at graph 0.05, graph %.9g noenhanced\n",
                    e.value, e.value, estimate_text(e).text, 0.08 + 0.08 * (double)i);
    }
    free(sizes);
    return 0;
}

/* Appends one panel, with the curves that have its values. */
static void add_panel(const struct sweep *s, size_t panel, struct mw_text *script)
{
    const size_t column = column_of(s, panel);
    struct plot_range x = { 0 }, y = { 0 };
    size_t drawn = 0;
    for (size_t row = 0; row < sweep_rows(s); row++) {
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
    if (!strcmp(sweep_columns[column].name, "binder"))
        script->failed = mark_crossings(s, script) != 0 || script->failed;
    for (size_t curve = 0; curve < curves_of(s); curve++) {
        bool any = false;
        for (size_t value = 0; value < s->value_count; value++)
            any |= isfinite(on_curve(s, curve, value, column).value);
        if (!any)
            continue;
        mw_text_add(script, "%s $curve%zu using 1:%zu:%zu with yerrorlines pointtype 7 pointsize 0.4",
                    drawn++ ? ", \\\n" : "plot", curve, 2 * panel + 2, 2 * panel + 3);
        add_title(s, curve, script);
    }
    mw_text_add(script, drawn ? "\n" : "plot NaN notitle\n");
    mw_text_add(script, "unset arrow\nunset object\nunset label\n");
}

/* Appends the surface of a column over the values and the fractions, for the first size. */
static void add_surface(const struct sweep *s, struct mw_text *script)
{
    const size_t column = column_called(s, SURFACE);
    mw_text_add(script, "$surface << END\n");
    for (size_t point = 0; point < s->point_count; point++) {
        const struct mw_spin_estimate e = sweep_estimate(s, point, column);
        mw_text_add(script, "%s%.9g %.9g ", point && point % s->value_count == 0 ? "\n" : "", s->points[point].value,
                    s->points[point].fraction);
        mw_text_add(script, isfinite(e.value) ? "%.9g\n" : "?\n", e.value);
    }
    mw_text_add(script,
                "END\nset autoscale\nset xyplane 0\nset view 60,40\nset hidden3d\nunset key\n"
                "set ytics %.9g offset 1,0\nset ylabel 'fraction up'\nset zlabel '%s' rotate parallel\n"
                "splot $surface using 1:2:3 with lines linecolor rgb '#1f4e79'\n",
                fabs(s->points[s->point_count - 1].fraction - s->points[0].fraction) / 4, sweep_columns[column].words);
}

static void add_script(const struct sweep *s, struct mw_text *script)
{
    plot_begin(script, s->set->plot, PLOT_WIDTH, PLOT_HEIGHT);
    add_data(s, script);
    mw_text_add(script, "set multiplot layout 2,3 title ");
    plot_quote(script, s->model->name);
    mw_text_add(script, " noenhanced\nset xlabel '%s' noenhanced\nset key above samplen 1\n", s->over);
    if (s->fraction_count > 1)
        add_colours(s, script);
    for (size_t p = 0; p < PANELS; p++) {
        if (!has_panel(s, p))
            continue;
        if (s->fraction_count > 1 && s->value_count > 1 && !strcmp(sweep_columns[column_of(s, p)].name, SURFACE))
            add_surface(s, script);
        else
            add_panel(s, p, script);
        if (s->fraction_count > 1)
            mw_text_add(script, "unset key\n"); /* the first panel has it */
    }
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
