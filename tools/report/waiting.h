/* What the command waits for, said where that takes long. */
#ifndef TOOLS_WAITING_H
#define TOOLS_WAITING_H

/* From now on the calling thread waits for that; the end of the last wait that has begun. */
void waiting_begin(const char *what);
void waiting_end(void);
/* Before the process ends. */
void waiting_stop(void);

#endif
/* SPDX-License-Identifier: MIT */
