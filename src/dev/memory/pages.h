/* Pages of the host's memory, which the system gives at first use.  Internal. */
#ifndef MW_PAGES_H
#define MW_PAGES_H

#include "dev/core/backend.h"

/* Threads that touch each page of fresh memory, so that the system allocates it. Its contents are lost. */
struct mw_pages;
/* Starts touching memory that a large transfer from the device will fill, by half of the cores. Returns NULL if that is
 * not faster, or out of memory. */
struct mw_pages *mw_pages_begin(struct mw_device *device, void *memory, size_t bytes);
/* Starts touching memory by this number of threads, at most eight. Returns NULL out of memory. */
struct mw_pages *mw_pages_begin_by(size_t threads, void *memory, size_t bytes);
/* Waits for the threads and frees them.  Accepts NULL. */
void mw_pages_end(struct mw_pages *pages);

#endif
/* SPDX-License-Identifier: MIT */
