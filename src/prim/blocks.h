/* Reductions of blocks of numbers on their device: sums in double precision that do not depend on the device.
 * Internal. */
#ifndef MW_PRIM_BLOCKS_H
#define MW_PRIM_BLOCKS_H

#include <meshwork/prim.h>

/* The sum of a block of numbers along the tree of cl/prim/blocks.clh, in double precision, and their minimum and
 * maximum. */
struct mw_block {
    double sum, least, most;
};

/* Computes the blocks of n numbers (f32 or f64) of a buffer, from number `first` on; a block has VALUES_BLOCK numbers
 * (cl/prim/blocks.clh). With `about`, computes the sums of squared distances from it, without ranges. Waits. Errors:
 * MW_ENOTSUP (no double precision), MW_EINVAL (the buffer is too small). */
int mw_prim_blocks(struct mw_prim *prim, struct mw_buffer *from, size_t first, size_t n, enum mw_type type,
                   const double *about, struct mw_block *blocks);
/* Computes one block of 1 to VALUES_BLOCK numbers in host memory. */
void mw_block_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block);
/* Combines one or more blocks along a balanced tree that depends only on their number. Overwrites them. */
struct mw_block mw_blocks_join(struct mw_block *blocks, size_t count);
/* Computes and combines all blocks of n >= 1 numbers in host memory. MW_ENOMEM. */
int mw_blocks_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block);

#endif
/* SPDX-License-Identifier: MIT */
