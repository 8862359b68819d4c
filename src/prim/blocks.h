/* Blocks of numbers reduced where they lie: sums in double precision that do not depend on the device.  Internal. */
#ifndef MW_PRIM_BLOCKS_H
#define MW_PRIM_BLOCKS_H

#include <meshwork/prim.h>

/* Of a block: the sum of its numbers, added in order in double precision, and their range. */
struct mw_block { double sum, least, most; };

/* Of n numbers (f32 or f64) of a buffer, from number `first` on: what each VALUES_BLOCK of them (cl/prim/blocks.clh)
 * come to, to host memory; with `about`, the sums of squares of distances from it, and no ranges.  Waits.
 * Errors: MW_ENOTSUP (a device without double precision), MW_EINVAL (the buffer is too small). */
int mw_prim_blocks(struct mw_prim *prim, struct mw_buffer *from, size_t first, size_t n, enum mw_type type,
                   const double *about, struct mw_block *blocks);
/* The same of one block in host memory: 1 to VALUES_BLOCK numbers. */
void mw_block_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block);
/* What blocks come to together: along a balanced tree whose form depends on their number alone.  They are overwritten;
 * at least one. */
struct mw_block mw_blocks_join(struct mw_block *blocks, size_t count);
/* What all blocks of n numbers in host memory, at least one, come to together.  MW_ENOMEM. */
int mw_blocks_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block);

#endif
/* SPDX-License-Identifier: MIT */
