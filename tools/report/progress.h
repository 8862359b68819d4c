/* How far a run is, on standard error. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/* `cells` are those of a step, and `unit` that of their rate, as in "cell-steps/s"; 0, NULL: parts of any kind. */
void progress_start(const char *what, double cells, const char *unit);
/* So many parts of all are done: for mw_progress_to, without context; 0. */
int progress_show(void *context, uint64_t done, uint64_t all);
/* The run that starts is one of several, of which so many are over. */
void progress_several(uint64_t over, uint64_t all);
/* Of others still: this part of the whole, and words of it. */
void progress_part(double part, const char *words);
void progress_end(void);

#endif
/* SPDX-License-Identifier: MIT */
