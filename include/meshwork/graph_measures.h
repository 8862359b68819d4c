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
    double damping; /* probability to follow an arc: 10^-6 or more, below 1; 0: 0.85 */
    /* Stop after an unaccelerated round that changes the ranks by at most this: the sum of all absolute changes, where
     * the sum of all ranks is 1. 0: 1e-10. */
    double tolerance;
    /* Maximum arcs on the device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    /* Array of the caller for the result, `vertices` elements; NULL: allocated (see status.h). */
    double *ranks;
};

/* Result of mw_graph_pagerank. */
struct mw_graph_pagerank {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    double *ranks;             /* rank of each vertex; the sum of all ranks is 1 */
    size_t rounds;             /* number of rounds */
    double change;             /* sum of all absolute changes by the last unaccelerated round */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Computes the PageRank of each vertex (Brin and Page, Computer Networks 30 (1998) 107): the fraction of time that a
 * random walk spends there. The walk follows a random arc with probability `damping`. Otherwise, and from a vertex
 * without arcs, it jumps to a random vertex. Repeated arcs count each; a self-edge of an undirected graph is two arcs.
 * The caller frees `pagerank` by mw_graph_pagerank_free.
 *
 * Rounds use integers of 61 bits. If the tolerance is below their rounding errors, the rounds stop at the rounding
 * error. Rounds of an undirected graph are accelerated by Chebyshev polynomials (Golub and Varga, Numerische Mathematik
 * 3 (1961) 147). In slowly mixing graphs this at least halves their number. A directed graph is reversed first.
 * Errors: MW_EINVAL (damping, tolerance, a head out of range; an undirected graph without convergence, because its arcs
 * are not in pairs), MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost: O(vertices + arcs) per round, at most about log(tolerance / 2) / log(damping) rounds; 48 bytes of device
 * memory per vertex. */
MW_API int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
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
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": chosen by the library */
    /* Also compute the results per vertex; per arc. Only variant oriented supports these. */
    bool by_vertex, by_arc;
    /* Maximum arcs on a device at once, but at least all arcs of one vertex; 0: as many as its memory and largest
     * buffer hold. */
    uint64_t block_arcs;
    /* Arrays of the caller for the results of these names (see status.h); NULL: allocated. The first three have one
     * element per vertex and set by_vertex; of_arc has one element per arc and sets by_arc. */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    uint32_t *of_arc;
};

/* Result of mw_graph_triangles. */
struct mw_graph_triangles {
    size_t size;            /* sizeof the struct: see status.h */
    size_t vertices;        /* number of vertices */
    uint64_t triangles;     /* number of triangles */
    struct mw_wide triples; /* number of triples */
    double clustering;      /* Newman's coefficient; 0: no triples */
    /* Per vertex, NULL without by_vertex: the number of triangles that contain it, the number of triples with it in
     * the middle, and its local coefficient (0: no triples). */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    /* Mean of `local` over the vertices with triples (Watts and Strogatz, Nature 393 (1998) 440), added in the order
     * of the vertices; and the number of these vertices. */
    double mean_local;
    size_t local_vertices;
    /* Per arc, in the order of the heads of the graph: the number of triangles that contain it. NULL without by_arc. */
    uint32_t *of_arc;
    const char *variant; /* name of the variant used */
    /* Seconds until all devices could begin to count; seconds from then until all had finished. */
    double preparing, seconds;
};

/* Counts triangles and triples on one or more devices; each takes vertices or arcs from a common counter. The graph
 * stays the caller's and must not change. Graphs with unsorted heads, self-edges or repeated edges are first copied
 * without these; a directed graph is also reversed. The caller frees `triangles` by mw_graph_triangles_free.
 * Errors: MW_EINVAL (no such variant, a head out of range), MW_ENOTSUP (the variant does not support these counts or
 * the device), MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost of variant oriented: at most O(arcs * sqrt(arcs)) time, usually far less. Device memory of an undirected
 * graph: about 8 bytes per arc and 16 per vertex on devices with `cores` (mw_device_info), 12 and 40 on others. Of a
 * directed graph: 16 and 28, or 21 and 28. */
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
    const char *variant; /* name of a variant; NULL or "auto": order on native devices, rounds on others */
    /* Maximum arcs on the device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    /* Array of the caller for the result, `vertices` elements; NULL: allocated (see status.h). */
    uint32_t *cores;
};

/* Result of mw_graph_cores. */
struct mw_graph_cores {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    uint32_t *cores;           /* core number of each vertex */
    const char *variant;       /* name of the variant used */
    size_t rounds;             /* number of rounds of variant rounds; 0 for other variants */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Computes the core number of each vertex (Seidman, Social Networks 5 (1983) 269): the largest k for which the vertex
 * belongs to a subgraph whose vertices all have at least k neighbours there. Repeated edges count each, a self-edge
 * counts twice, and an arc of a directed graph counts at both ends. A directed graph is first made undirected. Variant
 * order is by Batagelj and Zaversnik (Advances in Data Analysis and Classification 5 (2011) 129). The caller frees
 * `cores` by mw_graph_cores_free.
 * Errors: MW_EINVAL (no such variant, a head out of range), MW_ENOTSUP (the variant does not support the device),
 * MW_ELIMIT (a vertex with 2^32 arcs or more), MW_ENOMEM, those of mw_program_new.
 * Cost: O(vertices + arcs). Variant rounds: in addition O(vertices) per round, and 9 bytes of device memory per
 * vertex. */
MW_API int mw_graph_cores(struct mw_device *device, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, struct mw_graph_cores *cores);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_cores_free(struct mw_graph_cores *cores);

/* ---- assortativity ---- */

/* Computes the degree assortativity: the correlation of the degrees at the two ends of edges (Newman, Physical Review
 * Letters 89 (2002) 208701, equation 4). In a directed graph it is the correlation of the out-degree of the tail and
 * the in-degree of the head.
 * It is positive if vertices of high degree are mostly joined to each other, and negative if they are mostly joined to
 * vertices of low degree. NaN: all ends have the same degree, or there are no edges. Sums are exact, with 128 bits.
 * Errors: MW_EINVAL (a head out of range), MW_ELIMIT (2^32 arcs or more, or sums that overflow), MW_ENOMEM,
 * those of mw_program_new. Cost: reads all arcs once, in a directed graph twice; 8 bytes of device memory per
 * vertex. */
MW_API int mw_graph_assortativity(struct mw_device *device, const struct mw_graph *graph, double *assortativity);

/* ---- betweenness ---- */

/* Returns row `i` of the table of variants of mw_graph_betweenness, with name and description; NULL beyond the last
 * one. */
MW_API const struct mw_variant *mw_graph_betweenness_variants(size_t i);

/* Options of mw_graph_betweenness; all zero is the default. */
struct mw_graph_betweenness_options {
    size_t size; /* sizeof the struct: see status.h */
    /* Name of a variant; NULL or "auto": vectors, or queue with weights, if all devices have `cores` (mw_device_info)
     * and enough memory; otherwise lanes. */
    const char *variant;
    /* Sources of the paths, `source_count` different vertices, as from mw_graph_sample. Results are then multiplied by
     * vertices / source_count. NULL: all vertices. */
    const uint32_t *sources;
    size_t source_count; /* number of elements of `sources` */
    /* Variant lanes: maximum arcs on a device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    uint64_t memory_most; /* maximum device memory for searches, in bytes; 0: half of the memory */
    bool hops;            /* path lengths count arcs, even if the graph has weights */
    /* Array of the caller for the result, `vertices` elements; NULL: allocated (see status.h). */
    double *betweenness;
};

/* Result of mw_graph_betweenness. */
struct mw_graph_betweenness {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices, sources;  /* number of vertices; number of sources */
    double *betweenness;       /* betweenness of each vertex */
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* seconds until all devices could begin; seconds from then on */
    bool by_weights;           /* path lengths are sums of weights */
};

/* Computes the betweenness of each vertex (Freeman, Sociometry 40 (1977) 35), by the algorithm of Brandes (Journal of
 * Mathematical Sociology 25 (2001) 163). It is a sum over all pairs of other vertices: of the fraction of the shortest
 * paths of the pair that pass through the vertex. In an undirected graph, pairs are unordered. Repeated arcs are
 * separate paths. If the graph has weights and `hops` is false, the length of a path is the sum of its weights, which
 * must all be above 0. A directed graph is reversed first. The caller frees `betweenness` by mw_graph_betweenness_free.
 *
 * Several devices take sources from a common counter. The bits of the result are the same on any devices:
 * - Fractions per source have double precision, and the same rounding everywhere. Devices without double precision
 *   emulate it by integers.
 * - Sums over sources are integers. Their unit is chosen so that vertices * sources is at most 2^62 units.
 *
 * Errors: MW_EINVAL (no such variant, a source or a head out of range); MW_EDATA (a weight of 0 or below); MW_ENOTSUP
 * (the variant does not support the device or weights); MW_ELIMIT (2^1000 shortest paths to a vertex or more),
 * MW_ENOMEM, those of mw_program_new.
 * Cost: O(arcs * sources) time without weights. `longest` is the number of arcs of the longest shortest path.
 * - Variant queue with weights: O((arcs + vertices * log(longest)) * sources).
 * - Variant lanes: O((arcs + vertices) * longest) per set of concurrent searches; 28 bytes of device memory per
 *   vertex and concurrent source, 44 with weights. */
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
