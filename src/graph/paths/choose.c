/* Which variant of shortest paths a graph is for: "it may be worthwhile to attempt to automatically determine the type
 * of graph" (Leist, Playne and Hawick 2009). */
#include <stdlib.h>

#include "graph/paths/paths_internal.h"

/* On cores: variant bits looks at all rows in every level, for as many targets at once as a row has bits; variant queue
 * looks at all vertices and arcs once, for one target.  So bits is the slower one where there are more levels than
 * LEVELS for each vertex and arc of a vertex (measured: lines, rings, lattices).  On an H200 bits was never the slower
 * one, up to lines of 10,000 vertices. */
enum { LEVELS = 120 };

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
static int ways_are_long(const struct mw_graph *g, bool *are_long)
{
    const double degree = (double)g->arcs / (double)g->vertices, limit = LEVELS * (1 + degree);
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
    mw_log(MW_LOG_INFO, "variant auto: %.3g arcs a vertex, and searches of about %zu levels, so that %s", degree,
           levels, *are_long ? "each target has one of its own: queue" : "many targets share one: bits");
out:
    free(queue);
    free(seen);
    return rc;
}

/* Whether a device has cores, and holds all arcs. */
static bool may_queue(const struct mw_path_job *job, const struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    const uint64_t bytes = job->graph->arcs * sizeof *job->graph->heads, largest = info->max_alloc_bytes;
    const bool holds = info->kind == MW_DEVICE_NATIVE ||
                       (bytes <= info->memory_bytes / 4 && (largest == 0 || bytes <= largest) &&
                        job->graph->arcs <= job->limits->block_most);
    return holds && info->traits.has_cores;
}

int mw_path_choose(const struct mw_path_job *job, struct mw_device *const *devices, size_t device_count, bool *queue)
{
    bool all_may = job->options.block_arcs == 0;
    *queue = false;
    for (size_t d = 0; d < device_count; d++)
        all_may = all_may && may_queue(job, devices[d]);
    return all_may && job->graph->vertices > 0 ? ways_are_long(job->graph, queue) : 0;
}
/* SPDX-License-Identifier: MIT */
