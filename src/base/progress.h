/* Reports of progress to the function of mw_progress_to.  Internal. */
#ifndef MW_PROGRESS_H
#define MW_PROGRESS_H

#include "base/base.h"

struct mw_listener;

/* Reports to the thread's listener that `done` of `all` parts (not 0) of a call are done.  Reports at most ten times a
 * second, and always at the end.  MW_ESTOPPED: the listener requested a stop, which is ignored after the last part. */
int mw_progress(uint64_t done, uint64_t all);
/* Repeats the last report, between parts that take long. */
int mw_progress_look(void);
/* Returns whether the thread has a listener. */
bool mw_progress_wanted(void);

/* Removes and returns the thread's listener (NULL: none), so that calls report nothing until it is given back.  For
 * calls that consist of other calls and report by mw_progress_tell themselves. */
struct mw_listener *mw_progress_take(void);
void mw_progress_give(struct mw_listener *listener);
int mw_progress_tell(struct mw_listener *listener, uint64_t done, uint64_t all);

/* For calls with helping threads.  The caller's thread calls `begin` and gives its listener to its helpers.  Their
 * reports are stored, and the caller passes them on by `pass`, since only its thread may call the function.  A stop
 * reaches the helpers at their next report. */
struct mw_listener *mw_progress_begin(void);
void mw_progress_pass(struct mw_listener *listener);

/* Returns the steps of the next batch, for about 50 ms, after n steps took so many seconds. */
uint64_t mw_progress_batch(uint64_t batch, uint64_t n, double seconds);
/* Advances `what` by one call of `advance`, or, if there is a listener, by batches that `sync` waits for.
 * MW_ESTOPPED: stopped after a whole number of steps. */
int mw_progress_steps(void *what, uint64_t steps, int (*advance)(void *what, uint64_t steps), int (*sync)(void *what));

#endif
/* SPDX-License-Identifier: MIT */
