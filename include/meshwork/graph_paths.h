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
 * method runs many breadth-first searches at once, and stores one bit per search (MS-BFS: Then et al., PVLDB 8 (2014)
 * 449).
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
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto": bits; or queue, if all arcs fit each device and a trial search has so
     * many levels that bits would be slower. A level is the set of vertices at one distance. */
    const char *variant;
    const uint32_t *targets; /* `target_count` different vertices; NULL: all vertices */
    size_t target_count;     /* number of elements of `targets` */
    bool by_vertex;          /* also compute the results per vertex */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
    uint64_t memory_most; /* maximum bytes per device for searches; 0: half of its free memory */
    /* Arrays of the caller that receive the results of these names, `vertices` elements each; NULL: allocated
     * (status.h). If one of them is set, so is by_vertex. */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
};

/* Draws a random sample of `count` different vertices from 0 to `vertices` - 1, and writes them to `targets` in random
 * order. The result depends only on `vertices` and `seed`: a longer sample begins with the shorter one. Errors:
 * MW_EINVAL (`count` exceeds `vertices`), MW_ELIMIT (more than MW_VERTICES_MAX vertices), MW_ENOMEM. Cost: O(vertices)
 * time, 4 bytes of memory per vertex. */
MW_API int mw_graph_sample(size_t vertices, size_t count, uint64_t seed, uint32_t *targets);

/* Result of mw_graph_paths: statistics of the distances from all vertices to the targets. A pair is a vertex and a
 * different vertex that is a target, if a path leads from the first to the second. */
struct mw_graph_paths {
    size_t size;              /* sizeof the struct: see status.h */
    size_t vertices, targets; /* number of vertices; number of targets */
    /* Number of pairs; number of cases in which no path leads from a vertex to a different target. */
    uint64_t pairs, unreachable;
    struct mw_wide sum; /* sum of the distances of all pairs */
    uint32_t longest;   /* largest distance of a pair; if all vertices are targets, the diameter */
    double mean;        /* mean distance of the pairs; 0: no pairs */
    /* Half the width of the 95 % confidence interval around `mean`: 95 of 100 such intervals contain the mean of all
     * targets. It is estimated from the differences between groups of 8 consecutive targets (Wolter, "Introduction to
     * variance estimation", chapter 2). Targets must therefore be a random sample in random order (mw_graph_sample).
     * - 0: all vertices are targets, or all groups have the same mean
     * - NaN: fewer than 128 targets, or no pairs */
    double half_width;
    /* histogram[d] is the number of pairs with distance d, for d from 0 to `longest`; histogram[0] is 0. */
    uint64_t *histogram;
    /* Per vertex; NULL without by_vertex:
     * - reached: number of other targets that can be reached from it
     * - farthest: largest distance to one of these targets; if all vertices are targets, the eccentricity
     * - near: sum of the distances to these targets
     * - inverse: sum of 1 / distance over these targets, with an error below vertices^2 / 2^63 */
    uint32_t *reached, *farthest;
    uint64_t *near;
    double *inverse;
    const char *variant; /* name of the variant used */
    /* Seconds until all devices were ready to search; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Finds the distances from all vertices to the targets, as numbers of arcs, on one or more devices. Several devices
 * share the targets: equally many if the devices are of one kind, otherwise each takes some more when it has finished
 * the last ones. The graph still belongs to the caller, and must not change during the call. A directed graph is
 * reversed first, except for variant floyd. `options` NULL: all zero. The caller frees `paths` by mw_graph_paths_free.
 * Errors: MW_EINVAL (no such variant, a target out of range, a device that is given twice); MW_EDATA (a head out of
 * range); MW_ENOTSUP (the variant does not support the device, or requires all arcs in its memory); MW_ELIMIT (a search
 * that exceeds memory_most), MW_ENOMEM, those of mw_program_new.
 * Cost:
 * - Variant bits, if `cores` of mw_device_info is set: at most O(arcs * targets / 512 * longest) time;
 *   mw_graph_paths_bytes of device memory per concurrent search.
 * - Variant queue: O((vertices + arcs) * targets) time.
 * - Variants 1 to 7: at least O(arcs * targets) time.
 * - Variant floyd: O(vertices^3) time on one thread; 4 * vertices^2 bytes of host memory. */
MW_API int mw_graph_paths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_paths_options *options, struct mw_graph_paths *paths);
/* Returns about how many bytes of device memory one search of variant bits takes. A search processes many targets, and
 * several searches run at the same time. The arcs are not included. */
MW_API uint64_t mw_graph_paths_bytes(const struct mw_device_info *device, size_t vertices, bool by_vertex);
/* Computes the device memory of one of the variants 1 to 7, if the device holds all arcs. Makes nothing.
 * Errors: MW_EINVAL (no such variant), MW_ENOTSUP (the memory of this variant depends on the device), MW_ENOMEM.
 * Cost: reads the degrees of all vertices; of a directed graph, all heads. */
MW_API int mw_graph_paths_memory(const struct mw_graph *graph, const char *variant, struct mw_graph_footprint *memory);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_paths_free(struct mw_graph_paths *paths);

/* Type of a function that receives rows of the matrix of distances.
 * - first, count: the rows are those of the sources number `first` to first + count - 1
 * - distances: distances[i * vertices + v] is the distance from source number first + i to vertex v; -1: no path
 * The array is valid during the call only. The function returns 0, or a negative status to stop. */
typedef int mw_graph_rows_fn(void *context, size_t first, size_t count, const int32_t *distances);
/* Finds the distances from each source to all vertices, as numbers of arcs, and passes them to `take` as rows of a
 * matrix. The whole matrix is never in memory. Runs variant queue of mw_graph_paths, on one or more devices.
 * - sources: `source_count` different vertices; NULL: all vertices
 * - take: is called with `context`, in the order of the sources; by any thread, but by one at a time
 * Errors: those of mw_graph_paths, and the status that `take` returns. Cost: O((vertices + arcs) * sources) time. */
MW_API int mw_graph_distance_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const uint32_t *sources, size_t source_count, mw_graph_rows_fn *take, void *context);

/* ---- from one vertex ----
 *
 * Distances are sums of weights in the unit of the graph (graph.h), exact in 64 bits. All variants and devices give the
 * same distances and the same predecessors. The predecessor of a vertex is the vertex before it on a shortest path. Of
 * several shortest paths, those with the fewest arcs are used, and of their predecessors the smallest one. A walk along
 * predecessors always ends at the source, even if arcs or cycles have the weight 0. */

/* Returns row `i` of the table of variants of mw_graph_distances, with name and description; NULL beyond the last
 * one. */
MW_API const struct mw_variant *mw_graph_distance_variants(size_t i);

/* Distance of a vertex without a path. */
#define MW_NO_DISTANCE INT64_MAX

/* Options of mw_graph_distances; all zero is the default. */
struct mw_graph_distances_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto":
     * - a weight is below 0: rounds
     * - otherwise, on native devices: delta; without weights levels
     * - otherwise, on other devices: near-far; if the graph does not fit the memory of the device, rounds */
    const char *variant;
    bool hops;            /* the length of a path is its number of arcs, even if the graph has weights */
    bool no_predecessors; /* do not compute predecessors */
    /* Variants delta and near-far: width of a bin, in the unit of the graph; 0: chosen, see mw_graph_distances. It is
     * rounded down to a power of two, and raised if the largest weight would exceed 2^15 bins. */
    uint64_t delta;
    /* Maximum number of arcs on the device at once; 0: as many as fit its memory and its largest buffer. If the graph
     * has more arcs, rounds sends them in blocks, and near-far returns MW_ENOTSUP. Other variants ignore this. */
    uint64_t block_arcs;
    /* Arrays of the caller for the results of these names, `vertices` elements each; NULL: allocated (see status.h). */
    int64_t *distance;
    uint32_t *predecessor;
};

/* Result of mw_graph_distances: the distance and the predecessor of each vertex. */
struct mw_graph_distances {
    size_t size;       /* sizeof the struct: see status.h */
    size_t vertices;   /* number of vertices */
    uint32_t from;     /* source */
    int64_t *distance; /* distance of each vertex from `from`; MW_NO_DISTANCE: no path */
    /* Per vertex: its predecessor on a shortest path from `from`; MW_NO_VERTEX: no path, or the vertex is `from`. NULL
     * with no_predecessors. */
    uint32_t *predecessor;
    int decimals;              /* the unit of distances is 10^-decimals; 0: distances are numbers of arcs */
    size_t reached;            /* number of vertices with a path from `from`, except `from` */
    int64_t longest;           /* largest distance of these vertices; 0: none */
    uint64_t delta;            /* width of the bins; 0: the variant had none */
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* seconds before the search; seconds of the search, without predecessors */
};

/* Finds the distances from the vertex `from` to all vertices. The length of a path is the sum of its weights. Without
 * weights, or with `hops`, it is the number of arcs. The graph still belongs to the caller. `options` NULL: all zero.
 * The caller frees `distances` by mw_graph_distances_free.
 *
 * Delta-stepping (variants delta and near-far) processes vertices in bins of distances. With wider bins, vertices are
 * processed repeatedly. With narrower bins, fewer vertices are processed at once. By default, the width for delta is
 * the largest weight divided by the mean degree, and for near-far twice that. A vertex then has about one arc, or two,
 * within a bin.
 * Errors: MW_EINVAL (no such variant, `from` out of range), MW_ENOTSUP (the variant does not support the device or the
 * weights), MW_EDATA (a head out of range; a cycle of negative length that can be reached from `from`: the message
 * names up to 20 of its vertices), MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Time. `longest` is the largest number of arcs of a shortest path:
 * - levels: O(vertices + arcs)
 * - delta: with random weights about the same
 * - dijkstra: O(arcs * log(vertices))
 * - rounds: O(arcs * longest)
 * Host memory: about 16 bytes per vertex. Device memory of near-far and rounds: 28 and 16 bytes per vertex, and 4 per
 * arc, with weights 8. */
MW_API int mw_graph_distances(struct mw_device *device, const struct mw_graph *graph, uint32_t from,
                              const struct mw_graph_distances_options *options, struct mw_graph_distances *distances);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_distances_free(struct mw_graph_distances *distances);

/* Makes the list of the vertices of a shortest path from the source distances->from to the vertex `to`. `*count`
 * receives the number of vertices, both ends included; 0: no path. The caller frees *path by free(). Errors: MW_EINVAL
 * (`to` is not a vertex; `distance` or `predecessor` of the result is NULL, as for arrays of the caller or
 * no_predecessors), MW_ENOMEM. */
MW_API int mw_graph_path(const struct mw_graph_distances *distances, uint32_t to, uint32_t **path, size_t *count);

/* ---- between all vertices, by weights ---- */

/* Returns row `i` of the table of variants of mw_graph_lengths, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_length_variants(size_t i);

/* Options of mw_graph_lengths; all zero is the default. */
struct mw_graph_lengths_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto":
     * - a weight is below 0: tiles, which supports one device only
     * - otherwise, on one device whose memory holds the matrix: tiles, if this is likely to be faster. It is for many
     *   targets, in two cases. On native devices, the graph has many arcs for its number of vertices. On other devices,
     *   it has a small number of vertices
     * - otherwise, on native devices: delta
     * - otherwise, on other devices: near-far; if the graph does not fit the memory of the device, rounds */
    const char *variant;
    const uint32_t *targets; /* `target_count` different vertices; NULL: all vertices */
    size_t target_count;     /* number of elements of `targets` */
    bool by_vertex;          /* also compute the results per vertex */
    uint64_t block_arcs;     /* maximum number of arcs on one device: see struct mw_graph_distances_options */
    /* Arrays of the caller that receive the results of these names, `vertices` elements each; NULL: allocated
     * (status.h). If one of them is set, so is by_vertex. */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
};

/* Result of mw_graph_lengths: statistics of the distances from all vertices to the targets. `sum`, `longest`,
 * `farthest` and `near` are in the unit of the graph (graph.h). A pair is a vertex and a different vertex that is a
 * target, if a path leads from the first to the second. */
struct mw_graph_lengths {
    size_t size;              /* sizeof the struct: see status.h */
    size_t vertices, targets; /* number of vertices; number of targets */
    /* Number of pairs; number of cases in which no path leads from a vertex to a different target. */
    uint64_t pairs, unreachable;
    struct mw_wide sum; /* sum of the distances of all pairs: a signed number in two's complement */
    int64_t longest;    /* largest distance of a pair; 0: no pairs */
    int decimals;       /* the unit of distances is 10^-decimals */
    double mean;        /* mean distance, multiplied by the unit; 0: no pairs */
    double half_width;  /* as in struct mw_graph_paths, multiplied by the unit */
    /* Per vertex; NULL without by_vertex:
     * - reached: number of other targets that can be reached from it
     * - farthest: largest distance to one of these targets; 0: none
     * - near: sum of the distances to these targets, as `sum` */
    uint32_t *reached;
    int64_t *farthest;
    struct mw_wide *near;
    const char *variant; /* name of the variant that the first device used */
    /* Seconds until all devices were ready to search; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Finds the distances from all vertices to the targets by weights, on one or more devices. The graph must have weights.
 * Several devices share the targets: each takes some more when it has finished the last ones. A directed graph is
 * reversed first. `options` NULL: all zero. The caller frees `lengths` by mw_graph_lengths_free.
 * Errors: MW_EINVAL (no such variant, no weights, a target out of range, a device that is given twice); MW_EDATA (a
 * head out of range; a cycle of negative length: the message names up to 20 of its vertices); MW_ENOTSUP (the variant
 * does not support the device, several devices, or the weights); MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost of variant tiles: O(vertices^3) time; vertices^2 distances in device memory, of 4 bytes each, or 8 if a path may
 * be too long for 4. Other variants: the time of mw_graph_distances, multiplied by the number of targets. */
MW_API int mw_graph_lengths(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_lengths_free(struct mw_graph_lengths *lengths);

/* Type of a function that receives rows of the matrix of distances by weights. Arguments and result are those of
 * mw_graph_rows_fn. Distances are in the unit of the graph; MW_NO_DISTANCE: no path. */
typedef int mw_graph_length_rows_fn(void *context, size_t first, size_t count, const int64_t *distances);
/* Finds the distances by weights from each source to all vertices, and passes them to `take` as rows of a matrix. The
 * arguments are those of mw_graph_distance_rows. The variant is "auto" of mw_graph_lengths. Errors: those of
 * mw_graph_lengths, and the status that `take` returns. */
MW_API int mw_graph_length_rows(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                const uint32_t *sources, size_t source_count, mw_graph_length_rows_fn *take,
                                void *context);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
