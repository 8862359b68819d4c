/* Variant near-far: see cl/graph/distances/near_far.clh. If a distance is too large for 31 bits, the search is repeated
 * by rounds. */
#include <stdlib.h>

#include "graph/distances/lengths_internal.h"
#include "graph/distances/near_far_plan.clh"
#include "kernels/graph/distances/near_far.h"
#include "kernels/native.h"

enum { PULL_FROM = 20 };       /* a level is searched bottom-up if its frontier has more than one vertex in so many */
enum { NEAR_FAR_BUFFERS = 7 }; /* each has one word per vertex */
enum { ARCS_WITHIN = 2 };      /* more than on cores, since each turn costs a launch */
#define NO_LIMIT ((uint32_t)INT32_MAX)

struct mw_near_far {
    struct mw_graph_on graph;
    struct mw_arc_view view;
    struct mw_kernel_set *set;
    struct mw_buffer *distance, *turns, *is_far, *counters, *now, *near, *far, *were_far;
    uint32_t counter[NEAR_FAR_COUNTERS];
    uint32_t delta, done, limit, waiting, far_count;
    int32_t turn;
    bool too_far;
};

/* Bytes of device memory in addition to the arcs. */
static size_t others_of(const struct mw_graph *graph)
{
    return NEAR_FAR_BUFFERS * graph->vertices * sizeof(uint32_t) + NEAR_FAR_COUNTERS * sizeof(uint32_t);
}

bool mw_near_far_fit(const struct mw_distance_job *job)
{
    const struct mw_arc_worker on = { job->device, false, &mw_arc_limits_usual, NULL };
    const uint64_t at_once = job->options.block_arcs ? job->options.block_arcs : UINT64_MAX;
    return job->graph->arcs <= at_once &&
           mw_arc_blocks_fit(&on, job->graph, job->weights != NULL, others_of(job->graph));
}

int mw_near_far_new(const struct mw_distance_job *job, struct mw_owner *own, void **search)
{
    struct mw_near_far *p;
    TRY_RETURN(mw_own_new(own, 1, sizeof *p, &p));
    struct mw_buffer **const buffers[NEAR_FAR_BUFFERS] = { &p->distance, &p->turns, &p->is_far,  &p->now,
                                                           &p->near,     &p->far,   &p->were_far };
    const size_t bytes = job->graph->vertices * sizeof(uint32_t);
    TRY_RETURN(mw_graph_on_make(job, own, job->graph, others_of(job->graph), &p->graph));
    if (!mw_graph_on_whole(&p->graph))
        return mw_fail(MW_ENOTSUP, "%s: variant near-far needs the whole graph in device memory: use rounds",
                       mw_device_info(job->device)->id);
    TRY_RETURN(mw_arc_block_take(&p->graph.arcs, 0, &p->view));
    TRY_RETURN(mw_arc_set_new(&p->graph.on, &kernels_graph_distances_near_far,
                              &(struct mw_kernel_options){ .native = mw_native_graph_distances_near_far }, &p->set));
    for (size_t i = 0; i < MW_COUNT(buffers); i++)
        TRY_RETURN(mw_arc_buffer(&p->graph.on, bytes, buffers[i]));
    *search = p;
    return mw_arc_buffer(&p->graph.on, sizeof p->counter, &p->counters);
}

/* Resets the counters; the far pile keeps `far` vertices. */
static int near_far_clear(struct mw_near_far *p, uint32_t far)
{
    const uint32_t counter[NEAR_FAR_COUNTERS] = { [FAR_BIN] = far, [NEAR_FAR_LEAST] = UINT32_MAX };
    return mw_buffer_write(p->counters, 0, sizeof counter, counter, NULL);
}

static int near_far_look(struct mw_near_far *p)
{
    TRY_RETURN(mw_buffer_read(p->counters, 0, sizeof p->counter, p->counter, NULL));
    mw_buffer_swap(&p->now, &p->near);
    p->waiting = p->counter[NEAR_BIN];
    p->far_count = p->counter[FAR_BIN];
    p->too_far = p->too_far || p->counter[NEAR_FAR_TOO_FAR];
    p->turn++;
    return 0;
}

static int relax(const struct mw_distance_job *job, struct mw_near_far *p)
{
    const struct mw_arc_view *view = &p->view;
    const size_t n = job->graph->vertices;
    const bool pulls = !job->weights && !job->graph->directed && p->waiting > n / PULL_FROM;
    const size_t team = p->graph.on.cores || p->set->group < NEAR_FAR_TEAM ? 1 : NEAR_FAR_TEAM;
    int64_t each;
    const struct mw_range range = mw_arc_range(&p->graph.on, p->set, pulls ? n : p->waiting * team, &each);
    TRY_RETURN(near_far_clear(p, p->far_count));
    if (pulls)
        TRY_RETURN(launch_near_far_pull(p->set, range, MW_ARCS(view), p->distance, p->near, p->counters,
                                        (uint32_t)p->turn, each));
    else
        TRY_RETURN(launch_near_far_relax(p->set, range, p->now, (int32_t)p->waiting, MW_ARCS(view), view->weights,
                                         job->weights != NULL, p->distance, p->turns, p->is_far, p->near, p->far,
                                         p->counters, p->turn, p->limit, each));
    return near_far_look(p);
}

/* Raises the limit to just above the nearest vertex of the far pile, whose distance is known after the first
 * attempt. */
static int split(struct mw_near_far *p)
{
    int64_t each;
    uint32_t least = p->limit;
    do {
        const struct mw_range range = mw_arc_range(&p->graph.on, p->set, p->far_count, &each);
        const uint32_t waiting = p->far_count;
        p->done = p->limit;
        p->limit = least >= NO_LIMIT - 2 * p->delta ? NO_LIMIT : (least / p->delta + 1) * p->delta;
        TRY_RETURN(near_far_clear(p, 0));
        mw_buffer_swap(&p->far, &p->were_far);
        TRY_RETURN(launch_near_far_split(p->set, range, p->were_far, (int32_t)waiting, p->distance, p->turns, p->is_far,
                                         p->near, p->far, p->counters, p->turn, p->done, p->limit, each));
        TRY_RETURN(near_far_look(p));
        least = p->counter[NEAR_FAR_LEAST];
    } while (p->waiting == 0 && p->far_count > 0);
    return 0;
}

static int near_far_run(struct mw_distance_job *job, struct mw_near_far *p)
{
    static const uint32_t zero = 0;
    const size_t bytes = job->graph->vertices * sizeof(uint32_t);
    TRY_RETURN(mw_buffer_fill(p->distance, 0, bytes, (int)(NEAR_FAR_NONE & 0xff)));
    TRY_RETURN(mw_buffer_fill(p->turns, 0, bytes, 0xff));
    TRY_RETURN(mw_buffer_fill(p->is_far, 0, bytes, 0));
    TRY_RETURN(mw_buffer_write(p->distance, job->from * sizeof zero, sizeof zero, &zero, NULL));
    TRY_RETURN(mw_buffer_write(p->now, 0, sizeof job->from, &job->from, NULL));
    p->waiting = 1;
    p->limit = job->weights ? p->delta : NO_LIMIT;
    while (p->waiting > 0 && !p->too_far) {
        TRY_RETURN(relax(job, p));
        if (p->waiting == 0 && p->far_count > 0)
            TRY_RETURN(split(p));
    }
    return 0;
}

static int read_distances(const struct mw_distance_job *job, const struct mw_near_far *p)
{
    const size_t n = job->graph->vertices;
    uint32_t *distance = NULL;
    int rc;
    TRY(mw_new(n, sizeof *distance, &distance));
    TRY(mw_buffer_read(p->distance, 0, n * sizeof *distance, distance, NULL));
    for (size_t v = 0; v < n; v++)
        job->distance[v] = distance[v] == NEAR_FAR_NONE ? MW_NO_DISTANCE : distance[v];
out:
    free(distance);
    return rc;
}

static const char *near_far_refuses(const struct mw_distance_job *job)
{
    return job->least < 0 ? "needs weights of 0 or more: use rounds" : NULL;
}

int mw_near_far_search(struct mw_distance_job *job, void *search)
{
    struct mw_near_far *p = search;
    p->delta = job->weights ? (uint32_t)1 << mw_distance_shift(job, ARCS_WITHIN) : 0;
    p->turn = 0;
    p->far_count = 0;
    p->too_far = false;
    job->delta = p->delta;
    TRY_RETURN(near_far_run(job, p));
    return p->too_far ? mw_distance_rounds.search(job) : read_distances(job, p);
}

static int near_far_search(struct mw_distance_job *job)
{
    struct mw_owner own = { 0 };
    void *near_far = NULL;
    int rc;
    TRY(mw_near_far_new(job, &own, &near_far));
    job->began = mw_work_now();
    TRY(mw_near_far_search(job, near_far));
out:
    mw_owner_drop(&own);
    return rc;
}

const struct mw_distance_variant mw_distance_near_far = { near_far_refuses, near_far_search };
/* SPDX-License-Identifier: MIT */
