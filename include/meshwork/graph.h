/* Networks: their data structures in host memory.
 *
 * After Leist, Playne and Hawick, "Exploiting graphical processing units for data-parallel scientific applications"
 * (Concurrency and Computation 21 (2009) 2400), sections 4.1 and 4.2. Also after Hawick, Leist and Playne, "Parallel
 * graph component labelling with GPUs and CUDA" (Parallel Computing 36 (2010) 655), section 4.1.
 *
 * Vertices are numbered from 0, with 32 bits. Arcs and edges are counted with 64 bits. An arc leads from its tail to
 * its head. The basic structure is compressed adjacency. One array has the heads of all arcs: those of vertex 0, of
 * vertex 1 and so on. A second array has the index of the first arc of each vertex. An edge of an undirected graph is
 * stored as two arcs, one from each endpoint. An edge from a vertex to itself is two arcs as well, so the sum of all
 * degrees is twice the number of edges.
 *
 *   structure                         paper's figure 9    used for
 *   struct mw_graph                   (e)                 components, breadth-first search, all walks from vertices
 *   struct mw_edges                                       components by edges; generators and files
 *   mw_graph_sources                  (e), arc by arc     kernels with one work-item per arc
 *   mw_graph_groups                   (f)                 all-pairs paths: four arcs in one load
 *   mw_graph_matrix, mw_graph_bits    (b)                 small dense graphs, triangles between hubs
 *
 * Figure 9 also has a list of linked lists (c) and an array of arrays (d), with one more pointer per arc or vertex.
 * They suit growing graphs, which meshwork does not support.
 *
 * Several devices: calls use only the first few of the given devices if further ones are predicted to cost more time
 * than they save. Results do not depend on it.
 *
 * Threads: several threads may read edges, graphs and names at the same time. Objects on a device belong to its
 * thread (device.h). */
#ifndef MESHWORK_GRAPH_H
#define MESHWORK_GRAPH_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of vertices of a graph. Vertex numbers are below this, and fit int32_t. */
#define MW_VERTICES_MAX ((size_t)INT32_MAX)

/* A 128-bit number, for counts and sums that may exceed 64 bits: high * 2^64 + low. */
struct mw_wide { /* a fixed value */
    uint64_t low, high;
};

/* ---- names ---- */

/* Handle of the names of vertices, if they differ from the vertex numbers. The names of a graph are all texts, or all
 * numbers. Reading a file makes the handle. An edge list and the graphs made from it share the handle. It is freed with
 * the last of them. */
struct mw_names;
#define MW_NAME_CAPACITY 24 /* bytes for a name that is a number, with its NUL */
/* Returns the name of a vertex. A name that is a text belongs to `names`. A name that is a number is written to `text`,
 * and `text` is returned. NULL `names`: the name is the vertex number. `vertex` is not checked. */
MW_API const char *mw_name(const struct mw_names *names, size_t vertex, char text[MW_NAME_CAPACITY]);
/* Finds the vertex with the name `name`, and writes its number to `*vertex`. If several vertices have that name, the
 * smallest one is found.
 * - names: names of the graph; NULL: the names are the vertex numbers
 * - vertices: number of vertices of the graph
 * - name: a number must have no sign and no leading zeros
 * Errors: MW_EINVAL (unknown name), MW_ENOMEM.
 * Cost: the first call makes an index of all names in O(vertices) time; later calls take O(1). */
MW_API int mw_name_find(struct mw_names *names, size_t vertices, const char *name, size_t *vertex);

/* ---- weights ----
 *
 * Arcs and edges may have weights. A weight is stored as a 32-bit integer, in a unit of 10^-decimals. All weights of
 * a graph have the same unit. Sums of weights are 64-bit integers. They are exact, and do not depend on the order of
 * additions, unlike sums of floating-point numbers.
 *
 * Reading a file chooses the unit. Numbers such as 0.1 are multiples of a power of ten, and can be stored exactly.
 * - If possible, the unit is the largest power of ten of which all weights are multiples. It is possible if the
 *   largest absolute value is then below 2^31.
 * - Otherwise, the unit is the smallest power of ten for which the largest absolute value is below 2^31. All weights
 *   are rounded to it. The largest weight keeps nine or ten digits. */

#define MW_WEIGHT_CAPACITY 48 /* bytes for a weight as text, with its NUL */
/* Writes value * 10^-decimals to `text`, exactly, as a decimal number, and returns `text`. `value` is a weight or a sum
 * of weights. A number with more than 15 decimals or more than 15 trailing zeros is written with an exponent: 5e-20. */
MW_API const char *mw_weight_text(int64_t value, int decimals, char text[MW_WEIGHT_CAPACITY]);

/* ---- edge lists ---- */

/* List of the arcs of a directed graph, or of the edges of an undirected graph, in any order. Files are read into it,
 * and graphs are built from it. */
struct mw_edges {           /* a fixed value */
    size_t vertices;        /* number of vertices, including those without edges */
    uint64_t count;         /* number of arcs or edges */
    bool directed;          /* true: arcs; false: edges */
    uint32_t *ends;         /* 2 per arc or edge: tail, head; allocated by malloc */
    struct mw_names *names; /* NULL: the names are the vertex numbers */
    int32_t *weights;       /* 1 per arc or edge; allocated by malloc; NULL: no weights */
    int decimals;           /* the unit of the weights is 10^-decimals */
};
/* Makes a list of `count` arcs or edges, without names and weights. All ends are 0; the caller writes edges->ends. The
 * caller frees the list by mw_edges_free.
 * Errors: MW_ELIMIT (more than MW_VERTICES_MAX vertices; more bytes than the memory of the machine), MW_ENOMEM. */
MW_API int mw_edges_new(size_t vertices, uint64_t count, bool directed, struct mw_edges *edges);
/* Frees the arrays of a list, drops its share of the names, and zeroes the struct; NULL is allowed. */
MW_API void mw_edges_free(struct mw_edges *edges);

/* ---- compressed adjacency ---- */

/* Graph in compressed adjacency. A program may copy this struct, embed it, or make it from its own arrays
 * (mw_graph_from_adjacency). Copies share the arrays and the names: call mw_graph_free for one copy only. */
struct mw_graph {    /* a fixed value */
    size_t vertices; /* number of vertices */
    uint64_t arcs;   /* number of arcs; an undirected graph has two per edge */
    bool directed;
    const uint64_t *offsets; /* vertices + 1 elements: the arcs of v are offsets[v] to offsets[v + 1] - 1 */
    const uint32_t *heads;   /* head of each arc */
    struct mw_names *names;  /* NULL: the names are the vertex numbers */
    /* Owner of the arrays: allocated memory or a mapped file. NULL: the arrays belong to the program. */
    struct mw_graph_memory *memory;
    const int32_t *weights; /* weight of each arc; NULL: no weights */
    int decimals;           /* the unit of the weights is 10^-decimals */
};

/* Orders of the arcs of each vertex in compressed adjacency. */
enum mw_graph_order {
    MW_GRAPH_ORDER_NUMBER, /* by ascending head; arcs with the same head by ascending weight */
    /* By descending degree of the head (number of its arcs); heads of equal degree by ascending number. */
    MW_GRAPH_ORDER_DEGREE
};

/* Options of mw_graph_new; all zero is the default. */
struct mw_graph_options {
    size_t size;      /* sizeof the struct: see status.h */
    bool remove_self; /* leave out all arcs from a vertex to itself */
    /* Of several arcs with the same tail and head, keep only the arc with the smallest weight. In an undirected graph,
     * of several edges from a vertex to itself, keep one, which is two arcs. */
    bool remove_multiple;
    enum mw_graph_order order; /* order of the arcs of each vertex */
};

/* Result of mw_graph_new: numbers of self-edges and of repeated edges in the input, before any are removed. Directed
 * graphs: numbers of arcs. */
struct mw_graph_report {
    size_t size;       /* sizeof the struct: see status.h */
    uint64_t self;     /* number of edges from a vertex to itself */
    uint64_t multiple; /* number of repeated edges, self-edges included: k equal edges count k - 1 */
};

/* Builds a graph from edges. The result has the same bits on all devices. The caller keeps `edges` and may free it at
 * once; the graph shares its names. The caller frees the graph by mw_graph_free.
 * - options: NULL: all zero
 * - graph: receives the graph
 * - report: receives the numbers of self-edges and repeated edges; NULL: not counted
 * Errors: MW_EINVAL (an endpoint out of range, named in the message), MW_ELIMIT (too many vertices or arcs; more bytes
 * than the memory of the machine), MW_ENOMEM, those of mw_program_new.
 * Cost: O(vertices + arcs) time, and about 24 bytes of device memory per arc. If the device has less memory, the graph
 * is built in blocks, and each block reads all edges. MW_GRAPH_ORDER_DEGREE adds a second sort. Graphs with weights are
 * always built on the host, by several threads. */
MW_API int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                        struct mw_graph *graph, struct mw_graph_report *report);
/* Returns the bytes of host memory for a graph and the list of edges that it is built from, without weights and names.
 * UINT64_MAX: 2^64 or more. mw_edges_new and mw_graph_new return MW_ELIMIT if their arrays alone exceed the memory of
 * the machine. */
MW_API uint64_t mw_graph_bytes(size_t vertices, uint64_t edges, bool directed);
/* Builds a graph as mw_graph_new does, from an array of the program. The array is only read, and not kept. The graph
 * has no weights and no names.
 * - ends: edge e has the tail ends[2 * e] and the head ends[2 * e + 1]
 * - count: number of edges
 * - options: NULL: all zero
 * Errors: those of mw_graph_new. */
MW_API int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count,
                               bool directed, const struct mw_graph_options *options, struct mw_graph *graph);
/* Makes a graph that uses arrays of the program, in the form of struct mw_graph. In an undirected graph, both arcs of
 * each edge must be present (not checked). The arrays are not copied. They belong to the program, and must not change
 * while the graph is used. The program may then set graph->weights and graph->decimals.
 * - offsets: vertices + 1 elements, from 0 ascending; the last one is the number of arcs
 * - heads: head of each arc
 * Errors: MW_EINVAL (offsets that do not begin with 0 or that decrease; a head out of range), MW_ELIMIT (more than
 * MW_VERTICES_MAX vertices). Cost: reads both arrays once. */
MW_API int mw_graph_from_adjacency(size_t vertices, const uint64_t *offsets, const uint32_t *heads, bool directed,
                                   struct mw_graph *graph);
/* Frees the memory of a graph, drops its share of the names, and zeroes the struct; NULL is allowed. Arrays that belong
 * to the program are not freed. */
MW_API void mw_graph_free(struct mw_graph *graph);

/* Makes the list of the edges of a graph, with its names and weights. Edges are ordered by tail; edges with the same
 * tail are in the order of the adjacency. Each edge of an undirected graph is listed once, from its smaller endpoint to
 * its larger one. The caller frees the list by mw_edges_free. Errors: MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_graph_edges(const struct mw_graph *graph, struct mw_edges *edges);

/* Makes an undirected graph with the same vertices. Two vertices get one edge if an arc joins them in either direction;
 * its weight is the smallest of these arcs. A vertex with self-edges keeps one. The caller frees `undirected` by
 * mw_graph_free. Errors: those of mw_graph_new; MW_EDATA (a head out of range). */
MW_API int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected);

/* Makes a graph with the same vertices and all arcs reversed. Of an undirected graph it makes a copy. The caller frees
 * `reversed` by mw_graph_free. Errors: those of mw_graph_undirected. */
MW_API int mw_graph_reversed(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *reversed);

/* Makes the subgraph of the vertices in `kept`, with all arcs between them. Vertex kept[i] becomes vertex i, and keeps
 * its name. The caller frees `induced` by mw_graph_free.
 * - kept: vertices to keep, in ascending order, each once
 * - count: number of elements of `kept`
 * Errors: those of mw_graph_new; MW_EINVAL (a vertex out of range or out of order), MW_EDATA (a head out of range).
 * Cost: O(vertices + arcs) of the whole graph. */
MW_API int mw_graph_induced(struct mw_device *device, const struct mw_graph *graph, const uint32_t *kept, size_t count,
                            struct mw_graph *induced);
/* Returns the XXH64 hash of these members of a graph, as little-endian words: `vertices`, `arcs`, `directed`,
 * `offsets`, `heads`. With weights, `decimals` and `weights` follow. Names are left out. Graphs with equal members have
 * equal hashes on all machines. */
MW_API uint64_t mw_graph_checksum(const struct mw_graph *graph);

/* Device memory of an algorithm on a graph, in bytes, without programs. Native devices use the host's arrays of the
 * graph instead of copies; these are included. */
struct mw_graph_footprint {
    size_t size;       /* sizeof the struct: see status.h */
    uint64_t vertices; /* arrays with elements per vertex */
    uint64_t arcs;     /* arrays with elements per arc or per edge */
    uint64_t rest;     /* everything else */
};

/* Result of mw_graph_summarise: size, degrees and weights of a graph. The degree of a vertex is the number of arcs that
 * leave it. */
struct mw_graph_summary {
    size_t size;                     /* sizeof the struct: see status.h */
    size_t vertices, isolated;       /* number of vertices; of these, without any arc from or to them */
    uint64_t edges;                  /* number of edges; directed graph: number of arcs */
    uint64_t degree_min, degree_max; /* smallest and largest degree */
    double degree_mean;              /* arcs / vertices; 0: no vertices */
    uint64_t self, multiple;         /* as in struct mw_graph_report */
    bool weighted;                   /* the graph has weights */
    int32_t weight_min, weight_max;  /* smallest and largest weight; 0: no weights or no arcs */
    int decimals;                    /* the unit of the weights is 10^-decimals */
};
/* Computes the summary of a graph. Errors: MW_ENOMEM, MW_EDATA (a head out of range). */
MW_API int mw_graph_summarise(const struct mw_graph *graph, struct mw_graph_summary *summary);
/* Counts the vertices of each degree: (*counts)[d] is the number of vertices that d arcs leave. `*count` receives the
 * number of elements, which is the largest degree + 1. The caller frees *counts by free(). Errors: MW_ENOMEM. */
MW_API int mw_graph_degrees(const struct mw_graph *graph, uint64_t **counts, size_t *count);

/* ---- other structures, for kernels ---- */

/* Makes an array with the tail of each arc, in the order of graph->heads. The caller frees *tails by free(). Errors:
 * MW_ENOMEM. */
MW_API int mw_graph_sources(const struct mw_graph *graph, uint32_t **tails);

#define MW_NO_VERTEX UINT32_MAX /* stands for "no vertex" */
/* Heads of arcs in groups of four, so that kernels read four heads with one load of 16 bytes. Each group belongs to one
 * vertex, and the groups of a vertex are consecutive. */
struct mw_graph_groups {
    size_t size;     /* sizeof the struct: see status.h */
    uint64_t groups; /* number of groups */
    uint64_t *first; /* vertices + 1 elements: the groups of v are first[v] to first[v + 1] - 1 */
    uint32_t *heads; /* 4 per group; after the last head of a vertex: MW_NO_VERTEX */
};
/* Makes the groups of all vertices. The caller frees `groups` by mw_graph_groups_free. Errors: MW_ENOMEM. */
MW_API int mw_graph_groups_new(const struct mw_graph *graph, struct mw_graph_groups *groups);
/* Frees the arrays of `groups`; NULL is allowed. */
MW_API void mw_graph_groups_free(struct mw_graph_groups *groups);

/* Makes the adjacency matrix in bytes: (*matrix)[i * vertices + j] is the number of arcs from i to j, and 255 for 255
 * or more. The caller frees *matrix by free(). Errors: MW_ELIMIT (vertices^2 exceeds size_t), MW_ENOMEM, MW_EDATA (a
 * head out of range). */
MW_API int mw_graph_matrix(const struct mw_graph *graph, uint8_t **matrix);
/* Makes the adjacency matrix in bits: the bit of i and j is set if an arc leads from i to j. It is bit j % 64 of word
 * (*bits)[i * *words + j / 64].
 * `*words` receives the number of words per row. It is a multiple of 8, so that each row is aligned to 64 bytes. The
 * caller frees *bits by free(). Errors: those of mw_graph_matrix. */
MW_API int mw_graph_bits(const struct mw_graph *graph, uint64_t **bits, size_t *words);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
