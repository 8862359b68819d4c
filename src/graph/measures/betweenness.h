/* Shared by the variants of betweenness. Internal. */
#ifndef MW_GRAPH_BETWEENNESS_INTERNAL_H
#define MW_GRAPH_BETWEENNESS_INTERNAL_H

#include <stdatomic.h>

#include "graph/measures/betweenness_plan.clh"
#include "graph/measures/measures_internal.h"

struct mw_between_job;

/* One device's share. */
struct mw_between_share {
    struct mw_between_job *of;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks out, in; /* in: only of a directed graph; otherwise out has both */
    struct mw_buffer *sources, *too_many;
    size_t at_once; /* sources per run */
    uint64_t *sums; /* per vertex, filled by `finish` */
    void *state;    /* the variant's own state */
};

struct mw_between_job {
    const struct mw_graph *graph, *reversed;
    struct mw_graph made;
    struct mw_graph_betweenness_options options; /* sources are all listed, in `all` if necessary */
    uint32_t *all;
    const struct mw_between_variant *variant;
    bool by_weights;
    int32_t least;      /* smallest weight, with by_weights */
    int32_t bits;       /* 2^bits units of a sum are 1 */
    atomic_size_t next; /* first source not yet taken */
    size_t share_count;
    struct mw_between_share *share;
};

/* A variant: one row of a table, which may have another one for weights. `make` and `drop` handle one share; `drop`
 * must accept a share whose `make` failed. `make` is called after the kernels and the sources are made, and stores how
 * many sources `run` takes at once. `finish` fills the share's sums. */
struct mw_between_variant {
    bool cores;                        /* needs a device with cores */
    const struct mw_kernel_list *list; /* kernels; bit i of `kernels` selects kernel i, 0 selects all */
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

/* betweenness_items.c: returns whether variant vectors (with weights, queue) suits a device. The device must hold the
 * arcs of both directions as well as the searches. */
bool mw_between_items_fit(const struct mw_between_job *job, struct mw_device *device);

/* Bytes of a number of cl/graph/measures/number.clh. */
enum { MW_NUMBER_BYTES = 8 };
/* Returns the bytes of device memory that searches may use. */
uint64_t mw_between_budget(const struct mw_between_share *share);
/* Returns the bytes of the arcs of one direction. */
static inline uint64_t mw_between_arc_bytes(const struct mw_between_job *job)
{
    return (job->graph->arcs * (job->by_weights ? 2 : 1) + job->graph->vertices + 1) * sizeof(uint32_t);
}
/* Returns the blocks of the arcs that lead to vertices. */
static inline struct mw_arc_blocks *mw_between_in(struct mw_between_share *share)
{
    return share->of->reversed != share->of->graph ? &share->in : &share->out;
}

#endif
/* SPDX-License-Identifier: MIT */
