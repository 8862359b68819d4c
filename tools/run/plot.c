/* The plot of a run's series (--plot): a panel per quantity over time, drawn by gnuplot. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

#define FIT_FROM 0.125    /* a power law is fitted to times after this part of the last one */
#define LOGARITHMIC 100.0 /* least ratio of positive values for a logarithmic axis */
#define DOMAINS "domain_size"
#define MEAN "_mean"
enum { FIT_LEAST = 4, QUANTITIES_MOST = 9, CURVES_MOST = 12, ROWS_MOST = 20000, PANEL_WIDTH = 600, PANEL_HEIGHT = 400 };

/* The rows so far: the step, then the columns of the series. */
struct run_plot {
    char (*title)[64];
    double *values;
    size_t columns, rows; /* columns: with the step */
};

/* ---- rows ---- */

static int append_row(struct run_plot *plot, double step, const double *values)
{
    double *row;
    TRY_RETURN(mw_grow(plot->rows, plot->columns * sizeof(*row), &plot->values));
    row = plot->values + plot->rows++ * plot->columns;
    row[0] = step;
    memcpy(row + 1, values, (plot->columns - 1) * sizeof(*row));
    return 0;
}

/* Reads the rows of the series that a resumed run continues, which has just been cut to the checkpoint. */
static int read_rows(struct run_plot *plot, const char *path)
{
    FILE *file = fopen(path, "r");
    double *row = NULL;
    char *line = NULL;
    size_t room = 0;
    int rc = 0;
    if (!file)
        return 0; /* a new series */
    TRY(mw_new(plot->columns, sizeof(*row), &row));
    for (bool titles = true; getline(&line, &room, file) > 0; titles = false) {
        char *at = line;
        for (size_t i = 0; i < plot->columns && !titles; i++) {
            char *end;
            row[i] = strtod(at, &end);
            if (end == at) /* an empty cell */
                row[i] = NAN;
            at = end + (*end == ',');
        }
        if (!titles)
            TRY(append_row(plot, row[0], row + 1));
    }
out:
    free(line);
    free(row);
    fclose(file);
    return rc;
}

static int plot_new(struct run *r, const struct series_row *row)
{
    struct run_plot *plot;
    TRY_RETURN(mw_new(1, sizeof(*plot), &plot));
    r->observe.plot = plot;
    plot->columns = row->count + 1;
    TRY_RETURN(mw_new(plot->columns, sizeof(*plot->title), &plot->title));
    for (size_t i = 0; i < row->count; i++)
        memcpy(plot->title[i + 1], row->column[i].title, sizeof(*plot->title));
    return r->resume.from && r->set->series && strcmp(r->set->series, "-") != 0 ? read_rows(plot, r->set->series) : 0;
}

int plot_add(struct run *r, uint64_t step, const struct series_row *row, const double *values)
{
    if (!r->set->plot)
        return 0;
    if (!r->observe.plot)
        TRY_RETURN(plot_new(r, row));
    return append_row(r->observe.plot, (double)step, values);
}

/* ---- panels ---- */

/* Returns the length of the quantity in a title, without the value of --over after a space. */
static size_t quantity_length(const char *title) { return strcspn(title, " "); }

static bool is_same_quantity(const char *title, const char *other)
{
    return quantity_length(title) == quantity_length(other) && !strncmp(title, other, quantity_length(title));
}

/* Returns whether a column is the first one of its quantity. */
static bool is_first(const struct run_plot *plot, size_t i)
{
    size_t k = 1;
    while (k < i && !is_same_quantity(plot->title[k], plot->title[i]))
        k++;
    return k == i;
}

/* Adds the finite values of a column from `least` on to a range. */
static void add_values(const struct run_plot *plot, size_t column, double least, struct plot_range *range)
{
    for (size_t i = 0; i < plot->rows; i++) {
        const double value = plot->values[i * plot->columns + column];
        if (isfinite(value) && value >= least)
            plot_range_add(range, value);
    }
}

/* Returns whether a column has a curve: it has values, and is no time, error, range or column of a single system. */
static bool is_drawn(const struct run_plot *plot, size_t i)
{
    static const char *const others[] = { "_least", "_most", "_error" };
    struct plot_range values = { 0 };
    const char *title = plot->title[i];
    const size_t n = quantity_length(title);
    size_t digits = 0;
    while (digits < n && mw_is_digit(title[n - 1 - digits]))
        digits++;
    for (size_t k = 0; k < MW_COUNT(others); k++)
        if (n > strlen(others[k]) && !strncmp(title + n - strlen(others[k]), others[k], strlen(others[k])))
            return false;
    if (i == 0 || !strcmp(title, "time") || (digits && digits < n && title[n - 1 - digits] == '_'))
        return false;
    add_values(plot, i, -DBL_MAX, &values);
    return values.count > 0;
}

/* Returns the column of the least or largest values next to a column of means; the number of columns: none. */
static size_t range_column(const struct run_plot *plot, size_t mean, const char *word)
{
    const char *title = plot->title[mean];
    char wanted[80];
    size_t i = 0;
    if (!text_ends_in(title, MEAN))
        return plot->columns;
    snprintf(wanted, sizeof(wanted), "%.*s%s", (int)(strlen(title) - strlen(MEAN)), title, word);
    while (i < plot->columns && strcmp(plot->title[i], wanted) != 0)
        i++;
    return i;
}

/* Adds the power law of the late values of a column, if there are enough that differ. */
static void add_fit(const struct run_plot *plot, size_t x, size_t column, double last, struct mw_text *script)
{
    double *t = calloc(plot->rows, sizeof(*t)), *y = calloc(plot->rows, sizeof(*y)), sum = 0, exponent, error;
    const double from = FIT_FROM * last;
    struct plot_range range = { 0 };
    size_t n = 0;
    for (size_t i = 0; t && y && i < plot->rows; i++) {
        const double *row = plot->values + i * plot->columns;
        if (row[x] >= from && row[x] > 0 && isfinite(row[column]) && row[column] > 0) {
            t[n] = row[x];
            y[n++] = row[column];
            plot_range_add(&range, row[column]);
        }
    }
    if (n >= FIT_LEAST && range.most > range.least && mw_power_law_fit(t, y, NULL, n, &exponent, &error) == 0) {
        for (size_t i = 0; i < n; i++)
            sum += log(y[i]) - exponent * log(t[i]);
        mw_text_add(script,
                    ", [%.9g:%.9g] %.9g * x ** %.9g with lines linewidth 2 dashtype 2 linecolor rgb '#d9600a' title "
                    "'t^%.3f, ± %.1g, from t = %.4g'",
                    from, last, exp(sum / (double)n), exponent, exponent, error, from);
    }
    free(t);
    free(y);
}

/* Sets a logarithmic axis, which ends close to the values; less than two decades have ticks at powers of two. */
static void set_logarithmic(char axis, double least, double most, struct mw_text *script)
{
    mw_text_add(script, "set logscale %c\nset %crange [%.9g:%.9g]\n", axis, axis, least / 1.05, most * 1.05);
    if (most < LOGARITHMIC * least)
        mw_text_add(script, "set %ctics %.9g, 2\n", axis, exp2(floor(log2(least))));
}

/* The columns of a panel. */
struct columns {
    size_t x, first;    /* columns: x, and that of the first curve */
    size_t least, most; /* the range of a mean; the number of columns: none */
    bool domains;       /* with logarithmic axes and a power law */
};

/* Sets the axes, and returns the last x. */
static double set_axes(const struct run_plot *plot, const struct columns *c, struct mw_text *script)
{
    const char *title = plot->title[c->first];
    struct plot_range times = { 0 }, late = { 0 }, values = { 0 };
    char words[64];
    add_values(plot, c->x, 0, &times);
    add_values(plot, c->x, DBL_MIN, &late);
    for (size_t i = c->first; i < plot->columns; i++)
        if (is_same_quantity(plot->title[i], title))
            add_values(plot, i, -DBL_MAX, &values);
    if (c->most < plot->columns) {
        add_values(plot, c->least, -DBL_MAX, &values);
        add_values(plot, c->most, -DBL_MAX, &values);
    }
    snprintf(words, sizeof(words), "%.*s", (int)quantity_length(title), title);
    for (char *at = words; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    mw_text_add(script, "unset logscale\nset xtics autofreq\nset ytics autofreq\nset ylabel ");
    plot_quote(script, words);
    mw_text_add(script, "\n");
    plot_range_set(script, 'x', &times);
    plot_range_set(script, 'y', &values);
    if (c->domains && late.most > late.least)
        set_logarithmic('x', late.least, late.most, script);
    if (values.least > 0 && (c->domains || values.most > LOGARITHMIC * values.least))
        set_logarithmic('y', values.least, values.most, script);
    return times.most;
}

/* Adds the panel of a quantity, whose first column is `first`; `named`: with the values of --over. */
static void add_panel(const struct run_plot *plot, size_t x, size_t first, bool named, struct mw_text *script)
{
    const char *title = plot->title[first];
    const size_t n = quantity_length(title);
    struct columns c = { x, first, plot->columns, plot->columns, !strncmp(title, DOMAINS, strlen(DOMAINS)) };
    size_t curves = 0;
    if (!title[n]) {
        c.least = range_column(plot, first, "_least");
        c.most = range_column(plot, first, "_most");
    }
    const double last = set_axes(plot, &c, script);
    mw_text_add(script, "plot");
    if (c.most < plot->columns)
        mw_text_add(script, " $rows using %zu:%zu:%zu with filledcurves fillcolor rgb '#cfe3f5' title 'least to most',",
                    x + 1, c.least + 1, c.most + 1);
    for (size_t i = first; i < plot->columns && curves < CURVES_MOST; i++) {
        if (!is_same_quantity(plot->title[i], title))
            continue;
        mw_text_add(script, "%s $rows using %zu:%zu with lines linewidth 2 linetype %zu title ", curves ? "," : "",
                    x + 1, i + 1, curves + 1);
        plot_quote(script, named && title[n] ? plot->title[i] + n + 1 : "");
        curves++;
        if (c.domains)
            add_fit(plot, x, i, last, script);
    }
    mw_text_add(script, "\n");
}

static void add_rows(const struct run_plot *plot, struct mw_text *script)
{
    const size_t by = (plot->rows - 1) / ROWS_MOST + 1;
    mw_text_add(script, "$rows << END\n");
    for (size_t i = 0; i < plot->rows; i++) {
        if (i % by && i + 1 < plot->rows)
            continue;
        for (size_t k = 0; k < plot->columns; k++) {
            const double value = plot->values[i * plot->columns + k];
            mw_text_add(script, isfinite(value) ? "%.9g " : "? ", value);
        }
        mw_text_add(script, "\n");
    }
    mw_text_add(script, "END\n");
}

int plot_finish(struct run *r)
{
    const struct run_plot *plot = r->observe.plot;
    size_t panels[QUANTITIES_MOST], count = 0;
    struct mw_text script = { 0 }, heading = { 0 };
    double top;
    int rc;
    if (!plot || !plot->rows)
        return 0;
    const size_t x = r->kind->timed ? 1 : 0; /* make_row has the time first */
    for (size_t i = 0; i < plot->columns && count < QUANTITIES_MOST; i++)
        if (is_drawn(plot, i) && is_first(plot, i))
            panels[count++] = i;
    if (!count)
        return mw_fail(MW_EDATA, "--plot: the series has no finite values");
    const size_t columns = count < 3 ? count : count < 5 ? 2 : 3, rows = (count - 1) / columns + 1;
    const double width = (double)(columns * PANEL_WIDTH);
    TRY(figure_heading(r, NULL, width, &heading, &top));
    plot_begin(&script, r->set->plot, width, (double)(rows * PANEL_HEIGHT) + top);
    add_rows(plot, &script);
    mw_text_add(&script,
                "set key above left Left reverse samplen 2\nset multiplot layout %zu,%zu title %s noenhanced\n"
                "set xlabel '%s t'\n",
                rows, columns, heading.data, x ? "time" : "step");
    for (size_t i = 0; i < count; i++)
        add_panel(plot, x, panels[i], i == 0, &script);
    mw_text_add(&script, "unset multiplot\n");
    rc = plot_run(r->set->plot, &script);
out:
    mw_text_free(&heading);
    mw_text_free(&script);
    return rc;
}

void plot_free(struct run *r)
{
    struct run_plot *plot = r->observe.plot;
    if (!plot)
        return;
    free(plot->title);
    free(plot->values);
    free(plot);
    r->observe.plot = NULL;
}
/* SPDX-License-Identifier: MIT */
