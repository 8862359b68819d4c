/* Networks: their structures in host memory, and on devices.
 *
 * After Leist, Playne and Hawick, "Exploiting graphical processing units for data-parallel scientific applications"
 * (Concurrency and Computation 21 (2009) 2400), sections 4.1 and 4.2. Also after Hawick, Leist and Playne, "Parallel
 * graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010) 655), section 4.1.
 *
 * Vertices have numbers from 0 on, of 32 bits; arcs and edges are counted in 64.  The basic structure is compressed
 * adjacency: the arcs of vertex 0, of 1, ... in one array, and the position of each vertex's first arc.  An edge of an
 * undirected graph is stored as two arcs, one from either end; an edge from a vertex to itself is two arcs as well, so
 * that the sum of degrees is twice the number of edges.
 *
 *   structure                         paper's figure 9    for
 *   struct mw_graph                   (e)                 components, breadth-first search, all walks from vertices
 *   struct mw_edges                                       components by edges; generators and files
 *   mw_graph_sources                  (e), arc by arc     kernels with one item per arc
 *   mw_graph_groups                   (f)                 all-pairs paths: four arcs in one load
 *   mw_graph_matrix, mw_graph_bits    (b)                 small dense graphs, triangles between hubs
 *
 * Figure 9 also has a list of linked lists (c) and an array of arrays (d), with one more pointer per arc or vertex.
 * They suit growing graphs, which do not occur here.
 *
 * Threads: any number may read edges, graphs and names (names are counted and indexed safely); objects on a device
 * belong to its thread (device.h). */
#ifndef MESHWORK_GRAPH_H
#define MESHWORK_GRAPH_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vertex numbers are below this, so that labels fit signed words of 32 bits. */
#define MW_VERTICES_MAX ((size_t)INT32_MAX)

/* A number of 128 bits, for counts and sums that may exceed 64. */
struct mw_wide { /* a fixed value */
    uint64_t low, high;
};

/* ---- names ---- */

/* Names of vertices, if they differ from their numbers: texts or numbers of a file. Shared between the edges and the
 * graphs made from them; freed with the last. */
struct mw_names;
#define MW_NAME_CAPACITY 24 /* bytes of a vertex's name if it is a number */
/* Returns the name of a vertex: a text owned by `names`, or a number written to `text`. NULL names: the number of the
 * vertex. */
MW_API const char *mw_name(const struct mw_names *names, size_t vertex, char text[MW_NAME_CAPACITY]);
/* Finds the vertex of a name, the first one for equal names. MW_EINVAL: unknown name. Cost: the first call makes an
 * index of all names. */
MW_API int mw_name_find(struct mw_names *names, size_t vertices, const char *name, size_t *vertex);

/* ---- weights ----
 *
 * Arcs and edges may have weights: whole numbers of 32 bits, in the graph's unit, 10^-decimals. Sums of them are exact
 * in 64 bits and the same in any order on all devices, unlike sums of floating-point numbers. A power of ten is exact
 * for usual numbers in files, such as 0.1. A file's weights take the largest unit of which all are multiples, if the
 * largest weight then has at most 31 bits. Otherwise they are rounded once, to the smallest unit for which that holds:
 * to nine or ten digits of the largest. */

#define MW_WEIGHT_CAPACITY 48 /* bytes of a weight as text */
/* Writes a weight, or a sum of weights, as a decimal number: value times 10^-decimals, exactly.  Returns `text`. */
MW_API const char *mw_weight_text(int64_t value, int decimals, char text[MW_WEIGHT_CAPACITY]);

/* ---- edge lists ---- */

/* Arcs, or edges of an undirected graph, in any order. */
struct mw_edges {    /* a fixed value */
    size_t vertices; /* including vertices without edges */
    uint64_t count;
    bool directed;
    uint32_t *ends;         /* 2 an edge: tail and head; from malloc */
    struct mw_names *names; /* NULL: vertices are called by their numbers */
    int32_t *weights;       /* per edge, from malloc; NULL: no weights */
    int decimals;           /* their unit is 10^-decimals */
};
/* Allocates `count` zeroed edges. Errors: MW_ELIMIT (vertices, or more memory than the machine has), MW_ENOMEM. */
MW_API int mw_edges_new(size_t vertices, uint64_t count, bool directed, struct mw_edges *edges);
/* Frees what it holds, and leaves it empty. */
MW_API void mw_edges_free(struct mw_edges *edges);

/* ---- compressed adjacency ---- */

/* Copied, embedded and made of a program's own arrays, hence a fixed value: what graphs get besides belongs to `memory`
 * and `names`, which are opaque. */
struct mw_graph { /* a fixed value */
    size_t vertices;
    uint64_t arcs; /* in an undirected graph twice its edges */
    bool directed;
    const uint64_t *offsets; /* vertices + 1: the arcs of v are offsets[v] to below offsets[v + 1] */
    const uint32_t *heads;   /* per arc */
    struct mw_names *names;
    struct mw_graph_memory *memory; /* storage of these: memory or a mapped file; NULL: the program's own */
    const int32_t *weights;         /* per arc; NULL: no weights */
    int decimals;                   /* their unit is 10^-decimals */
};

/* Orders of the heads of a vertex in compressed adjacency. */
enum mw_graph_order {
    MW_GRAPH_ORDER_NUMBER, /* the heads of a vertex upwards, of equal ones the smaller weight first */
    MW_GRAPH_ORDER_DEGREE  /* most arcs first, then the smaller number */
};

struct mw_graph_options {
    size_t size;          /* sizeof the struct: see status.h */
    bool remove_self;     /* arcs from a vertex to itself */
    bool remove_multiple; /* all but one of several arcs between two vertices, in one direction: the one with
                                  * the smallest weight stays; the edge of an undirected graph from a vertex to itself
                                  * stays two arcs */
    enum mw_graph_order order;
};

/* Counts of the input: of undirected edges, or of arcs. */
struct mw_graph_report {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t self;
    uint64_t multiple; /* beyond the first of equal ones; self-edges among them */
};

/* Builds a graph, on the device (by counting sorts of src/prim) or on a native one's threads: the same bits on all.
 * Edges stay the caller's; names are shared. `options` (NULL: all zero) and `report` may be NULL. Cost: O(vertices +
 * arcs) time, about 24 bytes of working memory per arc. If the device holds fewer, the graph is built in blocks, each
 * of which reads all edges. MW_GRAPH_ORDER_DEGREE sorts a second time. Graphs with weights are built by the host's
 * cores on any device. Errors: MW_EINVAL (edge endpoint out of range, named in the message), MW_ELIMIT, MW_ENOMEM,
 * those of mw_program_new. */
MW_API int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                        struct mw_graph *graph, struct mw_graph_report *report);
/* Returns about how much host memory making a graph of so many edges takes: the edges and the graph. Calls that exceed
 * the machine's memory fail with MW_ELIMIT. */
MW_API uint64_t mw_graph_bytes(size_t vertices, uint64_t edges, bool directed);
/* Makes a graph as mw_graph_new does from a program's own edges, which are only read: tail ends[2 e] and head ends[2 e
 * + 1]. */
MW_API int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count,
                               bool directed, const struct mw_graph_options *options, struct mw_graph *graph);
/* Makes a graph from a program's own adjacency, in the form of struct mw_graph, with both arcs of each undirected edge.
 * The arrays stay the program's, are not copied, and must not change while the graph is used. A program may then set
 * graph->weights. Cost: reads both once. Errors: MW_EINVAL (offsets that do not begin with 0, or fall; a head out of
 * range), MW_ELIMIT. */
MW_API int mw_graph_from_adjacency(size_t vertices, const uint64_t *offsets, const uint32_t *heads, bool directed,
                                   struct mw_graph *graph);
/* Frees what it holds, and leaves it empty. */
MW_API void mw_graph_free(struct mw_graph *graph);

/* Makes the list of a graph's edges, ascending by tail, then in the order of the adjacency. Each edge of an undirected
 * graph is listed once, with its smaller endpoint first. Errors: MW_ENOMEM. */
MW_API int mw_graph_edges(const struct mw_graph *graph, struct mw_edges *edges);

/* Makes the undirected graph of the same vertices with an edge for each arc. Equal and opposite arcs become one edge,
 * with the smallest weight. Errors: those of mw_graph_new; MW_EDATA (an invalid head in a mapped graph). */
MW_API int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected);

/* Makes the graph of the same vertices with each arc reversed; an undirected graph stays the same. Errors: those of
 * mw_graph_undirected. */
MW_API int mw_graph_reversed(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *reversed);

/* Makes the graph of some vertices (ascending, each once) and the arcs between them: kept[i] becomes vertex i, and
 * keeps its name. Cost: O(vertices + arcs). Errors: those of mw_graph_new; MW_EINVAL (a vertex out of range or order),
 * MW_EDATA (a head out of range, in a mapped graph). */
MW_API int mw_graph_induced(struct mw_device *device, const struct mw_graph *graph, const uint32_t *kept, size_t count,
                            struct mw_graph *induced);
/* Returns the XXH64 of vertices, arcs, direction, offsets and heads, and with weights of `decimals` and weights, as
 * little-endian words. It is the same for equal adjacency from any file, device or machine; names do not count. */
MW_API uint64_t mw_graph_checksum(const struct mw_graph *graph);

/* A summary of a whole graph.  Degrees are those of arcs that leave. */
struct mw_graph_summary {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices, isolated; /* isolated: without arcs, in either direction */
    uint64_t edges;            /* in a directed graph: arcs */
    uint64_t degree_min, degree_max;
    double degree_mean;
    uint64_t self, multiple; /* as in mw_graph_report */
    bool weighted;
    int32_t weight_min, weight_max; /* in a graph with weights and arcs, in its unit; otherwise 0 */
    int decimals;
};
/* Computes the summary of a graph. Errors: MW_ENOMEM, MW_EDATA (a head that is not a vertex). */
MW_API int mw_graph_summarise(const struct mw_graph *graph, struct mw_graph_summary *summary);
/* Counts vertices by degree: counts[d] have d arcs, for d up to the maximum. The caller frees *counts by free(). */
MW_API int mw_graph_degrees(const struct mw_graph *graph, uint64_t **counts, size_t *count);

/* ---- other structures, for kernels ---- */

/* Makes the array of the tails of all arcs, in the order of heads. The caller frees it by free(). Errors: MW_ENOMEM. */
MW_API int mw_graph_sources(const struct mw_graph *graph, uint32_t **tails);

#define MW_NO_VERTEX UINT32_MAX /* not a vertex */
/* Arcs in groups of four, so that a load of 16 bytes reads four heads. Groups of a vertex are consecutive. */
struct mw_graph_groups {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t groups;
    uint64_t *first; /* vertices + 1: the groups of v are first[v] to below first[v + 1] */
    uint32_t *heads; /* 4 per group; unused ones are MW_NO_VERTEX */
};
/* Makes the groups of a graph's arcs.  Errors: MW_ENOMEM. */
MW_API int mw_graph_groups_new(const struct mw_graph *graph, struct mw_graph_groups *groups);
MW_API void mw_graph_groups_free(struct mw_graph_groups *groups);

/* Makes the adjacency matrix: matrix[i vertices + j] arcs lead from i to j, at most 255. The caller frees it by free().
 * Errors: MW_ELIMIT (vertices squared), MW_ENOMEM, MW_EDATA (an invalid head). */
MW_API int mw_graph_matrix(const struct mw_graph *graph, uint8_t **matrix);
/* Makes one bit per pair. Row i begins at word i * *words (a multiple of 8 words, so that rows are 64 bytes apart); its
 * bit j is bit j % 64 of word j / 64. The caller frees it by free(). Errors: those of mw_graph_matrix. */
MW_API int mw_graph_bits(const struct mw_graph *graph, uint64_t **bits, size_t *words);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
