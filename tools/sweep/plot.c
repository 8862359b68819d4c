/* meshwork sweep: a plot of all columns, by gnuplot, which is another program. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "tools/report/files.h"
#include "tools/sweep/sweep.h"

/* What is drawn, from left to right, row by row. */
static const char *const panels[] = { "energy", "magnetisation_absolute", "specific_heat", "susceptibility", "binder",
                                      "magnetisation_time" };

int sweep_plot_check(const struct sweep *s)
{
    const char *plot = s->set->plot;
    int rc = 0;

    if (!plot)
        return 0;
    if (!text_ends_in(plot, ".svg") && !text_ends_in(plot, ".png"))
        return mw_fail(MW_EINVAL, "--plot: '%s' does not end in .svg or .png", plot);
    if (!file_program("gnuplot"))
        return mw_fail(MW_ENOTSUP, "--plot needs the program gnuplot, which is not there: install it (gnuplot-nox on "
                       "Debian and Ubuntu), or leave out --plot and take -o FILE.csv");
    TRY(file_writable(plot));
out:
    return rc;
}

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

/* In single quotes, as gnuplot has them. */
static void add_quoted(struct text *script, const char *words)
{
    text_add(script, "'");
    for (; *words; words++)
        text_add(script, *words == '\'' ? "''" : "%c", *words);
    text_add(script, "'");
}

static void add_script(const struct sweep *s, struct text *script)
{
    text_add(script, "set terminal %s\nset output ",
             text_ends_in(s->set->plot, ".png") ? "pngcairo size 1200,800" : "svg size 1200,800 background 'white'");
    add_quoted(script, s->set->plot);
    text_add(script, "\nset datafile missing '?'\n");
    add_data(s, script);
    text_add(script, "set multiplot layout 2,3\nset grid\nset key noenhanced\nset xlabel '%s' noenhanced\n", s->over);
    for (size_t p = 0; p < COUNT(panels); p++) {
        text_add(script, "set ylabel '%s'\n", sweep_columns[column_called(panels[p])].words);
        for (size_t size = 0; size < s->size_count; size++)
            text_add(script, "%s $size%zu using 1:%zu:%zu with yerrorlines pointtype 7 pointsize 0.4 title '%s'",
                     size ? ", \\\n" : "plot", size, 2 * p + 2, 2 * p + 3, size_text(&s->sizes[size].size, "x").text);
        text_add(script, "\n");
    }
    text_add(script, "unset multiplot\n");
}

/* gnuplot reads a program from its standard input. */
int sweep_plot(const struct sweep *s)
{
    struct text script = { 0 };
    void (*before)(int);
    bool written;
    FILE *pipe;
    int rc, status;

    add_script(s, &script);
    TRY(text_ok(&script));
    before = signal(SIGPIPE, SIG_IGN);       /* gnuplot may end before it has read all */
    pipe = popen("exec gnuplot", "w");
    written = pipe && fwrite(script.data, 1, script.length, pipe) == script.length;
    status = pipe ? pclose(pipe) : -1;
    signal(SIGPIPE, before);
    if (!written || status != 0)
        rc = mw_fail(MW_EIO, "--plot %s: gnuplot failed%s", s->set->plot,
                     status == -1 ? strerror(errno) : "; what it said stands above");
out:
    text_free(&script);
    return rc;
}
