/* Shared by algorithms on graphs: a device's arcs in blocks that it can hold, its kernels, and how work on vertices and
 * arcs is split into launches. An algorithm has:
 *
 * - a worker per device;
 * - kernel sets: their files include cl/graph/arcs/arcs.clh and take a block by its macro ARCS;
 * - the blocks of the worker's arcs, taken one after the other by mw_arc_block_take;
 * - in the form for groups, the high-degree vertices of each block: several work-items share their arcs.
 *
 * src/graph/components is an example. */
#ifndef MW_GRAPH_ARCS_H
#define MW_GRAPH_ARCS_H

#include <meshwork/graph.h>

#include "dev/core/backend.h"
#include "dev/kernel_set.h"

/* ---- workers: arcs.c ---- */

/* Limits of a worker; tests change these. */
struct mw_arc_limits {
    uint64_t block_most;  /* arcs of a block that stays on its device */
    uint64_t part_least;  /* arcs and vertices per part, on cores */
    uint64_t vertex_most; /* arcs of a vertex that one work-item may walk over, in the form for groups */
    unsigned rounds;      /* value of GRAPH_ROUNDS in kernels, at least 4; 0: the default */
    uint64_t hub_least;   /* fewest arcs of a hub of triangles (graph/triangles/ranked.c) */
    size_t hub_most;      /* most hubs; 0: as many as fit */
};
extern const struct mw_arc_limits mw_arc_limits_usual;

/* A device that works on a graph. */
struct mw_arc_worker {
    struct mw_device *device;
    bool cores; /* form of its kernels: see cl/prim/groups.clh */
    const struct mw_arc_limits *limits;
};

/* Makes the kernels of a file in the worker's form. The caller sets the options `native`, `wanted`, `defines` and
 * `group` (0: the default; ignored on cores). */
int mw_arc_set_new(const struct mw_arc_worker *worker, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *given, struct mw_kernel_set **set);
/* Returns how many of n elements one part has on cores. */
size_t mw_arc_each(const struct mw_arc_worker *worker, size_t n);
/* Returns the range for n elements; stores elements per part or group in *each, the kernel parameter `each`. */
struct mw_range mw_arc_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                             int64_t *each);
/* As mw_arc_range, for n elements with `work` units of work, such as vertices and arcs; a part has at least part_least
 * units. */
struct mw_range mw_arc_work_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                                  uint64_t work, int64_t *each);

/* ---- blocks: blocks.c ---- */

/* A block of arcs: see cl/graph/arcs/arcs.clh. */
struct mw_arc_block {
    uint64_t low, high;  /* range of the graph's arcs */
    size_t first, count; /* vertices, including vertices without arcs in between and at the end */
    bool cut;            /* the last vertex has more arcs in the next block */
    struct mw_buffer *offsets, *heads, *weights; /* NULL on native devices, and if blocks are sent */
};

struct mw_arc_blocks {
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_arc_block *block;
    size_t count;
    uint64_t block_arcs; /* in the largest block */
    size_t block_vertices;
    bool native;   /* blocks are views of the graph's own arrays */
    bool weighted; /* arcs have weights */
    bool sent;     /* blocks do not fit: each pass sends them through the slots */
    struct mw_arc_slot {
        struct mw_buffer *offsets, *heads, *weights;
        uint32_t *staged; /* offsets during the transfer */
        struct mw_event *written;
        size_t holds; /* number of the block in this slot; SIZE_MAX: none */
    } slot[2];
    size_t next_slot;
};

/* A block as kernel arguments: MW_ARCS(&view) matches ARCS in the kernels' parameters. */
struct mw_arc_view {
    struct mw_buffer *offsets, *heads;
    struct mw_buffer *weights; /* without weights, a valid buffer that kernels ignore */
    uint64_t low, high;
    int32_t first, count, cut;
    struct mw_buffer own[3]; /* native devices: wrappers of the graph's arrays */
};
#define MW_ARCS(view)                                                                                                  \
    (view)->offsets, (view)->heads, (view)->low, (view)->high, (view)->first, (view)->count, (view)->cut

/* Returns whether all arcs and `others` bytes fit into the device's memory. */
bool mw_arc_blocks_fit(const struct mw_arc_worker *worker, const struct mw_graph *graph, bool weighted,
                       uint64_t others);
/* Plans the blocks of the arcs from `low` to below `high`, and sends the blocks that stay on the device. `others`:
 * bytes of device memory to keep free. block_arcs: arcs on the device at once (0: as many as fit). vertex_arcs: most
 * arcs of one vertex in a block (0: no limit). */
int mw_arc_blocks_make(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t low, uint64_t high,
                       uint64_t block_arcs, uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* The same for all arcs of a weighted graph, with their weights. */
int mw_arc_blocks_make_weighted(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t block_arcs,
                                uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* Frees blocks; allowed for zeroed ones and after a failure. */
void mw_arc_blocks_drop(struct mw_arc_blocks *blocks);
/* Takes a block: it is on the device when the next launched kernel runs. `view` must stay valid until that kernel is
 * queued. */
int mw_arc_block_take(struct mw_arc_blocks *blocks, size_t number, struct mw_arc_view *view);

/* ---- high-degree vertices: split.c ---- */

/* In the form for groups, the arcs of high-degree vertices (more than ARCS_WHOLE_MOST, cl/graph/arcs/sizes.clh) are
 * split into pieces. A class of vertices, by number of arcs, has a piece length and a `width`: the work-items that
 * share a piece. */
enum { MW_SPLIT_CLASSES = 2 };
struct mw_split_pieces {
    uint32_t *words;
    size_t count;
    struct mw_buffer *buffer;
};
struct mw_split {
    /* By block and class. */
    struct mw_split_pieces *pieces;
    size_t blocks;
    struct mw_buffer *sent; /* buffer of the current block's pieces, if blocks are sent */
};
/* Returns the most device memory that pieces can take, in bytes. */
size_t mw_split_bytes(uint64_t arcs);
/* Makes the pieces of all blocks. mw_split_drop is allowed for a zeroed struct and after a failure. */
int mw_split_make(const struct mw_arc_blocks *blocks, struct mw_split *split);
void mw_split_drop(struct mw_split *split);
/* Calls `launch` for each class of a block that has pieces. `view` is the block; MW_ARC_PIECES(p) matches ARC_PIECES in
 * the kernels' parameters. Does nothing if no pieces were made, as on cores. */
struct mw_arc_pieces {
    struct mw_buffer *buffer;
    uint32_t count, width;
};
#define MW_ARC_PIECES(p) (p)->buffer, (p)->count, (p)->width
typedef int mw_split_fn(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p);
int mw_split_each(const struct mw_split *split, size_t block, const struct mw_arc_view *view, mw_split_fn *launch,
                  void *context);
/* Returns the range of a kernel on pieces. */
struct mw_range mw_split_range(const struct mw_kernel_set *set, const struct mw_arc_pieces *p);

#endif
/* SPDX-License-Identifier: MIT */
