/* Signals: the first one stops the time loop cleanly, a second one ends the process. */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

#include <stdbool.h>

/* Installs handlers: from now on a signal removes temporary files and ends the process with 128 + its number. */
void signals_start(void);
/* Changes the handlers before a time loop is set up: a signal ends the process with exit code 5 and a message. */
void signals_before_loop(void);
/* Changes the handlers when a time loop begins: the first signal stops the loop, a second one ends the process.
 * Warnings of schedulers (SIGUSR1, SIGUSR2, SIGXCPU) only stop the loop, even if repeated. */
void signals_stop_loop(void);
/* Returns whether a signal has stopped the loop. */
bool signals_stopped(void);
/* Begins a loop that waits for devices; time_limit in seconds, 0: none.  If the loop is still running one second after
 * a signal or the limit, a message reports it, and the next signal ends the process. */
void signals_wait_begin(double time_limit);
/* Ends a loop that waits for devices. */
void signals_wait_end(void);

#endif
/* SPDX-License-Identifier: MIT */
