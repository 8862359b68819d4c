/* Builds a range on GPUs: arcs are keys that src/prim sorts. */
#include "graph/build/builder.h"

#include "dev/memory/pieces.h"
#include "dev/own.h"
#include "graph/build/build_plan.clh"
#include "kernels/graph/build/build.h"

struct groups {
    struct mw_owner owner;
    struct mw_graph_job *job;
    const struct mw_graph_range *range;
    struct mw_device *device;
    const struct mw_kernel_set *set;
    struct mw_graph_edges_on on;
    uint64_t words[RANGE_WORDS];
    uint32_t kept;
    struct mw_buffer *plan, *keys, *counters, *places, *heads, *offsets;
};

/* Returns the range of a launch for n elements. */
static struct mw_range range_for(const struct groups *g, uint64_t n)
{
    const size_t each = g->set->group * BUILD_EACH;
    return mw_parts(g->set, (size_t)((n + each - 1) / each));
}

static int make_keys(struct groups *g)
{
    const struct mw_edges *edges = g->job->edges;
    uint32_t counters[COUNTERS];
    uint64_t before = 0;
    TRY_RETURN(mw_graph_edges_open(g->job, &g->on));
    for (uint64_t e = 0; e < edges->count; e += g->on.count) {
        TRY_RETURN(mw_graph_edges_load(g->job, &g->on, e));
        TRY_RETURN(launch_build_keys(g->set, range_for(g, g->on.count), g->on.buffer, (int64_t)g->on.count,
                                     (int64_t)before, g->plan, g->keys, g->counters));
        before += g->on.count * (edges->directed ? 1 : 2);
    }
    TRY_RETURN(mw_buffer_read(g->counters, 0, sizeof counters, counters, NULL));
    if (counters[COUNTER_BAD] > 0)
        return mw_graph_bad_edge(edges);
    return 0;
}

/* Finds which arcs are kept, and their places. */
static int make_places(struct groups *g)
{
    const size_t n = (size_t)g->range->arcs;
    uint32_t counters[COUNTERS];
    g->kept = (uint32_t)n;
    if (!(g->job->flags & BUILD_ONE_BY_ONE))
        return 0;
    TRY_RETURN(mw_own_buffer(&g->owner, g->device, n * sizeof(uint32_t), &g->places));
    TRY_RETURN(launch_build_mark(g->set, range_for(g, n), g->keys, (int64_t)n, g->plan, g->places, g->counters));
    TRY_RETURN(mw_buffer_read(g->counters, 0, sizeof counters, counters, NULL));
    for (size_t i = FOUND_SELF; i < FOUND_WORDS; i++)
        g->job->found[i] += counters[i];
    if (g->job->flags & BUILD_REMOVES)
        TRY_RETURN(mw_prim_scan(g->job->builder->prim, g->places, g->places, n, MW_TYPE_U32, false, &g->kept));
    return 0;
}

static int make_results(struct groups *g)
{
    struct mw_graph_job *job = g->job;
    const struct mw_graph_range *b = g->range;
    const int64_t n = (int64_t)b->arcs, vertices = (int64_t)b->vertices;
    TRY_RETURN(mw_own_buffer(&g->owner, g->device, (size_t)b->arcs * sizeof *job->heads, &g->heads));
    TRY_RETURN(mw_own_buffer(&g->owner, g->device, b->vertices * sizeof *job->offsets, &g->offsets));
    TRY_RETURN(launch_build_heads(g->set, range_for(g, b->arcs), g->keys, n, g->plan, g->places, g->kept, g->heads));
    TRY_RETURN(mw_buffer_read(g->heads, 0, g->kept * sizeof *job->heads, job->heads + job->arcs, NULL));
    if (b->vertices > 0)
        TRY_RETURN(launch_build_offsets(g->set, range_for(g, b->vertices), g->keys, n, g->plan, g->places, g->kept,
                                        g->offsets, vertices));
    TRY_RETURN(mw_buffer_read(g->offsets, 0, b->vertices * sizeof *job->offsets, job->offsets + b->first, NULL));
    job->arcs += g->kept;
    job->found[FOUND_KEPT] += g->kept;
    return 0;
}

int mw_graph_groups_range(struct mw_graph_job *job, const struct mw_graph_range *range)
{
    struct groups g = { .job = job, .range = range, .device = job->builder->device };
    struct mw_pages *heads = mw_pages_begin(g.device, job->heads + job->arcs, (size_t)range->arcs * sizeof *job->heads);
    struct mw_pages *offsets =
        mw_pages_begin(g.device, job->offsets + range->first, range->vertices * sizeof *job->offsets);
    unsigned bits = 0;
    int rc;
    while ((range->hi - range->lo - 1) >> bits > 0)
        bits++;
    mw_graph_plan_words(job, range, g.words);
    TRY(mw_graph_builder_set(job->builder, MW_BUILD_64, &g.set));
    TRY(mw_own_copy(&g.owner, g.device, sizeof g.words, g.words, &g.plan));
    TRY(mw_own_zeros(&g.owner, g.device, COUNTERS * sizeof(uint32_t), &g.counters));
    TRY(mw_own_buffer(&g.owner, g.device, (size_t)range->arcs * sizeof(uint64_t), &g.keys));
    TRY(make_keys(&g));
    TRY(mw_prim_sort(job->builder->prim, g.keys, MW_TYPE_U64, bits, NULL, 0, (size_t)range->arcs));
    TRY(mw_device_flush(g.device));
    mw_pages_end(heads);
    mw_pages_end(offsets);
    heads = offsets = NULL;
    TRY(make_places(&g));
    TRY(make_results(&g));
out:
    mw_pages_end(heads);
    mw_pages_end(offsets);
    mw_graph_edges_close(&g.on);
    mw_owner_drop(&g.owner);
    return rc;
}
/* SPDX-License-Identifier: MIT */
