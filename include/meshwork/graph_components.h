/* Connected components of networks.
 *
 * After Hawick, Leist and Playne, "Parallel graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010)
 * 655), section 4 (the variants edges, frontier, bfs and reference), and what came after: Afforest (Sutton, Ben-Nun,
 * Barak, IPDPS 2018) and ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * Directed graphs are labelled by weak components, as if every arc led both ways; mw_graph_strong finds strong ones.
 * Sizes, histograms, lists of members and the largest component are those of components.h, as for meshes.
 *
 * Threads: a labelling belongs to the thread of its devices (device.h); all may look at the graph meanwhile. */
#ifndef MESHWORK_GRAPH_COMPONENTS_H
#define MESHWORK_GRAPH_COMPONENTS_H

#include <meshwork/components.h>
#include <meshwork/graph.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* The variants: row i, NULL beyond the last one; aliases are the numbers that the paper has for them.
 *   afforest   two neighbours of each vertex linked, the giant component found by sampling and skipped
 *   ecl        hooking from the first smaller neighbour, then all edges once, in three classes of degree
 *   edges      (1) the smaller label of an edge's ends goes to the other by an atomic minimum, until nothing changes
 *   frontier   (2) vertices of a frontier compare themselves with their neighbours, until nothing changes; one device
 *   bfs        (3) breadth-first search, one component after the other; one device
 *   reference  the papers' CPU algorithm, on one thread of a native device, with a stack instead of recursion
 *
 * auto: the paper would take the CPU for graphs of very large diameter, and `edges` for very large mean degrees.
 * Neither matters to the first two variants, which do not go round by round.  So auto takes afforest, but ecl for
 * directed graphs, for few arcs (10 000 on the cores of CPUs, 30 million on GPUs), where samples say that less than a
 * quarter of the arcs are beyond the first two of their vertex, when there is hardly anything to skip, and where short
 * searches say that all components are small. */
MW_API const struct mw_variant *mw_graph_component_variants(size_t i);

struct mw_graph_labelling_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": by the first device and samples, see above */
    uint64_t block_arcs; /* arcs on a device at once; 0: as many as its memory and largest buffer take */
};

/* A labelling of one graph on one device or several, to be run as often as wanted.  The graph is the caller's and stays
 * as it is meanwhile; native devices look at its own arrays.  Arcs that fit a device stay there; else they are sent
 * block by block in each pass, so that neither 2^32 arcs nor the largest buffer are a limit.  Several devices have a
 * share of the arcs each, and their labels are merged on the first one.  Options NULL: zero everywhere.
 * A directed graph is made undirected first for frontier, bfs and reference; the others follow its arcs one way.
 * Cost: all heads are looked at once.  Device memory: 4 bytes an arc, and for each vertex 8 (afforest, ecl) or 6
 * (frontier, bfs), beside the labels; `edges` has its own form instead, 8 bytes an edge.
 * Errors: MW_EINVAL (no such variant, a head that is no vertex), MW_ENOTSUP (a variant for other devices, or
 * for one device), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
struct mw_graph_labelling;
MW_API int mw_graph_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options,
                                  struct mw_graph_labelling **labelling);
MW_API void mw_graph_labelling_free(struct mw_graph_labelling *labelling);
MW_API const char *mw_graph_labelling_variant(const struct mw_graph_labelling *labelling);

/* Labels the vertices, into a buffer of the first device: an i32 each, the smallest vertex of its component (a root, in
 * the words of components.h, whose mw_components_number makes the numbers of components from them).  It does not depend
 * on devices, variant or threads.  Waits.  `iterations`: rounds of variants that repeat until nothing
 * changes, 1 of others; may be NULL.
 * Errors: MW_EINVAL (a buffer that is too small, or another device's), MW_EDEVICE, those of mw_launch. */
MW_API int mw_graph_labelling_run(struct mw_graph_labelling *labelling, struct mw_buffer *labels, size_t *iterations);

/* The same for one run, into host memory: roots[v] is the smallest vertex of v's component. */
MW_API int mw_graph_label(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_labelling_options *options, int32_t *roots);

/* All in one call: labels[v] is the number of v's component, as components.h and labelled meshes have
 * them (1 to `components`, in the order of their smallest vertices); sizes[c] the vertices of component c + 1, from
 * malloc, the caller's.  Any of the three may be NULL.  Errors: as of mw_graph_labelling_new and _run. */
MW_API int mw_graph_components(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                               int32_t *labels, uint32_t **sizes, size_t *components);

/* ---- strong components ---- */

/* The variants: row i, NULL beyond the last one.
 *   tarjan     one depth-first search; one thread of a native device
 *   colours    vertices without way there or back are taken away until there are none; then the smallest vertex that
 *              leads to each is its colour, and those of a colour that lead back are a component; for all devices */
MW_API const struct mw_variant *mw_graph_strong_variants(size_t i);

struct mw_graph_strong_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": tarjan on native devices, colours on others */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
};

struct mw_graph_strong {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    int32_t *roots;            /* of each vertex the smallest one of its component */
    const char *variant;       /* that was taken */
    size_t rounds;             /* of variant colours */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* The strong components of a graph: of two vertices in one there is a way from either to the other.  Of an undirected
 * graph they are its components.
 * Cost: O(vertices + arcs), and 24 bytes a vertex, by tarjan (Tarjan, SIAM J. Comput. 1 (1972) 146, without
 * recursion); by colours (Orzan, On distributed verification and verified distribution (2004)) that for each round, of
 * which there are as many as the longest way in what is left, each time; 10 bytes a vertex on the device.  `strong` is
 * the caller's: mw_graph_strong_free.
 * Errors: MW_EINVAL (no such variant, a head that is no vertex), MW_ENOTSUP (a variant for other devices), MW_ELIMIT,
 * MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_strong(struct mw_device *device, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *options, struct mw_graph_strong *strong);
MW_API void mw_graph_strong_free(struct mw_graph_strong *strong);

/* ---- bridges ---- */

/* The variants: row i, NULL beyond the last one.
 *   search     one depth-first search on the host, whatever the device (Hopcroft and Tarjan, Communications of the ACM
 *              16 (1973) 372, without recursion)
 *   skeleton   components of a graph's skeleton: any spanning forest, numbered by a tour along it; of its edges those
 *              are left out below which nobody leads to others than those below the upper end, and of the other edges
 *              those between a vertex and one above it (FAST-BCC: Dong, Wang, Gu, Sun, PPoPP 2023, section 4, after
 *              Tarjan and Vishkin, SIAM J. Comput. 14 (1985) 862); for all devices
 *
 * auto: skeleton on GPUs from 500,000 arcs on, on native devices of four cores and more from a million on, and of two
 * or three where most of these lead to vertices with numbers far away; else search. */
MW_API const struct mw_variant *mw_graph_bridge_variants(size_t i);

struct mw_graph_bridges_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto" */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
};

/* A bridge is an edge, and an articulation point a vertex, without which a component falls apart.  Biconnected
 * components are the largest parts that no vertex alone holds together, a bridge with its ends among them. */
struct mw_graph_bridges {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, bridges, components, articulations;
    size_t largest;            /* vertices of the largest component; 0 where there are no edges */
    uint32_t *memberships;     /* of each vertex, in how many components it is; in more than 1: articulation */
    uint32_t *ends;            /* of the bridges, the smaller one first; upwards; NULL without any */
    const char *variant;       /* that was taken */
    double preparing, seconds; /* until the search could begin; from then on */
};

/* Finds them.  Edges from a vertex to itself count for nothing, arcs as edges; by one of several edges between two
 * vertices there is another way, so that none of them is a bridge.  The result does not depend on device and variant.
 * Cost: O(vertices + arcs), and 37 bytes of the host a vertex, by search; as much but for a factor of the logarithm of
 * the vertices, in about fifty launches whatever the graph, and 60 bytes a vertex of the device beside 4 an arc, by
 * skeleton.  A graph with edges is made of a directed one first, on the device.
 * `bridges` is the caller's: mw_graph_bridges_free.
 * Errors: MW_EINVAL (no such variant, a head that is no vertex), MW_ELIMIT, MW_ENOMEM, those of mw_graph_new and
 * mw_program_new. */
MW_API int mw_graph_bridges(struct mw_device *device, const struct mw_graph *graph,
                            const struct mw_graph_bridges_options *options, struct mw_graph_bridges *bridges);
MW_API void mw_graph_bridges_free(struct mw_graph_bridges *bridges);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
