/* Shared by the variants of counting triangles. Internal. */
#ifndef MW_GRAPH_TRIANGLES_INTERNAL_H
#define MW_GRAPH_TRIANGLES_INTERNAL_H

#include <meshwork/graph_measures.h>

#include "dev/core/team.h"
#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

struct mw_triangle_job;

/* One device's share of counting triangles. */
struct mw_triangle_share {
    struct mw_triangle_job *of;
    struct mw_owner owner; /* frees what is made for the share */
    struct mw_arc_worker on;
    size_t at_once;              /* units per run, at most */
    uint64_t triangles, triples; /* counts of this device so far */
    void *state;                 /* the variant's own state */
};

/* A call of mw_graph_triangles. */
struct mw_triangle_job {
    struct mw_owner own;                 /* frees shares and graphs */
    struct mw_device *device;            /* first device, which makes graphs */
    const struct mw_graph *graph;        /* simple: sorted heads, no self-loops, no multiple arcs */
    const struct mw_graph *reversed;     /* `graph` with reversed arcs; `graph` if undirected or not needed */
    struct mw_graph made, made_reversed; /* memory of `graph` and `reversed`, unless these are the caller's */
    struct mw_graph_triangles_options options;
    const struct mw_arc_limits *limits;
    const struct mw_triangle_variant *variant;
    struct mw_team_units left;               /* units of work not yet taken: arcs or parts */
    bool parts;                              /* runs are for parts: see struct mw_triangle_variant */
    uint64_t *of_vertex, *triples_of_vertex; /* triangles and triples per vertex; NULL without options.by_vertex */
    double *local;                           /* clustering per vertex; NULL without options.by_vertex */
    struct mw_wide triples;                  /* all triples, as counted by mw_triangle_count_triples */
    uint32_t *of_arc; /* triangles per arc of `graph`, at the end of the caller's graph; NULL without options.by_arc */
    size_t share_count;
    struct mw_triangle_share *share;
};

/* A variant: an algorithm for counting triangles, as a row of the table in triangles.c. One thread at a time uses a
 * share. */
struct mw_triangle_variant {
    bool by_arcs;        /* runs are for arcs, not for vertices */
    bool reversed;       /* needs the reversed graph if directed */
    bool each;           /* can also count per vertex and per arc */
    bool both_ways;      /* finds each triangle and triple of an undirected graph twice */
    bool counts_triples; /* counts share->triples, too; otherwise the host counts them */
    /* Returns NULL, or the reason why the variant cannot use this graph and device, as the end of a sentence. NULL: it
     * can use all. */
    const char *(*refuses)(const struct mw_triangle_share *share);
    /* Compiles the kernels of one share, and makes its buffers and state, which share->owner frees. */
    int (*make)(struct mw_triangle_share *share);
    /* Returns the number of parts that a run counts instead of vertices or arcs, after all `make` calls; 0 or NULL:
     * none. */
    size_t (*parts)(const struct mw_triangle_job *job);
    /* Makes what depends on the result of `parts`. NULL: nothing. */
    int (*settle)(struct mw_triangle_share *share);
    /* Makes what all runs need, after all `make` calls; part of the measured time. NULL: nothing. */
    int (*prepare)(struct mw_triangle_share *share);
    /* Counts for `count` vertices, arcs or parts from `first` on. Without `wait`, adds
     * to share->triangles and share->triples, and waits; otherwise queues the work. */
    int (*run)(struct mw_triangle_share *share, size_t first, size_t count);
    /* Waits, and stores share->triangles of all runs so far. NULL: `run` waits. */
    int (*wait)(struct mw_triangle_share *share);
    /* Adds counts per vertex and arc to the job's, after all runs of all shares. NULL: nothing to add. */
    int (*finish)(struct mw_triangle_share *share);
};
/* Returns whether variant `auto` uses vertices instead of oriented, by an estimate of the time (choose.c). */
bool mw_triangle_walks_are_few(const struct mw_triangle_job *job, struct mw_device *const *devices,
                               size_t device_count);

/* The variants of oriented.c and walks.c. */
extern const struct mw_triangle_variant mw_triangle_oriented, mw_triangle_vertices, mw_triangle_arcs,
    mw_triangle_sorted, mw_triangle_arcs_image, mw_triangle_image, mw_triangle_copies;

/* ---- simple.c ---- */

/* Makes a copy of a graph with sorted heads, without self-loops and multiple arcs. The caller frees it. *simple is
 * unchanged if the graph is simple. */
int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple);

/* ---- result.c ---- */

/* Counts job->triples and, if not NULL, job->triples_of_vertex, on the host. */
void mw_triangle_count_triples(struct mw_triangle_job *job);

/* Adds found[i] triangles to the arc from u to heads[i] in job->of_arc, for `count` arcs. `backwards`: the arcs of a
 * directed graph lead from heads[i] to u. In an undirected graph, adds to both arcs of the edge. */
void mw_triangle_give_arcs(struct mw_triangle_job *job, size_t u, const uint32_t *heads, const uint32_t *found,
                           size_t count, bool backwards);
/* Joins the counts of all shares in *triangles, except the times. Counts per arc are those of `given`, the caller's
 * graph, which need not be simple. */
int mw_triangle_result(struct mw_triangle_job *job, const struct mw_graph *given, struct mw_graph_triangles *triangles);

/* Counts triangles as mw_graph_triangles does, with limits of the caller. For tests. */
int mw_graph_triangles_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, const struct mw_arc_limits *limits,
                              struct mw_graph_triangles *triangles);

#endif
/* SPDX-License-Identifier: MIT */
