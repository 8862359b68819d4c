/* Building adjacency from edges: the builder, the job, and the functions of src/graph/build. Each section calls only
 * earlier ones. Internal. */
#ifndef MW_GRAPH_BUILDER_H
#define MW_GRAPH_BUILDER_H

#include "dev/core/backend.h"
#include "dev/kernel_set.h"
#include "graph/graph_internal.h"

/* For tests: the most arcs built at once (0: as many as the device holds); on cores, the size above which a bin is
 * split again instead of sorted by one work-item. */
struct mw_build_limits {
    uint64_t range_arcs, task_arcs;
};

/* Built once per device, and reused from graph to graph: kernels for keys of 32 and 64 bits, and, in the form for
 * groups, primitives. */
enum { MW_BUILD_32, MW_BUILD_64, MW_BUILD_SETS };
struct mw_graph_builder {
    struct mw_device *device;
    bool cores; /* form of the kernels: see cl/prim/groups.clh */
    size_t units;
    struct mw_prim *prim; /* form for groups */
    size_t group;         /* work-items per group, at most; 0 on cores */
    struct mw_kernel_set *set[MW_BUILD_SETS];
    struct mw_build_limits limits;
};
int mw_graph_builder_new(struct mw_device *device, struct mw_graph_builder **builder);
/* The same in a given form, with groups of at most `group` work-items. For tests: native devices support only the form
 * for cores. */
int mw_graph_builder_new_form(struct mw_device *device, bool cores, size_t group, struct mw_graph_builder **builder);
void mw_graph_builder_free(struct mw_graph_builder *builder);
/* Returns a set of kernels, made at the first call; the builder owns it. */
int mw_graph_builder_set(struct mw_graph_builder *builder, unsigned number, const struct mw_kernel_set **set);

/* Arcs built at once: keys (see build_plan.clh) from lo to below hi, and the offsets of the vertices whose first
 * possible key is among these. */
struct mw_graph_range {
    uint64_t lo, hi, arcs;
    size_t first, vertices;
};

/* A graph being built: its inputs and intermediate results. */
struct mw_graph_job {
    struct mw_graph_builder *builder;
    const struct mw_edges *edges;
    unsigned flags, bits; /* BUILD_ ...; bits of a head in a key */
    uint64_t chunk;       /* edges on the device at once */
    struct mw_graph_range *range;
    size_t ranges;
    uint64_t *offsets;
    uint32_t *heads;
    int32_t *weights;  /* NULL: no weights */
    uint64_t arcs;     /* in `heads` so far */
    uint64_t found[4]; /* FOUND_ ... */
};

/* Returns MW_EINVAL with the first edge that has an invalid endpoint, or 0. */
int mw_graph_bad_edge(const struct mw_edges *edges);

/* Edges on the device, one chunk at a time. */
struct mw_graph_edges_on {
    struct mw_buffer *buffer, borrowed;
    uint64_t begin, count;
};
int mw_graph_edges_open(const struct mw_graph_job *job, struct mw_graph_edges_on *on);
/* Loads the chunk that begins with edge `begin`: on->buffer then has on->count edges. */
int mw_graph_edges_load(const struct mw_graph_job *job, struct mw_graph_edges_on *on, uint64_t begin);
void mw_graph_edges_close(struct mw_graph_edges_on *on);

/* ---- ranges.c ---- */

/* Plans the job's ranges and its chunk size by the device's memory. */
int mw_graph_plan_ranges(struct mw_graph_job *job);
/* Fills in the plan of a range, except the words for cores. */
void mw_graph_plan_words(const struct mw_graph_job *job, const struct mw_graph_range *range, uint64_t *words);

/* ---- forms: cores.c, groups.c ---- */

/* Build a range, and add its arcs and offsets to the job. */
int mw_graph_cores_range(struct mw_graph_job *job, const struct mw_graph_range *range);
int mw_graph_groups_range(struct mw_graph_job *job, const struct mw_graph_range *range);

/* ---- job.c ---- */

/* Makes offsets and heads, in the order of MW_GRAPH_ORDER_NUMBER. `counted`: also counts for a report. */
int mw_graph_job_run(struct mw_graph_builder *builder, const struct mw_edges *edges,
                     const struct mw_graph_options *options, bool counted, struct mw_graph_job *job);
void mw_graph_job_free(struct mw_graph_job *job);

/* ---- order.c ---- */

/* Sorts each vertex's heads by MW_GRAPH_ORDER_DEGREE, together with their weights (NULL: none). */
int mw_graph_order_heads(struct mw_graph_builder *builder, size_t vertices, const uint64_t *offsets, uint32_t *heads,
                         int32_t *weights);

/* ---- weighted.c ---- */

/* Makes offsets, heads and weights of weighted edges, and the counts of a report, on the host. */
int mw_graph_weighted_run(struct mw_graph_job *job);

#endif
/* SPDX-License-Identifier: MIT */
