/* Connected components of networks.
 *
 * After Hawick, Leist and Playne, "Parallel graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010)
 * 655), section 4: the variants edges, frontier, bfs and reference. Later methods are Afforest (Sutton, Ben-Nun,
 * Barak, IPDPS 2018) and ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * Directed graphs are labelled by weak components, as if every arc led both ways; mw_graph_strong finds strong ones.
 * components.h has sizes, histograms, lists of members and the largest component, as for meshes.
 *
 * Threads: a labelling belongs to the thread of its devices (device.h); other threads may read the graph. */
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

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. Aliases are the numbers of
 * Hawick, Leist and Playne 2010.
 *
 * auto chooses ecl for directed graphs and for few arcs, and if samples show that few arcs can be skipped, or short
 * searches that all components are small. Otherwise it chooses afforest. Neither works in rounds, so the diameter does
 * not matter. */
MW_API const struct mw_variant *mw_graph_component_variants(size_t i);

struct mw_graph_labelling_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": by the first device and samples, see above */
    uint64_t block_arcs; /* arcs on a device at once; 0: as many as its memory and largest buffer take */
};

/* A labelling of the components of one graph. */
struct mw_graph_labelling;
/* Makes a labelling of one graph on one device or several, which can be run any number of times.  The graph is the
 * caller's and must not change; native devices read its own arrays.  Arcs that fit a device stay there.  Otherwise they
 * are sent block by block in each pass, so that neither 2^32 arcs nor the largest buffer are a limit.  Several devices
 * have a share of the arcs each, and their labels are merged on the first one.  Options NULL: zero everywhere.
 * A directed graph is made undirected first for frontier, bfs and reference; the others follow its arcs one way.
 * Cost: all heads are read once. Device memory: 4 bytes per arc, and per vertex 8 (afforest, ecl) or 6 (frontier, bfs),
 * in addition to the labels; `edges` has its own form instead, 8 bytes per edge. Errors: MW_EINVAL (no such variant, a
 * head out of range), MW_ENOTSUP (a variant for other devices, or
 * for one device), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options,
                                  struct mw_graph_labelling **labelling);
MW_API void mw_graph_labelling_free(struct mw_graph_labelling *labelling);
/* Returns the name of the chosen variant. */
MW_API const char *mw_graph_labelling_variant(const struct mw_graph_labelling *labelling);

/* Labels the vertices, into a buffer of the first device: an i32 each, the smallest vertex of its component (a root, in
 * the words of components.h, whose mw_components_number makes the numbers of components from them).  It does not depend
 * on devices, variant or threads.  Waits.  `iterations`: rounds of variants that repeat until nothing
 * changes, 1 of others; may be NULL.
 * Errors: MW_EINVAL (a buffer that is too small, or another device's), MW_EDEVICE, those of mw_launch. */
MW_API int mw_graph_labelling_run(struct mw_graph_labelling *labelling, struct mw_buffer *labels, size_t *iterations);

/* Labels the components of a graph once, into host memory: roots[v] is the smallest vertex of v's component. */
MW_API int mw_graph_label(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_labelling_options *options, int32_t *roots);

/* Numbers the components of a graph in one call. labels[v] is the number of v's component, 1 to `components` in the
 * order of their smallest vertices; sizes[c] is the number of vertices of component c + 1, and is freed by the caller
 * with free(). Each of the three may be NULL. Errors: those of mw_graph_labelling_new and mw_graph_labelling_run. */
MW_API int mw_graph_components(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                               int32_t *labels, uint32_t **sizes, size_t *components);

/* ---- strong components ---- */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_strong_variants(size_t i);

struct mw_graph_strong_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* NULL or "auto": tarjan on native devices, colours on others */
    uint64_t block_arcs; /* arcs on the device at once; 0: as many as its memory and largest buffer take */
    int32_t *roots;      /* the caller's array for the result, of `vertices` elements: see status.h */
};

/* Result of mw_graph_strong. */
struct mw_graph_strong {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices;
    int32_t *roots;            /* per vertex the smallest one of its component */
    const char *variant;       /* the one used */
    size_t rounds;             /* for variant colours */
    double preparing, seconds; /* until the first round could begin; from then on */
};

/* Finds the strong components of a graph, in which there is a path from each vertex to each other. In an undirected
 * graph they are its components. Cost by tarjan (Tarjan, SIAM J. Comput. 1 (1972) 146, without recursion): O(vertices +
 * arcs), and 24 bytes per vertex. Cost by colours (Orzan, On distributed verification and verified distribution
 * (2004)): the same per round, and 10 bytes per vertex on the device; the rounds of each colouring are at most the
 * longest path of the remaining graph. Free `strong` by mw_graph_strong_free. Errors: MW_EINVAL (no such variant, a
 * head out of range), MW_ENOTSUP (a variant for other devices), MW_ELIMIT,
 * MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_strong(struct mw_device *device, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *options, struct mw_graph_strong *strong);
MW_API void mw_graph_strong_free(struct mw_graph_strong *strong);

/* ---- bridges ---- */

/* Returns row i of the table of variants, which describes each; NULL beyond the last one.
 *
 * auto chooses skeleton (FAST-BCC: Dong, Wang, Gu, Sun, PPoPP 2023) for many arcs on GPUs and on native devices with
 * several cores; with few cores only if most arcs lead to distant vertices. Otherwise it chooses search (Hopcroft and
 * Tarjan, Communications of the ACM 16 (1973) 372). */
MW_API const struct mw_variant *mw_graph_bridge_variants(size_t i);

struct mw_graph_bridges_options {
    size_t size;           /* sizeof the struct: see status.h */
    const char *variant;   /* NULL or "auto" */
    uint64_t block_arcs;   /* arcs on the device at once; 0: as many as its memory and largest buffer take */
    uint32_t *memberships; /* the caller's array for the result, of `vertices` elements: see status.h */
};

/* A bridge is an edge, and an articulation point a vertex, without which a component falls apart.  Biconnected
 * components are the largest parts that no vertex alone holds together, a bridge with its ends among them. */
struct mw_graph_bridges {
    size_t size; /* sizeof the struct: see status.h */
    size_t vertices, bridges, components, articulations;
    size_t largest;            /* vertices of the largest component; 0 without edges */
    uint32_t *memberships;     /* per vertex, the number of its components; more than 1: articulation point */
    uint32_t *ends;            /* endpoints of bridges, the smaller one first; ascending; NULL without any */
    const char *variant;       /* the one used */
    double preparing, seconds; /* until the search could begin; from then on */
};

/* Finds bridges, articulation points and biconnected components. Loops are ignored, and arcs count as edges. If there
 * are several edges between two vertices, none of them is a bridge. The result does not depend on device and variant.
 * Cost by search: O(vertices + arcs), and 37 bytes of the host per vertex. Cost by skeleton: the same times the
 * logarithm of the vertices, in about fifty launches for any graph; 60 bytes per vertex and 4 per arc on the device. A
 * directed graph is made undirected first, on the device. Free `bridges` by mw_graph_bridges_free. Errors: MW_EINVAL
 * (no such variant, a head out of range), MW_ELIMIT, MW_ENOMEM, those of mw_graph_new and
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
