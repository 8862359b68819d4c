/* Measures of networks: PageRank, triangles, core numbers, degree assortativity,
 * betweenness.
 *
 * Results are the same bits on all devices: they are whole numbers, or come from sums of such.
 *
 * Weights of edges count for nothing in any of them but betweenness.
 *
 * Threads: all may look at a graph at once; devices belong to the calling thread (device.h). */
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
    double tolerance;    /* of the sum of what a plain round changes, where the sum of ranks is 1; 0: 1e-10 */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
};

struct mw_graph_pagerank {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    double *ranks; /* of each vertex; their sum is 1 */
    size_t rounds;
    double change;             /* what a plain round changes, as the last of them saw it */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* How often a walk is at each vertex that follows a random arc of the vertex where it is, with probability `damping`,
 * and else jumps to a random vertex, as it does from vertices without arcs (Brin and Page, Computer Networks 30 (1998)
 * 107).  Of several arcs between two vertices each counts; a self-edge of an undirected graph is two arcs.
 *
 * By rounds, in whole numbers of 61 bits; where arcs are so many that their rounding off is more than the tolerance,
 * rounds end when it is reached.  Rounds of an undirected graph are accelerated by Chebyshev's polynomials (Golub and
 * Varga, Numerische Mathematik 3 (1961) 147): of slowly mixing graphs it takes half as many, or fewer.
 * Cost: O(vertices + arcs) a round, of which there are about log(tolerance / 2) / log(damping) or fewer; 48 bytes a
 * vertex on the device.  A directed graph's arcs are turned round first.
 * `pagerank` is the caller's: mw_graph_pagerank_free.
 * Errors: MW_EINVAL (damping, tolerance, a head that is no vertex; an undirected graph whose ranks do not settle, since
 * its arcs are not in pairs), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank);
MW_API void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank);

/* ---- triangles ----
 *
 * After Hawick, Leist and Playne, "Mixing multi-core CPUs and GPUs for scientific simulation software" (Massey
 * University, 2010), section 5, and what came after: each triangle seen once, from its vertex with the fewest arcs
 * (Chiba and Nishizeki, SIAM J. Comput. 14 (1985) 210; Schank and Wagner, WEA 2005).
 *
 * What is counted.  A triangle of a directed graph is three arcs that lead round three different vertices, and a triple
 * two arcs one behind the other that join three different vertices: so says the papers' algorithm 12, which counts the
 * pairs of an arc and one behind it and takes away those with an arc from a vertex to itself, and those that lead back
 * to where they came from.  An undirected graph has two arcs for each edge, so that each of its triangles can be gone
 * round in two ways, and each of its triples walked from either end; both are counted once here.  In both, Newman's
 * coefficient is
 *
 *   3 triangles / triples,
 *
 * the part of the triples whose ends are joined (in a directed graph, by an arc back to the first).  Edges from a
 * vertex to itself count for nothing, and those beyond the first between two vertices neither.  A vertex's coefficient
 * is the part of the triples with this vertex in the middle that are closed.
 *
 * Counts are exact, and the same on all devices, by all variants. */

/* The variants: row i, NULL beyond the last one; aliases are those of the papers.
 *   oriented   arcs to vertices with more arcs alone, so that a triangle is seen once; all devices, also for graphs
 *              that no device holds
 *   vertices   an item a vertex, and all walks of three arcs from it: algorithm 12, on serial, pthreads and tbb the
 *              papers' CPU implementations
 *   arcs       (1) an item an arc; counts in local memory, heads fetched ahead into it
 *   sorted     (2) with arcs sorted by the numbers of arcs of their ends
 *   image      with heads read from an image; devices with images
 *   copies     (cell) a group a vertex, with lists copied to local memory while others are compared; other devices than
 *              native ones
 * All but oriented count all triangles together, on devices that hold the graph. */
MW_API const struct mw_variant *mw_graph_triangle_variants(size_t i);

struct mw_graph_triangles_options {
    size_t size;            /* sizeof the struct: see status.h */
    const char *variant;    /* NULL or "auto": the library's choice */
    bool by_vertex, by_arc; /* fill the arrays for each vertex, for each arc: by oriented alone */
    uint64_t block_arcs;    /* arcs on a device at once, or as many as one vertex has where that is more; 0: as
                                  * many as its memory and largest buffer take */
};

struct mw_graph_triangles {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    uint64_t triangles;
    struct mw_wide triples;
    double clustering; /* Newman's coefficient; 0 without triples */
    /* Of each vertex, NULL without by_vertex: the triangles that it is a corner of, and the triples that it is the
     * middle of; the first divided by the second, 0 where there are none. */
    uint64_t *of_vertex, *triples_of_vertex;
    double *local;
    /* The mean of `local` over the vertices that are the middle of a triple (Watts and Strogatz, Nature 393 (1998)
     * 440), and how many these are; summed up in the order of vertices. */
    double mean_local;
    size_t local_vertices;
    /* Of each arc, in the order of the graph's heads, the triangles that it is a side of; NULL without by_arc. */
    uint32_t *of_arc;
    const char *variant;       /* that was taken */
    double preparing, seconds; /* until all devices could begin to count; from then until all had done so */
};

/* Counts triangles and triples, on one device or several, which take vertices or arcs from one counter.  The graph is
 * the caller's and stays as it is meanwhile.  Results are malloc'ed: mw_graph_triangles_free.
 * Cost: O(arcs x sqrt(arcs)) at worst by oriented, mostly far less.  Memory of the device: about 8 bytes an arc and
 * 16 a vertex, without cores 12 and 40; of a directed graph 16 and 28, without cores 21 and 28.  Graphs with heads that
 * do not go upwards, with edges from a vertex to itself or several between two vertices are made again without these
 * first; of a directed graph the arcs are turned round as well.
 * Errors: MW_EINVAL (no such variant, a head that is no vertex), MW_ENOTSUP (a variant that does not count
 * what is asked for, or not on that device), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_triangles(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                              const struct mw_graph_triangles_options *options, struct mw_graph_triangles *triangles);
MW_API void mw_graph_triangles_free(struct mw_graph_triangles *triangles);

/* ---- cores ---- */

/* The variants: row i, NULL beyond the last one.
 *   order      vertices one by one, in the order of what is left of their neighbours; one thread of a native device
 *   rounds     all that have few enough left at once, until there are none; for all devices */
MW_API const struct mw_variant *mw_graph_core_variants(size_t i);

struct mw_graph_cores_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": order on native devices, rounds on others */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
};

struct mw_graph_cores {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    uint32_t *cores;           /* of each vertex */
    const char *variant;       /* that was taken */
    size_t rounds;             /* of variant rounds */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* The core number of each vertex: the largest k such that it is in a part of the graph where each vertex has at least k
 * neighbours (Seidman, Social Networks 5 (1983) 269); of several edges between two vertices each counts, a self-edge
 * counts two, and directed arcs count at both of their ends.  Variant order after Batagelj and Zaversnik (Advances in
 * Data Analysis and Classification 5 (2011) 129).
 * Cost: O(vertices + arcs); by rounds O(vertices) for each round besides, and 9 bytes a vertex on the device.  A graph
 * with edges is made of a directed one first.  `cores` is the caller's: mw_graph_cores_free.
 * Errors: MW_EINVAL (no such variant, a head that is no vertex), MW_ENOTSUP (a variant for other devices), MW_ELIMIT (a
 * vertex with 2^32 arcs or more), MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_cores(struct mw_device *device, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, struct mw_graph_cores *cores);
MW_API void mw_graph_cores_free(struct mw_graph_cores *cores);

/* ---- assortativity ---- */

/* The correlation of the degrees at the two ends of edges (Newman, Physical Review Letters 89 (2002) 208701, equation
 * 4), of arcs that of their tails' numbers of leaving arcs and their heads' of arriving ones: 1 where vertices with
 * many edges lead to such, -1 where to those with few, NaN where all ends are alike.  From sums of 128 bits, which are
 * exact.  Cost: looks at all arcs once, of a directed graph twice; 8 bytes a vertex on the device.
 * Errors: MW_EINVAL (a head that is no vertex), MW_ELIMIT (2^32 arcs or more, and sums that take more bits),
 * MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_assortativity(struct mw_device *device, const struct mw_graph *graph, double *assortativity);

/* ---- betweenness ---- */

/* The variants: row i, NULL beyond the last one.
 *   vectors    eight sources at once for each core; devices with cores and double precision that hold the graph and
 *              187 bytes a vertex and core
 *   queue      one source after the other for each core, along weights by Dijkstra's algorithm with a radix heap;
 *              devices with cores that hold the graph and 32 bytes a vertex and core, with weights 44
 *   lanes      many sources at once, level by level, along weights by how many arcs shortest paths have; for all
 *              devices
 * All but vectors go along weights. */
MW_API const struct mw_variant *mw_graph_betweenness_variants(size_t i);

struct mw_graph_betweenness_options {
    size_t size;             /* sizeof the struct: see status.h */
    const char *variant;     /* NULL or "auto": vectors, or with weights queue, where all devices have cores and
                                  * hold what it takes, else lanes */
    const uint32_t *sources; /* NULL: all vertices; else those from which paths are counted, as mw_graph_sample has
                                  * them, and results are scaled to as many as there are vertices */
    size_t source_count;
    uint64_t block_arcs;  /* of lanes: arcs on a device at once; 0: as many as its memory and buffers take */
    uint64_t memory_most; /* bytes of a device for searches; 0: half of what it has */
    bool hops;            /* count arcs, whatever their weights */
};

struct mw_graph_betweenness {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, sources;
    double *betweenness;       /* of each vertex */
    const char *variant;       /* that was taken */
    double preparing, seconds; /* until all devices could begin; from then on */
    bool by_weights;           /* whether paths were measured by weights */
};

/* The betweenness of each vertex: the sum over all pairs of other vertices, unordered ones of an undirected graph, of
 * the part of their shortest paths that go through it (Freeman, Sociometry 40 (1977) 35; by Brandes' algorithm, Journal
 * of Mathematical Sociology 25 (2001) 163).  By one of several arcs between two vertices goes a path of its own.
 * Where the graph has weights, unless `hops`, a path is as long as the sum of its weights, which are to be above 0.
 *
 * On several devices these take sources from one counter.  From each source parts are numbers of double precision, by
 * whole numbers where the device has none, rounded off alike everywhere; sums over sources are whole numbers, in units
 * of which vertices times sources are at most 2^62, so that all devices, however many, give the same bits.
 * Cost: O(arcs x sources), along weights by queue O((arcs + vertices x log(longest)) x sources); by lanes O((arcs +
 * vertices) x longest) for each search that goes on at once, and 28 bytes of memory a vertex and source at once, along
 * weights 44; `longest` is in arcs.  A directed graph's arcs are turned round first.  `betweenness` is the caller's:
 * mw_graph_betweenness_free.
 * Errors: MW_EINVAL (no such variant, a source or a head that is no vertex), MW_EDATA (a weight of 0 or
 * below), MW_ENOTSUP (a variant for other devices, or not for weights), MW_ELIMIT (2^1000 shortest paths to a vertex or
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
