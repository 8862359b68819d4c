/* Means of a state in host memory, which depend only on its bits. */
#include <meshwork/field.h>

#include "base/base.h"
#include "prim/blocks.h"

int mw_field_means(const struct mw_array *state, size_t field_count, double *means)
{
    const size_t width = mw_type_bytes(state->type);
    struct mw_block sum;
    if (state->type != MW_TYPE_F32 && state->type != MW_TYPE_F64)
        return mw_fail(MW_EINVAL, "means require real numbers, found %s", mw_type_name(state->type));
    if (field_count == 0 || state->count % field_count)
        return mw_fail(MW_EINVAL,
                       "%zu values cannot be divided into %zu fields of equal size: pass the number of "
                       "fields of the state",
                       state->count, field_count);
    const size_t cells = state->count / field_count;
    for (size_t f = 0; f < field_count; f++) {
        means[f] = 0;
        if (cells == 0)
            continue;
        TRY_RETURN(mw_blocks_of((const char *)state->data + f * cells * width, state->type, cells, NULL, &sum));
        means[f] = sum.sum / (double)cells;
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
