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

/* Parameter of a generator, with its default and its range. */
struct mw_generator_parameter { /* a fixed value */
    const char *name;           /* name for mw_generate, as usual in the literature: "n", "p" */
    double value;               /* default */
    double least, most;         /* smallest and largest valid value */
    bool whole;                 /* the value must be an integer */
    const char *help;           /* description, one line */
};

/* Row of the table of generators: describes one generator and its parameters. */
struct mw_generator {                                /* the library's, may grow */
    const char *name;                                /* name for mw_generate: "ws" */
    const char *description;                         /* the graph, and the authors of its model */
    const struct mw_generator_parameter *parameters; /* array of `parameter_count` parameters */
    size_t parameter_count;
};
/* Returns generator `i`; NULL beyond the last one. All graphs are undirected. A simple graph has no self-edges, and
 * at most one edge between two vertices.
 *   ws        simple; Watts, Strogatz 1998: n vertices on a ring, each joined to its k nearest ones, n k / 2 edges.
 *             With probability p, the edge from i to its ring target i + j is rewired. Its new target is any vertex
 *             except i and i + j. All edges draw at once. If several edges then join the same two vertices, one keeps
 *             its target: the edge that was not rewired, otherwise the first one. The others draw again, one after the
 *             other, until no other edge joins the two vertices. After 64 draws without success, an edge returns to its
 *             ring target. A rewired edge between the same two vertices then returns to its ring target as well
 *   ba        simple; Barabasi, Albert 1999: begins with a clique of m + 1 vertices. Each further vertex adds m edges
 *             to different vertices, chosen with probability proportional to their degree. A repeated vertex is drawn
 *             again. Runs on one thread of the host, by the method of Batagelj and Brandes 2005
 *   alpha     simple; Watts 1999, the alpha-model: n, mean degree k (n k / 2 edges, rounded down), alpha, p, substrate
 *             (0: none, 1: a ring). Runs on one thread of the host, in O(k^2) time per edge
 *   disjoint  Hawick, Leist, Playne 2010, section 6.1: each of n vertices draws one of c sets. Each of m edges
 *             draws a vertex whose set has at least two, and then another vertex of the same set. Multiple edges stay.
 *             Takes about 40 bytes of device memory per vertex
 *   er        simple; Erdos, Renyi, G(n, m): n vertices and m different edges. These are the first m pairs of a random
 *             permutation of all pairs, which is computed without a table
 *   line      simple; n vertices in a row
 *   ring      simple; n vertices, each joined to its k nearest ones, k / 2 on either side
 *   grid      simple; a mesh of x by y by z vertices, each joined to its neighbours along the axes. `periodic` = 1:
 *             the two ends of each axis with a length above 2 are joined as well
 *   rmat      Chakrabarti, Zhan, Faloutsos 2004: 2^scale vertices, edgefactor edges per vertex, probabilities a, b
 *             and c without noise. Multiple edges and self-edges stay. `permute` = 1, the default: vertices are
 *             numbered at random, as in Graph500
 * The last parameter of every generator is `weights`. Each edge draws an integer weight from 1 to `weights`, all with
 * the same probability. 0: no weights. The edges do not depend on `weights`. */
MW_API const struct mw_generator *mw_generators(size_t i);
/* Finds the generator of a name. Errors: MW_EINVAL (unknown name; the message lists all names). */
MW_API int mw_generator_find(const char *name, const struct mw_generator **generator);

/* Makes the edges of a graph, without names. The caller frees `edges` by mw_edges_free.
 * - generator: name of the generator
 * - given: names and values of `count` parameters; all other parameters have their defaults
 * - seed: seed of the random numbers; equal parameters and seeds give equal graphs
 *
 *     const struct mw_value given[] = { { "n", 1e6 }, { "p", 0.01 } };
 *     mw_generate(device, "ws", given, 2, 1, &edges);
 * Runs on the device, in chunks that fit its memory. Generators ba and alpha run on one thread of the host.
 * Errors:
 * - MW_EINVAL: no such generator or parameter; a value that is out of range or does not fit another one, named in the
 *   message; generator disjoint: no set has two vertices
 * - MW_ELIMIT: more than MW_VERTICES_MAX vertices; more bytes than the memory of the machine or device
 * - MW_ENOMEM, and the errors of mw_program_new */
MW_API int mw_generate(struct mw_device *device, const char *generator, const struct mw_value *given, size_t count,
                       uint64_t seed, struct mw_edges *edges);

/* Computes the numbers of vertices and edges that mw_generate would make from the same arguments. Makes no graph.
 * Errors: MW_EINVAL (as for mw_generate), MW_ELIMIT (more than MW_VERTICES_MAX vertices). */
MW_API int mw_generate_size(const char *generator, const struct mw_value *given, size_t count, size_t *vertices,
                            uint64_t *edges);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
