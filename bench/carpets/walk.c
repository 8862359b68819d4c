/* Random walks on Sierpinski carpets with all variants, as in figures 11 and 12 and table I of Hoffmann et al. 2010: on
 * carpets of three occupancies, a in t = a s^3 fitted to walks of s steps.  SciPy multiplies a sparse matrix by a
 * vector s times.
 *
 *   bench/walk [-s] [-l] [--precision single|double] [--steps N] [--variant LIST] [--plot FILE.png|svg|pdf]
 *              [ROUNDS [DEVICE...]]                                                        (3 rounds, all devices)
 *
 * A pass is a whole walk without its setup, which is in the last column.  The column "of copy" is the bandwidth as a
 * fraction of a copy's.  An update of a site counts as reading and writing it and reading the numbers of its
 * neighbours, 4 bytes
 * each, whatever the variant moves.
 * --steps: only walks of this many steps, on the first carpet, without SciPy and the slow variants of the paper.
 * --variant: only these variants, such as compact,rows, without time limit and without SciPy.
 * --plot: draw figure 12 instead (figure.c); --steps is then the longest walk. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/carpets/figure.h"
#include "bench/common/table.h"

enum { OCCUPANCIES = 3, LENGTHS = 3 };

static const char *const carpets[OCCUPANCIES] = { "random", "random35", "random59" };
static const uint64_t lengths[2][LENGTHS] = { { 500, 1000, 2000 }, { 10, 20, 40 } };
static struct walk_asked asked;

/* The longest walks take a minute with the paper's variants, so they run on one carpet only. */
static size_t occupancies(void) { return asked.steps ? 1 : OCCUPANCIES; }
static size_t lengths_of(size_t occupancy) { return asked.steps ? 1 : occupancy == 0 ? LENGTHS : LENGTHS - 1; }
static uint64_t length_at(const struct bench *bench, size_t i)
{
    return asked.steps ? asked.steps : lengths[bench->small][i];
}

static bool scipy_takes_part(void) { return !asked.steps && asked.variant_count == 0; }

/* Variants that are omitted from long walks: the paper's, and others whose serial work per item needs cores. */
static bool takes_long(const struct mw_device *device, const char *variant)
{
    return walk_is_papers(variant) || strcmp(variant, "compact") == 0 ||
           (strcmp(variant, "iterators") == 0 && !mw_device_info(device)->traits->has_cores);
}

static bool takes_part(const struct mw_device *device, const char *variant)
{
    return !asked.steps || !takes_long(device, variant);
}

/* Results of a contender, by occupancy and length; `of_copy`: of the last walk on the first carpet. */
struct row {
    char name[48];
    double second[OCCUPANCIES][LENGTHS], made, of_copy;
};

static void send_table(struct bench *bench, const struct mw_carpet *carpet, const int64_t *start, uint64_t steps)
{
    struct mw_walk_sites sites;
    char line[80];
    if (mw_walk_sites_find(carpet, start, steps, &sites) != 0)
        bench_die("sites");
    snprintf(line, sizeof line, "table %zu %u", sites.count, 2 * sites.dims);
    python_seconds(&bench->python, line, sites.neighbours, 2 * sites.dims * sites.count * sizeof *sites.neighbours);
    bench_say(bench, "%llu steps reach %zu sites, %zu of them near enough to count\n", (unsigned long long)steps,
              sites.count, mw_walk_sites_within(&sites, mw_walk_reach(steps, asked.fp64)));
    mw_walk_sites_clear(&sites);
}

static void keep(struct row *row, const struct bench_contender *c, size_t occupancy, size_t length)
{
    snprintf(row->name, sizeof row->name, "%s", c->name);
    row->second[occupancy][length] = bench_seconds(c).median;
    if (occupancy == 0)
        row->made = row->of_copy = NAN;
}

/* Fills a column of the rows: the variants', then SciPy's. */
static size_t measure_length(struct bench *bench, struct mw_device *device, size_t occupancy, size_t length,
                             struct row *rows)
{
    struct walk_turn turns[WALK_VARIANTS];
    struct bench_contender c[WALK_VARIANTS + 2] = { { .name = NULL } };
    struct bench_rival rival = { .python = &bench->python, .name = "scipy" };
    struct bench_copy copy = { .device = device, .bytes = (size_t)(bench->small ? 1 : 256) << 20 };
    struct mw_walk_options options = { .size = sizeof options,
                                       .steps = length_at(bench, length),
                                       .single = !asked.fp64 };
    struct mw_carpet *carpet = walk_carpet(carpets[occupancy], options.start);
    const char *variants[WALK_VARIANTS];
    const size_t count = walk_variants(&asked, device, takes_part, variants);
    char name[80];
    snprintf(name, sizeof name, "%s %s %llu", mw_device_info(device)->id, carpets[occupancy],
             (unsigned long long)options.steps);
    if (scipy_takes_part())
        send_table(bench, carpet, options.start, options.steps);
    for (size_t i = 0; i < count; i++) {
        options.variant = variants[i];
        turns[i] = (struct walk_turn){ device, carpet, options, NULL, 0, 0 };
        c[i] = walk_contender(&turns[i]);
    }
    snprintf(rival.line, sizeof rival.line, "scipy %s %llu", asked.fp64 ? "float64" : "float32",
             (unsigned long long)options.steps);
    c[count] = bench_copier(&copy);
    if (scipy_takes_part())
        c[count + 1] = bench_rival(&rival);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, count + 1 + scipy_takes_part());
    for (size_t i = 0; i < count; i++) {
        c[i].moved = turns[i].moved;
        keep(&rows[i], &c[i], occupancy, length);
        if (occupancy == 0) {
            rows[i].made = turns[i].made;
            rows[i].of_copy = bench_bandwidth(&c[i], &c[count]).median;
        }
    }
    if (scipy_takes_part())
        keep(&rows[count], &c[count + 1], occupancy, length);
    mw_carpet_free(carpet);
    return count + scipy_takes_part();
}

/* Fits a in t = a s^3 by least squares, in nanoseconds. */
static double fitted(const struct bench *bench, const double *second, size_t count)
{
    double above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        const double cube = pow((double)length_at(bench, i), 3);
        above += second[i] * cube;
        below += cube * cube;
    }
    return above / below * 1e9;
}

static void print(struct bench *bench, const struct row *rows, size_t count)
{
    static const struct bench_column all[] = { { "", -12, 0 },    { "a, 0.093", 10, 5 }, { "0.35", 9, 5 },
                                               { "0.59", 9, 5 },  { "s: 500", 10, 3 },   { "1000", 10, 3 },
                                               { "2000", 10, 3 }, { "of copy", 8, 2 },   { "making, ms", 12, 1 } };
    static const struct bench_column one[] = {
        { "", -12, 0 }, { "a, ns", 10, 5 }, { "ms", 10, 3 }, { "of copy", 8, 2 }, { "making, ms", 12, 1 }
    };
    struct bench_table table = asked.steps ? BENCH_TABLE(bench, one) : BENCH_TABLE(bench, all);
    for (size_t i = 0; i < count; i++) {
        bench_text(&table, "%s", rows[i].name);
        for (size_t occupancy = 0; occupancy < occupancies(); occupancy++)
            bench_number(&table, fitted(bench, rows[i].second[occupancy], lengths_of(occupancy)));
        for (size_t length = 0; length < lengths_of(0); length++)
            bench_number(&table, rows[i].second[0][length] * 1e3);
        bench_number(&table, rows[i].of_copy);
        bench_number(&table, rows[i].made * 1e3);
    }
}

static void measure(struct bench *bench, struct mw_device *device)
{
    struct row rows[WALK_VARIANTS + 1];
    size_t count = 0;
    if (asked.fp64 && !mw_device_info(device)->fp64)
        return;
    bench_say(bench, "%s, %s precision: a in t = a s^3, in ns, by occupancy; ms of a walk of s steps at 0.093\n",
              mw_device_info(device)->id, asked.fp64 ? "double" : "single");
    for (size_t occupancy = 0; occupancy < occupancies(); occupancy++)
        for (size_t length = 0; length < lengths_of(occupancy); length++)
            count = measure_length(bench, device, occupancy, length, rows);
    print(bench, rows, count);
}

/* Parses comma-separated names. */
static void ask_for(const char *variants)
{
    static char list[256];
    char *rest = list;
    snprintf(list, sizeof list, "%s", variants);
    for (const char *name; (name = strsep(&rest, ",")) != NULL;) {
        const struct mw_walk_variant *variant;
        if (asked.variant_count == WALK_VARIANTS || mw_walk_variant_find(NULL, 0, name, &variant) != 0)
            bench_die("--variant");
        asked.variants[asked.variant_count++] = name;
    }
}

int main(int argc, char **argv)
{
    static const char *precision = "single", *steps = "", *variants, *plot;
    static const struct bench_option options[] = { { "precision", "single|double", &precision },
                                                   { "steps", "N", &steps },
                                                   { "variant", "LIST", &variants },
                                                   { "plot", "FILE.png|svg|pdf", &plot },
                                                   { NULL, NULL, NULL } };
    static const struct bench_setup setup = { .rounds = 3, .script = "walk.py", .options = options };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    asked.fp64 = strcmp(precision, "double") == 0;
    asked.steps = strtoull(steps, NULL, 10);
    if (variants)
        ask_for(variants);
    if (plot)
        walk_figure(&bench, &asked, plot);
    else
        bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
