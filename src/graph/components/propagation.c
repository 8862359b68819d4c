/* Components by label propagation until nothing changes: variants edges, frontier (also with images) and bfs, the
 * papers' kernels 1, 2 and 3. */
#include "graph/components/shares.h"

#include <stdlib.h>

#include "graph/arcs/sizes.clh"
#include "prim/rounds.h"
#include "kernels/graph/components/propagation.h"
#include "kernels/native.h"

enum { END_WORDS = 2 }; /* words of an edge: two endpoints */

struct edge_block {
    uint64_t first, count;
    struct mw_buffer *ends;
};

struct propagation {
    struct mw_kernel_set *set;
    struct mw_buffer *changed;
    /* edges: the list of edges; sent: the block on the device if they do not all fit. */
    struct edge_block *edge_block;
    size_t edge_block_count;
    uint32_t *ends;
    struct mw_buffer *sent;
    /* frontier and bfs. */
    struct mw_arc_blocks arcs;
    struct mw_arc_limits limits; /* for blocks with images */
    struct mw_image **image;     /* frontier-image: the heads of each block; NULL: kernels read them from memory */
    struct mw_buffer *frontier[2];
    struct mw_buffer *place; /* bfs: where the search for a source resumes */
    size_t turn;             /* rounds queued in this run */
};

/* ---- edges ---- */

/* Lists each edge once: of two arcs, the one from the larger endpoint. Omits self-loops. ends may be NULL; returns the
 * count. */
static uint64_t list_edges(const struct mw_component_share *share, uint32_t *ends)
{
    const struct mw_graph *g = &share->of->graph;
    uint64_t count = 0;
    size_t v = 0;
    while (v < g->vertices && g->offsets[v + 1] <= share->low)
        v++;
    for (uint64_t at = share->low; at < share->high; at++) {
        while (g->offsets[v + 1] <= at)
            v++;
        const uint32_t head = g->heads[at], tail = (uint32_t)v;
        if (head == tail || (!g->directed && head > tail))
            continue;
        if (ends) {
            ends[END_WORDS * count] = head < tail ? head : tail;
            ends[END_WORDS * count + 1] = head < tail ? tail : head;
        }
        count++;
    }
    return count;
}

/* Returns the edges on the device at once; stores whether these are all. */
static uint64_t edges_at_once(const struct mw_component_share *share, uint64_t edges, bool *all)
{
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const uint64_t option = share->of->options.block_arcs, each = END_WORDS * sizeof(uint32_t);
    const uint64_t memory = info->memory_bytes ? info->memory_bytes : UINT64_MAX;
    const uint64_t taken = share->on.device->allocated + share->of->graph.vertices * sizeof(int32_t);
    const uint64_t left = (memory > taken ? memory - taken : 0) / each;
    const uint64_t limit = option && option < left ? option : left;
    const uint64_t largest = (info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX) / each;
    uint64_t block = largest < share->on.limits->block_most ? largest : share->on.limits->block_most;
    *all = edges <= limit;
    block = *all || limit > block ? block : limit;
    return block ? block : 1;
}

static int list_blocks(struct mw_component_share *share, struct propagation *s)
{
    const uint64_t edges = list_edges(share, NULL);
    uint32_t *ends = NULL;
    size_t bytes;
    bool all;
    int rc;
    const uint64_t most = edges_at_once(share, edges, &all);
    if (!mw_mul(edges, END_WORDS * sizeof(uint32_t), &bytes))
        return mw_fail(MW_ELIMIT, "the list of edges is too large to address");
    TRY(mw_new(edges, END_WORDS * sizeof(uint32_t), &ends));
    list_edges(share, ends);
    s->edge_block_count = (size_t)((edges + most - 1) / most);
    TRY(mw_arc_new(&share->on, s->edge_block_count, sizeof *s->edge_block, &s->edge_block));
    for (size_t b = 0; b < s->edge_block_count; b++) {
        struct edge_block *block = &s->edge_block[b];
        block->first = b * most;
        block->count = edges - block->first < most ? edges - block->first : most;
        bytes = (size_t)block->count * END_WORDS * sizeof(uint32_t);
        if (!all)
            continue;
        TRY(mw_arc_copy(&share->on, bytes, ends + END_WORDS * block->first, &block->ends));
    }
    if (!all) {
        s->ends = MW_PASS(ends);
        TRY(mw_own(share->on.own, s->ends, free));
        TRY(mw_arc_buffer(&share->on, (size_t)most * END_WORDS * sizeof(uint32_t), &s->sent));
    }
out:
    free(ends);
    return rc;
}

/* ---- life ---- */

static int components_propagation_make(struct mw_component_share *share, uint64_t kernels, const char *defines,
                                       struct propagation **propagation)
{
    struct propagation *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = *propagation = s;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_components_propagation,
                              &(struct mw_kernel_options){
                                  .native = mw_native_graph_propagation, .defines = defines, .wanted = kernels },
                              &s->set));
    return mw_rounds_new(&share->owner, share->on.device, &s->changed);
}

#define KERNEL(name) (UINT64_C(1) << KERNEL_PROPAGATE_##name)

static int make_edges(struct mw_component_share *share)
{
    struct propagation *s;
    TRY_RETURN(components_propagation_make(share, KERNEL(START) | KERNEL(EDGES), NULL, &s));
    return list_blocks(share, s);
}

static int make_with_frontier(struct mw_component_share *share, uint64_t kernels, bool images)
{
    const size_t vertices = mw_share_vertices(share);
    struct mw_arc_worker on = share->on;
    struct propagation *s;
    TRY_RETURN(components_propagation_make(share, kernels, images ? "#define USE_IMAGE 1\n" : NULL, &s));
    if (images) {
        s->limits = *on.limits;
        s->limits.block_most = mw_min(s->limits.block_most, ARCS_IMAGE_MOST);
        on.limits = &s->limits;
    }
    for (size_t f = 0; f < MW_COUNT(s->frontier); f++)
        TRY_RETURN(mw_arc_buffer(&share->on, vertices, &s->frontier[f]));
    TRY_RETURN(mw_arc_buffer(&share->on, sizeof(int32_t), &s->place));
    /* Images hold the heads a second time, and each is filled from a buffer. */
    const size_t others =
        vertices * sizeof(int32_t) + (images ? (size_t)(share->high - share->low) * 2 * sizeof(uint32_t) : 0);
    return mw_arc_blocks_make(&on, &share->of->graph, share->low, share->high, share->of->options.block_arcs,
                              share->on.cores ? 0 : share->on.limits->vertex_most, others, &s->arcs);
}

static int make_frontier(struct mw_component_share *share)
{
    return make_with_frontier(share, KERNEL(START) | KERNEL(FRONTIER), false);
}

static int make_frontier_image(struct mw_component_share *share)
{
    struct propagation *s;
    TRY_RETURN(make_with_frontier(share, KERNEL(START) | KERNEL(FRONTIER), true));
    s = share->state;
    if (s->arcs.sent)
        return mw_fail(MW_ENOTSUP, "%s: variant frontier-image needs all arcs in device memory: use frontier",
                       mw_device_info(share->on.device)->id);
    TRY_RETURN(mw_arc_new(&share->on, s->arcs.count, sizeof *s->image, &s->image));
    for (size_t b = 0; b < s->arcs.count; b++) {
        const struct mw_arc_block *block = &s->arcs.block[b];
        TRY_RETURN(mw_arc_image(&share->on, s->arcs.graph->heads + block->low, block->high - block->low, &s->image[b]));
    }
    return 0;
}

static int make_bfs(struct mw_component_share *share)
{
    return make_with_frontier(share, KERNEL(BFS_START) | KERNEL(BFS) | KERNEL(BFS_SOURCE), false);
}

/* ---- rounds ---- */

static int edge_round(void *context, int32_t r)
{
    struct mw_component_share *share = context;
    const struct propagation *s = share->state;
    int64_t each;
    for (size_t b = 0; b < s->edge_block_count; b++) {
        const struct edge_block *block = &s->edge_block[b];
        struct mw_buffer *ends = block->ends ? block->ends : s->sent;
        if (!block->ends)
            TRY_RETURN(mw_buffer_write(ends, 0, (size_t)block->count * END_WORDS * sizeof(uint32_t),
                                       s->ends + END_WORDS * block->first, NULL));
        const struct mw_range range = mw_arc_range(&share->on, s->set, (size_t)block->count, &each);
        TRY_RETURN(
            launch_propagate_edges(s->set, range, share->labels, ends, (int64_t)block->count, s->changed, r, each));
    }
    return 0;
}

/* Launches one kernel for all blocks, with a frontier and the next one. */
typedef int launch_blocks(const struct mw_kernel_set *set, struct mw_range range, struct mw_buffer *labels,
                          struct mw_buffer *now, struct mw_buffer *next, struct mw_buffer *offsets,
                          struct mw_buffer *heads, uint64_t low, uint64_t high, int32_t first, int32_t count,
                          int32_t cut, struct mw_buffer *changed, int32_t r, int64_t each, const struct mw_arg *image,
                          size_t image_count);

static int components_propagation_round_of(struct mw_component_share *share, launch_blocks *launch, int32_t r)
{
    struct propagation *s = share->state;
    struct mw_buffer *now = s->frontier[s->turn % 2], *next = s->frontier[(s->turn + 1) % 2];
    struct mw_arc_view view;
    int64_t each;
    for (size_t b = 0; b < s->arcs.count; b++) {
        const struct mw_arg image = mw_arg_image(s->image ? s->image[b] : NULL);
        TRY_RETURN(mw_arc_block_take(&s->arcs, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, s->set, s->arcs.block[b].count, &each);
        TRY_RETURN(launch(s->set, range, share->labels, now, next, MW_ARCS(&view), s->changed, r, each, &image,
                          s->image ? 1 : 0));
    }
    s->turn++;
    return 0;
}

static int frontier_round(void *context, int32_t r)
{
    return components_propagation_round_of(context, launch_propagate_frontier, r);
}

static int bfs_round(void *context, int32_t r)
{
    struct mw_component_share *share = context;
    struct propagation *s = share->state;
    TRY_RETURN(components_propagation_round_of(share, launch_propagate_bfs, r));
    return launch_propagate_bfs_source(s->set, mw_graph_items(s->set, 1), share->labels, s->frontier[s->turn % 2],
                                       s->place, (int32_t)mw_share_vertices(share), s->changed, r);
}

/* ---- running ---- */

static int components_propagation_start(struct mw_component_share *share)
{
    const struct propagation *s = share->state;
    const size_t n = mw_share_vertices(share);
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, s->set, n, &each);
    return launch_propagate_start(s->set, range, share->labels, (int32_t)n, each);
}

static int start_frontier(struct mw_component_share *share, unsigned char first)
{
    struct propagation *s = share->state;
    const size_t n = mw_share_vertices(share);
    s->turn = 0;
    TRY_RETURN(mw_buffer_fill(s->frontier[0], 0, n, first));
    TRY_RETURN(mw_buffer_fill(s->frontier[1], 0, n, 0));
    return mw_buffer_fill(s->place, 0, sizeof(int32_t), 0);
}

/* Runs one share after the other: each waits for its rounds. */
static int run_edges(struct mw_graph_labelling *l, size_t *iterations)
{
    size_t rounds;
    *iterations = 0;
    for (size_t d = 0; d < l->share_count; d++) {
        const struct propagation *s = l->share[d].state;
        TRY_RETURN(components_propagation_start(&l->share[d]));
        TRY_RETURN(mw_rounds_repeat(s->changed, edge_round, &l->share[d], &rounds));
        *iterations = rounds > *iterations ? rounds : *iterations;
    }
    return 0;
}

static int run_frontier(struct mw_graph_labelling *l, size_t *iterations)
{
    const struct propagation *s = l->share->state;
    TRY_RETURN(start_frontier(l->share, 1));
    TRY_RETURN(components_propagation_start(l->share));
    return mw_rounds_repeat(s->changed, frontier_round, l->share, iterations);
}

static int run_bfs(struct mw_graph_labelling *l, size_t *iterations)
{
    struct mw_component_share *share = l->share;
    struct propagation *s = share->state;
    struct mw_arc_view view;
    int64_t each;
    TRY_RETURN(start_frontier(share, 0));
    for (size_t b = 0; b < s->arcs.count; b++) {
        TRY_RETURN(mw_arc_block_take(&s->arcs, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, s->set, s->arcs.block[b].count, &each);
        TRY_RETURN(launch_propagate_bfs_start(s->set, range, share->labels, MW_ARCS(&view), each));
    }
    return mw_rounds_repeat(s->changed, bfs_round, share, iterations);
}

/* ---- memory ---- */

/* Labels; lists of edges, without loops. */
static void edges_memory(const struct mw_graph *g, struct mw_graph_footprint *memory)
{
    uint64_t loops = 0;
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t a = g->offsets[v]; a < g->offsets[v + 1]; a++)
            loops += g->heads[a] == v;
    memory->vertices = g->vertices * sizeof(int32_t);
    memory->arcs = (g->arcs - loops) / (g->directed ? 1 : 2) * END_WORDS * sizeof(uint32_t);
    memory->rest = (MW_ROUNDS_MOST + 1) * sizeof(int32_t);
}

/* Labels, offsets and two frontiers; arcs. */
static void arcs_memory(const struct mw_graph *g, struct mw_graph_footprint *memory)
{
    memory->vertices = g->vertices * (sizeof(int32_t) + sizeof(uint32_t) + 2);
    memory->arcs = g->arcs * sizeof(uint32_t);
    memory->rest = (MW_ROUNDS_MOST + 3) * sizeof(int32_t); /* the last offset, and the place */
}

static const char *refuses_nothing(const struct mw_graph_labelling *labelling) { return NULL; }

/* A frontier that crosses from one device's arcs to another's would have to be transferred in each round. */
static const char *refuses_several(const struct mw_graph_labelling *labelling)
{
    return labelling->share_count > 1 ? "runs on one device only: use afforest" : NULL;
}

static const char *refuses_image(const struct mw_graph_labelling *labelling)
{
    return mw_device_info(labelling->share->on.device)->images ? refuses_several(labelling)
                                                               : "needs a device with images: use frontier";
}

const struct mw_component_variant mw_component_edges = { false, refuses_nothing, make_edges, run_edges, edges_memory };
const struct mw_component_variant mw_component_frontier = { true, refuses_several, make_frontier, run_frontier,
                                                            arcs_memory };
const struct mw_component_variant mw_component_frontier_image = { true, refuses_image, make_frontier_image,
                                                                  run_frontier, NULL };
const struct mw_component_variant mw_component_bfs = { true, refuses_several, make_bfs, run_bfs, arcs_memory };
/* SPDX-License-Identifier: MIT */
