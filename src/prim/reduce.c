/* Reductions: parts by the kernels of cl/prim/reduce.cl, combined here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prim/prim_internal.h"
#include "prim/sizes.clh"
#include "kernels/native.h"
#include "kernels/prim/once/reduce.h"
#include "kernels/prim/reduce.h"

#define PROGRAM(defines, native, fp64)                                                                                 \
    { &kernels_prim_reduce, defines, native, fp64, true, NULL },                                                       \
    {                                                                                                                  \
        &kernels_prim_once_reduce, defines, NULL, fp64, true, NULL                                                     \
    }
#define INTEGERS(element, sign) "#define ELEMENT " #element "\n#define SIGNED " #sign "\n"
#define REALS(element) INTEGERS(element, 1) "#define REALS 1\n"
/* The supported types. */
static const struct {
    enum mw_type type;
    struct mw_prim_program program, once;
    bool real, has_sign;
} types[] = {
    { MW_TYPE_I32, PROGRAM(INTEGERS(i32, 1), mw_native_reduce_i32, false), false, true },
    { MW_TYPE_U32, PROGRAM(INTEGERS(u32, 0), mw_native_reduce_u32, false), false, false },
    { MW_TYPE_I64, PROGRAM(INTEGERS(i64, 1), mw_native_reduce_i64, false), false, true },
    { MW_TYPE_U64, PROGRAM(INTEGERS(u64, 0), mw_native_reduce_u64, false), false, false },
    { MW_TYPE_F32, PROGRAM(REALS(i32), mw_native_reduce_f32, false), true, true },
    { MW_TYPE_F64, PROGRAM(REALS(i64) "#define REAL_DOUBLE 1\n", mw_native_reduce_f64, true), true, true },
};

/* One launch, for at most as many blocks as a block has numbers. */
static int sum_reals_once(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t type)
{
    const size_t blocks = mw_prim_parts(n, REDUCE_BLOCK);
    const struct mw_kernel_set *set;
    struct mw_prim_once once;
    TRY_RETURN(mw_prim_set(prim, &types[type].once, &set));
    TRY_RETURN(mw_prim_once(prim, blocks, mw_type_bytes(types[type].type), &once));
    return mw_prim_once_done(prim, &once,
                             launch_reduce_sum_once(set, mw_parts(set, blocks), from, to, once.words, (int64_t)n,
                                                    REDUCE_BLOCK, once.call, once.first));
}

static int sum_blocks(struct mw_prim *prim, struct mw_buffer *from, struct mw_buffer *to, size_t n, size_t type)
{
    const size_t blocks = mw_prim_parts(n, REDUCE_BLOCK), bytes = mw_type_bytes(types[type].type);
    const size_t each = prim->cores ? mw_prim_parts(mw_prim_each(prim, n, bytes), REDUCE_BLOCK)
                                    : mw_prim_parts(blocks, (size_t)1 << 16);
    const struct mw_kernel_set *set;
    TRY_RETURN(mw_prim_set(prim, &types[type].program, &set));
    return launch_reduce_sum(set, mw_parts(set, mw_prim_parts(blocks, each)), from, to, (int64_t)n, (int64_t)each);
}

/* Sums blocks until one is left; each launch reads the results of the previous one. */
static int sum_reals(struct mw_prim *prim, struct mw_buffer *from, size_t n, size_t type, void *sum)
{
    const size_t bytes = mw_type_bytes(types[type].type);
    struct mw_buffer *room[2];
    size_t turn = 0;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_PARTS, mw_prim_parts(n, REDUCE_BLOCK), bytes, &room[0]));
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, mw_prim_parts(mw_prim_parts(n, REDUCE_BLOCK), REDUCE_BLOCK), bytes,
                               &room[1]));
    do {
        struct mw_buffer *to = room[turn++ % 2];
        const size_t blocks = mw_prim_parts(n, REDUCE_BLOCK);
        const bool last = prim->once && blocks <= REDUCE_BLOCK;
        TRY_RETURN((last ? sum_reals_once : sum_blocks)(prim, from, to, n, type));
        from = to;
        n = last ? 1 : blocks;
    } while (n > 1);
    return mw_buffer_read(from, 0, bytes, sum, NULL);
}

/* Reduces integers, or reals as integers of the same order: one value per part. */
static int reduce_parts(struct mw_prim *prim, struct mw_buffer *from, size_t n, size_t type,
                        enum mw_reduction operation, int64_t *result)
{
    int (*const launches[])(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *from,
                            struct mw_buffer *to, int64_t n, int64_t each) = {
        [MW_REDUCTION_SUM] = launch_reduce_sum,
        [MW_REDUCTION_MIN] = launch_reduce_min,
        [MW_REDUCTION_MAX] = launch_reduce_max,
    };
    const size_t bytes = mw_type_bytes(types[type].type), parts = mw_prim_parts(n, mw_prim_each(prim, n, bytes));
    struct mw_prim_run run;
    struct mw_buffer *room;
    int64_t *value = NULL;
    int rc;
    TRY(mw_new(parts, sizeof *value, &value));
    TRY(mw_prim_reserve(prim, MW_PRIM_PARTS, parts, sizeof *value, &room));
    TRY(mw_prim_run(prim, &types[type].program, n, bytes, &run));
    TRY(launches[operation](run.set, run.range, from, room, run.n, run.each));
    TRY(mw_buffer_read(room, 0, parts * sizeof *value, value, NULL));
    for (size_t p = 1; p < parts; p++) {
        const bool less = types[type].has_sign ? value[p] < value[0] : (uint64_t)value[p] < (uint64_t)value[0];
        if (operation == MW_REDUCTION_SUM)
            value[0] = (int64_t)((uint64_t)value[0] + (uint64_t)value[p]);
        else if (less == (operation == MW_REDUCTION_MIN))
            value[0] = value[p];
    }
    *result = value[0];
out:
    free(value);
    return rc;
}

/* The same, combined by the last group. */
static int reduce_once(struct mw_prim *prim, struct mw_buffer *from, size_t n, size_t type, enum mw_reduction operation,
                       int64_t *result)
{
    int (*const launches[])(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *from,
                            struct mw_buffer *to, struct mw_buffer *words, int64_t n, int64_t each, uint32_t call,
                            uint32_t first) = {
        [MW_REDUCTION_SUM] = launch_reduce_sum_once,
        [MW_REDUCTION_MIN] = launch_reduce_min_once,
        [MW_REDUCTION_MAX] = launch_reduce_max_once,
    };
    const size_t bytes = mw_type_bytes(types[type].type), parts = mw_prim_parts(n, mw_prim_each(prim, n, bytes));
    struct mw_prim_run run;
    struct mw_prim_once once;
    struct mw_buffer *room;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_CARRY, 1, sizeof *result, &room));
    TRY_RETURN(mw_prim_run(prim, &types[type].once, n, bytes, &run));
    TRY_RETURN(mw_prim_once(prim, parts, sizeof *result, &once));
    TRY_RETURN(mw_prim_once_done(prim, &once,
                                 launches[operation](run.set, run.range, from, room, once.words, run.n, run.each,
                                                     once.call, once.first)));
    return mw_buffer_read(room, 0, sizeof *result, result, NULL);
}

/* Converts a position in the order of reals (order_of in cl/prim/reduce.clh) to a real. */
static int64_t real_at(int64_t place, enum mw_reduction operation, int64_t largest)
{
    const int64_t nan = operation == MW_REDUCTION_MIN ? -largest - 1 : largest;
    if (place == nan)
        return largest == INT32_MAX ? 0x7fc00000 : 0x7ff8000000000000;
    return place < 0 ? place ^ largest : place;
}

/* Replaces any NaN by the same one: its bits could depend on the device. */
static void one_nan(enum mw_type type, void *real)
{
    float single;
    double twice;
    if (type == MW_TYPE_F32) {
        memcpy(&single, real, sizeof single);
        if (isnan(single))
            memcpy(real, &(uint32_t){ 0x7fc00000 }, sizeof single);
    } else {
        memcpy(&twice, real, sizeof twice);
        if (isnan(twice))
            memcpy(real, &(uint64_t){ 0x7ff8000000000000 }, sizeof twice);
    }
}

static int reduce_check(struct mw_prim *prim, struct mw_buffer *from, size_t n, enum mw_type type,
                        enum mw_reduction operation, size_t *row)
{
    for (*row = 0; *row < MW_COUNT(types) && types[*row].type != type; (*row)++) {
    }
    if (*row == MW_COUNT(types))
        return mw_fail(MW_EINVAL,
                       "reduce: elements of type %s are not supported: use integers or reals of 32 or 64 bits",
                       mw_type_name(type));
    if (operation != MW_REDUCTION_SUM && operation != MW_REDUCTION_MIN && operation != MW_REDUCTION_MAX)
        return mw_fail(MW_EINVAL,
                       "reduce: there is no operation %d: use MW_REDUCTION_SUM, MW_REDUCTION_MIN or MW_REDUCTION_MAX",
                       (int)operation);
    if (n == 0 && operation != MW_REDUCTION_SUM)
        return mw_fail(MW_EINVAL, "reduce: a minimum or maximum needs at least one element");
    return n ? mw_prim_check(prim, "reduce", "elements", from, n, mw_type_bytes(type)) : 0;
}

int mw_prim_reduce(struct mw_prim *prim, struct mw_buffer *from, size_t n, enum mw_type type,
                   enum mw_reduction operation, void *result)
{
    const size_t bytes = mw_type_bytes(type);
    int64_t value = 0;
    size_t row;
    TRY_RETURN(reduce_check(prim, from, n, type, operation, &row));
    if (types[row].real && operation == MW_REDUCTION_SUM) {
        memset(result, 0, bytes);
        if (n > 0)
            TRY_RETURN(sum_reals(prim, from, n, row, result));
        one_nan(type, result);
        return 0;
    }
    if (n > 0)
        TRY_RETURN((prim->once ? reduce_once : reduce_parts)(prim, from, n, row, operation, &value));
    if (types[row].real)
        value = real_at(value, operation, bytes == 4 ? INT32_MAX : INT64_MAX);
    if (operation == MW_REDUCTION_SUM || bytes == 8)
        memcpy(result, &value, sizeof value);
    else
        memcpy(result, &(uint32_t){ (uint32_t)value }, sizeof(uint32_t));
    return 0;
}
/* SPDX-License-Identifier: MIT */
