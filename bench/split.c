/* Cahn-Hilliard in two or three dimensions, single precision, RK2, on one device of several threads beside as many
 * devices of one thread each that share the field.
 *
 *   bench/split [SIDE [DIMS [THREADS [ROUNDS]]]]          (2048, 2, one a core, 9)
 *
 * The contestants take turns, one stretch of about a quarter of a second each a round; medians over the rounds are
 * printed, with the smallest and largest, and "ratio" is the median over the rounds of the ratio to the first.  Shares
 * are given and equal, or found by measuring. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <meshwork.h>

#include "base/base.h"

#define STRETCH 0.25
#define ROUNDS_MAX 99
#define DEVICES_MAX 64

struct contestant {
    const char *name;
    struct mw_field *field;
    struct mw_device *devices[DEVICES_MAX];
    size_t count;
    uint64_t steps;              /* of a stretch */
    double rate[ROUNDS_MAX], ratio[ROUNDS_MAX];
};

static void die(const char *what)
{
    fprintf(stderr, "split: %s: %s\n", what, mw_errmsg());
    exit(1);
}

static double stretch(struct contestant *c, uint64_t steps)
{
    const double start = mw_now();
    if (mw_field_advance(c->field, steps) != 0 || mw_field_sync(c->field) != 0)
        die(c->name);
    return mw_now() - start;
}

static void prepare(struct contestant *c, const struct mw_model *model, const struct mw_field_options *o,
                    const char *selector, unsigned threads)
{
    const struct mw_device_options device_options = { .threads = threads };
    for (size_t i = 0; i < c->count; i++)
        if (mw_device_open_by_name(selector, &device_options, &c->devices[i]) != 0)
            die(c->name);
    if (mw_field_new_on(c->devices, c->count, model, o, &c->field) != 0)
        die(c->name);
    stretch(c, 1);
    const double one = stretch(c, 2) / 2;
    c->steps = one < STRETCH ? (uint64_t)(STRETCH / one) : 1;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print(struct contestant *c, int rounds)
{
    struct mw_field_part parts[DEVICES_MAX];
    char shape[MW_SHAPE_TEXT];
    qsort(c->rate, (size_t)rounds, sizeof *c->rate, by_value);
    qsort(c->ratio, (size_t)rounds, sizeof *c->ratio, by_value);
    mw_field_parts(c->field, DEVICES_MAX, parts);
    mw_shape_format(&parts[0].shape, shape);
    printf("%-28s %8.0f %8.0f %8.0f %8.3f  %s; shares", c->name, c->rate[rounds / 2] / 1e6, c->rate[0] / 1e6,
           c->rate[rounds - 1] / 1e6, c->ratio[rounds / 2], shape);
    for (size_t i = 0; i < c->count; i++)
        printf(" %.3f", parts[i].share);
    printf("\n");
}

int main(int argc, char **argv)
{
    static struct contestant contestants[] = { { .name = "one device" },
                                               { .name = "devices of one thread, equal" },
                                               { .name = "devices of one thread, found" } };
    static double equal[DEVICES_MAX];
    const size_t side = argc > 1 ? strtoul(argv[1], NULL, 10) : 2048;
    const unsigned dims = argc > 2 ? (unsigned)atoi(argv[2]) : 2;
    unsigned threads = argc > 3 ? (unsigned)atoi(argv[3]) : 0;
    const int rounds = argc > 4 ? atoi(argv[4]) : 9;
    struct mw_model *model;

    if (side < 16 || side > 1 << 20 || (dims != 2 && dims != 3) || rounds < 1 || rounds > ROUNDS_MAX ||
        threads > DEVICES_MAX)
        return fprintf(stderr, "usage: split [SIDE [DIMS [THREADS [ROUNDS]]]]\n"), 2;
    struct mw_field_options o = { .dims = dims, .length = { side, side, dims == 3 ? side : 0 }, .integrator = MW_RK2,
                                  .seed = 1, .tune_budget = 10 };
    if (mw_model_load("cahn-hilliard", NULL, &model) != 0)
        die("model");
    contestants[0].count = 1;
    prepare(&contestants[0], model, &o, "native:pthreads", threads);
    threads = mw_device_info(contestants[0].devices[0])->compute_units;
    for (size_t i = 1; i < MW_COUNT(contestants); i++) {
        for (unsigned k = 0; k < threads && k < DEVICES_MAX; k++)
            equal[k] = 1;
        o.shares = i == 1 ? equal : NULL;
        contestants[i].count = threads < DEVICES_MAX ? threads : DEVICES_MAX;
        prepare(&contestants[i], model, &o, "native:serial", 1);
    }
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < MW_COUNT(contestants); i++) {
            struct contestant *c = &contestants[i];
            c->rate[r] = pow((double)side, dims) * (double)c->steps / stretch(c, c->steps);
            c->ratio[r] = c->rate[r] / contestants[0].rate[r];
        }
    printf("Cahn-Hilliard, %zu in %u dimensions, single precision, RK2; %u threads; %d rounds\n\n", side, dims, threads,
           rounds);
    printf("%-28s %8s %8s %8s %8s\n", "million cell-steps/s", "median", "min", "max", "ratio");
    for (size_t i = 0; i < MW_COUNT(contestants); i++)
        print(&contestants[i], rounds);
    for (size_t i = 0; i < MW_COUNT(contestants); i++) {
        mw_field_free(contestants[i].field);
        for (size_t k = 0; k < contestants[i].count; k++)
            mw_device_close(contestants[i].devices[k]);
    }
    mw_model_free(model);
    return 0;
}
