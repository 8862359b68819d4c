/* Predecessors from distances: a breadth-first search from the source along the arcs of shortest paths. */
#include <stdlib.h>
#include <string.h>

#include "graph/distances/distances_internal.h"

struct trace {
    const struct mw_distance_job *job;
    struct mw_wave wave;
    uint32_t *arcs; /* arcs of the shortest path with the fewest arcs; UINT32_MAX: not yet known */
    uint32_t *predecessor;
    uint32_t turn;
};

static void least_of(uint32_t *at, uint32_t value)
{
    uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void trace_visit(void *context, uint32_t v, unsigned worker)
{
    struct trace *t = context;
    const struct mw_distance_job *job = t->job;
    const struct mw_graph *g = job->graph;
    const int64_t distance = job->distance[v];
    for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        const uint32_t head = g->heads[i];
        uint32_t arcs = UINT32_MAX;
        if (job->distance[head] != distance + mw_job_weight(job, i))
            continue;
        if (__atomic_load_n(&t->arcs[head], __ATOMIC_RELAXED) == UINT32_MAX &&
            __atomic_compare_exchange_n(&t->arcs[head], &arcs, t->turn, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            mw_wave_push(&t->wave, worker, head);
        if (__atomic_load_n(&t->arcs[head], __ATOMIC_RELAXED) == t->turn)
            least_of(&t->predecessor[head], v);
    }
}

int mw_distance_trace(const struct mw_distance_job *job, uint32_t *predecessor)
{
    const size_t n = job->graph->vertices;
    struct trace t = { .job = job, .predecessor = predecessor, .turn = 1 };
    size_t count;
    int rc;
    TRY(mw_new(n, sizeof *t.arcs, &t.arcs));
    memset(t.arcs, 0xff, n * sizeof *t.arcs);
    memset(predecessor, 0xff, n * sizeof *predecessor);
    TRY(mw_wave_make(job->executor, &t.wave));
    t.arcs[job->from] = 0;
    mw_wave_push(&t.wave, 0, job->from);
    TRY(mw_wave_turn(&t.wave, &count));
    while (count > 0) {
        mw_wave_run(&t.wave, trace_visit, &t);
        TRY(mw_wave_turn(&t.wave, &count));
        t.turn++;
    }
out:
    mw_wave_drop(&t.wave);
    free(t.arcs);
    return rc;
}
/* SPDX-License-Identifier: MIT */
