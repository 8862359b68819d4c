/* Shortest paths of networks: by numbers of arcs between all pairs of vertices, or to sampled ones; by weights between
 * all; by numbers of arcs or by weights from one vertex.
 *
 * After Leist, Playne and Hawick, "Exploiting graphical processing units for data-parallel scientific applications"
 * (Concurrency and Computation 21 (2009) 2400), section 4.3: variants 1 to 7 and floyd. A later method is many
 * concurrent breadth-first searches, one bit each (MS-BFS: Then et al., PVLDB 8 (2014) 449).
 *
 * Distances are counted from every vertex to each of the targets, by default all vertices. In an undirected graph these
 * are also the distances from the targets. Statistics of distances need no matrix. All results except means are whole
 * numbers or sums of these, and the same on all devices, by all variants.
 *
 * Threads: any number may read a graph; devices belong to the calling thread (device.h). */
#ifndef MESHWORK_GRAPH_PATHS_H
#define MESHWORK_GRAPH_PATHS_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. Aliases are the numbers of
 * the kernels of Leist, Playne and Hawick 2009. */
MW_API const struct mw_variant *mw_graph_path_variants(size_t i);

struct mw_graph_paths_options {
    size_t size;             /* sizeof the struct: see status.h */
    const char *variant;     /* NULL or "auto": bits, or queue where ways are long */
    const uint32_t *targets; /* NULL: all vertices */
    size_t target_count;
    bool by_vertex;       /* fill the arrays for each vertex */
    uint64_t block_arcs;  /* arcs on a device at once; 0: as many as its memory and largest buffer take */
    uint64_t memory_most; /* bytes of a device for searches; 0: half of its memory */
    /* The caller's arrays for the result, of `vertices` elements: see status.h. They imply by_vertex. */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
};

/* Draws `count` different vertices of the graph's `vertices` at random, in random order, to `targets`. The result
 * depends on the seed only, and a longer sample with the same seed begins with it. Cost: O(vertices) time, and 4 bytes
 * of memory per vertex. Errors: MW_EINVAL (count exceeds vertices), MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_graph_sample(size_t vertices, size_t count, uint64_t seed, uint32_t *targets);

/* Distances from vertices to targets.  A pair is a vertex and a target, other than the vertex, that it can reach. */
struct mw_graph_paths {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, targets;
    uint64_t pairs, unreachable; /* pairs; vertices and targets, other than these, without a path */
    struct mw_wide sum;          /* sum of the distances of all pairs */
    uint32_t longest;            /* largest of these; with all vertices as targets the diameter */
    double mean;                 /* 0 without pairs */
    /* With some vertices as targets: half the width of the interval around `mean` that contains the mean of all pairs
     * for 95 of 100 samples. NaN: fewer than 128 targets; 0: all of the sample agree. It is estimated by random groups
     * of 8 targets (Wolter, "Introduction to variance estimation", chapter 2). Targets must therefore be a random
     * sample in random order. */
    double half_width;
    uint64_t *histogram; /* histogram[d]: pairs at distance d, for d up to `longest`; [0] is 0 */
    /* Per vertex, NULL without by_vertex: the number of reachable targets; the sum of their distances; the longest, its
     * eccentricity; the sum of their inverse distances, with an error below n^2 / 2^63. */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
    const char *variant;       /* the one used */
    double preparing, seconds; /* until all devices could begin to search; from then until all had done so */
};

/* Finds all distances, on one device or several, which take targets from one counter. The graph is the caller's and
 * must not change. Free results by mw_graph_paths_free. Cost: O(arcs x targets / 512 x longest) at worst by `bits` on
 * cores, and mw_graph_paths_bytes per concurrent search; O(arcs x targets) by the paper's variants; O(vertices^3), and
 * 4 vertices^2 bytes, by floyd. A directed graph is reversed first, except for floyd. Errors: MW_EINVAL (no such
 * variant, a target or a head out of range); MW_ENOTSUP (a variant for other devices or a graph that does not fit);
 * MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_paths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);
/* Returns the approximate bytes of a device's memory per concurrent search of `bits`, without the arcs. */
MW_API uint64_t mw_graph_paths_bytes(const struct mw_device_info *device, size_t vertices, bool by_vertex);
MW_API void mw_graph_paths_free(struct mw_graph_paths *paths);

/* Receives rows of the matrix of distances, from source number `first` on: distances[i * vertices + v] is from source
 * first + i to vertex v, -1 without a path. They are valid during the call only. An error ends the search. */
typedef int mw_graph_rows_fn(void *context, size_t first, size_t count, const int32_t *distances);
/* Finds the distances from each source (NULL: from all vertices), on one device or several, by breadth-first searches.
 * Passes them to `take` in the order of the sources, one call at a time, from any thread. The whole matrix is never in
 * memory. Cost: O(arcs x sources). Errors: those of mw_graph_paths and of `take`. */
MW_API int mw_graph_distance_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const uint32_t *sources, size_t source_count, mw_graph_rows_fn *take, void *context);

/* ---- from one vertex ----
 *
 * Distances are sums of weights in the graph's unit (graph.h), exact in 64 bits, and the same by all variants and on
 * all devices. So are predecessors: ties between shortest paths go to the fewest arcs, then to the smallest
 * predecessor. Following predecessors ends at the source even if arcs, or cycles of them, have weight 0. */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_distance_variants(size_t i);

#define MW_NO_DISTANCE INT64_MAX

struct mw_graph_distances_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": with weights below 0 rounds; else on native devices delta, without
                                  * weights levels; on others piles, or rounds where these do not hold the graph */
    bool hops;           /* count arcs, whatever their weights */
    bool no_predecessors;
    uint64_t delta; /* for delta: the width of a bin, in the graph's unit; 0: by rule. Rounded down to a power of two */
    uint64_t block_arcs; /* arcs on a device at once; 0: as many as it takes.  Graphs of which these are not all
                                  * are for rounds */
    int64_t *distance;   /* the caller's arrays for the result, of `vertices` elements: see status.h */
    uint32_t *predecessor;
};

/* Result of mw_graph_distances. */
struct mw_graph_distances {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    uint32_t from;
    int64_t *distance;     /* per vertex; MW_NO_DISTANCE: no path */
    uint32_t *predecessor; /* on a shortest path; MW_NO_VERTEX for `from` and without a path. NULL without */
    int decimals;          /* the unit of distances is 10^-decimals; 0 where arcs are counted */
    size_t reached;        /* vertices with a path, but for `from` */
    int64_t longest;       /* largest distance */
    uint64_t delta;        /* the one used; 0 for other variants */
    const char *variant;
    double preparing, seconds; /* until the search could begin; of the search, without predecessors */
};

/* Finds the distances from a vertex. The graph is the caller's. Free results by mw_graph_distances_free. A bin of
 * delta-stepping is as wide as the largest weight over the mean degree, rounded down to a power of two; twice that by
 * piles. A vertex then has about one arc within a bin. Wider bins process vertices repeatedly,
 * and narrower ones have few vertices per turn. Cost: O(vertices + arcs) by levels, and about the same by delta with
 * random weights; O(arcs log vertices) by dijkstra; O(arcs x arcs of the longest path) by rounds. 16 bytes of memory
 * per vertex, and except on native devices 8 per arc.
 * Errors: MW_EINVAL (no such variant, `from` or a head out of range); MW_ENOTSUP (a variant for other devices or
 * weights); MW_EDATA (a reachable cycle of negative length, whose vertices are named); MW_ELIMIT,
 * MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_distances(struct mw_device *device, const struct mw_graph *graph, uint32_t from,
                              const struct mw_graph_distances_options *options, struct mw_graph_distances *distances);
MW_API void mw_graph_distances_free(struct mw_graph_distances *distances);

/* Returns the path to a vertex by predecessors, from `from` on: `count` vertices, 0 without a path. The caller frees it
 * by free(). Errors: MW_EINVAL (no vertex, no predecessors), MW_ENOMEM. */
MW_API int mw_graph_path(const struct mw_graph_distances *distances, uint32_t to, uint32_t **path, size_t *count);

/* ---- between all vertices, by weights ---- */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_length_variants(size_t i);

struct mw_graph_lengths_options {
    size_t size;             /* sizeof the struct: see status.h */
    const char *variant;     /* NULL or "auto": tiles for weights below 0 and, on one device, for graphs of few
                                  * vertices and many arcs; else delta on native devices, on others piles, or rounds
                                  * where these do not hold the graph */
    const uint32_t *targets; /* NULL: all vertices */
    size_t target_count;
    bool by_vertex;      /* fill the arrays for each vertex */
    uint64_t block_arcs; /* arcs on a device at once, as for struct mw_graph_distances_options */
    /* The caller's arrays for the result, of `vertices` elements: see status.h. They imply by_vertex. */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
};

/* Distances from vertices to targets, in the graph's unit (graph.h).  A pair is a vertex and a target, other than the
 * vertex, that it can reach. */
struct mw_graph_lengths {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, targets;
    uint64_t pairs, unreachable;
    struct mw_wide sum; /* in two's complement */
    int64_t longest;
    int decimals;      /* the unit is 10^-decimals */
    double mean;       /* in units of 1; 0 without pairs */
    double half_width; /* in units of 1, as struct mw_graph_paths has it */
    /* Per vertex, NULL without by_vertex: the number of reachable targets, the longest distance to them, and the sum of
     * distances; 0 without targets. */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
    const char *variant; /* the first device's */
    double preparing, seconds;
};

/* Finds the distances of a graph with weights, on one device or several, which take targets from one counter.  Results
 * are malloc'ed: mw_graph_lengths_free.
 * Cost: O(vertices^3) time, and 4 or 8 vertices^2 bytes of the device's memory, by tiles; targets times that of
 * mw_graph_distances by the others.  A directed graph's arcs are turned round first.
 * Errors: as of mw_graph_distances; MW_EINVAL (no weights, a target that is no vertex). */
MW_API int mw_graph_lengths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths);
MW_API void mw_graph_lengths_free(struct mw_graph_lengths *lengths);

/* Like mw_graph_rows_fn, with distances in the graph's unit, MW_NO_DISTANCE without a path. */
typedef int mw_graph_length_rows_fn(void *context, size_t first, size_t count, const int64_t *distances);
/* Computes rows of the matrix of distances by weights, as mw_graph_distance_rows does by hops. */
MW_API int mw_graph_length_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                const uint32_t *sources, size_t source_count, mw_graph_length_rows_fn *take,
                                void *context);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
