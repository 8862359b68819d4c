/* Large transfers in pieces, by several threads of the host.  Internal. */
#ifndef MW_PIECES_H
#define MW_PIECES_H

#include "dev/core/backend.h"

struct mw_piece_limits {
    size_t least;       /* bytes of a transfer, below which page-locked memory is not worth its making ... */
    size_t least_again; /* ... and below which it is not worth its use where it was made before */
    size_t piece;       /* bytes */
    unsigned threads_least, threads_most; /* by the host's cores: with few the driver is as fast */
};
extern const struct mw_piece_limits mw_piece_limits_usual;

/* The threads of a device, each with its page-locked memory. */
struct mw_copy_pool;
int mw_copy_pool_new(struct mw_device *device, const struct mw_piece_limits *limits, size_t threads,
                     struct mw_copy_pool **copy_pool);
void mw_copy_pool_free(struct mw_copy_pool *copy_pool);
/* Transfers to the buffer if `from` is not NULL, otherwise from it, after all queued work. Returns when it is done. */
int mw_copy_pool_move(struct mw_copy_pool *copy_pool, struct mw_buffer *buffer, size_t offset, size_t bytes,
                      const void *from, void *to);
/* The device's own, made when they are first wanted, for a transfer of so many bytes; NULL: the driver is as fast. */
struct mw_copy_pool *mw_copy_pool_for(struct mw_device *device, size_t bytes);

#endif
/* SPDX-License-Identifier: MIT */
