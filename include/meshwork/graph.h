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
 * Threads: several threads may read edges, graphs and names at the same time. Objects on a device belong to its
 * thread (device.h). */
#ifndef MESHWORK_GRAPH_H
#define MESHWORK_GRAPH_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Upper limit: vertex numbers are smaller than this, so that labels fit int32_t. */
#define MW_VERTICES_MAX ((size_t)INT32_MAX)

/* A 128-bit number, for counts and sums that may exceed 64 bits: high * 2^64 + low. */
struct mw_wide { /* a fixed value */
    uint64_t low, high;
};

/* ---- names ---- */

/* Names of vertices, if they differ from the vertex numbers: texts, or numbers of a file. Shared by the edges and
 * the graphs made from them; freed with the last of these. */
struct mw_names;
#define MW_NAME_CAPACITY 24 /* bytes for the name of a vertex if it is a number, with its NUL */
/* Returns the name of a vertex: a text that belongs to `names`, or a number that is written to `text`. NULL names:
 * the name is the vertex number. */
MW_API const char *mw_name(const struct mw_names *names, size_t vertex, char text[MW_NAME_CAPACITY]);
/* Finds the vertex of a name, the first one if several have that name. `vertices`: number of vertices of the graph.
 * NULL names: the names are the vertex numbers. Errors: MW_EINVAL (unknown name), MW_ENOMEM. Cost: the first call
 * makes an index of all names. */
MW_API int mw_name_find(struct mw_names *names, size_t vertices, const char *name, size_t *vertex);

/* ---- weights ----
 *
 * Arcs and edges may have weights: 32-bit integers, in a unit of 10^-decimals that is common to the graph. Sums of
 * weights are 64-bit integers. They are exact and do not depend on the order of additions, unlike sums of
 * floating-point numbers. Usual numbers in files, such as 0.1, are multiples of a power of ten, and therefore exact.
 * Reading a file chooses the largest unit of which all weights are multiples, if the largest weight then has at most
 * 31 bits. Otherwise weights are rounded once, to the smallest unit for which the largest weight has at most 31
 * bits. This keeps nine or ten digits of the largest weight. */

#define MW_WEIGHT_CAPACITY 48 /* bytes for a weight as text, with its NUL */
/* Writes a weight, or a sum of weights, to `text`: value * 10^-decimals, exactly, as a decimal number. Returns
 * `text`. */
MW_API const char *mw_weight_text(int64_t value, int decimals, char text[MW_WEIGHT_CAPACITY]);

/* ---- edge lists ---- */

/* List of arcs, or of edges of an undirected graph, in any order. */
struct mw_edges {           /* a fixed value */
    size_t vertices;        /* number of vertices, including those without edges */
    uint64_t count;         /* number of arcs or edges */
    bool directed;          /* true: arcs; false: edges */
    uint32_t *ends;         /* 2 per edge: tail, head; allocated by malloc */
    struct mw_names *names; /* NULL: the names are the vertex numbers */
    int32_t *weights;       /* 1 per edge, allocated by malloc; NULL: no weights */
    int decimals;           /* the unit of the weights is 10^-decimals */
};
/* Makes a list of `count` edges from vertex 0 to itself, for the caller to fill in; without names and weights. The
 * caller frees it by mw_edges_free. Errors: MW_ELIMIT (too many vertices, or more memory than the machine has),
 * MW_ENOMEM. */
MW_API int mw_edges_new(size_t vertices, uint64_t count, bool directed, struct mw_edges *edges);
/* Frees the arrays and names of a list, and zeroes the struct; NULL is allowed. */
MW_API void mw_edges_free(struct mw_edges *edges);

/* ---- compressed adjacency ---- */

/* Graph in compressed adjacency. A program may copy this struct, embed it, and make it from its own arrays
 * (mw_graph_from_adjacency). Only one copy may be freed. */
struct mw_graph {    /* a fixed value */
    size_t vertices; /* number of vertices */
    uint64_t arcs;   /* number of arcs; an undirected graph has two per edge */
    bool directed;
    const uint64_t *offsets; /* vertices + 1 elements: the arcs of v are offsets[v] to offsets[v + 1] - 1 */
    const uint32_t *heads;   /* head of each arc */
    struct mw_names *names;  /* NULL: the names are the vertex numbers */
    /* Owner of the arrays (memory or a mapped file); NULL: the program owns them. */
    struct mw_graph_memory *memory;
    const int32_t *weights; /* weight of each arc; NULL: no weights */
    int decimals;           /* the unit of the weights is 10^-decimals */
};

/* Orders of the arcs of each vertex in compressed adjacency. */
enum mw_graph_order {
    MW_GRAPH_ORDER_NUMBER, /* by ascending head; arcs with the same head by ascending weight */
    /* By descending degree of the head; heads of the same degree by ascending number. */
    MW_GRAPH_ORDER_DEGREE
};

/* Options of mw_graph_new; all zero is the default. */
struct mw_graph_options {
    size_t size;      /* sizeof the struct: see status.h */
    bool remove_self; /* leave out arcs from a vertex to itself */
    /* Of several arcs from one vertex to another, keep only the arc with the smallest weight. In an undirected
     * graph, an edge from a vertex to itself keeps its two arcs. */
    bool remove_multiple;
    enum mw_graph_order order; /* order of the arcs of each vertex */
};

/* Result of mw_graph_new: counts of edges of an undirected input, or of arcs of a directed input, before any are
 * removed. */
struct mw_graph_report {
    size_t size;       /* sizeof the struct: see status.h */
    uint64_t self;     /* number from a vertex to itself */
    uint64_t multiple; /* number of repetitions: of k equal ones, k - 1 are counted; includes self-edges */
};

/* Builds a graph from edges. The result has the same bits on all devices. `edges` stays the caller's; the graph shares
 * its names. `options` NULL: all zero. `report` NULL: no report. The caller frees the graph by mw_graph_free.
 * Cost: O(vertices + arcs) time, and about 24 bytes of device memory per arc. If the device has less memory, the graph
 * is built in blocks, each of which reads all edges. MW_GRAPH_ORDER_DEGREE adds a second sort. Graphs with weights are
 * built by the cores of the host, whatever the device.
 * Errors: MW_EINVAL (an endpoint out of range, named in the message), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                        struct mw_graph *graph, struct mw_graph_report *report);
/* Returns about how many bytes of host memory a graph and its list of edges take while it is made. Calls that would
 * exceed the memory of the machine fail with MW_ELIMIT. */
MW_API uint64_t mw_graph_bytes(size_t vertices, uint64_t edges, bool directed);
/* Makes a graph as mw_graph_new does, from `count` edges in an array of the program, which is only read. Edge e has
 * tail ends[2 * e] and head ends[2 * e + 1]. Errors: those of mw_graph_new. */
MW_API int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count,
                               bool directed, const struct mw_graph_options *options, struct mw_graph *graph);
/* Makes a graph from arrays of the program in the form of struct mw_graph; an undirected graph has both arcs of each
 * edge. The arrays are not copied. They stay the program's, and must not change while the graph is used. The program
 * may then set graph->weights and graph->decimals. Cost: reads both arrays once. Errors: MW_EINVAL (offsets that do
 * not begin with 0 or that decrease; a head out of range), MW_ELIMIT (too many vertices). */
MW_API int mw_graph_from_adjacency(size_t vertices, const uint64_t *offsets, const uint32_t *heads, bool directed,
                                   struct mw_graph *graph);
/* Frees the memory and names of a graph, and zeroes the struct; NULL is allowed. Arrays of the program stay. */
MW_API void mw_graph_free(struct mw_graph *graph);

/* Makes the list of the edges of a graph, by ascending tail, then in the order of the adjacency. Each edge of an
 * undirected graph is listed once, with its smaller endpoint first. The caller frees it by mw_edges_free. Errors:
 * MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_graph_edges(const struct mw_graph *graph, struct mw_edges *edges);

/* Makes an undirected graph with the same vertices and an edge for each arc. Equal and opposite arcs become one
 * edge, which has the smallest of their weights. Errors: those of mw_graph_new; MW_EDATA (a head out of range in a
 * mapped graph). */
MW_API int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected);

/* Makes a graph with the same vertices and all arcs reversed; an undirected graph is only copied. Errors: those of
 * mw_graph_undirected. */
MW_API int mw_graph_reversed(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *reversed);

/* Makes the subgraph of `count` vertices and all arcs between them. `kept` lists the vertices in ascending order,
 * each once. Vertex kept[i] becomes vertex i, and keeps its name. Cost: O(vertices + arcs). Errors: those of
 * mw_graph_new; MW_EINVAL (a vertex out of range or out of order), MW_EDATA (a head out of range in a mapped graph). */
MW_API int mw_graph_induced(struct mw_device *device, const struct mw_graph *graph, const uint32_t *kept, size_t count,
                            struct mw_graph *induced);
/* Returns the XXH64 hash of a graph: of `vertices`, `arcs`, `directed`, `offsets` and `heads`, and with weights also
 * of `decimals` and `weights`, all as little-endian words. Graphs with equal adjacency have equal hashes on all
 * machines. Names do not count. */
MW_API uint64_t mw_graph_checksum(const struct mw_graph *graph);

/* Result of mw_graph_summarise. The degree of a vertex is the number of arcs that leave it. */
struct mw_graph_summary {
    size_t size;                     /* sizeof the struct: see status.h */
    size_t vertices, isolated;       /* number of vertices; number of those without any arc from or to them */
    uint64_t edges;                  /* number of edges, or of arcs of a directed graph */
    uint64_t degree_min, degree_max; /* smallest and largest degree */
    double degree_mean;
    uint64_t self, multiple;        /* counts as in mw_graph_report */
    bool weighted;                  /* has weights */
    int32_t weight_min, weight_max; /* smallest and largest weight; 0: no weights or no arcs */
    int decimals;                   /* the unit of the weights is 10^-decimals */
};
/* Computes the summary of a graph. Errors: MW_ENOMEM, MW_EDATA (a head that is not a vertex). */
MW_API int mw_graph_summarise(const struct mw_graph *graph, struct mw_graph_summary *summary);
/* Counts the vertices of each degree: counts[d] vertices have d arcs that leave them. `*count` receives the number
 * of elements, the largest degree + 1. The caller frees *counts by free(). Errors: MW_ENOMEM. */
MW_API int mw_graph_degrees(const struct mw_graph *graph, uint64_t **counts, size_t *count);

/* ---- other structures, for kernels ---- */

/* Makes an array of the tails of all arcs, in the order of graph->heads. The caller frees it by free(). Errors:
 * MW_ENOMEM. */
MW_API int mw_graph_sources(const struct mw_graph *graph, uint32_t **tails);

#define MW_NO_VERTEX UINT32_MAX /* not a vertex */
/* Arcs in groups of four, so that one load of 16 bytes reads four heads. The groups of a vertex are consecutive. */
struct mw_graph_groups {
    size_t size;     /* sizeof the struct: see status.h */
    uint64_t groups; /* number of groups */
    uint64_t *first; /* vertices + 1 elements: the groups of v are first[v] to first[v + 1] - 1 */
    uint32_t *heads; /* 4 per group; unused ones are MW_NO_VERTEX */
};
/* Makes the groups of the arcs of a graph. The caller frees them by mw_graph_groups_free. Errors: MW_ENOMEM. */
MW_API int mw_graph_groups_new(const struct mw_graph *graph, struct mw_graph_groups *groups);
/* Frees the arrays of groups; NULL is allowed. */
MW_API void mw_graph_groups_free(struct mw_graph_groups *groups);

/* Makes the adjacency matrix: matrix[i * vertices + j] is the number of arcs from i to j, or 255 if there are more.
 * The caller frees it by free(). Errors: MW_ELIMIT (the matrix is too large), MW_ENOMEM, MW_EDATA (a head out of
 * range). */
MW_API int mw_graph_matrix(const struct mw_graph *graph, uint8_t **matrix);
/* Makes the adjacency matrix with one bit per pair: set if there is an arc from i to j. Row i begins at word i *
 * *words. `*words` is a multiple of 8, so that rows are aligned to 64 bytes. The bit of j is bit j % 64 of word j /
 * 64 of the row. The caller frees it by free(). Errors: those of mw_graph_matrix. */
MW_API int mw_graph_bits(const struct mw_graph *graph, uint64_t **bits, size_t *words);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
