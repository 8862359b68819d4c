/* meshwork sweep: a plot of all columns. */
#include <math.h>

#include "tools/report/files.h"
#include "tools/sweep/sweep.h"

/* What is drawn, from left to right, row by row. */
static const char *const panels[] = { "energy", "magnetisation_absolute", "specific_heat", "susceptibility", "binder",
                                      "magnetisation_time" };

static size_t column_called(const char *name)
{
    size_t c = 0;

    while (strcmp(sweep_columns[c].name, name) != 0)
        c++;
    return c;
}

/* Blocks of data, one a size, of the values of all panels. */
static void add_data(const struct sweep *s, struct text *script)
{
    for (size_t size = 0; size < s->size_count; size++) {
        text_add(script, "$size%zu << END\n", size);
        for (size_t point = 0; point < s->point_count; point++) {
            text_add(script, "%.9g", s->points[point].value);
            for (size_t p = 0; p < COUNT(panels); p++) {
                const struct mw_spin_estimate e = sweep_estimate(s, size * s->point_count + point,
                                                                 column_called(panels[p]));
                if (isfinite(e.value))
                    text_add(script, " %.9g %.3g", e.value, isfinite(e.error) ? e.error : 0);
                else
                    text_add(script, " ? ?");
            }
            text_add(script, "\n");
        }
        text_add(script, "END\n");
    }
}

static void add_script(const struct sweep *s, struct text *script)
{
    const double first = s->points[0].value, width = fmax(fabs(first) / 10, 1e-3);

    plot_begin(script, s->set->plot);
    add_data(s, script);
    text_add(script, "set multiplot layout 2,3\nset xlabel '%s' noenhanced\n", s->over);
    if (s->point_count == 1)                 /* of which gnuplot makes no range */
        text_add(script, "set xrange [%.9g:%.9g]\n", first - width, first + width);
    for (size_t p = 0; p < COUNT(panels); p++) {
        text_add(script, "set ylabel '%s'\n", sweep_columns[column_called(panels[p])].words);
        for (size_t size = 0; size < s->size_count; size++)
            text_add(script, "%s $size%zu using 1:%zu:%zu with yerrorlines pointtype 7 pointsize 0.4 title '%s'",
                     size ? ", \\\n" : "plot", size, 2 * p + 2, 2 * p + 3, size_text(&s->sizes[size].size, "x").text);
        text_add(script, "\n");
    }
    text_add(script, "unset multiplot\n");
}

int sweep_plot(const struct sweep *s)
{
    struct text script = { 0 };
    int rc;

    add_script(s, &script);
    rc = plot_run(s->set->plot, &script);
    text_free(&script);
    return rc;
}
