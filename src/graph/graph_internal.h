/* Networks: what the files below src/graph share.  Internal. */
#ifndef MW_GRAPH_INTERNAL_H
#define MW_GRAPH_INTERNAL_H

#include <meshwork/graph.h>
#include <meshwork/prim.h>

#include "dev/core/backend.h"
#include "graph/names.h"

__extension__ typedef unsigned __int128 mw_u128;

/* Makes a graph of two malloc'ed arrays, which become its own, also after a failure; or of a mapped file, which is
 * unmapped with it. */
int mw_graph_of_arrays(size_t vertices, bool directed, uint64_t *offsets, uint32_t *heads, struct mw_graph *graph);
/* Gives a graph of arrays, which it has for its own, malloc'ed weights; NULL: none. */
void mw_graph_take_weights(struct mw_graph *graph, int32_t *weights, int decimals);
int mw_graph_of_mapping(void *address, size_t bytes, size_t vertices, bool directed, const uint64_t *offsets,
                        const uint32_t *heads, struct mw_graph *graph);
/* order.c: vertices by their arcs, the most first, of equal ones the smaller number.  vertex[r]: the one of rank r;
 * rank[v]: of vertex v. */
int mw_graph_rank_vertices(const uint64_t *offsets, size_t n, uint32_t *vertex, uint32_t *rank);
/* MW_ELIMIT where a graph has more vertices than their numbers can tell. */
int mw_vertices_check(uint64_t vertices);
/* MW_ELIMIT where what is to be held takes more than there is of this machine's memory: the system would promise it,
 * and then end the process. */
int mw_graph_fits(uint64_t vertices, uint64_t edges, uint64_t bytes);
/* MW_EDATA where offsets fall or do not end at `arcs`, where a head is no vertex. */
int mw_graph_check_offsets(const struct mw_graph *graph);
/* Whether something holds of all blocks of a graph.  By so many threads (0: one a core), but no more than it is worth;
 * once it does not hold, no further blocks are looked at. */
typedef bool mw_block_holds(const struct mw_graph *graph, size_t block);
int mw_graph_holds(const struct mw_graph *graph, mw_block_holds *holds, size_t blocks, uint64_t worth, unsigned threads,
                   bool *all);
/* By so many threads, 0: one a core.  Looks at no heads that are known to be vertices: those of graphs that were built
 * here, and of mapped ones once they have been looked at. */
int mw_graph_check_heads(const struct mw_graph *graph, unsigned threads);
/* As many as a native device works with; for others, one a core. */
static inline unsigned mw_graph_threads(const struct mw_device *device)
{
    return device->info.kind == MW_DEVICE_NATIVE ? device->info.compute_units : 0;
}

/* A caller's graph.  MW_ELIMIT: too many vertices; MW_EINVAL: offsets that fall, a head that is no vertex. */
int mw_graph_check_given(const struct mw_graph *graph, const struct mw_device *device);

/* with_edges.c: the graph itself, or of a directed one a graph made of its arcs as edges, none of which is left out.
 * `made` is to be freed. */
int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges);

/* A buffer of a native device is memory: the caller's serves as it is. */
static inline struct mw_buffer mw_buffer_borrow(struct mw_device *device, void *memory, size_t bytes)
{
    return (struct mw_buffer){ .device = device, .bytes = bytes, .impl = memory };
}

#endif
/* SPDX-License-Identifier: MIT */
