/* Signals: the first one stops the time loop cleanly, a second one ends the process. */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

#include <stdbool.h>

/* From now on a signal removes temporary files and ends the process with 128 + its number. */
void signals_start(void);
/* From now on a signal ends the process with 5 and a message.  Call it before setting up a time loop. */
void signals_before_loop(void);
/* Call it when the loop begins: the first signal stops the loop, a second one ends the process.  Warnings of schedulers
 * (SIGUSR1, SIGUSR2, SIGXCPU) only stop the loop, even if repeated. */
void signals_stop_loop(void);
bool signals_stopped(void);
/* Enclose a loop that waits for devices; time_limit in seconds, 0: none.  If the loop is still running one second after
 * a signal or the limit, a message reports it, and the next signal ends the process. */
void signals_wait_begin(double time_limit);
void signals_wait_end(void);

#endif
/* SPDX-License-Identifier: MIT */
