/* The time loop that every simulation shares: outputs on schedule, progress, stopping. */
#ifndef MESHWORK_RUN_H
#define MESHWORK_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <meshwork/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a simulation gives the loop.  `advance` queues steps and may return before they are done; `sync` waits. */
struct mw_run_simulation {
    void *context;
    int (*advance)(void *context, uint64_t steps);
    int (*sync)(void *context);
    /* Called in sync at step 0, at every multiple of `every` and at the end; writes what the user asked for. */
    int (*observe)(void *context, uint64_t step);
};

struct mw_run_progress {
    uint64_t step, steps;
    double seconds;              /* since the loop started */
    double steps_per_second;     /* of the recent past, observing included */
    double seconds_left;
};

struct mw_run_options {
    uint64_t steps;
    uint64_t every;              /* 0: observe only at the start and the end */
    double time_limit;           /* seconds, 0: none */
    /* Called about ten times a second and at the end; may be NULL. */
    void (*progress)(void *context, const struct mw_run_progress *progress);
    void *progress_context;
};

struct mw_run_result {
    uint64_t steps;              /* done */
    double seconds;              /* of computing: without observing */
    double first_step_seconds;   /* from the loop's start until the first step was complete */
};

/* Runs the loop.  Between two looks at the clock, steps are queued for about 50 ms.  Returns 0, MW_ESTOPPED when a stop
 * was asked for or the time limit was reached (*result says how far it came, and the last state was observed), or the
 * simulation's error. */
MW_API int mw_run(const struct mw_run_simulation *simulation, const struct mw_run_options *options,
                  struct mw_run_result *result);
/* Asks all loops of the process to stop at the next opportunity.  A request that finds no loop running, or one that is
 * already complete, stops the next one as soon as it has observed step 0.  Async-signal-safe. */
MW_API void mw_run_stop(void);

#ifdef __cplusplus
}
#endif
#endif
