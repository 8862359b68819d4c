/* Variant rounds: Bellman's and Ford's algorithm (cl/graph/distances/rounds.cl). */
#include <stdlib.h>

#include "graph/distances/on_device.h"
#include "kernels/graph/distances/rounds.h"
#include "kernels/native.h"

struct rounds {
    struct mw_graph reversed;
    struct mw_graph_on graph;
    struct mw_kernel_set *set;
    struct mw_buffer *distance[2], *changed;
};

static int make(const struct mw_distance_job *job, struct rounds *r)
{
    const struct mw_graph *g = job->graph;
    const size_t bytes = g->vertices * sizeof(int64_t);
    int rc;
    if (g->directed)
        TRY(mw_graph_reversed(job->device, g, &r->reversed));
    g = g->directed ? &r->reversed : g;
    TRY(mw_graph_on_make(job->device, g, job->weights ? g->weights : NULL, "rounds", &r->graph));
    TRY(mw_arc_set_new(&r->graph.on, &kernels_graph_distances_rounds,
                       &(struct mw_kernel_options){ .native = mw_native_graph_distances_rounds }, &r->set));
    for (size_t i = 0; i < MW_COUNT(r->distance); i++)
        TRY(mw_buffer_new(job->device, bytes, &r->distance[i]));
    TRY(mw_buffer_new(job->device, sizeof(uint32_t), &r->changed));
out:
    return rc;
}

static void drop(struct rounds *r)
{
    mw_kernel_set_free(r->set);
    for (size_t i = 0; i < MW_COUNT(r->distance); i++)
        mw_buffer_free(r->distance[i]);
    mw_buffer_free(r->changed);
    mw_graph_on_drop(&r->graph);
    mw_graph_free(&r->reversed);
}

/* Whoever has no cycle below 0 ends after as many rounds as there are vertices. */
static int run(struct mw_distance_job *job, struct rounds *r)
{
    const size_t n = job->graph->vertices, bytes = n * sizeof(int64_t);
    const struct mw_arc_view *view = &r->graph.view;
    uint32_t changed = 1;
    int64_t each;
    const struct mw_range range = mw_arc_range(&r->graph.on, r->set, n, &each);
    int rc;
    for (size_t v = 0; v < n; v++)
        job->distance[v] = v == job->from ? 0 : MW_NO_DISTANCE;
    TRY(mw_buffer_write(r->distance[0], 0, bytes, job->distance, NULL));
    for (unsigned turn = 0; changed; turn = 1 - turn) {
        TRY(mw_buffer_fill(r->changed, 0, sizeof changed, 0));
        TRY(launch_rounds_pull(r->set, range, r->distance[turn], r->distance[1 - turn], MW_ARCS(view),
                               r->graph.weights, job->weights != NULL, r->changed, each));
        TRY(mw_buffer_read(r->changed, 0, sizeof changed, &changed, NULL));
    }
    TRY(mw_buffer_read(r->distance[0], 0, bytes, job->distance, NULL));
out:
    return rc;
}

static int search(struct mw_distance_job *job)
{
    struct rounds rounds = { 0 };
    int rc;
    if (job->least < 0)
        TRY(mw_distance_negative(job, &job->from, 1, job->distance));
    TRY(make(job, &rounds));
    job->began = mw_now();
    TRY(run(job, &rounds));
out:
    drop(&rounds);
    return rc;
}

const struct mw_distance_variant mw_distance_rounds = { NULL, search };
