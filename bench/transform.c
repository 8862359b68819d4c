/* Layout transforms beside a plain copy of the same device, in one run.
 *
 *   bench/transform [ROUNDS [DEVICE...]]          (9 rounds, all devices)
 *
 * In each round every operation and the copy take turns; "copy" is the median over the rounds of the operation's bandwidth
 * as a fraction of the copy's in the same round.  Elements of 4 bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork.h>

#include "base/base.h"

#define ROUNDS_MAX 99
#define OPERATIONS_MAX 16

static const struct array { const char *name; unsigned dims; size_t length[3]; const char *operations[OPERATIONS_MAX]; }
arrays[] = {
    { "4096 x 4096", 2, { 4096, 4096 },
      { "flip=0", "flip=1", "flip=0,1", "shift=3,-1", "shift=1000,0", "crinkle=0:2", "crinkle=0:8", "crinkle=0:64",
        "crinkle=1:2", "uncrinkle=0:2", "uncrinkle=0:8", "permute=1,0", "pad=0:1:3", "crop=1:5:4000" } },
    { "4095 x 4097", 2, { 4095, 4097 },
      { "flip=0", "flip=1", "shift=3,-1", "crinkle=0:3", "crinkle=0:2", "uncrinkle=0:3", "permute=1,0" } },
    { "256 x 256 x 256", 3, { 256, 256, 256 },
      { "flip=0", "flip=2", "flip=0,1,2", "shift=3,-1,7", "crinkle=0:2", "uncrinkle=0:2", "crinkle=0:2,1:2,2:2",
        "permute=1,0,2", "permute=2,1,0", "permute=0,2,1", "permute=1,2,0" } },
};

static void die(const char *what)
{
    fprintf(stderr, "transform: %s: %s\n", what, mw_errmsg());
    exit(1);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static double timed_copy(struct mw_device *device, struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    const double start = mw_now();
    if (mw_buffer_copy(from, 0, to, 0, bytes, NULL) != 0 || mw_device_finish(device) != 0)
        die("copy");
    return mw_now() - start;
}

static double timed_run(struct mw_device *device, struct mw_transform *t, struct mw_buffer *from, struct mw_buffer *to)
{
    const double start = mw_now();
    if (mw_transform_run(t, from, to, NULL) != 0 || mw_device_finish(device) != 0)
        die("run");
    return mw_now() - start;
}

static size_t cells_of(const struct mw_map *map)
{
    size_t length[MW_DIMS_MAX], n = 1;
    unsigned dims;
    mw_map_lengths(map, &dims, length);
    for (unsigned d = 0; d < dims; d++)
        n *= length[d];
    return n;
}

static void measure(struct mw_device *device, const struct array *a, int rounds)
{
    struct mw_transform *transform[OPERATIONS_MAX] = { NULL };
    double seconds[OPERATIONS_MAX][ROUNDS_MAX], ratio[OPERATIONS_MAX][ROUNDS_MAX], copies[ROUNDS_MAX];
    size_t moved[OPERATIONS_MAX], cells = 1, count = 0;
    struct mw_buffer *from, *to;
    for (unsigned d = 0; d < a->dims; d++)
        cells *= a->length[d];
    if (mw_buffer_new(device, 4 * cells, &from) != 0 || mw_buffer_new(device, 4 * cells + (cells >> 4), &to) != 0 ||
        mw_buffer_fill(from, 0, 4 * cells, 1) != 0 || mw_buffer_fill(to, 0, 4 * cells, 1) != 0)
        die("buffers");
    for (; count < OPERATIONS_MAX && a->operations[count]; count++) {
        struct mw_map *map;
        if (mw_map_new(a->dims, a->length, &map) != 0 || mw_map_parse(map, a->operations[count]) != 0 ||
            mw_transform_new(device, map, 4, NULL, &transform[count]) != 0)
            die(a->operations[count]);
        moved[count] = 8 * cells_of(map);
        mw_map_free(map);
        timed_run(device, transform[count], from, to);
    }
    for (int r = 0; r < rounds; r++) {
        copies[r] = timed_copy(device, from, to, 4 * cells);
        for (size_t i = 0; i < count; i++) {
            seconds[i][r] = timed_run(device, transform[i], from, to);
            ratio[i][r] = (double)moved[i] / seconds[i][r] / (8 * (double)cells / copies[r]);
        }
    }
    const double copy = median(copies, rounds);
    printf("  %-26s %9.2f %8.1f %7.2f\n", "copy", copy * 1e3, 8 * (double)cells / copy / 1e9, 1.0);
    for (size_t i = 0; i < count; i++) {
        const double s = median(seconds[i], rounds);
        printf("  %-26s %9.2f %8.1f %7.2f  %s\n", a->operations[i], s * 1e3, (double)moved[i] / s / 1e9,
               median(ratio[i], rounds), mw_transform_variant(transform[i]));
        mw_transform_free(transform[i]);
    }
    mw_buffer_free(from);
    mw_buffer_free(to);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 9;
    struct mw_device_list *list;
    if (rounds < 1 || rounds > ROUNDS_MAX)
        return fprintf(stderr, "usage: transform [ROUNDS [DEVICE...]]\n"), 2;
    if (mw_device_list_new(&list) != 0)
        die("devices");
    const size_t devices = argc > 2 ? (size_t)argc - 2 : mw_device_list_count(list);
    for (size_t i = 0; i < devices; i++) {
        const char *name = argc > 2 ? argv[i + 2] : mw_device_list_info(list, i)->id;
        struct mw_device *device;
        if (mw_device_open_by_name(name, NULL, &device) != 0)
            die(name);
        for (size_t a = 0; a < MW_COUNT(arrays); a++) {
            printf("%s, %s\n  %-26s %9s %8s %7s\n", mw_device_info(device)->id, arrays[a].name, "", "ms", "GB/s",
                   "copy");
            measure(device, &arrays[a], rounds);
        }
        mw_device_close(device);
    }
    mw_device_list_free(list);
    return 0;
}
