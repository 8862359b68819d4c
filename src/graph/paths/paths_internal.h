/* Shared by the variants of shortest paths. Internal. */
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

/* Results of one device. */
struct mw_path_tally {
    uint64_t *histogram; /* pairs by distance: `capacity` entries, 0 after `longest` */
    size_t longest, capacity;
    uint32_t *reached, *farthest; /* per vertex; NULL unless wanted */
    uint64_t *near, *inverse;     /* sums of inverse distances, in units of 1 / mw_path_unit */
};

_Static_assert(PATHS_WORD == PATHS_PIECES * (int)MW_TARGET_GROUP, "the targets of a piece are a group of the sample");

struct mw_path_job;

/* One device's share. */
struct mw_path_share {
    struct mw_target_share share;
    struct mw_path_job *of;
    struct mw_arc_worker on;
    struct mw_path_tally tally;
    void *state; /* the variant's own state */
};

struct mw_path_job {
    const struct mw_graph *graph;    /* arcs lead towards the targets */
    const struct mw_graph *reversed; /* arcs lead away from the targets: `graph` if undirected, otherwise `made` */
    struct mw_graph made;
    struct mw_graph_paths_options options; /* targets are all listed, never NULL */
    struct mw_targets targets;
    const struct mw_arc_limits *limits;
    const struct mw_path_variant *variant;
    size_t share_count;
    struct mw_path_share *share;
};

/* A variant: one row of a table. `refuses` returns NULL, or why the variant cannot handle this graph and device, as the
 * end of a sentence. The others are as in struct mw_target_calls; `run` waits, and adds its results to the share's
 * tally and the groups of targets; `finish` may be NULL. Threads: only one thread at a time uses a share. */
struct mw_path_variant {
    bool reversed; /* needs the reversed graph */
    const char *(*refuses)(const struct mw_path_share *share);
    int (*make)(struct mw_path_share *share, size_t *at_once);
    int (*run)(struct mw_path_share *share, size_t first, size_t count);
    int (*finish)(struct mw_path_share *share);
    void (*drop)(struct mw_path_share *share);
};
/* bits.c, queue.c, frontier.c, floyd.c. */
extern const struct mw_path_variant mw_path_bits, mw_path_queue, mw_path_frontier, mw_path_counter, mw_path_local,
    mw_path_fours, mw_path_sorted, mw_path_update, mw_path_private, mw_path_floyd;

/* paths.c: runs a job whose `graph`, `reversed`, `limits` and `targets.rows` are set. */
int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);

/* queue.c: returns the concurrent searches of a device; 0 if it lacks memory for one, or its driver would end their
 * loops. */
size_t mw_path_queue_slots(const struct mw_path_job *job, const struct mw_device *device);

/* choose.c: stores whether variant queue is faster than bits for the job's targets. */
int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue);

/* ---- tally.c ---- */

int mw_path_tally_make(struct mw_path_tally *tally, size_t vertices, bool by_vertex);
void mw_path_tally_drop(struct mw_path_tally *tally);
/* Adds the sums per vertex. */
void mw_path_tally_add(struct mw_path_tally *to, const struct mw_path_tally *from, size_t vertices);
/* Makes room for pairs at this distance. */
int mw_path_tally_reach(struct mw_path_tally *tally, size_t distance);
/* Adds `pairs` of target number `target` at a distance for which there is room. */
static inline void mw_path_add(struct mw_path_share *share, size_t target, size_t distance, uint64_t pairs)
{
    mw_target_add(&share->of->targets, target, pairs, (mw_i128)pairs * (mw_i128)distance);
    share->tally.histogram[distance] += pairs;
    if (pairs > 0 && share->tally.longest < distance)
        share->tally.longest = distance;
}
/* Adds the distances of all vertices to a target (MW_NO_PATH: no path). */
int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances);
/* Returns the unit of inverse distances: a power of two, such that the sum of one per vertex or target (targets may be
 * repeated) is at most 2^63. */
uint64_t mw_path_unit(const struct mw_path_job *job);
/* ---- shares.c: helpers of variants ---- */

/* Sums per vertex on a device, `slots` times; empty without by_vertex. MW_PATH_SUMS(&sums) matches PATH_SUMS in the
 * kernels' parameters. */
struct mw_path_sums {
    struct mw_buffer *reached, *farthest, *near, *inverse;
    size_t slots;
};
#define MW_PATH_SUMS(sums) (sums)->reached, (sums)->farthest, (sums)->near, (sums)->inverse
/* Returns the bytes of one slot. */
uint64_t mw_path_sums_bytes(size_t vertices, bool by_vertex);
int mw_path_sums_make(struct mw_path_share *share, size_t slots, struct mw_path_sums *sums);
/* Adds the sums of all slots to the share's tally. */
int mw_path_sums_add(struct mw_path_share *share, const struct mw_path_sums *sums);
void mw_path_sums_drop(struct mw_path_sums *sums);
/* Returns the bytes of device memory that searches may use. */
uint64_t mw_path_budget(const struct mw_path_job *job, const struct mw_device *device);
/* Makes a graph's arcs one block that stays on the device; MW_ENOTSUP if they do not fit. */
int mw_path_arcs(struct mw_path_share *share, const struct mw_graph *graph, struct mw_arc_blocks *arcs);

/* Joins the results of all shares. */
int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *paths);

/* For tests: the same with other limits. */
int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths);

#endif
/* SPDX-License-Identifier: MIT */
