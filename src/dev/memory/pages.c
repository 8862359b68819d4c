/* Pages of the host's memory.  The system takes about as long to allocate pages as a transfer takes to fill them.  They
 * are therefore requested while the device still computes the data. */
#include "dev/memory/pages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "dev/host/host.h"
#include "dev/memory/pieces.h"

enum { THREADS_MOST = 8, PAGE = 4096 /* the smallest that there are */, PIECE = 1 << 20 };

struct mw_pages {
    char *memory;
    size_t bytes;
    atomic_size_t next; /* piece */
    size_t count;
    pthread_t thread[THREADS_MOST];
};

static void *touch(void *argument)
{
    struct mw_pages *pages = argument;
    size_t at;
    while ((at = atomic_fetch_add(&pages->next, 1) * PIECE) < pages->bytes) {
        const size_t end = pages->bytes - at < PIECE ? pages->bytes : at + PIECE;
        for (; at < end; at += PAGE)
            *(volatile char *)(pages->memory + at) = 0;
    }
    return NULL;
}

struct mw_pages *mw_pages_begin_by(size_t threads, void *memory, size_t bytes)
{
    struct mw_pages *pages = calloc(1, sizeof *pages);
    if (!pages)
        return NULL;
    pages->memory = memory;
    pages->bytes = bytes;
    while (pages->count < threads && pages->count < THREADS_MOST &&
           pthread_create(&pages->thread[pages->count], NULL, touch, pages) == 0)
        pages->count++;
    return pages;
}

struct mw_pages *mw_pages_begin(struct mw_device *device, void *memory, size_t bytes)
{
    return mw_copy_pool_for(device, bytes) ? mw_pages_begin_by(mw_core_count() / 2, memory, bytes) : NULL;
}

void mw_pages_end(struct mw_pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++)
        (void)pthread_join(pages->thread[i], NULL);
    free(pages);
}
/* SPDX-License-Identifier: MIT */
