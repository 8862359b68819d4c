/* meshwork graph info --plot: the distribution of degrees with logarithmic axes. It has the fraction of vertices of
 * each degree k, its mean in logarithmic bins, and the fraction of vertices with at least degree k.  Bins show tails in
 * which degrees have one vertex or none (Newman 2005, "Power laws, Pareto distributions and Zipf's law"). */
#include <math.h>

#include "tools/info/info.h"
#include "tools/report/files.h"

#define BINS_A_DECADE 8

static void add_points(const uint64_t *degrees, size_t count, double vertices, struct mw_text *script)
{
    mw_text_add(script, "$degrees << END\n");
    for (size_t k = 1; k < count; k++)
        if (degrees[k])
            mw_text_add(script, "%zu %.9g\n", k, (double)degrees[k] / vertices);
    mw_text_add(script, "END\n");
}

/* A bin has the degrees from `from` to below `to`.  Its place is their geometric mean, its height the mean fraction per
 * degree.  Returns the smallest height. */
static double add_bins(const uint64_t *degrees, size_t count, double vertices, struct mw_text *script)
{
    size_t from = 1, to;
    double least = 1;
    mw_text_add(script, "$bins << END\n");
    for (int i = 1; from < count; i++, from = to) {
        uint64_t sum = 0;
        to = (size_t)ceil(pow(10, (double)i / BINS_A_DECADE) - 1e-9);
        to = to < from ? from : to > count ? count : to;
        for (size_t k = from; k < to; k++)
            sum += degrees[k];
        if (!sum)
            continue;
        const double height = (double)sum / (double)(to - from) / vertices;
        mw_text_add(script, "%.9g %.9g\n", sqrt((double)from * (double)(to - 1)), height);
        least = fmin(least, height);
    }
    mw_text_add(script, "END\n");
    return least;
}

/* The curve steps down after each degree that has vertices. */
static void add_cumulative(const uint64_t *degrees, size_t count, double vertices, struct mw_text *script)
{
    uint64_t left = 0;
    for (size_t k = 1; k < count; k++)
        left += degrees[k];
    mw_text_add(script, "$cumulative << END\n");
    for (size_t k = 1; k < count; k++) {
        if (k == 1 || degrees[k])
            mw_text_add(script, "%zu %.9g\n", k, (double)left / vertices);
        left -= degrees[k];
    }
    mw_text_add(script, "END\n");
}

int info_plot_degrees(const char *path, const uint64_t *degrees, size_t count, bool directed)
{
    struct mw_text script = { 0 };
    double vertices = 0, least;
    int rc;
    for (size_t k = 0; k < count; k++)
        vertices += (double)degrees[k];
    plot_begin(&script, path, PLOT_WIDTH, PLOT_HEIGHT);
    add_points(degrees, count, vertices, &script);
    least = add_bins(degrees, count, vertices, &script);
    add_cumulative(degrees, count, vertices, &script);
    mw_text_add(&script,
                "set logscale xy\nset format x '10^{%%T}'\nset format y '10^{%%T}'\nset xlabel '%s k'\n"
                "set ylabel 'fraction of vertices'\nset key above horizontal\n"
                "set title '%.0f vertices",
                directed ? "out-degree" : "degree", vertices);
    if (count && degrees[0])
        mw_text_add(&script, "; not shown: %.0f of degree 0", (double)degrees[0]);
    mw_text_add(&script, "'\n");
    if (count < 3)
        mw_text_add(&script, "set xrange [0.5:20]\n");
    else
        mw_text_add(&script, "set xrange [0.8:%.9g]\n", 1.25 * (double)(count - 1));
    mw_text_add(&script, "set yrange [%.9g:2]\n", fmin(least, 1 / fmax(vertices, 10)) / 2);
    if (count < 2)
        mw_text_add(&script, "plot NaN notitle\n");
    else
        mw_text_add(&script, "plot $degrees with points pointtype 7 pointsize 0.6 linecolor rgb '#9db7d5' "
                             "title 'each degree k', \\\n"
                             "$bins with linespoints pointtype 7 pointsize 1 linewidth 2 linecolor rgb '#1f4e79' "
                             "title 'mean of logarithmic bins', \\\n"
                             "$cumulative with fsteps linewidth 2 linecolor rgb '#d95f02' title 'degree k or more'\n");
    rc = plot_run(path, &script);
    mw_text_free(&script);
    return rc;
}
/* SPDX-License-Identifier: MIT */
