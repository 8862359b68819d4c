/* What the variants of distances from one vertex share.  Internal. */
#ifndef MW_GRAPH_DISTANCES_INTERNAL_H
#define MW_GRAPH_DISTANCES_INTERNAL_H

#include <meshwork/graph_paths.h>

#include "dev/native/executor.h"
#include "graph/graph_internal.h"

/* What is looked for.  Variants write all distances, and when they began to search. */
struct mw_distance_job {
    struct mw_device *device;
    bool native;
    struct mw_executor *executor;    /* threads of the native device; of others, a thread a core */
    const struct mw_graph *graph;
    const int32_t *weights;          /* NULL: each arc counts 1 */
    int32_t least, most;             /* of these */
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

/* A variant: one row of a table.  `refuses` gives the reason why it cannot do a job as the end of a sentence, or
 * NULL. */
struct mw_distance_variant {
    const char *(*refuses)(const struct mw_distance_job *job);
    int (*search)(struct mw_distance_job *job);
};
/* distances.c: looks at the job's device and graph, at its options' `hops`, and makes the rest. */
int mw_distance_take(struct mw_distance_job *job);

extern const struct mw_distance_variant mw_distance_levels, mw_distance_delta, mw_distance_piles,
    mw_distance_dijkstra, mw_distance_rounds;

/* piles.c: whether a device holds what it needs. */
bool mw_piles_fit(const struct mw_distance_job *job);

/* delta.c: the logarithm of the width of bins, within which a vertex has about so many arcs. */
unsigned mw_distance_shift(const struct mw_distance_job *job, double arcs_within);

/* ---- wave.c: vertices whose turn it is, in lists that threads write ---- */

struct mw_wave_list { uint32_t *vertex; size_t count, capacity; bool failed; };
struct mw_wave {
    struct mw_executor *executor;
    unsigned threads;
    struct mw_wave_list *next, *now; /* of each thread */
    size_t *begin;                   /* of each list in `now` among all */
};
int mw_wave_make(struct mw_executor *executor, struct mw_wave *wave);
void mw_wave_drop(struct mw_wave *wave);
/* For the next turn, by a thread. */
static inline bool mw_wave_room(struct mw_wave_list *list);
static inline void mw_wave_push(struct mw_wave *wave, unsigned worker, uint32_t vertex)
{
    struct mw_wave_list *list = &wave->next[worker];
    if (list->count < list->capacity || mw_wave_room(list))
        list->vertex[list->count++] = vertex;
}
int mw_wave_grow(struct mw_wave_list *list);
static inline bool mw_wave_room(struct mw_wave_list *list) { return mw_wave_grow(list) == 0; }
/* Turns: what was pushed is what there is now; how many these are. */
int mw_wave_turn(struct mw_wave *wave, size_t *count);
/* Calls `visit` for each, by all threads. */
typedef void mw_wave_visit(void *context, uint32_t vertex, unsigned worker);
void mw_wave_run(struct mw_wave *wave, mw_wave_visit *visit, void *context);

/* ---- trace.c ---- */

/* Predecessors by the rule of graph_paths.h, of distances that are right. */
int mw_distance_trace(const struct mw_distance_job *job, uint32_t *predecessor);

/* ---- negative.c ---- */

/* Distances from some vertices, 0 each (`count` 0: from all), where weights may be below 0; MW_EDATA: a cycle,
 * named. */
int mw_distance_negative(const struct mw_distance_job *job, const uint32_t *from, size_t count, int64_t *distance);

#endif
/* SPDX-License-Identifier: MIT */
