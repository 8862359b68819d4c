/* Reports of progress to the function of mw_progress_to.  Internal. */
#ifndef MW_PROGRESS_H
#define MW_PROGRESS_H

#include "base/base.h"

/* The function that a thread has set by mw_progress_to, with the state of its reports. */
struct mw_listener;

/* Reports to the thread's listener that `done` of `all` parts (not 0) of a call are done.  Reports at most ten times a
 * second, and always at the end.  MW_ESTOPPED: the listener requested a stop, which is ignored after the last part. */
int mw_progress(uint64_t done, uint64_t all);
/* Repeats the last report, between parts that take long. MW_ESTOPPED: the listener requested a stop. */
int mw_progress_look(void);
/* Returns whether the thread has a listener. */
bool mw_progress_wanted(void);

/* Removes and returns the thread's listener (NULL: none), so that calls report nothing until it is given back.  For
 * calls that consist of other calls and report by mw_progress_tell themselves. */
struct mw_listener *mw_progress_take(void);
/* Sets the thread's listener (NULL: none): its own again, or in a helping thread that of the caller. */
void mw_progress_give(struct mw_listener *listener);
/* Reports to this listener as mw_progress does. From a helping thread it only stores the report for mw_progress_pass,
 * and returns MW_ESTOPPED after a stop. NULL: does nothing. */
int mw_progress_tell(struct mw_listener *listener, uint64_t done, uint64_t all);

/* Returns the thread's listener (NULL: none) for helping threads, which set it by mw_progress_give. Only the caller's
 * thread may call the function, so that it passes on their reports. */
struct mw_listener *mw_progress_begin(void);
/* Passes the stored reports of helping threads to the function. If that requests a stop, they get it at their next
 * report. The listener must not be NULL. */
void mw_progress_pass(struct mw_listener *listener);

/* Returns the number of steps that take about 50 ms, judged by n steps that took `seconds`: at least 1, and at most
 * four times `batch`, the size of the last batch. */
uint64_t mw_progress_batch(uint64_t batch, uint64_t n, double seconds);
/* Advances `what` by one call of `advance`, or, if there is a listener, by batches that `sync` waits for.
 * MW_ESTOPPED: stopped after a whole number of steps. */
int mw_progress_steps(void *what, uint64_t steps, int (*advance)(void *what, uint64_t steps), int (*sync)(void *what));

#endif
/* SPDX-License-Identifier: MIT */
