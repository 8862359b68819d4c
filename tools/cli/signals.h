/* Signals: a first one stops the time loop in good order, a second one ends the process. */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

#include <stdbool.h>

/* From now on a signal removes temporary files and ends the process with 128 + its number. */
void signals_start(void);
/* From now on it ends with 5 instead, and a line: a time loop is to come that a signal stops. */
void signals_before_loop(void);
/* The loop begins: the first signal asks it to stop, and only a second one ends the process.  Those that a scheduler
 * sends before it ends a job (SIGUSR1, SIGUSR2, SIGXCPU) do no more than ask, however often they come. */
void signals_stop_loop(void);
bool signals_stopped(void);
/* Around a loop that waits for devices, with its time limit in seconds, 0 for none: where it has not stopped a second
 * after a signal or the limit, a line says that it waits for the device, and the next signal ends the process. */
void signals_wait_begin(double time_limit);
void signals_wait_end(void);

#endif
/* SPDX-License-Identifier: MIT */
