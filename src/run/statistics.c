/* What is said of a state: mean, variance, range, the first value that is no number, and the size of domains. */
#include <meshwork/run.h>

#include "base/base.h"
#include "dev/native/executor.h"
#include "prim/blocks.clh"

#include <math.h>

#define LOOK 1024                /* values between two looks whether one was not finite */

struct values { const void *data; bool fp64; double mean; };
struct sum { double sum, least, most; };

#define SUM_AND_RANGE(type)                                                                                            \
    do {                                                                                                               \
        const type *from = (const type *)v->data + begin;                                                              \
        type least, most;                                                                                              \
        double sum;                                                                                                    \
        BLOCK_SUM(from, (int)(end - begin), sum, least, most);                                                         \
        *(struct sum *)value = (struct sum){ sum, least, most };                                                       \
    } while (0)

static void sum_values(void *context, size_t begin, size_t end, void *value)
{
    const struct values *v = context;

    if (v->fp64)
        SUM_AND_RANGE(double);
    else
        SUM_AND_RANGE(float);
}

static void join_sums(void *context, void *left, const void *right)
{
    struct sum *l = left;
    const struct sum *r = right;

    (void)context;
    l->sum += r->sum;
    l->least = r->least < l->least ? r->least : l->least;
    l->most = r->most > l->most ? r->most : l->most;
}

#define SQUARES(type)                                                                                                  \
    do {                                                                                                               \
        const type *from = (const type *)v->data + begin;                                                              \
        BLOCK_SQUARES(from, (int)(end - begin), v->mean, distance, sum);                                               \
    } while (0)

/* Squares of distances from the mean, in a second pass: differences of large sums would lose them. */
static void sum_squares(void *context, size_t begin, size_t end, void *value)
{
    const struct values *v = context;
    double sum, distance;

    if (v->fp64)
        SQUARES(double);
    else
        SQUARES(float);
    *(double *)value = sum;
}

static void join_squares(void *context, void *left, const void *right)
{
    (void)context;
    *(double *)left += *(const double *)right;
}

int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics)
{
    struct mw_executor *executor = NULL;
    struct values v = { values, fp64, 0 };
    const struct mw_tree_reduction sums = { .count = n, .block = VALUES_BLOCK, .value_size = sizeof(struct sum),
                                       .leaf = sum_values, .join = join_sums, .context = &v };
    const struct mw_tree_reduction squares = { .count = n, .block = VALUES_BLOCK, .value_size = sizeof(double),
                                          .leaf = sum_squares, .join = join_squares, .context = &v };
    struct sum sum = { 0, INFINITY, -INFINITY };
    double square = 0;
    int rc;

    if (n == 0) {
        *statistics = (struct mw_statistics){ 0 };
        return 0;
    }
    TRY(mw_executor_new("serial", 1, &executor));
    TRY(mw_parallel_reduce(executor, &sums, &sum));
    v.mean = sum.sum / (double)n;
    TRY(mw_parallel_reduce(executor, &squares, &square));
    *statistics = (struct mw_statistics){ v.mean, square / (double)n, sum.least, sum.most };
out:
    mw_executor_free(executor);
    return rc;
}

/* x - x is 0 for numbers and NaN for all else.  Without a way out of the loop, compilers take it by vectors. */
#define ANY_NOT_FINITE(type)                                                                                           \
    do {                                                                                                               \
        const type *at = (const type *)values + begin;                                                                 \
        int bad = 0;                                                                                                   \
        for (size_t i = 0; i < count; i++)                                                                             \
            bad |= !(at[i] - at[i] == 0);                                                                              \
        return bad != 0;                                                                                               \
    } while (0)

static bool any_not_finite(const void *values, bool fp64, size_t begin, size_t count)
{
    if (fp64)
        ANY_NOT_FINITE(double);
    ANY_NOT_FINITE(float);
}

size_t mw_values_not_finite(const void *values, bool fp64, size_t n)
{
    for (size_t begin = 0; begin < n; begin += LOOK) {
        const size_t count = n - begin < LOOK ? n - begin : LOOK;
        if (!any_not_finite(values, fp64, begin, count))
            continue;
        for (size_t i = begin; i < begin + count; i++)
            if (!isfinite(fp64 ? ((const double *)values)[i] : ((const float *)values)[i]))
                return i;
    }
    return n;
}

#define COUNT_CHANGES(type)                                                                                            \
    do {                                                                                                               \
        const type *p = (const type *)values + a, *q = (const type *)values + b;                                       \
        for (size_t i = 0; i < n; i++)                                                                                 \
            changes += (p[i] < 0) != (q[i] < 0);                                                                       \
    } while (0)

/* Pairs of opposite sign among n pairs of values, from positions a and b on. */
static size_t count_changes(const void *values, bool fp64, size_t a, size_t b, size_t n)
{
    size_t changes = 0;

    if (fp64)
        COUNT_CHANGES(double);
    else
        COUNT_CHANGES(float);
    return changes;
}

double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length, const bool *periodic)
{
    size_t cells = 1, stride = 1, area = 0;
    unsigned wide = 0;

    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    for (unsigned d = 0; d < dims && cells > 0; stride *= length[d++]) {
        const size_t slab = stride * length[d];
        if (length[d] < 2)
            continue;
        wide++;
        for (size_t at = 0; at < cells; at += slab) {
            area += count_changes(values, fp64, at, at + stride, slab - stride);
            if (periodic[d])
                area += count_changes(values, fp64, at + slab - stride, at, stride);
        }
    }
    return area > 0 ? (double)wide * (double)cells / (double)area : INFINITY;
}
