/* Seconds of walks of s steps over s, at an occupancy of 0.093.  The paper compares its variant C on a GPU with one
 * task per iterator on one and on sixteen cores.  Here `compact` corresponds to the former, on every device, and
 * `iterators` to the latter, on cores; the currently fastest variants are next to them.  Walks that would take long are
 * left out. */
#include "bench/carpets/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/plot.h"
#include "bench/common/table.h"

/* The last ones are only run on request. */
enum { LENGTHS = 10 };
static const uint64_t lengths[2][LENGTHS] = { { 125, 250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000 },
                                              { 5, 10, 15, 20, 25, 30, 35, 40, 45, 50 } };
static const uint64_t longest[2] = { 8000, 30 };

/* The paper's result on a GeForce 8800 GT: 0.21671e-9 s^3 seconds (its table I), for walks long enough for the law and
 * short enough for its memory. */
#define PAPERS_A 0.21671e-9
enum { PAPERS_FROM = 1000, PAPERS_TO = 9500 };

/* Data of the bench; the callbacks of bench_each_device only get a device. */
static struct {
    const struct walk_asked *asked;
    uint64_t steps[LENGTHS + 1];
    size_t length_count;
    struct bench_line *lines;
    size_t line_count;
} figure;

static void set_lengths(bool small)
{
    const uint64_t most = figure.asked->steps ? figure.asked->steps : longest[small];
    size_t n = 0;
    for (; n < LENGTHS && lengths[small][n] < most; n++)
        figure.steps[n] = lengths[small][n];
    figure.steps[n++] = most;
    figure.length_count = n;
}

static struct bench_line *one_more_line(const char *who, const char *how)
{
    struct bench_line *more = realloc(figure.lines, (figure.line_count + 1) * sizeof *more);
    struct bench_line line = { .count = figure.length_count };
    if (!more)
        bench_wrong("out of memory for %zu lines", figure.line_count + 1);
    snprintf(line.who, sizeof line.who, "%s", who);
    snprintf(line.how, sizeof line.how, "%s", how);
    for (size_t i = 0; i < figure.length_count; i++) {
        line.x[i] = (double)figure.steps[i];
        line.y[i] = NAN;
    }
    figure.lines = more;
    more[figure.line_count] = line;
    return &more[figure.line_count++];
}

/* ---- a device ---- */

struct row {
    const char *variant;
    double second[LENGTHS + 1];
    struct bench_past past;
};

static bool is_drawn(const struct mw_device *device, const char *variant)
{
    static const char *const drawn[2][3] = { { "compact", "near", "blocks" }, { "compact", "iterators", "rows" } };
    const char *const *names = drawn[mw_device_info(device)->traits->has_cores];
    bool found = false;
    for (size_t i = 0; i < MW_COUNT(drawn[0]); i++)
        found |= strcmp(names[i], variant) == 0;
    return found;
}

/* Identifies native devices by thread count, CPU drivers by vendor, GPUs by name. */
static void name_device(const struct mw_device *device, char *name, size_t size)
{
    const struct mw_device_info *info = mw_device_info(device);
    if (info->kind == MW_DEVICE_NATIVE)
        snprintf(name, size, "%s, %u thread%s", info->id, info->compute_units, info->compute_units == 1 ? "" : "s");
    else
        snprintf(name, size, "%s, %.40s", info->id, info->kind == MW_DEVICE_CPU ? info->platform : info->name);
}

/* Measures walks of one length, alternating between variants. */
static void measure_length(struct bench *bench, struct mw_device *device, const char *device_name, size_t length,
                           struct row *rows, size_t count)
{
    struct mw_walk_options options = { .size = sizeof options,
                                       .steps = figure.steps[length],
                                       .single = !figure.asked->fp64 };
    struct mw_carpet *carpet = walk_carpet("random", options.start);
    struct walk_turn turns[WALK_VARIANTS];
    struct bench_contender c[WALK_VARIANTS];
    struct row *who[WALK_VARIANTS];
    const double work = pow((double)options.steps, 1.5); /* updates grow at most with its square */
    size_t taking = 0;
    char name[160];
    for (size_t i = 0; i < count; i++) {
        if (bench_takes_long(&rows[i].past, rows[i].variant, work))
            continue;
        options.variant = rows[i].variant;
        who[taking] = &rows[i];
        turns[taking] = (struct walk_turn){ device, carpet, options, NULL, 0, 0 };
        c[taking] = walk_contender(&turns[taking]);
        taking++;
    }
    snprintf(name, sizeof name, "%s random %llu", device_name, (unsigned long long)options.steps);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, taking);
    for (size_t i = 0; i < taking; i++) {
        who[i]->second[length] = bench_seconds(&c[i]).median;
        who[i]->past = (struct bench_past){ who[i]->variant, work, who[i]->second[length] };
    }
    mw_carpet_free(carpet);
}

static void print(struct bench *bench, const struct row *rows, size_t count)
{
    struct bench_column columns[LENGTHS + 2] = { { "", -12, 0 } };
    struct bench_table table;
    char titles[LENGTHS + 1][24];
    for (size_t i = 0; i < figure.length_count; i++) {
        snprintf(titles[i], sizeof titles[i], "%llu", (unsigned long long)figure.steps[i]);
        columns[i + 1] = (struct bench_column){ titles[i], 9, 3 };
    }
    table = bench_table(bench, columns, figure.length_count + 1);
    for (size_t i = 0; i < count; i++) {
        bench_text(&table, "%s", rows[i].variant);
        for (size_t length = 0; length < figure.length_count; length++)
            bench_number(&table, rows[i].second[length] * 1e3);
    }
}

static void measure_one(struct bench *bench, struct mw_device *device)
{
    struct row rows[WALK_VARIANTS];
    const char *variants[WALK_VARIANTS];
    const size_t count = walk_variants(figure.asked, device, is_drawn, variants);
    char name[80];
    name_device(device, name, sizeof name);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct row){ .variant = variants[i] };
        for (size_t length = 0; length < figure.length_count; length++)
            rows[i].second[length] = NAN;
    }
    bench_say(bench, "%s, %s precision: ms of a walk of s steps at 0.093\n", name,
              figure.asked->fp64 ? "double" : "single");
    for (size_t length = 0; length < figure.length_count; length++)
        measure_length(bench, device, name, length, rows, count);
    print(bench, rows, count);
    for (size_t i = 0; i < count; i++) {
        struct bench_line *line = one_more_line(name, rows[i].variant);
        memcpy(line->y, rows[i].second, figure.length_count * sizeof *line->y);
    }
}

/* With all threads, and if there are several also with one. */
static void measure(struct bench *bench, struct mw_device *device)
{
    const struct mw_device_options one = { .size = sizeof one, .threads = 1 };
    const struct mw_device_info *info = mw_device_info(device);
    if (figure.asked->fp64 && !info->fp64)
        return;
    if (info->kind == MW_DEVICE_NATIVE && info->compute_units > 1) {
        struct mw_device *alone = bench_open(info->id, &one);
        measure_one(bench, alone);
        mw_device_close(alone);
    }
    measure_one(bench, device);
}

/* ---- the figure ---- */

static void add_papers(void)
{
    struct bench_line *line = one_more_line("GeForce 8800 GT, the paper's fit: 0.217 ns s^3", "compact");
    line->thin = true;
    for (size_t i = 0; i < line->count; i++)
        if (line->x[i] >= PAPERS_FROM && line->x[i] <= PAPERS_TO)
            line->y[i] = PAPERS_A * pow(line->x[i], 3);
}

void walk_figure(struct bench *bench, const struct walk_asked *asked, const char *plot)
{
    struct bench_plot all = { .title = asked->fp64 ? "Walks on random carpets of occupancy 0.093, double precision"
                                                   : "Walks on random carpets of occupancy 0.093, single precision",
                              .x = "steps s",
                              .y = "seconds of a walk" };
    bench_plot_check(plot);
    figure.asked = asked;
    set_lengths(bench->small);
    bench_each_device(bench, measure);
    if (!asked->fp64)
        add_papers();
    all.lines = figure.lines;
    all.count = figure.line_count;
    bench_plot_draw(plot, &all);
    free(figure.lines);
}
/* SPDX-License-Identifier: MIT */
