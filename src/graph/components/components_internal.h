/* Components of networks: what components.c, the variants' files and the tests share. */
#ifndef MW_GRAPH_COMPONENTS_INTERNAL_H
#define MW_GRAPH_COMPONENTS_INTERNAL_H

#include <meshwork/graph_components.h>

#include "base/base.h"

/* ---- components_blocks.c: a device's share of the arcs, in blocks ---- */

/* As cl/graph/arcs.clh has it. */
struct mw_arc_block {
    uint64_t low, high;          /* of the graph's arcs */
    size_t first, count;         /* vertices, with those without arcs between these and behind the last one */
    bool cut;                    /* the last of them has arcs in the next block as well */
    struct mw_buffer *offsets, *heads; /* NULL on native devices, and where blocks are sent */
};

struct mw_arc_blocks {
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_arc_block *block;
    size_t count;
    uint64_t block_arcs;         /* of the largest, and ... */
    size_t block_vertices;
    bool native;                 /* blocks are views of the graph's own arrays */
    bool sent;                   /* blocks go through the slots, one after the other, in each pass */
    struct mw_arc_slot {
        struct mw_buffer *offsets, *heads;
        uint32_t *staged;        /* offsets on their way */
        struct mw_event *written;
        size_t holds;            /* number of the block that is there; SIZE_MAX: none */
    } slot[2];
    size_t next_slot;
};

/* What the kernels get of a block: seven arguments. */
#define MW_ARC_ARGS 7
struct mw_arc_view { const uint64_t *offsets; const uint32_t *heads; struct mw_arg args[MW_ARC_ARGS]; };

/* Plans the blocks of the arcs from `low` to below `high`, and sends those that stay on the device, when `others` bytes
 * of its memory have been put aside.  block_arcs: as in the options; vertex_arcs: at most so many arcs of one vertex in
 * a block (0: any number). */
int mw_arc_blocks_make(struct mw_device *device, const struct mw_graph *graph, uint64_t low, uint64_t high,
                       uint64_t block_arcs, uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *blocks);
/* Legal for zeroed ones, and after a failure. */
void mw_arc_blocks_drop(struct mw_arc_blocks *blocks);
/* The arguments of a block, which is on the device when a kernel runs that is launched next.  `view` stays until the
 * launch is queued. */
int mw_arc_block_take(struct mw_arc_blocks *blocks, size_t number, struct mw_arc_view *view);

/* Tests change these: arcs of a block that stays on its device, at most; arcs and vertices of a part on cores, at
 * least; arcs of one vertex for one item that walks over them. */
extern uint64_t mw_arc_block_most, mw_arc_part_least, mw_arc_vertex_most;

/* ---- components.c: a labelling ---- */

/* What one device does of a labelling. */
struct mw_component_share {
    const struct mw_graph_labelling *of;
    struct mw_device *device;
    bool cores;                  /* the form of the kernels: see cl/prim/groups.clh */
    uint64_t low, high;          /* arcs */
    bool whole;                  /* all arcs, and thus all vertices */
    struct mw_buffer *own;       /* labels, where the result's buffer is another device's */
    struct mw_buffer *labels;    /* of a run */
    void *state;                 /* the variant's own */
    struct mw_graph_union *joins; /* components_union.c */
};

struct mw_graph_labelling {
    struct mw_graph graph;       /* as the caller has it, or the one below */
    struct mw_graph undirected;  /* made of a directed one for variants that walk both ways; else empty */
    struct mw_graph_labelling_options options;
    const struct mw_component_variant *variant;
    size_t share_count;
    struct mw_component_share *share;
};

/* A variant: one row of a table.  `refuses` gives the reason why it cannot label this graph on these devices as the end
 * of a sentence ("is for native devices: use afforest"), or NULL; its shares have their devices by then.  `make` and
 * `drop` are about one share, `drop` also after a make that failed half-way.  A run is one after the other of `begin`,
 * `run` and `end`, each for all shares so that their devices work at the same time: they label the share's arcs, from
 * nothing, into share->labels, each vertex by the smallest of its component, and wait at the end. */
struct mw_component_variant {
    bool both_ways;              /* needs both arcs of every edge */
    const char *(*refuses)(const struct mw_graph_labelling *labelling);
    int (*make)(struct mw_component_share *share);
    void (*drop)(struct mw_component_share *share);
    int (*begin)(struct mw_component_share *share); /* may be NULL, as may the next */
    int (*run)(struct mw_component_share *share);
    int (*end)(struct mw_component_share *share, size_t *iterations);
};
/* union.c, propagation.c, reference.c. */
extern const struct mw_component_variant mw_component_afforest, mw_component_ecl, mw_component_edges,
    mw_component_frontier, mw_component_bfs, mw_component_reference;

/* A program of cl/graph in the share's form, and its kernels. */
enum { MW_COMPONENT_KERNELS = 10 };
struct mw_component_program {
    struct mw_program *program;
    struct mw_kernel *kernel[MW_COMPONENT_KERNELS];
    size_t group;                /* items of a group, 1 of cores */
};
/* Builds it with the kernels that `names` lists up to a NULL.  What was made before a failure is to be dropped. */
int mw_component_build(const struct mw_component_share *share, const char *file, const char *const *names,
                       const struct mw_native_kernel *native, struct mw_component_program *program);
void mw_component_program_drop(struct mw_component_program *program);
/* On cores, how many of n elements are a part's. */
size_t mw_component_each(const struct mw_component_share *share, size_t n);
/* Launches a kernel for n elements, whose last argument is how many are a part's or a group's (see
 * cl/prim/groups.clh); `args` are those before it, fewer than MW_COMPONENT_ARGS. */
#define MW_COMPONENT_ARGS 16
int mw_component_launch(const struct mw_component_share *share, const struct mw_component_program *program,
                        unsigned kernel, size_t n, const struct mw_arg *args, size_t count);
/* What programs have for GRAPH_ROUNDS (cl/graph/components/components.clh), at least 4; 0: the usual.  Tests change it. */
extern unsigned mw_component_rounds;
/* Launches one for so many items. */
int mw_component_items(const struct mw_component_program *program, unsigned kernel, size_t items,
                       const struct mw_arg *args, size_t count);

/* ---- components_union.c ---- */

/* The programs and buffers of union-find on a share's device. */
int mw_graph_union_make(struct mw_component_share *share);
void mw_graph_union_drop(struct mw_component_share *share);
/* Unites the share's labels with those of another, n of them in host memory.  Waits. */
int mw_graph_union_merge(struct mw_component_share *share, const int32_t *labels);

/* native-components.c: of cl/graph/components/components.cl and propagation.cl. */
extern const struct mw_native_kernel mw_native_graph_components[], mw_native_graph_propagation[];

#endif
