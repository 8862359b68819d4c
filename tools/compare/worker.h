/* Runs of the command, each in the process that does all of a device's: so drivers start once, and one that crashes
 * ends a run and not the comparison. */
#ifndef TOOLS_WORKER_H
#define TOOLS_WORKER_H

#include "tools/cli/text.h"

#define WORKER_MARK '\x1e'       /* around the end of a run, in what a worker prints */

/* What became of a run.  Freed by outcome_free, also after a failure. */
struct outcome {
    int code;                    /* exit code; -1: it was ended */
    char *out, *reason;          /* standard output; why it failed, or how it ended */
    double seconds;              /* from start to end */
};
void outcome_free(struct outcome *outcome);

struct worker;
struct workers { struct worker **item; size_t count; };
/* Runs the command with arguments that end with NULL, for `limit` seconds at most, in the worker of that name, which is
 * started where there is none.  Errors: MW_EIO (it cannot be started), MW_ENOMEM. */
int workers_run(struct workers *workers, const char *name, const char *const *arguments, double limit,
                struct outcome *outcome);
void workers_end(struct workers *workers);

#endif
/* SPDX-License-Identifier: MIT */
