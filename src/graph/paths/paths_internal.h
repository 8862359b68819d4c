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

/* Results of one device: distances from vertices to its targets. The last four arrays have an element per vertex; they
 * are NULL without options.by_vertex. */
struct mw_path_tally {
    uint64_t *histogram;      /* number of pairs of a vertex and a target at each distance */
    size_t longest, capacity; /* longest distance so far; elements of `histogram`, 0 after `longest` */
    uint32_t *reached,        /* targets that the vertex reaches */
        *farthest;            /* its longest distance to one of these */
    uint64_t *near,           /* sum of its distances */
        *inverse;             /* sum of its inverse distances, in units of 1 / mw_path_unit */
};

/* Variant bits counts per piece of a word, and struct mw_targets per group. */
_Static_assert(PATHS_WORD == PATHS_PIECES * (int)MW_TARGET_GROUP, "the targets of a piece are a group of the sample");

struct mw_path_job;

/* One device's share of the targets, from which it searches. */
struct mw_path_share {
    struct mw_target_share share;
    struct mw_path_job *of;
    struct mw_owner owner; /* frees what is made for the share */
    struct mw_arc_worker on;
    struct mw_path_tally tally;
    void *state; /* the variant's own state */
};

/* A call of mw_graph_paths or mw_graph_distance_rows. */
struct mw_path_job {
    struct mw_owner own;                   /* frees shares, targets and graphs */
    const struct mw_graph *graph;          /* the caller's: paths to the targets follow its arcs */
    const struct mw_graph *reversed;       /* searched from the targets: if directed and no rows are wanted, `made` */
    struct mw_graph made;                  /* the reversed graph, or empty */
    struct mw_graph_paths_options options; /* options.targets is never NULL */
    struct mw_targets targets;
    const struct mw_arc_limits *limits;
    const struct mw_path_variant *variant;
    size_t share_count;
    struct mw_path_share *share;
};

/* A variant: an algorithm for shortest paths, as a row of the table in paths.c. One thread at a time uses a share. */
struct mw_path_variant {
    bool reversed; /* needs the reversed graph */
    /* Returns NULL, or the reason why the variant cannot use this graph and device, as the end of a sentence. NULL: it
     * can use all. */
    const char *(*refuses)(const struct mw_path_share *share);
    /* Makes kernels and buffers, which share->owner frees; stores the most targets per run: all, or a multiple of
     * MW_TARGET_TURN. */
    int (*make)(struct mw_path_share *share, size_t *at_once);
    /* Searches from `count` targets, from number `first` on, and waits. Adds the results by mw_path_add. */
    int (*run)(struct mw_path_share *share, size_t first, size_t count);
    /* Adds sums that are still on the device to share->tally, after the last run. NULL: nothing to add. */
    int (*finish)(struct mw_path_share *share);
    /* Computes the device memory for a graph. NULL: it depends on the device. */
    int (*memory)(const struct mw_graph *graph, struct mw_graph_footprint *memory);
};
/* The variants of bits.c, queue.c, frontier.c and floyd.c. */
extern const struct mw_path_variant mw_path_bits, mw_path_queue, mw_path_frontier, mw_path_counter, mw_path_local,
    mw_path_fours, mw_path_sorted, mw_path_update, mw_path_private, mw_path_floyd;

/* Runs a job whose `graph`, `reversed`, `limits` and `targets.rows` are set, and stores the results in *paths
 * (paths.c). Frees the job's memory. */
int mw_path_find(struct mw_path_job *job, struct mw_device *const *devices, size_t device_count,
                 const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);

/* Returns how many searches variant queue runs at the same time on a device (queue.c). 0: memory is too small for one,
 * or its driver ends loops that are as long as the graph needs. */
size_t mw_path_queue_slots(const struct mw_path_job *job, const struct mw_device *device);

/* Stores in *queue whether variant `auto` uses queue instead of bits, as estimated by a search on the host
 * (choose.c). */
int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue);

/* ---- tally.c ---- */

/* Makes empty results; by_vertex: with the arrays per vertex. After a failure, the caller calls mw_path_tally_drop. */
int mw_path_tally_make(struct mw_path_tally *tally, size_t vertices, bool by_vertex);
/* Frees the arrays of a tally, and zeroes it. */
void mw_path_tally_drop(struct mw_path_tally *tally);
/* Adds the arrays per vertex of *from to those of *to; `farthest` becomes the maximum. */
void mw_path_tally_add(struct mw_path_tally *to, const struct mw_path_tally *from, size_t vertices);
/* Makes room in the histogram for pairs at this distance. */
int mw_path_tally_reach(struct mw_path_tally *tally, size_t distance);
/* Adds `pairs` vertices at the same distance from target number `target`. The histogram must have room for the
 * distance. */
static inline void mw_path_add(struct mw_path_share *share, size_t target, size_t distance, uint64_t pairs)
{
    mw_target_add(&share->of->targets, target, pairs, (mw_i128)pairs * (mw_i128)distance);
    share->tally.histogram[distance] += pairs;
    if (pairs > 0 && share->tally.longest < distance)
        share->tally.longest = distance;
}
/* Adds the distances of all vertices to target number `target` (MW_NO_PATH: no path) to the share's tally. */
int mw_path_add_target(struct mw_path_share *share, size_t target, const int32_t *distances);
/* Returns the integer that represents an inverse distance of 1: a power of two. A sum of one per vertex, or per target,
 * is at most 2^63. */
uint64_t mw_path_unit(const struct mw_path_job *job);
/* ---- shares.c: helpers of variants ---- */

/* The arrays per vertex of a struct mw_path_tally on a device, once per slot: searches that run at the same time add to
 * different slots. Without by_vertex, each buffer has one element, which kernels ignore. */
struct mw_path_sums {
    struct mw_buffer *reached, *farthest, *near, *inverse; /* [slots][vertices] */
    size_t slots;
};
/* Expands to the arguments of a launch that match PATH_SUMS in a kernel's parameters. */
#define MW_PATH_SUMS(sums) (sums)->reached, (sums)->farthest, (sums)->near, (sums)->inverse
/* Returns the bytes of device memory per slot; 0 without by_vertex. */
uint64_t mw_path_sums_bytes(size_t vertices, bool by_vertex);
/* Makes the sums of so many slots, all 0, on the share's device; share->owner frees them. */
int mw_path_sums_make(struct mw_path_share *share, size_t slots, struct mw_path_sums *sums);
/* Copies the sums of all slots to the host, and adds them to share->tally. Does nothing without by_vertex. */
int mw_path_sums_add(struct mw_path_share *share, const struct mw_path_sums *sums);
/* Returns the bytes of device memory that searches may use: options.memory_most, or half of the free memory. */
uint64_t mw_path_budget(const struct mw_path_job *job, const struct mw_device *device);
/* Sends a graph's arcs to the share's device, as one block that stays there. MW_ENOTSUP: they do not fit. After a
 * failure, the caller drops `arcs`. */
int mw_path_arcs(struct mw_path_share *share, const struct mw_graph *graph, struct mw_arc_blocks *arcs);

/* Joins the results of all shares in *paths, except the times. */
int mw_path_result(struct mw_path_job *job, struct mw_graph_paths *paths);

/* Computes shortest paths as mw_graph_paths does, with limits of the caller. For tests. */
int mw_graph_paths_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_paths *paths);

#endif
/* SPDX-License-Identifier: MIT */
