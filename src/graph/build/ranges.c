/* Ranges of arcs built at once: all arcs if the device can hold them, otherwise ranges of keys. */
#include "graph/build/builder.h"

#include <stdlib.h>

#include "graph/build/build_plan.clh"

#define ARC_BYTES 24 /* two copies of keys, heads, and places or heads yet to be moved */
#define KEY_BYTES 8
#define ARCS_MOST ((uint64_t)1 << 31) /* arcs and edges that 32-bit counters allow */
#define BINS ((uint64_t)1024)

struct capacity {
    uint64_t arcs, vertices;
};

static uint64_t most_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Returns the arcs and vertices that fit. Five eighths of the free memory are for arcs, an eighth each for edges and
 * offsets, and the rest for counts and the driver. */
static struct capacity find_capacity(const struct mw_graph_builder *builder, uint64_t *chunk)
{
    const struct mw_device *device = builder->device;
    const uint64_t most = builder->limits.range_arcs;
    const struct mw_device_info *info = mw_device_info(device);
    const uint64_t free = mw_memory_left(device);
    const uint64_t largest = (info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX) / KEY_BYTES;
    const struct capacity capacity = { mw_min(mw_min(free / 8 * 5 / ARC_BYTES, largest), ARCS_MOST),
                                       mw_min(free / 8 / KEY_BYTES, largest) };
    *chunk = most ? most / 2 + 1 : most_of(1, mw_min(mw_min(free / 8 / KEY_BYTES, largest), ARCS_MOST / 2));
    return (struct capacity){ most_of(1, most ? most : capacity.arcs), most_of(1, capacity.vertices) };
}

/* Returns the number of vertices whose first possible key is below `key`. */
static uint64_t vertices_below(const struct mw_graph_job *job, uint64_t key)
{
    return key == 0 ? 0 : ((key - 1) >> job->bits) + 1;
}

static int add_range(struct mw_graph_job *job, uint64_t lo, uint64_t hi, uint64_t arcs)
{
    const uint64_t first = vertices_below(job, lo), end = vertices_below(job, hi);
    if (lo == hi)
        return 0;
    TRY_RETURN(mw_grow(job->ranges, sizeof *job->range, &job->range));
    job->range[job->ranges++] = (struct mw_graph_range){ lo, hi, arcs, (size_t)first, (size_t)(end - first) };
    return 0;
}

/* Counts the arcs in each bin of 2^shift keys, from `lo` to below `hi`. */
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

static bool is_too_much(const struct mw_graph_job *job, const struct capacity *capacity, uint64_t arcs, uint64_t lo,
                        uint64_t hi)
{
    return arcs > capacity->arcs || vertices_below(job, hi) - vertices_below(job, lo) > capacity->vertices;
}

/* Splits a range of keys into ranges that fit, bin by bin; recurses for a bin that is too large. */
static int ranges_cut(struct mw_graph_job *job, const struct capacity *capacity, uint64_t from, uint64_t hi)
{
    uint64_t counts[BINS], lo = from, arcs = 0;
    unsigned shift = 0;
    while ((hi - from - 1) >> shift >= BINS)
        shift++;
    count_bins(job, from, hi, shift, counts);
    for (uint64_t at = from, d = 0; at < hi; d++) {
        const uint64_t next = hi - at > (uint64_t)1 << shift ? at + ((uint64_t)1 << shift) : hi;
        if (is_too_much(job, capacity, arcs + counts[d], lo, next)) {
            TRY_RETURN(add_range(job, lo, at, arcs));
            lo = at;
            arcs = 0;
        }
        if (is_too_much(job, capacity, counts[d], lo, next)) {
            if (next - at == 1)
                TRY_RETURN(add_range(job, at, next, counts[d]));
            else
                TRY_RETURN(ranges_cut(job, capacity, at, next));
            lo = next;
        } else {
            arcs += counts[d];
        }
        at = next;
    }
    return add_range(job, lo, hi, arcs);
}

int mw_graph_plan_ranges(struct mw_graph_job *job)
{
    const struct mw_edges *edges = job->edges;
    const uint64_t arcs = edges->count * (edges->directed ? 1 : 2), hi = (uint64_t)edges->vertices << job->bits;
    const struct capacity capacity = find_capacity(job->builder, &job->chunk);
    if (job->chunk > edges->count)
        job->chunk = most_of(1, edges->count);
    if (arcs <= capacity.arcs && edges->vertices <= capacity.vertices) {
        job->flags |= BUILD_WHOLE;
        return add_range(job, 0, hi, arcs);
    }
    TRY_RETURN(mw_graph_bad_edge(edges));
    TRY_RETURN(ranges_cut(job, &capacity, 0, hi));
    mw_log(MW_LOG_INFO, "%s: a graph of %zu vertices is built in %zu ranges", mw_device_info(job->builder->device)->id,
           edges->vertices, job->ranges);
    return 0;
}

void mw_graph_plan_words(const struct mw_graph_job *job, const struct mw_graph_range *range, uint64_t *words)
{
    words[RANGE_LO] = range->lo;
    words[RANGE_SPAN] = range->hi - range->lo;
    words[RANGE_BITS] = job->bits;
    words[RANGE_FLAGS] = job->flags;
    words[RANGE_VERTICES] = job->edges->vertices;
    words[RANGE_FIRST] = range->first;
    words[RANGE_BEFORE] = job->arcs;
    words[RANGE_BASE] = words[RANGE_SHIFT] = words[RANGE_BINS] = 0;
}
/* SPDX-License-Identifier: MIT */
