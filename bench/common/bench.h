/* What every bench begins with: what it is asked for, on which devices, beside whom.  All benches take
 *
 *   bench/NAME [-s] [-l] [--OPTION VALUE...] [ROUNDS [DEVICE...]]
 *
 *   -s, --small    sizes by which a bench is tried, not measured
 *   -l, --lines    for machines: of each contender its name, a tab and the median of its seconds, and nothing else */
#ifndef BENCH_H
#define BENCH_H

#include <meshwork.h>

#include "base/base.h"
#include "tests/python.h"

#define BENCH_ROUNDS_MAX 99

/* An option of one bench alone, --NAME WHAT; `value` stays as it is unless it is given. */
struct bench_option { const char *name, *what; const char **value; };

struct bench_setup {
    int rounds;                          /* unless given */
    bool own_devices;                    /* takes none */
    const char *script;                  /* in bench/rivals, that has other libraries' turns; NULL: none */
    const struct bench_option *options;  /* ended by a NULL name; may be NULL */
};

/* What is asked for. */
struct bench {
    int rounds;
    bool small, lines;
    char **devices;                      /* names; none: all */
    size_t device_count;
    struct python python;                /* running `script`, where it can */
};

/* Reads the command line, starts the script and makes this process ready for drivers; ends the bench where it is asked
 * for what it does not know. */
void bench_start(int argc, char **argv, const struct bench_setup *setup, struct bench *bench);
void bench_end(struct bench *bench);

/* Says what failed and why, and ends the bench. */
_Noreturn void bench_die(const char *what);
/* The same for a result that is wrong. */
_Noreturn void bench_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints for people. */
void bench_say(const struct bench *bench, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether a list of names divided by commas has this one; NULL has all. */
bool bench_is_wanted(const char *list, const char *name);
/* Ends the bench where --variant has a name that none of these tables has. */
void bench_check_variants(const char *list, mw_variant_table *const *tables, size_t count);

/* The devices that are asked for, opened all at once, or one behind the other. */
struct mw_device *bench_open(const char *name, const struct mw_device_options *options);
size_t bench_open_all(const struct bench *bench, struct mw_device ***devices);
void bench_each_device(struct bench *bench, void (*measure)(struct bench *bench, struct mw_device *device));

#endif
/* SPDX-License-Identifier: MIT */
