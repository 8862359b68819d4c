/* Progress of a run on standard error: the completed part, the rate and the remaining time. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/* Begins to show progress. `cells` is the number per step, and `unit` the unit of their rate, as in "cell-steps/s"; 0,
 * NULL: parts of any kind. */
void progress_start(const char *what, double cells, const char *unit);
/* Shows that `done` parts of `all` are done; for mw_progress_to, without context. Returns 0. */
int progress_show(void *context, uint64_t done, uint64_t all);
/* Announces that the next run is one of `all` runs, of which `over` are complete. */
void progress_several(uint64_t over, uint64_t all);
/* Shows this part of the whole, with other words. */
void progress_part(double part, const char *words);
void progress_end(void);

#endif
/* SPDX-License-Identifier: MIT */
