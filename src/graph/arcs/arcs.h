/* What algorithms on graphs share: a device's arcs, in blocks that it can hold, their kernels, and how work on vertices
 * and arcs is cut into launches.  An algorithm has
 *
 *   a worker for each device,
 *   sets of kernels, whose files begin with cl/graph/arcs/arcs.clh and take a block by its macro ARCS,
 *   the blocks of the arcs that are the worker's to look at, one after the other by mw_arc_block_take,
 *   in the form for groups the heavy vertices of each block, whose arcs many items share.
 *
 * src/graph/components shows it. */
#ifndef MW_GRAPH_ARCS_H
#define MW_GRAPH_ARCS_H

#include <meshwork/graph.h>

#include "dev/core/backend.h"
#include "dev/kernel_set.h"

/* ---- workers: arcs.c ---- */

/* Tests change these. */
struct mw_arc_limits {
    uint64_t block_most;         /* arcs of a block that stays on its device */
    uint64_t part_least;         /* arcs and vertices of a part, on cores */
    uint64_t vertex_most;        /* arcs of a vertex for one item that walks over them, in the form for groups */
    unsigned rounds;             /* what kernels have for GRAPH_ROUNDS, at least 4; 0: the usual */
    uint64_t hub_least;          /* arcs of a hub of triangles (graph/triangles/ranked.c), at least; */
    size_t hub_most;             /* and how many hubs there may be; 0: as many as have room */
};
extern const struct mw_arc_limits mw_arc_limits_usual;

/* A device at work on a graph. */
struct mw_arc_worker {
    struct mw_device *device;
    bool cores;                  /* the form of its kernels: see cl/prim/groups.clh */
    const struct mw_arc_limits *limits;
};

/* The kernels of a file in the worker's form, by options of which `native`, `wanted`, `defines` and `group` (0: the
 * usual; none on cores) are the caller's. */
int mw_arc_set_new(const struct mw_arc_worker *worker, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *given, struct mw_kernel_set **set);
/* On cores, how many of n elements are a part's. */
size_t mw_arc_each(const struct mw_arc_worker *worker, size_t n);
/* The range for n elements, and how many of them are a part's or a group's: the kernel's parameter `each`. */
struct mw_range mw_arc_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                             int64_t *each);
/* The same where n elements are so much work, of which a part has a least: vertices with their arcs, say. */
struct mw_range mw_arc_work_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                                  uint64_t work, int64_t *each);

/* ---- blocks: blocks.c ---- */

/* As cl/graph/arcs/arcs.clh has it. */
struct mw_arc_block {
    uint64_t low, high;          /* of the graph's arcs */
    size_t first, count;         /* vertices, with those without arcs between these and behind the last one */
    bool cut;                    /* the last of them has arcs in the next block as well */
    struct mw_buffer *offsets, *heads, *weights; /* NULL on native devices, and where blocks are sent */
};

struct mw_arc_blocks {
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_arc_block *block;
    size_t count;
    uint64_t block_arcs;         /* of the largest, and ... */
    size_t block_vertices;
    bool native;                 /* blocks are views of the graph's own arrays */
    bool weighted;               /* arcs have their weights beside them */
    bool sent;                   /* blocks go through the slots, one after the other, in each pass */
    struct mw_arc_slot {
        struct mw_buffer *offsets, *heads, *weights;
        uint32_t *staged;        /* offsets on their way */
        struct mw_event *written;
        size_t holds;            /* number of the block that is there; SIZE_MAX: none */
    } slot[2];
    size_t next_slot;
};

/* A block as kernels take it: MW_ARCS(&view) stands for the parameters that ARCS stands for in their prototypes. */
struct mw_arc_view {
    struct mw_buffer *offsets, *heads;
    struct mw_buffer *weights;   /* without weights something of no use, which a kernel can be given */
    uint64_t low, high;
    int32_t first, count, cut;
    struct mw_buffer own[3];     /* of a native device: the graph's memory */
};
#define MW_ARCS(view)                                                                                                \
    (view)->offsets, (view)->heads, (view)->low, (view)->high, (view)->first, (view)->count, (view)->cut

/* Whether a device has room for all arcs at once, and `others` bytes. */
bool mw_arc_blocks_fit(const struct mw_arc_worker *worker, const struct mw_graph *graph, bool weighted,
                       uint64_t others);
/* Plans the blocks of the arcs from `low` to below `high`, and sends those that stay on the device, when `others` bytes
 * of its memory have been put aside.  block_arcs: arcs on the device at once (0: as many as it takes); vertex_arcs: of
 * one vertex in a block, at most (0: any number). */
int mw_arc_blocks_make(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t low, uint64_t high,
                       uint64_t block_arcs, uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* The same of all arcs of a graph with weights, with these. */
int mw_arc_blocks_make_weighted(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t block_arcs,
                                uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* Legal for zeroed ones, and after a failure. */
void mw_arc_blocks_drop(struct mw_arc_blocks *blocks);
/* A block, which is on the device when a kernel runs that is launched next.  `view` stays until that is queued. */
int mw_arc_block_take(struct mw_arc_blocks *blocks, size_t number, struct mw_arc_view *view);

/* ---- heavy vertices: heavy.c ---- */

/* In the form for groups, vertices with more arcs than ARCS_LIGHT (cl/graph/arcs/sizes.clh) have these cut into pieces,
 * in classes by their number: so many arcs a piece, which `width` items share. */
enum { MW_HEAVY_CLASSES = 2 };
struct mw_heavy {
    /* By block and class. */
    struct mw_heavy_pieces { uint32_t *words; size_t count; struct mw_buffer *buffer; } *pieces;
    size_t blocks;
    struct mw_buffer *sent;      /* where blocks are sent, and pieces with them */
};
/* Bytes of device memory that pieces take, at most. */
size_t mw_heavy_bytes(uint64_t arcs);
/* Those of all blocks.  Legal to be dropped zeroed, and after a failure. */
int mw_heavy_make(const struct mw_arc_blocks *blocks, struct mw_heavy *heavy);
void mw_heavy_drop(struct mw_heavy *heavy);
/* Calls `launch` for each class of a block that has pieces: `view` is the block's, and MW_ARC_PIECES(p) stands for the
 * parameters that ARC_PIECES stands for in kernels.  Nothing where no pieces were made, as on cores. */
struct mw_arc_pieces { struct mw_buffer *buffer; uint32_t count, width; };
#define MW_ARC_PIECES(p) (p)->buffer, (p)->count, (p)->width
typedef int mw_heavy_fn(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p);
int mw_heavy_each(const struct mw_heavy *heavy, size_t block, const struct mw_arc_view *view, mw_heavy_fn *launch,
                  void *context);
/* The items of a kernel for them. */
struct mw_range mw_heavy_range(const struct mw_kernel_set *set, const struct mw_arc_pieces *p);

#endif
/* SPDX-License-Identifier: MIT */
