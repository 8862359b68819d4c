/* Counting with lists: what variant oriented does in both of its ways.  Internal. */
#ifndef MW_GRAPH_TRIANGLES_COUNTER_H
#define MW_GRAPH_TRIANGLES_COUNTER_H

#include "graph/triangles/lists.h"
#include "graph/triangles/triangles_internal.h"

/* Of a share: kernels, and memory for what they count. */
struct mw_triangle_counter {
    struct mw_kernel_set *set;
    struct mw_prim *prim;        /* in the form for groups */
    size_t parts;                /* of a launch, at most; in the form for cores */
    uint32_t mark_bits;
    struct mw_buffer *marks, *sums, *of_vertex;
};
int mw_triangle_counter_make(const struct mw_triangle_share *share, struct mw_triangle_counter *counter);
/* Legal for zeroed ones, and after a failure. */
void mw_triangle_counter_drop(struct mw_triangle_counter *counter);

/* Lists, and the counts of their heads: without by_arc, any buffer. */
struct mw_triangle_side { const struct mw_triangle_lists *lists; struct mw_buffer *found; };
/* Queues counting the triangles seen from the vertices from `begin` to below `end`, which are among those of `from` and
 * `marked`, by way of vertices that are among those of `by`. */
int mw_triangle_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                      struct mw_triangle_side from, struct mw_triangle_side marked, struct mw_triangle_side by,
                      size_t begin, size_t end);
/* All that has been counted so far; waits. */
int mw_triangle_counted(const struct mw_triangle_counter *counter, uint64_t *triangles);
/* Adds the counts of vertices to the job's. */
int mw_triangle_tell_vertices(struct mw_triangle_share *share, const struct mw_triangle_counter *counter);

/* ---- ranked.c ---- */

/* For GPUs that hold an undirected graph and count all of its triangles: cl/graph/triangles/ranked.cl. */
struct mw_triangle_ranked;
/* Bytes on the device beside the arcs themselves. */
size_t mw_triangle_ranked_bytes(size_t vertices, size_t arcs);
int mw_triangle_ranked_make(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_ranked **ranked);
/* Queues the making of lists, and the counting. */
int mw_triangle_ranked_lists(struct mw_triangle_ranked *ranked, const struct mw_arc_view *arcs);
int mw_triangle_ranked_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                             const struct mw_triangle_ranked *ranked);
void mw_triangle_ranked_free(struct mw_triangle_ranked *ranked);

/* ---- blocks.c ---- */

/* For graphs that a device does not hold: the lists are in the host's memory, and parts of them are sent. */
struct mw_triangle_blocks;
int mw_triangle_blocks_make(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_blocks **blocks);
int mw_triangle_blocks_run(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                           struct mw_triangle_blocks *blocks, size_t first, size_t count);
/* Adds the counts of arcs to the job's. */
void mw_triangle_blocks_tell(struct mw_triangle_share *share, const struct mw_triangle_blocks *blocks);
void mw_triangle_blocks_free(struct mw_triangle_blocks *blocks);

#endif
/* SPDX-License-Identifier: MIT */
