/* Plots, by gnuplot, which is another program. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/report/files.h"

int plot_check(const char *plot, const char *instead)
{
    int rc = 0;

    if (!plot)
        return 0;
    if (!text_ends_in(plot, ".svg") && !text_ends_in(plot, ".png"))
        return mw_fail(MW_EINVAL, "--plot: '%s' does not end in .svg or .png", plot);
    if (!file_program("gnuplot"))
        return mw_fail(MW_ENOTSUP, "--plot needs the program gnuplot, which is not there: install it (gnuplot-nox on "
                       "Debian and Ubuntu), or leave out --plot and take %s", instead);
    TRY(file_writable(plot));
out:
    return rc;
}

void plot_quote(struct text *script, const char *words)
{
    text_add(script, "'");
    for (; *words; words++)
        text_add(script, *words == '\'' ? "''" : "%c", *words);
    text_add(script, "'");
}

void plot_begin(struct text *script, const char *plot)
{
    text_add(script, "set terminal %s\nset output ",
             text_ends_in(plot, ".png") ? "pngcairo size 1200,800" : "svg size 1200,800 background 'white'");
    plot_quote(script, plot);
    text_add(script, "\nset datafile missing '?'\nset grid\nset key noenhanced\n");
}

void plot_range_add(struct plot_range *range, double value)
{
    range->least = range->count ? fmin(range->least, value) : value;
    range->most = range->count ? fmax(range->most, value) : value;
    range->count++;
}

void plot_range_set(struct text *script, char axis, const struct plot_range *range)
{
    const double middle = range->count ? range->least : 1, half = middle == 0 ? 0.5 : fabs(middle) / 2;

    /* Values are written with nine digits. */
    if (range->most - range->least > 1e-8 * fmax(fabs(range->least), fabs(range->most)))
        text_add(script, "set autoscale %c\n", axis);
    else
        text_add(script, "set %crange [%.9g:%.9g]\n", axis, middle - half, middle + half);
}

/* gnuplot reads a program from its standard input.  Scripts are UTF-8, which gnuplot converts, with a warning, for a
 * locale of another encoding. */
int plot_run(const char *plot, const struct text *script)
{
    void (*before)(int);
    bool written;
    FILE *pipe;
    int rc, status;

    TRY(text_ok(script));
    before = signal(SIGPIPE, SIG_IGN);       /* gnuplot may end before it has read all */
    pipe = popen("LC_ALL=C.UTF-8 exec gnuplot", "w");
    written = pipe && fwrite(script->data, 1, script->length, pipe) == script->length;
    status = pipe ? pclose(pipe) : -1;
    signal(SIGPIPE, before);
    if (!written || status != 0)
        rc = mw_fail(MW_EIO, "gnuplot has not drawn %s: %s", plot,
                     status == -1 ? strerror(errno) : "what it said stands above");
out:
    return rc;
}
/* SPDX-License-Identifier: MIT */
