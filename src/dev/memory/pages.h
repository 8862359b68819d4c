/* Pages of the host's memory, which the system gives at first use.  Internal. */
#ifndef MW_PAGES_H
#define MW_PAGES_H

#include "dev/core/backend.h"

/* Threads that use fresh memory for the first time while others do something else; what is in it is lost. */
struct mw_pages;
/* Prepares memory that one large transfer will fill; NULL if that is not faster, or without memory. */
struct mw_pages *mw_pages_begin(struct mw_device *device, void *memory, size_t bytes);
/* By so many threads, eight at most. */
struct mw_pages *mw_pages_begin_by(size_t threads, void *memory, size_t bytes);
/* Waits for them.  NULL is legal. */
void mw_pages_end(struct mw_pages *pages);

#endif
/* SPDX-License-Identifier: MIT */
