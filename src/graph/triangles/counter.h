/* Counting triangles with oriented lists of neighbours (lists.c): shared by the methods of variant oriented, for whole
 * graphs, ranked lists (ranked.c) and graphs in blocks (blocks.c). Internal. */
#ifndef MW_GRAPH_TRIANGLES_COUNTER_H
#define MW_GRAPH_TRIANGLES_COUNTER_H

#include "graph/triangles/triangles_internal.h"
#include "graph/triangles/triangles_plan.clh"

/* ---- lists.c: the oriented lists of neighbours (cl/graph/triangles/oriented.clh) ---- */

/* The lists of `count` vertices from `first` on, on a device. A list has the neighbours that come after the vertex in
 * the order of degrees. */
struct mw_triangle_lists {
    struct mw_buffer *tails; /* form for groups: the vertex whose list has heads[i]; NULL on cores */
    struct mw_buffer *heads, /* the neighbours, list by list */
        *spans;              /* per vertex: begin and end of its list in `heads` */
    uint64_t arcs;           /* elements of `heads`; on cores, there may be unused ones between lists */
    bool ranked;             /* elements are ranks, not vertices: see cl/graph/triangles/ranked.cl */
    size_t first, count;
};
/* Returns the bytes of `spans` for so many vertices. */
static inline size_t mw_triangle_span_bytes(size_t vertices) { return vertices * TRIANGLES_SPAN * sizeof(uint32_t); }
/* Returns the bytes of `heads` for so many elements, with the words that kernels may read after the last one. */
static inline size_t mw_triangle_head_bytes(size_t heads) { return (heads + TRIANGLES_BEYOND) * sizeof(uint32_t); }
/* Makes the lists of a graph, all of whose arcs are on the device. `degrees`: u32 per vertex, the order. `prim` is NULL
 * on cores. The worker's owner frees the lists. */
int mw_triangle_lists_make(const struct mw_arc_worker *on, const struct mw_kernel_set *set, struct mw_prim *prim,
                           const struct mw_graph *graph, const struct mw_arc_view *arcs, struct mw_buffer *degrees,
                           struct mw_triangle_lists *lists);

/* ---- counter.c ---- */

/* Kernels and counters of variant oriented on a share's device. */
struct mw_triangle_counter {
    struct mw_kernel_set *set; /* cl/graph/triangles/oriented.cl */
    struct mw_prim *prim;      /* primitives in the form for groups; NULL on cores */
    size_t parts;              /* work-items per launch, at most; form for cores */
    uint32_t mark_bits;        /* bits of a work-item's set of marked vertices, a power of two */
    struct mw_buffer *marks,   /* form for cores: a set of marked vertices per work-item or thread, empty initially */
        *sums,                 /* number of triangles: u64 */
        *of_vertex;            /* u64 per vertex: triangles that it is a corner of; one element without by_vertex */
};
/* Compiles the kernels, and sets the counters to 0. share->owner frees them. */
int mw_triangle_counter_make(const struct mw_triangle_share *share, struct mw_triangle_counter *counter);

/* Lists that a count reads, and counters per arc. */
struct mw_triangle_side {
    const struct mw_triangle_lists *lists;
    struct mw_buffer *found; /* triangles per element of lists->heads; without by_arc, any buffer */
};
/* The triangles that a launch counts: those of vertices from `begin` to below `end`. In the form for groups, only those
 * of `count` of TRIANGLES_PARTS parts of the arcs, from `part` on. */
struct mw_triangle_range {
    size_t begin, end, part, count;
};
/* Queues counting the triangles u, v, w with u in the range. v is in u's list in `from`, w is both in u's list in
 * `marked` and in v's list in `by`. */
int mw_triangle_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                      struct mw_triangle_side from, struct mw_triangle_side marked, struct mw_triangle_side by,
                      struct mw_triangle_range range);
/* Returns the number of groups for so many tiles, if a launch has `count` of TRIANGLES_PARTS parts. */
static inline size_t mw_triangle_tiles(size_t tiles, size_t count)
{
    return count == TRIANGLES_PARTS ? tiles : (tiles + TRIANGLES_PARTS - 1) / TRIANGLES_PARTS * count;
}
/* Waits for the queued work, and stores the number of triangles counted so far. */
int mw_triangle_counted(const struct mw_triangle_counter *counter, uint64_t *triangles);
/* Waits, and adds the triangles per vertex to job->of_vertex. Needs options.by_vertex. */
int mw_triangle_give_vertices(struct mw_triangle_share *share, const struct mw_triangle_counter *counter);

/* ---- ranked.c ---- */

/* Lists of ranks instead of vertices: see cl/graph/triangles/ranked.cl. For GPUs that hold an undirected graph, if
 * neither counts per vertex nor per arc are wanted. */
struct mw_triangle_ranked;
/* Returns the bytes of device memory for the method, in addition to the arcs. */
size_t mw_triangle_ranked_bytes(size_t vertices, size_t arcs);
/* Makes kernels and buffers for the share's graph, which share->owner frees. */
int mw_triangle_ranked_make(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_ranked **ranked);
/* Returns the largest number of hubs: their bits take at most a third of local memory, so that a unit can run several
 * groups at once. */
size_t mw_triangle_most_hubs(struct mw_device *device);
/* Queues making the lists from all arcs of the graph. */
int mw_triangle_ranked_lists(struct mw_triangle_ranked *ranked, const struct mw_arc_view *arcs);
/* Queues counting the triangles of `count` of TRIANGLES_PARTS parts, from `first` on, with the lists. */
int mw_triangle_ranked_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                             const struct mw_triangle_ranked *ranked, size_t first, size_t count);

/* ---- blocks.c ---- */

/* Lists on the host, which are sent to the device in parts. For graphs larger than a device's memory. */
struct mw_triangle_blocks;
/* Makes the lists on the host, and buffers for parts of them, which share->owner frees. */
int mw_triangle_blocks_make(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_blocks **blocks);
/* Counts the triangles found from `count` vertices, from `first` on. */
int mw_triangle_blocks_run(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                           struct mw_triangle_blocks *blocks, size_t first, size_t count);
/* Adds the triangles per arc to job->of_arc. */
void mw_triangle_blocks_report(struct mw_triangle_share *share, const struct mw_triangle_blocks *blocks);

#endif
/* SPDX-License-Identifier: MIT */
