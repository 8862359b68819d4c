/* Which variant of shortest paths a graph is for: "it may be worthwhile to attempt to automatically determine the type
 * of graph" (Leist, Playne and Hawick 2009). */
#include <math.h>
#include <stdlib.h>

#include "graph/paths/paths_internal.h"

/* Variant bits looks at all rows in every level, for as many targets at once as a row has bits; variant queue looks at
 * all vertices and arcs once, for one target.  So bits is the slower one where there are many levels.  On cores these
 * are more than LEVELS for each vertex and arc of a vertex (lines, rings, lattices).  On items of GPUs, which make many
 * searches at once and wait for memory at each vertex, the limit is ITEM_LEVELS sqrt(vertices) / cbrt(targets), times
 * the turns in which slots take all targets.  (Measured on an H200, right within a factor of two: lines, rings,
 * lattices, Watts' alpha-model, small worlds; 1000 to 90,000 vertices; from 512 targets to all.)  An item's search is
 * one launch, which takes seconds with more than ITEM_VERTICES. */
enum { LEVELS = 120, ITEM_LEVELS = 80, ITEM_VERTICES = 1 << 20 };

/* How many levels a breadth-first search from `start` has, and the vertex that it finds last. */
static size_t levels_from(const struct mw_graph *g, uint32_t start, uint32_t *queue, uint8_t *seen, uint32_t *last)
{
    size_t at = 0, behind = 1, levels = 0;
    queue[0] = start;
    seen[start] = 1;
    while (at < behind) {
        const size_t level = behind;
        for (; at < level; at++)
            for (uint64_t arc = g->offsets[queue[at]]; arc < g->offsets[queue[at] + 1]; arc++)
                if (!seen[g->heads[arc]]) {
                    seen[g->heads[arc]] = 1;
                    queue[behind++] = g->heads[arc];
                }
        levels++;
    }
    *last = queue[behind - 1];
    while (behind > 0)
        seen[queue[--behind]] = 0;
    return levels;
}

/* One that has arcs, if any has: the first from the middle on. */
static uint32_t some_vertex(const struct mw_graph *g)
{
    size_t v = g->vertices / 2;
    for (size_t i = 0; i < g->vertices && g->offsets[v] == g->offsets[v + 1]; i++)
        v = v + 1 < g->vertices ? v + 1 : 0;
    return (uint32_t)v;
}

/* By a search from some vertex, and where that is not far from deciding by one from the vertex that it finds last. */
static int ways_are_long(const struct mw_graph *g, double limit, bool *are_long)
{
    uint32_t *queue = NULL, last;
    uint8_t *seen = NULL;
    size_t levels;
    int rc;
    TRY(mw_new(g->vertices, sizeof *queue, &queue));
    TRY(mw_new(g->vertices, sizeof *seen, &seen));
    levels = levels_from(g, some_vertex(g), queue, seen, &last);
    if ((double)levels <= limit && 2 * (double)levels > limit)
        levels = levels_from(g, last, queue, seen, &last);
    *are_long = (double)levels > limit;
    mw_log(MW_LOG_INFO, "variant auto takes %s: searches have about %zu levels, and queue is faster from %.0f on",
           *are_long ? "queue" : "bits", levels, limit);
out:
    free(queue);
    free(seen);
    return rc;
}

static bool holds_arcs(const struct mw_path_job *job, const struct mw_device_info *info)
{
    const uint64_t bytes = job->graph->arcs * sizeof *job->graph->heads, largest = info->max_alloc_bytes;
    return info->kind == MW_DEVICE_NATIVE || (bytes <= info->memory_bytes / 4 && (largest == 0 || bytes <= largest) &&
                                              job->graph->arcs <= job->limits->block_most);
}

/* The levels beyond which a device is faster by queue, as one of so many. */
static double level_limit(const struct mw_path_job *job, const struct mw_device *device, size_t device_count)
{
    const struct mw_device_info *info = mw_device_info(device);
    const double n = (double)job->graph->vertices, degree = (double)job->graph->arcs / n;
    const double targets = (double)job->options.target_count / (double)device_count;
    const double slots = (double)mw_path_queue_slots(job, device);
    if (!holds_arcs(job, info) || slots == 0 || (!info->traits.has_cores && n > ITEM_VERTICES))
        return INFINITY;
    return info->traits.has_cores ? LEVELS * (1 + degree)
                                  : ITEM_LEVELS * sqrt(n) / cbrt(targets) * ceil(targets / slots);
}

int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue)
{
    double limit = job->options.block_arcs || job->options.target_count == 0 ? INFINITY : 0;
    *queue = false;
    for (size_t d = 0; d < device_count && limit < INFINITY; d++)
        limit = fmax(limit, level_limit(job, devices[d], device_count));
    return limit < (double)job->graph->vertices ? ways_are_long(job->graph, limit, queue) : 0;
}
/* SPDX-License-Identifier: MIT */
