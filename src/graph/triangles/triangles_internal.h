/* Shared by the variants of counting triangles. Internal. */
#ifndef MW_GRAPH_TRIANGLES_INTERNAL_H
#define MW_GRAPH_TRIANGLES_INTERNAL_H

#include <meshwork/graph_measures.h>

#include <stdatomic.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

struct mw_triangle_job;

/* One device's share. */
struct mw_triangle_share {
    struct mw_triangle_job *of;
    struct mw_arc_worker on;
    size_t at_once;              /* units per run */
    uint64_t triangles, triples; /* counts so far */
    void *state;                 /* the variant's own state */
};

struct mw_triangle_job {
    struct mw_device *device;        /* makes graphs */
    const struct mw_graph *graph;    /* sorted heads, no self-loops, no multiple arcs */
    const struct mw_graph *reversed; /* reversed arcs; the same graph if undirected */
    struct mw_graph made, made_reversed;
    struct mw_graph_triangles_options options;
    const struct mw_arc_limits *limits;
    const struct mw_triangle_variant *variant;
    size_t units;                            /* vertices or arcs, depending on the variant */
    atomic_size_t next;                      /* first unit not yet taken */
    uint64_t *of_vertex, *triples_of_vertex; /* with by_vertex */
    double *local;                           /* with by_vertex */
    struct mw_wide triples;                  /* counted by the host */
    uint32_t *of_arc;                        /* with by_arc, for the arcs of `graph`, then of the given graph */
    size_t share_count;
    struct mw_triangle_share *share;
};

/* A variant: one row of a table. `refuses` returns NULL, or why the variant cannot handle this graph and device, as the
 * end of a sentence. `make` and `drop` handle one share; `make` compiles everything, and `drop` must accept a share
 * whose `make` failed. `prepare` (may be NULL) is called once per share after all `make` calls, and is part of the
 * measured time. `run` counts for `count` units from `first` on, and waits. `finish` (may be NULL) is called once after
 * all runs, for one share after the other. Threads: only one thread at a time uses a share. */
struct mw_triangle_variant {
    bool by_arcs;   /* units are arcs, not vertices */
    bool reversed;  /* needs the reversed graph */
    bool each;      /* can count per vertex and arc */
    bool both_ways; /* finds each triangle and triple of an undirected graph twice */
    bool counts_triples;
    const char *(*refuses)(const struct mw_triangle_share *share);
    int (*make)(struct mw_triangle_share *share);
    int (*prepare)(struct mw_triangle_share *share);
    int (*run)(struct mw_triangle_share *share, size_t first, size_t count);
    int (*finish)(struct mw_triangle_share *share);
    void (*drop)(struct mw_triangle_share *share);
};
/* choose.c: returns whether variant vertices is faster than oriented. */
bool mw_triangle_walks_are_few(const struct mw_triangle_job *job, struct mw_device *const *devices,
                               size_t device_count);

/* oriented.c, walks.c. */
extern const struct mw_triangle_variant mw_triangle_oriented, mw_triangle_vertices, mw_triangle_arcs,
    mw_triangle_sorted, mw_triangle_image, mw_triangle_copies;

/* ---- simple.c ---- */

/* Stores whether heads are sorted, without self-loops and multiple arcs. */
int mw_graph_is_simple(const struct mw_graph *graph, unsigned threads, bool *simple);
int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple);

/* ---- result.c ---- */

/* Counts triples for variants that do not. */
void mw_triangle_count_triples(struct mw_triangle_job *job);

/* Adds the counts of the arcs in the list of u. `backwards`: in a directed graph, these lead from heads to u. */
void mw_triangle_give_arcs(struct mw_triangle_job *job, size_t u, const uint32_t *heads, const uint32_t *found,
                           size_t count, bool backwards);
int mw_triangle_result(struct mw_triangle_job *job, const struct mw_graph *given, struct mw_graph_triangles *triangles);

/* For tests: the same with other limits. */
int mw_graph_triangles_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, const struct mw_arc_limits *limits,
                              struct mw_graph_triangles *triangles);

#endif
/* SPDX-License-Identifier: MIT */
