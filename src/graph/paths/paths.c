/* Shortest paths: checks options, chooses a variant, divides targets among devices; distances as rows. */
#include <stdlib.h>
#include <string.h>

#include "dev/core/team.h"
#include "graph/paths/paths_internal.h"

enum { BITS, QUEUE };
enum { BITS_LEVELS = 3 }; /* levels of variant bits that read most rows, at least */
static const struct {
    struct mw_variant shown;
    const struct mw_path_variant *is;
} table[] = {
    [BITS] = { { "bits",
                 "breadth-first searches from many targets at once, one bit each (Then et al. 2014); arcs "
                 "may exceed device memory",
                 NULL },
               &mw_path_bits },
    [QUEUE] = { { "queue", "one search with a queue per target, as many at once as the device runs", NULL },
                &mw_path_queue },
    { { "frontier",
        "one work-item per vertex, copies the frontier back after each step: kernel 1 (Leist, "
        "Playne, Hawick 2009)",
        "1" },
      &mw_path_frontier },
    { { "counter", "as frontier, copies a counter of frontier vertices back instead: kernel 2", "2" },
      &mw_path_counter },
    { { "local", "as counter, sums changes of the counter in local memory first: kernel 3", "3" }, &mw_path_local },
    { { "fours", "as local, with arcs in groups of four after their count: kernel 4", "4" }, &mw_path_fours },
    { { "sorted", "as fours, with vertices sorted by degree: kernel 5", "5" }, &mw_path_sorted },
    { { "update", "as sorted, with a second array for the next frontier and a flag instead of the counter: kernel 6",
        "6" },
      &mw_path_update },
    { { "private", "as sorted, each work-item sums its changes of the counter first: kernel 7", "7" },
      &mw_path_private },
    { { "floyd", "Floyd's algorithm on the matrix of distances: the papers' CPU algorithm; one native thread", NULL },
      &mw_path_floyd },
};

const struct mw_variant *mw_graph_path_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

int mw_graph_paths_memory(const struct mw_graph *graph, const char *variant, struct mw_graph_footprint *memory)
{
    struct mw_graph_footprint found = MW_INIT(found);
    size_t v;
    if (!variant || !strcmp(variant, "auto"))
        return mw_fail(MW_ENOTSUP, "the memory of variant auto depends on the device");
    TRY_RETURN(mw_variant_find(mw_graph_path_variants, variant, &v));
    if (!table[v].is->memory)
        return mw_fail(MW_ENOTSUP, "the memory of variant %s depends on the device", table[v].shown.name);
    TRY_RETURN(MW_RESULT_GIVE(mw_graph_footprint, NULL, rest, memory));
    TRY_RETURN(table[v].is->memory(graph, &found));
    return MW_RESULT_GIVE(mw_graph_footprint, &found, rest, memory);
}

/* ---- checks and choice ---- */

static int paths_choose(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count)
{
    const char *name = job->options.variant;
    bool queue = false;
    size_t v = BITS;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_graph_path_variants, name, &v));
    else
        TRY_RETURN(mw_path_choose(job, devices, device_count, &queue));
    v = queue ? QUEUE : v;
    job->variant = table[v].is;
    job->options.variant = table[v].shown.name;
    return 0;
}

static int paths_take_options(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                              const struct mw_graph_paths_options *options)
{
    struct mw_graph_paths_options *o = &job->options;
    TRY_RETURN(mw_graph_check_given(job->graph, devices[0]));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_paths_options, options, memory_most, &job->options));
    o->by_vertex |= o->reached || o->farthest || o->near || o->inverse;
    TRY_RETURN(mw_targets_make(&job->own, job->graph, job->options.targets, job->options.target_count, &job->targets));
    job->options.targets = job->targets.list;
    job->options.target_count = job->targets.count;
    return paths_choose(job, devices, device_count);
}

/* ---- devices ---- */

/* Returns the number of devices that take part. Variant bits searches from a row of targets as fast as from one. */
static size_t paths_deal(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count)
{
    const double visits = (double)job->graph->arcs + (double)job->graph->vertices;
    const bool bits = job->variant == &mw_path_bits;
    const bool cores = mw_device_info(devices[0])->traits->has_cores;
    const size_t words = cores ? PATHS_CORE_WORDS : PATHS_TEAM_WORDS;
    return mw_targets_deal(&job->targets, devices, device_count, visits * (bits ? BITS_LEVELS : MW_TARGET_TURN),
                           bits ? words * PATHS_WORD : MW_TARGET_TURN);
}

static int paths_add_share(struct mw_path_job *job, struct mw_device *device)
{
    struct mw_path_share *share = &job->share[job->share_count];
    const char *why;
    share->of = job;
    share->on = mw_arc_worker_on(device, job->limits, &share->owner);
    TRY_RETURN(mw_own_owner(&job->own, &share->owner));
    why = job->variant->refuses ? job->variant->refuses(share) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(device)->id, job->options.variant, why);
    job->share_count++;
    return mw_path_tally_make(&share->tally, job->graph->vertices, job->options.by_vertex);
}

static int paths_make(void *share, size_t *at_once)
{
    return ((struct mw_path_share *)share)->of->variant->make(share, at_once);
}

static int paths_run(void *share, size_t first, size_t count)
{
    return ((struct mw_path_share *)share)->of->variant->run(share, first, count);
}

static int paths_finish(void *share)
{
    const struct mw_path_variant *variant = ((struct mw_path_share *)share)->of->variant;
    return variant->finish ? variant->finish(share) : 0;
}

static const struct mw_target_calls calls = { paths_make, paths_run, paths_finish };

int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths)
{
    const double start = mw_work_now();
    struct mw_graph_paths made = MW_INIT(made);
    double began = start;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_paths, NULL, seconds, paths));
    TRY(mw_team_devices(&devices, &device_count, "paths"));
    TRY(paths_take_options(job, devices, device_count, options));
    device_count = paths_deal(job, devices, device_count);
    TRY(mw_own_graph(&job->own, &job->made));
    TRY(mw_own_new(&job->own, device_count, sizeof *job->share, &job->share));
    for (size_t d = 0; d < device_count; d++)
        TRY(paths_add_share(job, devices[d]));
    if (job->graph->directed && job->variant->reversed && !job->targets.rows) {
        TRY(mw_graph_reversed(devices[0], job->graph, &job->made));
        job->reversed = &job->made;
    }
    if (job->targets.count > 0)
        TRY(mw_targets_run(&job->own, &job->targets, job->share, sizeof *job->share, job->share_count, &calls, &began));
    TRY(mw_path_result(job, &made));
    made.preparing = began - start;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_paths, &made, seconds, paths));
out:
    for (size_t s = 0; s < job->share_count; s++)
        mw_path_tally_drop(&job->share[s].tally);
    mw_owner_drop(&job->own);
    return rc;
}

int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths)
{
    struct mw_path_job job = { .graph = graph, .reversed = graph, .limits = limits };
    return mw_path_find(&job, devices, device_count, options, paths);
}

int mw_graph_paths(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                   const struct mw_graph_paths_options *options, struct mw_graph_paths *paths)
{
    return mw_graph_paths_within(devices, device_count, graph, options, &mw_arc_limits_usual, paths);
}

/* ---- rows ---- */

struct taking {
    mw_graph_rows_fn *take;
    void *context;
};

static int give(void *taking, size_t first, size_t count, const void *distances)
{
    const struct taking *t = taking;
    return t->take(t->context, first, count, distances);
}

int mw_graph_distance_rows(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                           const uint32_t *sources, size_t source_count, mw_graph_rows_fn *take, void *context)
{
    const struct mw_graph_paths_options options = {
        .size = sizeof options, .variant = "queue", .targets = sources, .target_count = source_count
    };
    struct taking taking = { take, context };
    struct mw_target_rows rows = MW_TARGET_ROWS(give, &taking);
    /* Searches follow the arcs of `reversed`; rows need the graph's own arcs. */
    struct mw_path_job job = {
        .graph = graph, .reversed = graph, .limits = &mw_arc_limits_usual, .targets.rows = &rows
    };
    struct mw_graph_paths paths = MW_INIT(paths);
    TRY_RETURN(mw_path_find(&job, devices, device_count, &options, &paths));
    mw_graph_paths_free(&paths);
    return 0;
}
/* SPDX-License-Identifier: MIT */
