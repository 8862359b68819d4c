/* Signals: a first one stops the time loop in good order, a second one ends the process. */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

#include <stdbool.h>

/* From now on a signal removes temporary files and ends the process with 128 + its number. */
void signals_start(void);
/* While `loop` is true, the first SIGINT or SIGTERM asks the time loop to stop instead. */
void signals_stop_loop(bool loop);
bool signals_stopped(void);

#endif
/* SPDX-License-Identifier: MIT */
