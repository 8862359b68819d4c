/* Primitives next to a copy on the same device and next to CuPy, in one run.
 *
 *   bench/prim [-s] [-l] [ROUNDS [DEVICE...]]          (15 rounds, all devices)
 *
 * 2^24 elements of 4 bytes, on GPUs also 2^27.  In each round CuPy has its turn, then a copy, then a primitive.  "copy"
 * is the primitive's bandwidth as a fraction of that copy's.  "cupy" is CuPy's time over ours on GPUs (above 1: ours is
 * faster); ours includes the transfer of a result to the host.  Bytes are the necessary traffic.  Scan: elements read
 * and written once.  Selection: flags, and the places of half of them.  Sort: keys and values read and written once per
 * digit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/common/table.h"

#define N ((size_t)1 << 24)
#define N_LARGE ((size_t)1 << 27)
#define N_SMALL ((size_t)1 << 17)

struct buffers {
    size_t n;
    struct mw_buffer *words, *copy, *to, *flags, *keys, *values;
};

static int reduce_sum(struct mw_prim *prim, const struct buffers *b)
{
    uint64_t sum;
    return mw_prim_reduce(prim, b->words, b->n, MW_TYPE_U32, MW_REDUCTION_SUM, &sum);
}

static int reduce_real_sum(struct mw_prim *prim, const struct buffers *b)
{
    float sum;
    return mw_prim_reduce(prim, b->words, b->n, MW_TYPE_F32, MW_REDUCTION_SUM, &sum);
}

static int reduce_real_max(struct mw_prim *prim, const struct buffers *b)
{
    float most;
    return mw_prim_reduce(prim, b->words, b->n, MW_TYPE_F32, MW_REDUCTION_MAX, &most);
}

static int scan(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_scan(prim, b->words, b->to, b->n, MW_TYPE_U32, false, NULL);
}

static int scan_in_place(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_scan(prim, b->to, b->to, b->n, MW_TYPE_U32, true, NULL);
}

static int select_half(struct mw_prim *prim, const struct buffers *b)
{
    size_t count;
    return mw_prim_select(prim, b->flags, b->n, b->to, &count);
}

static int histogram_256(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_histogram(prim, b->keys, b->n, 256, b->to);
}

static int histogram_64ki(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_histogram(prim, b->values, b->n, 65536, b->to);
}

static int sort_keys(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_sort(prim, b->copy, MW_TYPE_U32, 32, NULL, 0, b->n);
}

static int sort_pairs(struct mw_prim *prim, const struct buffers *b)
{
    return mw_prim_sort(prim, b->copy, MW_TYPE_U32, 32, b->to, 4, b->n);
}

static const struct {
    const char *name;
    int (*run)(struct mw_prim *prim, const struct buffers *b);
    double moved;
    const char *rival; /* name in bench/rivals/prim.py */
} primitives[] = {
    { "reduce: sum of u32", reduce_sum, 4, "sum" },
    { "reduce: sum of f32", reduce_real_sum, 4, "sum-real" },
    { "reduce: max of f32", reduce_real_max, 4, "max-real" },
    { "scan u32", scan, 8, "scan" },
    { "scan u32 in place", scan_in_place, 8, "none" },
    { "select a half", select_half, 3, "select" },
    { "histogram, 256 bins", histogram_256, 4, "histogram-256" },
    { "histogram, 65536 bins", histogram_64ki, 4, "histogram-65536" },
    { "sort u32", sort_keys, 32, "sort" },
    { "sort u32 with u32", sort_pairs, 64, "sort-pairs" },
};

static struct mw_buffer *filled(struct mw_device *device, const void *data, size_t bytes)
{
    struct mw_buffer *buffer;
    if (mw_buffer_new(device, bytes, &buffer) != 0 || mw_buffer_write(buffer, 0, bytes, data, NULL) != 0)
        bench_die(mw_device_info(device)->id);
    return buffer;
}

/* Random words; as floating-point numbers they have all magnitudes, and some are NaN or infinite. */
static struct buffers make_buffers(struct mw_device *device, size_t n)
{
    struct buffers b = { .n = n };
    uint32_t *word = malloc(n * sizeof *word), state = 1;
    if (!word)
        bench_wrong("out of memory for %zu words", n);
    for (size_t i = 0; i < n; i++)
        word[i] = state = state * 1664525 + 1013904223;
    b.words = filled(device, word, n * 4);
    b.copy = filled(device, word, n * 4);
    b.to = filled(device, word, n * 4);
    for (size_t i = 0; i < n; i++)
        word[i] >>= 16;
    b.values = filled(device, word, n * 4);
    for (size_t i = 0; i < n; i++)
        word[i] >>= 8;
    b.keys = filled(device, word, n * 4);
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)word)[i] = (unsigned char)(word[i] & 1);
    b.flags = filled(device, word, n);
    free(word);
    return b;
}

/* A primitive on a device. */
struct primitive {
    struct mw_prim *prim;
    const struct buffers *buffers;
    size_t row;
};

static int primitive_run(void *of, int passes)
{
    const struct primitive *p = of;
    return primitives[p->row].run(p->prim, p->buffers);
}

static void print_row(struct bench_table *table, const char *name, const struct bench_contender *c,
                      struct bench_spread to_copy, double to_rival)
{
    const double seconds = bench_seconds(c).median;
    bench_text(table, "%s", name);
    bench_number(table, seconds * 1e3);
    bench_number(table, c->moved / seconds / 1e9);
    bench_spread_cells(table, to_copy, 1);
    bench_number(table, to_rival);
}

static void measure_n(struct bench *bench, struct mw_device *device, size_t n)
{
    static const struct bench_column columns[] = {
        { "", -24, 0 }, { "ms", 8, 3 }, { "GB/s", 7, 1 }, BENCH_SPREAD("copy", 6, 2), { "cupy", 6, 2 }
    };
    const bool gpu = mw_device_info(device)->kind == MW_DEVICE_GPU;
    const char *const of_size = n == N_LARGE ? " of 2^27" : "";
    const struct bench_spread none = { NAN, NAN, NAN };
    struct buffers b = make_buffers(device, n);
    const struct bench_contest contest = { .name = mw_device_info(device)->id };
    struct mw_prim *prim;
    if (mw_prim_new(device, &prim) != 0)
        bench_die("primitives");
    bench_say(bench, "%s, %zu elements of 4 bytes\n", contest.name, b.n);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; i < MW_COUNT(primitives); i++) {
        struct bench_copy copy = { .device = device, .bytes = b.n * 4, .from = b.words, .to = b.copy };
        struct primitive p = { prim, &b, i };
        char names[3][80];
        struct bench_rival cupy = { .python = &bench->python, .name = names[0] };
        struct bench_contender c[] = {
            bench_rival(&cupy),
            bench_copier(&copy), /* restores the disorder for sorts */
            { .name = names[2],
              .of = &p,
              .run = primitive_run,
              .device = device,
              .moved = primitives[i].moved * (double)b.n },
        };
        snprintf(cupy.line, sizeof cupy.line, "%s %zu", gpu ? primitives[i].rival : "none", b.n);
        snprintf(names[0], sizeof names[0], "cupy %s%s", primitives[i].name, of_size);
        snprintf(names[1], sizeof names[1], "copy next to %s%s", primitives[i].name, of_size);
        snprintf(names[2], sizeof names[2], "%s%s", primitives[i].name, of_size);
        c[1].name = names[1];
        bench_contest(bench, &contest, c, MW_COUNT(c));
        if (i == 0)
            print_row(&table, "copy", &c[1], none, NAN);
        print_row(&table, primitives[i].name, &c[2], bench_bandwidth(&c[2], &c[1]), bench_ratio(&c[0], &c[2]).median);
    }
    mw_prim_free(prim);
    struct mw_buffer *const buffers[] = { b.words, b.copy, b.to, b.flags, b.keys, b.values };
    for (size_t i = 0; i < MW_COUNT(buffers); i++)
        mw_buffer_free(buffers[i]);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    measure_n(bench, device, bench->small ? N_SMALL : N);
    if (!bench->small && mw_device_info(device)->kind == MW_DEVICE_GPU)
        measure_n(bench, device, N_LARGE);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 15, .script = "prim.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
