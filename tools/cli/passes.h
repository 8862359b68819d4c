/* Seconds of phases, and of repeated timed passes. */
#ifndef TOOLS_PASSES_H
#define TOOLS_PASSES_H

#include "base/base.h"
#include "tools/cli/options.h"
#include "tools/report/report.h"

/* A timed phase of computation.  The time of program builds within it is excluded. */
struct phase {
    double start, built;
};
/* Begins a phase. */
struct phase phase_begin(void);
/* Returns the seconds since the beginning without builds, and adds the build seconds to `build`. */
double phase_end(const struct phase *phase, double *build);

/* Sorts values and returns the median. */
double reals_median(double *values, size_t n);

/* The seconds of each pass. */
struct passes {
    double *seconds;
    size_t count;
};
/* Allocates `count` passes. */
int passes_new(size_t count, struct passes *passes);
/* Sorts the passes: the first is then the shortest, the last the longest.  Call it before the functions below. */
void passes_sort(struct passes *passes);
/* Returns the median seconds of sorted passes. */
double passes_median(const struct passes *passes);
/* Returns the rate per second if a pass does `work`; 0: too short to measure. */
double passes_rate(const struct passes *passes, double work);
/* Puts "seconds", the median, and prints the range. */
void passes_report(const struct passes *passes, struct node *to);

/* ---- the common course of subcommands that compute in passes ---- */

/* The first member of a subcommand's struct. */
struct workflow {
    const struct command *command;
    double start, verify, output; /* when it began; seconds of phases */
};

/* The functions of a subcommand; `task` is its struct.  They return 0 or a status with its message set. */
struct workflow_kind {
    int (*prepare)(void *task); /* checks options, and reads the input */
    int (*plan)(void *task);    /* for --dry-run: prints the plan, and opens no device */
    int (*compute)(void *task); /* all passes */
    int (*verify)(void *task);  /* compares the result with a reference.  MW_EVERIFY. */
    int (*write)(void *task);   /* NULL: none */
    int (*report)(void *task);
    void (*free)(void *task); /* also called if a function failed */
};

/* Runs `prepare`, then `plan` for --dry-run, otherwise `compute`, `verify` (if requested), `write` and `report`; then
 * `free`. */
int workflow_run(void *task, const struct workflow_kind *kind, bool dry_run, bool verify);

#endif
/* SPDX-License-Identifier: MIT */
