/* Shared by the variants of distances from one vertex. Internal. */
#ifndef MW_GRAPH_DISTANCES_INTERNAL_H
#define MW_GRAPH_DISTANCES_INTERNAL_H

#include <meshwork/graph_paths.h>

#include "dev/native/executor.h"
#include "graph/graph_internal.h"

/* A search. Variants store all distances, and the time at which the search began. */
struct mw_distance_job {
    struct mw_device *device;
    bool native;
    struct mw_executor *executor; /* threads of a native device; for others, one per core */
    const struct mw_graph *graph;
    const int32_t *weights; /* NULL: each arc has length 1 */
    int32_t least, most;    /* range of the weights */
    uint32_t from;
    struct mw_graph_distances_options options;
    int64_t *distance;
    uint64_t delta;
    double began;
};

static inline int64_t mw_job_weight(const struct mw_distance_job *job, uint64_t arc)
{
    return job->weights ? job->weights[arc] : 1;
}

/* A variant: one row of a table. `refuses` returns NULL, or why the variant cannot run the job, as the end of a
 * sentence. */
struct mw_distance_variant {
    const char *(*refuses)(const struct mw_distance_job *job);
    int (*search)(struct mw_distance_job *job);
};
/* distances.c: checks the job's graph, and sets its weights (none with `hops`), their range, and the executor. */
int mw_distance_take(struct mw_distance_job *job);

extern const struct mw_distance_variant mw_distance_levels, mw_distance_delta, mw_distance_near_far,
    mw_distance_dijkstra, mw_distance_rounds;

/* near_far.c: returns whether the device's memory suffices for near-far. */
bool mw_near_far_fit(const struct mw_distance_job *job);

/* delta.c: returns the logarithm of the bin width, chosen so that a vertex has about arcs_within arcs shorter than
 * it. */
unsigned mw_distance_shift(const struct mw_distance_job *job, double arcs_within);

/* ---- wave.c: frontiers in lists per thread ---- */

struct mw_wave_list {
    uint32_t *vertex;
    size_t count, capacity;
    bool failed;
};
struct mw_wave {
    struct mw_executor *executor;
    unsigned threads;
    struct mw_wave_list *next, *now; /* per thread */
    size_t *begin;                   /* first index of each list of `now` among all */
};
int mw_wave_make(struct mw_executor *executor, struct mw_wave *wave);
void mw_wave_drop(struct mw_wave *wave);
/* Adds a vertex to the next frontier, by a thread. */
static inline bool mw_wave_room(struct mw_wave_list *list);
static inline void mw_wave_push(struct mw_wave *wave, unsigned worker, uint32_t vertex)
{
    struct mw_wave_list *list = &wave->next[worker];
    if (list->count < list->capacity || mw_wave_room(list))
        list->vertex[list->count++] = vertex;
}
int mw_wave_grow(struct mw_wave_list *list);
static inline bool mw_wave_room(struct mw_wave_list *list) { return mw_wave_grow(list) == 0; }
/* Swaps the frontiers; stores the size of the new one. */
int mw_wave_turn(struct mw_wave *wave, size_t *count);
/* Calls `visit` for each vertex of the frontier, on all threads. */
typedef void mw_wave_visit(void *context, uint32_t vertex, unsigned worker);
void mw_wave_run(struct mw_wave *wave, mw_wave_visit *visit, void *context);

/* ---- trace.c ---- */

/* Finds predecessors by the rule of graph_paths.h from correct distances. */
int mw_distance_trace(const struct mw_distance_job *job, uint32_t *predecessor);

/* ---- negative.c ---- */

/* Computes distances from some vertices at distance 0 (`count` 0: from all); weights may be negative. MW_EDATA: a
 * negative cycle, named in the message. */
int mw_distance_negative(const struct mw_distance_job *job, const uint32_t *from, size_t count, int64_t *distance);

#endif
/* SPDX-License-Identifier: MIT */
