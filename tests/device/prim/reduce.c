/* Reductions and blocks of numbers on one device, $MESHWORK_TEST_DEVICE, compared with plain C: random sizes, all
 * types. */
#include "tests/device/prim/forms.h"

#include "prim/blocks.clh"
#include "prim/blocks.h"

#include <math.h>

/* ---- reduce ---- */

/* The sum of reals as prim.h and cl/prim/reduce.clh describe it. */
#define TREE(name, type)                                                                                               \
    static type name(const type *x, size_t n)                                                                          \
    {                                                                                                                  \
        const size_t blocks = (n + 4095) / 4096;                                                                       \
        type *sums = calloc(blocks + 1, sizeof *sums), lane[256], sum;                                                 \
        assert_non_null(sums);                                                                                         \
        for (size_t b = 0; b < blocks; b++) {                                                                          \
            memset(lane, 0, sizeof lane);                                                                              \
            for (size_t i = 4096 * b; i < n && i < 4096 * (b + 1); i++)                                                \
                lane[i % 256] += x[i];                                                                                 \
            for (size_t width = 128; width > 0; width /= 2)                                                            \
                for (size_t l = 0; l < width; l++)                                                                     \
                    lane[l] += lane[l + width];                                                                        \
            sums[b] = lane[0];                                                                                         \
        }                                                                                                              \
        sum = blocks > 1 ? name(sums, blocks) : sums[0];                                                               \
        free(sums);                                                                                                    \
        return sum;                                                                                                    \
    }
TREE(tree_single, float)
TREE(tree_double, double)

/* Plain loops, for integers. */
#define REDUCE(name, type, wide)                                                                                       \
    static void name(const void *data, size_t n, enum mw_reduction operation, void *result)                            \
    {                                                                                                                  \
        const type *x = data;                                                                                          \
        type best = x[0];                                                                                              \
        wide sum = 0;                                                                                                  \
        for (size_t i = 0; i < n; i++) {                                                                               \
            sum = (wide)((uint64_t)sum + (uint64_t)(wide)x[i]);                                                        \
            if (operation == MW_REDUCTION_MIN ? x[i] < best : x[i] > best)                                             \
                best = x[i];                                                                                           \
        }                                                                                                              \
        if (operation == MW_REDUCTION_SUM)                                                                             \
            memcpy(result, &sum, sizeof sum);                                                                          \
        else                                                                                                           \
            memcpy(result, &best, sizeof best);                                                                        \
    }
REDUCE(plain_i32, int32_t, int64_t)
REDUCE(plain_u32, uint32_t, uint64_t)
REDUCE(plain_i64, int64_t, int64_t)
REDUCE(plain_u64, uint64_t, uint64_t)

/* The same for reals; minimum and maximum compare as in IEEE 754: -0.0 is less than 0.0. */
#define REDUCE_REALS(name, type, tree)                                                                                 \
    static void name(const void *data, size_t n, enum mw_reduction operation, void *result)                            \
    {                                                                                                                  \
        const type *x = data;                                                                                          \
        type best = x[0];                                                                                              \
        for (size_t i = 0; i < n; i++) {                                                                               \
            const bool less = x[i] < best || (x[i] == best && (signbit(x[i]) && !signbit(best)));                      \
            const bool more = x[i] > best || (x[i] == best && (!signbit(x[i]) && signbit(best)));                      \
            best = isnan(best) || !(isnan(x[i]) || (operation == MW_REDUCTION_MIN ? less : more)) ? best : x[i];       \
        }                                                                                                              \
        if (operation == MW_REDUCTION_SUM)                                                                             \
            best = tree(x, n);                                                                                         \
        memcpy(result, &best, sizeof best);                                                                            \
    }
REDUCE_REALS(plain_f32, float, tree_single)
REDUCE_REALS(plain_f64, double, tree_double)

static const struct {
    enum mw_type type;
    void (*plain)(const void *data, size_t n, enum mw_reduction operation, void *result);
} reducible[] = {
    { MW_TYPE_I32, plain_i32 }, { MW_TYPE_U32, plain_u32 }, { MW_TYPE_I64, plain_i64 },
    { MW_TYPE_U64, plain_u64 }, { MW_TYPE_F32, plain_f32 }, { MW_TYPE_F64, plain_f64 },
};

/* Numbers of very different sizes, so that sums of reals are rounded at every step. */
static void *random_elements(enum mw_type type, size_t n)
{
    void *data = random_bytes(n * mw_type_bytes(type));
    for (size_t i = 0; i < n; i++) {
        const double x = ((double)(random_word() >> 11) / 0x1p52 - 1) * exp2((double)random_below(20));
        if (type == MW_TYPE_F32)
            ((float *)data)[i] = (float)x;
        else if (type == MW_TYPE_F64)
            ((double *)data)[i] = x;
    }
    return data;
}

static void check_reduce(size_t row, const void *data, size_t n, enum mw_reduction operation)
{
    const enum mw_type type = reducible[row].type;
    const size_t bytes = operation == MW_REDUCTION_SUM && type <= MW_TYPE_U64 ? 8 : mw_type_bytes(type);
    unsigned char got[16], expected[16];
    char what[64];
    struct mw_buffer *from = guarded(data, n * mw_type_bytes(type));
    memset(got, GUARD_BYTE, sizeof got);
    memset(expected, GUARD_BYTE, sizeof expected);
    reducible[row].plain(data, n, operation, expected);
    /* For NaNs, only check that the result is one. */
    if (type == MW_TYPE_F32 && isnan(*(float *)expected))
        memcpy(expected, &(uint32_t){ 0x7fc00000 }, 4);
    if (type == MW_TYPE_F64 && isnan(*(double *)expected))
        memcpy(expected, &(uint64_t){ 0x7ff8000000000000 }, 8);
    OK(mw_prim_reduce(prim, from, n, type, operation, got));
    snprintf(what, sizeof what, "reduction %d of %s (%zu bytes)", (int)operation, mw_type_name(type), bytes);
    same(what, n, got, expected, 1, sizeof got);
    free(taken(from));
}

static void reductions_are_those_of_plain_loops(void **unused)
{
    for (size_t i = 0; i < size_count(1500); i++) {
        const size_t n = size_at(i), row = i % MW_COUNT(reducible), operation = i / MW_COUNT(reducible) % 3;
        if (n == 0 || (reducible[row].type == MW_TYPE_F64 && !info->fp64))
            continue;
        void *data = random_elements(reducible[row].type, n);
        check_reduce(row, data, n, (enum mw_reduction)operation);
        if (n < 100 || reducible[row].type == MW_TYPE_F32)
            check_reduce(row, data, n, MW_REDUCTION_SUM);
        free(data);
    }
}

static void reductions_of_special_reals(void **unused)
{
    static const float special[] = { -0.0f, 0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f };
    for (size_t round = 0; round < (slow ? 20u : 300u); round++) {
        /* Few kinds at a time; otherwise nearly all arrays would contain a NaN. */
        const size_t n = 1 + random_below(slow ? 600 : 9000), first = random_below(MW_COUNT(special));
        const size_t kinds = 1 + random_below(MW_COUNT(special) - first);
        float *single = room(n, sizeof *single);
        double *twice = room(n, sizeof *twice);
        for (size_t i = 0; i < n; i++)
            twice[i] = single[i] = special[first + random_below(kinds)];
        for (int operation = MW_REDUCTION_SUM; operation <= MW_REDUCTION_MAX; operation++) {
            check_reduce(4, single, n, (enum mw_reduction)operation);
            if (info->fp64)
                check_reduce(5, twice, n, (enum mw_reduction)operation);
        }
        free(single);
        free(twice);
    }
}

static void reductions_of_nothing(void **unused)
{
    struct mw_buffer *from = guarded(NULL, 0);
    uint64_t sum = 1;
    float real = 1;
    OK(mw_prim_reduce(prim, from, 0, MW_TYPE_I32, MW_REDUCTION_SUM, &sum));
    assert_true(sum == 0);
    OK(mw_prim_reduce(prim, from, 0, MW_TYPE_F32, MW_REDUCTION_SUM, &real));
    assert_true(real == 0 && !signbit(real));
    assert_int_equal(mw_prim_reduce(prim, from, 0, MW_TYPE_U64, MW_REDUCTION_MIN, &sum), MW_EINVAL);
    assert_int_equal(mw_prim_reduce(prim, from, GUARD, MW_TYPE_U64, MW_REDUCTION_MIN, &sum), MW_EINVAL);
    assert_int_equal(mw_prim_reduce(prim, from, 1, MW_TYPE_U8, MW_REDUCTION_SUM, &sum), MW_EINVAL);
    free(taken(from));
}

/* ---- blocks ---- */

/* Adds the lanes that are `first` modulo `stride`, of 256; those of an even quotient to those of an odd one. */
static double plain_lanes(const double *x, size_t n, size_t first, size_t stride)
{
    double sum = 0;
    if (stride < 256)
        return plain_lanes(x, n, first, 2 * stride) + plain_lanes(x, n, first + stride, 2 * stride);
    for (size_t i = first; i < n; i += stride)
        sum += x[i];
    return sum;
}

/* The tree of cl/prim/blocks.clh, from its root. */
static struct mw_block plain_block(const void *numbers, enum mw_type type, size_t n, const double *about)
{
    struct mw_block block = { 0 };
    double values[VALUES_BLOCK];
    for (size_t i = 0; i < n; i++) {
        const double x = type == MW_TYPE_F32 ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i];
        const double distance = about ? x - *about : 0;
        values[i] = about ? distance * distance : x;
        if (!about && (i == 0 || x < block.least))
            block.least = x;
        if (!about && (i == 0 || x > block.most))
            block.most = x;
    }
    block.sum = plain_lanes(values, n, 0, 1);
    return block;
}

/* The left part of a tree is the largest full one. */
static struct mw_block plain_tree(const struct mw_block *blocks, size_t count)
{
    size_t full = 1;
    if (count == 1)
        return blocks[0];
    while (2 * full < count)
        full *= 2;
    const struct mw_block left = plain_tree(blocks, full), right = plain_tree(blocks + full, count - full);
    return (struct mw_block){ left.sum + right.sum, fmin(left.least, right.least), fmax(left.most, right.most) };
}

/* n numbers after `first` others. */
static void check_blocks(size_t first, size_t n, enum mw_type type, const double *about)
{
    const size_t bytes = mw_type_bytes(type), count = mw_prim_parts(n, VALUES_BLOCK);
    unsigned char *data = random_elements(type, first + n);
    struct mw_block *expected = room(count, sizeof *expected), *got = room(count, sizeof *got);
    struct mw_buffer *from = guarded(data, (first + n) * bytes);
    memset(&expected[count], GUARD_BYTE, sizeof *expected);
    memset(got, GUARD_BYTE, (count + 1) * sizeof *got);
    OK(mw_prim_blocks(prim, from, first, n, type, about, got));
    for (size_t b = 0; b < count; b++) {
        const unsigned char *at = data + (first + b * VALUES_BLOCK) * bytes;
        const size_t in_block = b + 1 < count ? VALUES_BLOCK : n - b * VALUES_BLOCK;
        struct mw_block host;
        expected[b] = plain_block(at, type, in_block, about);
        mw_block_of(at, type, in_block, about, &host);
        same("a block on the host", n, &host, &expected[b], 1, sizeof host);
    }
    same("blocks", n, got, expected, count + 1, sizeof *got);
    if (count > 0) {
        const struct mw_block tree = plain_tree(expected, count), joined = mw_blocks_join(got, count);
        same("blocks together", n, &joined, &tree, 1, sizeof tree);
    }
    free(taken(from));
    free(data);
    free(expected);
    free(got);
}

static void blocks_are_those_of_plain_loops(void **unused)
{
    if (!info->fp64 || prim->cores != info->traits->has_cores) /* in one form only */
        skip();
    for (size_t i = 0; i < size_count(600); i++) {
        const double about = (double)random_below(1000) / 8;
        check_blocks(random_below(3) ? random_below(slow ? 100 : 9000) : 0, size_at(i),
                     random_below(2) ? MW_TYPE_F32 : MW_TYPE_F64, random_below(2) ? &about : NULL);
    }
}

static void impossible_blocks_are_refused(void **unused)
{
    struct mw_buffer *from = guarded(NULL, 0);
    struct mw_block block;
    if (!info->fp64) {
        assert_int_equal(mw_prim_blocks(prim, from, 0, 1, MW_TYPE_F32, NULL, &block), MW_ENOTSUP);
    } else {
        OK(mw_prim_blocks(prim, from, GUARD / 8 - 1, 1, MW_TYPE_F64, NULL, &block));
        assert_int_equal(mw_prim_blocks(prim, from, GUARD / 8, 1, MW_TYPE_F64, NULL, &block), MW_EINVAL);
        assert_int_equal(mw_prim_blocks(prim, from, 1, GUARD / 4, MW_TYPE_F32, NULL, &block), MW_EINVAL);
        assert_int_equal(mw_prim_blocks(prim, from, 0, GUARD, MW_TYPE_F32, NULL, &block), MW_EINVAL);
    }
    free(taken(from));
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_are_those_of_plain_loops),
        cmocka_unit_test(reductions_of_special_reals),
        cmocka_unit_test(reductions_of_nothing),
        cmocka_unit_test(blocks_are_those_of_plain_loops),
        cmocka_unit_test(impossible_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) { return run_forms(run); }
/* SPDX-License-Identifier: MIT */
