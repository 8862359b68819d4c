/* Primitives beside a plain copy of the same device, in one run.
 *
 *   bench/prim [ROUNDS [DEVICE...]]          (15 rounds, all devices)
 *
 * 2^24 elements of 4 bytes.  In each round each primitive has a turn behind a copy's.  "copy" is the primitive's
 * bandwidth as a fraction of that copy's: median, least and most over the rounds.  Bytes are those that have to be
 * moved: of a scan the elements read and written once, of a selection the flags and the places of a half of them, of a
 * sort for each of its digits keys and values read and written once. */
#include <stdio.h>
#include <stdlib.h>

#include <meshwork/prim.h>

#include "bench.h"

#define N ((size_t)1 << 24)

struct bench_buffers { struct mw_buffer *words, *copy, *to, *flags, *keys, *values; };

static int reduce_sum(struct mw_prim *prim, const struct bench_buffers *b)
{
    uint64_t sum;
    return mw_prim_reduce(prim, b->words, N, MW_TYPE_U32, MW_REDUCE_SUM, &sum);
}

static int reduce_real_sum(struct mw_prim *prim, const struct bench_buffers *b)
{
    float sum;
    return mw_prim_reduce(prim, b->words, N, MW_TYPE_F32, MW_REDUCE_SUM, &sum);
}

static int reduce_real_max(struct mw_prim *prim, const struct bench_buffers *b)
{
    float most;
    return mw_prim_reduce(prim, b->words, N, MW_TYPE_F32, MW_REDUCE_MAX, &most);
}

static int scan(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_scan(prim, b->words, b->to, N, MW_TYPE_U32, false, NULL);
}

static int scan_in_place(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_scan(prim, b->to, b->to, N, MW_TYPE_U32, true, NULL);
}

static int select_half(struct mw_prim *prim, const struct bench_buffers *b)
{
    size_t count;
    return mw_prim_select(prim, b->flags, N, b->to, &count);
}

static int histogram_256(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_histogram(prim, b->keys, N, 256, b->to);
}

static int histogram_64ki(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_histogram(prim, b->values, N, 65536, b->to);
}

static int sort_keys(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_sort(prim, b->copy, MW_TYPE_U32, 32, NULL, 0, N);
}

static int sort_pairs(struct mw_prim *prim, const struct bench_buffers *b)
{
    return mw_prim_sort(prim, b->copy, MW_TYPE_U32, 32, b->to, 4, N);
}

static const struct { const char *name; int (*run)(struct mw_prim *prim, const struct bench_buffers *b); double moved; }
primitives[] = {
    { "reduce: sum of u32", reduce_sum, 4 },
    { "reduce: sum of f32", reduce_real_sum, 4 },
    { "reduce: max of f32", reduce_real_max, 4 },
    { "scan u32", scan, 8 },
    { "scan u32 in place", scan_in_place, 8 },
    { "select a half", select_half, 3 },
    { "histogram, 256 bins", histogram_256, 4 },
    { "histogram, 65536 bins", histogram_64ki, 4 },
    { "sort u32", sort_keys, 32 },
    { "sort u32 with u32", sort_pairs, 64 },
};

static struct mw_buffer *filled(struct mw_device *device, const void *data, size_t bytes)
{
    struct mw_buffer *buffer;
    if (mw_buffer_new(device, bytes, &buffer) != 0 || mw_buffer_write(buffer, 0, bytes, data, NULL) != 0)
        bench_die(mw_device_info(device)->id);
    return buffer;
}

/* Words are random; read as reals they are of all sizes, and some are no numbers. */
static struct bench_buffers make_buffers(struct mw_device *device)
{
    struct bench_buffers b;
    uint32_t *word = malloc(N * sizeof *word), state = 1;
    if (!word)
        bench_die("memory");
    for (size_t i = 0; i < N; i++)
        word[i] = state = state * 1664525 + 1013904223;
    b.words = filled(device, word, N * 4);
    b.copy = filled(device, word, N * 4);
    b.to = filled(device, word, N * 4);
    for (size_t i = 0; i < N; i++)
        word[i] >>= 16;
    b.values = filled(device, word, N * 4);
    for (size_t i = 0; i < N; i++)
        word[i] >>= 8;
    b.keys = filled(device, word, N * 4);
    for (size_t i = 0; i < N; i++)
        ((unsigned char *)word)[i] = (unsigned char)(word[i] & 1);
    b.flags = filled(device, word, N);
    free(word);
    return b;
}

static double seconds_of(struct mw_device *device, struct mw_prim *prim, size_t i, const struct bench_buffers *b)
{
    const double start = mw_now();
    if (primitives[i].run(prim, b) != 0 || mw_device_finish(device) != 0)
        bench_die(primitives[i].name);
    return mw_now() - start;
}

static void measure(struct mw_device *device, int rounds)
{
    static double seconds[MW_COUNT(primitives)][BENCH_ROUNDS_MAX], to_copy[MW_COUNT(primitives)][BENCH_ROUNDS_MAX];
    static double copies[BENCH_ROUNDS_MAX];
    struct bench_buffers b = make_buffers(device);
    struct mw_prim *prim;
    if (mw_prim_new(device, &prim) != 0)
        bench_die("primitives");
    for (size_t i = 0; i < MW_COUNT(primitives); i++)
        seconds_of(device, prim, i, &b);
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < MW_COUNT(primitives); i++) {
            if (mw_buffer_copy(b.words, 0, b.copy, 0, N * 4, NULL) != 0)
                bench_die("copy");
            copies[r] = bench_copy_seconds(device, b.words, b.copy, N * 4, 1);
            seconds[i][r] = seconds_of(device, prim, i, &b);
            to_copy[i][r] = primitives[i].moved / seconds[i][r] / (8 / copies[r]);
        }
    const double copy = bench_spread(copies, rounds).median;
    printf("%s, %s, 2^24 elements\n  %-24s %8s %7s %6s %6s %6s\n", mw_device_info(device)->id,
           mw_device_info(device)->name, "", "ms", "GB/s", "copy", "least", "most");
    printf("  %-24s %8.2f %7.1f\n", "copy", copy * 1e3, 8 * (double)N / copy / 1e9);
    for (size_t i = 0; i < MW_COUNT(primitives); i++) {
        const double median = bench_spread(seconds[i], rounds).median;
        const struct bench_spread ratio = bench_spread(to_copy[i], rounds);
        printf("  %-24s %8.2f %7.1f %6.2f %6.2f %6.2f\n", primitives[i].name, median * 1e3,
               primitives[i].moved * (double)N / median / 1e9, ratio.median, ratio.least, ratio.most);
    }
    mw_prim_free(prim);
    mw_buffer_free(b.words);
    mw_buffer_free(b.copy);
    mw_buffer_free(b.to);
    mw_buffer_free(b.flags);
    mw_buffer_free(b.keys);
    mw_buffer_free(b.values);
}

int main(int argc, char **argv)
{
    bench_each_device(argc, argv, measure, bench_rounds(argc, argv, 15));
    return 0;
}
