/* Cahn-Hilliard in two or three dimensions, single precision, RK2: one device with several threads next to as many
 * devices with one thread each that share the field.
 *
 *   bench/split [-s] [-l] [--side CELLS] [--dims 2|3] [--threads N] [ROUNDS]          (2048, 2, one per core, 9)
 *
 * A turn takes about a quarter of a second.  "ratio" is the rate relative to the first contender.  "copy" is the
 * fraction of the bandwidth of concurrent copies on all devices of a contender in the same round, for the minimum
 * traffic: two passes, 20 bytes per cell and step.  Shares are given and equal, or measured. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/common/table.h"

#define STRETCH 0.25
#define COPY_BYTES_MAX ((size_t)256 << 20) /* larger than all caches */
#define FLOOR_BYTES 20
#define DEVICES_MAX 64
#define SIDE 2048
#define SIDE_SMALL 64

/* A device's part of a copy, on its own thread. */
struct copier {
    struct bench_copy copy;
    struct bench_contender contender;
    int passes, rc;
    pthread_t thread;
};

/* One device, or several that share a field. */
struct team {
    const char *name;
    size_t count;
    struct mw_device *devices[DEVICES_MAX];
    struct copier copiers[DEVICES_MAX];
    const struct mw_model *model;
    struct mw_field_options options;
    double equal[DEVICES_MAX];
    struct mw_field *field;
    char shape[MW_SHAPE_TEXT];
    struct mw_field_part parts[DEVICES_MAX]; /* final shares */
};

/* ---- the field ---- */

static int field_prepare(void *of)
{
    struct team *t = of;
    return mw_field_new(t->devices, t->count, t->model, &t->options, &t->field);
}

static int field_run(void *of, int passes)
{
    struct team *t = of;
    int rc = 0;
    TRY(mw_field_advance(t->field, (uint64_t)passes));
    TRY(mw_field_sync(t->field));
out:
    return rc;
}

static void field_finish(void *of)
{
    struct team *t = of;
    mw_field_parts(t->field, DEVICES_MAX, t->parts);
    mw_shape_format(&t->parts[0].shape, t->shape);
    mw_field_free(t->field);
}

/* ---- the copy: all devices at the same time ---- */

static int copies_prepare(void *of)
{
    struct team *t = of;
    int rc = 0;
    for (size_t i = 0; i < t->count && rc == 0; i++)
        rc = t->copiers[i].contender.prepare(&t->copiers[i].copy);
    return rc;
}

static void *copies_of_one(void *context)
{
    struct copier *p = context;
    p->rc = p->contender.run(&p->copy, p->passes);
    if (p->rc == 0)
        p->rc = mw_device_finish(p->copy.device);
    return NULL;
}

static int copies_run(void *of, int passes)
{
    struct team *t = of;
    size_t started = 0;
    int rc = 0;
    for (; started < t->count && rc == 0; started++) {
        t->copiers[started].passes = passes;
        if (pthread_create(&t->copiers[started].thread, NULL, copies_of_one, &t->copiers[started]) != 0) {
            rc = mw_fail(MW_ENOMEM, "the system has no thread for each of %zu devices: use fewer", t->count);
            break;
        }
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(t->copiers[i].thread, NULL);
        if (t->copiers[i].rc != 0 && rc == 0)
            rc = mw_fail(t->copiers[i].rc, "a copy failed on device %zu", i);
    }
    return rc;
}

static void copies_finish(void *of)
{
    struct team *t = of;
    for (size_t i = 0; i < t->count; i++)
        t->copiers[i].contender.finish(&t->copiers[i].copy);
}

/* ---- contenders ---- */

static void team_open(struct team *t, const struct mw_model *model, const struct mw_field_options *options,
                      const char *selector, unsigned threads)
{
    const size_t cells = (size_t)pow((double)options->length[0], options->dims);
    const size_t bytes = (cells < COPY_BYTES_MAX / sizeof(float) ? cells * sizeof(float) : COPY_BYTES_MAX) / t->count;
    t->model = model;
    t->options = *options;
    for (size_t i = 0; i < t->count; i++) {
        t->devices[i] = bench_open(selector, &(struct mw_device_options){ .size = sizeof(struct mw_device_options),
                                                                          .threads = threads });
        t->equal[i] = 1;
        t->copiers[i].copy = (struct bench_copy){ .device = t->devices[i], .bytes = bytes };
        t->copiers[i].contender = bench_copier(&t->copiers[i].copy);
    }
}

/* Its copy and its field. */
static void team_contenders(struct team *t, double cells, char copy_name[64], struct bench_contender c[2])
{
    snprintf(copy_name, 64, "copy on %s", t->name);
    c[0] = (struct bench_contender){ .name = copy_name,
                                     .of = t,
                                     .prepare = copies_prepare,
                                     .run = copies_run,
                                     .finish = copies_finish,
                                     .moved = t->copiers[0].contender.moved * (double)t->count,
                                     .warm = true };
    c[1] = (struct bench_contender){ .name = t->name,
                                     .of = t,
                                     .prepare = field_prepare,
                                     .run = field_run,
                                     .finish = field_finish,
                                     .moved = cells * FLOOR_BYTES };
}

static void print_row(struct bench_table *table, const struct team *t, const struct bench_contender c[2],
                      const struct bench_contender *first, double cells)
{
    char text[512];
    int used = snprintf(text, sizeof text, "%s; shares", t->shape);
    for (size_t i = 0; i < t->count && used < (int)sizeof text; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %.3f", t->parts[i].share);
    bench_text(table, "%s", t->name);
    bench_rates(table, &c[1], cells);
    bench_number(table, bench_ratio(first, &c[1]).median);
    bench_number(table, bench_bandwidth(&c[1], &c[0]).median);
    bench_text(table, "%s", text);
}

static void measure(const struct bench *bench, const struct mw_model *model, struct mw_field_options *o,
                    unsigned threads)
{
    static struct team teams[] = { { .name = "one device" },
                                   { .name = "devices of one thread, equal" },
                                   { .name = "devices of one thread, found" } };
    static struct bench_contender contenders[MW_COUNT(teams)][2];
    static const struct bench_column columns[] = { { "million cell-steps/s", -28, 0 },
                                                   BENCH_SPREAD("median", 8, 0),
                                                   { "ratio", 8, 3 },
                                                   { "copy", 8, 2 },
                                                   { "", 0, 0 } };
    const double cells = pow((double)o->length[0], o->dims);
    char names[MW_COUNT(teams)][64], contest[64];
    for (size_t i = 0; i < MW_COUNT(teams); i++) {
        teams[i].count = i == 0 ? 1 : threads;
        o->shares = i == 1 ? teams[i].equal : NULL;
        team_open(&teams[i], model, o, i == 0 ? "native:pthreads" : "native:serial", i == 0 ? threads : 1);
        if (i == 0)
            threads = mw_device_info(teams[0].devices[0])->compute_units;
        threads = threads < DEVICES_MAX ? threads : DEVICES_MAX;
        team_contenders(&teams[i], cells, names[i], contenders[i]);
    }
    snprintf(contest, sizeof contest, "%zu %u", o->length[0], o->dims);
    bench_contest(bench, &(struct bench_contest){ .name = contest, .stretch = STRETCH }, contenders[0],
                  2 * MW_COUNT(teams));
    bench_say(bench, "Cahn-Hilliard, %zu in %u dimensions, single precision, RK2; %u threads; %d rounds\n\n",
              o->length[0], o->dims, threads, bench->rounds);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; i < MW_COUNT(teams); i++) {
        print_row(&table, &teams[i], contenders[i], &contenders[0][1], cells);
        for (size_t k = 0; k < teams[i].count; k++)
            mw_device_close(teams[i].devices[k]);
    }
}

int main(int argc, char **argv)
{
    const char *side_text = NULL, *dims_text = "2", *threads_text = "0";
    const struct bench_option options[] = { { "side", "CELLS", &side_text },
                                            { "dims", "2|3", &dims_text },
                                            { "threads", "N", &threads_text },
                                            { NULL, NULL, NULL } };
    const struct bench_setup setup = { .rounds = 9, .own_devices = true, .options = options };
    struct bench bench;
    struct mw_model *model;
    bench_start(argc, argv, &setup, &bench);
    const size_t side = side_text ? strtoul(side_text, NULL, 10) : bench.small ? SIDE_SMALL : SIDE;
    const unsigned dims = (unsigned)atoi(dims_text), threads = (unsigned)atoi(threads_text);
    if (side < 16 || side > 1 << 20 || (dims != 2 && dims != 3) || threads > DEVICES_MAX)
        bench_wrong("a side from 16 to %d, 2 or 3 dimensions, at most %d threads", 1 << 20, DEVICES_MAX);
    struct mw_field_options o = { .size = sizeof o,
                                  .dims = dims,
                                  .length = { side, side, dims == 3 ? side : 0 },
                                  .integrator = MW_INTEGRATOR_RK2,
                                  .seed = 1,
                                  .tune_budget = bench.small ? 0 : 10,
                                  .no_tune = bench.small };
    if (mw_model_load("cahn-hilliard", NULL, &model) != 0)
        bench_die("model");
    measure(&bench, model, &o, threads);
    mw_model_free(model);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
