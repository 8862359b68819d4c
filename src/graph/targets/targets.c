/* Targets of searches, and the sums over all of them. */
#include "graph/targets/targets.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- targets ---- */

static int name_all(struct mw_owner *own, struct mw_targets *t, size_t vertices)
{
    TRY_RETURN(mw_own_new(own, vertices, sizeof *t->all, &t->all));
    for (size_t v = 0; v < vertices; v++)
        t->all[v] = (uint32_t)v;
    t->list = t->all;
    t->count = vertices;
    return 0;
}

int mw_targets_make(struct mw_owner *own, const struct mw_graph *graph, const uint32_t *given, size_t count,
                    struct mw_targets *t)
{
    for (size_t i = 0; given && i < count; i++)
        if (given[i] >= graph->vertices)
            return mw_fail(MW_EINVAL, "target %zu is vertex %" PRIu32 ", but the graph has %zu", i, given[i],
                           graph->vertices);
    t->list = given;
    t->count = count;
    if (!given)
        TRY_RETURN(name_all(own, t, graph->vertices));
    return mw_own_new(own, t->count / MW_TARGET_GROUP + 1, sizeof *t->group, &t->group);
}

/* ---- sums ---- */

/* Returns Student's t for 95 %, by the Cornish-Fisher expansion around the normal quantile; the error is below 1 % from
 * three degrees of freedom on. */
static double student(size_t degrees)
{
    const double z = 1.959963984540054, n = (double)degrees, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    if (degrees == 1)
        return 12.706204736432095;
    if (degrees == 2)
        return 4.302652729911275;
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

/* Half width of the confidence interval: variance of a ratio of sums over random groups, for a sample without
 * replacement. */
static double half_width(const struct mw_targets *t, const struct mw_target_sums *all, size_t vertices)
{
    const size_t groups = t->count / MW_TARGET_GROUP;
    double squares = 0, pairs = 0;
    if (t->list == t->all || t->count >= vertices)
        return 0;
    if (groups < MW_TARGET_GROUPS_LEAST || all->pairs == 0)
        return NAN;
    for (size_t g = 0; g < groups; g++) {
        const double off = (double)t->group[g].sum - all->mean * (double)t->group[g].pairs;
        squares += off * off;
        pairs += (double)t->group[g].pairs;
    }
    if (pairs == 0)
        return NAN;
    const double of_population = 1 - (double)t->count / (double)vertices, n = (double)groups;
    return student(groups - 1) * sqrt(of_population * squares * n / (n - 1)) / pairs;
}

struct mw_target_sums mw_targets_sum(const struct mw_targets *t, size_t vertices)
{
    const size_t groups = (t->count + MW_TARGET_GROUP - 1) / MW_TARGET_GROUP;
    struct mw_target_sums all = { 0 };
    for (size_t g = 0; g < groups; g++) {
        all.pairs += t->group[g].pairs;
        all.sum += t->group[g].sum;
    }
    all.unreachable = vertices ? (uint64_t)t->count * (vertices - 1) - all.pairs : 0;
    all.mean = all.pairs ? (double)all.sum / (double)all.pairs : 0;
    all.half_width = half_width(t, &all, vertices);
    return all;
}
/* SPDX-License-Identifier: MIT */
