#include "bench/common/bench.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 8

_Noreturn void bench_die(const char *what) { bench_wrong("%s: %s", what, mw_errmsg()); }

_Noreturn void bench_wrong(const char *format, ...)
{
    va_list args;
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    exit(1);
}

void bench_say(const struct bench *bench, const char *format, ...)
{
    va_list args;
    if (bench->lines)
        return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

/* ---- the command line ---- */

static _Noreturn void usage(const struct bench_setup *setup)
{
    fprintf(stderr, "usage: %s [-s] [-l]", program_invocation_short_name);
    for (const struct bench_option *o = setup->options; o && o->name; o++)
        fprintf(stderr, " [--%s %s]", o->name, o->what);
    fprintf(stderr, setup->own_devices ? " [ROUNDS]\n" : " [ROUNDS [DEVICE...]]\n");
    fprintf(stderr,
            "       -s, --small: sizes to try it by; -l, --lines: names and seconds, for machines; %d rounds "
            "unless given, at most %d\n",
            setup->rounds, BENCH_ROUNDS_MAX);
    exit(2);
}

static void read_options(int argc, char **argv, const struct bench_setup *setup, struct bench *bench)
{
    struct option options[OPTIONS_MAX] = { { "small", no_argument, NULL, 's' }, { "lines", no_argument, NULL, 'l' } };
    int found, at = 0;
    for (size_t i = 0; setup->options && setup->options[i].name && i < OPTIONS_MAX - 3; i++)
        options[2 + i] = (struct option){ setup->options[i].name, required_argument, NULL, 0 };
    while ((found = getopt_long(argc, argv, "+sl", options, &at)) != -1) {
        if (found == 's')
            bench->small = true;
        else if (found == 'l')
            bench->lines = true;
        else if (found == 0)
            *setup->options[at - 2].value = optarg;
        else
            usage(setup);
    }
}

/* Keeps freed memory, so that each round reuses the memory of the previous one.  Otherwise frees by a driver decide
 * whether large arrays get fresh pages, which can take longer than the computation on some devices. */
static void keep_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void bench_start(int argc, char **argv, const struct bench_setup *setup, struct bench *bench)
{
    *bench = (struct bench){ .rounds = setup->rounds };
    keep_memory();
    read_options(argc, argv, setup, bench);
    if (bench->lines) /* if the bench is interrupted, finished lines are out */
        (void)setvbuf(stdout, NULL, _IOLBF, 0);
    argv += optind;
    argc -= optind;
    if (argc > 0)
        bench->rounds = atoi(argv[0]);
    if (argc > 1) {
        bench->devices = argv + 1;
        bench->device_count = (size_t)argc - 1;
    }
    if (bench->rounds < 1 || bench->rounds > BENCH_ROUNDS_MAX || (setup->own_devices && bench->device_count))
        usage(setup);
    if (setup->script) {
        const char *folder = getenv("MESHWORK_BENCH_RIVALS");
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder ? folder : BENCH_RIVALS, setup->script);
        if (!python_start(&bench->python, path))
            fprintf(stderr, "%s: python3 lacks modules of bench/rivals/%s: no columns of other libraries\n",
                    program_invocation_short_name, setup->script);
    }
    mw_process_prepare(MW_PROCESS_ENVIRONMENT); /* PoCL uses the cores available to this process */
}

void bench_end(struct bench *bench)
{
    python_stop(&bench->python);
    if (fflush(stdout) != 0)
        bench_wrong("standard output: it could not be written");
}

/* ---- devices ---- */

bool bench_is_wanted(const char *list, const char *name)
{
    const size_t n = strlen(name);
    const char *at = list;
    while (at && (strncmp(at, name, n) != 0 || (at[n] != '\0' && at[n] != ',')))
        at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
    return at || !list;
}

static bool has_variant(mw_variant_table *table, const char *name)
{
    const struct mw_variant *v;
    for (size_t i = 0; table && (v = table(i)) != NULL; i++)
        if (strcmp(v->name, name) == 0)
            return true;
    return false;
}

void bench_check_variants(const char *list, mw_variant_table *const *tables, size_t count)
{
    char word[64];
    size_t n;
    for (const char *at = list; at; at = at[n] ? at + n + 1 : NULL) {
        bool known = false;
        n = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
        for (size_t t = 0; t < count && !known; t++)
            known = has_variant(tables[t], word);
        if (!known)
            bench_wrong("--variant: unknown variant '%s'", word);
    }
}

struct mw_device *bench_open(const char *name, const struct mw_device_options *options)
{
    struct mw_device *device;
    if (mw_device_open_by_name(name, options, &device) != 0)
        bench_die(name);
    return device;
}

/* Calls `take` with the name of each device. */
static size_t each_name(const struct bench *bench, void (*take)(void *context, const char *name), void *context)
{
    struct mw_device_list *list;
    size_t count = bench->device_count;
    if (count == 0) {
        if (mw_device_list_new(&list) != 0)
            bench_die("devices");
        count = mw_device_list_count(list);
        for (size_t i = 0; i < count; i++)
            take(context, mw_device_list_info(list, i)->id);
        mw_device_list_free(list);
    } else {
        for (size_t i = 0; i < count; i++)
            take(context, bench->devices[i]);
    }
    return count;
}

struct all {
    struct mw_device **devices;
    size_t count;
};

static void open_one_more(void *context, const char *name)
{
    struct all *all = context;
    struct mw_device **more = realloc(all->devices, (all->count + 1) * sizeof *more);
    if (!more)
        bench_wrong("out of memory for %zu devices", all->count + 1);
    all->devices = more;
    all->devices[all->count++] = bench_open(name, NULL);
}

size_t bench_open_all(const struct bench *bench, struct mw_device ***devices)
{
    struct all all = { 0 };
    each_name(bench, open_one_more, &all);
    *devices = all.devices;
    return all.count;
}

struct one {
    struct bench *bench;
    void (*measure)(struct bench *bench, struct mw_device *device);
};

static void measure_one(void *context, const char *name)
{
    struct one *one = context;
    struct mw_device *device = bench_open(name, NULL);
    one->measure(one->bench, device);
    mw_device_close(device);
    fflush(stdout);
}

void bench_each_device(struct bench *bench, void (*measure)(struct bench *bench, struct mw_device *device))
{
    struct one one = { bench, measure };
    each_name(bench, measure_one, &one);
}
/* SPDX-License-Identifier: MIT */
