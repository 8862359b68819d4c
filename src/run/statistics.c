/* Statistics of a state: mean, variance, range, first value that is not finite, and domain size. */
#include <meshwork/run.h>

#include "base/base.h"
#include "prim/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOK 1024 /* values between two tests for non-finite ones */

/* Sums squared deviations in a second pass, since differences of large sums lose precision. */
int mw_values_statistics(const void *values, bool fp64, size_t n, struct mw_statistics *statistics)
{
    const enum mw_type type = fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    struct mw_block sum, squares;
    double mean;
    if (n == 0) {
        *statistics = (struct mw_statistics){ 0 };
        return 0;
    }
    TRY_RETURN(mw_blocks_of(values, type, n, NULL, &sum));
    mean = sum.sum / (double)n;
    TRY_RETURN(mw_blocks_of(values, type, n, &mean, &squares));
    *statistics = (struct mw_statistics){ mean, squares.sum / (double)n, sum.least, sum.most };
    return 0;
}

/* x - x is 0 for finite x, otherwise NaN.  The loop has no early exit, so that compilers vectorise it. */
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

/* Counts opposite signs among n pairs of values, which start at positions a and b. */
static size_t count_changes(const void *values, bool fp64, size_t a, size_t b, size_t n)
{
    size_t changes = 0;
    if (fp64)
        COUNT_CHANGES(double);
    else
        COUNT_CHANGES(float);
    return changes;
}

double mw_values_domain_size(const void *values, bool fp64, unsigned dims, const size_t *length,
                             const enum mw_boundary *boundary)
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
            if (!boundary || boundary[d] <= MW_BOUNDARY_PERIODIC)
                area += count_changes(values, fp64, at + slab - stride, at, stride);
        }
    }
    return area > 0 ? (double)wide * (double)cells / (double)area : INFINITY;
}
/* SPDX-License-Identifier: MIT */
