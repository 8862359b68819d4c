/* Connected components of networks, strong components, bridges and biconnected components.
 *
 * The variants edges, frontier, bfs and reference are after Hawick, Leist and Playne, "Parallel graph component
 * labelling with GPUs and CUDA" (Parallel Computing 36 (2010) 655), section 4. Later methods are afforest (Sutton,
 * Ben-Nun, Barak, IPDPS 2018) and ecl (ECL-CC: Jaiganesh, Burtscher, HPDC 2018).
 *
 * In a directed graph, labelling finds weak components: as if every arc led both ways. mw_graph_strong finds strong
 * components. components.h computes sizes, histograms, lists of members and the largest component from labels.
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

/* Returns row `i` of the table of variants of labelling, with name and description; NULL beyond the last one. Aliases
 * are the kernel numbers of Hawick, Leist and Playne 2010.
 *
 * Variant "auto" chooses ecl in these cases, otherwise afforest:
 * - the graph is directed, or has few arcs;
 * - samples show that afforest could skip few arcs;
 * - short searches show that all components are small.
 * Neither ecl nor afforest works in rounds, so the diameter of the graph does not matter. */
MW_API const struct mw_variant *mw_graph_component_variants(size_t i);

/* Options of mw_graph_labelling_new; all zero is the default. */
struct mw_graph_labelling_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": chosen, see mw_graph_component_variants */
    /* Maximum arcs on a device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
};

/* Handle of a labelling of the components of one graph. */
struct mw_graph_labelling;
/* Makes a labelling of a graph on one or more devices. It can be run any number of times. The graph stays the caller's
 * and must not change; native devices read its arrays in place. `options` NULL: all zero. The caller frees the
 * labelling by mw_graph_labelling_free.
 * Arcs that fit the memory of a device stay there. Otherwise they are sent block by block in each pass, so neither 2^32
 * arcs nor the largest buffer are a limit. With several devices, each has a share of the arcs, and the labels are
 * merged on the first device. Variants frontier, bfs and reference first make a directed graph undirected; the others
 * follow each arc in one direction.
 * Errors: MW_EINVAL (no such variant, a head out of range), MW_ENOTSUP (the variant does not support this device, or
 * several devices), MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost: reads all heads once. Device memory in addition to the labels: 4 bytes per arc, and per vertex 8 (afforest,
 * ecl) or 6 (frontier, bfs). Variant edges takes 8 bytes per edge instead. */
MW_API int mw_graph_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options,
                                  struct mw_graph_labelling **labelling);
/* Frees a labelling; NULL is allowed. */
MW_API void mw_graph_labelling_free(struct mw_graph_labelling *labelling);
/* Returns the name of the variant in use. */
MW_API const char *mw_graph_labelling_variant(const struct mw_graph_labelling *labelling);

/* Labels the vertices. `labels` is a buffer of the first device with one int32_t per vertex: the smallest vertex of its
 * component. This is a root of components.h; mw_components_number makes labels 1, 2, ... from roots. The result does
 * not depend on devices, variant or threads. Waits.
 * `*iterations` receives the number of rounds of variants that repeat rounds until nothing changes, and 1 for other
 * variants. NULL: not needed.
 * Errors: MW_EINVAL (a buffer that is too small, or belongs to another device), MW_EDEVICE, those of mw_launch. */
MW_API int mw_graph_labelling_run(struct mw_graph_labelling *labelling, struct mw_buffer *labels, size_t *iterations);

/* Labels the components of a graph in one call, into host memory: roots[v] is the smallest vertex of the component
 * of v. `roots` has one element per vertex. Errors: those of mw_graph_labelling_new and mw_graph_labelling_run. */
MW_API int mw_graph_label(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_labelling_options *options, int32_t *roots);

/* Numbers the components of a graph in one call, in the order of their smallest vertices. Each of the three results may
 * be NULL:
 * - labels[v] receives the number of the component of v, from 1; one element per vertex;
 * - sizes[c] receives the number of vertices of component c + 1; the caller frees *sizes by free();
 * - *components receives the number of components.
 * Errors: those of mw_graph_labelling_new and mw_graph_labelling_run. */
MW_API int mw_graph_components(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                               int32_t *labels, uint32_t **sizes, size_t *components);

/* ---- strong components ---- */

/* Returns row `i` of the table of variants of mw_graph_strong, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_strong_variants(size_t i);

/* Options of mw_graph_strong; all zero is the default. */
struct mw_graph_strong_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": tarjan on native devices, colours on others */
    /* Maximum arcs on the device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    /* Array of the caller for the result, `vertices` elements; NULL: allocated (see status.h). */
    int32_t *roots;
};

/* Result of mw_graph_strong. */
struct mw_graph_strong {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    int32_t *roots;            /* smallest vertex of the component, per vertex */
    const char *variant;       /* name of the variant used */
    size_t rounds;             /* number of rounds of variant colours; 0 for other variants */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Finds the strong components of a graph: in each, there is a path from every vertex to every other. In an undirected
 * graph they are the connected components. The caller frees `strong` by mw_graph_strong_free.
 * Errors: MW_EINVAL (no such variant, a head out of range), MW_ENOTSUP (the variant does not support the device),
 * MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost of variant tarjan (Tarjan, SIAM J. Comput. 1 (1972) 146, without recursion): O(vertices + arcs) time, 24 bytes
 * per vertex.
 * Cost of variant colours (Orzan, On distributed verification and verified distribution (2004)): O(vertices + arcs)
 * per round, 10 bytes of device memory per vertex. Each colouring takes at most as many rounds as the longest path
 * in the remaining graph has arcs. */
MW_API int mw_graph_strong(struct mw_device *device, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *options, struct mw_graph_strong *strong);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_strong_free(struct mw_graph_strong *strong);

/* ---- bridges ---- */

/* Returns row `i` of the table of variants of mw_graph_bridges, with name and description; NULL beyond the last one.
 *
 * Variant "auto" chooses skeleton (FAST-BCC: Dong, Wang, Gu, Sun, PPoPP 2023) for graphs with many arcs, on GPUs and
 * on native devices with several cores. With few cores, most arcs must also lead to distant vertices. Otherwise it
 * chooses search (Hopcroft and Tarjan, Communications of the ACM 16 (1973) 372). */
MW_API const struct mw_variant *mw_graph_bridge_variants(size_t i);

/* Options of mw_graph_bridges; all zero is the default. */
struct mw_graph_bridges_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": chosen, see mw_graph_bridge_variants */
    /* Maximum arcs on the device at once; 0: as many as its memory and largest buffer hold. */
    uint64_t block_arcs;
    /* Array of the caller for the result, `vertices` elements; NULL: allocated (see status.h). */
    uint32_t *memberships;
};

/* Result of mw_graph_bridges. A bridge is an edge whose removal splits a component. An articulation point is a
 * vertex whose removal splits a component. A biconnected component is a maximal part that stays connected if any one
 * of its vertices is removed; a bridge with its two endpoints is one as well. */
struct mw_graph_bridges {
    size_t size; /* sizeof the struct: see status.h */
    /* Numbers of vertices, of bridges, of biconnected components and of articulation points. */
    size_t vertices, bridges, components, articulations;
    size_t largest; /* vertices of the largest biconnected component; 0: no edges */
    /* Number of biconnected components that contain the vertex, per vertex; articulation points have 2 or more. */
    uint32_t *memberships;
    /* 2 per bridge: its endpoints, the smaller one first; bridges ascending; NULL: no bridges. */
    uint32_t *ends;
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* seconds before the search; seconds of the search */
};

/* Finds bridges, articulation points and biconnected components. Arcs count as edges, and self-edges are ignored.
 * Several edges between the same two vertices are not bridges. The result does not depend on device and variant. A
 * directed graph is first made undirected on the device. The caller frees `bridges` by mw_graph_bridges_free.
 * Errors: MW_EINVAL (no such variant, a head out of range), MW_ELIMIT, MW_ENOMEM, those of mw_graph_new and
 * mw_program_new.
 * Cost of variant search: O(vertices + arcs) time, 37 bytes of host memory per vertex. Cost of variant skeleton:
 * O((vertices + arcs) * log(vertices)) time in about fifty launches, 60 bytes per vertex and 4 per arc of device
 * memory. */
MW_API int mw_graph_bridges(struct mw_device *device, const struct mw_graph *graph,
                            const struct mw_graph_bridges_options *options, struct mw_graph_bridges *bridges);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_bridges_free(struct mw_graph_bridges *bridges);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
