/* Figures of states with axes, colour bars and titles, drawn by gnuplot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/files.h"
#include "tools/run/pictures/picture.h"

enum {
    CELLS_MOST = 512,    /* along a side of a figure; larger meshes are shown by means of squares of cells */
    ARROWS_MOST = 24,    /* along a side */
    CONTOUR_CELLS = 128, /* along a side of the mesh whose contours are drawn */
    KIND_TICKS = 12,
    COLOURS = 64,      /* in gnuplot's palette */
    PANEL_WIDTH = 560, /* pixels */
    BELOW_HEADING = 16,
    LINE_HEIGHT = 22,
    LETTER_WIDTH = 10, /* rather more than the mean */
    PARAMETER_LINES = 3,
    PAGE_MOST = 4000
};

#define HISTORY_RATIO 0.6 /* height of a picture of place and time, as a part of its width */

/* ---- panels ---- */

void panels_free(struct panels *panels)
{
    for (size_t i = 0; i < panels->count; i++)
        mw_array_free(&panels->item[i].cells);
    free(panels->item);
}

size_t figure_planes(const struct run *r) { return r->set->mesh.size.dims == 3 && !r->set->slice ? 3 : 1; }

/* Returns the next plane of a quantity after number `i`: in three dimensions without --slice, three of them. */
static bool plane_number(const struct run *r, const struct shown *shown, size_t i, struct plane *plane)
{
    static const unsigned across[] = { 0, 0, 1 }, down[] = { 1, 2, 2 };
    const size_t planes = shown->lattice || shown->is_plane ? 1 : figure_planes(r);
    *plane = picture_plane(r, shown);
    if (planes > 1 && i < planes) {
        plane->across = across[i];
        plane->down = down[i];
    }
    return i < planes;
}

/* Adds ", z = 12" for the indices of the dimensions that are not in the plane. */
static void add_place(const struct run *r, const struct shown *shown, const struct plane *plane, char *title, size_t n)
{
    for (unsigned d = 0; d < shown->values.dims && !shown->is_plane; d++) {
        const size_t used = strlen(title);
        if (d != plane->across && d != plane->down)
            snprintf(title + used, n - used, ", %s = %.4g", axis_names[d], (double)plane->at[d] * run_spacing(r, d));
    }
}

/* Names an axis with its unit: cells, or the unit of length if the spacing is not 1 along some dimension. */
static void name_axis(const struct run *r, const struct shown *shown, unsigned d, char *name, size_t n)
{
    bool sized = false;
    for (unsigned k = 0; k < r->set->mesh.size.dims; k++)
        sized = sized || run_spacing(r, k) != 1;
    snprintf(name, n, "%s (%s)", axis_names[d],
             shown->lattice ? "lattice constants"
             : sized        ? "units of length"
                            : "cells");
}

int panel_fill(struct run *r, const struct shown *shown, size_t system, const struct plane *plane, size_t most,
               struct panel *panel)
{
    *panel = (struct panel){ .colours = picture_colours(r, shown),
                             .kinds = shown->kinds,
                             .has_holes = shown->has_holes,
                             .is_line = shown->values.dims == 1 && !shown->is_plane };
    for (int d = 0; d < 2 && !shown->lattice; d++) /* cells are squares around their coordinates */
        panel->origin[d] = shown->first[d] - 0.5 * run_spacing(r, d ? plane->down : plane->across);
    picture_range(r, shown, &panel->lo, &panel->hi);
    snprintf(panel->title, sizeof(panel->title), "%s", shown->name);
    name_axis(r, shown, plane->across, panel->x, sizeof(panel->x));
    name_axis(r, shown, plane->down, panel->y, sizeof(panel->y));
    return picture_cut(r, shown, system, plane, most, &panel->cells, panel->extent);
}

static int add_planes(struct run *r, const struct shown *shown, size_t system, struct panels *panels)
{
    struct plane plane;
    for (size_t i = 0; plane_number(r, shown, i, &plane); i++) {
        struct panel *panel;
        TRY_RETURN(mw_grow(panels->count, sizeof(*panels->item), &panels->item));
        panel = &panels->item[panels->count++];
        TRY_RETURN(panel_fill(r, shown, system, &plane, CELLS_MOST, panel));
        panel->has_arrows = system == 0 && i == 0;
        if (shown->systems > 1)
            snprintf(panel->title, sizeof(panel->title), "%s, system %zu", shown->name, system);
        add_place(r, shown, &plane, panel->title, sizeof(panel->title));
        if (panel->is_line) /* the values are the other axis */
            snprintf(panel->y, sizeof(panel->y), "%.23s", panel->title);
    }
    return 0;
}

/* ---- arrows ---- */

static void arrows_free(struct arrows *arrows)
{
    mw_array_free(&arrows->of[0]);
    mw_array_free(&arrows->of[1]);
}

static int find_arrows(struct run *r, struct arrows *arrows)
{
    for (size_t i = 0; i < r->set->arrows.count; i++) {
        struct shown shown = { 0 };
        int rc = r->kind->observe.show(r, r->set->arrows.item[i], &shown);
        const struct plane plane = picture_plane(r, &shown);
        if (rc == 0)
            rc = shown_leave_holes(&shown);
        if (rc == 0)
            rc = picture_cut(r, &shown, 0, &plane, ARROWS_MOST, &arrows->of[i], arrows->extent);
        shown_free(&shown);
        TRY_RETURN(rc);
    }
    return 0;
}

/* The longest arrow spans the distance between two. */
static void add_arrows(const struct arrows *arrows, const double *origin, struct mw_text *script)
{
    const double *u = arrows->of[0].data, *v = arrows->of[1].data;
    const size_t nx = arrows->of[0].length[0], ny = arrows->of[0].length[1];
    const double dx = arrows->extent[0] / (double)nx, dy = arrows->extent[1] / (double)ny;
    double longest = 0;
    for (size_t i = 0; i < nx * ny; i++)
        longest = fmax(longest, hypot(u[i], v[i]));
    const double by = longest > 0 ? fmin(dx, dy) / longest : 0;
    mw_text_add(script, "$arrows << END\n");
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            const double p = u[y * nx + x] * by, q = v[y * nx + x] * by;
            if (isfinite(p) && isfinite(q))
                mw_text_add(script, "%.5g %.5g %.4g %.4g\n", origin[0] + ((double)x + 0.5) * dx - p / 2,
                            origin[1] + ((double)y + 0.5) * dy - q / 2, p, q);
        }
    mw_text_add(script, "END\n");
}

/* ---- the script ---- */

/* Rows and columns of a datablock: gnuplot draws no image of a single one. */
static size_t drawn(size_t n) { return n > 1 ? n : 2; }

/* gnuplot warns of NaN in a matrix, and not in an expression. */
#define VALUE "($3<-1e90?NaN:$3)"

static void add_matrix(const struct mw_array *cells, char letter, size_t number, struct mw_text *script)
{
    const size_t nx = cells->length[0], ny = cells->length[1];
    mw_text_add(script, "$%c%zu << END\n", letter, number);
    for (size_t y = 0; y < drawn(ny); y++) {
        for (size_t x = 0; x < drawn(nx); x++) {
            const double v = ((const double *)cells->data)[(y < ny ? y : 0) * nx + (x < nx ? x : 0)];
            mw_text_add(script, isfinite(v) ? "%.6g " : "-9e99 ", v);
        }
        mw_text_add(script, "\n");
    }
    mw_text_add(script, "END\n");
}

static int add_palette(const struct panel *panel, struct mw_text *script)
{
    double values[COLOURS];
    unsigned char rgb[3 * COLOURS];
    const bool kinds = panel->kinds > 0 && panel->kinds < COLOURS;
    const size_t count = kinds ? panel->kinds : COLOURS;
    struct mw_array all = { .type = MW_TYPE_F64, .dims = 1, .length = { count }, .count = count, .data = values };
    for (size_t i = 0; i < count; i++)
        values[i] = (double)i;
    TRY_RETURN(mw_colour_pixels(&all, panel->colours, kinds ? panel->lo : 0, kinds ? panel->hi : COLOURS - 1, rgb));
    if (kinds)
        mw_text_add(script, "set palette maxcolors %zu\n", count);
    mw_text_add(script, "set palette defined (");
    for (size_t i = 0; i < count; i++)
        mw_text_add(script, "%s%zu '#%02x%02x%02x'", i ? ", " : "", i, rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
    mw_text_add(script, ")\n");
    return 0;
}

/* The lines of equal value, as a datablock.  They are those of means over squares of cells, if there are many cells:
 * gnuplot's time grows fast with their number. */
static int add_contours(const struct run *r, const struct panel *panel, size_t number, struct mw_text *script)
{
    const struct shown cells = { .values = panel->cells, .systems = 1 };
    const struct plane all = { .down = 1 };
    const double step = (panel->hi - panel->lo) / (double)(r->set->contours + 1);
    struct mw_array few = { 0 };
    double extent[2];
    TRY_RETURN(picture_cut(r, &cells, 0, &all, CONTOUR_CELLS, &few, extent));
    add_matrix(&few, 'e', number, script);
    const double dx = panel->extent[0] / (double)few.length[0], dy = panel->extent[1] / (double)few.length[1];
    mw_text_add(script, "set contour base\nunset surface\nset cntrparam levels incremental %.9g, %.9g, %.9g\n",
                panel->lo + step, step, panel->hi - step / 2);
    mw_text_add(script,
                "set table $c%zu\nsplot $e%zu matrix using (%.9g+($1+0.5)*%.9g):(%.9g+($2+0.5)*%.9g):" VALUE
                " notitle\n"
                "unset table\nunset contour\nset surface\n",
                number, number, panel->origin[0], dx, panel->origin[1], dy);
    mw_array_free(&few);
    return 0;
}

static int add_plane(const struct run *r, const struct panel *panel, size_t number, bool arrows, struct mw_text *script)
{
    const size_t nx = panel->cells.length[0], ny = panel->cells.length[1];
    const double dx = panel->extent[0] / (double)drawn(nx), dy = panel->extent[1] / (double)drawn(ny);
    const bool flat = !(panel->hi - panel->lo > 1e-6 * fmax(fabs(panel->lo), fabs(panel->hi)));
    const bool contours = r->set->contours && !flat && nx > 1 && ny > 1 && !panel->kinds;
    const double middle = (panel->lo + panel->hi) / 2, half = middle == 0 ? 1 : fabs(middle) / 2;
    const double lo = flat ? middle - half : panel->lo, hi = flat ? middle + half : panel->hi;
    TRY_RETURN(add_palette(panel, script));
    if (panel->kinds)
        mw_text_add(script, "set cbtics %zu\n", (panel->kinds - 1) / KIND_TICKS + 1);
    mw_text_add(script, "set cbrange [%.9g:%.9g]\n", lo, panel->kinds ? (double)panel->kinds - 0.5 : hi);
    mw_text_add(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset size ratio %.6g\n", panel->origin[0],
                panel->origin[0] + panel->extent[0], panel->origin[1], panel->origin[1] + panel->extent[1],
                panel->is_history ? HISTORY_RATIO : fmin(fmax(panel->extent[1] / panel->extent[0], 0.2), 4));
    if (panel->has_holes)
        mw_text_add(script, "set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb '#707070' "
                            "fillstyle solid noborder\n");
    if (contours)
        TRY_RETURN(add_contours(r, panel, number, script));
    mw_text_add(script,
                "plot $d%zu matrix using (%.9g+($1+0.5)*%.9g):(%.9g+($2+0.5)*%.9g):" VALUE " with image notitle",
                number, panel->origin[0], dx, panel->origin[1], dy);
    if (contours)
        mw_text_add(script, ", $c%zu with lines lw 1 lc rgb 'black' notitle", number);
    if (arrows)
        mw_text_add(script, ", $arrows using 1:2:3:4 with vectors head size graph 0.012,20 filled lw 1.2 "
                            "lc rgb 'black' notitle");
    mw_text_add(script, "\n");
    return 0;
}

static void add_line(const struct run *r, const struct panel *panel, size_t number, struct mw_text *script)
{
    const double dx = panel->extent[0] / (double)panel->cells.length[0];
    const bool given = picture_is_fixed(r) && number == 0;
    mw_text_add(script, "set xrange [%.9g:%.9g]\nunset yrange\nset autoscale y\nset size noratio\nset grid\n",
                panel->origin[0], panel->origin[0] + panel->extent[0]);
    if (given || !(panel->hi > panel->lo))
        mw_text_add(script, "set yrange [%.9g:%.9g]\n", given ? panel->lo : panel->lo - 1,
                    given ? panel->hi : panel->lo + 1);
    mw_text_add(script,
                "plot $d%zu matrix using (%.9g+($1+0.5)*%.9g):" VALUE " every :::0::0 with lines lw 2 lc rgb '#0f7bc4' "
                "notitle\n",
                number, panel->origin[0], dx);
}

/* Lines of at most `most` characters. */
struct heading {
    struct mw_text text;
    size_t most, begin, lines; /* begin: of the last line */
};

static void begin_line(struct heading *h)
{
    mw_text_add(&h->text, "\n");
    h->begin = h->text.length;
    h->lines++;
}

/* Adds a part to the last line, or to a new one. */
static void add_part(struct heading *h, const char *between, const char *part, size_t n)
{
    const size_t length = h->text.length - h->begin;
    if (length && length + strlen(between) + n >= h->most) {
        mw_text_append(&h->text, between, *between == ',');
        begin_line(h);
    } else if (length) {
        mw_text_add(&h->text, "%s", between);
    }
    mw_text_append(&h->text, part, n);
}

/* Makes the lines; too many parameters end in an ellipsis. */
static void make_heading(const struct run *r, const char *when, struct heading *h)
{
    const char *word = r->model.about ? r->model.about : "", *over = "";
    size_t parameters = 0;
    mw_text_add(&h->text, "%s%s%s", r->model.name, when ? ", " : "", when ? when : "");
    for (h->lines = 1; *word; word += strcspn(word, " "), word += *word == ' ') {
        if (word == r->model.about)
            begin_line(h);
        add_part(h, " ", word, strcspn(word, " "));
    }
    const size_t last = h->lines + PARAMETER_LINES;
    for (size_t i = 0; i < r->resume.settings.count; i++)
        if (r->resume.settings.item[i].name && !strcmp(r->resume.settings.item[i].name, "over"))
            over = r->resume.settings.item[i].value;
    for (size_t i = 0; i < r->resume.settings.count; i++) {
        const struct mw_setting *s = &r->resume.settings.item[i];
        char part[128];
        if (!s->name || strncmp(s->name, "parameter ", strlen("parameter ")) != 0)
            continue;
        const char *name = s->name + strlen("parameter ");
        const size_t length = strlen(name);
        const bool varies = !strncmp(over, name, length) && over[length] == '='; /* --over has its values */
        const int n = snprintf(part, sizeof(part), "%s = %s", name, varies ? over + length + 1 : s->value);
        if (!parameters++)
            begin_line(h);
        if (h->lines == last && h->text.length - h->begin + (size_t)n + 2 >= h->most) {
            mw_text_add(&h->text, ", ...");
            break;
        }
        add_part(h, ", ", part, strlen(part));
    }
}

int figure_heading(const struct run *r, const char *when, double width, struct mw_text *quoted, double *height)
{
    struct heading h = { .most = (size_t)(width / LETTER_WIDTH) };
    int rc;
    make_heading(r, when, &h);
    TRY(mw_text_ok(&h.text));
    mw_text_add(quoted, "\"");
    /* gnuplot runs commands between ` inside double quotes. */
    for (const char *c = h.text.data; *c; c++)
        mw_text_add(quoted, *c == '\n' ? "\\n" : strchr("\"\\`", *c) ? "'" : "%c", *c);
    mw_text_add(quoted, "\"");
    rc = mw_text_ok(quoted);
    *height = (double)h.lines * LINE_HEIGHT;
out:
    mw_text_free(&h.text);
    return rc;
}

struct short_text figure_when(const struct run *r, uint64_t step)
{
    struct short_text t;
    if (r->kind->timed && r->model.dt > 0 && (r->model.dt != 1 || r->kind->step.time))
        snprintf(t.text, sizeof(t.text), "t = %.6g", run_time(r, step));
    else
        snprintf(t.text, sizeof(t.text), "step %llu", (unsigned long long)step);
    return t;
}

int figure_draw(const struct run *r, const char *path, const char *when, const struct panels *panels,
                const struct arrows *arrows)
{
    const bool wide = panels->item[0].is_history, arrowed = arrows && arrows->of[1].data;
    const size_t columns = wide ? 1 : panels->count < 4 ? panels->count : (size_t)ceil(sqrt((double)panels->count));
    const size_t rows = (panels->count - 1) / columns + 1;
    const double ratio = panels->item[0].extent[1] / panels->item[0].extent[0];
    const double width = fmin((double)(columns * PANEL_WIDTH) * (wide ? 1.4 : 1), PAGE_MOST);
    const double side = width / (double)columns - 150;
    const double tall = wide ? HISTORY_RATIO * side : panels->item[0].is_line ? 380 : side * fmin(fmax(ratio, 0.2), 4);
    const double height = fmin((tall + 90) * (double)rows + BELOW_HEADING, PAGE_MOST);
    struct mw_text script = { 0 }, heading = { 0 };
    double top;
    int rc;
    TRY(figure_heading(r, when, width, &heading, &top));
    plot_terminal(&script, path, width, height + top);
    mw_text_add(&script, "set termoption noenhanced\n");
    for (size_t i = 0; i < panels->count; i++)
        add_matrix(&panels->item[i].cells, 'd', i, &script);
    if (arrowed)
        add_arrows(arrows, panels->item[0].origin, &script);
    mw_text_add(&script, "set multiplot layout %zu,%zu title %s\nset tics out nomirror\nset format cb '%%.4g'\n", rows,
                columns, heading.data);
    for (size_t i = 0; i < panels->count; i++) {
        const struct panel *panel = &panels->item[i];
        mw_text_add(&script, "set title ");
        plot_quote(&script, panel->title);
        mw_text_add(&script, "\nset xlabel '%s'\nset ylabel ", panel->x);
        plot_quote(&script, panel->y);
        mw_text_add(&script, "\n");
        if (panel->is_line)
            add_line(r, panel, i, &script);
        else
            TRY(add_plane(r, panel, i, arrowed && panel->has_arrows, &script));
    }
    mw_text_add(&script, "unset multiplot\n");
    rc = plot_run(path, &script);
out:
    mw_text_free(&heading);
    mw_text_free(&script);
    return rc;
}

/* ---- --figure ---- */

int figure_prepare(struct run *r)
{
    const struct run_settings *set = r->set;
    const char *paths[] = { set->figure, set->sheet };
    for (size_t i = 0; i < MW_COUNT(paths); i++)
        TRY_RETURN(plot_possible(i ? "sheet" : "figure", paths[i], "--png"));
    if (set->sheet && !set->every)
        return mw_fail(MW_EINVAL, "--sheet needs --every N, the steps from one state to the next");
    if (set->arrows.count && (set->arrows.count != 2 || set->mesh.size.dims < 2))
        return mw_fail(MW_EINVAL, "--arrows is given twice, with the quantities along x and along y, in two or more "
                                  "dimensions");
    for (size_t i = 0; i < set->arrows.count; i++)
        TRY_RETURN(r->kind->observe.show(r, set->arrows.item[i], NULL));
    return set->sheet ? file_writable(set->sheet) : 0;
}

int figure_write(struct run *r, const char *path, uint64_t step)
{
    struct panels panels = { 0 };
    struct arrows arrows = { 0 };
    int rc = 0;
    for (size_t i = 0; i < shown_count(r); i++) {
        struct shown shown = { 0 };
        rc = r->kind->observe.show(r, shown_name(r, i), &shown);
        if (rc == 0)
            rc = shown_leave_holes(&shown);
        for (size_t system = 0; rc == 0 && system < shown.systems; system++)
            rc = add_planes(r, &shown, system, &panels);
        shown_free(&shown);
        TRY(rc);
    }
    TRY(find_arrows(r, &arrows));
    TRY(figure_draw(r, path, figure_when(r, step).text, &panels, &arrows));
out:
    arrows_free(&arrows);
    panels_free(&panels);
    return rc;
}
/* SPDX-License-Identifier: MIT */
