/* Measures of networks: PageRank, triangles and clustering, core numbers, degree assortativity, betweenness.
 *
 * Results have the same bits on all devices, because all sums are sums of integers. Only betweenness uses the weights
 * of edges.
 *
 * Threads: several threads may read a graph at the same time; devices belong to the calling thread (device.h). */
#ifndef MESHWORK_GRAPH_MEASURES_H
#define MESHWORK_GRAPH_MEASURES_H

#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* ---- PageRank ---- */

/* Options of mw_graph_pagerank; all zero is the default. */
struct mw_graph_pagerank_options {
    size_t size;    /* sizeof the struct: see status.h */
    double damping; /* probability to follow an arc: at least 10^-6, below 1; 0: 0.85 */
    /* Stop when an unaccelerated round would change the ranks by at most this: the sum of the absolute changes of all
     * ranks. The sum of all ranks is 1. Above 0, at most 2; 0: 1e-10. */
    double tolerance;
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
    /* Array of the caller that receives the result of this name, `vertices` elements; NULL: allocated (status.h). */
    double *ranks;
};

/* Result of mw_graph_pagerank: the rank of each vertex, and how the rounds ended. */
struct mw_graph_pagerank {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    double *ranks;             /* rank of each vertex; the sum of all ranks is 1 */
    size_t rounds;             /* number of rounds */
    double change;             /* the change that was compared with the tolerance in the last round */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Computes the PageRank of each vertex (Brin and Page, Computer Networks 30 (1998) 107): the fraction of time that a
 * random walk spends there. With probability `damping`, the walk follows a random arc that leaves its vertex.
 * Otherwise, and always from a vertex that no arc leaves, it jumps to a random vertex of the graph. Each repeated arc
 * counts. A self-edge of an undirected graph is two arcs. `options` NULL: all zero. The caller frees `pagerank` by
 * mw_graph_pagerank_free.
 *
 * Ranks are integers of 61 bits, and each round rounds them. If the tolerance is below these rounding errors, the
 * rounding error replaces it. A directed graph is reversed first. Rounds of an undirected graph are accelerated by
 * Chebyshev polynomials (Golub and Varga, Numerische Mathematik 3 (1961) 147). In slowly mixing graphs, this at least
 * halves the number of rounds. Graphs are not accelerated if repeated edges give a vertex more arcs than there are
 * vertices.
 *
 * Several devices share the vertices and the arcs to them, and exchange ranks after each round. Ranks and rounds are
 * those of one device, because all sums are sums of integers.
 * Errors: MW_EINVAL (a device that is given twice; damping or tolerance out of range; a damping too close to 1 for the
 * number of arcs; no convergence, because a graph that is marked undirected has arcs without a reverse); MW_EDATA (a
 * head out of range); MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost: O(vertices + arcs) time per round, and at most about log(tolerance / 2) / log(damping) rounds; 48 bytes of
 * device memory per vertex. Each of several devices takes 16 bytes per vertex and 32 per vertex of its share. In
 * each round it receives 8 bytes per vertex. */
MW_API int mw_graph_pagerank(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank);

/* ---- triangles ----
 *
 * After Hawick, Leist and Playne, "Mixing multi-core CPUs and GPUs for scientific simulation software" (Massey
 * University, 2010), section 5. Later methods find each triangle once, from its vertex with the fewest arcs (Chiba and
 * Nishizeki, SIAM J. Comput. 14 (1985) 210; Schank and Wagner, WEA 2005).
 *
 * Definitions:
 * - In a directed graph, a triangle is a cycle of three arcs through three different vertices. A triple is two
 *   consecutive arcs that join three different vertices. This follows algorithm 12 of the paper, which counts
 *   consecutive arcs without self-edges and without paths back to their start.
 * - In an undirected graph, each edge is two arcs. Its triangles and triples are counted once, not once per direction.
 * - A triple is closed if its ends are joined; in a directed graph, by an arc from the last to the first vertex.
 * - Newman's clustering coefficient is the fraction of closed triples: 3 * triangles / triples.
 * - The local coefficient of a vertex is the fraction of closed triples among those with this vertex in the middle.
 * Self-edges do not count. Of several edges between two vertices, only one counts.
 *
 * Counts are exact, and the same on all devices and by all variants. */

/* Returns row `i` of the table of variants of mw_graph_triangles, with name and description; NULL beyond the last
 * one. Aliases are the names in the papers. */
MW_API const struct mw_variant *mw_graph_triangle_variants(size_t i);

/* Options of mw_graph_triangles; all zero is the default. */
struct mw_graph_triangles_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto": oriented, except for some undirected graphs. These use vertices if all of this
     * holds: all devices have `cores` (mw_device_info) and hold all arcs; by_vertex, by_arc and block_arcs are not set;
     * the heads of arcs have few arcs on average. */
    const char *variant;
    /* Also compute the results per vertex; the results per arc. Only variant oriented can do this. */
    bool by_vertex, by_arc;
    /* Maximum number of arcs on one device at once; all arcs of one vertex are always together. 0: as many as fit its
     * memory and its largest buffer. */
    uint64_t block_arcs;
    /* Arrays of the caller that receive the results of these names; NULL: allocated (status.h). of_vertex,
     * triples_of_vertex and local have one element per vertex, and set by_vertex. of_arc has one element per arc, and
     * sets by_arc. */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    uint32_t *of_arc;
};

/* Result of mw_graph_triangles: numbers of triangles and triples, and clustering coefficients, as defined above. */
struct mw_graph_triangles {
    size_t size;            /* sizeof the struct: see status.h */
    size_t vertices;        /* number of vertices */
    uint64_t triangles;     /* number of triangles */
    struct mw_wide triples; /* number of triples */
    double clustering;      /* Newman's coefficient; 0: no triples */
    /* Per vertex; NULL without by_vertex:
     * - of_vertex: number of triangles that contain the vertex
     * - triples_of_vertex: number of triples with the vertex in the middle
     * - local: local coefficient; 0: no triples */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    /* Mean of `local` over the vertices with triples (Watts and Strogatz, Nature 393 (1998) 440), added in the order of
     * the vertices; number of these vertices. Both are 0 without by_vertex. */
    double mean_local;
    size_t local_vertices;
    /* Per arc, in the order of the heads of the graph: number of triangles that contain the arc. NULL without
     * by_arc. */
    uint32_t *of_arc;
    const char *variant; /* name of the variant used */
    /* Seconds until all devices were ready to count; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Counts triangles and triples on one or more devices. Several devices share the vertices or arcs: each takes some more
 * when it has finished the last ones. The graph still belongs to the caller, and must not change during the call.
 * `options` NULL: all zero. The caller frees `triangles` by mw_graph_triangles_free.
 *
 * A graph with unsorted heads, self-edges or repeated edges is first copied without these. A directed graph is also
 * reversed.
 * Errors: MW_EINVAL (no such variant, a device that is given twice); MW_EDATA (a head out of range); MW_ENOTSUP (the
 * variant does not support results per vertex or per arc, or the device); MW_ELIMIT, MW_ENOMEM, those of
 * mw_program_new.
 * Cost of variant oriented: at most O(arcs * sqrt(arcs)) time, usually far less. Device memory, if `cores` of
 * mw_device_info is set: 8 bytes per arc and 16 per vertex (undirected), 16 and 28 (directed). On other devices: 12 and
 * 40 (undirected), 21 and 28 (directed). */
MW_API int mw_graph_triangles(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, struct mw_graph_triangles *triangles);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_triangles_free(struct mw_graph_triangles *triangles);

/* ---- cores ---- */

/* Returns row `i` of the table of variants of mw_graph_cores, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_core_variants(size_t i);

/* Options of mw_graph_cores; all zero is the default. */
struct mw_graph_cores_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": order on one native device, otherwise rounds */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
    /* Array of the caller that receives the result of this name, `vertices` elements; NULL: allocated (status.h). */
    uint32_t *cores;
};

/* Result of mw_graph_cores: the core number of each vertex. */
struct mw_graph_cores {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    uint32_t *cores;           /* core number of each vertex */
    const char *variant;       /* name of the variant used */
    size_t rounds;             /* variant rounds: number of rounds that removed vertices; 0 for other variants */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Computes the core number of each vertex (Seidman, Social Networks 5 (1983) 269). This is the largest k for which the
 * vertex belongs to a subgraph whose vertices all have at least k neighbours within the subgraph. Each repeated edge
 * counts, a self-edge counts twice, and an arc of a directed graph counts at both ends. A directed graph is first
 * copied as an undirected one. Variant order is by Batagelj and Zaversnik (Advances in Data Analysis and Classification
 * 5 (2011) 129). `options` NULL: all zero. The caller frees `cores` by mw_graph_cores_free.
 *
 * Several devices share the vertices and their arcs, and exchange numbers of neighbours after each round.
 * Errors: MW_EINVAL (no such variant, a device that is given twice); MW_EDATA (a head out of range); MW_ENOTSUP
 * (variant order on several devices or one that is not native); MW_ELIMIT (a vertex with 2^32 - 1 arcs or more);
 * MW_ENOMEM, those of mw_program_new.
 * Cost: O(vertices + arcs) time. Variant rounds adds O(vertices) time per round, and takes 9 bytes of device memory per
 * vertex. Each of several devices takes 4 bytes per vertex and 5 per vertex of its share. In each round it transfers
 * up to 8 bytes per vertex. */
MW_API int mw_graph_cores(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, struct mw_graph_cores *cores);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_cores_free(struct mw_graph_cores *cores);

/* ---- assortativity ---- */

/* Computes the degree assortativity, and writes it to `*assortativity`. It is the correlation, from -1 to 1, of the
 * degrees at the two ends of edges (Newman, Physical Review Letters 89 (2002) 208701, equation 4). In a directed graph,
 * it is the correlation of the out-degree of the tail and the in-degree of the head.
 * It is positive if vertices of high degree are mostly joined to each other. It is negative if they are mostly joined
 * to vertices of low degree. NaN: all ends have the same degree, or there are no edges. Sums are exact, with 128 bits.
 * Errors: MW_EDATA (a head out of range), MW_ELIMIT (2^32 arcs or more; sums that exceed 128 bits), MW_ENOMEM, those
 * of mw_program_new. Cost: reads all arcs once, in a directed graph twice; 8 bytes of device memory per vertex. */
MW_API int mw_graph_assortativity(struct mw_device *device, const struct mw_graph *graph, double *assortativity);

/* ---- betweenness ---- */

/* Returns row `i` of the table of variants of mw_graph_betweenness, with name and description; NULL beyond the last
 * one. */
MW_API const struct mw_variant *mw_graph_betweenness_variants(size_t i);

/* Options of mw_graph_betweenness; all zero is the default. */
struct mw_graph_betweenness_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant. NULL or "auto", if all devices have `cores` (mw_device_info) and enough memory: queue for
     * lengths by weights; otherwise vectors, which also requires double precision. In all other cases: lanes. */
    const char *variant;
    /* Sources of the paths, `source_count` different vertices, such as a sample by mw_graph_sample. The sums are then
     * multiplied by vertices / source_count, to estimate those of all sources. NULL: all vertices. */
    const uint32_t *sources;
    size_t source_count; /* number of elements of `sources` */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. "auto" chooses
     * lanes for graphs with more arcs. */
    uint64_t block_arcs;
    uint64_t memory_most; /* maximum bytes per device for searches; 0: half of its free memory */
    bool hops;            /* the length of a path is its number of arcs, even if the graph has weights */
    /* Array of the caller that receives the result of this name, `vertices` elements; NULL: allocated (status.h). */
    double *betweenness;
};

/* Result of mw_graph_betweenness: the betweenness of each vertex. */
struct mw_graph_betweenness {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices, sources;  /* number of vertices; number of sources */
    double *betweenness;       /* betweenness of each vertex */
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* seconds until all devices were ready; seconds from then on */
    bool by_weights;           /* the length of a path was the sum of its weights */
};

/* Computes the betweenness of each vertex (Freeman, Sociometry 40 (1977) 35), by the algorithm of Brandes (Journal of
 * Mathematical Sociology 25 (2001) 163). Each pair of two other vertices adds the fraction of its shortest paths that
 * pass through the vertex. In an undirected graph, each pair counts once. Repeated arcs are separate paths. The length
 * of a path is its number of arcs. If the graph has weights and `hops` is false, it is the sum of the weights, and all
 * weights must be above 0. A directed graph is reversed first. `options` NULL: all zero. The caller frees `betweenness`
 * by mw_graph_betweenness_free.
 *
 * Several devices share the sources: each takes some more when it has finished the last ones. The result has the same
 * bits on all devices:
 * - Fractions per source have double precision, and are rounded in the same way everywhere. Devices without double
 *   precision emulate it by integers.
 * - Sums over sources are integers. Their unit is a power of two for which vertices * sources is at most 2^62 units.
 *
 * Errors: MW_EINVAL (no such variant, a source out of range, a device that is given twice); MW_EDATA (a head out of
 * range; a weight of 0 or below, if weights are used); MW_ENOTSUP (the variant does not support the device or weights);
 * MW_ELIMIT (2^1000 or more shortest paths from a source to a vertex; a search that exceeds memory_most), MW_ENOMEM,
 * those of mw_program_new.
 * Cost without weights: O((vertices + arcs) * sources) time by vectors and queue. `longest` below is the largest number
 * of arcs of a shortest path.
 * - Variant queue with weights: O((arcs + vertices * log(longest)) * sources) time.
 * - Variant lanes: O((arcs + vertices) * longest) time per set of concurrent searches. Device memory per vertex and
 *   concurrent search: 28 bytes, with weights 44. */
MW_API int mw_graph_betweenness(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                const struct mw_graph_betweenness_options *options,
                                struct mw_graph_betweenness *betweenness);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_betweenness_free(struct mw_graph_betweenness *betweenness);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
