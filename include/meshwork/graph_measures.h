/* Measures of networks: PageRank, triangles, core numbers, degree assortativity,
 * betweenness.
 *
 * Results are the same bits on all devices: they are whole numbers, or come from sums of such.
 *
 * Weights of edges count for nothing in any of them but betweenness.
 *
 * Threads: any number may read a graph; devices belong to the calling thread (device.h). */
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

struct mw_graph_pagerank_options {
    size_t size;         /* sizeof the struct: see status.h */
    double damping;      /* from 10^-6 to below 1; 0: 0.85 */
    double tolerance;    /* stop if a round without acceleration changes the ranks, whose sum is 1, by at most
                          * this in total; 0: 1e-10 */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
    double *ranks;       /* the caller's array for the result, of `vertices` elements: see status.h */
};

/* Result of mw_graph_pagerank. */
struct mw_graph_pagerank {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    double *ranks; /* per vertex; their sum is 1 */
    size_t rounds;
    double change;             /* by the last round without acceleration: sum of absolute changes */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* Computes how often a random walk is at each vertex. The walk follows a random arc with probability `damping`.
 * Otherwise, or without arcs, it jumps to a random vertex (Brin and Page, Computer Networks 30 (1998) 107).
 * Repeated arcs count each; a self-edge of an undirected graph is two arcs.
 *
 * Rounds use whole numbers of 61 bits. If the rounding of many arcs exceeds the tolerance, rounds end at the rounding.
 * Rounds of an undirected graph are accelerated by Chebyshev's polynomials (Golub and Varga, Numerische Mathematik 3
 * (1961) 147). That halves their number or better in slowly mixing graphs. Cost: O(vertices + arcs) per round, about
 * log(tolerance / 2) / log(damping) rounds or fewer; 48 bytes per vertex on the device. A directed graph is reversed
 * first. Free `pagerank` by mw_graph_pagerank_free. Errors: MW_EINVAL (damping, tolerance, a head out of range; an
 * undirected graph without convergence, since its arcs are not in pairs), MW_ELIMIT, MW_ENOMEM, those of
 * mw_program_new. */
MW_API int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank);
MW_API void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank);

/* ---- triangles ----
 *
 * After Hawick, Leist and Playne, "Mixing multi-core CPUs and GPUs for scientific simulation software" (Massey
 * University, 2010), section 5, and what came after: each triangle seen once, from its vertex with the fewest arcs
 * (Chiba and Nishizeki, SIAM J. Comput. 14 (1985) 210; Schank and Wagner, WEA 2005).
 *
 * Definitions. A triangle of a directed graph is a cycle of three arcs through three different vertices. A triple is
 * two consecutive arcs that join three different vertices. This follows the papers' algorithm 12, which counts
 * consecutive arcs without self-edges and without paths back to their start. In an undirected graph each edge is two
 * arcs; its triangles and triples are counted once here, not once per direction. In both, Newman's coefficient is
 *
 *   3 triangles / triples,
 *
 * the part of the triples whose ends are joined (in a directed graph, by an arc back to the first).  Edges from a
 * vertex to itself count for nothing, and those beyond the first between two vertices neither.  A vertex's coefficient
 * is the part of the triples with this vertex in the middle that are closed.
 *
 * Counts are exact, and the same on all devices, by all variants. */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. Aliases are those of the
 * papers. */
MW_API const struct mw_variant *mw_graph_triangle_variants(size_t i);

struct mw_graph_triangles_options {
    size_t size;            /* sizeof the struct: see status.h */
    const char *variant;    /* NULL or "auto": the library's choice */
    bool by_vertex, by_arc; /* fill the arrays for each vertex, for each arc: by oriented alone */
    uint64_t block_arcs;    /* arcs on a device at once, or as many as one vertex has where that is more; 0: as
                                  * many as its memory and largest buffer take */
    /* The caller's arrays for the result, of `vertices` elements, or of the graph's arcs: see status.h. They imply
     * by_vertex and by_arc. */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    uint32_t *of_arc;
};

/* Result of mw_graph_triangles. */
struct mw_graph_triangles {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    uint64_t triangles;
    struct mw_wide triples;
    double clustering; /* Newman's coefficient; 0 without triples */
    /* Per vertex, NULL without by_vertex: its triangles, and the triples with it in the middle; their ratio, 0 without
     * triples. */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    /* The mean of `local` over the vertices with triples (Watts and Strogatz, Nature 393 (1998) 440), and their number;
     * summed in the order of vertices. */
    double mean_local;
    size_t local_vertices;
    /* Per arc, in the order of the graph's heads, the number of its triangles; NULL without by_arc. */
    uint32_t *of_arc;
    const char *variant;       /* the one used */
    double preparing, seconds; /* until all devices could begin to count; from then until all had done so */
};

/* Counts triangles and triples, on one device or several, which take vertices or arcs from one counter. The graph is
 * the caller's and must not change. Free results by mw_graph_triangles_free. Cost: O(arcs x sqrt(arcs)) at worst by
 * oriented, mostly far less. Memory of the device: about 8 bytes per arc and 16 per vertex, without cores 12 and 40;
 * for a directed graph 16 and 28, without cores 21 and 28. Graphs with unsorted heads, self-edges or repeated edges are
 * first copied without these; a directed graph is also reversed. Errors: MW_EINVAL (no such variant, a head out of
 * range), MW_ENOTSUP (a variant that does not support these counts or that device), MW_ELIMIT, MW_ENOMEM, those of
 * mw_program_new. */
MW_API int mw_graph_triangles(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, struct mw_graph_triangles *triangles);
MW_API void mw_graph_triangles_free(struct mw_graph_triangles *triangles);

/* ---- cores ---- */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_core_variants(size_t i);

struct mw_graph_cores_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": order on native devices, rounds on others */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
    uint32_t *cores;     /* the caller's array for the result, of `vertices` elements: see status.h */
};

/* Result of mw_graph_cores. */
struct mw_graph_cores {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    uint32_t *cores;           /* per vertex */
    const char *variant;       /* the one used */
    size_t rounds;             /* for variant rounds */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* Computes the core number of each vertex: the largest k of a subgraph that contains it and in which each vertex has at
 * least k neighbours (Seidman, Social Networks 5 (1983) 269). Repeated edges count each, a self-edge counts twice, and
 * directed arcs count at both ends. Variant order is by Batagelj and Zaversnik (Advances in Data Analysis and
 * Classification 5 (2011) 129). Cost: O(vertices + arcs); by rounds also O(vertices) per round, and 9 bytes per vertex
 * on the device. A directed graph is made undirected first. Free `cores` by mw_graph_cores_free. Errors: MW_EINVAL (no
 * such variant, a head out of range), MW_ENOTSUP (a variant for other devices), MW_ELIMIT (a
 * vertex with 2^32 arcs or more), MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_cores(struct mw_device *device, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, struct mw_graph_cores *cores);
MW_API void mw_graph_cores_free(struct mw_graph_cores *cores);

/* ---- assortativity ---- */

/* Computes the correlation of the degrees at the two ends of edges (Newman, Physical Review Letters 89 (2002) 208701,
 * equation 4). For arcs it is the correlation of the tail's out-degree and the head's in-degree. It is 1 if vertices of
 * high degree join each other, and -1 if they join vertices of low degree. NaN: all ends have the same degree. Sums
 * of 128 bits are exact. Cost: reads all arcs once, in a directed graph twice; 8 bytes per vertex on the device.
 * Errors: MW_EINVAL (a head out of range), MW_ELIMIT (2^32 arcs or more, and sums that overflow), MW_ENOMEM, those of
 * mw_program_new. */
MW_API int mw_graph_assortativity(struct mw_device *device, const struct mw_graph *graph, double *assortativity);

/* ---- betweenness ---- */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_betweenness_variants(size_t i);

struct mw_graph_betweenness_options {
    size_t size;             /* sizeof the struct: see status.h */
    const char *variant;     /* NULL or "auto": vectors, or with weights queue, where all devices have cores and
                                  * hold what it takes, else lanes */
    const uint32_t *sources; /* NULL: all vertices; else the sources of paths, in the form of mw_graph_sample
                                  * them, and results are scaled to as many as there are vertices */
    size_t source_count;
    uint64_t block_arcs;  /* for lanes: arcs on a device at once; 0: as many as its memory and buffers hold */
    uint64_t memory_most; /* bytes of a device for searches; 0: half of its memory */
    bool hops;            /* count arcs, whatever their weights */
    double *betweenness;  /* the caller's array for the result, of `vertices` elements: see status.h */
};

/* Result of mw_graph_betweenness. */
struct mw_graph_betweenness {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, sources;
    double *betweenness;       /* per vertex */
    const char *variant;       /* the one used */
    double preparing, seconds; /* until all devices could begin; from then on */
    bool by_weights;           /* whether paths were measured by weights */
};

/* Computes the betweenness of each vertex: the sum, over all pairs of other vertices, of the fraction of their shortest
 * paths through it (Freeman, Sociometry 40 (1977) 35). Pairs are unordered in an undirected graph. (By Brandes'
 * algorithm, Journal of Mathematical Sociology 25 (2001) 163). Repeated arcs are separate paths. If the graph has
 * weights, unless `hops`, the length of a path is the sum of its weights, which must be above 0.
 *
 * Several devices take sources from one counter. Fractions per source have double precision, emulated by whole numbers
 * if the device lacks it, and are rounded in the same way everywhere. Sums over sources are whole numbers, in units of
 * which vertices times sources are at most 2^62. Any number of devices therefore gives the same bits. Cost: O(arcs x
 * sources); with weights by queue O((arcs + vertices x log(longest)) x sources); by lanes O((arcs + vertices) x
 * longest) per concurrent search, and 28 bytes of memory per vertex and concurrent source, with weights 44. `longest`
 * is in arcs. A directed graph is reversed first. Free `betweenness` by mw_graph_betweenness_free. Errors: MW_EINVAL
 * (no such variant, a source or a head out of range); MW_EDATA (a weight of 0 or below); MW_ENOTSUP (a variant for
 * other devices, or not for weights); MW_ELIMIT (2^1000 shortest paths to a vertex or
 * more), MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_betweenness(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                const struct mw_graph_betweenness_options *options,
                                struct mw_graph_betweenness *betweenness);
MW_API void mw_graph_betweenness_free(struct mw_graph_betweenness *betweenness);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
