/* How far calls are, for the function of mw_progress_to.  Internal. */
#ifndef MW_PROGRESS_H
#define MW_PROGRESS_H

#include "base/base.h"

struct mw_listener;

/* Tells the thread's listener, at most ten times a second, that `done` parts of a call's `all` (not 0) are done, and
 * at the end in any case.  MW_ESTOPPED: it asks for an end, which it cannot when all is done. */
int mw_progress(uint64_t done, uint64_t all);
/* The same without news: between parts that take long. */
int mw_progress_look(void);
bool mw_progress_wanted(void);

/* Takes the listener away, NULL if there is none: calls of this thread tell nothing until it is given back.  For calls
 * that consist of others, and tell the listener themselves. */
struct mw_listener *mw_progress_take(void);
void mw_progress_give(struct mw_listener *listener);
int mw_progress_tell(struct mw_listener *listener, uint64_t done, uint64_t all);

/* Several threads: `begin` in the caller's, which gives its listener to those that help it.  What they tell, the caller
 * passes on by `pass`, as its thread alone calls the listener.  They learn at their next word if it asks for an end. */
struct mw_listener *mw_progress_begin(void);
void mw_progress_pass(struct mw_listener *listener);

/* Does steps of `what`: in one call of `advance`, or, if there is a listener, in several of some 50 ms that are waited
 * for by `sync`.  MW_ESTOPPED: after a whole number of steps. */
int mw_progress_steps(void *what, uint64_t steps, int (*advance)(void *what, uint64_t steps), int (*sync)(void *what));

#endif
/* SPDX-License-Identifier: MIT */
