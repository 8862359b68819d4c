/* Random numbers, stored, next to a copy on the same device and next to other libraries, in one run.
 *
 *   bench/rng [-s] [-l] [ROUNDS [DEVICE...]]          (9 rounds, all devices)
 *
 * 2^26 numbers per pass, or as many whole rounds of the lagged Fibonacci generator's tables as fit.  In each round the
 * other libraries have their turns, then a copy of as many bytes, then ours.  "copy" is the bandwidth as a fraction of
 * that copy's, which reads and writes. "24e9, s" is the time for 24 thousand million numbers, as in Hawick, Leist and
 * Playne, "Mixing Multi-Core CPUs and GPUs", section 6, table 1.  Its CPU, pThreads, Cell, CUDA 1 and
 * CUDA 2 correspond to `serial`, `tables` with one stream per core, `lanes`, `tables` and `stream`.  "numpy", "torch"
 * and "cupy" are the library's time over ours (above 1: ours is faster), all with Philox; torch and CuPy only on
 * GPUs. */
#include <math.h>
#include <stdio.h>

#include "bench/common/table.h"

#define N ((size_t)1 << 26)
#define N_SMALL ((size_t)1 << 17)

enum { ONE_A_CORE = 1 };

static const struct kind {
    const char *name, *generator, *variant;
    enum mw_random_kind kind;
    const char *rival; /* name in other libraries; NULL: no turn */
    size_t streams;    /* 0: the variant's default; ONE_A_CORE */
} kinds[] = {
    { "philox, words", "philox", NULL, MW_RANDOM_BITS, "words", 0 },
    { "philox, single", "philox", NULL, MW_RANDOM_FLOATS, "single", 0 },
    { "philox, double", "philox", NULL, MW_RANDOM_DOUBLES, "double", 0 },
    { "philox, normal", "philox", NULL, MW_RANDOM_NORMAL_FLOATS, "normal", 0 },
    { "philox, normal double", "philox", NULL, MW_RANDOM_NORMAL_DOUBLES, "normal-double", 0 },
    { "philox, below 1000", "philox", NULL, MW_RANDOM_BELOW, NULL, 0 },
    { "philox, Bernoulli 0.3", "philox", NULL, MW_RANDOM_BERNOULLI, NULL, 0 },
    { "threefry, single", "threefry", NULL, MW_RANDOM_FLOATS, NULL, 0 },
    { "ranmar serial", "ranmar", "serial", MW_RANDOM_FLOATS, NULL, 0 },
    { "ranmar threads", "ranmar", "tables", MW_RANDOM_FLOATS, NULL, ONE_A_CORE },
    { "ranmar lanes", "ranmar", "lanes", MW_RANDOM_FLOATS, NULL, 0 },
    { "ranmar tables", "ranmar", "tables", MW_RANDOM_FLOATS, NULL, 0 },
    { "ranmar stream", "ranmar", "stream", MW_RANDOM_FLOATS, NULL, 0 },
};

/* Our numbers; a pass continues the stream of the previous one. */
struct maker {
    const struct kind *kind;
    struct mw_device *device;
    struct mw_buffer *to;
    struct mw_random *random;
    size_t count;
    uint64_t next;
};

static int make(void *of, int passes)
{
    struct maker *m = of;
    const struct mw_random_draw draw = {
        .size = sizeof draw, .kind = m->kind->kind, .below = 1000, .probability = 1288490189
    };
    m->next += m->count;
    return mw_random_fill(m->random, &draw, m->next - m->count, m->count, m->to, 0);
}

/* Returns whether the device supports the generator and the numbers. */
static bool start(struct maker *m, size_t n)
{
    const struct mw_device_info *info = mw_device_info(m->device);
    struct mw_random_options o = {
        .size = sizeof o, .generator = m->kind->generator, .variant = m->kind->variant, .seed = 1
    };
    if (m->kind->streams == ONE_A_CORE) {
        if (info->compute_units < 2 || info->compute_units >= 32 || info->kind == MW_DEVICE_GPU)
            return false;
        o.streams = info->compute_units;
    }
    const int rc = mw_random_new(&m->device, 1, &o, &m->random);
    if (rc == MW_ENOTSUP || (mw_random_bytes(m->kind->kind) == 8 && !info->fp64))
        return false;
    if (rc != 0)
        bench_die(m->kind->name);
    const size_t round = mw_random_table(m->random) ? mw_random_streams(m->random) * mw_random_table(m->random) : 1;
    m->count = n >= round ? n / round * round : n;
    return true;
}

static const char *const rivals[] = { "numpy", "torch", "cupy" };
enum { RIVALS = MW_COUNT(rivals) };

static void print_row(struct bench_table *table, const struct bench_contender *ours, const struct maker *m,
                      const struct bench_contender *copy, const struct bench_contender *others)
{
    const double seconds = bench_seconds(ours).median, each = seconds / (double)m->count;
    bench_text(table, "%s", ours->name);
    bench_number(table, 1e-6 / each);
    bench_number(table, ours->moved / seconds / 1e9);
    bench_spread_cells(table, bench_bandwidth(ours, copy), 1);
    bench_number(table, 24e9 * each);
    for (size_t i = 0; i < RIVALS; i++)
        bench_number(table, bench_ratio(&others[i], ours).median);
    bench_text(table, "%s", mw_random_variant(m->random));
}

static void measure_kind(struct bench *bench, struct bench_table *table, struct maker *m, struct mw_buffer *from,
                         size_t n)
{
    const bool gpu = mw_device_info(m->device)->kind == MW_DEVICE_GPU;
    const size_t bytes = mw_random_bytes(m->kind->kind);
    struct bench_rival other[RIVALS];
    struct bench_contender c[RIVALS + 2];
    char names[RIVALS + 1][80];
    if (!start(m, n))
        return;
    struct bench_copy copy = { .device = m->device, .bytes = m->count * bytes, .from = from, .to = m->to };
    for (size_t i = 0; i < RIVALS; i++) {
        other[i] = (struct bench_rival){ .python = &bench->python, .name = names[i] };
        snprintf(names[i], sizeof names[i], "%s %s", rivals[i], m->kind->name);
        snprintf(other[i].line, sizeof other[i].line, "%s %s %zu", rivals[i],
                 m->kind->rival && (i == 0 || gpu) ? m->kind->rival : "none", m->count);
        c[i] = bench_rival(&other[i]);
    }
    snprintf(names[RIVALS], sizeof names[RIVALS], "copy next to %s", m->kind->name);
    c[RIVALS] = bench_copier(&copy);
    c[RIVALS].name = names[RIVALS];
    c[RIVALS + 1] = (struct bench_contender){
        .name = m->kind->name, .of = m, .run = make, .device = m->device, .moved = (double)(m->count * bytes)
    };
    bench_contest(bench, &(struct bench_contest){ .name = mw_device_info(m->device)->id }, c, MW_COUNT(c));
    print_row(table, &c[RIVALS + 1], m, &c[RIVALS], c);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    static const struct bench_column columns[] = {
        { "", -22, 0 },      { "M/s", 8, 0 },   { "GB/s", 7, 1 },  BENCH_SPREAD("copy", 6, 2),
        { "24e9, s", 8, 2 }, { "numpy", 6, 2 }, { "torch", 6, 2 }, { "cupy", 6, 2 },
        { "", 0, 0 },
    };
    const size_t n = bench->small ? N_SMALL : N;
    struct mw_buffer *from, *to;
    if (mw_buffer_new(device, 8 * n, &from) != 0 || mw_buffer_new(device, 8 * n, &to) != 0 ||
        mw_buffer_fill(from, 0, 8 * n, 1) != 0 || mw_buffer_fill(to, 0, 8 * n, 1) != 0)
        bench_die(mw_device_info(device)->id);
    bench_say(bench, "%s, %zu numbers\n", mw_device_info(device)->id, n);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; i < MW_COUNT(kinds); i++) {
        struct maker m = { .kind = &kinds[i], .device = device, .to = to };
        measure_kind(bench, &table, &m, from, n);
        mw_random_free(m.random);
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 9, .script = "rng.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
