/* Messages about long waits. */
#ifndef TOOLS_WAITING_H
#define TOOLS_WAITING_H

/* Begin and end a wait of the calling thread; waits may be nested. */
void waiting_begin(const char *what);
void waiting_end(void);
/* Stops the messages before the process ends. */
void waiting_stop(void);

#endif
/* SPDX-License-Identifier: MIT */
