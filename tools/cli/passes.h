/* Seconds of phases, and of passes that are timed one after the other. */
#ifndef TOOLS_PASSES_H
#define TOOLS_PASSES_H

#include "base/base.h"
#include "tools/report/report.h"

/* A phase of computing, in the course of which programs may be built: that is no part of its seconds. */
struct phase { double start, built; };
struct phase phase_begin(void);
/* Its seconds so far; those of building are added to `build`. */
double phase_end(const struct phase *phase, double *build);

/* Sorts numbers; their median. */
double reals_median(double *values, size_t n);

struct passes { double *seconds; size_t count; };
int passes_new(size_t count, struct passes *passes);
/* To be called once all are there: from then on the first is the shortest and the last the longest. */
void passes_sort(struct passes *passes);
double passes_median(const struct passes *passes);
/* What is done a second, of which a pass does `work`; 0 where that cannot be told. */
double passes_rate(const struct passes *passes, double work);
/* Puts "seconds", the median, and says where it lies. */
void passes_say(const struct passes *passes, struct node *to);

#endif
/* SPDX-License-Identifier: MIT */
