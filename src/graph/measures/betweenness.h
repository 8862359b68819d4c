/* Shared by the variants of betweenness. Internal. */
#ifndef MW_GRAPH_BETWEENNESS_INTERNAL_H
#define MW_GRAPH_BETWEENNESS_INTERNAL_H

#include "dev/core/team.h"
#include "graph/measures/betweenness_plan.clh"
#include "graph/measures/measures_internal.h"

struct mw_between_job;

/* One device's share of the sources. It searches the whole graph from each. */
struct mw_between_share {
    struct mw_between_job *of;
    struct mw_owner owner; /* frees what is made for the share */
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks out,  /* arcs that leave vertices */
        in;                    /* directed graphs: arcs that lead to vertices; otherwise empty */
    struct mw_buffer *sources, /* vertices from which paths are counted, of all shares */
        *too_many;             /* one flag: a vertex has more shortest paths than can be counted */
    size_t at_once;            /* sources per run, at most */
    uint64_t *sums;            /* per vertex, in units of 2^-bits; filled by `finish` */
    void *state;               /* the variant's own state */
};

/* A call of mw_graph_betweenness. */
struct mw_between_job {
    struct mw_owner own;                         /* frees shares and graphs */
    const struct mw_graph *graph,                /* the caller's */
        *reversed;                               /* `made`, with reversed arcs, if directed; otherwise `graph` */
    struct mw_graph made;                        /* empty unless directed */
    struct mw_graph_betweenness_options options; /* options.sources is never NULL */
    uint32_t *all;                               /* the list of all vertices, if these are the sources */
    const struct mw_between_variant *variant;
    bool by_weights;           /* the length of a path is the sum of its weights, not its number of arcs */
    int32_t least;             /* smallest weight, if by_weights */
    int32_t bits;              /* the unit of sums is 2^-bits */
    struct mw_team_units left; /* numbers of sources not yet taken */
    size_t share_count;
    struct mw_between_share *share;
};

/* A variant: an algorithm for betweenness. A row of the table in betweenness.c may have two: without and with
 * weights. */
struct mw_between_variant {
    bool cores;                            /* needs a device with cores */
    const struct mw_kernel_list *list;     /* kernels of its file */
    const struct mw_native_kernel *native; /* these kernels on native devices */
    uint64_t kernels;                      /* bit i selects kernel i of `list`; 0 selects all */
    /* Makes the state of one share, which share->owner frees; stores share->at_once. Kernels and sources exist. */
    int (*make)(struct mw_between_share *share);
    /* Searches from `count` sources, from number `first` on. */
    int (*run)(struct mw_between_share *share, size_t first, size_t count);
    /* Fills in share->sums; called once after the last run. */
    int (*finish)(struct mw_between_share *share);
};
/* The variants of betweenness_items.c and betweenness_lanes.c. */
extern const struct mw_between_variant mw_between_queue, mw_between_weighted, mw_between_vectors, mw_between_lanes,
    mw_between_depths;

/* Returns whether variant vectors (with weights: queue) can run on a device (betweenness_items.c). It needs cores,
 * double precision (without weights), and memory for the arcs of both directions and the searches. */
bool mw_between_items_fit(const struct mw_between_job *job, struct mw_device *device);

/* Bytes of a floating-point number of cl/graph/measures/number.clh, on all devices. */
enum { MW_NUMBER_BYTES = 8 };
/* Returns the bytes of device memory that searches may use: options.memory_most, or half of the free memory. */
uint64_t mw_between_budget(const struct mw_between_share *share);
/* Returns the bytes of device memory for a graph's arcs, of one direction if it is directed. */
static inline uint64_t mw_between_arc_bytes(const struct mw_between_job *job)
{
    return (job->graph->arcs * (job->by_weights ? 2 : 1) + job->graph->vertices + 1) * sizeof(uint32_t);
}
/* Returns the arcs that lead to vertices: `out` of an undirected graph, `in` of a directed one. */
static inline struct mw_arc_blocks *mw_between_in(struct mw_between_share *share)
{
    return share->of->reversed != share->of->graph ? &share->in : &share->out;
}

#endif
/* SPDX-License-Identifier: MIT */
