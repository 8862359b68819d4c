/* Cahn-Hilliard in two or three dimensions, single precision, RK2, on one device of several threads beside as many
 * devices of one thread each that share the field.
 *
 *   bench/split [SIDE [DIMS [THREADS [ROUNDS]]]]          (2048, 2, one a core, 9)
 *
 * The contestants take turns, one stretch of about a quarter of a second each a round; medians over the rounds are
 * printed, with the smallest and largest, and "ratio" is the median over the rounds of the ratio to the first.  "copy"
 * is the fraction of what all devices of a contestant reach together when each copies at the same time, in the same
 * round, that the floor of two passes, 20 bytes a cell and step, would take.  Shares are given and equal, or found by
 * measuring. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define STRETCH 0.25
#define COPY_STRETCH 0.05
#define COPY_BYTES_MAX ((size_t)256 << 20)       /* past all caches */
#define FLOOR_BYTES 20
#define DEVICES_MAX 64

/* A device, and its part of a copy. */
struct copier {
    struct mw_device *device;
    struct mw_buffer *from, *to;
    size_t bytes;
    int passes;
    pthread_t thread;
};

struct contestant {
    const char *name;
    struct mw_field *field;
    struct copier copiers[DEVICES_MAX];
    size_t count;
    uint64_t steps;              /* of a stretch */
    int passes;                  /* of a stretch of copies */
    double rate[BENCH_ROUNDS_MAX], copy[BENCH_ROUNDS_MAX];  /* cell-steps; bytes, read and written; a second */
};

static double stretch(struct contestant *c, uint64_t steps)
{
    const double start = mw_now();
    if (mw_field_advance(c->field, steps) != 0 || mw_field_sync(c->field) != 0)
        bench_die(c->name);
    return mw_now() - start;
}

static void *copy(void *context)
{
    const struct copier *p = context;
    bench_copy_seconds(p->device, p->from, p->to, p->bytes, p->passes);
    return NULL;
}

/* Seconds in which all devices, at the same time, each make some copies. */
static double copy_stretch(struct contestant *c, int passes)
{
    const double start = mw_now();
    for (size_t i = 0; i < c->count; i++) {
        c->copiers[i].passes = passes;
        if (pthread_create(&c->copiers[i].thread, NULL, copy, &c->copiers[i]) != 0) {
            mw_fail(MW_ENOMEM, "the system has no thread for each of %zu devices: use fewer", c->count);
            bench_die(c->name);
        }
    }
    for (size_t i = 0; i < c->count; i++)
        pthread_join(c->copiers[i].thread, NULL);
    return mw_now() - start;
}

static void prepare(struct contestant *c, const struct mw_model *model, const struct mw_field_options *o,
                    const char *selector, unsigned threads)
{
    const struct mw_device_options device_options = { .threads = threads };
    const size_t bytes = fmin(pow((double)o->length[0], o->dims) * sizeof(float), COPY_BYTES_MAX) / c->count;
    struct mw_device *devices[DEVICES_MAX];
    for (size_t i = 0; i < c->count; i++) {
        struct copier *p = &c->copiers[i];
        p->bytes = bytes;
        if (mw_device_open_by_name(selector, &device_options, &p->device) != 0 ||
            mw_buffer_new(p->device, bytes, &p->from) != 0 || mw_buffer_new(p->device, bytes, &p->to) != 0 ||
            mw_buffer_fill(p->from, 0, bytes, 0) != 0 || mw_buffer_fill(p->to, 0, bytes, 0) != 0)
            bench_die(c->name);
        devices[i] = p->device;
    }
    if (mw_field_new_on(devices, c->count, model, o, &c->field) != 0)
        bench_die(c->name);
    stretch(c, 1);
    const double one = stretch(c, 2) / 2;
    c->steps = one < STRETCH ? (uint64_t)(STRETCH / one) : 1;
    copy_stretch(c, 1);
    const double one_copy = copy_stretch(c, 8) / 8;
    c->passes = one_copy < COPY_STRETCH ? (int)(COPY_STRETCH / one_copy) : 1;
}

static void print(const struct contestant *c, const struct contestant *first, int rounds)
{
    struct mw_field_part parts[DEVICES_MAX];
    char shape[MW_SHAPE_TEXT];
    const struct bench_spread rate = bench_spread(c->rate, rounds);
    mw_field_parts(c->field, DEVICES_MAX, parts);
    mw_shape_format(&parts[0].shape, shape);
    printf("%-28s %8.0f %8.0f %8.0f %8.3f %8.2f  %s; shares", c->name, rate.median / 1e6, rate.least / 1e6,
           rate.most / 1e6, bench_median_ratio(c->rate, first->rate, rounds),
           FLOOR_BYTES * bench_median_ratio(c->rate, c->copy, rounds), shape);
    for (size_t i = 0; i < c->count; i++)
        printf(" %.3f", parts[i].share);
    printf("\n");
}

static void contestant_free(struct contestant *c)
{
    mw_field_free(c->field);
    for (size_t i = 0; i < c->count; i++) {
        mw_buffer_free(c->copiers[i].from);
        mw_buffer_free(c->copiers[i].to);
        mw_device_close(c->copiers[i].device);
    }
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

    if (side < 16 || side > 1 << 20 || (dims != 2 && dims != 3) || rounds < 1 || rounds > BENCH_ROUNDS_MAX ||
        threads > DEVICES_MAX)
        return fprintf(stderr, "usage: split [SIDE [DIMS [THREADS [ROUNDS]]]]\n"), 2;
    struct mw_field_options o = { .dims = dims, .length = { side, side, dims == 3 ? side : 0 },
                                  .integrator = MW_INTEGRATE_RK2, .seed = 1, .tune_budget = 10 };
    if (mw_model_load("cahn-hilliard", NULL, &model) != 0)
        bench_die("model");
    contestants[0].count = 1;
    prepare(&contestants[0], model, &o, "native:pthreads", threads);
    threads = mw_device_info(contestants[0].copiers[0].device)->compute_units;
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
            c->copy[r] = 2.0 * (double)(c->count * c->copiers[0].bytes) * c->passes / copy_stretch(c, c->passes);
            c->rate[r] = pow((double)side, dims) * (double)c->steps / stretch(c, c->steps);
        }
    printf("Cahn-Hilliard, %zu in %u dimensions, single precision, RK2; %u threads; %d rounds\n\n", side, dims, threads,
           rounds);
    printf("%-28s %8s %8s %8s %8s %8s\n", "million cell-steps/s", "median", "min", "max", "ratio", "copy");
    for (size_t i = 0; i < MW_COUNT(contestants); i++)
        print(&contestants[i], &contestants[0], rounds);
    for (size_t i = 0; i < MW_COUNT(contestants); i++)
        contestant_free(&contestants[i]);
    mw_model_free(model);
    return 0;
}
