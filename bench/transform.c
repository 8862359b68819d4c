/* Layout transforms next to a copy on the same device and next to NumPy, in one run.
 *
 *   bench/transform [-s] [-l] [ROUNDS [DEVICE...]]          (9 rounds, all devices)
 *
 * In each round NumPy has a turn at an operation, then a copy, then ours.  "copy" is the operation's bandwidth as a
 * fraction of that copy's; "numpy" is NumPy's time over ours (above 1: ours is faster).  Bytes are those read and
 * written.  Elements have 4 bytes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/common/table.h"

#define OPERATIONS_MAX 24

/* clang-format off */
#define OF_CUBES                                                                                                     \
    { "flip=0", "flip=2", "flip=0,1,2", "shift=3,-1,7", "crinkle=0:2", "crinkle=0:8", "crinkle=2:2", "uncrinkle=0:2", \
      "uncrinkle=0:8", "crinkle=0:2,1:2,2:2", "permute=1,0,2", "permute=2,1,0", "permute=0,2,1", "permute=1,2,0" }

static const struct array {
    const char *name;
    bool small;
    unsigned dims;
    size_t length[3];
    const char *operations[OPERATIONS_MAX];
} arrays[] = {
    { "4096 x 4096", false, 2, { 4096, 4096 },
      { "flip=0", "flip=1", "flip=0,1", "shift=3,-1", "shift=1000,0", "crinkle=0:2", "crinkle=0:3", "crinkle=0:8",
        "crinkle=0:64", "crinkle=1:2", "uncrinkle=0:2", "uncrinkle=0:8", "uncrinkle=0:64", "permute=1,0", "pad=0:1:3",
        "crop=1:5:4000" } },
    { "4095 x 4097", false, 2, { 4095, 4097 },
      { "flip=0", "flip=1", "shift=3,-1", "crinkle=0:2", "crinkle=0:3", "crinkle=0:8", "crinkle=1:2", "uncrinkle=0:2",
        "uncrinkle=0:3", "uncrinkle=0:8", "permute=1,0" } },
    { "256 x 256 x 256", false, 3, { 256, 256, 256 }, OF_CUBES },
    { "255 x 257 x 253", false, 3, { 255, 257, 253 }, OF_CUBES },
    { "65 x 64", true, 2, { 65, 64 }, { "flip=0,1", "shift=3,-1", "crinkle=0:3", "pad=0:1:3", "crop=1:5:40" } },
    { "16 x 17 x 13", true, 3, { 16, 17, 13 }, OF_CUBES },
};
/* clang-format on */

/* An operation of ours. */
struct operation {
    const struct array *array;
    const char *text, *variant;
    struct mw_device *device;
    struct mw_buffer *from, *to;
    double moved; /* bytes */
    struct mw_transform *transform;
};

static size_t cells_of(unsigned dims, const size_t *length)
{
    size_t n = 1;
    for (unsigned d = 0; d < dims; d++)
        n *= length[d];
    return n;
}

/* Every cell of the result is written, and read unless it is filled. */
static double bytes_moved(const struct mw_map *map, size_t source_cells)
{
    size_t length[MW_DIMS_MAX];
    unsigned dims;
    mw_map_lengths(map, &dims, length);
    const size_t cells = cells_of(dims, length);
    return 4 * (double)(cells + (cells < source_cells ? cells : source_cells));
}

static void operation_make(struct operation *o)
{
    struct mw_map *map;
    if (mw_map_new(o->array->dims, o->array->length, &map) != 0 || mw_map_parse(map, o->text) != 0 ||
        mw_transform_new(&o->device, 1, map, 4, NULL, &o->transform) != 0)
        bench_die(o->text);
    o->moved = bytes_moved(map, cells_of(o->array->dims, o->array->length));
    o->variant = mw_transform_variant(o->transform);
    mw_map_free(map);
}

static int operation_run(void *of, int passes)
{
    const struct operation *o = of;
    return mw_transform_run(o->transform, o->from, o->to, NULL);
}

/* ---- results ---- */

/* The worst result of a device. */
struct worst {
    double ratio;
    const char *operation, *array;
};
enum { SINGLE, TRANSPOSITION, NUMPY, WORSTS };

static void note_worst(struct worst *worst, double ratio, const struct operation *o)
{
    if (!isnan(ratio) && (!worst->operation || ratio < worst->ratio))
        *worst = (struct worst){ ratio, o->text, o->array->name };
}

static void say_worst(const struct bench *bench, const char *what, const struct worst *worst)
{
    if (worst->operation)
        bench_say(bench, "%s %.2f (%s of %s)", what, worst->ratio, worst->operation, worst->array);
}

static const struct bench_column columns[] = {
    { "", -20, 0 }, { "ms", 8, 2 }, { "GB/s", 7, 1 }, BENCH_SPREAD("copy", 6, 2), { "numpy", 6, 2 }, { "", 0, 0 },
};

static void print_row(struct bench_table *table, const struct bench_contender *c, struct bench_spread to_copy,
                      double to_numpy, const char *variant)
{
    const double seconds = bench_seconds(c).median;
    bench_text(table, "%s", c->name);
    bench_number(table, seconds * 1e3);
    bench_number(table, c->moved / seconds / 1e9);
    bench_spread_cells(table, to_copy, 1);
    bench_number(table, to_numpy);
    bench_text(table, "%s", variant);
}

/* ---- turns ---- */

static void measure_operation(struct bench *bench, struct bench_table *table, struct operation *o, bool first,
                              struct worst worst[WORSTS])
{
    const struct bench_spread none = { NAN, NAN, NAN };
    struct bench_rival numpy = { .python = &bench->python };
    struct bench_copy copy = {
        .device = o->device, .from = o->from, .to = o->to, .bytes = 4 * cells_of(o->array->dims, o->array->length)
    };
    char names[2][64], contest[200];
    for (unsigned d = 0; d < o->array->dims; d++)
        snprintf(numpy.line + strlen(numpy.line), sizeof numpy.line - strlen(numpy.line), "%s%zu", d ? "x" : "",
                 o->array->length[d]);
    snprintf(numpy.line + strlen(numpy.line), sizeof numpy.line - strlen(numpy.line), " %s", o->text);
    snprintf(names[0], sizeof names[0], "numpy %s", o->text);
    snprintf(names[1], sizeof names[1], "copy next to %s", o->text);
    numpy.name = names[0];
    snprintf(contest, sizeof contest, "%s %s", mw_device_info(o->device)->id, o->array->name);
    operation_make(o);
    struct bench_contender c[] = {
        bench_rival(&numpy),
        bench_copier(&copy), /* the warm-up pass refills caches and wakes threads after NumPy */
        { .name = o->text, .of = o, .run = operation_run, .device = o->device, .moved = o->moved },
    };
    c[1].name = first ? "copy" : names[1];
    bench_contest(bench, &(struct bench_contest){ .name = contest }, c, MW_COUNT(c));
    const struct bench_spread to_copy = bench_bandwidth(&c[2], &c[1]);
    const double to_numpy = bench_ratio(&c[0], &c[2]).median;
    if (first)
        print_row(table, &c[1], none, NAN, "");
    print_row(table, &c[2], to_copy, to_numpy, o->variant);
    note_worst(&worst[strncmp(o->text, "permute", 7) == 0 ? TRANSPOSITION : SINGLE], to_copy.median, o);
    note_worst(&worst[NUMPY], to_numpy, o);
    mw_transform_free(o->transform);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    struct worst worst[WORSTS] = { { 0 } };
    const char *id = mw_device_info(device)->id;
    struct mw_buffer *from, *to;
    size_t cells = 0;
    for (size_t i = 0; i < MW_COUNT(arrays); i++) {
        const size_t n = cells_of(arrays[i].dims, arrays[i].length);
        cells = arrays[i].small == bench->small && n > cells ? n : cells;
    }
    const size_t capacity = cells + cells / 8; /* for padding */
    if (mw_buffer_new(device, 4 * cells, &from) != 0 || mw_buffer_new(device, 4 * capacity, &to) != 0 ||
        mw_buffer_fill(from, 0, 4 * cells, 1) != 0 || mw_buffer_fill(to, 0, 4 * capacity, 1) != 0)
        bench_die(id);
    for (size_t i = 0; i < MW_COUNT(arrays); i++) {
        if (arrays[i].small != bench->small)
            continue;
        bench_say(bench, "%s, %s\n", id, arrays[i].name);
        struct bench_table table = BENCH_TABLE(bench, columns);
        for (size_t k = 0; k < OPERATIONS_MAX && arrays[i].operations[k]; k++) {
            struct operation o = {
                .array = &arrays[i], .text = arrays[i].operations[k], .device = device, .from = from, .to = to
            };
            measure_operation(bench, &table, &o, k == 0, worst);
        }
    }
    bench_say(bench, "%s: ", id);
    say_worst(bench, "of copy at least", &worst[SINGLE]);
    say_worst(bench, "; transposed", &worst[TRANSPOSITION]);
    say_worst(bench, "; numpy at least", &worst[NUMPY]);
    bench_say(bench, "\n");
    mw_buffer_free(from);
    mw_buffer_free(to);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 9, .script = "transform.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_each_device(&bench, measure);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
