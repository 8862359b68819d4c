/* Triangles: checks options, chooses a variant, divides vertices or arcs among devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "graph/targets/targets.h"
#include "graph/triangles/triangles_internal.h"

enum { ORIENTED, VERTICES };
/* clang-format off */
static const struct { struct mw_variant shown; const struct mw_triangle_variant *is; } table[] = {
    [ORIENTED] = { { "oriented",
        "follows arcs to vertices of higher degree, finds each triangle once (Chiba, Nishizeki "
        "1985; Schank, Wagner 2005)", NULL }, &mw_triangle_oriented },
    [VERTICES] = { { "vertices",
        "one work-item per vertex, which follows all walks of three arcs from it: algorithm 12", NULL },
                   &mw_triangle_vertices },
    { { "arcs",
        "one work-item per arc, counts and prefetched heads in local memory: algorithms 18 to 20", "1" },
      &mw_triangle_arcs },
    { { "sorted",
        "as arcs, sorted by the degree of their heads: the paper's second GPU kernel", "2" }, &mw_triangle_sorted },
    { { "arcs-image",
        "as arcs, reads heads from an image through the texture cache: the paper's first GPU kernel; "
        "devices with images", NULL }, &mw_triangle_arcs_image },
    { { "image",
        "as sorted, reads heads from an image through the texture cache; devices with images", NULL },
      &mw_triangle_image },
    { { "copies",
        "one work-group per vertex, copies lists to local memory in advance: algorithms 21 to 25; "
        "devices with work-groups",
        "cell" }, &mw_triangle_copies },
};
/* clang-format on */

const struct mw_variant *mw_graph_triangle_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

/* Approximate number of turns of each of several devices. A GPU waits after each turn. */
enum { CORE_TURNS = 32, GPU_TURNS = 8 };

/* ---- options and graph ---- */

static int triangles_take_options(struct mw_triangle_job *job, struct mw_device *const *devices, size_t device_count,
                                  const struct mw_graph_triangles_options *options)
{
    struct mw_graph_triangles_options *o;
    const char *name;
    size_t v = ORIENTED;
    TRY_RETURN(mw_graph_check_given(job->graph, job->device));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_triangles_options, options, block_arcs, &job->options));
    o = &job->options;
    o->by_vertex |= o->of_vertex || o->triples_of_vertex || o->local;
    o->by_arc |= o->of_arc != NULL;
    name = job->options.variant;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_graph_triangle_variants, name, &v));
    else if (mw_triangle_walks_are_few(job, devices, device_count))
        v = VERTICES;
    job->variant = table[v].is;
    job->options.variant = table[v].shown.name;
    if ((job->options.by_vertex || job->options.by_arc) && !job->variant->each)
        return mw_fail(MW_ENOTSUP, "variant %s only counts all triangles: use oriented for counts per vertex or arc",
                       job->options.variant);
    return 0;
}

/* Makes the graph simple, and reverses it if needed. */
static int take_graph(struct mw_triangle_job *job)
{
    const struct mw_graph_triangles_options *o = &job->options;
    const size_t n = job->graph->vertices;
    bool simple;
    TRY_RETURN(mw_graph_simple(job->device, job->graph, &job->made));
    simple = !job->made.memory;
    if (!simple)
        job->graph = job->reversed = &job->made;
    if (job->graph->directed && job->variant->reversed) {
        TRY_RETURN(mw_graph_reversed(job->device, job->graph, &job->made_reversed));
        job->reversed = &job->made_reversed;
    }
    if (o->by_vertex) {
        TRY_RETURN(mw_new_unless(o->of_vertex, n, sizeof *job->of_vertex, &job->of_vertex));
        TRY_RETURN(mw_new_unless(o->triples_of_vertex, n, sizeof *job->triples_of_vertex, &job->triples_of_vertex));
        TRY_RETURN(mw_new_unless(o->local, n, sizeof *job->local, &job->local));
    }
    return o->by_arc
               ? mw_new_unless(simple ? o->of_arc : NULL, (size_t)job->graph->arcs, sizeof *job->of_arc, &job->of_arc)
               : 0;
}

/* ---- devices ---- */

/* Returns the number of devices that take part. Each makes the lists. Lists are at most sqrt(2 arcs) long. Tests of
 * their elements are as many times as fast as visits: measured with R-MAT graphs. */
static size_t triangles_devices(const struct mw_triangle_job *job, struct mw_device *const *devices, size_t count)
{
    enum { CORE_TESTS = 32, GPU_TESTS = 2048 };
    const struct mw_graph *g = job->graph;
    const bool cores = mw_device_info(devices[0])->traits->has_cores;
    const double longest = sqrt(2 * (double)g->arcs);
    double tests = 0;
    for (size_t v = 0; v < g->vertices && count > 1; v++) {
        const double degree = (double)(g->offsets[v + 1] - g->offsets[v]);
        tests += degree * fmin(degree, longest);
    }
    const struct mw_worth work = { .what = "triangles",
                                   .visits = tests / (cores ? CORE_TESTS : GPU_TESTS),
                                   .repeated = (double)g->arcs,
                                   .waits = 2,
                                   /* Lists on two H200s took as much longer as to move these. */
                                   .bytes = 0.3 * (double)g->arcs };
    return mw_devices_worth(devices, count, &work);
}

static int triangles_add_share(struct mw_triangle_job *job, struct mw_device *device)
{
    struct mw_triangle_share *share = &job->share[job->share_count++];
    const char *why;
    share->of = job;
    share->on = mw_arc_worker_on(device, job->limits, &share->owner);
    TRY_RETURN(mw_own_owner(&job->own, &share->owner));
    why = job->variant->refuses ? job->variant->refuses(share) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(device)->id, job->options.variant, why);
    return 0;
}

static int triangles_make(void *part, void *unused)
{
    struct mw_triangle_share *share = part;
    return share->of->variant->make(share);
}

static int triangles_settle(void *part, void *unused)
{
    struct mw_triangle_share *share = part;
    return share->of->variant->settle(share);
}

/* Units are the variant's parts, or arcs: vertices have different numbers of these. */
static void triangles_deal(struct mw_triangle_job *job)
{
    const size_t parts = job->variant->parts ? job->variant->parts(job) : 0, all = (size_t)job->graph->arcs;
    job->parts = parts > 0;
    job->left.all = parts > 0 ? parts : all;
    job->left.parts = job->share_count;
    job->left.alike = job->left.alike && parts > 0;
    job->left.least = 1;
    for (size_t s = 0; s < job->share_count; s++) {
        struct mw_triangle_share *share = &job->share[s];
        const size_t turns = job->share_count * (share->on.cores ? CORE_TURNS : GPU_TURNS);
        const bool several = job->share_count > 1 || mw_progress_wanted();
        share->at_once = parts == 0 && several ? all / turns + 1 : job->left.all + 1;
        if (parts == 0 && several)
            job->left.least = mw_max(job->left.least, share->at_once / 8 + 1);
    }
}

/* Takes units, and runs them. Stores in *more whether any were left. */
static int triangles_turn(struct mw_triangle_share *share, bool *more)
{
    struct mw_triangle_job *job = share->of;
    size_t first, taken, end;
    TRY_RETURN(mw_team_take(&job->left, share->at_once, &first, &taken));
    *more = taken > 0;
    end = first + taken;
    if (!job->variant->by_arcs && !job->parts) {
        first = mw_offset_find(job->graph->offsets, job->graph->vertices, first, false);
        end = mw_offset_find(job->graph->offsets, job->graph->vertices, end, false);
    }
    return first < end ? job->variant->run(share, first, end - first) : 0;
}

static int triangles_work(void *part, void *unused)
{
    struct mw_triangle_share *share = part;
    struct mw_triangle_job *job = share->of;
    bool more, counts = share == &job->share[0] && !job->variant->counts_triples;
    int rc = 0;
    if (job->variant->prepare)
        TRY(job->variant->prepare(share));
    do {
        TRY(triangles_turn(share, &more));
        /* The host counts triples while the device works on queued launches. */
        if (counts) {
            TRY(mw_device_flush(share->on.device));
            mw_triangle_count_triples(job);
            counts = false;
        }
        if (more && job->variant->wait)
            TRY(job->variant->wait(share));
    } while (more);
out:
    /* Stops the other devices. */
    if (rc)
        mw_team_stop(&job->left);
    return rc;
}

static int count(struct mw_triangle_job *job, double *began)
{
    struct mw_team *team;
    TRY_RETURN(mw_own_team(&job->own, job->share, sizeof *job->share, job->share_count, &team));
    TRY_RETURN(mw_team_run(team, triangles_make, NULL));
    triangles_deal(job);
    if (job->variant->settle)
        TRY_RETURN(mw_team_run(team, triangles_settle, NULL));
    *began = mw_work_now();
    TRY_RETURN(mw_team_run(team, triangles_work, NULL));
    for (size_t s = 0; s < job->share_count && job->variant->finish; s++)
        TRY_RETURN(job->variant->finish(&job->share[s]));
    return 0;
}

int mw_graph_triangles_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, const struct mw_arc_limits *limits,
                              struct mw_graph_triangles *triangles)
{
    struct mw_triangle_job job = { .graph = graph, .reversed = graph, .limits = limits };
    const double start = mw_work_now();
    struct mw_graph_triangles made = MW_INIT(made);
    double began = start;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_triangles, NULL, seconds, triangles));
    TRY(mw_team_devices(&devices, &device_count, "triangles"));
    job.device = devices[0];
    TRY(triangles_take_options(&job, devices, device_count, options));
    TRY(mw_own_graph(&job.own, &job.made));
    TRY(mw_own_graph(&job.own, &job.made_reversed));
    TRY(take_graph(&job));
    device_count = triangles_devices(&job, devices, device_count);
    job.left.alike = mw_devices_alike(devices, device_count);
    TRY(mw_own_new(&job.own, device_count, sizeof *job.share, &job.share));
    for (size_t d = 0; d < device_count; d++)
        TRY(triangles_add_share(&job, devices[d]));
    if (job.graph->arcs > 0)
        TRY(count(&job, &began));
    TRY(mw_triangle_result(&job, graph, &made));
    made.preparing = began - start;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_triangles, &made, seconds, triangles));
out:
    mw_owner_drop(&job.own);
    mw_free_own(job.options.of_vertex, job.of_vertex);
    mw_free_own(job.options.triples_of_vertex, job.triples_of_vertex);
    mw_free_own(job.options.local, job.local);
    mw_free_own(job.options.of_arc, job.of_arc);
    return rc;
}

int mw_graph_triangles(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                       const struct mw_graph_triangles_options *options, struct mw_graph_triangles *triangles)
{
    return mw_graph_triangles_within(devices, device_count, graph, options, &mw_arc_limits_usual, triangles);
}
/* SPDX-License-Identifier: MIT */
