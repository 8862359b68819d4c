/* Seconds of passes that are timed one after the other. */
#ifndef TOOLS_PASSES_H
#define TOOLS_PASSES_H

#include "tools/cli/base.h"
#include "tools/report/report.h"

struct passes { double *seconds; size_t count; };
int passes_new(size_t count, struct passes *passes);
/* To be called once all are there: from then on the first is the shortest and the last the longest. */
void passes_sort(struct passes *passes);
double passes_median(const struct passes *passes);
/* Puts "seconds", the median, and says where it lies. */
void passes_say(const struct passes *passes, struct node *to);

#endif
