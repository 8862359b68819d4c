/* Weighted distances between all vertices: checks options, chooses variants, sums up the results; distances as rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/core/team.h"
#include "graph/distances/lengths_internal.h"

/* clang-format off */
static const struct { struct mw_variant shown; const struct mw_length_variant *is; } table[] = {
    [MW_LENGTH_TILES] = { { "tiles",
        "by weights: Floyd-Warshall in tiles of the matrix (Venkataraman et al. 2003); also weights "
        "below 0, one device", NULL }, &mw_length_tiles },
    [MW_LENGTH_DELTA] = { { "delta",
        "by weights: delta-stepping, one target per thread; weights of 0 or more, native devices", NULL },
                          &mw_length_delta },
    [MW_LENGTH_NEAR_FAR] = { { "near-far",
        "by weights: a near and a far pile, one target after the other; weights of 0 or more", "piles" },
      &mw_length_near_far },
    [MW_LENGTH_DIJKSTRA] = { { "dijkstra",
        "by weights: Dijkstra's algorithm with a heap, one target per thread; weights of 0 or "
        "more, native devices", NULL }, &mw_length_dijkstra },
    [MW_LENGTH_ROUNDS] = { { "rounds",
        "by weights: relaxes all arcs until nothing changes, one target after the other; also weights "
        "below 0, arcs may exceed device memory", NULL }, &mw_length_rounds },
};
/* clang-format on */

const struct mw_variant *mw_graph_length_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

/* ---- results per thread ---- */

void mw_length_add(struct mw_length_share *share, unsigned worker, size_t target, const int64_t *distance)
{
    struct mw_length_tally *t = &share->tally[worker];
    const uint32_t from = share->of->targets.list[target];
    uint64_t pairs = 0;
    mw_i128 sum = 0;
    for (size_t v = 0; v < share->search.graph->vertices; v++) {
        const int64_t d = distance[v];
        if (d == MW_NO_DISTANCE || v == from)
            continue;
        t->longest = !t->any || d > t->longest ? d : t->longest;
        t->any = true;
        pairs++;
        sum += d;
        if (!t->reached)
            continue;
        t->farthest[v] = t->reached[v] == 0 || d > t->farthest[v] ? d : t->farthest[v];
        t->reached[v]++;
        t->near[v] += d;
    }
    pthread_mutex_lock(&share->lock);
    mw_target_add(&share->of->targets, target, pairs, sum);
    pthread_mutex_unlock(&share->lock);
}

/* ---- devices ---- */

/* Returns the number of concurrent searches. */
static unsigned threads_of(const struct mw_length_share *share)
{
    return share->search.native ? mw_executor_threads(share->search.executor) : 1;
}

static int make_tallies(struct mw_length_share *share)
{
    const size_t n = share->of->graph->vertices;
    const unsigned threads = threads_of(share);
    TRY_RETURN(mw_new(threads, sizeof *share->tally, &share->tally));
    for (unsigned t = 0; t < threads && share->of->options.by_vertex; t++) {
        TRY_RETURN(mw_new(n, sizeof *share->tally[t].reached, &share->tally[t].reached));
        TRY_RETURN(mw_new(n, sizeof *share->tally[t].farthest, &share->tally[t].farthest));
        TRY_RETURN(mw_new(n, sizeof *share->tally[t].near, &share->tally[t].near));
    }
    return 0;
}

static void drop_share(struct mw_length_share *share)
{
    mw_owner_drop(&share->owner);
    for (unsigned t = 0; share->tally && t < threads_of(share); t++) {
        free(share->tally[t].reached);
        free(share->tally[t].farthest);
        free(share->tally[t].near);
    }
    free(share->tally);
    mw_executor_free(share->search.executor);
    pthread_mutex_destroy(&share->lock);
}

static int distances_lengths_add_share(struct mw_length_job *job, struct mw_device *device, size_t number)
{
    struct mw_length_share *share = &job->share[number];
    share->of = job;
    share->search = (struct mw_distance_job){ .device = device,
                                              .graph = job->searched,
                                              .options.block_arcs = job->options.block_arcs };
    TRY_RETURN(mw_distance_take(&share->search));
    return make_tallies(share);
}

static bool is_auto(const char *name) { return !name || strcmp(name, "auto") == 0; }

/* Chooses the named variant, or one that suits the device. */
static int distances_lengths_choose(struct mw_length_share *share, const char *name)
{
    size_t v;
    const char *why;
    if (!is_auto(name))
        TRY_RETURN(mw_variant_find(mw_graph_length_variants, name, &v));
    else
        v = mw_length_choose(share);
    share->variant = table[v].is;
    share->name = table[v].shown.name;
    why = share->variant->refuses ? share->variant->refuses(share) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(share->search.device)->id, share->name, why);
    return 0;
}

static int distances_lengths_make(void *share, size_t *at_once)
{
    return ((struct mw_length_share *)share)->variant->make(share, at_once);
}

static int distances_lengths_run(void *share, size_t first, size_t count)
{
    return ((struct mw_length_share *)share)->variant->run(share, first, count);
}

static int distances_lengths_finish(void *share) { return 0; }

static const struct mw_target_calls calls = { distances_lengths_make, distances_lengths_run, distances_lengths_finish };

/* ---- results of all devices ---- */

static void distances_lengths_join(struct mw_length_tally *all, const struct mw_length_tally *t, size_t vertices)
{
    if (!t->any)
        return;
    all->longest = !all->any || t->longest > all->longest ? t->longest : all->longest;
    all->any = true;
    for (size_t v = 0; all->reached && v < vertices; v++) {
        if (t->reached[v] == 0)
            continue;
        all->farthest[v] =
            all->reached[v] == 0 || t->farthest[v] > all->farthest[v] ? t->farthest[v] : all->farthest[v];
        all->reached[v] += t->reached[v];
        all->near[v] += t->near[v];
    }
}

static struct mw_wide wide_of(mw_i128 sum) { return (struct mw_wide){ (uint64_t)sum, (uint64_t)(sum >> 64) }; }

/* Joins all tallies in the first one. */
static int result(struct mw_length_job *job, struct mw_graph_lengths *found)
{
    struct mw_length_tally *all = &job->share[0].tally[0];
    const struct mw_graph_lengths_options *o = &job->options;
    const size_t n = job->graph->vertices;
    const struct mw_target_sums sums = mw_targets_sum(&job->targets, n);
    const double unit = pow(10, -job->graph->decimals);
    struct mw_wide *near = NULL;
    if (o->by_vertex)
        TRY_RETURN(mw_new_unless(o->near, n, sizeof *near, &near));
    for (size_t s = 0; s < job->share_count; s++)
        for (unsigned t = 0; t < threads_of(&job->share[s]); t++)
            if (&job->share[s].tally[t] != all)
                distances_lengths_join(all, &job->share[s].tally[t], n);
    for (size_t v = 0; near && v < n; v++)
        near[v] = wide_of(all->near[v]);
    *found = (struct mw_graph_lengths){ .vertices = n,
                                        .targets = job->targets.count,
                                        .decimals = job->graph->decimals,
                                        .pairs = sums.pairs,
                                        .unreachable = sums.unreachable,
                                        .sum = wide_of(sums.sum),
                                        .mean = sums.mean * unit,
                                        .half_width = sums.half_width * unit,
                                        .longest = all->longest,
                                        .reached = all->reached,
                                        .farthest = all->farthest,
                                        .near = o->near ? NULL : near,
                                        .variant = job->share[0].name };
    mw_move_to(o->reached, n, sizeof *found->reached, &found->reached);
    mw_move_to(o->farthest, n, sizeof *found->farthest, &found->farthest);
    all->reached = NULL;
    all->farthest = NULL;
    return 0;
}

/* ---- interface ---- */

/* Checks the caller's graph, not the reversed one, so that a cycle is named along its arcs. */
static int check_cycles(const struct mw_length_job *job)
{
    struct mw_distance_job search = job->share[0].search;
    int64_t *distance = NULL;
    int rc;
    search.graph = job->graph;
    search.weights = job->graph->weights;
    TRY(mw_new(job->graph->vertices, sizeof *distance, &distance));
    TRY(mw_distance_negative(&search, NULL, 0, distance));
out:
    free(distance);
    return rc;
}

static int distances_lengths_take_options(struct mw_length_job *job, struct mw_device *first,
                                          const struct mw_graph_lengths_options *options)
{
    struct mw_graph_lengths_options *o = &job->options;
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_lengths_options, options, block_arcs, o));
    o->by_vertex |= o->reached || o->farthest || o->near;
    if (!job->graph->weights)
        return mw_fail(MW_EINVAL, "distances by weights need a graph with weights: use mw_graph_paths");
    TRY_RETURN(mw_graph_check_given(job->graph, first));
    TRY_RETURN(mw_targets_make(&job->own, job->graph, job->options.targets, job->options.target_count, &job->targets));
    if (job->graph->directed && !job->targets.rows) {
        TRY_RETURN(mw_graph_reversed(first, job->graph, &job->made));
        job->searched = &job->made;
    }
    return 0;
}

static int distances_lengths_find(struct mw_length_job *job, struct mw_device *const *devices, size_t device_count,
                                  const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths)
{
    const struct mw_graph *graph = job->graph;
    const double start = mw_work_now();
    struct mw_graph_lengths made = MW_INIT(made);
    double began = start;
    size_t used;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_lengths, NULL, seconds, lengths));
    TRY(mw_team_devices(&devices, &device_count, "distances"));
    TRY(mw_own_graph(&job->own, &job->made));
    TRY(distances_lengths_take_options(job, devices[0], options));
    used = mw_targets_deal(&job->targets, devices, device_count,
                           MW_TARGET_TURN * ((double)graph->arcs + (double)graph->vertices), MW_TARGET_TURN);
    device_count = is_auto(job->options.variant) ? used : device_count;
    TRY(mw_own_new(&job->own, device_count, sizeof *job->share, &job->share));
    job->share_count = device_count;
    for (size_t d = 0; d < device_count; d++)
        pthread_mutex_init(&job->share[d].lock, NULL);
    for (size_t d = 0; d < device_count; d++)
        TRY(distances_lengths_add_share(job, devices[d], d));
    if (job->share[0].search.least < 0)
        TRY(check_cycles(job));
    for (size_t d = 0; d < device_count; d++)
        TRY(distances_lengths_choose(&job->share[d], job->options.variant));
    if (job->targets.count > 0)
        TRY(mw_targets_run(&job->own, &job->targets, job->share, sizeof *job->share, used, &calls, &began));
    TRY(result(job, &made));
    made.preparing = began - start;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_lengths, &made, seconds, lengths));
out:
    for (size_t s = 0; s < job->share_count; s++)
        drop_share(&job->share[s]);
    mw_owner_drop(&job->own);
    return rc;
}

int mw_graph_lengths(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                     const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths)
{
    struct mw_length_job job = { .graph = graph, .searched = graph };
    return distances_lengths_find(&job, devices, device_count, options, lengths);
}

void mw_graph_lengths_free(struct mw_graph_lengths *lengths)
{
    if (!lengths)
        return;
    free(lengths->reached);
    free(lengths->farthest);
    free(lengths->near);
    mw_result_clear(lengths);
}

/* ---- rows ---- */

struct taking {
    mw_graph_length_rows_fn *take;
    void *context;
};

static int give(void *taking, size_t first, size_t count, const void *distances)
{
    const struct taking *t = taking;
    return t->take(t->context, first, count, distances);
}

int mw_graph_length_rows(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                         const uint32_t *sources, size_t source_count, mw_graph_length_rows_fn *take, void *context)
{
    const struct mw_graph_lengths_options options = { .size = sizeof options,
                                                      .targets = sources,
                                                      .target_count = source_count };
    struct taking taking = { take, context };
    struct mw_target_rows rows = MW_TARGET_ROWS(give, &taking);
    struct mw_length_job job = { .graph = graph, .searched = graph, .targets.rows = &rows };
    struct mw_graph_lengths lengths = MW_INIT(lengths);
    TRY_RETURN(distances_lengths_find(&job, devices, device_count, &options, &lengths));
    mw_graph_lengths_free(&lengths);
    return 0;
}
/* SPDX-License-Identifier: MIT */
