/* Shared by the variants of weighted distances between all vertices. Internal. */
#ifndef MW_GRAPH_LENGTHS_INTERNAL_H
#define MW_GRAPH_LENGTHS_INTERNAL_H

#include "graph/arcs/arcs.h"
#include "graph/distances/distances_internal.h"
#include "graph/targets/targets.h"

/* Results of one thread: distances from vertices to targets. The arrays have an element per vertex; they are NULL
 * without options.by_vertex. */
struct mw_length_tally {
    bool any;          /* a vertex reaches a target */
    int64_t longest;   /* longest distance, if `any` */
    uint32_t *reached; /* targets that the vertex reaches */
    int64_t *farthest; /* its longest distance to one of these */
    mw_i128 *near;     /* the sum of its distances to these */
};

/* A call of mw_graph_lengths or mw_graph_length_rows. */
struct mw_length_job {
    struct mw_owner own;             /* frees shares, targets and graphs */
    const struct mw_graph *graph;    /* the caller's */
    const struct mw_graph *searched; /* searched from the targets: if directed and no rows are wanted, `made` */
    struct mw_graph made;            /* the reversed graph, or empty */
    struct mw_graph_lengths_options options;
    struct mw_targets targets;
    size_t share_count;
    struct mw_length_share *share;
};

/* One device's share of the targets, from which it searches. */
struct mw_length_share {
    struct mw_target_share share;
    struct mw_owner owner; /* frees what is made for the share */
    struct mw_length_job *of;
    const struct mw_length_variant *variant;
    const char *name;              /* the variant's name */
    struct mw_distance_job search; /* template of a search, which sets `from` and `distance` */
    struct mw_length_tally *tally; /* per thread of search.executor */
    pthread_mutex_t lock;          /* protects the groups of targets */
    void *state;                   /* the variant's own state */
};

/* Adds distance[v] between each vertex v and target number `target` to the results of thread `worker` (MW_NO_DISTANCE:
 * no path). Different workers may call it at the same time. */
void mw_length_add(struct mw_length_share *share, unsigned worker, size_t target, const int64_t *distance);
/* Passes `count` rows of distances, from target number `first` on, to the caller's function. Waits until earlier rows
 * were passed. Does nothing if no rows are wanted. */
static inline int mw_length_give(struct mw_length_share *share, size_t first, size_t count, const int64_t *distances)
{
    struct mw_target_rows *rows = share->of->targets.rows;
    return rows ? mw_target_rows_give(rows, first, count, distances) : 0;
}

/* A variant: an algorithm for distances to all targets, as a row of the table in lengths.c. */
struct mw_length_variant {
    /* Returns NULL, or the reason why the variant cannot use the share's device, as the end of a sentence. NULL: it can
     * use all devices. */
    const char *(*refuses)(const struct mw_length_share *share);
    /* Makes kernels and buffers, which share->owner frees; stores the most targets per call of `run`: all, or a
     * multiple of MW_TARGET_TURN. */
    int (*make)(struct mw_length_share *share, size_t *at_once);
    /* Searches from `count` targets, from number `first` on, and adds the results by mw_length_add. */
    int (*run)(struct mw_length_share *share, size_t first, size_t count);
};
/* The variants of tiles.c and each.c. */
extern const struct mw_length_variant mw_length_tiles, mw_length_delta, mw_length_near_far, mw_length_dijkstra,
    mw_length_rounds;

/* Returns whether variant tiles can hold its distance matrix in the device's free memory (tiles.c). */
bool mw_tiles_fit(const struct mw_distance_job *job);

/* Numbers the algorithms for path lengths: their rows in the table of lengths.c. */
enum mw_length_number { MW_LENGTH_TILES, MW_LENGTH_DELTA, MW_LENGTH_NEAR_FAR, MW_LENGTH_DIJKSTRA, MW_LENGTH_ROUNDS };
/* Returns the row of the variant that `auto` uses on a share's device (choose.c). */
enum mw_length_number mw_length_choose(const struct mw_length_share *share);

/* ---- a graph's arcs on a device: rounds.c ---- */

/* A graph's arcs on a device. */
struct mw_graph_on {
    struct mw_arc_worker on;
    struct mw_arc_blocks arcs;
};
/* Sends `graph`, which is the job's or its reverse, to the job's device, in blocks of options.block_arcs. Keeps
 * `others` bytes of device memory free. `own` frees the arcs, and all objects of made->on. */
int mw_graph_on_make(const struct mw_distance_job *job, struct mw_owner *own, const struct mw_graph *graph,
                     size_t others, struct mw_graph_on *made);
/* Returns whether all arcs are on the device at once, in one block. */
static inline bool mw_graph_on_whole(const struct mw_graph_on *made)
{
    return !made->arcs.sent && made->arcs.count == 1;
}

/* ---- repeated searches that keep their buffers: near_far.c, rounds.c ---- */

/* Makes kernels and buffers of variant near-far for the job's graph, which `own` frees. MW_ENOTSUP: the device cannot
 * hold it. */
int mw_near_far_new(const struct mw_distance_job *job, struct mw_owner *own, void **search);
/* Computes job->distance from job->from by variant near-far. */
int mw_near_far_search(struct mw_distance_job *job, void *search);
/* Makes kernels and buffers of variant rounds for the job's graph, which `own` frees. */
int mw_rounds_search_new(const struct mw_distance_job *job, struct mw_owner *own, void **search);
/* Computes job->distance from job->from by variant rounds. */
int mw_rounds_search_from(struct mw_distance_job *job, void *search);

#endif
/* SPDX-License-Identifier: MIT */
