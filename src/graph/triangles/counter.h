/* Counting with lists: shared by the ways in which variant oriented works. Internal. */
#ifndef MW_GRAPH_TRIANGLES_COUNTER_H
#define MW_GRAPH_TRIANGLES_COUNTER_H

#include "graph/triangles/lists.h"
#include "graph/triangles/triangles_internal.h"

/* Kernels and counters of a share. */
struct mw_triangle_counter {
    struct mw_kernel_set *set;
    struct mw_prim *prim; /* form for groups */
    size_t parts;         /* maximum per launch; form for cores */
    uint32_t mark_bits;
    struct mw_buffer *marks, *sums, *of_vertex;
};
int mw_triangle_counter_make(const struct mw_triangle_share *share, struct mw_triangle_counter *counter);
/* Allowed for a zeroed struct and after a failure. */
void mw_triangle_counter_drop(struct mw_triangle_counter *counter);

/* Lists, and the counts of their heads (without by_arc: any buffer). */
struct mw_triangle_side {
    const struct mw_triangle_lists *lists;
    struct mw_buffer *found;
};
/* Queues the count of triangles found from the vertices `begin` to below `end`. These have lists in `from` and
 * `marked`; the second vertices have lists in `by`. */
int mw_triangle_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                      struct mw_triangle_side from, struct mw_triangle_side marked, struct mw_triangle_side by,
                      size_t begin, size_t end);
/* Waits; stores the count so far. */
int mw_triangle_counted(const struct mw_triangle_counter *counter, uint64_t *triangles);
/* Adds the counts per vertex to the job's. */
int mw_triangle_give_vertices(struct mw_triangle_share *share, const struct mw_triangle_counter *counter);

/* ---- ranked.c ---- */

/* For GPUs that hold an undirected graph, if only all triangles are counted: cl/graph/triangles/ranked.cl. */
struct mw_triangle_ranked;
/* Returns the bytes on the device in addition to the arcs. */
size_t mw_triangle_ranked_bytes(size_t vertices, size_t arcs);
int mw_triangle_ranked_make(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_ranked **ranked);
/* Queue making the lists, and counting. */
int mw_triangle_ranked_lists(struct mw_triangle_ranked *ranked, const struct mw_arc_view *arcs);
int mw_triangle_ranked_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                             const struct mw_triangle_ranked *ranked);
void mw_triangle_ranked_free(struct mw_triangle_ranked *ranked);

/* ---- blocks.c ---- */

/* For graphs larger than a device's memory: lists stay on the host, and parts of them are sent. */
struct mw_triangle_blocks;
int mw_triangle_blocks_make(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_blocks **blocks);
int mw_triangle_blocks_run(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                           struct mw_triangle_blocks *blocks, size_t first, size_t count);
/* Adds the counts per arc to the job's. */
void mw_triangle_blocks_report(struct mw_triangle_share *share, const struct mw_triangle_blocks *blocks);
void mw_triangle_blocks_free(struct mw_triangle_blocks *blocks);

#endif
/* SPDX-License-Identifier: MIT */
