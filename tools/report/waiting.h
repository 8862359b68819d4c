/* Messages about long waits. */
#ifndef TOOLS_WAITING_H
#define TOOLS_WAITING_H

/* Begins a wait of the calling thread for `what`; a message reports it if it takes long.  Waits may be nested. */
void waiting_begin(const char *what);
/* Ends the wait of the calling thread that was begun last. */
void waiting_end(void);
/* Stops the messages before the process ends. */
void waiting_stop(void);

#endif
/* SPDX-License-Identifier: MIT */
