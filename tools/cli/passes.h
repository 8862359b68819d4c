/* Seconds of phases, and of repeated timed passes. */
#ifndef TOOLS_PASSES_H
#define TOOLS_PASSES_H

#include "base/base.h"
#include "tools/report/report.h"

/* A timed phase of computation.  The time of program builds within it is excluded. */
struct phase {
    double start, built;
};
struct phase phase_begin(void);
/* Returns the seconds since the beginning without builds, and adds the build seconds to `build`. */
double phase_end(const struct phase *phase, double *build);

/* Sorts values and returns the median. */
double reals_median(double *values, size_t n);

struct passes {
    double *seconds;
    size_t count;
};
int passes_new(size_t count, struct passes *passes);
/* Sorts the passes: the first is then the shortest, the last the longest.  Call it before the functions below. */
void passes_sort(struct passes *passes);
double passes_median(const struct passes *passes);
/* Returns the rate per second if a pass does `work`; 0: too short to measure. */
double passes_rate(const struct passes *passes, double work);
/* Puts "seconds", the median, and prints the range. */
void passes_report(const struct passes *passes, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
