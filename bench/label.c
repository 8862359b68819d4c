/* Labelling of meshes: all variants that a device can run, on the patterns of Hawick, Leist and Playne, "Parallel Graph
 * Component Labelling with GPUs and CUDA", section 6.3, and random ones: cells of 8 bits, 0 being background or not.
 *
 *   bench/label [ROUNDS [DEVICE...]]          (7, all devices)
 *
 *   spiral    an arm one cell wide and what is left between its turns
 *   random    each cell by itself, with density 0.5
 *   domains   random numbers smoothed by box blurs, half of them set: what phase separation leaves
 *
 * Milliseconds are medians over rounds in which variants take turns; "bandwidth" is that of reading values and writing
 * labels, 5 bytes a cell, as a fraction of a plain copy's, timed in the same rounds.  A variant that needs more than
 * a second once is left out of further rounds, and those that carry labels from cell to cell are left out of large
 * spirals, which take them minutes.  All variants' labels are compared first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/pattern.h"
#include "bench.h"

#include <meshwork/label.h>

#define SLOW 1.0

enum { SPIRAL, RANDOM, DOMAINS }; /* rows of `patterns` */

static const struct {
    int pattern;
    unsigned dims;
    size_t side;
    enum mw_connectivity connectivity;
    bool background;
} rows[] = {
    { DOMAINS, 2, 2048, MW_FACES, false }, { DOMAINS, 2, 2048, MW_FACES, true }, { DOMAINS, 2, 2048, MW_ALL, true },
    { RANDOM, 2, 2048, MW_FACES, false },  { RANDOM, 2, 2048, MW_FACES, true },  { RANDOM, 2, 2048, MW_ALL, true },
    { SPIRAL, 2, 256, MW_FACES, false },   { SPIRAL, 2, 2048, MW_FACES, false }, { SPIRAL, 2, 4096, MW_FACES, false },
    { RANDOM, 2, 4096, MW_FACES, false },
    { DOMAINS, 2, 512, MW_FACES, false },  { DOMAINS, 2, 1024, MW_FACES, false }, { DOMAINS, 2, 4096, MW_FACES, false },
    { DOMAINS, 3, 192, MW_FACES, true },   { DOMAINS, 3, 192, MW_ALL, true },    { RANDOM, 3, 192, MW_FACES, true },
    { RANDOM, 3, 192, MW_ALL, true },
};
#define VARIANTS_MAX 16

static const char *const carriers[] = { "a", "b", "c", "raster" };
#define SPIRAL_MOST 256

/* ---- turns ---- */

struct contestant {
    const char *name;
    struct mw_labelling *labelling;
    size_t components, iterations;
    bool slow;
    double seconds[BENCH_ROUNDS_MAX];
};

static double turn(struct contestant *c, struct mw_buffer *from, struct mw_buffer *to)
{
    const double start = mw_now();
    if (mw_labelling_run(c->labelling, from, to, &c->components, &c->iterations) != 0)
        bench_die(c->name);
    return mw_now() - start;
}

static bool takes_minutes(const char *name, int pattern, size_t side)
{
    bool carries = false;
    for (size_t i = 0; i < MW_COUNT(carriers); i++)
        carries = carries || strcmp(name, carriers[i]) == 0;
    return carries && pattern == SPIRAL && side > SPIRAL_MOST;
}

/* Makes the labellings, runs each once, and compares it with the first one. */
static size_t prepare(struct mw_device *device, const struct mw_label_options *options, int pattern,
                      struct contestant *c, struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    void *first = malloc(bytes), *other = malloc(bytes);
    size_t count = 0;
    if (!first || !other)
        bench_die("memory");
    for (const struct mw_variant *v = mw_label_variants; v->name && count < VARIANTS_MAX; v++) {
        struct mw_label_options o = *options;
        o.variant = v->name;
        c[count] = (struct contestant){ .name = v->name };
        if (takes_minutes(v->name, pattern, o.length[0]) ||
            mw_labelling_new(device, &o, &c[count].labelling) != 0)
            continue;
        c[count].seconds[0] = turn(&c[count], from, to);
        c[count].slow = c[count].seconds[0] > SLOW;
        if (mw_buffer_read(to, 0, bytes, count ? other : first, NULL) != 0)
            bench_die("labels");
        if (count && memcmp(first, other, bytes) != 0) {
            fprintf(stderr, "label: %s: other labels by %s than by %s\n", mw_device_info(device)->id, v->name,
                    c[0].name);
            exit(1);
        }
        count++;
    }
    free(first);
    free(other);
    return count;
}

static void measure_row(struct mw_device *device, size_t r, int rounds)
{
    static struct contestant c[VARIANTS_MAX];
    struct mw_label_options o = { .dims = rows[r].dims, .type = MW_TYPE_U8, .connectivity = rows[r].connectivity,
                                  .has_background = rows[r].background };
    struct mw_buffer *from, *to, *copy;
    double copies[BENCH_ROUNDS_MAX];
    size_t cells = 1;
    for (unsigned i = 0; i < o.dims; i++)
        cells *= o.length[i] = rows[r].side;
    const size_t bytes = cells * sizeof(int32_t);
    struct mw_array pattern;
    if (mw_array_new(MW_TYPE_U8, o.dims, o.length, &pattern) != 0 || mw_buffer_new(device, cells, &from) != 0 || mw_buffer_new(device, bytes, &to) != 0 ||
        mw_buffer_new(device, bytes, &copy) != 0)
        bench_die("memory");
    if (patterns[rows[r].pattern].make(&pattern, 0.5, 1) != 0 ||
        mw_buffer_write(from, 0, cells, pattern.data, NULL) != 0)
        bench_die("values");
    const size_t count = prepare(device, &o, rows[r].pattern, c, from, to, bytes);
    bench_copy_seconds(device, to, copy, bytes, 1); /* fresh memory is slower */
    for (int round = 0; round < rounds; round++) {
        copies[round] = bench_copy_seconds(device, to, copy, bytes, 1) / (2.0 * (double)bytes);
        for (size_t i = 0; i < count; i++)
            c[i].seconds[round] = c[i].slow ? c[i].seconds[0] : turn(&c[i], from, to);
    }
    for (size_t i = 0; i < count; i++) {
        const struct bench_spread s = bench_spread(c[i].seconds, rounds);
        printf("%-8s %u %5zu %-5s %-4s %-12s %10.3f %9.3f %9.3f %9.2f %5zu %10zu\n", patterns[rows[r].pattern].name,
               o.dims, o.length[0], o.connectivity == MW_ALL ? "all" : "faces", o.has_background ? "0" : "none",
               c[i].name, s.median * 1e3, s.least * 1e3, s.most * 1e3,
               (double)(cells + bytes) * bench_spread(copies, rounds).median / s.median, c[i].iterations,
               c[i].components);
        mw_labelling_free(c[i].labelling);
    }
    fflush(stdout);
    mw_buffer_free(from);
    mw_buffer_free(to);
    mw_buffer_free(copy);
    mw_array_free(&pattern);
}

static void measure(struct mw_device *device, int rounds)
{
    printf("%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    printf("%-8s %s %5s %-5s %-4s %-12s %10s %9s %9s %9s %5s %10s\n", "pattern", "d", "side", "", "back", "variant",
           "ms", "least", "most", "bandwidth", "iter", "components");
    for (size_t r = 0; r < MW_COUNT(rows); r++)
        measure_row(device, r, rounds);
}

int main(int argc, char **argv)
{
    const int rounds = bench_rounds(argc, argv, 7);
    printf("Labelling of cells of 8 bits; %d rounds\n", rounds);
    bench_each_device(argc, argv, measure, rounds);
    return 0;
}
