/* Building adjacency from edges: the builder, the job, and the functions of src/graph/build. Each section calls only
 * earlier ones. Internal. */
#ifndef MW_GRAPH_BUILDER_H
#define MW_GRAPH_BUILDER_H

#include "dev/core/backend.h"
#include "dev/kernel_set.h"
#include "graph/graph_internal.h"

/* Limits by which the building of a graph is divided. Tests set small ones to reach all cases with small graphs. */
struct mw_build_limits {
    uint64_t range_arcs, /* arcs built at once, at most; 0: as many as the device holds */
        task_arcs;       /* on cores: arcs above which a bin is split again instead of sorted by one work-item */
};

/* Kernel sets of a builder, by the width of their keys. */
enum {
    MW_BUILD_32,  /* keys of 32 bits */
    MW_BUILD_64,  /* keys of 64 bits */
    MW_BUILD_SETS /* number of sets */
};
/* Kernels that build graphs on one device; made once, and reused from graph to graph. */
struct mw_graph_builder {
    struct mw_device *device;
    bool cores;                               /* kernels have the form for CPU cores: see cl/prim/groups.clh */
    size_t units;                             /* compute units of the device, at least 1 */
    struct mw_prim *prim;                     /* primitives in the form for groups; NULL on cores */
    size_t group;                             /* work-items per group, at most; 0 on cores */
    struct mw_kernel_set *set[MW_BUILD_SETS]; /* NULL until mw_graph_builder_set makes it */
    struct mw_build_limits limits;
};
/* Makes a builder in the form that suits the device. The caller frees it. */
int mw_graph_builder_new(struct mw_device *device, struct mw_graph_builder **builder);
/* Makes a builder in a given form: for CPU cores, or for groups of at most `group` work-items. For tests; native
 * devices support only the form for cores. */
int mw_graph_builder_new_form(struct mw_device *device, bool cores, size_t group, struct mw_graph_builder **builder);
/* Frees a builder and its kernels; NULL is allowed. */
void mw_graph_builder_free(struct mw_graph_builder *builder);
/* Stores kernel set `number` (MW_BUILD_32 or MW_BUILD_64) in *set, and compiles it at the first call. The builder owns
 * it. */
int mw_graph_builder_set(struct mw_graph_builder *builder, unsigned number, const struct mw_kernel_set **set);

/* A range of keys whose arcs are built at once. A key has an arc's tail and head: see build_plan.clh. */
struct mw_graph_range {
    uint64_t lo, hi, /* keys from `lo` to below `hi` */
        arcs;        /* number of arcs with such keys */
    /* The vertices whose offsets are made with the range: `vertices` from `first` on. Their smallest possible key is in
     * the range. */
    size_t first, vertices;
};

/* A graph being built: its inputs and intermediate results. */
struct mw_graph_job {
    struct mw_graph_builder *builder;
    const struct mw_edges *edges;
    unsigned flags,               /* BUILD_DIRECTED and other flags of build_plan.clh */
        bits;                     /* bits of a head in a key */
    uint64_t chunk;               /* edges on the device at once */
    struct mw_graph_range *range; /* `ranges` ranges with all arcs, ascending */
    size_t ranges;
    uint64_t *offsets; /* per vertex, and one more: see struct mw_graph */
    uint32_t *heads;
    int32_t *weights;  /* NULL: no weights */
    uint64_t arcs;     /* arcs stored in `heads` so far */
    uint64_t found[4]; /* counts for a report, by FOUND_KEPT and other indices of build_plan.clh */
};

/* Checks the endpoints of all edges. MW_EINVAL: an endpoint is not a vertex; the message names the first such edge. */
int mw_graph_bad_edge(const struct mw_edges *edges);

/* The edges that are on the device: one chunk of all edges at a time. */
struct mw_graph_edges_on {
    struct mw_buffer *buffer, /* edges of the chunk, two endpoints each */
        borrowed;             /* native devices: wraps the edges' own memory */
    uint64_t begin, count;    /* chunk: edges from `begin` on; begin is UINT64_MAX before the first load */
};
/* Allocates the device buffer for a chunk of the job's edges; loads none yet. */
int mw_graph_edges_open(const struct mw_graph_job *job, struct mw_graph_edges_on *on);
/* Loads the chunk that begins with edge `begin`: on->buffer then has on->count edges. */
int mw_graph_edges_load(const struct mw_graph_job *job, struct mw_graph_edges_on *on, uint64_t begin);
/* Frees the buffer of mw_graph_edges_open. */
void mw_graph_edges_close(struct mw_graph_edges_on *on);

/* ---- ranges.c ---- */

/* Plans the job's ranges and its chunk size by the device's memory. MW_EINVAL: an endpoint is not a vertex; checked
 * only if there are several ranges. */
int mw_graph_plan_ranges(struct mw_graph_job *job);
/* Fills in the kernels' plan of a range, the words RANGE_ of build_plan.clh. Words used only on cores are set to 0. */
void mw_graph_plan_words(const struct mw_graph_job *job, const struct mw_graph_range *range, uint64_t *words);

/* ---- forms: cores.c, groups.c ---- */

/* Builds a range by kernels in the form for cores, and adds its arcs and offsets to the job. */
int mw_graph_cores_range(struct mw_graph_job *job, const struct mw_graph_range *range);
/* Builds a range by kernels in the form for groups, and adds its arcs and offsets to the job. */
int mw_graph_groups_range(struct mw_graph_job *job, const struct mw_graph_range *range);

/* ---- job.c ---- */

/* Makes a graph's offsets, heads and weights from edges, with each vertex's heads in the order of
 * MW_GRAPH_ORDER_NUMBER. `counted`: also fills in job->found. The caller frees the job with mw_graph_job_free. */
int mw_graph_job_run(struct mw_graph_builder *builder, const struct mw_edges *edges,
                     const struct mw_graph_options *options, bool counted, struct mw_graph_job *job);
/* Frees the job's arrays. A caller that takes one over sets its pointer to NULL before. */
void mw_graph_job_free(struct mw_graph_job *job);

/* ---- build.c ---- */

/* Builds a graph from edges as mw_graph_new does, by the kernels and limits of `builder`. `report` may be NULL. */
int mw_graph_build(struct mw_graph_builder *builder, const struct mw_edges *edges,
                   const struct mw_graph_options *options, struct mw_graph *graph, struct mw_graph_report *report);

/* ---- order.c ---- */

/* Sorts each vertex's heads in the order of MW_GRAPH_ORDER_DEGREE, together with their weights (NULL: no weights). */
int mw_graph_order_heads(struct mw_graph_builder *builder, size_t vertices, const uint64_t *offsets, uint32_t *heads,
                         int32_t *weights);

/* ---- weighted.c ---- */

/* Makes the offsets, heads, weights and counts of a job with weighted edges, on the host. */
int mw_graph_weighted_run(struct mw_graph_job *job);

#endif
/* SPDX-License-Identifier: MIT */
