/* Common parts of all benches: command line, devices, and scripts of other libraries.  All benches take
 *
 *   bench/NAME [-s] [-l] [--OPTION VALUE...] [ROUNDS [DEVICE...]]
 *
 *   -s, --small    small sizes, to test the bench
 *   -l, --lines    machine-readable output only: per contender its name, a tab, and the median of its seconds */
#ifndef BENCH_H
#define BENCH_H

#include <meshwork.h>

#include "base/base.h"
#include "tests/python.h"

#define BENCH_ROUNDS_MAX 99

/* An option --NAME WHAT of a single bench; `value` keeps its value if it is not given. */
struct bench_option {
    const char *name, *what;
    const char **value;
};

struct bench_setup {
    int rounds;                         /* default */
    bool own_devices;                   /* does not take devices */
    const char *script;                 /* script in bench/rivals with turns of other libraries; NULL: none */
    const struct bench_option *options; /* ends with a NULL name; may be NULL */
};

/* The parsed command line. */
struct bench {
    int rounds;
    bool small, lines;
    char **devices; /* names; none: all */
    size_t device_count;
    struct python python; /* runs `script` if possible */
};

/* Reads the command line, starts the script, and prepares this process for drivers.  Exits if an argument is
 * unknown. */
void bench_start(int argc, char **argv, const struct bench_setup *setup, struct bench *bench);
void bench_end(struct bench *bench);

/* Prints the failure and its reason, and exits. */
_Noreturn void bench_die(const char *what);
/* Prints a wrong result, and exits. */
_Noreturn void bench_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints text for people. */
void bench_say(const struct bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether a comma-separated list contains a name; NULL contains all. */
bool bench_is_wanted(const char *list, const char *name);
/* Exits if --variant has a name that is in none of these tables. */
void bench_check_variants(const char *list, mw_variant_table *const *tables, size_t count);

/* Opens a device by its name; exits on failure. */
struct mw_device *bench_open(const char *name, const struct mw_device_options *options);
/* Opens all requested devices, and returns their number. */
size_t bench_open_all(const struct bench *bench, struct mw_device ***devices);
/* Opens the requested devices one after the other, and calls `measure` for each. */
void bench_each_device(struct bench *bench, void (*measure)(struct bench *bench, struct mw_device *device));

#endif
/* SPDX-License-Identifier: MIT */
