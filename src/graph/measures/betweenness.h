/* What the variants of betweenness share.  Internal. */
#ifndef MW_GRAPH_BETWEENNESS_INTERNAL_H
#define MW_GRAPH_BETWEENNESS_INTERNAL_H

#include <stdatomic.h>

#include "graph/measures/betweenness_plan.clh"
#include "graph/measures/measures_internal.h"

struct mw_between_job;

/* One device at work. */
struct mw_between_share {
    struct mw_between_job *of;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks out, in;    /* in: of a directed graph; else out are both */
    struct mw_buffer *sources, *too_many;
    size_t at_once;                  /* sources that it takes */
    uint64_t *sums;                  /* of each vertex, when all is done */
    void *state;                     /* the variant's own */
};

struct mw_between_job {
    const struct mw_graph *graph, *reversed;
    struct mw_graph made;
    struct mw_graph_betweenness_options options; /* sources: all of them are named, by `all` if need be */
    uint32_t *all;
    const struct mw_between_variant *variant;
    bool by_weights;
    int32_t least;                   /* of the weights, where these count */
    int32_t bits;                    /* of 1, in units of sums */
    atomic_size_t next;              /* the first source that no device has taken yet */
    size_t share_count;
    struct mw_between_share *share;
};

/* A variant: one row of a table, which may have another one for weights.  `make` and `drop` are about one share,
 * `drop` also after a make that failed half-way; `make` finds the kernels and arcs there, and says how many sources
 * `run` takes at once.  `finish` fills the share's sums. */
struct mw_between_variant {
    bool cores;                      /* for devices with cores alone */
    const struct mw_kernel_list *list; /* of kernels, of which bit i of `kernels` says that i is wanted; 0: all are */
    const struct mw_native_kernel *native;
    uint64_t kernels;
    int (*make)(struct mw_between_share *share);
    int (*run)(struct mw_between_share *share, size_t first, size_t count);
    int (*finish)(struct mw_between_share *share);
    void (*drop)(struct mw_between_share *share);
};
/* betweenness_items.c, betweenness_lanes.c. */
extern const struct mw_between_variant mw_between_queue, mw_between_weighted, mw_between_vectors, mw_between_lanes,
    mw_between_depths;

/* betweenness_items.c: whether variant vectors, by weights queue, is for a device, which has to hold the arcs in both
 * directions beside what searches may take. */
bool mw_between_items_fit(const struct mw_between_job *job, struct mw_device *device);

/* Bytes of a number of cl/graph/measures/number.clh. */
enum { MW_NUMBER_BYTES = 8 };
/* Bytes of the device that searches may take. */
uint64_t mw_between_budget(const struct mw_between_share *share);
/* Bytes of arcs in one direction. */
static inline uint64_t mw_between_arc_bytes(const struct mw_between_job *job)
{
    return (job->graph->arcs * (job->by_weights ? 2 : 1) + job->graph->vertices + 1) * sizeof(uint32_t);
}
/* Blocks of the arcs that lead to vertices. */
static inline struct mw_arc_blocks *mw_between_in(struct mw_between_share *share)
{
    return share->of->reversed != share->of->graph ? &share->in : &share->out;
}

#endif
/* SPDX-License-Identifier: MIT */
