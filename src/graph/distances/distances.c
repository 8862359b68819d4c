/* Distances from one vertex: checks options, chooses a variant, traces predecessors and paths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/given.h"
#include "graph/distances/distances_internal.h"

static const struct {
    struct mw_variant shown;
    const struct mw_distance_variant *is;
} table[] = {
    { { "levels",
        "breadth-first search along arcs or against them (Beamer, Asanovic, Patterson 2012); no "
        "weights, native devices",
        NULL },
      &mw_distance_levels },
    { { "delta", "delta-stepping, with bins per thread (Meyer, Sanders 2003); weights of 0 or more, native devices",
        NULL },
      &mw_distance_delta },
    { { "near-far",
        "a near and a far pile of vertices (Davidson et al. 2014), without weights levels; weights "
        "of 0 or more",
        "piles" },
      &mw_distance_near_far },
    { { "dijkstra", "Dijkstra's algorithm with a heap; weights of 0 or more, one native thread", NULL },
      &mw_distance_dijkstra },
    { { "rounds",
        "relaxes all arcs until nothing changes (Bellman, Ford); also weights below 0, arcs may "
        "exceed device memory",
        NULL },
      &mw_distance_rounds },
};
enum { LEVELS, DELTA, NEAR_FAR, DIJKSTRA, ROUNDS };

const struct mw_variant *mw_graph_distance_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

/* ---- checks and choice ---- */

static void inspect_weights(struct mw_distance_job *job)
{
    job->least = job->most = job->weights && job->graph->arcs ? job->weights[0] : 1;
    for (uint64_t i = 0; job->weights && i < job->graph->arcs; i++) {
        job->least = job->weights[i] < job->least ? job->weights[i] : job->least;
        job->most = job->weights[i] > job->most ? job->weights[i] : job->most;
    }
}

static int distances_choose(const struct mw_distance_job *job, size_t *variant)
{
    const char *name = job->options.variant, *why;
    size_t v = job->least < 0         ? ROUNDS
               : job->native          ? (job->weights ? DELTA : LEVELS)
               : mw_near_far_fit(job) ? NEAR_FAR
                                      : ROUNDS;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_graph_distance_variants, name, &v));
    why = table[v].is->refuses ? table[v].is->refuses(job) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(job->device)->id, table[v].shown.name, why);
    *variant = v;
    return 0;
}

int mw_distance_take(struct mw_distance_job *job)
{
    static const char native[] = "native:";
    const struct mw_device_info *info = mw_device_info(job->device);
    TRY_RETURN(mw_graph_check_given(job->graph, job->device));
    job->weights = job->options.hops ? NULL : job->graph->weights;
    inspect_weights(job);
    job->native = info->kind == MW_DEVICE_NATIVE;
    return mw_executor_new(job->native ? info->id + sizeof native - 1 : "pthreads", mw_graph_threads(job->device),
                           &job->executor);
}

/* ---- interface ---- */

static void sum_up(const struct mw_distance_job *job, struct mw_graph_distances *made)
{
    for (size_t v = 0; v < made->vertices; v++) {
        const int64_t distance = job->distance[v];
        if (distance == MW_NO_DISTANCE || v == job->from)
            continue;
        made->longest = made->reached == 0 || distance > made->longest ? distance : made->longest;
        made->reached++;
    }
}

int mw_graph_distances(struct mw_device *device, const struct mw_graph *graph, uint32_t from,
                       const struct mw_graph_distances_options *options, struct mw_graph_distances *distances)
{
    struct mw_distance_job job = { .graph = graph, .from = from };
    struct mw_graph_distances made = { .size = sizeof made, .vertices = graph->vertices, .from = from }, given;
    const double start = mw_work_now();
    size_t variant = 0;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_distances, NULL, seconds, distances));
    TRY(mw_device_given(&device));
    job.device = device;
    TRY(MW_OPTIONS_TAKE(mw_graph_distances_options, options, block_arcs, &job.options));
    if (from >= graph->vertices)
        return mw_fail(MW_EINVAL, "start vertex %" PRIu32 " out of range: the graph has %zu", from, graph->vertices);
    TRY(mw_distance_take(&job));
    TRY(distances_choose(&job, &variant));
    TRY(mw_new_unless(job.options.distance, graph->vertices, sizeof *made.distance, &made.distance));
    job.distance = made.distance;
    TRY(mw_progress(0, 2));
    TRY(table[variant].is->search(&job));
    TRY(mw_progress(1, 2));
    made.seconds = mw_work_now() - job.began;
    made.preparing = job.began - start;
    if (!job.options.no_predecessors) {
        TRY(mw_new_unless(job.options.predecessor, graph->vertices, sizeof *made.predecessor, &made.predecessor));
        TRY(mw_distance_trace(&job, made.predecessor));
    }
    TRY(mw_progress(2, 2));
    made.variant = table[variant].shown.name;
    made.decimals = job.weights ? graph->decimals : 0;
    made.delta = job.delta;
    sum_up(&job, &made);
    given = made;
    given.distance = job.options.distance ? NULL : made.distance;
    given.predecessor = job.options.predecessor ? NULL : made.predecessor;
    TRY(MW_RESULT_GIVE(mw_graph_distances, &given, seconds, distances));
    mw_result_clear(&made);
out:
    mw_executor_free(job.executor);
    mw_free_own(job.options.distance, made.distance);
    mw_free_own(job.options.predecessor, made.predecessor);
    return rc;
}

void mw_graph_distances_free(struct mw_graph_distances *distances)
{
    if (!distances)
        return;
    free(distances->distance);
    free(distances->predecessor);
    mw_result_clear(distances);
}

int mw_graph_path(const struct mw_graph_distances *distances, uint32_t to, uint32_t **path, size_t *count)
{
    uint32_t *made;
    size_t length = 1;
    if (to >= distances->vertices || !distances->predecessor || !distances->distance)
        return mw_fail(MW_EINVAL, "no path to vertex %" PRIu32 " (the graph has %zu)%s", to, distances->vertices,
                       distances->predecessor && distances->distance
                           ? ""
                           : ": the result has no predecessors, or no distances");
    for (uint32_t v = to; distances->predecessor[v] != MW_NO_VERTEX; v = distances->predecessor[v])
        length++;
    if (distances->distance[to] == MW_NO_DISTANCE)
        length = 0;
    TRY_RETURN(mw_new(length, sizeof *made, &made));
    for (size_t i = length; i > 0; to = distances->predecessor[to])
        made[--i] = to;
    *path = made;
    *count = length;
    return 0;
}
/* SPDX-License-Identifier: MIT */
