/* Internal functions that the folders of src/graph share. */
#ifndef MW_GRAPH_INTERNAL_H
#define MW_GRAPH_INTERNAL_H

#include <meshwork/graph.h>
#include <meshwork/prim.h>

#include "dev/core/backend.h"
#include "graph/names.h"

__extension__ typedef unsigned __int128 mw_u128;

/* mw_graph_of_arrays makes a graph that takes over two malloc'ed arrays, and frees them on failure. mw_graph_of_mapping
 * does the same with a mapped file. */
int mw_graph_of_arrays(size_t vertices, bool directed, uint64_t *offsets, uint32_t *heads, struct mw_graph *graph);
/* Adds weights to a graph of mw_graph_of_arrays, which takes over the malloc'ed array. NULL: no weights. */
void mw_graph_take_weights(struct mw_graph *graph, int32_t *weights, int decimals);
int mw_graph_of_mapping(void *address, size_t bytes, size_t vertices, bool directed, const uint64_t *offsets,
                        const uint32_t *heads, struct mw_graph *graph);
/* order.c: sorts vertices by decreasing number of arcs; ties by vertex number. vertex[r] is the vertex of rank r,
 * rank[v] the rank of vertex v. */
int mw_graph_rank_vertices(const uint64_t *offsets, size_t n, uint32_t *vertex, uint32_t *rank);
/* Returns MW_ELIMIT if vertex numbers cannot represent so many vertices. */
int mw_vertices_check(uint64_t vertices);
/* Returns MW_ELIMIT if `bytes` exceed this machine's memory. malloc would succeed there, and the system would later
 * kill the process. */
int mw_graph_fits(uint64_t vertices, uint64_t edges, uint64_t bytes);
/* Returns MW_EDATA if offsets decrease or do not end at `arcs`. */
int mw_graph_check_offsets(const struct mw_graph *graph);
/* mw_graph_holds stores in *all whether `holds` is true for all blocks. It uses `threads` threads (0: one per core),
 * but at most `worth`. After the first failure, no further blocks are tested. */
typedef bool mw_block_holds(const struct mw_graph *graph, size_t block);
int mw_graph_holds(const struct mw_graph *graph, mw_block_holds *holds, size_t blocks, uint64_t worth, unsigned threads,
                   bool *all);
/* Returns MW_EDATA if a head is not a vertex. Uses `threads` threads (0: one per core). Skips heads that are known to
 * be valid: in graphs built by the library, and in mapped ones after their first check. */
int mw_graph_check_heads(const struct mw_graph *graph, unsigned threads);
/* Returns the threads to use: as many as a native device has, otherwise 0 (one per core). */
static inline unsigned mw_graph_threads(const struct mw_device *device)
{
    return device->info.kind == MW_DEVICE_NATIVE ? device->info.compute_units : 0;
}

/* Checks a graph of the caller. MW_ELIMIT: too many vertices; MW_EINVAL: decreasing offsets, or a head that is not a
 * vertex. */
int mw_graph_check_given(const struct mw_graph *graph, const struct mw_device *device);

/* with_edges.c: stores in *edges the graph itself if it is undirected, otherwise `made`: an undirected graph with one
 * edge per arc. The caller frees `made`. */
int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges);

/* Wraps memory of the caller as a buffer of a native device, where buffers are host memory. */
static inline struct mw_buffer mw_buffer_borrow(struct mw_device *device, void *memory, size_t bytes)
{
    return (struct mw_buffer){ .device = device, .bytes = bytes, .impl = memory };
}

#endif
/* SPDX-License-Identifier: MIT */
