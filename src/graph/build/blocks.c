/* Arcs that are built at once: all of them where the device has room, else ranges of keys. */
#include "graph/build/build_internal.h"

#include <stdlib.h>

#include "graph/build/build_plan.clh"

#define ARC_BYTES 24                     /* keys twice, heads, and places or heads that are still to be moved */
#define KEY_BYTES 8
#define BLOCK_MOST ((uint64_t)1 << 31)   /* arcs and edges that words of 32 bits count */
#define BINS ((uint64_t)1024)

uint64_t mw_graph_block_arcs = 0;

struct room { uint64_t arcs, vertices; };

static uint64_t least_of(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Five eighths of what is free are for arcs, an eighth each for edges and for offsets; the rest is for counts, and for
 * what drivers need themselves. */
static struct room find_room(const struct mw_device *device, uint64_t *chunk)
{
    const struct mw_device_info *info = mw_device_info(device);
    const uint64_t free = !info->memory_bytes ? UINT64_MAX
                        : info->memory_bytes > device->allocated ? info->memory_bytes - device->allocated : 0;
    const uint64_t largest = (info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX) / KEY_BYTES;
    const struct room room = { least_of(least_of(free / 8 * 5 / ARC_BYTES, largest), BLOCK_MOST),
                               least_of(free / 8 / KEY_BYTES, largest) };
    *chunk = mw_graph_block_arcs ? mw_graph_block_arcs / 2 + 1
                                 : most_of(1, least_of(least_of(free / 8 / KEY_BYTES, largest), BLOCK_MOST / 2));
    return (struct room){ most_of(1, mw_graph_block_arcs ? mw_graph_block_arcs : room.arcs),
                          most_of(1, room.vertices) };
}

/* The vertices whose first possible key is below `key`. */
static uint64_t vertices_below(const struct mw_graph_job *job, uint64_t key)
{
    return key == 0 ? 0 : ((key - 1) >> job->bits) + 1;
}

static int add_block(struct mw_graph_job *job, uint64_t lo, uint64_t hi, uint64_t arcs)
{
    struct mw_graph_block *block;
    const uint64_t first = vertices_below(job, lo), end = vertices_below(job, hi);
    if (lo == hi)
        return 0;
    if ((job->blocks & (job->blocks - 1)) == 0) {
        block = realloc(job->block, (job->blocks ? 2 * job->blocks : 1) * sizeof *block);
        if (!block)
            return mw_fail(MW_ENOMEM, "no memory for the blocks of a graph");
        job->block = block;
    }
    job->block[job->blocks++] = (struct mw_graph_block){ lo, hi, arcs, (size_t)first, (size_t)(end - first) };
    return 0;
}

/* How many arcs have keys in each of the bins of 2^shift keys from `lo` on, below `hi`. */
static void count_bins(const struct mw_graph_job *job, uint64_t lo, uint64_t hi, unsigned shift, uint64_t *counts)
{
    const struct mw_edges *edges = job->edges;
    for (uint64_t d = 0; d < BINS; d++)
        counts[d] = 0;
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint64_t tail = edges->ends[2 * e], head = edges->ends[2 * e + 1];
        const uint64_t arc = tail << job->bits | head, back = head << job->bits | tail;
        if (arc >= lo && arc < hi)
            counts[(arc - lo) >> shift]++;
        if (!edges->directed && back >= lo && back < hi)
            counts[(back - lo) >> shift]++;
    }
}

/* Cuts a range of keys into blocks that there is room for, bin by bin; a bin that alone is too much is cut as well. */
static int cut(struct mw_graph_job *job, const struct room *room, uint64_t from, uint64_t hi)
{
    uint64_t counts[BINS], lo = from, arcs = 0;
    unsigned shift = 0;
    int rc = 0;
    while ((hi - from - 1) >> shift >= BINS)
        shift++;
    count_bins(job, from, hi, shift, counts);
    for (uint64_t at = from, d = 0; at < hi; d++) {
        const uint64_t next = hi - at > (uint64_t)1 << shift ? at + ((uint64_t)1 << shift) : hi;
        if (arcs + counts[d] > room->arcs || vertices_below(job, next) - vertices_below(job, lo) > room->vertices) {
            TRY(add_block(job, lo, at, arcs));
            lo = at;
            arcs = 0;
        }
        if (counts[d] > room->arcs || vertices_below(job, next) - vertices_below(job, lo) > room->vertices) {
            if (next - at == 1)
                TRY(add_block(job, at, next, counts[d]));
            else
                TRY(cut(job, room, at, next));
            lo = next;
        } else {
            arcs += counts[d];
        }
        at = next;
    }
    TRY(add_block(job, lo, hi, arcs));
out:
    return rc;
}

int mw_graph_plan_blocks(struct mw_graph_job *job)
{
    const struct mw_edges *edges = job->edges;
    const uint64_t arcs = edges->count * (edges->directed ? 1 : 2), hi = (uint64_t)edges->vertices << job->bits;
    const struct room room = find_room(job->builder->device, &job->chunk);
    int rc;
    if (job->chunk > edges->count)
        job->chunk = most_of(1, edges->count);
    if (arcs <= room.arcs && edges->vertices <= room.vertices) {
        job->flags |= BUILD_WHOLE;
        return add_block(job, 0, hi, arcs);
    }
    TRY(mw_graph_bad_edge(edges));
    TRY(cut(job, &room, 0, hi));
    mw_log(MW_LOG_INFO, "%s: a graph of %zu vertices is built in %zu blocks", mw_device_info(job->builder->device)->id,
           edges->vertices, job->blocks);
out:
    return rc;
}

void mw_graph_plan_words(const struct mw_graph_job *job, const struct mw_graph_block *block, uint64_t *words)
{
    words[RANGE_LO] = block->lo;
    words[RANGE_SPAN] = block->hi - block->lo;
    words[RANGE_BITS] = job->bits;
    words[RANGE_FLAGS] = job->flags;
    words[RANGE_VERTICES] = job->edges->vertices;
    words[RANGE_FIRST] = block->first;
    words[RANGE_BEFORE] = job->arcs;
    words[RANGE_BASE] = words[RANGE_SHIFT] = words[RANGE_BINS] = 0;
}
