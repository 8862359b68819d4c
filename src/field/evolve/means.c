/* What is said of a state: means and checksum, the same for the same bits everywhere. */
#include <meshwork/field.h>

#include "base/base.h"
#include "prim/blocks.h"

int mw_field_means(const struct mw_array *state, size_t field_count, double *means)
{
    const size_t width = mw_type_bytes(state->type);
    struct mw_block sum;
    int rc = 0;
    if (state->type != MW_TYPE_F32 && state->type != MW_TYPE_F64)
        return mw_fail(MW_EINVAL, "means are taken of real numbers, not of %s", mw_type_name(state->type));
    if (field_count == 0 || state->count % field_count)
        return mw_fail(MW_EINVAL, "%zu values are not %zu fields of one size", state->count, field_count);
    const size_t cells = state->count / field_count;
    for (size_t f = 0; f < field_count; f++) {
        means[f] = 0;
        if (cells == 0)
            continue;
        TRY(mw_blocks_of((const char *)state->data + f * cells * width, state->type, cells, NULL, &sum));
        means[f] = sum.sum / (double)cells;
    }
out:
    return rc;
}

uint64_t mw_array_checksum(const struct mw_array *array)
{
    const size_t bytes = array->count * mw_type_bytes(array->type);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return mw_hash64(array->data, bytes, 0);
#else
    const bool complex = array->type == MW_TYPE_C64 || array->type == MW_TYPE_C128;
    const size_t word = mw_type_bytes(array->type) / (complex ? 2 : 1);
    struct mw_hasher h;
    mw_hasher_start(&h, 0);
    for (size_t at = 0; at < bytes; at += word) {
        unsigned char swapped[16];
        for (size_t i = 0; i < word; i++)
            swapped[i] = ((const unsigned char *)array->data)[at + word - 1 - i];
        mw_hasher_add(&h, swapped, word);
    }
    return mw_hasher_end(&h);
#endif
}
