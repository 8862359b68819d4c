/* What the variants of shortest paths share.  Internal. */
#ifndef MW_GRAPH_PATHS_INTERNAL_H
#define MW_GRAPH_PATHS_INTERNAL_H

#include <meshwork/graph_paths.h>

#include "graph/arcs/arcs.h"
#include "graph/arcs/sizes.clh"
#include "graph/graph_internal.h"
#include "graph/targets/targets.h"
#include "graph/paths/bits_plan.clh"
#include "graph/paths/queue_plan.clh"
#include "graph/paths/sums.clh"

/* What one device has found. */
struct mw_path_tally {
    uint64_t *histogram;         /* by distance, `capacity` of them, zero beyond `longest` */
    size_t longest, capacity;
    uint32_t *reached, *farthest; /* of each vertex, NULL unless wanted */
    uint64_t *near, *inverse;    /* inverse distances in units of which mw_path_unit says how many are 1 */
};

_Static_assert(PATHS_WORD == PATHS_PIECES * (int)MW_TARGET_GROUP, "the targets of a piece are a group of the sample");

struct mw_path_job;

/* One device at work. */
struct mw_path_share {
    struct mw_target_share share;
    struct mw_path_job *of;
    struct mw_arc_worker on;
    struct mw_path_tally tally;
    void *state;                 /* the variant's own */
};

struct mw_path_job {
    const struct mw_graph *graph;    /* arcs lead towards the targets */
    const struct mw_graph *reversed; /* ... away from them: of an undirected graph the same, of a directed one `made` */
    struct mw_graph made;
    struct mw_graph_paths_options options; /* targets: all of them are named */
    struct mw_targets targets;
    const struct mw_arc_limits *limits;
    const struct mw_path_variant *variant;
    size_t share_count;
    struct mw_path_share *share;
};

/* A variant: one row of a table. `refuses` gives the reason why it cannot work on this graph and device as the end
 * of a sentence, or NULL. The others are as those of struct mw_target_calls; `run` adds what it finds to the share's
 * tally and the groups of targets, and waits; `finish` may be NULL. Threads: a share is one thread's at a time. */
struct mw_path_variant {
    bool reversed;               /* needs that graph */
    const char *(*refuses)(const struct mw_path_share *share);
    int (*make)(struct mw_path_share *share, size_t *at_once);
    int (*run)(struct mw_path_share *share, size_t first, size_t count);
    int (*finish)(struct mw_path_share *share);
    void (*drop)(struct mw_path_share *share);
};
/* bits.c, queue.c, frontier.c, floyd.c. */
extern const struct mw_path_variant mw_path_bits, mw_path_queue, mw_path_frontier, mw_path_counter, mw_path_local,
    mw_path_fours, mw_path_sorted, mw_path_update, mw_path_private, mw_path_floyd;

/* paths.c: by what a job has for `graph`, `reversed`, `limits` and `targets.rows`. */
int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);

/* queue.c: the searches that a device makes at once; 0 where it has no memory for one, or would end its loops. */
size_t mw_path_queue_slots(const struct mw_path_job *job, const struct mw_device *device);

/* choose.c: whether variant queue is better than bits, of the job's targets. */
int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue);

/* ---- tally.c ---- */

int mw_path_tally_make(struct mw_path_tally *tally, size_t vertices, bool by_vertex);
void mw_path_tally_drop(struct mw_path_tally *tally);
/* Adds the sums for each vertex. */
void mw_path_tally_add(struct mw_path_tally *to, const struct mw_path_tally *from, size_t vertices);
/* Room for pairs at this distance. */
int mw_path_tally_reach(struct mw_path_tally *tally, size_t distance);
/* `pairs` of the target number `target` at a distance that there is room for. */
static inline void mw_path_add(struct mw_path_share *share, size_t target, size_t distance, uint64_t pairs)
{
    mw_target_add(&share->of->targets, target, pairs, (mw_i128)pairs * (mw_i128)distance);
    share->tally.histogram[distance] += pairs;
    if (pairs > 0 && share->tally.longest < distance)
        share->tally.longest = distance;
}
/* The distances of all vertices to a target, MW_NO_PATH where there is none. */
int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances);
/* 1 as a sum of inverse distances: a power of two, so that as many as there are vertices, or targets, which may be
 * named several times, are at most 2^63. */
uint64_t mw_path_unit(const struct mw_path_job *job);
/* ---- what variants share: shares.c ---- */

/* Sums for each vertex, `slots` times, on a device; without by_vertex there are none.  MW_PATH_SUMS(&sums) stands for
 * the parameters that PATH_SUMS stands for in kernels. */
struct mw_path_sums {
    struct mw_buffer *reached, *farthest, *near, *inverse;
    size_t slots;
};
#define MW_PATH_SUMS(sums) (sums)->reached, (sums)->farthest, (sums)->near, (sums)->inverse
/* Bytes of a slot. */
uint64_t mw_path_sums_bytes(size_t vertices, bool by_vertex);
int mw_path_sums_make(struct mw_path_share *share, size_t slots, struct mw_path_sums *sums);
/* Adds all slots' to the share's tally. */
int mw_path_sums_add(struct mw_path_share *share, const struct mw_path_sums *sums);
void mw_path_sums_drop(struct mw_path_sums *sums);
/* Bytes of a device that searches may take. */
uint64_t mw_path_budget(const struct mw_path_job *job, const struct mw_device *device);
/* The arcs of a graph as one block that stays on the device; MW_ENOTSUP where it does not hold them. */
int mw_path_arcs(struct mw_path_share *share, const struct mw_graph *graph, struct mw_arc_blocks *arcs);

/* All shares' together. */
int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *paths);

/* For tests: with other limits. */
int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths);

#endif
/* SPDX-License-Identifier: MIT */
