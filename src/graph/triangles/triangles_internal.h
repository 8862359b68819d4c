/* What the variants of counting triangles share.  Internal. */
#ifndef MW_GRAPH_TRIANGLES_INTERNAL_H
#define MW_GRAPH_TRIANGLES_INTERNAL_H

#include <meshwork/graph_measures.h>

#include <stdatomic.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

struct mw_triangle_job;

/* One device at work. */
struct mw_triangle_share {
    struct mw_triangle_job *of;
    struct mw_arc_worker on;
    size_t at_once;              /* units that it takes */
    uint64_t triangles, triples; /* that it found */
    void *state;                 /* the variant's own */
};

struct mw_triangle_job {
    struct mw_device *device;    /* on which graphs are made */
    const struct mw_graph *graph;    /* heads go upwards; neither loops nor several arcs between two vertices */
    const struct mw_graph *reversed; /* arcs the other way round: of an undirected graph the same */
    struct mw_graph made, made_reversed;
    struct mw_graph_triangles_options options;
    const struct mw_arc_limits *limits;
    const struct mw_triangle_variant *variant;
    size_t units;                /* vertices or arcs, whatever the variant works by */
    atomic_size_t next;          /* the first one that no device has taken yet */
    uint64_t *of_vertex, *triples_of_vertex; /* by_vertex */
    struct mw_wide triples;      /* counted by the host */
    uint32_t *of_arc;            /* by_arc, of the arcs of `graph` */
    size_t share_count;
    struct mw_triangle_share *share;
};

/* A variant: one row of a table. `refuses` gives the reason why it cannot work on this graph and device as the end of a
 * sentence, or NULL. `make` and `drop` are about one share, `drop` also after a make that failed half-way; `make`
 * leaves nothing to be compiled later. `prepare` (NULL: nothing) is called once for each share when all are made, and
 * belongs to the time that is measured. `run` counts in units from `first` on, and waits; `finish` (NULL: nothing) is
 * called once behind all runs, for one share after the other. Threads: a share is one thread's at a time. */
struct mw_triangle_variant {
    bool by_arcs;                /* units are arcs, not vertices */
    bool reversed;               /* needs that graph */
    bool each;                   /* counts for each vertex and arc */
    bool both_ways;              /* finds each triangle of an undirected graph twice, and each triple */
    bool counts_triples;
    const char *(*refuses)(const struct mw_triangle_share *share);
    int (*make)(struct mw_triangle_share *share);
    int (*prepare)(struct mw_triangle_share *share);
    int (*run)(struct mw_triangle_share *share, size_t first, size_t count);
    int (*finish)(struct mw_triangle_share *share);
    void (*drop)(struct mw_triangle_share *share);
};
/* choose.c: whether variant vertices is better than oriented. */
bool mw_triangle_walks_are_few(const struct mw_triangle_job *job, struct mw_device *const *devices,
                               size_t device_count);

/* oriented.c, walks.c. */
extern const struct mw_triangle_variant mw_triangle_oriented, mw_triangle_vertices, mw_triangle_arcs,
    mw_triangle_sorted, mw_triangle_image, mw_triangle_copies;

/* ---- simple.c ---- */

/* Whether heads go upwards, without loops and without several arcs between two vertices. */
int mw_graph_is_simple(const struct mw_graph *graph, unsigned threads, bool *simple);
int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple);

/* ---- result.c ---- */

/* For variants that do not count them. */
void mw_triangle_count_triples(struct mw_triangle_job *job);

/* Adds what was found for the arcs of the list of u.  `backwards`: in a directed graph they lead from heads to u. */
void mw_triangle_tell_arcs(struct mw_triangle_job *job, size_t u, const uint32_t *heads, const uint32_t *found,
                           size_t count, bool backwards);
int mw_triangle_result(struct mw_triangle_job *job, const struct mw_graph *given, struct mw_graph_triangles *triangles);

/* For tests: with other limits. */
int mw_graph_triangles_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, const struct mw_arc_limits *limits,
                              struct mw_graph_triangles *triangles);

#endif
/* SPDX-License-Identifier: MIT */
