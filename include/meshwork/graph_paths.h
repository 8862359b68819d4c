/* Shortest paths of networks. The length of a path is its number of arcs, or the sum of their weights.
 *
 *   mw_graph_paths           number of arcs, from all vertices to all or sampled targets
 *   mw_graph_distance_rows   number of arcs, from all or some sources to all vertices; passes rows of the matrix
 *   mw_graph_distances       weights or number of arcs, from one vertex to all vertices
 *   mw_graph_lengths         weights, from all vertices to all or sampled targets
 *   mw_graph_length_rows     weights, from all or some sources to all vertices; passes rows of the matrix
 *
 * Variants 1 to 7 and floyd of mw_graph_paths are after Leist, Playne and Hawick, "Exploiting graphical processing
 * units for data-parallel scientific applications" (Concurrency and Computation 21 (2009) 2400), section 4.3. A later
 * method is many concurrent breadth-first searches, one bit each (MS-BFS: Then et al., PVLDB 8 (2014) 449).
 *
 * In an undirected graph, distances to the targets are also distances from the targets. Statistics of distances need no
 * matrix. All results except means are integers or sums of integers. They are the same on all devices and by all
 * variants.
 *
 * Threads: several threads may read a graph at the same time; devices belong to the calling thread (device.h). */
#ifndef MESHWORK_GRAPH_PATHS_H
#define MESHWORK_GRAPH_PATHS_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Returns row `i` of the table of variants of mw_graph_paths, with name and description; NULL beyond the last one.
 * Aliases are the kernel numbers of Leist, Playne and Hawick 2009. */
MW_API const struct mw_variant *mw_graph_path_variants(size_t i);

/* Options of mw_graph_paths; all zero is the default. */
struct mw_graph_paths_options {
    size_t size;             /* sizeof the struct: see status.h */
    const char *variant;     /* name of a variant; NULL or "auto": bits, or queue if paths are long */
    const uint32_t *targets; /* `target_count` different vertices; NULL: all vertices */
    size_t target_count;     /* number of elements of `targets` */
    bool by_vertex;          /* also compute the results per vertex */
    /* Maximum arcs on a device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    uint64_t memory_most; /* maximum device memory for searches, in bytes; 0: half of the memory */
    /* Arrays of the caller for the results of these names, `vertices` elements each; NULL: allocated (see status.h).
     * An array sets by_vertex. */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
};

/* Draws `count` different vertices at random, in random order, from 0 to `vertices` - 1, and writes them to
 * `targets`. The result depends only on the seed. A longer sample with the same seed begins with the shorter one.
 * Cost: O(vertices) time, 4 bytes of memory per vertex. Errors: MW_EINVAL (`count` exceeds `vertices`), MW_ELIMIT,
 * MW_ENOMEM. */
MW_API int mw_graph_sample(size_t vertices, size_t count, uint64_t seed, uint32_t *targets);

/* Result of mw_graph_paths: distances from vertices to targets. A pair is a vertex and another vertex that is a
 * target and can be reached from it. */
struct mw_graph_paths {
    size_t size;              /* sizeof the struct: see status.h */
    size_t vertices, targets; /* number of vertices; number of targets */
    /* Number of pairs; number of vertices and other targets without a path between them. */
    uint64_t pairs, unreachable;
    struct mw_wide sum; /* sum of the distances of all pairs */
    uint32_t longest;   /* largest distance of a pair; the diameter if all vertices are targets */
    double mean;        /* mean distance of the pairs; 0: no pairs */
    /* Half the width of the 95 % confidence interval around `mean`, if not all vertices are targets: 95 of 100 such
     * intervals contain the mean of all pairs. NaN: fewer than 128 targets. 0: all groups of targets have the same
     * mean, or all vertices are targets. It is estimated from random groups of 8 targets (Wolter, "Introduction to
     * variance estimation", chapter 2). Targets must therefore be a random sample in random order (mw_graph_sample). */
    double half_width;
    /* Element histogram[d] is the number of pairs at distance d, from 0 to `longest`; histogram[0] is 0. */
    uint64_t *histogram;
    /* Per vertex, NULL without by_vertex:
     * - reached: number of reachable targets;
     * - farthest: largest distance to one of them, the eccentricity;
     * - near: sum of the distances to them;
     * - inverse: sum of the inverse distances to them, with an error below n^2 / 2^63 for n vertices. */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
    const char *variant; /* name of the variant used */
    /* Seconds until all devices could begin to search; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Finds the distances from all vertices to the targets, on one or more devices; each takes targets from a common
 * counter. The graph stays the caller's and must not change. A directed graph is reversed first, except by floyd. The
 * caller frees `paths` by mw_graph_paths_free.
 * Errors: MW_EINVAL (no such variant, a target or a head out of range); MW_ENOTSUP (the variant does not support the
 * device, or the graph does not fit); MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost of variant bits on devices with `cores` (mw_device_info): at most O(arcs * targets / 512 * longest) time, and
 * mw_graph_paths_bytes of device memory per concurrent search. Variants 1 to 7: O(arcs * targets) time. Variant
 * floyd: O(vertices^3) time, 4 * vertices^2 bytes. */
MW_API int mw_graph_paths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);
/* Returns the approximate device memory, in bytes, of one of the concurrent searches of variant bits, without the
 * arcs. */
MW_API uint64_t mw_graph_paths_bytes(const struct mw_device_info *device, size_t vertices, bool by_vertex);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_paths_free(struct mw_graph_paths *paths);

/* Type of a function that receives `count` rows of the matrix of distances, beginning with that of source number
 * `first`. distances[i * vertices + v] is the distance from source first + i to vertex v, or -1 without a path. The
 * array is valid during the call only. The function returns 0, or a negative status to stop. */
typedef int mw_graph_rows_fn(void *context, size_t first, size_t count, const int32_t *distances);
/* Finds the distances from each source by breadth-first searches, on one or more devices. `sources` NULL: all
 * vertices. Passes the rows to `take`, with `context`, in the order of the sources. The calls come from any thread,
 * but one at a time. The whole matrix is never in memory. Cost: O(arcs * sources). Errors: those of mw_graph_paths,
 * and the status that `take` returns. */
MW_API int mw_graph_distance_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const uint32_t *sources, size_t source_count, mw_graph_rows_fn *take, void *context);

/* ---- from one vertex ----
 *
 * Distances are sums of weights in the unit of the graph (graph.h). They are exact in 64 bits, and the same by all
 * variants and on all devices. Predecessors are the same as well: of several shortest paths, the one with the fewest
 * arcs counts, then the smallest predecessor. A walk along predecessors ends at the source, even if arcs or cycles
 * have weight 0. */

/* Returns row `i` of the table of variants of mw_graph_distances, with name and description; NULL beyond the last
 * one. */
MW_API const struct mw_variant *mw_graph_distance_variants(size_t i);

/* Distance of a vertex without a path. */
#define MW_NO_DISTANCE INT64_MAX

/* Options of mw_graph_distances; all zero is the default. */
struct mw_graph_distances_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto":
     * - rounds if a weight is below 0;
     * - otherwise on native devices delta, or levels without weights;
     * - otherwise on other devices piles, or rounds if the graph is too large for piles. */
    const char *variant;
    bool hops;            /* path lengths count arcs, even if the graph has weights */
    bool no_predecessors; /* do not compute predecessors */
    /* Variants delta and piles: width of a bin, in the unit of the graph, rounded down to a power of two; 0: chosen. */
    uint64_t delta;
    /* Maximum arcs on the device at once; 0: as many as its memory and largest buffer hold. If the graph has more
     * arcs, only variant rounds supports it. */
    uint64_t block_arcs;
    /* Arrays of the caller for the results of these names, `vertices` elements each; NULL: allocated (see status.h). */
    int64_t *distance;
    uint32_t *predecessor;
};

/* Result of mw_graph_distances. */
struct mw_graph_distances {
    size_t size;       /* sizeof the struct: see status.h */
    size_t vertices;   /* number of vertices */
    uint32_t from;     /* source */
    int64_t *distance; /* distance of each vertex from `from`; MW_NO_DISTANCE: no path */
    /* Previous vertex on a shortest path, per vertex; MW_NO_VERTEX: for `from`, and without a path. NULL with
     * no_predecessors. */
    uint32_t *predecessor;
    int decimals;              /* the unit of distances is 10^-decimals; 0 if arcs are counted */
    size_t reached;            /* number of vertices with a path, without `from` */
    int64_t longest;           /* largest distance of a vertex with a path */
    uint64_t delta;            /* width of a bin used; 0 for variants without bins */
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* Seconds before the search; seconds of the search, without predecessors. */
};

/* Finds the distances from the vertex `from`. The graph stays the caller's. The caller frees `distances` by
 * mw_graph_distances_free.
 * Delta-stepping processes vertices in bins of distances. By default, a bin is as wide as the largest weight divided by
 * the mean degree, rounded down to a power of two; by piles twice that. A vertex then has about one arc within a bin.
 * With wider bins vertices are processed repeatedly; with narrower bins few vertices are processed at once.
 * Errors: MW_EINVAL (no such variant, `from` or a head out of range); MW_ENOTSUP (the variant does not support the
 * device or the weights); MW_EDATA (a reachable cycle of negative length: the message names its vertices); MW_ELIMIT,
 * MW_ENOMEM, those of mw_program_new.
 * Cost: 16 bytes of memory per vertex, and except on native devices 8 per arc. Time:
 * - levels: O(vertices + arcs);
 * - delta: about the same with random weights;
 * - dijkstra: O(arcs * log(vertices));
 * - rounds: O(arcs * number of arcs of the longest path). */
MW_API int mw_graph_distances(struct mw_device *device, const struct mw_graph *graph, uint32_t from,
                              const struct mw_graph_distances_options *options, struct mw_graph_distances *distances);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_distances_free(struct mw_graph_distances *distances);

/* Makes the path from the source `from` to the vertex `to`, by the predecessors. `*count` receives its number of
 * vertices, both ends included; 0: no path. The caller frees *path by free(). Errors: MW_EINVAL (`to` is not a
 * vertex, or the result has no predecessors), MW_ENOMEM. */
MW_API int mw_graph_path(const struct mw_graph_distances *distances, uint32_t to, uint32_t **path, size_t *count);

/* ---- between all vertices, by weights ---- */

/* Returns row `i` of the table of variants of mw_graph_lengths, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_length_variants(size_t i);

/* Options of mw_graph_lengths; all zero is the default. */
struct mw_graph_lengths_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto":
     * - tiles if a weight is below 0, and on one device for graphs of few vertices and many arcs;
     * - otherwise on native devices delta;
     * - otherwise on other devices piles, or rounds if the graph is too large for piles. */
    const char *variant;
    const uint32_t *targets; /* `target_count` different vertices; NULL: all vertices */
    size_t target_count;     /* number of elements of `targets` */
    bool by_vertex;          /* also compute the results per vertex */
    uint64_t block_arcs;     /* maximum arcs on a device at once: see struct mw_graph_distances_options */
    /* Arrays of the caller for the results of these names, `vertices` elements each; NULL: allocated (see status.h).
     * An array sets by_vertex. */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
};

/* Result of mw_graph_lengths: distances from vertices to targets, in the unit of the graph (graph.h). A pair is a
 * vertex and another vertex that is a target and can be reached from it. */
struct mw_graph_lengths {
    size_t size;              /* sizeof the struct: see status.h */
    size_t vertices, targets; /* number of vertices; number of targets */
    /* Number of pairs; number of vertices and other targets without a path between them. */
    uint64_t pairs, unreachable;
    struct mw_wide sum; /* sum of the distances of all pairs, in two's complement */
    int64_t longest;    /* largest distance of a pair */
    int decimals;       /* the unit of distances is 10^-decimals */
    double mean;        /* mean distance, with the unit applied; 0: no pairs */
    double half_width;  /* as in struct mw_graph_paths, with the unit applied */
    /* Per vertex, NULL without by_vertex: the number of reachable targets, the largest distance to them, and the sum
     * of the distances to them. All are 0 without reachable targets. */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
    const char *variant; /* name of the variant used by the first device */
    /* Seconds until all devices could begin to search; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Finds the distances from all vertices to the targets in a graph with weights, on one or more devices; each takes
 * targets from a common counter. A directed graph is reversed first. The caller frees `lengths` by
 * mw_graph_lengths_free.
 * Errors: those of mw_graph_distances; MW_EINVAL (no weights, a target that is not a vertex).
 * Cost of variant tiles: O(vertices^3) time, 4 or 8 * vertices^2 bytes of device memory. Other variants: that of
 * mw_graph_distances, times the number of targets. */
MW_API int mw_graph_lengths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_lengths_free(struct mw_graph_lengths *lengths);

/* Type of a function that receives rows of the matrix of distances as mw_graph_rows_fn does. Distances are in the
 * unit of the graph; MW_NO_DISTANCE: no path. */
typedef int mw_graph_length_rows_fn(void *context, size_t first, size_t count, const int64_t *distances);
/* Finds the distances by weights from each source, and passes the rows to `take`, as mw_graph_distance_rows does by
 * numbers of arcs. Errors: those of mw_graph_lengths, and the status that `take` returns. */
MW_API int mw_graph_length_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                const uint32_t *sources, size_t source_count, mw_graph_length_rows_fn *take,
                                void *context);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
