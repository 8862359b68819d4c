/* Shortest paths: options checked, a variant chosen, targets shared out among devices. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dev/host/team.h"
#include "graph/paths/paths_internal.h"

enum { BITS, QUEUE };
static const struct { struct mw_variant shown; const struct mw_path_variant *is; } table[] = {
    [BITS] = { { "bits", "many targets at once, a bit each; for all devices", NULL }, &mw_path_bits },
    [QUEUE] = { { "queue", "a search from each target, with a queue; for all devices", NULL }, &mw_path_queue },
    { { "frontier", "an item a vertex; the frontier is copied back in each step", "1" }, &mw_path_frontier },
    { { "counter", "a counter of the frontier's vertices is copied back instead", "2" }, &mw_path_counter },
    { { "local", "with changes of the counter collected in local memory", "3" }, &mw_path_local },
    { { "fours", "with arcs in groups of four, which one load brings", "4" }, &mw_path_fours },
    { { "sorted", "with vertices sorted by their numbers of arcs", "5" }, &mw_path_sorted },
    { { "update", "with a second array for the next frontier, and a flag instead of the counter", "6" },
      &mw_path_update },
    { { "private", "as sorted, with changes of the counter collected by each item first", "7" }, &mw_path_private },
    { { "floyd", "Floyd's algorithm on the matrix of distances; one thread of a native device", NULL },
      &mw_path_floyd },
};

const struct mw_variant *mw_graph_path_variants(size_t i)
{
    return i < MW_COUNT(table) ? &table[i].shown : NULL;
}

/* ---- what is given ---- */

static int check_targets(const struct mw_path_job *job)
{
    for (size_t t = 0; t < job->options.target_count; t++)
        if (job->options.targets[t] >= job->graph->vertices)
            return mw_fail(MW_EINVAL, "target %zu is vertex %" PRIu32 ", and the graph has %zu", t,
                           job->options.targets[t], job->graph->vertices);
    return 0;
}

static int all_targets(struct mw_path_job *job)
{
    const size_t n = job->graph->vertices;
    int rc;
    TRY(mw_new(n, sizeof *job->all, &job->all));
    for (size_t v = 0; v < n; v++)
        job->all[v] = (uint32_t)v;
    job->options.targets = job->all;
    job->options.target_count = n;
out:
    return rc;
}

static int choose(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count)
{
    const char *name = job->options.variant;
    bool queue = false;
    size_t v = BITS;
    int rc = 0;
    if (name && strcmp(name, "auto") != 0)
        TRY(mw_variant_find(mw_graph_path_variants, name, &v));
    else
        TRY(mw_path_choose(job, devices, device_count, &queue));
    v = queue ? QUEUE : v;
    job->variant = table[v].is;
    job->options.variant = table[v].shown.name;
out:
    return rc;
}

static int take_options(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                        const struct mw_graph_paths_options *options)
{
    int rc;
    TRY(mw_graph_check_given(job->graph, devices[0]));
    TRY(MW_OPTIONS_TAKE(mw_graph_paths_options, options, progress_context, &job->options));
    TRY(choose(job, devices, device_count));
    if (job->options.targets)
        TRY(check_targets(job));
    else
        TRY(all_targets(job));
    TRY(mw_new(job->options.target_count / PATHS_WORD + 1, sizeof *job->group, &job->group));
out:
    return rc;
}

/* ---- devices ---- */

static int add_share(struct mw_path_job *job, struct mw_device *device)
{
    struct mw_path_share *share = &job->share[job->share_count];
    const char *why;
    *share = (struct mw_path_share){
        .of = job, .on = { device, mw_device_info(device)->traits.has_cores, job->limits } };
    why = job->variant->refuses ? job->variant->refuses(share) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(device)->id, job->options.variant, why);
    job->share_count++;
    return mw_path_tally_make(&share->tally, job->graph->vertices, job->options.by_vertex);
}

static int make(void *part, void *unused)
{
    struct mw_path_share *share = part;
    (void)unused;
    return share->of->variant->make(share, &share->at_once);
}

/* Takes as many targets as the device searches from at once; of several devices, no more than half of its part of those
 * that are left, so that they end together (guided self-scheduling: Polychronopoulos and Kuck, IEEE Transactions on
 * Computers C-36 (1987) 1425).  0: there are none. */
static size_t take_targets(struct mw_path_share *share, size_t *first)
{
    struct mw_path_job *job = share->of;
    size_t count = 0;
    *first = atomic_load(&job->next);
    do {
        const size_t left = job->options.target_count - *first, part = left / (2 * job->share_count);
        const size_t words = (part / PATHS_WORD + 1) * PATHS_WORD, fair = job->share_count > 1 ? words : left;
        if (left == 0)
            return 0;
        count = share->at_once < fair ? share->at_once : fair;
        count = count < left ? count : left;
    } while (!atomic_compare_exchange_weak(&job->next, first, *first + count));
    return count;
}

static int work(void *part, void *unused)
{
    struct mw_path_share *share = part;
    struct mw_path_job *job = share->of;
    size_t first, count;
    int rc = 0;
    (void)unused;
    while ((count = take_targets(share, &first)) > 0) {
        TRY(job->variant->run(share, first, count));
        if (share == job->share && job->options.progress)
            job->options.progress(job->options.progress_context, atomic_load(&job->next), job->options.target_count);
    }
    if (job->variant->finish)
        TRY(job->variant->finish(share));
out:
    /* The others need not go on. */
    if (rc)
        atomic_store(&job->next, job->options.target_count);
    if (rc && job->rows)
        mw_path_rows_fail(job->rows);
    return rc;
}

static int each_share(struct mw_path_job *job, struct mw_team *team, mw_team_job *what)
{
    return team ? mw_team_run(team, what, NULL) : what(&job->share[0], NULL);
}

static int find(struct mw_path_job *job, double *began)
{
    struct mw_team *team = NULL;
    int rc = 0;
    if (job->share_count > 1)
        TRY(mw_team_new(job->share, sizeof *job->share, job->share_count, &team));
    TRY(each_share(job, team, make));
    *began = mw_now();
    TRY(each_share(job, team, work));
out:
    mw_team_free(team);
    for (size_t s = 0; s < job->share_count; s++)
        job->variant->drop(&job->share[s]);
    return rc;
}

int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths)
{
    const double start = mw_now();
    double began = start;
    int rc;
    if (device_count == 0)
        return mw_fail(MW_EINVAL, "no device to search the graph on: give at least one");
    TRY(take_options(job, devices, device_count, options));
    TRY(mw_new(device_count, sizeof *job->share, &job->share));
    for (size_t d = 0; d < device_count; d++)
        TRY(add_share(job, devices[d]));
    if (job->graph->directed && job->variant->reversed && !job->rows) {
        TRY(mw_graph_reversed(devices[0], job->graph, &job->made));
        job->reversed = &job->made;
    }
    if (job->options.target_count > 0)
        TRY(find(job, &began));
    TRY(mw_path_result(job, paths));
    paths->preparing = began - start;
    paths->seconds = mw_now() - began;
out:
    for (size_t s = 0; s < job->share_count; s++)
        mw_path_tally_drop(&job->share[s].tally);
    free(job->share);
    free(job->group);
    free(job->all);
    mw_graph_free(&job->made);
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
