/* Betweenness: checks options, chooses a variant, divides sources among devices, joins sums. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dev/core/backend.h"
#include "dev/core/team.h"
#include "graph/arcs/sizes.clh"
#include "graph/measures/betweenness.h"
#include "graph/targets/targets.h"

enum { VECTORS, QUEUE, LANES };
/* clang-format off */
static const struct { struct mw_variant shown; const struct mw_between_variant *is, *by_weights; } table[] = {
    [VECTORS] = { { "vectors",
        "eight sources at a time per core, as vectors; no weights, devices with CPU cores and double precision", NULL },
      &mw_between_vectors, NULL },
    [QUEUE] = { { "queue",
        "one source at a time per core, with weights by a radix heap (Ahuja et al. 1990); devices "
        "with CPU cores", NULL }, &mw_between_queue, &mw_between_weighted },
    [LANES] = { { "lanes",
        "many sources at once, one work-item per source and vertex, level by level; arcs may "
        "exceed device memory", NULL }, &mw_between_lanes,
                &mw_between_depths },
};
/* clang-format on */

const struct mw_variant *mw_graph_betweenness_variants(size_t i)
{
    return i < MW_COUNT(table) ? &table[i].shown : NULL;
}

/* Macros for devices with double precision; VEC is used by variant vectors only. */
#define DOUBLES "#define REAL_DOUBLE 1\n#define VEC 8\n"

/* ---- checks and choice ---- */

static int take_sources(struct mw_between_job *job)
{
    const size_t n = job->graph->vertices;
    for (size_t s = 0; job->options.sources && s < job->options.source_count; s++)
        if (job->options.sources[s] >= n)
            return mw_fail(MW_EINVAL, "source %zu is vertex %" PRIu32 ", but the graph has %zu", s,
                           job->options.sources[s], n);
    if (job->options.sources)
        return 0;
    TRY_RETURN(mw_own_new(&job->own, n, sizeof *job->all, &job->all));
    for (size_t v = 0; v < n; v++)
        job->all[v] = (uint32_t)v;
    job->options.sources = job->all;
    job->options.source_count = n;
    return 0;
}

/* Chooses the unit of sums. A source adds at most `vertices` to a vertex. All sources together must be at most 2^62
 * units, to leave room for rounding up. */
static int32_t choose_bits(const struct mw_between_job *job)
{
    const double most = (double)job->graph->vertices * (double)job->options.source_count;
    int32_t bits = 62;
    while (bits > 0 && ldexp(most, bits) > ldexp(1, 62))
        bits--;
    return bits;
}

/* With weights of 0, there would be cycles of length 0. */
static int inspect_weights(struct mw_between_job *job)
{
    const struct mw_graph *g = job->graph;
    char tail[MW_NAME_CAPACITY], head[MW_NAME_CAPACITY], weight[MW_WEIGHT_CAPACITY];
    job->by_weights = g->weights && !job->options.hops;
    job->least = INT32_MAX;
    for (uint64_t i = 0; job->by_weights && i < g->arcs; i++)
        job->least = g->weights[i] < job->least ? g->weights[i] : job->least;
    for (size_t v = 0; job->least < 1 && v < g->vertices; v++)
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            if (g->weights[i] < 1)
                return mw_fail(MW_EDATA,
                               "betweenness by weights needs weights above 0, but the edge from %s to %s has "
                               "%s: use the option hops to count edges",
                               mw_name(g->names, v, tail), mw_name(g->names, g->heads[i], head),
                               mw_weight_text(g->weights[i], g->decimals, weight));
    return 0;
}

static int measures_betweenness_choose(struct mw_between_job *job, struct mw_device *const *devices,
                                       size_t device_count)
{
    const char *name = job->options.variant;
    size_t variant = job->by_weights ? QUEUE : VECTORS;
    for (size_t d = 0; d < device_count; d++)
        if (!mw_between_items_fit(job, devices[d]))
            variant = LANES;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_graph_betweenness_variants, name, &variant));
    job->variant = job->by_weights ? table[variant].by_weights : table[variant].is;
    job->options.variant = table[variant].shown.name;
    if (!job->variant)
        return mw_fail(MW_ENOTSUP,
                       "variant %s ignores weights, which this graph has: use queue or lanes, or the option "
                       "hops to count edges",
                       table[variant].shown.name);
    return 0;
}

static int measures_betweenness_take_options(struct mw_between_job *job, struct mw_device *const *devices,
                                             size_t device_count, const struct mw_graph_betweenness_options *options)
{
    TRY_RETURN(mw_graph_check_given(job->graph, devices[0]));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_betweenness_options, options, memory_most, &job->options));
    TRY_RETURN(inspect_weights(job));
    TRY_RETURN(measures_betweenness_choose(job, devices, device_count));
    TRY_RETURN(take_sources(job));
    job->bits = choose_bits(job);
    return 0;
}

/* ---- devices ---- */

/* Returns the number of devices that take part. A search visits all arcs twice in both directions. */
static size_t measures_betweenness_deal(struct mw_between_job *job, struct mw_device *const *devices, size_t count)
{
    enum { VISITS = 4 };
    const double n = (double)job->graph->vertices, visits = VISITS * ((double)job->graph->arcs + n);
    const struct mw_worth work = { .what = "betweenness",
                                   .visits = visits * (double)job->options.source_count,
                                   .bytes = n * sizeof(uint64_t),
                                   .batches = job->options.source_count };
    count = mw_devices_worth(devices, count, &work);
    job->left.alike = mw_devices_alike(devices, count);
    return count;
}

static int measures_betweenness_add_share(struct mw_between_job *job, struct mw_device *device,
                                          const struct mw_arc_limits *limits)
{
    struct mw_between_share *share = &job->share[job->share_count++];
    share->of = job;
    share->on = mw_arc_worker_on(device, limits, &share->owner);
    TRY_RETURN(mw_own_owner(&job->own, &share->owner));
    if (job->variant->cores && !share->on.cores)
        return mw_fail(MW_ENOTSUP, "%s: variant %s needs a device with cores: use lanes", mw_device_info(device)->id,
                       job->options.variant);
    return mw_arc_new(&share->on, job->graph->vertices, sizeof *share->sums, &share->sums);
}

uint64_t mw_between_budget(const struct mw_between_share *share)
{
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const uint64_t memory = info->memory_bytes ? info->memory_bytes : UINT64_MAX, taken = share->on.device->allocated;
    const uint64_t given = share->of->options.memory_most;
    return given ? given : (memory > taken ? memory - taken : 0) / 2;
}

static int make_blocks_of(struct mw_between_share *share, const struct mw_graph *graph, size_t others,
                          struct mw_arc_blocks *blocks)
{
    const struct mw_between_job *job = share->of;
    /* Lanes without weights load several arcs at once, and walk over them faster. */
    const bool fast = job->variant == &mw_between_lanes && !mw_device_info(share->on.device)->traits->loop_rounds;
    const uint64_t vertex_most = share->on.cores ? 0 : share->on.limits->vertex_most * (fast ? ARCS_TURN : 1);
    if (job->by_weights)
        return mw_arc_blocks_make_weighted(&share->on, graph, job->options.block_arcs, vertex_most, others, blocks);
    return mw_arc_blocks_make(&share->on, graph, 0, graph->arcs, job->options.block_arcs, vertex_most, others, blocks);
}

/* Makes the blocks of arcs out of vertices, and of arcs into them. If these do not both fit, each gets half of the
 * memory left. */
static int measures_betweenness_make_blocks(struct mw_between_share *share)
{
    const struct mw_between_job *job = share->of;
    const bool both = job->reversed != job->graph;
    const uint64_t half = mw_memory_left(share->on.device) / 2, into = mw_between_arc_bytes(job);
    TRY_RETURN(make_blocks_of(share, job->graph, !both ? 0 : into < half ? into : half, &share->out));
    return both ? make_blocks_of(share, job->reversed, 0, &share->in) : 0;
}

/* Makes kernels and sources, the variant's own state, then the blocks of arcs. */
static int measures_betweenness_make(void *part, void *unused)
{
    struct mw_between_share *share = part;
    const struct mw_between_job *job = share->of;
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const size_t bytes = job->options.source_count * sizeof *job->options.sources;
    TRY_RETURN(mw_arc_set_new(&share->on, job->variant->list,
                              &(struct mw_kernel_options){ .native = job->variant->native,
                                                           .fp64 = info->fp64,
                                                           .defines = info->fp64 ? DOUBLES : NULL,
                                                           .wanted = job->variant->kernels },
                              &share->set));
    TRY_RETURN(mw_arc_copy(&share->on, bytes, job->options.sources, &share->sources));
    TRY_RETURN(mw_arc_zeros(&share->on, sizeof(uint32_t), &share->too_many));
    TRY_RETURN(job->variant->make(share));
    return measures_betweenness_make_blocks(share);
}

static int check_paths(struct mw_between_share *share)
{
    uint32_t too_many;
    TRY_RETURN(mw_buffer_read(share->too_many, 0, sizeof too_many, &too_many, NULL));
    if (too_many)
        return mw_fail(MW_ELIMIT,
                       "betweenness: a vertex has more than 2^%d shortest paths from another one, which are "
                       "too many to count",
                       BETWEENNESS_MOST);
    return 0;
}

/* Takes sources until there are no more. */
static int measures_betweenness_work(void *part, void *unused)
{
    struct mw_between_share *share = part;
    struct mw_between_job *job = share->of;
    size_t first, taken;
    int rc = 0;
    for (;;) {
        TRY(mw_team_take(&job->left, share->at_once, &first, &taken));
        if (taken == 0)
            break;
        TRY(job->variant->run(share, first, taken));
    }
    TRY(job->variant->finish(share));
    TRY(check_paths(share));
out:
    /* Stops the other devices. */
    if (rc)
        mw_team_stop(&job->left);
    return rc;
}

static int measures_betweenness_find(struct mw_between_job *job, double *began)
{
    struct mw_team *team;
    job->left.all = job->options.source_count;
    job->left.parts = job->share_count;
    job->left.least = 1;
    TRY_RETURN(mw_own_team(&job->own, job->share, sizeof *job->share, job->share_count, &team));
    TRY_RETURN(mw_team_run(team, measures_betweenness_make, NULL));
    for (size_t s = 0; s < job->share_count && !job->left.alike; s++)
        job->left.least = mw_max(job->left.least, job->share[s].at_once / 8 + 1);
    *began = mw_work_now();
    return mw_team_run(team, measures_betweenness_work, NULL);
}

/* ---- results ---- */

static int result(const struct mw_between_job *job, struct mw_graph_betweenness *result)
{
    const size_t n = job->graph->vertices, k = job->options.source_count;
    const double pairs = job->graph->directed ? 1 : 0.5;
    const double scale = job->options.sources == job->all || k == 0 ? pairs : pairs * (double)n / (double)k;
    double *values;
    TRY_RETURN(mw_new_unless(job->options.betweenness, n, sizeof *values, &values));
    for (size_t v = 0; v < n; v++) {
        uint64_t sum = 0;
        for (size_t s = 0; s < job->share_count; s++)
            sum += job->share[s].sums[v];
        values[v] = ldexp((double)sum, -job->bits) * scale;
    }
    *result = (struct mw_graph_betweenness){ .vertices = n,
                                             .sources = k,
                                             .betweenness = job->options.betweenness ? NULL : values,
                                             .variant = job->options.variant,
                                             .by_weights = job->by_weights };
    return 0;
}

int mw_graph_betweenness_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                                const struct mw_graph_betweenness_options *options, const struct mw_arc_limits *limits,
                                struct mw_graph_betweenness *betweenness)
{
    struct mw_between_job job = { .graph = graph, .reversed = graph };
    const double before = mw_work_now();
    struct mw_graph_betweenness made = MW_INIT(made);
    double began = before;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_betweenness, NULL, by_weights, betweenness));
    TRY(mw_team_devices(&devices, &device_count, "betweenness"));
    TRY(measures_betweenness_take_options(&job, devices, device_count, options));
    device_count = measures_betweenness_deal(&job, devices, device_count);
    TRY(mw_own_graph(&job.own, &job.made));
    TRY(mw_own_new(&job.own, device_count, sizeof *job.share, &job.share));
    for (size_t d = 0; d < device_count; d++)
        TRY(measures_betweenness_add_share(&job, devices[d], limits));
    if (graph->directed) {
        TRY(mw_graph_reversed(devices[0], graph, &job.made));
        job.reversed = &job.made;
    }
    if (job.options.source_count > 0)
        TRY(measures_betweenness_find(&job, &began));
    TRY(result(&job, &made));
    made.preparing = began - before;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_betweenness, &made, by_weights, betweenness));
out:
    mw_owner_drop(&job.own);
    return rc;
}

int mw_graph_betweenness(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                         const struct mw_graph_betweenness_options *options, struct mw_graph_betweenness *betweenness)
{
    return mw_graph_betweenness_within(devices, device_count, graph, options, &mw_arc_limits_usual, betweenness);
}

void mw_graph_betweenness_free(struct mw_graph_betweenness *betweenness)
{
    if (!betweenness)
        return;
    free(betweenness->betweenness);
    mw_result_clear(betweenness);
}
/* SPDX-License-Identifier: MIT */
