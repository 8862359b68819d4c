/* Plots of seconds over sizes, drawn by gnuplot, as SVG within a page. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/page/page.h"
#include "tools/report/files.h"

enum { LABEL_MOST = 36 };

/* Colours with contrast to both white and black. */
static const char *const colours[] = { "#0f7bc4", "#d9600a", "#12946b", "#b3569e",
                                       "#a98307", "#6f66c9", "#c0404a", "#5f7d2e" };
/* gnuplot's numbers of open and filled circles, squares, triangles and other shapes. */
static const int points[] = { 7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14, 1, 2, 3 };
enum { DASHES = 5 }; /* line types, by gnuplot's numbers */

/* A line of a plot: a device with a variant.  Error bars are drawn as separate lines. */
struct line {
    size_t device, variant;
    bool bars;
};
struct lines {
    struct line *item;
    size_t count;
};

/* ---- the script ---- */

/* Adds a name; characters special to gnuplot, SVG or HTML become ?. */
static void add_label(struct mw_text *script, const char *name)
{
    mw_text_add(script, "'");
    for (size_t n = 0; name[n] && (n < LABEL_MOST || (name[n] & 0xC0) == 0x80); n++)
        mw_text_add(script, (unsigned char)name[n] < ' ' || strchr("'\"`\\<>&\177", name[n]) ? "?" : "%c", name[n]);
    mw_text_add(script, "'");
}

/* Entries of the key: devices by colour, variants by point type. */
struct key {
    size_t devices[NAMES_MOST], variants[NAMES_MOST], device_count, variant_count;
};

static struct key key_of(const struct measured *suite, const struct lines *lines)
{
    struct key key = { .device_count = 0 };
    bool device[NAMES_MOST] = { false }, variant[NAMES_MOST] = { false };
    for (size_t i = 0; i < lines->count; i++)
        device[lines->item[i].device] = variant[lines->item[i].variant] = true;
    for (size_t d = 0; d < suite->device_count; d++)
        if (device[d])
            key.devices[key.device_count++] = d;
    for (size_t v = 0; v < suite->variant_count; v++)
        if (variant[v])
            key.variants[key.variant_count++] = v;
    return key;
}

static size_t longest_of(const char *const *names, const size_t *which, size_t count)
{
    size_t longest = 1;
    for (size_t i = 0; i < count; i++)
        longest = strlen(names[which[i]]) > longest ? strlen(names[which[i]]) : longest;
    return longest < LABEL_MOST ? longest : LABEL_MOST;
}

/* Returns the number of rows of the key, which has columns of devices, then of variants, as the width permits. */
static size_t key_rows(const struct measured *suite, const struct key *key)
{
    const size_t devices = longest_of(suite->devices, key->devices, key->device_count);
    const size_t variants = longest_of(suite->variants, key->variants, key->variant_count);
    const size_t columns = 545 / (7 * (devices > variants ? devices : variants) + 52);
    size_t rows = 1;
    while ((key->device_count + rows - 1) / rows + (key->variant_count + rows - 1) / rows > columns &&
           rows < key->device_count + key->variant_count)
        rows++;
    return rows;
}

static void add_frame(const struct measured *suite, const char *id, enum plot_kind kind, size_t rows,
                      struct mw_text *script)
{
    mw_text_add(script,
                "set encoding utf8\nset terminal svg size 640,%zu dynamic font 'sans-serif,13' noenhanced name "
                "'%s'\nset datafile missing '?'\nset logscale xy\nset border 3\nset tics nomirror\n"
                "set grid lc rgb '#808080' lw 0.5 dt 3\nset format y '%%.0s %%cs'\nset pointsize 0.7\n"
                "set key bmargin left vertical Left reverse samplen 2.5 height 0.5 maxrows %zu font ',11' noenhanced\n"
                "set xlabel ",
                400 + 16 * rows, id, rows);
    add_label(script, suite->x);
    mw_text_add(script, " noenhanced\nset ylabel '%s'\nset xtics (",
                kind == PLOT_WHOLE ? "seconds, with all"
                : suite->has_steps ? "seconds per step"
                                   : "seconds");
    for (size_t c = 0; c < suite->count; c++)
        mw_text_add(script, "%s'%s' %.9g", c ? ", " : "", digits_text(suite->cases[c].x).text, suite->cases[c].x);
    mw_text_add(script, ")\n");
}

/* Adds a data block, unless empty: size, seconds, least, most. */
static void add_data(const struct measured *suite, struct line line, bool whole, struct lines *lines,
                     struct mw_text *script)
{
    struct mw_text rows = { 0 };
    struct line bars = { line.device, line.variant, false };
    for (size_t c = 0; c < suite->count; c++) {
        const struct result *r = result_of(&suite->cases[c], line.device, line.variant);
        const double steps = whole ? 1 : suite->cases[c].steps;
        if (!r || !(result_seconds(r, whole) > 0))
            continue;
        mw_text_add(&rows, "%.9g %.9g", suite->cases[c].x, result_seconds(r, whole) / steps);
        if (!whole && r->seconds.least > 0 && r->seconds.most > r->seconds.least) {
            mw_text_add(&rows, " %.9g %.9g\n", r->seconds.least / steps, r->seconds.most / steps);
            bars.bars = true;
        } else {
            mw_text_add(&rows, " ? ?\n");
        }
    }
    if (rows.length) {
        mw_text_add(script, "$l%zu_%zu << END\n%sEND\n", line.device, line.variant, rows.data);
        lines->item[lines->count++] = line;
    }
    if (bars.bars)
        lines->item[lines->count++] = bars;
    script->failed |= rows.failed;
    mw_text_free(&rows);
}

/* Points distinguish variants, or devices if there is a single variant. */
static void add_line(struct line line, bool alone, size_t drawn, struct mw_text *script)
{
    const size_t point = alone ? line.device : line.variant;
    mw_text_add(script, "%s $l%zu_%zu using 1:2", drawn ? ", \\\n" : "plot", line.device, line.variant);
    mw_text_add(script, line.bars ? ":3:4 with yerrorbars pt 7 ps 0" : " with linespoints pt %d dt %zu",
                points[point % MW_COUNT(points)], alone ? 1 : line.variant % DASHES + 1);
    mw_text_add(script, " lw %s lc rgb '%s' notitle",
                line.bars                ? "1"
                : line.variant && !alone ? "1.3"
                                         : "2",
                colours[line.device % MW_COUNT(colours)]);
}

/* Fills up the columns of devices, so that variants start in a new column. */
static void add_key(const struct measured *suite, const struct key *key, size_t rows, struct mw_text *script)
{
    const bool alone = key->variant_count == 1;
    for (size_t i = 0; i < key->device_count; i++) {
        mw_text_add(script, ", \\\n NaN with lines%s lw %d lc rgb '%s'", alone ? "points" : "", alone ? 2 : 4,
                    colours[key->devices[i] % MW_COUNT(colours)]);
        if (alone)
            mw_text_add(script, " pt %d", points[key->devices[i] % MW_COUNT(points)]);
        mw_text_add(script, " title ");
        add_label(script, suite->devices[key->devices[i]]);
    }
    if (alone)
        return;
    for (size_t i = key->device_count; i % rows != 0; i++)
        mw_text_add(script, ", \\\n NaN with dots lc rgb '#ff000000' title ' '");
    for (size_t i = 0; i < key->variant_count; i++) {
        mw_text_add(script, ", \\\n NaN with linespoints pt %d dt %zu lc rgb 'black' title ",
                    points[key->variants[i] % MW_COUNT(points)], key->variants[i] % DASHES + 1);
        add_label(script, suite->variants[key->variants[i]]);
    }
}

/* lines: in drawing order */
static int make_script(const struct measured *suite, const char *id, enum plot_kind kind, struct lines *lines,
                       struct mw_text *script)
{
    const size_t variants = kind == PLOT_VARIANTS || !suite->variant_count ? suite->variant_count : 1;
    const bool whole = kind == PLOT_WHOLE;
    struct plot_range x = { 0 }, y = { 0 };
    struct key key;
    size_t rows;
    for (size_t d = 0; d < suite->device_count; d++)
        for (size_t v = 0; v < variants; v++)
            add_data(suite, (struct line){ d, v, false }, whole, lines, script);
    key = key_of(suite, lines);
    rows = key_rows(suite, &key);
    add_frame(suite, id, kind, rows, script);
    for (size_t c = 0; c < suite->count; c++) {
        plot_range_add(&x, suite->cases[c].x);
        for (size_t i = 0; i < suite->cases[c].count; i++)
            if (!suite->cases[c].item[i].reason && suite->cases[c].item[i].variant < variants)
                plot_range_add(&y,
                               result_seconds(&suite->cases[c].item[i], whole) / (whole ? 1 : suite->cases[c].steps));
    }
    if (x.least < x.most)
        mw_text_add(script, "set xrange [%.9g:%.9g]\n", x.least / pow(x.most / x.least, 0.03),
                    x.most * pow(x.most / x.least, 0.03));
    else
        plot_range_set(script, 'x', &x);
    plot_range_set(script, 'y', &y);
    for (size_t i = 0; i < lines->count; i++)
        add_line(lines->item[i], key.variant_count == 1, i, script);
    add_key(suite, &key, rows, script);
    mw_text_add(script, "\n");
    return mw_text_ok(script);
}

/* ---- from gnuplot's SVG to the SVG of the page ---- */

/* Adds the tooltip of a line. */
static void add_title(const struct measured *suite, const char *of, const struct lines *lines, struct mw_text *to)
{
    const char *name = strstr(of, "_plot_"), *end = strchr(of, '<');
    const size_t k = name && end && name < end ? strtoul(name + 6, NULL, 10) : 0;
    mw_text_add(to, "<title>");
    if (k >= 1 && k <= lines->count) {
        html_text(to, suite->devices[lines->item[k - 1].device]);
        mw_text_add(to, ", ");
        html_text(to, suite->variants[lines->item[k - 1].variant]);
    } else if (!k) {
        html_text(to, suite->title);
        mw_text_add(to, ": seconds over ");
        html_text(to, suite->x);
    }
    mw_text_add(to, "</title>");
}

/* Replaces black by the text colour of the page and white by transparent, and makes names unique in the page. */
static void add_svg(const struct measured *suite, const char *id, const char *svg, const struct lines *lines,
                    struct mw_text *to)
{
    /* clang-format off */
    static const struct { const char *of, *as; } changes[] = {
        { "\"black\"", "\"currentColor\"" }, { "'black'", "'currentColor'" },
        { "color='white'", "color='transparent'" },
        { "'gpDot'", "'%s-dot'" }, { "'#gpDot'", "'#%s-dot'" }, { "'gpPt", "'%s-point" }, { "'#gpPt", "'#%s-point" },
        { "'textbox'", "'%s-box'" }, { "'greybox'", "'%s-grey'" }, { "\"gnuplot_canvas\"", "\"%s-canvas\"" },
        { "rgb(  0,   0,   0)", "currentColor" },
        { "<svg ", "<svg role=\"img\" " } };

    while (*svg) {
        size_t i = 0;
        for (; i < MW_COUNT(changes) && strncmp(svg, changes[i].of, strlen(changes[i].of)) != 0; i++)
            ;
        if (i < MW_COUNT(changes)) {
            const char *place = strstr(changes[i].as, "%s");
            mw_text_append(to, changes[i].as, place ? (size_t)(place - changes[i].as) : strlen(changes[i].as));
            mw_text_add(to, "%s%s", place ? id : "", place ? place + 2 : "");
            svg += strlen(changes[i].of);
        } else if (!strncmp(svg, "<title>", 7) && strstr(svg, "</title>")) {
            add_title(suite, svg + 7, lines, to);
            svg = strstr(svg, "</title>") + 8;
        } else {
            mw_text_append(to, svg++, 1);
        }
    }
    /* clang-format on */
}

int page_plot(const struct measured *suite, size_t number, enum plot_kind kind, struct mw_text *to)
{
    struct mw_text script = { 0 }, svg = { 0 };
    struct lines lines = { 0 };
    const char *start;
    char id[32];
    int rc;
    TRY(mw_new(2 * suite->device_count * suite->variant_count, sizeof(*lines.item), &lines.item));
    snprintf(id, sizeof(id), "plot%zu%c", number, "avw"[kind]);
    TRY(make_script(suite, id, kind, &lines, &script));
    TRY(plot_draw(id, &script, &svg));
    start = strstr(svg.data, "<svg");
    add_svg(suite, id, start ? start : "", &lines, to);
    rc = mw_text_ok(to);
out:
    free(lines.item);
    mw_text_free(&svg);
    mw_text_free(&script);
    return rc;
}
/* SPDX-License-Identifier: MIT */
