/* Executes commands in one process per device: drivers start once, and a crash ends a run, not the comparison. */
#ifndef TOOLS_WORKER_H
#define TOOLS_WORKER_H

#include "tools/cli/text.h"

#define WORKER_MARK '\x1e' /* marks around the status in a worker's output */

/* Outcome of a run.  Free it with outcome_free, also after a failure. */
struct outcome {
    int code;           /* exit code; -1: killed */
    char *out, *reason; /* standard output; the reason of a failure or of its end */
    double seconds;     /* from start to end */
};
void outcome_free(struct outcome *outcome);

struct worker;
struct workers {
    struct worker **item;
    size_t count;
    bool keep; /* devices stay open between runs: whole runs then exclude opening devices and loading programs */
};
/* Runs the command with NULL-terminated arguments for at most `limit` seconds in the worker `name`; starts it if
 * needed.  Errors: MW_EIO (cannot start), MW_ENOMEM. */
int workers_run(struct workers *workers, const char *name, const char *const *arguments, double limit,
                struct outcome *outcome);
void workers_end(struct workers *workers);

#endif
/* SPDX-License-Identifier: MIT */
