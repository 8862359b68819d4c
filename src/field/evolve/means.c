/* What is said of a state: means and checksum, the same for the same bits everywhere. */
#include <string.h>

#include <meshwork/field.h>

#include "base/base.h"
#include "dev/native/executor.h"

struct plane { const struct mw_array *state; size_t first; };

static void sum_leaf(void *context, size_t begin, size_t end, void *value)
{
    const struct plane *p = context;
    double sum = 0;
    if (p->state->type == MW_TYPE_F32)
        for (size_t k = begin; k < end; k++)
            sum += ((const float *)p->state->data)[p->first + k];
    else
        for (size_t k = begin; k < end; k++)
            sum += ((const double *)p->state->data)[p->first + k];
    *(double *)value = sum;
}

static void sum_join(void *context, void *left, const void *right)
{
    (void)context;
    *(double *)left += *(const double *)right;
}

int mw_field_means(const struct mw_array *state, size_t field_count, double *means)
{
    struct mw_executor *executor = NULL;
    int rc;
    if (state->type != MW_TYPE_F32 && state->type != MW_TYPE_F64)
        return mw_fail(MW_EINVAL, "means are taken of real numbers, not of %s", mw_type_name(state->type));
    if (field_count == 0 || state->count % field_count)
        return mw_fail(MW_EINVAL, "%zu values are not %zu fields of one size", state->count, field_count);
    TRY(mw_executor_new("serial", 1, &executor));
    for (size_t f = 0; f < field_count; f++) {
        const size_t cells = state->count / field_count;
        struct plane plane = { state, f * cells };
        const struct mw_tree_reduction sum = { .count = cells, .block = 4096, .value_size = sizeof(double),
                                          .leaf = sum_leaf, .join = sum_join, .context = &plane };
        double total = 0;
        TRY(mw_parallel_reduce(executor, &sum, &total));
        means[f] = cells ? total / (double)cells : 0;
    }
out:
    mw_executor_free(executor);
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
