/* Compares the tuned shape with the rule's, which it should never be slower than: models, sizes, precisions, boundary
 * conditions and integrators, each tuned as at the first use, then both timed alternately.
 *
 *   bench/tuned [-s] [-l] [--only WORD] [--budget SECONDS] [ROUNDS [DEVICE...]]  (all, first use's, 15, all devices)
 *
 * "ratio" is tuned over rule, in seconds of a round; "least" is the same for the shortest turns, which suffer less from
 * other load.  A case that is over 5 % slower by both is measured again with the same choice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/table.h"
#include "bench/fields/case.h"

#define STRETCH 0.01
#define SLOWER 1.05
#define BUDGET 1.0 /* as in src/field/program/tuning.c */
#define BUDGET_GPU 1.8

static const struct field_case cases[] = {
    { "heat", 1, { 1000 }, RK2, 0, 0, 0 },
    { "heat", 1, { 1 << 20 }, EULER, 0, 0, 0 },
    { "cahn-hilliard", 1, { 1 << 16 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 1, { 1 << 22 }, RK4, true, MIRROR, 0 },
    { "cahn-hilliard", 2, { 32, 32 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 64, 64 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 64, 64 }, RK4, 0, 0, 0 },
    { "cahn-hilliard", 2, { 128, 128 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 128, 128 }, EULER, true, 0, 0 },
    { "cahn-hilliard", 2, { 256, 256 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 512, 512 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 512, 512 }, RK4, 0, FIXED, 0 },
    { "cahn-hilliard", 2, { 1024, 1024 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 1024, 1024 }, RK2, true, MIRROR, 0 },
    { "cahn-hilliard", 2, { 1023, 1025 }, RK2, 0, 0, FOURTH },
    { "cahn-hilliard", 2, { 16384, 64 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 64, 16384 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 4096, 4096 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 2, { 4096, 4096 }, RK4, true, 0, 0 },
    { "heat", 2, { 48, 40 }, EULER, 0, FIXED, 0 },
    { "heat", 2, { 256, 256 }, EULER, 0, 0, 0 },
    { "heat", 2, { 777, 333 }, RK2, true, MIRROR, 0 },
    { "heat", 2, { 2048, 2048 }, EULER, 0, 0, 0 },
    { "heat", 2, { 2048, 2048 }, RK4, 0, 0, ISOTROPIC },
    { "gray-scott", 2, { 96, 96 }, RK2, 0, 0, 0 },
    { "gray-scott", 2, { 512, 512 }, EULER, 0, 0, 0 },
    { "gray-scott", 2, { 2048, 2048 }, RK2, 0, FIXED, 0 },
    { "gray-scott", 2, { 2048, 2048 }, RK2, true, 0, 0 },
    { "swift-hohenberg", 2, { 300, 300 }, RK2, 0, 0, 0 },
    { "swift-hohenberg", 2, { 2048, 2048 }, RK2, 0, 0, 0 },
    { "wave", 2, { 1024, 1024 }, RK4, 0, MIRROR, 0 },
    { "ginzburg-landau", 2, { 1024, 1024 }, RK2, 0, 0, 0 },
    { "lotka-volterra", 2, { 512, 512 }, RK2, 0, 0, 0 },
    { "cahn-hilliard-cook", 2, { 512, 512 }, EULER, 0, 0, 0 },
    { "cahn-hilliard", 3, { 16, 16, 16 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 3, { 64, 64, 64 }, RK2, 0, 0, 0 },
    { "cahn-hilliard", 3, { 200, 200, 200 }, RK2, 0, MIRROR, 0 },
    { "heat", 3, { 40, 48, 56 }, EULER, true, 0, 0 },
    { "heat", 3, { 256, 256, 256 }, RK2, 0, 0, 0 },
    { "gray-scott", 3, { 128, 128, 128 }, EULER, 0, 0, 0 },
    { "heat", 4, { 24, 24, 24, 24 }, RK2, 0, 0, 0 },
};
/* With -s: one case per number of dimensions. */
static const struct field_case small_cases[] = {
    { "heat", 1, { 100 }, EULER, 0, 0, 0 },
    { "cahn-hilliard", 2, { 40, 20 }, RK2, 0, 0, 0 },
};

struct asked {
    const char *only;
    double budget;
};
static struct asked asked;

/* The two contenders of a case. */
struct pair {
    char name[96];
    struct field_run runs[2];
    struct bench_contender contenders[2];
    double ratio, least;
};

static double compare(const struct bench *bench, struct pair *p, bool anew)
{
    const struct bench_contest contest = { .name = p->name, .stretch = STRETCH };
    p->runs[1].retune = anew;
    p->contenders[0] = field_contender(&p->runs[0], "rule");
    p->contenders[1] = field_contender(&p->runs[1], "tuned");
    bench_contest(bench, &contest, p->contenders, 2);
    p->ratio = bench_ratio(&p->contenders[1], &p->contenders[0]).median;
    p->least = bench_seconds(&p->contenders[1]).least / bench_seconds(&p->contenders[0]).least;
    return fmin(p->ratio, p->least);
}

static void print(struct bench_table *table, const struct pair *p, bool again)
{
    bench_text(table, "%s", p->name);
    for (int i = 0; i < 2; i++)
        bench_number(table, 1e6 * bench_seconds(&p->contenders[i]).median);
    bench_number(table, p->ratio);
    bench_number(table, p->least);
    bench_text(table, again ? "again" : "");
    if (strcmp(p->runs[0].text, p->runs[1].text) == 0)
        bench_text(table, "the same: %s", p->runs[0].text);
    else
        bench_text(table, "%s -> %s", p->runs[0].text, p->runs[1].text);
    fflush(stdout);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    static const struct bench_column columns[] = { { "us per step", -52, 0 }, { "rule", 10, 2 }, { "tuned", 10, 2 },
                                                   { "ratio", 6, 2 },         { "least", 6, 2 }, { "", 6, 0 },
                                                   { "shapes", 0, 0 } };
    const struct mw_device_info *info = mw_device_info(device);
    const struct field_case *const list = bench->small ? small_cases : cases;
    const size_t count = bench->small ? MW_COUNT(small_cases) : MW_COUNT(cases);
    const double budget = asked.budget > 0 ? asked.budget : info->kind == MW_DEVICE_GPU ? BUDGET_GPU : BUDGET;
    double worst = 0;
    size_t slower = 0, compared = 0;
    char where[96] = "";
    bench_say(bench, "%s, %s\n\n", info->id, info->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; i < count; i++) {
        struct pair p = { .runs = { { .of = &list[i], .devices = &device, .device_count = 1, .no_tune = true },
                                    { .of = &list[i], .devices = &device, .device_count = 1, .budget = budget } } };
        struct mw_model *model;
        field_case_name(&list[i], p.name, sizeof p.name);
        if (asked.only && !strstr(p.name, asked.only))
            continue;
        if (mw_model_load(list[i].model, NULL, &model) != 0)
            bench_die(list[i].model);
        p.runs[0].model = p.runs[1].model = model;
        double ratio = compare(bench, &p, true);
        const bool again = ratio > SLOWER;
        if (again)
            ratio = compare(bench, &p, false);
        mw_model_free(model);
        print(&table, &p, again);
        compared++;
        slower += ratio > SLOWER;
        if (ratio > worst)
            mw_copy_string(where, sizeof where, p.name);
        worst = fmax(worst, ratio);
    }
    bench_say(bench, "\n%zu of %zu slower than by rule by more than %.0f %%; the worst %.2f (%s)\n\n", slower, compared,
              100 * (SLOWER - 1), worst, where);
}

int main(int argc, char **argv)
{
    const char *budget = NULL;
    const struct bench_option options[] = { { "only", "WORD", &asked.only },
                                            { "budget", "SECONDS", &budget },
                                            { NULL, NULL, NULL } };
    const struct bench_setup setup = { .rounds = 15, .options = options };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    asked.budget = budget ? atof(budget) : 0;
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
