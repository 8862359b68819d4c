/* Generators of networks.  A graph depends on its parameters and the seed alone, not on devices or threads.
 *
 * Threads: any, each with a device of its own (device.h). */
#ifndef MESHWORK_GENERATE_H
#define MESHWORK_GENERATE_H

#include <meshwork/graph.h>
#include <meshwork/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter by the letter or word that the field has for it. */
struct mw_generator_parameter { /* a fixed value */
    const char *name;
    double value; /* unless given */
    double least, most;
    bool whole; /* an integer */
    const char *help;
};

/* A kind of network that can be made. */
struct mw_generator {        /* the library's, may grow */
    const char *name;        /* "ws" */
    const char *description; /* the graph, and the authors of its model */
    const struct mw_generator_parameter *parameters;
    size_t parameter_count;
};
/* The generators: row i; NULL beyond the last one.  Graphs are undirected; "simple" ones have neither self-edges nor
 * two edges between the same vertices.
 *   ws        simple; Watts, Strogatz 1998: a ring of n vertices with k neighbours each, n k / 2 edges. With
 *             probability p, an edge (i, i + j) draws another target: any vertex except i, its old target and i's
 *             present neighbours. All edges draw at once. If edges coincide, one that was not rewired stays, otherwise
 *             the first; the others draw again one after the other. In nearly complete graphs, an edge that finds no
 *             place in 64 draws keeps its ring target; an edge that occupies it is reset as well
 *   ba        simple; Barabasi, Albert 1999: growth from a clique of m + 1; each further vertex has m edges to
 *             different vertices, chosen with probability proportional to their degree, by drawing again.  On one
 *             thread of the host, by the method of Batagelj and Brandes 2005
 *   alpha     simple; Watts 1999, the alpha-model: n, mean degree k (n k / 2 edges, rounded down), alpha, p, substrate
 *             (0 none, 1 a ring).  On one thread of the host, in O(k^2) for an edge
 *   disjoint  Hawick, Leist, Playne 2010, section 6.1: each of n vertices draws one of c sets; each of m edges draws a
 *             vertex whose set has others, and one of these; multiple edges stay. About 40 bytes per vertex must fit
 *             the device
 *   er        simple; Erdos, Renyi: G(n, m), m different edges, without a table: the first m places of a permutation
 *             of all pairs
 *   line      simple; n vertices in a row
 *   ring      simple; n vertices, each with its k nearest neighbours (k / 2 on either side)
 *   grid      simple; x by y by z vertices of a mesh, faces; with `periodic` the ends of lengths above 2 are joined
 *   rmat      Chakrabarti, Zhan, Faloutsos 2004: 2^scale vertices, edgefactor edges for each, a, b, c; no noise;
 *             multiple edges and self-edges stay and, by default, vertices are numbered by a permutation, as in
 *             Graph500
 * All have a last parameter `weights`: each edge draws a whole number from 1 to it, all equally probable; 0: no
 * weights.  The edges are the same with weights and without. */
MW_API const struct mw_generator *mw_generators(size_t i);
/* Finds a generator by name. MW_EINVAL: unknown name; the message lists all names. */
MW_API int mw_generator_find(const char *name, const struct mw_generator **generator);

/* Makes a graph's edges: `given` are the values of `count` parameters; the others have their own values.
 *
 *     const struct mw_value given[] = { { "n", 1e6 }, { "p", 0.01 } };
 *     mw_generate(device, "ws", given, 2, 1, &edges);
 *
 *  Runs on the device, in chunks that fit it.  Models that add one vertex after the other (ba, alpha) run on one thread
 *  of the host.  The graph has no names; it is freed by mw_edges_free.
 * Errors: MW_EINVAL (no such generator or parameter; a value out of its range, or contradicting others, named in the
 * message), MW_ELIMIT (too many vertices or edges; memory of the device), MW_ENOMEM, those of mw_program_new. */
MW_API int mw_generate(struct mw_device *device, const char *generator, const struct mw_value *given, size_t count,
                       uint64_t seed, struct mw_edges *edges);

/* Computes the numbers of vertices and edges of a graph without making it. Errors: those of mw_generate about
 * parameters. */
MW_API int mw_generate_size(const char *generator, const struct mw_value *given, size_t count, size_t *vertices,
                            uint64_t *edges);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
