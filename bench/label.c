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
 * labels, 5 bytes a cell, as a fraction of a plain copy's, timed in the same rounds.  "opencv" and "scipy" are the time
 * as a fraction of that library's in the same rounds (below 1: ours is faster), where it can label such cells.
 * A variant that needs more than a second once is left out of further rounds, and of rows where it would need more than
 * five, by what a smaller mesh of the kind took.  All variants' labels are compared first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/python.h"
#include "tools/label/pattern.h"
#include "bench.h"

#include <meshwork/label.h>

#define SLOW 1.0
#define LONG 5.0

enum { SPIRAL, RANDOM, DOMAINS, PATTERNS }; /* rows of `patterns` */

#define FACES MW_CONNECT_FACES
#define ALL MW_CONNECT_ALL

static const struct row {
    int pattern;
    unsigned dims;
    size_t side;
    enum mw_connectivity connectivity;
    bool background;
} rows[] = {
    /* The papers' curves: sides of 256 to 4096, and one by which to tell what takes long. */
    { SPIRAL, 2, 64, FACES, false },    { SPIRAL, 2, 256, FACES, false },   { SPIRAL, 2, 512, FACES, false },
    { SPIRAL, 2, 1024, FACES, false },  { SPIRAL, 2, 2048, FACES, false },  { SPIRAL, 2, 4096, FACES, false },
    { DOMAINS, 2, 256, FACES, false },  { DOMAINS, 2, 512, FACES, false },  { DOMAINS, 2, 1024, FACES, false },
    { DOMAINS, 2, 2048, FACES, false }, { DOMAINS, 2, 4096, FACES, false },
    { RANDOM, 2, 256, FACES, false },   { RANDOM, 2, 512, FACES, false },   { RANDOM, 2, 1024, FACES, false },
    { RANDOM, 2, 2048, FACES, false },  { RANDOM, 2, 4096, FACES, false },
    /* What other libraries do as well. */
    { DOMAINS, 2, 2048, FACES, true },  { DOMAINS, 2, 2048, ALL, true },    { RANDOM, 2, 2048, FACES, true },
    { RANDOM, 2, 2048, ALL, true },     { DOMAINS, 3, 192, FACES, true },   { DOMAINS, 3, 192, ALL, true },
    { RANDOM, 3, 192, FACES, true },    { RANDOM, 3, 192, ALL, true },
};
#define VARIANTS_MAX 16

/* ---- other libraries' turns, by bench/label-others.py ---- */

static struct python python;
static const char *const others[] = { "opencv", "scipy" };
enum { OTHERS = MW_COUNT(others) };

static void others_take(const struct mw_array *cells)
{
    char line[200] = "cells ";
    for (unsigned i = 0; i < cells->dims; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%zu", i ? "x" : "", cells->length[i]);
    python_seconds(&python, line, cells->data, cells->count);
}

/* NaN of a library that cannot label these cells, which it does only where 0 is background, or is not there. */
static double other_seconds(const char *library, const struct mw_label_options *o)
{
    char line[64];
    snprintf(line, sizeof line, "%s %s", library, o->connectivity == MW_CONNECT_ALL ? "all" : "faces");
    return o->has_background ? python_seconds(&python, line, NULL, 0) : NAN;
}

/* ---- turns ---- */

struct contestant {
    const char *name;
    struct mw_labelling *labelling;
    size_t components, iterations;
    bool slow;
    double first;
    double seconds[BENCH_ROUNDS_MAX];
};

static double turn(struct contestant *c, struct mw_buffer *from, struct mw_buffer *to)
{
    const double start = mw_now();
    if (mw_labelling_run(c->labelling, from, to, &c->components, &c->iterations) != 0)
        bench_die(c->name);
    return mw_now() - start;
}

/* What a variant took last, by pattern and dimensions. */
struct past { double cells, seconds; };
static struct past pasts[VARIANTS_MAX][PATTERNS][2];

/* Passes over the mesh grow at most as its cells do. */
static bool takes_long(const struct past *past, double cells)
{
    return past->cells > 0 && past->seconds * (cells / past->cells) * (cells / past->cells) > LONG;
}

/* Makes the labellings, runs each once, and compares it with the first one. */
static size_t prepare(struct mw_device *device, const struct mw_label_options *options, int pattern,
                      struct contestant *c, struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    const double cells = (double)bytes / sizeof(int32_t);
    void *first = malloc(bytes), *other = malloc(bytes);
    size_t count = 0;
    if (!first || !other)
        bench_die("memory");
    const struct mw_variant *v;
    for (size_t i = 0; (v = mw_label_variants(i)) != NULL && count < VARIANTS_MAX; i++) {
        struct mw_label_options o = *options;
        o.variant = v->name;
        c[count] = (struct contestant){ .name = v->name };
        struct past *past = &pasts[i][pattern][o.dims == 3];
        if (takes_long(past, cells) || mw_labelling_new(device, &o, &c[count].labelling) != 0)
            continue;
        turn(&c[count], from, to); /* some drivers compile only now */
        c[count].first = turn(&c[count], from, to);
        c[count].slow = c[count].first > SLOW;
        *past = (struct past){ cells, c[count].first };
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

/* `floor`: seconds that a copy takes for the bytes of a labelling. */
static void print_row(const struct row *row, const struct contestant *c, double floor,
                      double other[OTHERS][BENCH_ROUNDS_MAX], int rounds)
{
    const struct bench_spread s = bench_spread(c->seconds, rounds);
    printf("%-8s %u %5zu %-5s %-4s %-12s %10.3f %9.3f %9.3f %9.2f", patterns[row->pattern].name, row->dims, row->side,
           row->connectivity == ALL ? "all" : "faces", row->background ? "0" : "none", c->name, s.median * 1e3,
           s.least * 1e3, s.most * 1e3, floor / s.median);
    for (size_t i = 0; i < OTHERS; i++) {
        if (isnan(other[i][0]))
            printf(" %7s", "");
        else
            printf(" %7.2f", bench_median_ratio(c->seconds, other[i], rounds));
    }
    printf(" %5zu %10zu\n", c->iterations, c->components);
}

static void measure_row(struct mw_device *device, size_t row, int rounds)
{
    static struct contestant c[VARIANTS_MAX];
    struct mw_label_options o = { .dims = rows[row].dims, .type = MW_TYPE_U8, .connectivity = rows[row].connectivity,
                                  .has_background = rows[row].background };
    struct mw_buffer *from, *to, *copy;
    double copies[BENCH_ROUNDS_MAX], other[OTHERS][BENCH_ROUNDS_MAX];
    size_t cells = 1;
    for (unsigned i = 0; i < o.dims; i++)
        cells *= o.length[i] = rows[row].side;
    const size_t bytes = cells * sizeof(int32_t);
    struct mw_array pattern;
    if (mw_array_new(MW_TYPE_U8, o.dims, o.length, &pattern) != 0 || mw_buffer_new(device, cells, &from) != 0 ||
        mw_buffer_new(device, bytes, &to) != 0 || mw_buffer_new(device, bytes, &copy) != 0)
        bench_die("memory");
    if (patterns[rows[row].pattern].make(&pattern, 0.5, 1) != 0 ||
        mw_buffer_write(from, 0, cells, pattern.data, NULL) != 0)
        bench_die("values");
    const size_t count = prepare(device, &o, rows[row].pattern, c, from, to, bytes);
    others_take(&pattern);
    for (int round = -1; round < rounds; round++) { /* one to warm up: fresh memory is slower */
        const int r = round < 0 ? 0 : round;
        for (size_t i = 0; i < OTHERS; i++)
            other[i][r] = other_seconds(others[i], &o);
        copies[r] = bench_copy_seconds(device, to, copy, bytes, 1) / (2.0 * (double)bytes);
        for (size_t i = 0; i < count; i++)
            c[i].seconds[r] = c[i].slow ? c[i].first : turn(&c[i], from, to);
    }
    const double copy_seconds = bench_spread(copies, rounds).median;
    for (size_t i = 0; i < count; i++) {
        print_row(&rows[row], &c[i], (double)(cells + bytes) * copy_seconds, other, rounds);
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
    memset(pasts, 0, sizeof pasts);
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
    if (!python_start(&python, BENCH_DIR "/label-others.py"))
        fprintf(stderr, "label: no numpy for python3: no columns of other libraries\n");
    bench_each_device(argc, argv, measure, rounds);
    python_stop(&python);
    return 0;
}
