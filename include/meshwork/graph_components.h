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
 * Variant "auto" chooses ecl in any of these cases, and otherwise afforest:
 * - the graph is directed;
 * - the total number of arcs is small, however many vertices there are; the limit is higher if `cores` of
 *   mw_device_info is not set for the first device;
 * - in a sample, only a small part of the arcs comes after the first two arcs of their vertex: afforest could skip few
 *   arcs;
 * - most of five sampled arcs lead to small components.
 * Neither ecl nor afforest works in rounds, so the diameter of the graph does not matter. */
MW_API const struct mw_variant *mw_graph_component_variants(size_t i);

/* Options of mw_graph_labelling_new; all zero is the default. */
struct mw_graph_labelling_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": chosen, see mw_graph_component_variants */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
};

/* Handle of a labelling: finds the components of one graph, any number of times, with the kernels and the arcs kept
 * ready on the devices. */
struct mw_graph_labelling;
/* Makes a labelling of a graph on one or more devices. The graph still belongs to the caller, and must not change until
 * mw_graph_labelling_free: native devices read its arrays in place. `options` NULL: all zero. The caller frees the
 * labelling by mw_graph_labelling_free.
 *
 * If the arcs fit the memory of a device, they are sent once and stay there. Otherwise they are sent block by block in
 * each pass over them. Neither 2^32 arcs nor the largest buffer are a limit. Of several devices, each has a share of
 * the arcs, and the first one merges the labels. Only the first few take part if more are predicted to take longer.
 * Variants frontier, bfs and reference first make an undirected copy of a directed graph. Other variants follow each
 * arc in one direction.
 * Errors: MW_EINVAL (no such variant, a device that is given twice); MW_EDATA (a head out of range); MW_ENOTSUP (the
 * variant does not support this device, or several devices); MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost: reads all heads once. Device memory in addition to the labels: 4 bytes per arc; per vertex 8 bytes (afforest,
 * ecl) or 6 bytes (frontier, bfs). Variant edges has 8 bytes per edge instead of these. */
MW_API int mw_graph_labelling_new(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options,
                                  struct mw_graph_labelling **labelling);
/* Frees a labelling; NULL is allowed. */
MW_API void mw_graph_labelling_free(struct mw_graph_labelling *labelling);
/* Returns the name of the variant in use, never "auto". */
MW_API const char *mw_graph_labelling_variant(const struct mw_graph_labelling *labelling);

/* Computes the device memory of variant edges, frontier or bfs with its labels, if the device holds all arcs. Makes
 * nothing.
 * Errors: MW_EINVAL (no such variant), MW_ENOTSUP (the memory of another variant, NULL or auto depends on the device;
 * frontier and bfs: the graph is directed). Cost: reads all heads. */
MW_API int mw_graph_labelling_memory(const struct mw_graph *graph, const char *variant,
                                     struct mw_graph_footprint *memory);

/* Labels the vertices, and waits for the result: labels[v] becomes the smallest vertex of the component of v, its root.
 * mw_components_number (components.h) turns roots into labels 1, 2, ... The result does not depend on devices, variant
 * or threads.
 * - labels: buffer on the first device for one int32_t per vertex
 * - iterations: receives the number of rounds of variants edges, frontier and bfs, and 1 for other variants; NULL: not
 *   needed
 * Errors: MW_EINVAL (a buffer that is too small, or on another device), MW_EDEVICE, those of mw_launch. */
MW_API int mw_graph_labelling_run(struct mw_graph_labelling *labelling, struct mw_buffer *labels, size_t *iterations);

/* Labels the components of a graph in one call, into host memory. roots[v] receives the smallest vertex of the
 * component of v. `roots` has one element per vertex; `options` NULL: all zero. Errors: those of mw_graph_labelling_new
 * and mw_graph_labelling_run. */
MW_API int mw_graph_label(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_labelling_options *options, int32_t *roots);

/* Numbers the components of a graph in one call, in the order of their smallest vertices. Each result may be NULL:
 * - labels: labels[v] receives the number of the component of v, from 1; one element per vertex
 * - sizes: (*sizes)[c] receives the number of vertices of component c + 1; the caller frees *sizes by free()
 * - components: receives the number of components
 * Errors: those of mw_graph_labelling_new and mw_graph_labelling_run. */
MW_API int mw_graph_components(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                               int32_t *labels, uint32_t **sizes, size_t *components);

/* ---- strong components ---- */

/* Returns row `i` of the table of variants of mw_graph_strong, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_graph_strong_variants(size_t i);

/* Options of mw_graph_strong; all zero is the default. */
struct mw_graph_strong_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": tarjan on one native device, otherwise colours */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
    /* Array of the caller that receives the result of this name, `vertices` elements; NULL: allocated (status.h). */
    int32_t *roots;
};

/* Result of mw_graph_strong: the strong component of each vertex. */
struct mw_graph_strong {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices;           /* number of vertices */
    int32_t *roots;            /* per vertex: smallest vertex of its component */
    const char *variant;       /* name of the variant used */
    size_t rounds;             /* number of rounds of variant colours, by all devices; 0 for other variants */
    double preparing, seconds; /* seconds before the first round; seconds from its start on */
};

/* Finds the strong components of a graph. Within a strong component, a path leads from every vertex to every other one.
 * In an undirected graph they are the connected components. `options` NULL: all zero. The caller frees `strong` by
 * mw_graph_strong_free.
 *
 * Several devices hold a share of the arcs each, and 10 bytes per vertex. They exchange colours and labels when their
 * own arcs change nothing more. Components are those of one device; the number of rounds depends on the devices.
 * Errors: MW_EINVAL (no such variant, a device that is given twice); MW_EDATA (a head out of range); MW_ENOTSUP
 * (variant tarjan on several devices or one that is not native); MW_ELIMIT, MW_ENOMEM, those of mw_program_new.
 * Cost of variant tarjan (Tarjan, SIAM J. Comput. 1 (1972) 146, without recursion): O(vertices + arcs) time on one
 * thread, 24 bytes of host memory per vertex.
 * Cost of variant colours (Orzan, On distributed verification and verified distribution (2004)): O(vertices + arcs)
 * time per round, 10 bytes of device memory per vertex. It spreads colours, removes the components found, and repeats
 * this for the other vertices. Spreading takes at most as many rounds as the longest path among these vertices has
 * arcs. */
MW_API int mw_graph_strong(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *options, struct mw_graph_strong *strong);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_strong_free(struct mw_graph_strong *strong);

/* ---- bridges ---- */

/* Returns row `i` of the table of variants of mw_graph_bridges, with name and description; NULL beyond the last one.
 *
 * Variant "auto" chooses skeleton (FAST-BCC: Dong, Wang, Gu, Sun, PPoPP 2023) if the total number of arcs is large, in
 * these cases:
 * - devices for which `cores` of mw_device_info is not set;
 * - native devices with 4 or more cores;
 * - native devices with 2 or 3 cores, if most sampled arcs join vertices with distant numbers.
 * It also does so with several devices. Otherwise it chooses search (Hopcroft and Tarjan, Communications of the ACM 16
 * (1973) 372). */
MW_API const struct mw_variant *mw_graph_bridge_variants(size_t i);

/* Options of mw_graph_bridges; all zero is the default. */
struct mw_graph_bridges_options {
    size_t size;         /* sizeof the struct: see status.h */
    const char *variant; /* name of a variant; NULL or "auto": chosen, see mw_graph_bridge_variants */
    /* Maximum number of arcs on one device at once; 0: as many as fit its memory and its largest buffer. */
    uint64_t block_arcs;
    /* Array of the caller that receives the result of this name, `vertices` elements; NULL: allocated (status.h). */
    uint32_t *memberships;
};

/* Result of mw_graph_bridges. A bridge is an edge whose removal splits a component. An articulation point is a vertex
 * whose removal splits a component. A biconnected component is a largest possible subgraph that stays connected if any
 * one of its vertices is removed. A bridge with its two endpoints is a biconnected component, too. */
struct mw_graph_bridges {
    size_t size; /* sizeof the struct: see status.h */
    /* Numbers of vertices, of bridges, of biconnected components and of articulation points. */
    size_t vertices, bridges, components, articulations;
    size_t largest; /* number of vertices of the largest biconnected component; 0: no edges */
    /* Per vertex: number of biconnected components that contain it; 2 or more for articulation points. */
    uint32_t *memberships;
    /* 2 per bridge: its endpoints, the smaller one first. Bridges are in ascending order. NULL: no bridges. */
    uint32_t *ends;
    const char *variant;       /* name of the variant used */
    double preparing, seconds; /* seconds before the search begins; seconds of the search */
};

/* Finds bridges, articulation points and biconnected components. The directions of arcs and self-edges are ignored. If
 * two or more edges join the same two vertices, none of these is a bridge. The result does not depend on device and
 * variant. A directed graph is first copied as an undirected one, on the device. `options` NULL: all zero. The caller
 * frees `bridges` by mw_graph_bridges_free.
 *
 * Several devices share the arcs. The first device joins their spanning forests, makes the tour, and merges
 * what the others find.
 * Errors: MW_EINVAL (no such variant, a device that is given twice); MW_EDATA (a head out of range); MW_ENOTSUP
 * (variant search on several devices); MW_ELIMIT, MW_ENOMEM, those of mw_graph_new and mw_program_new.
 * Cost of variant search: O(vertices + arcs) time on one thread, 37 bytes of host memory per vertex.
 * Cost of variant skeleton: O((vertices + arcs) * log(vertices)) time in about fifty launches; 60 bytes of
 * memory per vertex on each device, and 4 per arc of its share; on the first of several, up to 8 more per vertex for
 * each other device. */
MW_API int mw_graph_bridges(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_bridges_options *options, struct mw_graph_bridges *bridges);
/* Frees the arrays of a result; NULL is allowed. */
MW_API void mw_graph_bridges_free(struct mw_graph_bridges *bridges);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
