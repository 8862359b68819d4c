/* Finds and reports what became faster or slower since earlier results, beyond the scatter of both. */
#include <math.h>

#include "tools/bench/bench.h"
#include "tools/cli/passes.h"

#define LEAST_CHANGE 1.1 /* smaller factors are not reported */
#define MOST_NOISE 2.0   /* larger factors are never noise */
#define MOST_DRIFT 1.25  /* largest factor attributed to a change of the whole machine */
#define ALARMS 0.05      /* maximum expected number of false reports if nothing has changed */
enum {
    ROUNDS_LEAST = 3,
    ROWS_LEAST = 8
}; /* minimum rounds of a row; minimum rows of a device to estimate its
                                                  * noise */

/* A device and the changes of its rows.  Most rows are assumed unchanged.  The median of the logarithms of ratios is
 * then the drift of the machine, and their scatter around it the noise. */
struct device {
    char *name;
    double *log_ratio;
    size_t count;
    double measured, drift, limit;
};
struct changes {
    struct document *document;
    const char *path; /* file with the earlier results */
    struct device *device;
    size_t devices;
    struct node *table; /* gets the changed rows; NULL: their cases are marked instead */
    size_t rows, few, faster, slower;
    double chance;
};

/* Returns the probability that n numbers all lie below, or all above, m others from the same distribution: 2 n! m!  /
 * (n + m)!. */
static double chance_of(size_t n, size_t m)
{
    double chance = 2;
    for (size_t i = 1; i <= m; i++)
        chance *= (double)i / (double)(n + i);
    return chance < 1 ? chance : 1;
}

static bool has_rounds(const struct pair *p) { return p->now_count >= ROUNDS_LEAST && p->before_count >= ROUNDS_LEAST; }

/* ---- noise ---- */

static struct device *find_device(const struct changes *c, const char *name)
{
    for (size_t i = 0; i < c->devices; i++)
        if (!strcmp(c->device[i].name, name))
            return &c->device[i];
    return NULL;
}

static int add_device(struct changes *c, const char *name)
{
    TRY_RETURN(mw_grow(c->devices, sizeof(*c->device), &c->device));
    c->device[c->devices] = (struct device){ .limit = LEAST_CHANGE };
    TRY_RETURN(mw_strdup(name, &c->device[c->devices].name));
    c->devices++;
    return 0;
}

static int note_pair(struct pair *p, void *context)
{
    struct changes *c = context;
    struct device *d;
    if (!has_rounds(p))
        return 0;
    if (!find_device(c, p->device))
        TRY_RETURN(add_device(c, p->device));
    d = find_device(c, p->device);
    TRY_RETURN(mw_grow(d->count, sizeof(*d->log_ratio), &d->log_ratio));
    d->log_ratio[d->count++] =
        log(spread_of(p->now, p->now_count).median / spread_of(p->before, p->before_count).median);
    c->rows++;
    return 0;
}

/* The limit is a bound on the normal quantile: fewer than `ALARMS` of all rows exceed it by chance.  The median of
 * absolute deviations is 0.6745 standard deviations. */
static void find_noise(struct device *d, size_t rows)
{
    double drift, deviation;
    if (d->count < ROWS_LEAST)
        return;
    drift = reals_median(d->log_ratio, d->count);
    for (size_t i = 0; i < d->count; i++)
        d->log_ratio[i] = fabs(d->log_ratio[i] - drift);
    deviation = reals_median(d->log_ratio, d->count) / 0.6745;
    d->measured = drift;
    d->drift = fmax(fmin(drift, log(MOST_DRIFT)), -log(MOST_DRIFT));
    d->limit = fmin(fmax(exp(deviation * sqrt(2 * log((double)rows / ALARMS))), LEAST_CHANGE), MOST_NOISE);
}

/* ---- changes ---- */

/* A row has changed if the gap between both results exceeds the spread of each.  Other load may last for all turns of a
 * row, but then the turns also differ among themselves. */

static int compare_pair(struct pair *p, void *context)
{
    struct changes *c = context;
    const struct device *d = find_device(c, p->device);
    struct node *row;
    if (!has_rounds(p)) {
        c->few++;
        return 0;
    }
    c->chance += chance_of(p->now_count, p->before_count);
    const struct spread now = spread_of(p->now, p->now_count), before = spread_of(p->before, p->before_count);
    const double drift = exp(d->drift), ratio = now.median / before.median;
    const double apart = fmax(now.most / now.least, before.most / before.least);
    const bool slower = now.least > apart * before.most * drift && ratio > d->limit * drift;
    const bool faster = now.most * apart < before.least * drift && ratio < drift / d->limit;
    if (!slower && !faster)
        return 0;
    c->slower += slower;
    c->faster += faster;
    if (!c->table)
        return document_mark(c->document, p);
    row = put_object(c->table, NULL);
    show_cell(put_text(row, "suite", p->suite), PLAIN, "%s, %s", p->suite, p->figure);
    put_text(row, "figure", p->figure);
    show_cell(put_real(row, "x", p->x), PLAIN, "%.6g", p->x);
    show_value_cell(put_text(row, "series", p->series), PLAIN);
    show_value_cell(put_text(row, "device", p->device), PLAIN);
    show_cell(put_real(row, "ratio", ratio), slower ? RED : GREEN, "%.2f", ratio);
    return 0;
}

/* Returns the number of rounds that makes a false report unlikely. */
static size_t rounds_needed(size_t rows)
{
    size_t rounds = ROUNDS_LEAST;
    while (rounds < ROUNDS_MAX && (double)rows * chance_of(rounds, rounds) > ALARMS)
        rounds++;
    return rounds;
}

static void print_chance(const struct changes *c, struct node *to)
{
    const size_t needed = rounds_needed(c->rows);
    if (c->chance <= ALARMS)
        ROW(to, "confidence", "%.3g %% that no row is listed by chance, if runs of a row differ by chance only",
            100 * (1 - c->chance));
    else
        ROW(to, "confidence",
            "%.2g rows may be listed by chance, if runs of a row differ by chance only; with --rounds %zu "
            "for both results, no row is, with 95 %% confidence",
            c->chance, needed);
}

static void print_devices(const struct changes *c, struct node *to)
{
    const char *title = "noise";
    for (size_t i = 0; i < c->devices; i++)
        if (c->device[i].count >= ROWS_LEAST) {
            ROW(to, title,
                "%s: all rows together %.2f times as long, of which %.2f is attributed to the machine; each "
                "row less than %.0f %%",
                c->device[i].name, exp(c->device[i].measured), exp(c->device[i].drift), 100 * (c->device[i].limit - 1));
            title = "";
        }
}

static int changes_find(struct changes *c)
{
    TRY_RETURN(document_each_pair(c->document, c->path, note_pair, c));
    for (size_t i = 0; i < c->devices; i++)
        find_noise(&c->device[i], c->rows);
    return document_each_pair(c->document, c->path, compare_pair, c);
}

static void changes_free(struct changes *c)
{
    for (size_t i = 0; i < c->devices; i++) {
        free(c->device[i].name);
        free(c->device[i].log_ratio);
    }
    free(c->device);
}

int document_mark_changes(struct document *document, const char *path, size_t *count)
{
    struct changes c = { .document = document, .path = path };
    const int rc = changes_find(&c);
    *count = c.faster + c.slower;
    changes_free(&c);
    return rc;
}

int document_changes(struct document *document, const char *path, struct node *to)
{
    struct node *section = put_section(to, "since %s", path);
    struct changes c = { .document = document,
                         .path = path,
                         .table = put_table(section, "changes", "suite|>x|series|device|>seconds, to before") };
    int rc;
    TRY(changes_find(&c));
    ROW(section, "compared", "%s: %zu faster, %zu slower, beyond scatter and noise", COUNTED(c.rows, "row"), c.faster,
        c.slower);
    print_devices(&c, section);
    if (c.rows)
        print_chance(&c, section);
    if (c.few)
        ROW(section, "left out", "%zu with fewer than %d rounds: give --rounds %d or more", c.few, ROUNDS_LEAST,
            3 * ROUNDS_LEAST);
out:
    changes_free(&c);
    return rc;
}
/* SPDX-License-Identifier: MIT */
