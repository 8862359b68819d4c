/* meshwork walk: writes the table, the plot, and the picture of the carpet. */
#include <math.h>

#include "tools/report/csv.h"
#include "tools/report/files.h"
#include "tools/walk/walk.h"

int walk_write_check(const struct run *r)
{
    const struct walk_settings *set = ((const struct walk_run *)r->own)->set;
    TRY_RETURN(file_kind_writable("csv", set->csv, ".csv"));
    TRY_RETURN(plot_check(set->plot, "--csv FILE.csv"));
    return file_kind_writable("carpet-png", set->carpet_png, ".png");
}

/* ---- the table ---- */

static void walk_write_add_row(const void *context, size_t point, struct mw_text *text)
{
    const struct walk_run *own = context;
    struct walk_measures mean;
    const size_t walks = walk_mean(own, point, &mean);
    if (!walks)
        return;
    mw_text_add(text, "%llu", (unsigned long long)own->at[point]);
    csv_real(text, mean.square_displacement);
    csv_real(text, mean.error);
    csv_real(text, walk_local_exponent(own, point));
    csv_real(text, mean.total);
    mw_text_add(text, ",%zu\n", walks);
}

/* ---- the plot ---- */

static void add_data(const struct walk_run *own, struct mw_text *script, struct plot_range *steps,
                     struct plot_range *squares, struct plot_range *locals)
{
    mw_text_add(script, "$walk << END\n");
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        const double local = walk_local_exponent(own, i);
        if (!walk_mean(own, i, &mean) || !(mean.square_displacement > 0))
            continue;
        mw_text_add(script, "%llu %.9g %.3g ", (unsigned long long)own->at[i], mean.square_displacement,
                    isfinite(mean.error) ? mean.error : 0);
        plot_range_add(steps, (double)own->at[i]);
        plot_range_add(squares, mean.square_displacement);
        if (isfinite(local)) {
            mw_text_add(script, "%.9g\n", local);
            plot_range_add(locals, local);
        } else {
            mw_text_add(script, "?\n");
        }
    }
    mw_text_add(script, "END\n");
}

/* Sets a range of whole decades of steps. */
static void add_ranges(const struct plot_range *steps, const struct plot_range *y, struct mw_text *script)
{
    const double first = steps->count ? floor(log10(steps->least)) : 0;
    const double last = steps->count ? ceil(log10(steps->most)) : 1;
    mw_text_add(script, "set xrange [1e%.0f:1e%.0f]\n", first, last > first ? last : first + 1);
    plot_range_set(script, 'y', y);
}

static int plot(const struct run *r)
{
    const struct walk_run *own = r->own;
    struct plot_range steps = { 0 }, squares = { 0 }, locals = { 0 };
    struct mw_text script = { 0 };
    struct walk_fit fit;
    double height = 0;
    size_t n = 0;
    int rc;
    walk_fit(own, &fit);
    /* The fitted line passes through the means of the logarithms. */
    for (size_t i = 0; i < own->at_count; i++) {
        struct walk_measures mean;
        if (own->at[i] < fit.from || own->at[i] > fit.to || !walk_mean(own, i, &mean) ||
            !(mean.square_displacement > 0))
            continue;
        height += log(mean.square_displacement) - fit.exponent * log((double)own->at[i]);
        n++;
    }
    plot_begin(&script, own->set->plot, PLOT_WIDTH, PLOT_HEIGHT);
    add_data(own, &script, &steps, &squares, &locals);
    mw_text_add(&script, "set multiplot layout 1,2\nset logscale x\nset format x '10^{%%T}'\nset xlabel 'step t'\n"
                         "set key left top\nset logscale y\nset format y '10^{%%T}'\nset ylabel '<r^2>'\n");
    add_ranges(&steps, &squares, &script);
    mw_text_add(&script,
                squares.count ? "plot $walk using 1:2:3 with %s pointtype 7 pointsize 0.6 title "
                              : "plot NaN with %s title ",
                squares.count && (own->runs > 1 || own->set->method == WALK_WALKERS) ? "yerrorbars" : "points");
    plot_quote(&script, own->info->name);
    if (n > 1 && isfinite(fit.exponent))
        mw_text_add(&script, ", [%llu:%llu] exp(%.9g) * x ** %.9g linewidth 2 title 't^%.4f'",
                    (unsigned long long)fit.from, (unsigned long long)fit.to, height / (double)n, fit.exponent,
                    fit.exponent);
    mw_text_add(&script, "\nunset logscale y\nset format y\nset ylabel 'local exponent'\n");
    add_ranges(&steps, &locals, &script);
    mw_text_add(&script, "plot %s notitle",
                locals.count ? "$walk using 1:4 with linespoints pointtype 7 pointsize 0.6" : "NaN");
    if (n > 1 && isfinite(fit.exponent))
        mw_text_add(&script, ", [%llu:%llu] %.9g linewidth 2 title 'fit: %.4f'", (unsigned long long)fit.from,
                    (unsigned long long)fit.to, fit.exponent, fit.exponent);
    mw_text_add(&script, "\nunset multiplot\n");
    rc = plot_run(own->set->plot, &script);
    mw_text_free(&script);
    return rc;
}

/* ---- the carpet ---- */

/* Marks the site of the start by a square that is visible in a picture of any size. */
static void walk_write_mark(const struct mw_array *pixels, int64_t x, int64_t y, int64_t site,
                            const unsigned char *colour)
{
    const int64_t width = (int64_t)pixels->length[0], height = (int64_t)pixels->length[1];
    const int64_t reach = site > 1 ? 0 : (width > height ? width : height) / 100;
    for (int64_t v = y * site - reach; v < (y + 1) * site + reach; v++)
        for (int64_t u = x * site - reach; u < (x + 1) * site + reach; u++)
            if (u >= 0 && u < width && v >= 0 && v < height)
                memcpy((uint32_t *)pixels->data + v * width + u, colour, 4);
}

/* As large as the picture of the probabilities; in three dimensions, the plane through the start. */
static int carpet_picture(struct run *r)
{
    static const unsigned char colours[][4] = { { 255, 255, 255, 255 }, { 0, 0, 0, 255 }, { 220, 30, 30, 255 } };
    const struct walk_run *own = r->own;
    struct mw_array sites = { 0 }, pixels = { 0 };
    struct walk_box box;
    int64_t low[MW_CARPET_DIMS_MAX];
    size_t site, width;
    int rc;

    TRY(walk_shown_box(r, &box));
    box.low[2] = 0;
    box.length[2] = 1;
    for (unsigned d = 0; d < MW_CARPET_DIMS_MAX; d++)
        low[d] = own->one[0].start[d] + box.low[d];
    TRY(mw_carpet_region(own->one[0].carpet, low, box.length, &sites));
    site = walk_pixels_per_site(&box);
    width = box.length[0] * site;
    TRY(mw_array_new(MW_TYPE_U32, 2, (const size_t[]){ width, box.length[1] * site }, &pixels));
    for (size_t k = 0; k < pixels.count; k++)
        memcpy((uint32_t *)pixels.data + k,
               colours[((const uint8_t *)sites.data)[k / width / site * box.length[0] + k % width / site]], 4);
    walk_write_mark(&pixels, -box.low[0], -box.low[1], (int64_t)site, colours[2]);
    TRY(mw_png_write_pixels(own->set->carpet_png, &pixels, MW_PNG_RGB));
out:
    mw_array_free(&sites);
    mw_array_free(&pixels);
    return rc;
}

int walk_write(struct run *r)
{
    struct walk_run *own = r->own;
    if (r->step.result.steps == r->set->steps) {
        walk_note_checksums(r);
        own->ended = own->first + own->batch;
    }
    if (own->set->csv)
        TRY_RETURN(csv_write(own->set->csv, "step,msd,msd_error,local_exponent,total_probability,walks", own->at_count,
                             walk_write_add_row, own));
    if (own->set->plot)
        TRY_RETURN(plot(r));
    if (own->set->carpet_png)
        TRY_RETURN(carpet_picture(r));
    return 0;
}
/* SPDX-License-Identifier: MIT */
