/* Choice between variants bits and queue for shortest paths: "it may be worthwhile to attempt to automatically
 * determine the type of graph" (Leist, Playne and Hawick 2009). */
#include <math.h>
#include <stdlib.h>

#include "graph/paths/paths_internal.h"

/* Variant bits reads all rows in each level, for as many targets at once as a row has bits. Variant queue reads all
 * vertices and arcs once per target. So bits is slower if there are many levels.
 *
 * On cores, the limit is LEVELS times (1 + mean degree); lines, rings and lattices exceed it. GPUs run many searches at
 * once and wait for memory at each vertex. Their limit is ITEM_LEVELS sqrt(vertices) / cbrt(targets), times the number
 * of turns in which the slots process all targets. This was measured on an H200, and is right within a factor of two:
 * for lines, rings, lattices, Watts' alpha-model and small worlds of 1000 to 90,000 vertices, with 512 targets or more.
 * A work-item's search is one launch, which takes seconds with more than ITEM_VERTICES vertices. */
enum { LEVELS = 120, ITEM_LEVELS = 80, ITEM_VERTICES = 1 << 20 };

/* Returns the number of levels of a breadth-first search from `start`; stores the last vertex found. */
static size_t levels_from(const struct mw_graph *g, uint32_t start, uint32_t *queue, uint8_t *seen, uint32_t *last)
{
    size_t at = 0, tail = 1, levels = 0;
    queue[0] = start;
    seen[start] = 1;
    while (at < tail) {
        const size_t level = tail;
        for (; at < level; at++)
            for (uint64_t arc = g->offsets[queue[at]]; arc < g->offsets[queue[at] + 1]; arc++)
                if (!seen[g->heads[arc]]) {
                    seen[g->heads[arc]] = 1;
                    queue[tail++] = g->heads[arc];
                }
        levels++;
    }
    *last = queue[tail - 1];
    while (tail > 0)
        seen[queue[--tail]] = 0;
    return levels;
}

/* Returns a vertex with arcs, if there is one: the first from the middle on. */
static uint32_t some_vertex(const struct mw_graph *g)
{
    size_t v = g->vertices / 2;
    for (size_t i = 0; i < g->vertices && g->offsets[v] == g->offsets[v + 1]; i++)
        v = v + 1 < g->vertices ? v + 1 : 0;
    return (uint32_t)v;
}

/* Searches from some vertex; if the result is close to the limit, also from the last vertex found. */
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
    mw_log(MW_LOG_INFO, "variant auto: %s, since searches have about %zu levels and queue is faster above %.0f",
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

/* Returns the number of levels above which queue is faster on a device, one of device_count. */
static double level_limit(const struct mw_path_job *job, const struct mw_device *device, size_t device_count)
{
    const struct mw_device_info *info = mw_device_info(device);
    const double n = (double)job->graph->vertices, degree = (double)job->graph->arcs / n;
    const double targets = (double)job->options.target_count / (double)device_count;
    const double slots = (double)mw_path_queue_slots(job, device);
    if (!holds_arcs(job, info) || slots == 0 || (!info->traits->has_cores && n > ITEM_VERTICES))
        return INFINITY;
    return info->traits->has_cores ? LEVELS * (1 + degree)
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
