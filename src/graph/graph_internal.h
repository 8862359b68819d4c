/* Internal functions that the folders of src/graph share. */
#ifndef MW_GRAPH_INTERNAL_H
#define MW_GRAPH_INTERNAL_H

#include <meshwork/graph.h>
#include <meshwork/prim.h>

#include "dev/core/backend.h"
#include "graph/names.h"

/* Unsigned 128-bit integers, for exact sums. */
__extension__ typedef unsigned __int128 mw_u128;

/* Makes a graph from two malloc'ed arrays, which it takes over; frees them on failure. Trusts their contents. */
int mw_graph_of_arrays(size_t vertices, bool directed, uint64_t *offsets, uint32_t *heads, struct mw_graph *graph);
/* Adds weights in units of 10^-decimals to a graph of mw_graph_of_arrays, which takes over the malloc'ed array. NULL:
 * no weights. */
void mw_graph_take_weights(struct mw_graph *graph, int32_t *weights, int decimals);
/* Makes a graph from arrays in a mapped file: `bytes` bytes at `address`, which the graph unmaps when it is freed. Also
 * unmaps the file on failure. The heads are not checked yet. */
int mw_graph_of_mapping(void *address, size_t bytes, size_t vertices, bool directed, const uint64_t *offsets,
                        const uint32_t *heads, struct mw_graph *graph);
/* Adds a graph, which may be empty or made later, to the objects that the owner frees. */
int mw_own_graph(struct mw_owner *owner, struct mw_graph *graph);
/* Ranks vertices by decreasing number of arcs, ties by vertex number (build/order.c). Stores the vertex of rank r in
 * vertex[r], and the rank of vertex v in rank[v]. */
int mw_graph_rank_vertices(const uint64_t *offsets, size_t n, uint32_t *vertex, uint32_t *rank);
/* Returns the number of arcs that begin at a vertex. */
static inline uint64_t mw_graph_degree(const struct mw_graph *graph, size_t vertex)
{
    return graph->offsets[vertex + 1] - graph->offsets[vertex];
}
/* Returns the first i from 0 on for which offsets[i] is at least `least`, or n otherwise. `counted`: the same
 * for offsets[i] + i (graph.c). */
size_t mw_offset_find(const uint64_t *offsets, size_t n, uint64_t least, bool counted);
/* Returns the number of edges that are stored at a vertex. In an undirected graph, the smaller endpoint has the edge,
 * and a self-loop is two arcs (graph.c). */
uint64_t mw_graph_edges_at(const struct mw_graph *graph, size_t vertex);
/* Checks the number of vertices. MW_ELIMIT: more than MW_VERTICES_MAX. */
int mw_vertices_check(uint64_t vertices);
/* Checks that a graph of `bytes` bytes fits into this machine's memory. MW_ELIMIT: it does not; malloc could succeed,
 * and the system would later kill the process. `vertices` and `edges` are for the message. */
int mw_graph_fits(uint64_t vertices, uint64_t edges, uint64_t bytes);
/* Checks a graph's offsets. MW_EDATA: they do not begin at 0, decrease, or do not end at graph->arcs. */
int mw_graph_check_offsets(const struct mw_graph *graph);
struct mw_executor;
/* Makes an executor for work on the host that pays for `worth` threads: by at most `threads` (0: one per core). Stores
 * NULL for one thread. The caller frees it by mw_executor_free. */
int mw_graph_executor(unsigned threads, uint64_t worth, struct mw_executor **executor);
/* Returns whether a condition holds for block number `block` of a graph, as the caller of mw_graph_holds divides it. */
typedef bool mw_block_holds(const struct mw_graph *graph, size_t block);
/* Stores in *all whether `holds` returns true for the blocks 0 to below `blocks`. Uses `threads` threads (0: one per
 * core), but at most `worth`. Stops after the first block for which it returns false. */
int mw_graph_holds(const struct mw_graph *graph, mw_block_holds *holds, size_t blocks, uint64_t worth, unsigned threads,
                   bool *all);
/* Checks that each head is a vertex, on `threads` threads (0: one per core). MW_EDATA: one is not. Returns at once if
 * heads are known to be valid: in graphs built by the library, and in mapped ones after their first check. */
int mw_graph_check_heads(const struct mw_graph *graph, unsigned threads);
/* Returns the number of host threads to use: as many as a native device has, otherwise 0 (one per core). */
static inline unsigned mw_graph_threads(const struct mw_device *device)
{
    return device->info.kind == MW_DEVICE_NATIVE ? device->info.compute_units : 0;
}

/* Checks a graph of the library's caller. MW_ELIMIT: too many vertices. MW_EDATA: invalid offsets, or a head that is
 * not a vertex. */
int mw_graph_check_given(const struct mw_graph *graph, const struct mw_device *device);

/* A change of edges by mw_graph_remake, before its options apply. */
enum mw_graph_change { MW_GRAPH_SAME, MW_GRAPH_UNDIRECTED, MW_GRAPH_REVERSED };
/* Makes a graph from the changed edges of another (build/build.c). options NULL: keeps all edges. */
int mw_graph_remake(struct mw_device *device, const struct mw_graph *graph, const struct mw_graph_options *options,
                    enum mw_graph_change change, struct mw_graph *made);
/* Stores an undirected graph in *edges: `graph` itself if it is undirected (*made is unchanged), otherwise `made`, with
 * one edge per arc (build/build.c). The caller frees `made`. */
int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges);

/* Returns a buffer of a native device that wraps host memory of the caller. It must not be freed. */
static inline struct mw_buffer mw_buffer_borrow(struct mw_device *device, void *memory, size_t bytes)
{
    return (struct mw_buffer){ .device = device, .bytes = bytes, .impl = memory };
}

#endif
/* SPDX-License-Identifier: MIT */
