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
#include "dev/own.h"

/* ---- workers: arcs.c ---- */

/* Limits by which a worker divides its work. Tests set small ones to reach all cases with small graphs. */
struct mw_arc_limits {
    uint64_t block_most;  /* arcs of a block that stays on its device */
    uint64_t part_least;  /* arcs and vertices per part, on cores */
    uint64_t vertex_most; /* arcs of a vertex that one work-item may walk over, in the form for groups */
    unsigned rounds;      /* value of GRAPH_ROUNDS in kernels, at least 4; 0: the default */
    uint64_t hub_least;   /* triangles: a hub is a vertex with at least so many arcs (graph/triangles/ranked.c) */
    size_t hub_most;      /* triangles: largest number of hubs; 0: as many as fit into device memory */
};
/* The limits of workers outside tests. */
extern const struct mw_arc_limits mw_arc_limits_usual;

/* A device that works on a graph, and the form of its kernels. */
struct mw_arc_worker {
    struct mw_device *device;
    bool cores; /* kernels have the form for CPU cores, not for work-groups: see cl/prim/groups.clh */
    const struct mw_arc_limits *limits;
    struct mw_owner *own; /* frees everything that is made for the worker; may be NULL if nothing is */
};

/* Returns a worker on a device, in the form that suits it. */
static inline struct mw_arc_worker mw_arc_worker_on(struct mw_device *device, const struct mw_arc_limits *limits,
                                                    struct mw_owner *own)
{
    return (struct mw_arc_worker){ device, device->info.traits->has_cores, limits, own };
}
/* Allocates n elements of zeroed memory, which worker->own frees. */
static inline int mw_arc_new(const struct mw_arc_worker *worker, size_t n, size_t size, void *pointer_to_pointer)
{
    return mw_own_new(worker->own, n, size, pointer_to_pointer);
}
/* Makes a buffer on the worker's device, which worker->own frees. */
static inline int mw_arc_buffer(const struct mw_arc_worker *worker, size_t bytes, struct mw_buffer **buffer)
{
    return mw_own_buffer(worker->own, worker->device, bytes, buffer);
}
/* The same for a buffer of zeros. */
static inline int mw_arc_zeros(const struct mw_arc_worker *worker, size_t bytes, struct mw_buffer **buffer)
{
    return mw_own_zeros(worker->own, worker->device, bytes, buffer);
}
/* The same for a buffer with a copy of `bytes` bytes of the host's. */
static inline int mw_arc_copy(const struct mw_arc_worker *worker, size_t bytes, const void *from,
                              struct mw_buffer **buffer)
{
    return mw_own_copy(worker->own, worker->device, bytes, from, buffer);
}
/* Compiles the kernels of `list` in the worker's form, and stores them in *set, which worker->own frees. Uses only the
 * members `native`, `wanted`, `defines`, `takes` and `group` of *given. Without `takes`, it takes any group that the
 * user gives. Without `group`, a default is used; it is ignored on cores. */
int mw_arc_set_new(const struct mw_arc_worker *worker, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *given, struct mw_kernel_set **set);
/* Returns the number of elements per work-item, if work-items on CPU cores share n elements. */
size_t mw_arc_each(const struct mw_arc_worker *worker, size_t n);
/* Returns the launch range of a kernel on n elements. Stores the elements per work-item (on cores) or per work-group in
 * *each, for the kernel parameter `each`. */
struct mw_range mw_arc_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                             int64_t *each);
/* Returns the launch range of a kernel on n elements that have `work` units of work together, such as their vertices
 * and arcs. On cores, a work-item has at least part_least units. Stores the elements per work-item (on cores) or per
 * work-group in *each. */
struct mw_range mw_arc_work_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                                  uint64_t work, int64_t *each);

/* ---- shares: shares.c ---- */

/* A range of the vertices of a graph, and the arcs that begin there. */
struct mw_vertex_share {
    size_t first;         /* first vertex of the range */
    struct mw_graph rows; /* the range's vertices, numbered from 0, with the graph's heads; arcs begin at offsets[0] */
};
/* Divides the vertices of a graph among `count` shares, at most the number of vertices, and stores number `number` in
 * *share. Shares have about the same number of vertices and arcs, and at least one vertex. */
void mw_vertex_share(const struct mw_graph *graph, size_t number, size_t count, struct mw_vertex_share *share);

/* ---- blocks: blocks.c ---- */

/* A block: consecutive arcs of a graph that are on the device at once, and the vertices that these arcs begin at. See
 * cl/graph/arcs/arcs.clh. */
struct mw_arc_block {
    uint64_t low, high;  /* the graph's arcs from `low` to below `high` */
    size_t first, count; /* `count` vertices from `first` on, including ones without arcs in between and at the end */
    bool cut;            /* the last vertex has more arcs in the next block */
    struct mw_buffer *offsets, *heads, *weights; /* NULL on native devices, and if blocks are sent */
};

/* All blocks of a worker's arcs, and their memory on its device. */
struct mw_arc_blocks {
    struct mw_arc_worker on;
    const struct mw_graph *graph;
    struct mw_arc_block *block;
    size_t count;
    uint64_t block_arcs;   /* arcs of the block with the most arcs */
    size_t block_vertices; /* vertices of the block with the most vertices */
    bool native;           /* blocks are views of the graph's own arrays */
    bool weighted;         /* arcs have weights */
    bool sent;             /* blocks do not fit together: each pass sends them through the slots */
    /* Device memory for one block at a time, used alternately if blocks are sent. */
    struct mw_arc_slot {
        struct mw_buffer *offsets, *heads, *weights;
        uint32_t *staged;         /* host copy of the offsets, valid until `written` is complete */
        struct mw_event *written; /* completion of the last transfer */
        size_t holds;             /* number of the block in this slot; SIZE_MAX: none */
    } slot[2];
    size_t next_slot; /* slot that the next block is sent to */
};

/* The kernel arguments of one block. */
struct mw_arc_view {
    struct mw_buffer *offsets, *heads;
    struct mw_buffer *weights; /* unweighted arcs: the buffer `heads`, which kernels ignore */
    uint64_t low, high;        /* range of the block's arcs in `heads` */
    int32_t first, count, cut; /* as in struct mw_arc_block */
    struct mw_buffer own[3];   /* native devices: buffers that wrap the graph's arrays */
};
/* Expands to the arguments of a launch that match ARCS in a kernel's parameters (cl/graph/arcs/arcs.clh). */
#define MW_ARCS(view)                                                                                                  \
    (view)->offsets, (view)->heads, (view)->low, (view)->high, (view)->first, (view)->count, (view)->cut

/* Returns whether all arcs (with their weights, if `weighted`) and `others` more bytes fit into the device's memory, in
 * one block. Always true on native devices. */
bool mw_arc_blocks_fit(const struct mw_arc_worker *worker, const struct mw_graph *graph, bool weighted,
                       uint64_t others);
/* Divides the graph's arcs from `low` to below `high` into blocks. Sends all blocks to the device if they fit.
 * - block_arcs: arcs on the device at once (0: as many as fit)
 * - vertex_arcs: most arcs of one vertex in a block (0: no limit)
 * - others: bytes of device memory to keep free
 * worker->own frees the blocks; until then *blocks must stay where it is, and the graph must exist.
 * MW_ELIMIT: no device memory is left. */
int mw_arc_blocks_make(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t low, uint64_t high,
                       uint64_t block_arcs, uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* Divides all arcs of a weighted graph, with their weights, into blocks. Parameters are as in mw_arc_blocks_make. */
int mw_arc_blocks_make_weighted(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t block_arcs,
                                uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* Makes block `number` available to kernels that are launched next, and stores its arguments in *view. Queues a
 * transfer if the block is not on the device. `view` must stay valid until these kernels are queued. */
int mw_arc_block_take(struct mw_arc_blocks *blocks, size_t number, struct mw_arc_view *view);

/* ---- images: image.c ---- */

/* Makes an image of `arcs` heads from the host's memory, for kernels that read them by cl/graph/arcs/heads.clh.
 * worker->own frees it. Errors: those of mw_image_new. */
int mw_arc_image(const struct mw_arc_worker *worker, const uint32_t *heads, uint64_t arcs, struct mw_image **image);

/* ---- high-degree vertices: split.c ---- */

/* A class of vertices by degree, in the form for groups: vertices with more than `above` arcs, which are not in a later
 * class, are split into pieces of `arcs` arcs for `width` work-items. */
struct mw_split_class {
    uint64_t above, arcs;
    uint32_t width;
};
/* The pieces into which the arcs of vertices of one class are split, in one block. */
struct mw_split_pieces {
    uint32_t *words;          /* ARCS_PIECE words per piece, on the host; NULL if they are in `buffer` */
    size_t count;             /* number of pieces */
    struct mw_buffer *buffer; /* the words on the device; NULL without pieces, and if blocks are sent */
};
/* The pieces into which arcs of high-degree vertices are split, so that several work-items share them. */
struct mw_split {
    const struct mw_split_class *classes;
    size_t class_count;
    size_t largest;                 /* largest number of pieces of a class in a block */
    struct mw_split_pieces *pieces; /* [blocks][class_count]; NULL in the form for cores */
    struct mw_buffer *sent;         /* buffer of the current block's pieces, if blocks are sent */
};
/* Returns an upper bound, in bytes, of the device memory that mw_split_make uses for so many arcs. */
size_t mw_split_bytes(const struct mw_arc_worker *worker, uint64_t arcs);
/* Makes the pieces of all blocks, and sends them to the device if the blocks stay there. The owner of the blocks frees
 * them. Kernels for cores need no pieces. Vertices with more than ARCS_WHOLE_MOST arcs (cl/graph/arcs/sizes.clh) are
 * split. */
int mw_split_make(const struct mw_arc_blocks *blocks, struct mw_split *split);
/* The same with other classes, by rising degree, which must exist as long as *split. */
int mw_split_make_by(const struct mw_arc_blocks *blocks, const struct mw_split_class *classes, size_t class_count,
                     struct mw_split *split);
/* The kernel arguments for the pieces of one block and class. */
struct mw_arc_pieces {
    struct mw_buffer *buffer; /* ARCS_PIECE words per piece */
    uint32_t count,           /* number of pieces */
        width;                /* work-items that share a piece */
};
/* Expands to the arguments of a launch that match ARC_PIECES in a kernel's parameters. */
#define MW_ARC_PIECES(p) (p)->buffer, (p)->count, (p)->width
/* Launches a kernel on the pieces *p of the block *view. Called by mw_split_each. */
typedef int mw_split_fn(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p);
/* Calls `launch` for each class that has pieces in block number `block`, whose arguments are *view. Stops at the first
 * failure and returns it. Does nothing if no pieces were made, as on cores. */
int mw_split_each(const struct mw_split *split, size_t block, const struct mw_arc_view *view, mw_split_fn *launch,
                  void *context);
/* Returns the launch range of a kernel on pieces: `width` work-items per piece. */
struct mw_range mw_split_range(const struct mw_kernel_set *set, const struct mw_arc_pieces *p);

/* Returns the first arc of share `number`, if `count` devices share the arcs evenly; of share `count`: `arcs`. */
static inline uint64_t mw_arc_share_begin(uint64_t arcs, uint64_t number, uint64_t count)
{
    return arcs / count * number + arcs % count * number / count;
}

#endif
/* SPDX-License-Identifier: MIT */
