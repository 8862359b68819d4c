/* Layout transforms beside a plain copy of the same device and beside NumPy, in one run.
 *
 *   bench/transform [ROUNDS [DEVICE...]]          (9 rounds, all devices)
 *
 * In each round each operation has a turn behind a copy's, and NumPy one behind it, alone on the machine.  "copy" is
 * the operation's bandwidth as a fraction of that copy's, "numpy" NumPy's time over ours (above 1: ours is faster):
 * medians over the rounds, with the smallest and largest of the former, since a buffer's place in memory alone moves
 * the copy between two levels.  Bytes are those read and written.  Elements of 4 bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/python.h"
#include "bench.h"

#define OPERATIONS_MAX 24

#define OF_CUBES                                                                                                     \
    { "flip=0", "flip=2", "flip=0,1,2", "shift=3,-1,7", "crinkle=0:2", "crinkle=0:8", "crinkle=2:2", "uncrinkle=0:2", \
      "uncrinkle=0:8", "crinkle=0:2,1:2,2:2", "permute=1,0,2", "permute=2,1,0", "permute=0,2,1", "permute=1,2,0" }

static const struct array { const char *name; unsigned dims; size_t length[3]; const char *operations[OPERATIONS_MAX]; }
arrays[] = {
    { "4096 x 4096", 2, { 4096, 4096 },
      { "flip=0", "flip=1", "flip=0,1", "shift=3,-1", "shift=1000,0", "crinkle=0:2", "crinkle=0:3", "crinkle=0:8",
        "crinkle=0:64", "crinkle=1:2", "uncrinkle=0:2", "uncrinkle=0:8", "uncrinkle=0:64", "permute=1,0", "pad=0:1:3",
        "crop=1:5:4000" } },
    { "4095 x 4097", 2, { 4095, 4097 },
      { "flip=0", "flip=1", "shift=3,-1", "crinkle=0:2", "crinkle=0:3", "crinkle=0:8", "crinkle=1:2", "uncrinkle=0:2",
        "uncrinkle=0:3", "uncrinkle=0:8", "permute=1,0" } },
    { "256 x 256 x 256", 3, { 256, 256, 256 }, OF_CUBES },
    { "255 x 257 x 253", 3, { 255, 257, 253 }, OF_CUBES },
};

struct turns {
    struct mw_transform *transform;
    double moved;                /* bytes */
    double seconds[BENCH_ROUNDS_MAX], to_copy[BENCH_ROUNDS_MAX], to_numpy[BENCH_ROUNDS_MAX];
};

/* The worst of a device. */
struct worst { double ratio; const char *operation, *array; };
enum { SINGLE, TRANSPOSITION, NUMPY, WORSTS };

/* ---- NumPy's turns, by bench/numpy-transform.py ---- */

static struct python numpy;

/* Seconds of one turn at an operation on a float32 array; NaN where there is no Python or no NumPy. */
static double numpy_seconds(unsigned dims, const size_t *length, const char *operation)
{
    char line[160] = "";
    for (unsigned d = 0; d < dims; d++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%zu", d ? "x" : "", length[d]);
    snprintf(line + strlen(line), sizeof line - strlen(line), " %s", operation);
    return python_seconds(&numpy, line, NULL, 0);
}

/* ---- ours ---- */

static double timed_run(struct mw_device *device, const struct turns *t, struct mw_buffer *from, struct mw_buffer *to)
{
    const double start = mw_now();
    if (mw_transform_run(t->transform, from, to, NULL) != 0 || mw_device_finish(device) != 0)
        bench_die("run");
    return mw_now() - start;
}

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

static void prepare(struct mw_device *device, const struct array *a, size_t operation, struct turns *t,
                    struct mw_buffer *from, struct mw_buffer *to)
{
    struct mw_map *map;
    if (mw_map_new(a->dims, a->length, &map) != 0 || mw_map_parse(map, a->operations[operation]) != 0 ||
        mw_transform_new(device, map, 4, NULL, &t->transform) != 0)
        bench_die(a->operations[operation]);
    t->moved = bytes_moved(map, cells_of(a->dims, a->length));
    mw_map_free(map);
    timed_run(device, t, from, to);
    numpy_seconds(a->dims, a->length, a->operations[operation]);
}

static void note_worst(struct worst *worst, double ratio, const char *operation, const struct array *a)
{
    if (!worst->operation || ratio < worst->ratio)
        *worst = (struct worst){ ratio, operation, a->name };
}

static void print(const struct array *a, const char *operation, const struct turns *t, int rounds, struct worst *worst)
{
    const double seconds = bench_spread(t->seconds, rounds).median;
    const struct bench_spread copy = bench_spread(t->to_copy, rounds);
    bool beside_numpy = true;
    for (int r = 0; r < rounds; r++)
        beside_numpy = beside_numpy && !isnan(t->to_numpy[r]);
    printf("  %-20s %8.2f %7.1f %6.2f %6.2f %6.2f", operation, seconds * 1e3, t->moved / seconds / 1e9, copy.median,
           copy.least, copy.most);
    if (beside_numpy)
        printf(" %6.2f", bench_spread(t->to_numpy, rounds).median);
    else
        printf(" %6s", "");
    printf("  %s\n", mw_transform_variant(t->transform));
    note_worst(&worst[strncmp(operation, "permute", 7) == 0 ? TRANSPOSITION : SINGLE], copy.median, operation, a);
    if (beside_numpy)
        note_worst(&worst[NUMPY], bench_spread(t->to_numpy, rounds).median, operation, a);
}

static void measure_array(struct mw_device *device, const struct array *a, struct mw_buffer *from, struct mw_buffer *to,
                          int rounds, struct worst *worst)
{
    static struct turns turns[OPERATIONS_MAX];
    double copies[BENCH_ROUNDS_MAX] = { 0 };
    const size_t cells = cells_of(a->dims, a->length);
    size_t count = 0;
    for (; count < OPERATIONS_MAX && a->operations[count]; count++)
        prepare(device, a, count, &turns[count], from, to);
    for (int r = 0; r < rounds; r++)
        for (size_t i = 0; i < count; i++) {
            struct turns *t = &turns[i];
            /* The first copy only brings caches and threads back from NumPy. */
            bench_copy_seconds(device, from, to, 4 * cells, 1);
            const double copy = bench_copy_seconds(device, from, to, 4 * cells, 1);
            t->seconds[r] = timed_run(device, t, from, to);
            t->to_copy[r] = t->moved / t->seconds[r] / (8 * (double)cells / copy);
            t->to_numpy[r] = numpy_seconds(a->dims, a->length, a->operations[i]) / t->seconds[r];
            copies[r] += copy / (double)count;
        }
    const double copy = bench_spread(copies, rounds).median;
    printf("  %-20s %8.2f %7.1f\n", "copy", copy * 1e3, 8 * (double)cells / copy / 1e9);
    for (size_t i = 0; i < count; i++) {
        print(a, a->operations[i], &turns[i], rounds, worst);
        mw_transform_free(turns[i].transform);
    }
}

static void print_worst(const char *what, const struct worst *worst)
{
    if (worst->operation)
        printf("; %s %.2f (%s of %s)", what, worst->ratio, worst->operation, worst->array);
}

static void measure(struct mw_device *device, int rounds)
{
    struct worst worst[WORSTS] = { { 0 } };
    struct mw_buffer *from, *to;
    size_t cells = 0;
    for (size_t i = 0; i < MW_COUNT(arrays); i++) {
        const size_t n = cells_of(arrays[i].dims, arrays[i].length);
        cells = n > cells ? n : cells;
    }
    const size_t room = cells + cells / 16;  /* for what pads */
    if (mw_buffer_new(device, 4 * cells, &from) != 0 || mw_buffer_new(device, 4 * room, &to) != 0 ||
        mw_buffer_fill(from, 0, 4 * cells, 1) != 0 || mw_buffer_fill(to, 0, 4 * room, 1) != 0)
        bench_die("buffers");
    for (size_t i = 0; i < MW_COUNT(arrays); i++) {
        printf("%s, %s\n  %-20s %8s %7s %6s %6s %6s %6s\n", mw_device_info(device)->id, arrays[i].name, "", "ms",
               "GB/s", "copy", "min", "max", "numpy");
        measure_array(device, &arrays[i], from, to, rounds, worst);
    }
    printf("%s: of copy at least %.2f (%s of %s)", mw_device_info(device)->id, worst[SINGLE].ratio,
           worst[SINGLE].operation, worst[SINGLE].array);
    print_worst("transposed", &worst[TRANSPOSITION]);
    print_worst("numpy at least", &worst[NUMPY]);
    printf("\n");
    mw_buffer_free(from);
    mw_buffer_free(to);
}

int main(int argc, char **argv)
{
    const int rounds = bench_rounds(argc, argv, 9);
    if (!python_start(&numpy, BENCH_DIR "/numpy-transform.py"))
        fprintf(stderr, "transform: no numpy for python3: its column stays empty\n");
    bench_each_device(argc, argv, measure, rounds);
    python_stop(&numpy);
    return 0;
}
