/* Progress of a run on standard error: the completed part, the rate and the remaining time. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/* Begins to show progress of `what`.  cells: cells per step; unit: unit of their rate, as in "cell-steps/s".  0 and
 * NULL: no rate is shown. */
void progress_start(const char *what, double cells, const char *unit);
/* Shows that `done` parts of `all` are done; for mw_progress_to, without context. Returns 0. */
int progress_show(void *context, uint64_t done, uint64_t all);
/* Sets that the next progress is that of one of `all` runs, after `over` complete ones. */
void progress_several(uint64_t over, uint64_t all);
/* Shows the completed part, 0 to 1, with `words` instead of the rate. */
void progress_part(double part, const char *words);
/* Ends the progress and erases its line. */
void progress_end(void);

#endif
/* SPDX-License-Identifier: MIT */
