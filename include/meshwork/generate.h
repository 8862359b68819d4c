/* Generators of networks. A graph depends only on its parameters and the seed, not on devices or threads.
 *
 * Threads: any, each with a device of its own (device.h). */
#ifndef MESHWORK_GENERATE_H
#define MESHWORK_GENERATE_H

#include <meshwork/graph.h>
#include <meshwork/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Parameter of a generator. */
struct mw_generator_parameter { /* a fixed value */
    const char *name;           /* the usual letter or word in the literature: "n", "p" */
    double value;               /* default */
    double least, most;         /* smallest and largest valid value */
    bool whole;                 /* must be an integer */
    const char *help;           /* description */
};

/* Generator of one kind of network. */
struct mw_generator {                                /* the library's, may grow */
    const char *name;                                /* name for mw_generate: "ws" */
    const char *description;                         /* the graph, and the authors of its model */
    const struct mw_generator_parameter *parameters; /* array of `parameter_count` parameters */
    size_t parameter_count;
};
/* Returns generator `i`; NULL beyond the last one. All graphs are undirected. A simple graph has no self-edges, and
 * at most one edge between two vertices.
 *   ws        simple; Watts, Strogatz 1998: a ring of n vertices with k neighbours each, n k / 2 edges. With
 *             probability p, an edge (i, i + j) draws another target: any vertex except i, its old target and the
 *             present neighbours of i. All edges draw at once. If edges coincide, the one that was not rewired stays,
 *             otherwise the first one; the others draw again one after the other. In nearly complete graphs, an edge
 *             may find no place in 64 draws. It then keeps its ring target, and an edge that occupies that place is
 *             reset to its own ring target
 *   ba        simple; Barabasi, Albert 1999: growth from a clique of m + 1; each further vertex has m edges
 *             to different vertices, chosen with probability proportional to their degree; a repeated one is drawn
 *             again. On one thread of the host, by the method of Batagelj and Brandes 2005
 *   alpha     simple; Watts 1999, the alpha-model: n, mean degree k (n k / 2 edges, rounded down), alpha, p, substrate
 *             (0 none, 1 a ring).  On one thread of the host, in O(k^2) per edge
 *   disjoint  Hawick, Leist, Playne 2010, section 6.1: each of n vertices draws one of c sets. Each of m edges
 *             draws a vertex whose set has at least two, and then another vertex of the same set. Multiple edges stay.
 *             Needs about 40 bytes of device memory per vertex
 *   er        simple; Erdos, Renyi: G(n, m): n vertices and m different edges: the first m pairs of a random
 *             permutation of all pairs, which is computed without a table
 *   line      simple; n vertices in a row
 *   ring      simple; n vertices, each with its k nearest neighbours (k / 2 on either side)
 *   grid      simple; a mesh of x by y by z vertices, each joined to its neighbours along the axes. With `periodic`,
 *             the opposite ends of each length above 2 are joined
 *   rmat      Chakrabarti, Zhan, Faloutsos 2004: 2^scale vertices, edgefactor edges per vertex, probabilities a, b
 *             and c without noise. Multiple edges and self-edges stay. By default, the vertices are permuted at
 *             random, as in Graph500
 * The last parameter of every generator is `weights`: each edge draws an integer weight from 1 to `weights`, all with
 * the same probability; 0: no weights. The edges do not depend on `weights`. */
MW_API const struct mw_generator *mw_generators(size_t i);
/* Finds a generator by name. Errors: MW_EINVAL (unknown name; the message lists all names). */
MW_API int mw_generator_find(const char *name, const struct mw_generator **generator);

/* Makes the edges of a graph. `given` holds the values of `count` parameters; other parameters have their defaults.
 *
 *     const struct mw_value given[] = { { "n", 1e6 }, { "p", 0.01 } };
 *     mw_generate(device, "ws", given, 2, 1, &edges);
 * Runs on the device, in chunks that fit its memory; ba and alpha run on one thread of the host. The graph has no
 * names. The caller frees `edges` by mw_edges_free.
 * Errors: MW_EINVAL (no such generator or parameter; a value out of range or inconsistent with another one, named in
 * the message), MW_ELIMIT (too many vertices or edges; too little device memory), MW_ENOMEM, those of
 * mw_program_new. */
MW_API int mw_generate(struct mw_device *device, const char *generator, const struct mw_value *given, size_t count,
                       uint64_t seed, struct mw_edges *edges);

/* Computes the numbers of vertices and edges of a graph without making it. `given` and `count`: as for mw_generate.
 * Errors: MW_EINVAL (as for mw_generate), MW_ELIMIT (too many vertices). */
MW_API int mw_generate_size(const char *generator, const struct mw_value *given, size_t count, size_t *vertices,
                            uint64_t *edges);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
