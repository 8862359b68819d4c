/* A device's part of a graph's arcs, in blocks that fit its buffers. */
#include "graph/arcs/arcs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "graph/graph_internal.h"

/* ---- block boundaries ---- */

/* Returns the number of vertices with all their arcs before arc `at`. */
static size_t vertices_before(const struct mw_graph *graph, uint64_t at)
{
    return mw_offset_find(graph->offsets + 1, graph->vertices, at + 1, false);
}

/* Returns the end of a block's arcs from vertex `first` on, such that no vertex has more than vertex_arcs in it (0: no
 * limit). */
static uint64_t end_by_vertex(const struct mw_graph *graph, size_t first, uint64_t low, uint64_t high,
                              uint64_t vertex_arcs)
{
    uint64_t begin = low;
    if (vertex_arcs == 0)
        return high;
    for (size_t v = first; begin < high; begin = graph->offsets[++v])
        if (graph->offsets[v + 1] - begin > vertex_arcs)
            return mw_min(begin + vertex_arcs, high);
    return high;
}

static int add_block(struct mw_arc_blocks *b, const struct mw_arc_block *block)
{
    TRY_RETURN(mw_grow(b->count, sizeof *b->block, &b->block));
    b->block[b->count++] = *block;
    b->block_arcs = mw_max(b->block_arcs, block->high - block->low);
    b->block_vertices = mw_max(b->block_vertices, block->count);
    return 0;
}

/* Plans blocks of at most `arcs` arcs and `vertices` vertices. In a whole graph, the first block begins with vertex 0
 * and the last one ends with the last vertex. */
static int arcs_blocks_plan(struct mw_arc_blocks *b, uint64_t low, uint64_t high, uint64_t arcs, uint64_t vertices,
                            uint64_t vertex_arcs)
{
    const struct mw_graph *g = b->graph;
    size_t first = low == g->offsets[0] ? 0 : vertices_before(g, low);
    b->count = 0;
    b->block_arcs = b->block_vertices = 0;
    do {
        struct mw_arc_block block = { .low = low, .first = first };
        size_t stop;
        block.high = low + mw_min(arcs, high - low);
        block.high = end_by_vertex(g, first, low, block.high, vertex_arcs);
        stop = block.high == g->arcs ? g->vertices : vertices_before(g, block.high);
        if (stop < g->vertices && g->offsets[stop] < block.high) {
            stop++;
            block.cut = true;
        }
        if (stop - first > vertices) {
            stop = first + vertices;
            block.high = g->offsets[stop];
            block.cut = false;
        }
        block.count = stop - first;
        TRY_RETURN(add_block(b, &block));
        low = block.high;
        first = stop - (block.cut ? 1 : 0);
    } while (low < high || (high == g->arcs && first < g->vertices));
    return 0;
}

/* Returns the 32-bit words per arc. */
static uint64_t words_of_arc(const struct mw_arc_blocks *b) { return b->weighted ? 2 : 1; }

static uint64_t arcs_blocks_bytes_of(const struct mw_arc_blocks *b, uint64_t arcs, uint64_t vertices)
{
    return (arcs * words_of_arc(b) + vertices + 1) * sizeof(uint32_t);
}

bool mw_arc_blocks_fit(const struct mw_arc_worker *worker, const struct mw_graph *graph, bool weighted, uint64_t others)
{
    const struct mw_device_info *info = mw_device_info(worker->device);
    const struct mw_arc_blocks b = { .weighted = weighted };
    const uint64_t taken = worker->device->allocated + others;
    const uint64_t largest = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    if (info->kind == MW_DEVICE_NATIVE)
        return true;
    return (info->memory_bytes == 0 ||
            taken + arcs_blocks_bytes_of(&b, graph->arcs, graph->vertices) <= info->memory_bytes) &&
           graph->arcs <= worker->limits->block_most && graph->arcs * sizeof *graph->heads <= largest &&
           (graph->vertices + 1) * sizeof(uint32_t) <= largest;
}

/* ---- transfers ---- */

static int new_buffers(const struct mw_arc_blocks *b, uint64_t arcs, size_t vertices, struct mw_buffer **offsets,
                       struct mw_buffer **heads, struct mw_buffer **weights)
{
    TRY_RETURN(mw_arc_buffer(&b->on, (vertices + 1) * sizeof(uint32_t), offsets));
    TRY_RETURN(mw_arc_buffer(&b->on, arcs * sizeof(uint32_t), heads));
    return b->weighted ? mw_arc_buffer(&b->on, arcs * sizeof(int32_t), weights) : 0;
}

static void stage(const struct mw_graph *graph, const struct mw_arc_block *block, uint32_t *offsets)
{
    for (size_t i = 0; i <= block->count; i++) {
        const uint64_t at = graph->offsets[block->first + i];
        offsets[i] = (uint32_t)(mw_max(block->low, mw_min(at, block->high)) - block->low);
    }
}

/* Larger transfers are waited for, since several threads may then carry them out (memory/pieces.c). Smaller ones are
 * queued: waiting takes longer than the transfer. */
static const size_t queued_bytes = (size_t)4 << 20;

static int send_words(struct mw_buffer *to, const void *from, size_t words, bool waits)
{
    struct mw_event *event = NULL;
    const size_t bytes = words * sizeof(uint32_t);
    const int rc = mw_buffer_write(to, 0, bytes, from, waits && bytes > queued_bytes ? NULL : &event);
    mw_event_free(event);
    return rc;
}

/* Queues the transfers of a block; with `waits`, large ones are complete on return. `offsets` and the graph must stay
 * unchanged until *written is complete. */
static int send(const struct mw_graph *graph, const struct mw_arc_block *block, const uint32_t *offsets, bool waits,
                struct mw_buffer *to_offsets, struct mw_buffer *to_heads, struct mw_buffer *to_weights,
                struct mw_event **written)
{
    const size_t arcs = (size_t)(block->high - block->low);
    if (arcs > 0)
        TRY_RETURN(send_words(to_heads, graph->heads + block->low, arcs, waits));
    if (arcs > 0 && to_weights)
        TRY_RETURN(send_words(to_weights, graph->weights + block->low, arcs, waits));
    return mw_buffer_write(to_offsets, 0, (block->count + 1) * sizeof *offsets, offsets, written);
}

static int send_all(struct mw_arc_blocks *b)
{
    uint32_t *staged = NULL;
    int rc;
    TRY(mw_new(b->block_vertices + 1, sizeof *staged, &staged));
    for (size_t i = 0; i < b->count; i++) {
        struct mw_arc_block *block = &b->block[i];
        struct mw_event *written = NULL;
        TRY(new_buffers(b, block->high - block->low, block->count, &block->offsets, &block->heads, &block->weights));
        stage(b->graph, block, staged);
        TRY(send(b->graph, block, staged, true, block->offsets, block->heads, block->weights, &written));
        rc = mw_event_wait(written);
        mw_event_free(written);
        if (rc)
            goto out;
    }
out:
    free(staged);
    return rc;
}

/* Called before the slots' memory is freed. */
static void finish_slots(void *blocks)
{
    struct mw_arc_blocks *b = blocks;
    for (size_t s = 0; s < MW_COUNT(b->slot); s++) {
        if (b->slot[s].written)
            mw_event_wait(b->slot[s].written);
        mw_event_free(b->slot[s].written);
    }
}

static int make_slots(struct mw_arc_blocks *b)
{
    for (size_t s = 0; s < MW_COUNT(b->slot); s++) {
        struct mw_arc_slot *slot = &b->slot[s];
        slot->holds = SIZE_MAX;
        TRY_RETURN(new_buffers(b, b->block_arcs, b->block_vertices, &slot->offsets, &slot->heads, &slot->weights));
        TRY_RETURN(mw_arc_new(&b->on, b->block_vertices + 1, sizeof *slot->staged, &slot->staged));
    }
    return mw_own(b->on.own, b, finish_slots);
}

/* ---- creation ---- */

/* Plans blocks for the slots, and makes the slots. In all, `arcs` arcs may be on the device at once. */
static int plan_sent(struct mw_arc_blocks *b, uint64_t low, uint64_t high, uint64_t arcs, uint64_t words,
                     uint64_t vertex_arcs)
{
    const uint64_t of_slot = words / MW_COUNT(b->slot);
    b->sent = true;
    if (of_slot < 4)
        return mw_fail(MW_ELIMIT,
                       "%s: no device memory left for arcs: free memory on the device, or use a graph "
                       "with fewer vertices",
                       b->on.device->info.id);
    /* A quarter each for arcs and vertices: graphs may have many vertices with few arcs, or the reverse. */
    TRY_RETURN(arcs_blocks_plan(b, low, high,
                                mw_max(mw_min(arcs / MW_COUNT(b->slot), of_slot / 2 / words_of_arc(b)), 1),
                                of_slot / 2 - 1, vertex_arcs));
    return make_slots(b);
}

static void free_list(void *blocks) { free(((struct mw_arc_blocks *)blocks)->block); }

/* The caller has set b->weighted. */
static int arcs_blocks_make(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t low,
                            uint64_t high, uint64_t block_arcs, uint64_t vertex_arcs, size_t others,
                            struct mw_arc_blocks *b)
{
    struct mw_device *const device = worker->device;
    const uint64_t most_arcs = worker->limits->block_most;
    const struct mw_device_info *info = mw_device_info(device);
    const uint64_t memory = info->memory_bytes ? info->memory_bytes : UINT64_MAX;
    const uint64_t taken = device->allocated + others, left = memory > taken ? memory - taken : 0;
    const uint64_t largest = (info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX) / sizeof(uint32_t);
    const uint64_t arcs = high - low, at_once = block_arcs ? block_arcs : UINT64_MAX;
    uint64_t bytes = 0;
    b->on = *worker;
    b->graph = graph;
    TRY_RETURN(mw_own(worker->own, b, free_list));
    b->native = info->kind == MW_DEVICE_NATIVE;
    if (b->native)
        return arcs_blocks_plan(b, low, high, mw_min(at_once, mw_max(arcs, 1)), SIZE_MAX, vertex_arcs);
    TRY_RETURN(arcs_blocks_plan(b, low, high, mw_min(largest, most_arcs), largest - 1, vertex_arcs));
    for (size_t i = 0; i < b->count; i++)
        bytes += arcs_blocks_bytes_of(b, b->block[i].high - b->block[i].low, b->block[i].count);
    if (arcs <= at_once && bytes <= left)
        return send_all(b);
    return plan_sent(b, low, high, mw_min(at_once, mw_min(largest, most_arcs)),
                     mw_min(left / sizeof(uint32_t), 2 * largest), vertex_arcs);
}

int mw_arc_blocks_make(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t low, uint64_t high,
                       uint64_t block_arcs, uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *b)
{
    *b = (struct mw_arc_blocks){ 0 };
    return arcs_blocks_make(worker, graph, low, high, block_arcs, vertex_arcs, others, b);
}

int mw_arc_blocks_make_weighted(const struct mw_arc_worker *worker, const struct mw_graph *graph, uint64_t block_arcs,
                                uint64_t vertex_arcs, size_t others, struct mw_arc_blocks *b)
{
    *b = (struct mw_arc_blocks){ .weighted = true };
    return arcs_blocks_make(worker, graph, 0, graph->arcs, block_arcs, vertex_arcs, others, b);
}

/* ---- access ---- */

/* Stores in *taken the slot with the block; sends the block to the next slot if necessary. */
static int take_slot(struct mw_arc_blocks *b, size_t number, struct mw_arc_slot **taken)
{
    struct mw_arc_slot *slot = &b->slot[b->next_slot];
    for (size_t s = 0; s < MW_COUNT(b->slot); s++)
        if (b->slot[s].holds == number) {
            *taken = &b->slot[s];
            return 0;
        }
    b->next_slot = (b->next_slot + 1) % MW_COUNT(b->slot);
    if (slot->written)
        TRY_RETURN(mw_event_wait(slot->written));
    mw_event_free(slot->written);
    slot->written = NULL;
    slot->holds = SIZE_MAX;
    stage(b->graph, &b->block[number], slot->staged);
    TRY_RETURN(send(b->graph, &b->block[number], slot->staged, false, slot->offsets, slot->heads, slot->weights,
                    &slot->written));
    slot->holds = number;
    *taken = slot;
    return 0;
}

/* Wraps the graph's own arrays, which are only read. */
static void borrow(const struct mw_arc_blocks *b, const struct mw_arc_block *block, struct mw_arc_view *view)
{
    const struct mw_graph *g = b->graph;
    view->own[0] = mw_buffer_borrow(b->on.device, (void *)(uintptr_t)(g->offsets + block->first),
                                    (block->count + 1) * sizeof *g->offsets);
    view->own[1] = mw_buffer_borrow(b->on.device, (void *)(uintptr_t)g->heads, (size_t)g->arcs * sizeof *g->heads);
    view->own[2] = mw_buffer_borrow(b->on.device, (void *)(uintptr_t)g->weights, (size_t)g->arcs * sizeof *g->weights);
    view->offsets = &view->own[0];
    view->heads = &view->own[1];
    view->weights = b->weighted ? &view->own[2] : NULL;
}

int mw_arc_block_take(struct mw_arc_blocks *b, size_t number, struct mw_arc_view *view)
{
    const struct mw_arc_block *block = &b->block[number];
    const uint64_t base = b->native ? 0 : block->low;
    struct mw_arc_slot *slot;
    view->offsets = block->offsets;
    view->heads = block->heads;
    view->weights = block->weights;
    if (b->native) {
        borrow(b, block, view);
    } else if (b->sent) {
        TRY_RETURN(take_slot(b, number, &slot));
        view->offsets = slot->offsets;
        view->heads = slot->heads;
        view->weights = slot->weights;
    }
    view->weights = view->weights ? view->weights : view->heads;
    view->low = block->low - base;
    view->high = block->high - base;
    view->first = (int32_t)block->first;
    view->count = (int32_t)block->count;
    view->cut = block->cut;
    return 0;
}
/* SPDX-License-Identifier: MIT */
