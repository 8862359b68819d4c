#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/lattice_internal.h"

_Noreturn void bench_die(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, mw_errmsg());
    exit(1);
}

int bench_rounds(int argc, char **argv, int otherwise)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : otherwise;
    if (rounds < 1 || rounds > BENCH_ROUNDS_MAX) {
        fprintf(stderr, "usage: %s [ROUNDS [DEVICE...]], at most %d rounds\n", program_invocation_short_name,
                BENCH_ROUNDS_MAX);
        exit(2);
    }
    return rounds;
}

void bench_each_device(int argc, char **argv, void (*measure)(struct mw_device *device, int rounds), int rounds)
{
    struct mw_device_list *list;
    mw_process_prepare(MW_PROCESS_ENVIRONMENT);  /* PoCL on the cores that this process may use */
    if (mw_device_list_new(&list) != 0)
        bench_die("devices");
    const size_t count = argc > 2 ? (size_t)argc - 2 : mw_device_list_count(list);
    for (size_t i = 0; i < count; i++) {
        const char *name = argc > 2 ? argv[i + 2] : mw_device_list_info(list, i)->id;
        struct mw_device *device;
        if (mw_device_open_by_name(name, NULL, &device) != 0)
            bench_die(name);
        measure(device, rounds);
        mw_device_close(device);
        fflush(stdout);
    }
    mw_device_list_free(list);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_spread bench_spread(const double *values, int n)
{
    double sorted[BENCH_ROUNDS_MAX];
    memcpy(sorted, values, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    return (struct bench_spread){ sorted[n / 2], sorted[0], sorted[n - 1] };
}

double bench_median_ratio(const double *a, const double *b, int n)
{
    double ratio[BENCH_ROUNDS_MAX];
    for (int i = 0; i < n; i++)
        ratio[i] = a[i] / b[i];
    return bench_spread(ratio, n).median;
}

double bench_copy_seconds(struct mw_device *device, struct mw_buffer *from, struct mw_buffer *to, size_t bytes,
                          int passes)
{
    const double start = mw_now();
    for (int i = 0; i < passes; i++) {
        struct mw_event *done;           /* asked for, or the call would wait */
        if (mw_buffer_copy(from, 0, to, 0, bytes, &done) != 0)
            bench_die(mw_device_info(device)->id);
        mw_event_free(done);
    }
    if (mw_device_finish(device) != 0)
        bench_die(mw_device_info(device)->id);
    return mw_now() - start;
}

double bench_launch_seconds(struct mw_device *device, struct mw_kernel *kernel, const struct mw_range *range,
                            const struct mw_arg *args, size_t arg_count, int passes)
{
    const double start = mw_now();
    for (int i = 0; i < passes; i++)
        if (mw_launch(kernel, range, args, arg_count, NULL) != 0)
            bench_die(mw_device_info(device)->id);
    if (mw_device_finish(device) != 0)
        bench_die(mw_device_info(device)->id);
    return mw_now() - start;
}

struct mw_program *bench_lattice_program(struct mw_device *device, const struct mw_lattice *lattice,
                                         const char *defines, const char *text,
                                         const struct mw_native_kernel *native)
{
    const struct mw_source_text file = { .name = "bench.cl", .text = text };
    struct mw_text all = { 0 };
    struct mw_program *program;
    if (mw_lattice_macros(lattice, &all) != 0)
        bench_die("lattice");
    mw_text_add(&all, "%s", defines);
    if (mw_text_ok(&all) != 0)
        bench_die("lattice");
    const struct mw_source source = { .file = file.name, .defines = all.data, .texts = &file, .text_count = 1,
                                      .native = native };
    if (mw_program_new(device, &source, &program) != 0)
        bench_die(mw_device_info(device)->id);
    mw_text_free(&all);
    return program;
}
