/* Networks: their structures in host memory, and on devices.
 *
 * After Leist, Playne and Hawick, "Exploiting graphical processing units for data-parallel scientific applications"
 * (Concurrency and Computation 21 (2009) 2400), sections 4.1 and 4.2, and Hawick, Leist and Playne, "Parallel graph
 * component labelling with GPUs and CUDA" (Parallel Computing 36 (2010) 655), section 4.1.
 *
 * Vertices have numbers from 0 on, of 32 bits; arcs and edges are counted in 64.  The structure that everything starts
 * from is compressed adjacency: the arcs of vertex 0, of 1, ... in one array, and where each vertex's begin.  An edge
 * of an undirected graph stands in it as two arcs, one from either end; an edge from a vertex to itself as two arcs as
 * well, so that the sum of degrees is twice the number of edges.
 *
 *   what                              paper's figure 9    for
 *   struct mw_graph                   (e)                 components, breadth-first search, all walks from vertices
 *   struct mw_edges                                       components by edges; what generators make and files hold
 *   mw_graph_sources                  (e), arc by arc     kernels with an item for each arc
 *   mw_graph_groups                   (f)                 all-pairs paths: four arcs in one load
 *   mw_graph_matrix, mw_graph_bits    (b)                 small dense graphs, triangles between hubs
 *
 * Figure 9's other two, a list of linked lists (c) and an array of arrays (d), hold the same with a pointer more for
 * each arc or vertex: they suit graphs that grow, which none here does.
 *
 * Threads: all may look at edges, graphs and names at once (names are counted and indexed safely); what is made on a
 * device, by its thread (device.h). */
#ifndef MESHWORK_GRAPH_H
#define MESHWORK_GRAPH_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vertex numbers are below this, so that labels fit signed words of 32 bits. */
#define MW_VERTICES_MAX ((size_t)INT32_MAX)

/* A number of 128 bits: what is counted of a network may need them. */
struct mw_wide { /* a fixed value */
    uint64_t low, high;
};

/* ---- names ---- */

/* What vertices are called where that is not their number: texts or numbers, as a file had them.  Shared between the
 * edges and the graphs made from them; freed with the last. */
struct mw_names;
/* The name of a vertex, written to `text` where it is a number; NULL names: the vertex's own number. */
#define MW_NAME_CAPACITY 24
MW_API const char *mw_name(const struct mw_names *names, size_t vertex, char text[MW_NAME_CAPACITY]);
/* The vertex of a name, of equal names the first.  MW_EINVAL: there is none.  Cost: the first call makes an index of
 * all names. */
MW_API int mw_name_find(struct mw_names *names, size_t vertices, const char *name, size_t *vertex);

/* ---- weights ----
 *
 * Arcs and edges may have weights: whole numbers of 32 bits, in a unit that is the graph's, 10^-decimals.  So sums of
 * them are exact in 64 bits and the same in whatever order they are made, on all devices, which sums of floating
 * numbers are not; and a power of ten, unlike one of two, is exact for what people write into files, as 0.1.  A file's
 * weights take the largest unit of which all are multiples, where the largest weight has then no more than 31 bits;
 * else they are rounded, once, to the smallest unit for which that holds: to nine digits of the largest, or ten. */

/* A weight, or a sum of weights, in figures: value times 10^-decimals, without loss.  Returns `text`. */
#define MW_WEIGHT_CAPACITY 48
MW_API const char *mw_weight_text(int64_t value, int decimals, char text[MW_WEIGHT_CAPACITY]);

/* ---- edge lists ---- */

/* Arcs, or edges of an undirected graph, in any order. */
struct mw_edges {    /* a fixed value */
    size_t vertices; /* also those without edges */
    uint64_t count;
    bool directed;
    uint32_t *ends;         /* 2 an edge: tail and head; from malloc */
    struct mw_names *names; /* NULL: vertices are called by their numbers */
    int32_t *weights;       /* of each edge, from malloc; NULL: there are none */
    int decimals;           /* their unit is 10^-decimals */
};
/* Room for `count` edges, zeroed.  Errors: MW_ELIMIT (vertices, or more memory than there is), MW_ENOMEM. */
MW_API int mw_edges_new(size_t vertices, uint64_t count, bool directed, struct mw_edges *edges);
/* Frees what it holds, and leaves it empty. */
MW_API void mw_edges_free(struct mw_edges *edges);

/* ---- compressed adjacency ---- */

/* Copied, embedded and made of a program's own arrays, hence a fixed value: what graphs get besides belongs to `memory`
 * and `names`, which are opaque. */
struct mw_graph { /* a fixed value */
    size_t vertices;
    uint64_t arcs; /* of an undirected graph twice its edges */
    bool directed;
    const uint64_t *offsets; /* vertices + 1: the arcs of v are those from offsets[v] to below offsets[v + 1] */
    const uint32_t *heads;   /* of each arc */
    struct mw_names *names;
    struct mw_graph_memory *memory; /* what these stand in: memory or a mapped file; NULL: the program's own */
    const int32_t *weights;         /* of each arc; NULL: there are none */
    int decimals;                   /* their unit is 10^-decimals */
};

enum mw_graph_order {
    MW_GRAPH_ORDER_NUMBER, /* the heads of a vertex upwards, of equal ones the smaller weight first */
    MW_GRAPH_ORDER_DEGREE  /* those with the most arcs first, of equal ones the smaller number first */
};

struct mw_graph_options {
    size_t size;          /* sizeof the struct: see status.h */
    bool remove_self;     /* arcs from a vertex to itself */
    bool remove_multiple; /* all but one of several arcs between two vertices, in one direction: the one with
                                  * the smallest weight stays; the edge of an undirected graph from a vertex to itself
                                  * stays two arcs */
    enum mw_graph_order order;
};

/* What the edges held: of the undirected edges, or of arcs. */
struct mw_graph_report {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t self;
    uint64_t multiple; /* beyond the first of equal ones; self-edges among them */
};

/* Builds a graph, on the device (by counting sorts of src/prim) or on a native one's threads: the same bits on all.
 * Edges stay the caller's; names are shared.  `options` (NULL: all zero) and `report` may be NULL.
 * Cost: O(vertices + arcs) time, about 24 bytes of working memory an arc; in blocks where the device holds fewer, for
 * each of which all edges are read.  MW_GRAPH_ORDER_DEGREE sorts a second time.  Graphs with weights are built by the
 * host's cores, whatever the device.
 * Errors: MW_EINVAL (an edge to a vertex that is none: which), MW_ELIMIT, MW_ENOMEM, those of mw_program_new. */
MW_API int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                        struct mw_graph *graph, struct mw_graph_report *report);
/* Memory of the host that a graph of so many edges takes while it is made, about: the edges and the graph.  Calls that
 * would take more than the machine has fail with MW_ELIMIT. */
MW_API uint64_t mw_graph_bytes(size_t vertices, uint64_t edges, bool directed);
/* Likewise of a program's own edges: ends[2 e] and ends[2 e + 1], tail and head.  Only read. */
MW_API int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count,
                               bool directed, const struct mw_graph_options *options, struct mw_graph *graph);
/* A graph of a program's own adjacency, as struct mw_graph has it: of an undirected graph both arcs of each edge.  The
 * arrays stay the program's, and as they are while the graph is used; there is no copy.  A program's own weights go
 * into graph->weights behind that.  Cost: looks at both once.
 * Errors: MW_EINVAL (offsets that do not begin with 0, or fall; a head that is no vertex), MW_ELIMIT. */
MW_API int mw_graph_from_adjacency(size_t vertices, const uint64_t *offsets, const uint32_t *heads, bool directed,
                                   struct mw_graph *graph);
/* Frees what it holds, and leaves it empty. */
MW_API void mw_graph_free(struct mw_graph *graph);

/* A graph's edges: each edge of an undirected graph once, with its smaller end first; upwards by tail, then in the
 * adjacency's order.  Errors: MW_ENOMEM. */
MW_API int mw_graph_edges(const struct mw_graph *graph, struct mw_edges *edges);

/* A graph of the same vertices with an arc in both directions for every arc: equal arcs become one edge, and two
 * opposite ones as well, with the smallest weight.  Errors: those of mw_graph_new; MW_EDATA (a head that is no vertex,
 * in a mapped graph). */
MW_API int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected);

/* A graph of the same vertices with every arc the other way round; of an undirected graph, the same.  Errors: as of
 * mw_graph_undirected. */
MW_API int mw_graph_reversed(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *reversed);

/* The graph of some vertices (upwards, each once) and the arcs between them: kept[i] becomes vertex i, and keeps its
 * name.  Cost: O(vertices + arcs).  Errors: those of mw_graph_new; MW_EINVAL (a vertex that is none, or not
 * upwards), MW_EDATA (a head that is no vertex, in a mapped graph). */
MW_API int mw_graph_induced(struct mw_device *device, const struct mw_graph *graph, const uint32_t *kept, size_t count,
                            struct mw_graph *induced);
/* XXH64 of vertices, arcs, whether it is directed, offsets and heads, and where there are weights of `decimals` and
 * these, as little-endian words: the same for the same adjacency, whatever the file, the device or the machine that it
 * comes from; names do not count. */
MW_API uint64_t mw_graph_checksum(const struct mw_graph *graph);

/* A summary of a whole graph.  Degrees are those of arcs that leave. */
struct mw_graph_summary {
    size_t size;               /* sizeof the struct: see status.h */
    size_t vertices, isolated; /* isolated: without arcs, in either direction */
    uint64_t edges;            /* of a directed graph: its arcs */
    uint64_t degree_min, degree_max;
    double degree_mean;
    uint64_t self, multiple; /* as in mw_graph_report */
    bool weighted;
    int32_t weight_min, weight_max; /* of a graph with weights and arcs, in its unit; else 0 */
    int decimals;
};
/* Errors: MW_ENOMEM, MW_EDATA (a head that is no vertex). */
MW_API int mw_graph_summarise(const struct mw_graph *graph, struct mw_graph_summary *summary);
/* counts[d]: the vertices with d arcs, for d up to the largest; malloc'ed, the caller's. */
MW_API int mw_graph_degrees(const struct mw_graph *graph, uint64_t **counts, size_t *count);

/* ---- other structures, for kernels ---- */

/* The tail of each arc, in the order of heads.  malloc'ed, the caller's.  Errors: MW_ENOMEM. */
MW_API int mw_graph_sources(const struct mw_graph *graph, uint32_t **tails);

/* Arcs in groups of four, so that a load of 16 bytes brings four: a vertex's groups lie together, unused places hold
 * MW_NO_VERTEX.  first[v]: its first group, with vertices + 1 of them; the number of its arcs is that of the graph.
 * Errors: MW_ENOMEM. */
#define MW_NO_VERTEX UINT32_MAX
struct mw_graph_groups {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t groups;
    uint64_t *first;
    uint32_t *heads; /* 4 a group */
};
MW_API int mw_graph_groups_new(const struct mw_graph *graph, struct mw_graph_groups *groups);
MW_API void mw_graph_groups_free(struct mw_graph_groups *groups);

/* matrix[i * vertices + j]: the number of arcs from i to j, at most 255.  malloc'ed, the caller's.
 * Errors: MW_ELIMIT (vertices squared), MW_ENOMEM, MW_EDATA (a head that is no vertex). */
MW_API int mw_graph_matrix(const struct mw_graph *graph, uint8_t **matrix);
/* One bit a pair: row i begins at word i * *words (a multiple of 8 words, so that rows are 64 bytes apart), bit j of it
 * is bit j % 64 of word j / 64.  malloc'ed, the caller's.  Errors: as of mw_graph_matrix. */
MW_API int mw_graph_bits(const struct mw_graph *graph, uint64_t **bits, size_t *words);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
