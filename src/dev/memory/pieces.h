/* Large transfers between ordinary host memory and a device: several host threads copy pieces through page-locked
 * memory.  Internal. */
#ifndef MW_PIECES_H
#define MW_PIECES_H

#include "dev/core/backend.h"

/* Thresholds for transfers in pieces. */
struct mw_piece_limits {
    size_t least;                         /* smallest transfer, in bytes, for which a pool is made */
    size_t least_again;                   /* smallest transfer, in bytes, for which an existing pool is used */
    size_t piece;                         /* bytes per piece */
    unsigned threads_least, threads_most; /* minimum of the host's cores for a pool, and maximum of its threads */
};
/* The thresholds that are used outside tests. */
extern const struct mw_piece_limits mw_piece_limits_usual;

/* Host threads that transfer pieces for one device, each with page-locked memory. */
struct mw_copy_pool;
/* Makes a pool of this number of threads. */
int mw_copy_pool_new(struct mw_device *device, const struct mw_piece_limits *limits, size_t threads,
                     struct mw_copy_pool **copy_pool);
/* Ends the threads and frees the pool. */
void mw_copy_pool_free(struct mw_copy_pool *copy_pool);
/* Transfers bytes to the buffer if `from` is not NULL, otherwise from it to `to`, after all queued work. Waits. */
int mw_copy_pool_move(struct mw_copy_pool *copy_pool, struct mw_buffer *buffer, size_t offset, size_t bytes,
                      const void *from, void *to);
/* Returns the device's pool if a transfer of so many bytes is faster by it, otherwise NULL. Makes it at first use. */
struct mw_copy_pool *mw_copy_pool_for(struct mw_device *device, size_t bytes);

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
