/* Shared by the variants of distances from one vertex. Internal. */
#ifndef MW_GRAPH_DISTANCES_INTERNAL_H
#define MW_GRAPH_DISTANCES_INTERNAL_H

#include <meshwork/graph_paths.h>

#include "dev/native/executor.h"
#include "graph/graph_internal.h"

/* A search for the distances from one vertex to all. */
struct mw_distance_job {
    struct mw_device *device;
    bool native;                  /* the device is native */
    struct mw_executor *executor; /* threads of a native device; for others, one per core */
    const struct mw_graph *graph;
    const int32_t *weights; /* per arc; NULL: each arc has length 1 */
    int32_t least, most;    /* smallest and largest weight; both 1 without weights */
    uint32_t from;          /* the start vertex */
    struct mw_graph_distances_options options;
    int64_t *distance; /* per vertex, stored by the variant; MW_NO_DISTANCE: not reached */
    uint64_t delta;    /* bin width that the variant used; 0: no bins */
    double began;      /* time at which the search began, after preparations; stored by the variant */
};

/* Returns the length of an arc: its weight, or 1 without weights. */
static inline int64_t mw_job_weight(const struct mw_distance_job *job, uint64_t arc)
{
    return job->weights ? job->weights[arc] : 1;
}

/* A variant: an algorithm for distances from one vertex, as a row of the table in distances.c. */
struct mw_distance_variant {
    /* Returns NULL, or the reason why the variant cannot run the job, as the end of a sentence: "needs weights: use
     * levels". NULL: it can run all jobs. */
    const char *(*refuses)(const struct mw_distance_job *job);
    /* Stores job->distance and job->began, and possibly job->delta. */
    int (*search)(struct mw_distance_job *job);
};
/* Checks the job's graph, and prepares the job: sets weights (NULL if options.hops), their range, `native` and the
 * executor, which the caller frees (distances.c). */
int mw_distance_take(struct mw_distance_job *job);

/* The variants of levels.c, delta.c, near_far.c, dijkstra.c and rounds.c. */
extern const struct mw_distance_variant mw_distance_levels, mw_distance_delta, mw_distance_near_far,
    mw_distance_dijkstra, mw_distance_rounds;

/* Returns whether variant near-far can hold the whole graph and its buffers in device memory (near_far.c). False if
 * options.block_arcs is less than the graph's arcs. */
bool mw_near_far_fit(const struct mw_distance_job *job);

/* Returns the base-2 logarithm of the bin width of delta-stepping (delta.c). The width is options.delta if set.
 * Otherwise a vertex has, on average, about arcs_within arcs shorter than the width. */
unsigned mw_distance_shift(const struct mw_distance_job *job, double arcs_within);

/* ---- wave.c: frontiers of breadth-first searches, in lists per thread ---- */

/* A growing list of vertices, to which one thread adds. */
struct mw_wave_list {
    uint32_t *vertex;
    size_t count, capacity;
    bool failed; /* out of memory: vertices are missing */
};
/* The current frontier and the next one. */
struct mw_wave {
    struct mw_executor *executor;
    unsigned threads;
    struct mw_wave_list *next, /* next frontier: a list per thread */
        *now;                  /* current frontier: a list per thread */
    size_t *begin;             /* [threads + 1] index of each list's first vertex in the current frontier */
};
/* Makes empty frontiers for the executor's threads. */
int mw_wave_make(struct mw_executor *executor, struct mw_wave *wave);
/* Frees the frontiers, and zeroes the struct. Accepts a zeroed struct. */
void mw_wave_drop(struct mw_wave *wave);
/* Makes room for one more vertex in a full list. If out of memory, sets list->failed and returns false. */
bool mw_wave_grow(struct mw_wave_list *list);
/* Adds a vertex to the next frontier, in the list of thread `worker`. If out of memory, the next mw_wave_turn fails. */
static inline void mw_wave_push(struct mw_wave *wave, unsigned worker, uint32_t vertex)
{
    struct mw_wave_list *list = &wave->next[worker];
    if (list->count < list->capacity || mw_wave_grow(list))
        list->vertex[list->count++] = vertex;
}
/* Makes the next frontier the current one, stores its size in *count, and empties the next one. MW_ENOMEM: a vertex
 * could not be added. MW_ESTOPPED: the caller's progress function stopped the work. */
int mw_wave_turn(struct mw_wave *wave, size_t *count);
/* Visits a vertex of the frontier, on thread `worker`; calls mw_wave_push for the vertices of the next frontier. */
typedef void mw_wave_visit(void *context, uint32_t vertex, unsigned worker);
/* Calls `visit` for each vertex of the current frontier, divided among the threads. */
void mw_wave_run(struct mw_wave *wave, mw_wave_visit *visit, void *context);

/* ---- trace.c ---- */

/* Computes each vertex's predecessor on a shortest path from job->distance, by the rule of graph_paths.h for ties.
 * MW_NO_VERTEX: the start, or not reached. */
int mw_distance_trace(const struct mw_distance_job *job, uint32_t *predecessor);

/* ---- negative.c ---- */

/* Computes each vertex's distance from the nearest of `count` start vertices (0: all vertices are starts), on one
 * thread. Weights may be negative. MW_EDATA: a cycle is shorter than 0; the message names its vertices. */
int mw_distance_negative(const struct mw_distance_job *job, const uint32_t *from, size_t count, int64_t *distance);

#endif
/* SPDX-License-Identifier: MIT */
