/* Results about distances: counted per device, joined at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/paths/paths_internal.h"

/* ---- results of one device ---- */

int mw_path_tally_make(struct mw_path_tally *t, size_t vertices, bool by_vertex)
{
    TRY_RETURN(mw_path_tally_reach(t, 1));
    if (!by_vertex)
        return 0;
    TRY_RETURN(mw_new(vertices, sizeof *t->reached, &t->reached));
    TRY_RETURN(mw_new(vertices, sizeof *t->farthest, &t->farthest));
    TRY_RETURN(mw_new(vertices, sizeof *t->near, &t->near));
    return mw_new(vertices, sizeof *t->inverse, &t->inverse);
}

void mw_path_tally_drop(struct mw_path_tally *t)
{
    free(t->histogram);
    free(t->reached);
    free(t->farthest);
    free(t->near);
    free(t->inverse);
    *t = (struct mw_path_tally){ 0 };
}

int mw_path_tally_reach(struct mw_path_tally *t, size_t distance)
{
    size_t capacity = t->capacity ? t->capacity : 64;
    uint64_t *grown;
    if (distance < t->capacity)
        return 0;
    while (capacity <= distance)
        capacity *= 2;
    grown = realloc(t->histogram, capacity * sizeof *grown);
    if (!grown)
        return mw_fail(MW_ENOMEM, "out of memory for %zu distances", capacity);
    memset(grown + t->capacity, 0, (capacity - t->capacity) * sizeof *grown);
    t->histogram = grown;
    t->capacity = capacity;
    return 0;
}

uint64_t mw_path_unit(const struct mw_path_job *job)
{
    const size_t n = job->graph->vertices, targets = job->options.target_count, most = n > targets ? n : targets;
    unsigned bits = 63;
    while (bits > 0 && (UINT64_C(1) << (63 - bits)) < most)
        bits--;
    return UINT64_C(1) << bits;
}

static void add_to_vertices(struct mw_path_tally *t, const int32_t *distances, size_t vertices, uint64_t unit)
{
    for (size_t v = 0; v < vertices; v++) {
        const uint32_t d = (uint32_t)distances[v];
        if (d == MW_NO_PATH || d == 0)
            continue;
        t->reached[v]++;
        t->near[v] += d;
        t->inverse[v] += path_inverse(unit, d);
        t->farthest[v] = t->farthest[v] < d ? d : t->farthest[v];
    }
}

int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances)
{
    const size_t n = share->of->graph->vertices;
    int32_t longest = 0;
    for (size_t v = 0; v < n; v++)
        if (distances[v] != MW_NO_PATH && distances[v] > longest)
            longest = distances[v];
    TRY_RETURN(mw_path_tally_reach(&share->tally, (size_t)longest));
    for (size_t v = 0; v < n; v++)
        if (distances[v] != MW_NO_PATH && distances[v] > 0)
            mw_path_add(share, target, (size_t)distances[v], 1);
    if (share->tally.near)
        add_to_vertices(&share->tally, distances, n, mw_path_unit(share->of));
    return 0;
}

/* ---- results of all devices ---- */

void mw_path_tally_add(struct mw_path_tally *to, const struct mw_path_tally *from, size_t vertices)
{
    for (size_t v = 0; v < vertices; v++) {
        to->reached[v] += from->reached[v];
        to->near[v] += from->near[v];
        to->inverse[v] += from->inverse[v];
        to->farthest[v] = from->farthest[v] > to->farthest[v] ? from->farthest[v] : to->farthest[v];
    }
}

/* Joins all tallies in the first share's. */
static int tally_join(struct mw_path_job *job)
{
    struct mw_path_tally *all = &job->share[0].tally;
    for (size_t s = 1; s < job->share_count; s++) {
        const struct mw_path_tally *t = &job->share[s].tally;
        TRY_RETURN(mw_path_tally_reach(all, t->longest));
        for (size_t d = 0; d <= t->longest; d++)
            all->histogram[d] += t->histogram[d];
        all->longest = t->longest > all->longest ? t->longest : all->longest;
        if (all->near)
            mw_path_tally_add(all, t, job->graph->vertices);
    }
    return 0;
}

int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *p)
{
    struct mw_path_tally *t = &job->share[0].tally;
    const struct mw_graph_paths_options *o = &job->options;
    const size_t n = job->graph->vertices;
    const double unit = (double)mw_path_unit(job);
    const struct mw_target_sums sums = mw_targets_sum(&job->targets, n);
    double *inverse = NULL;
    TRY_RETURN(tally_join(job));
    if (t->near)
        TRY_RETURN(mw_new_unless(o->inverse, n, sizeof *inverse, &inverse));
    *p = (struct mw_graph_paths){ .variant = job->options.variant,
                                  .vertices = n,
                                  .targets = job->targets.count,
                                  .longest = (uint32_t)t->longest,
                                  .histogram = t->histogram,
                                  .reached = t->reached,
                                  .farthest = t->farthest,
                                  .near = t->near,
                                  .inverse = o->inverse ? NULL : inverse };
    mw_move_to(o->reached, n, sizeof *p->reached, &p->reached);
    mw_move_to(o->farthest, n, sizeof *p->farthest, &p->farthest);
    mw_move_to(o->near, n, sizeof *p->near, &p->near);
    for (size_t v = 0; inverse && v < n; v++)
        inverse[v] = (double)t->inverse[v] / unit;
    p->pairs = sums.pairs;
    p->unreachable = sums.unreachable;
    p->sum = (struct mw_wide){ (uint64_t)sums.sum, (uint64_t)(sums.sum >> 64) };
    p->mean = sums.mean;
    p->half_width = sums.half_width;
    free(t->inverse);
    *t = (struct mw_path_tally){ 0 };
    return 0;
}

void mw_graph_paths_free(struct mw_graph_paths *paths)
{
    if (!paths)
        return;
    free(paths->histogram);
    free(paths->reached);
    free(paths->farthest);
    free(paths->near);
    free(paths->inverse);
    mw_result_clear(paths);
}
/* SPDX-License-Identifier: MIT */
