/* Building adjacency from edges: the builder and the job, and what the files of src/graph/build do with them; each
 * calls those before it.  Internal. */
#ifndef MW_GRAPH_BUILDER_H
#define MW_GRAPH_BUILDER_H

#include "dev/core/backend.h"
#include "dev/kernel_set.h"
#include "graph/graph_internal.h"

/* For tests: the most arcs that are built at once, 0: as many as the device holds; and on cores, from how many arcs on
 * a bin is shared out again instead of being sorted by one item. */
struct mw_build_limits { uint64_t range_arcs, task_arcs; };

/* What is built for a device and kept from graph to graph: kernels for keys of 32 and 64 bits, and in the form for
 * groups the primitives. */
enum { MW_BUILD_32, MW_BUILD_64, MW_BUILD_SETS };
struct mw_graph_builder {
    struct mw_device *device;
    bool cores;                  /* the form of the kernels: see cl/prim/groups.clh */
    size_t units;
    struct mw_prim *prim;        /* groups */
    size_t group;                /* items, at most; 0 of cores */
    struct mw_kernel_set *set[MW_BUILD_SETS];
    struct mw_build_limits limits;
};
int mw_graph_builder_new(struct mw_device *device, struct mw_graph_builder **builder);
/* The same in the form that the caller chooses; groups of at most `group` items.  For tests: native devices have the
 * form for cores only. */
int mw_graph_builder_new_form(struct mw_device *device, bool cores, size_t group, struct mw_graph_builder **builder);
void mw_graph_builder_free(struct mw_graph_builder *builder);
/* A set of kernels, made where that has not been done; the builder's. */
int mw_graph_builder_set(struct mw_graph_builder *builder, unsigned number, const struct mw_kernel_set **set);

/* Arcs that are built at once: those of the keys (see build_plan.clh) from lo to below hi, and the offsets of the
 * vertices whose arcs begin among these. */
struct mw_graph_range {
    uint64_t lo, hi, arcs;
    size_t first, vertices;
};

/* One graph being built: what it is made from, and what of it there is. */
struct mw_graph_job {
    struct mw_graph_builder *builder;
    const struct mw_edges *edges;
    unsigned flags, bits;        /* BUILD_ ..., and of a head in a key */
    uint64_t chunk;              /* edges on the device at once */
    struct mw_graph_range *range;
    size_t ranges;
    uint64_t *offsets;
    uint32_t *heads;
    int32_t *weights;            /* NULL: there are none */
    uint64_t arcs;               /* that are in `heads` */
    uint64_t found[4];           /* FOUND_ ... */
};

/* MW_EINVAL: names the first edge with an end that is no vertex. */
int mw_graph_bad_edge(const struct mw_edges *edges);

/* Edges on the device, a chunk at a time. */
struct mw_graph_edges_on { struct mw_buffer *buffer, borrowed; uint64_t begin, count; };
int mw_graph_edges_open(const struct mw_graph_job *job, struct mw_graph_edges_on *on);
/* The chunk that begins with edge `begin`: on->buffer then has on->count edges. */
int mw_graph_edges_load(const struct mw_graph_job *job, struct mw_graph_edges_on *on, uint64_t begin);
void mw_graph_edges_close(struct mw_graph_edges_on *on);

/* ---- ranges.c ---- */

/* The job's ranges and its chunk, by what the device can hold. */
int mw_graph_plan_ranges(struct mw_graph_job *job);
/* The words of a plan for a range, without those that are for cores. */
void mw_graph_plan_words(const struct mw_graph_job *job, const struct mw_graph_range *range, uint64_t *words);

/* ---- forms: cores.c, groups.c ---- */

/* Adds a range's arcs and offsets to the job. */
int mw_graph_cores_range(struct mw_graph_job *job, const struct mw_graph_range *range);
int mw_graph_groups_range(struct mw_graph_job *job, const struct mw_graph_range *range);

/* ---- job.c ---- */

/* Makes offsets and heads, these in the order of MW_GRAPH_ORDER_NUMBER.  `counted`: what a report needs is found. */
int mw_graph_job_run(struct mw_graph_builder *builder, const struct mw_edges *edges,
                     const struct mw_graph_options *options, bool counted, struct mw_graph_job *job);
void mw_graph_job_free(struct mw_graph_job *job);

/* ---- order.c ---- */

/* Puts each vertex's heads in the order of MW_GRAPH_ORDER_DEGREE, and their weights (NULL: none) with them. */
int mw_graph_order_heads(struct mw_graph_builder *builder, size_t vertices, const uint64_t *offsets, uint32_t *heads,
                         int32_t *weights);

/* ---- weighted.c ---- */

/* Makes offsets, heads and weights of edges that have such, and what a report needs, on the host. */
int mw_graph_weighted_run(struct mw_graph_job *job);

#endif
/* SPDX-License-Identifier: MIT */
