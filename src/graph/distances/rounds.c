/* Variant rounds: the Bellman-Ford algorithm (cl/graph/distances/rounds.cl), also for graphs larger than the device's
 * memory. */
#include <stdlib.h>

#include "graph/distances/lengths_internal.h"
#include "kernels/graph/distances/rounds.h"
#include "kernels/native.h"

struct mw_rounds_search {
    struct mw_graph reversed;
    struct mw_graph_on graph;
    struct mw_kernel_set *set;
    struct mw_buffer *distance[2], *changed;
};

int mw_graph_on_make(const struct mw_distance_job *job, struct mw_owner *own, const struct mw_graph *graph,
                     size_t others, struct mw_graph_on *made)
{
    made->on = mw_arc_worker_on(job->device, &mw_arc_limits_usual, own);
    if (job->weights)
        return mw_arc_blocks_make_weighted(&made->on, graph, job->options.block_arcs, 0, others, &made->arcs);
    return mw_arc_blocks_make(&made->on, graph, 0, graph->arcs, job->options.block_arcs, 0, others, &made->arcs);
}

int mw_rounds_search_new(const struct mw_distance_job *job, struct mw_owner *own, void **search)
{
    const struct mw_graph *g = job->graph;
    const size_t bytes = g->vertices * sizeof(int64_t);
    struct mw_rounds_search *r;
    TRY_RETURN(mw_own_new(own, 1, sizeof *r, &r));
    TRY_RETURN(mw_own_graph(own, &r->reversed));
    if (g->directed)
        TRY_RETURN(mw_graph_reversed(job->device, g, &r->reversed));
    g = g->directed ? &r->reversed : g;
    TRY_RETURN(mw_graph_on_make(job, own, g, MW_COUNT(r->distance) * bytes + sizeof(uint32_t), &r->graph));
    TRY_RETURN(mw_arc_set_new(&r->graph.on, &kernels_graph_distances_rounds,
                              &(struct mw_kernel_options){ .native = mw_native_graph_distances_rounds }, &r->set));
    for (size_t i = 0; i < MW_COUNT(r->distance); i++)
        TRY_RETURN(mw_arc_buffer(&r->graph.on, bytes, &r->distance[i]));
    *search = r;
    return mw_arc_buffer(&r->graph.on, sizeof(uint32_t), &r->changed);
}

/* Launches a round over all arcs; a vertex with arcs in two blocks continues from the first block's result. */
static int pull(const struct mw_distance_job *job, struct mw_rounds_search *r, unsigned turn)
{
    struct mw_arc_blocks *arcs = &r->graph.arcs;
    struct mw_arc_view view;
    bool cut = false;
    for (size_t b = 0; b < arcs->count; b++) {
        int64_t each;
        const struct mw_range range = mw_arc_range(&r->graph.on, r->set, arcs->block[b].count, &each);
        TRY_RETURN(mw_arc_block_take(arcs, b, &view));
        TRY_RETURN(launch_rounds_pull(r->set, range, r->distance[turn], r->distance[1 - turn], MW_ARCS(&view),
                                      view.weights, job->weights != NULL, cut, r->changed, each));
        cut = arcs->block[b].cut;
    }
    return 0;
}

/* Without negative cycles, ends after at most as many rounds as there are vertices. */
int mw_rounds_search_from(struct mw_distance_job *job, void *search)
{
    struct mw_rounds_search *r = search;
    const size_t n = job->graph->vertices, bytes = n * sizeof(int64_t);
    uint32_t changed = 1;
    for (size_t v = 0; v < n; v++)
        job->distance[v] = v == job->from ? 0 : MW_NO_DISTANCE;
    TRY_RETURN(mw_buffer_write(r->distance[0], 0, bytes, job->distance, NULL));
    for (unsigned turn = 0; changed; turn = 1 - turn) {
        TRY_RETURN(mw_buffer_fill(r->changed, 0, sizeof changed, 0));
        TRY_RETURN(pull(job, r, turn));
        TRY_RETURN(mw_buffer_read(r->changed, 0, sizeof changed, &changed, NULL));
    }
    return mw_buffer_read(r->distance[0], 0, bytes, job->distance, NULL);
}

static int distances_rounds_search(struct mw_distance_job *job)
{
    struct mw_owner own = { 0 };
    void *rounds = NULL;
    int rc;
    if (job->least < 0)
        TRY(mw_distance_negative(job, &job->from, 1, job->distance));
    TRY(mw_rounds_search_new(job, &own, &rounds));
    job->began = mw_work_now();
    TRY(mw_rounds_search_from(job, rounds));
out:
    mw_owner_drop(&own);
    return rc;
}

const struct mw_distance_variant mw_distance_rounds = { NULL, distances_rounds_search };
/* SPDX-License-Identifier: MIT */
