/* Sums in double precision and ranges of blocks of numbers, to be combined by the caller. */
#include "prim/blocks.h"

#include <stdlib.h>

#include "kernels/native.h"
#include "kernels/prim/blocks.h"
#include "prim/blocks.clh"
#include "prim/prim_internal.h"

static const struct mw_prim_program single = {
    &kernels_prim_blocks, "#define SINGLE 1\n#define REAL_DOUBLE 1\n", mw_native_blocks_f32, true, false, NULL
};
static const struct mw_prim_program twice = {
    &kernels_prim_blocks, "#define REAL_DOUBLE 1\n", mw_native_blocks_f64, true, false, NULL
};

int mw_prim_blocks(struct mw_prim *prim, struct mw_buffer *from, size_t first, size_t n, enum mw_type type,
                   const double *about, struct mw_block *blocks)
{
    const size_t count = mw_prim_parts(n, VALUES_BLOCK);
    const struct mw_kernel_set *set;
    struct mw_buffer *to;
    TRY_RETURN(mw_prim_check(prim, "blocks", "numbers", from, first + n, mw_type_bytes(type)));
    TRY_RETURN(mw_prim_set(prim, type == MW_TYPE_F32 ? &single : &twice, &set));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, count, sizeof *blocks, &to));
    TRY_RETURN(about ? launch_block_squares(set, mw_parts(set, count), from, to, (int64_t)first, (int64_t)n, *about)
                     : launch_block_sums(set, mw_parts(set, count), from, to, (int64_t)first, (int64_t)n));
    return mw_buffer_read(to, 0, count * sizeof *blocks, blocks, NULL);
}

#define BLOCK_OF(type)                                                                                                 \
    do {                                                                                                               \
        const type *from = numbers;                                                                                    \
        type least[VALUES_LANES], most[VALUES_LANES];                                                                  \
        if (about) {                                                                                                   \
            BLOCK_SQUARES(from, (int)n, *about, distance, sum);                                                        \
            *block = (struct mw_block){ sum[0], 0, 0 };                                                                \
        } else {                                                                                                       \
            BLOCK_SUM(from, (int)n, sum, least, most);                                                                 \
            *block = (struct mw_block){ sum[0], least[0], most[0] };                                                   \
        }                                                                                                              \
    } while (0)

void mw_block_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block)
{
    double sum[VALUES_LANES], distance;
    if (type == MW_TYPE_F32)
        BLOCK_OF(float);
    else
        BLOCK_OF(double);
}

struct mw_block mw_blocks_join(struct mw_block *blocks, size_t count)
{
    for (size_t stride = 1; stride < count; stride *= 2)
        for (size_t left = 0; left + stride < count; left += 2 * stride) {
            struct mw_block *l = &blocks[left];
            const struct mw_block *r = &blocks[left + stride];
            l->sum += r->sum;
            l->least = r->least < l->least ? r->least : l->least;
            l->most = r->most > l->most ? r->most : l->most;
        }
    return blocks[0];
}

int mw_blocks_of(const void *numbers, enum mw_type type, size_t n, const double *about, struct mw_block *block)
{
    const size_t count = mw_prim_parts(n, VALUES_BLOCK);
    const char *from = numbers;
    struct mw_block *blocks;
    TRY_RETURN(mw_new(count, sizeof *blocks, &blocks));
    for (size_t i = 0; i < count; i++, from += VALUES_BLOCK * mw_type_bytes(type))
        mw_block_of(from, type, i + 1 < count ? VALUES_BLOCK : n - i * VALUES_BLOCK, about, &blocks[i]);
    *block = mw_blocks_join(blocks, count);
    free(blocks);
    return 0;
}
/* SPDX-License-Identifier: MIT */
