/* Plots, drawn by the program gnuplot. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <meshwork/file.h>

#include "tools/report/files.h"

int plot_check(const char *plot, const char *instead)
{
    if (!plot)
        return 0;
    if (strcmp(plot, "-") != 0 && !text_ends_in(plot, ".svg") && !text_ends_in(plot, ".png"))
        return mw_fail(MW_EINVAL, "--plot: '%s' must end in .svg or .png, or be - for standard output", plot);
    if (!file_program("gnuplot"))
        return mw_fail(MW_ENOTSUP,
                       "--plot needs the program gnuplot, which is not installed: install it (gnuplot-nox "
                       "on Debian and Ubuntu), or use %s instead of --plot",
                       instead);
    return text_ends_in(plot, ".png") ? file_writable(plot) : file_text_writable(plot);
}

void plot_quote(struct mw_text *script, const char *words)
{
    mw_text_add(script, "'");
    for (; *words; words++)
        mw_text_add(script, *words == '\'' ? "''" : "%c", *words);
    mw_text_add(script, "'");
}

void plot_begin(struct mw_text *script, const char *plot)
{
    mw_text_add(script, "set terminal %s\nset datafile missing '?'\nset grid\nset key noenhanced\n",
                text_ends_in(plot, ".png")
                    ? "pngcairo size 1200,800 font 'Sans,12'"
                    : "svg size 1200,800 font 'Helvetica,Arial,sans-serif,16' background 'white'");
}

void plot_range_add(struct plot_range *range, double value)
{
    range->least = range->count ? fmin(range->least, value) : value;
    range->most = range->count ? fmax(range->most, value) : value;
    range->count++;
}

void plot_range_set(struct mw_text *script, char axis, const struct plot_range *range)
{
    const double middle = range->count ? range->least : 1, half = middle == 0 ? 0.5 : fabs(middle) / 2;
    /* Values are written with nine digits; smaller differences would vanish. */
    if (range->most - range->least > 1e-8 * fmax(fabs(range->least), fabs(range->most)))
        mw_text_add(script, "set autoscale %c\n", axis);
    else
        mw_text_add(script, "set %crange [%.9g:%.9g]\n", axis, middle - half, middle + half);
}

/* gnuplot reads the script from a memory file: with two pipes both sides could block.  Scripts are UTF-8; in other
 * locales gnuplot would convert them and warn. */
int plot_draw(const char *plot, const struct mw_text *script, struct mw_text *drawn)
{
    char command[80], bytes[4096];
    FILE *pipe = NULL;
    size_t n;
    int rc, status = -1, file = -1;
    TRY(mw_text_ok(script));
    file = memfd_create("script", 0);
    snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 exec gnuplot </dev/fd/%d", file);
    if (file >= 0 && write(file, script->data, script->length) == (ssize_t)script->length)
        pipe = popen(command, "r");
    while (pipe && (n = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
        mw_text_append(drawn, bytes, n);
    if (pipe)
        status = pclose(pipe);
    if (status != 0 || !drawn->length)
        TRY(mw_fail(MW_EIO, "gnuplot did not draw %s: %s", plot,
                    status == -1 ? strerror(errno) : "see its messages above"));
    rc = mw_text_ok(drawn);
out:
    if (file >= 0)
        close(file);
    return rc;
}

int plot_run(const char *plot, const struct mw_text *script)
{
    struct mw_text drawn = { 0 };
    int rc;
    TRY(plot_draw(plot, script, &drawn));
    rc = file_write(plot, true, drawn.data, drawn.length);
out:
    mw_text_free(&drawn);
    return rc;
}
/* SPDX-License-Identifier: MIT */
