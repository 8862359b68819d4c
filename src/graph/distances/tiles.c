/* Variant tiles: Floyd-Warshall on the matrix of all distances (cl/graph/distances/tiles.cl). */
#include <stdlib.h>

#include "graph/arcs/arcs.h"
#include "graph/distances/lengths_internal.h"
#include "graph/distances/tiles_plan.clh"
#include "kernels/graph/distances/tiles.h"
#include "kernels/native.h"

enum { GROUP = 256 };
/* No path. So are all values above half of it, to which negative weights may have been added. */
#define NONE_32 (((int64_t)1 << 30) - 1)
#define NONE_64 (((int64_t)1 << 62) - 1)

struct tiles {
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_buffer *lengths;
    bool wide;
    size_t tile, tiles, stride, bytes; /* vertices per tile; tiles, cells and bytes per row */
    void *rows;                        /* one row of tiles on the host ... */
    size_t held;                       /* ... and its number */
    int64_t *distance;                 /* one row */
};

/* Returns whether a path may be too long for 32 bits. */
static bool is_wide(const struct mw_distance_job *job)
{
    const int64_t largest = job->most > -(int64_t)job->least ? job->most : -(int64_t)job->least;
    return largest * (int64_t)job->graph->vertices >= NONE_32 / 2;
}

/* Plans the tiles of the matrix; stores its size in bytes. */
static int distances_tiles_plan(const struct mw_distance_job *job, struct tiles *t, size_t *bytes)
{
    const size_t n = job->graph->vertices;
    t->on = mw_arc_worker_on(job->device, &mw_arc_limits_usual, NULL);
    t->wide = is_wide(job);
    t->tile = t->on.cores ? TILES_CORE : TILES_GROUP;
    t->tiles = (n + t->tile - 1) / t->tile;
    t->stride = t->tiles * t->tile;
    if (!mw_mul(t->stride, t->wide ? sizeof(int64_t) : sizeof(int32_t), &t->bytes) ||
        !mw_mul(t->bytes, t->stride, bytes))
        return mw_fail(MW_ELIMIT, "a matrix of %zu by %zu distances is too large to address", n, n);
    if (job->native)
        return mw_graph_fits(n, job->graph->arcs, *bytes);
    return 0;
}

bool mw_tiles_fit(const struct mw_distance_job *job)
{
    const struct mw_device_info *info = mw_device_info(job->device);
    struct tiles tiles = { 0 };
    size_t bytes = 0;
    return distances_tiles_plan(job, &tiles, &bytes) == 0 && bytes <= mw_memory_left(job->device) &&
           (info->max_alloc_bytes == 0 || bytes <= info->max_alloc_bytes);
}

static int distances_tiles_make(struct mw_length_share *share, size_t *at_once)
{
    const struct mw_distance_job *job = &share->search;
    struct tiles *t;
    size_t bytes = 0;
    TRY_RETURN(mw_own_new(&share->owner, 1, sizeof *t, &t));
    share->state = t;
    t->held = SIZE_MAX;
    TRY_RETURN(distances_tiles_plan(job, t, &bytes));
    t->on.own = &share->owner;
    TRY_RETURN(mw_arc_set_new(&t->on, &kernels_graph_distances_tiles,
                              &(struct mw_kernel_options){ .native = t->wide ? mw_native_graph_distances_tiles_wide
                                                                             : mw_native_graph_distances_tiles,
                                                           .defines = t->wide ? "#define WIDE 1\n" : "#define WIDE 0\n",
                                                           .group = GROUP,
                                                           .takes = MW_GROUP_POWER },
                              &t->set));
    TRY_RETURN(mw_arc_buffer(&t->on, bytes, &t->lengths));
    TRY_RETURN(mw_arc_new(&t->on, t->bytes, t->tile, &t->rows));
    TRY_RETURN(mw_arc_new(&t->on, job->graph->vertices, sizeof *t->distance, &t->distance));
    *at_once = share->of->targets.count;
    return 0;
}

static int64_t get(const struct tiles *t, size_t cell)
{
    return t->wide ? ((const int64_t *)t->rows)[cell] : ((const int32_t *)t->rows)[cell];
}

static void put(struct tiles *t, size_t cell, int64_t length)
{
    if (t->wide)
        ((int64_t *)t->rows)[cell] = length;
    else
        ((int32_t *)t->rows)[cell] = (int32_t)length;
}

/* Writes arcs as distances, the shortest of parallel ones, one row of tiles at a time. */
static int write_arcs(const struct mw_distance_job *job, struct tiles *t)
{
    const struct mw_graph *g = job->graph;
    for (size_t first = 0; first < t->stride; first += t->tile) {
        for (size_t cell = 0; cell < t->tile * t->stride; cell++)
            put(t, cell, t->wide ? NONE_64 : NONE_32);
        for (size_t r = 0; r < t->tile && first + r < g->vertices; r++) {
            const size_t v = first + r, row = r * t->stride;
            put(t, row + v, 0);
            for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
                if (mw_job_weight(job, i) < get(t, row + g->heads[i]))
                    put(t, row + g->heads[i], mw_job_weight(job, i));
        }
        TRY_RETURN(mw_buffer_write(t->lengths, first * t->bytes, t->tile * t->bytes, t->rows, NULL));
    }
    return 0;
}

static int run_tiles(struct tiles *t)
{
    const size_t others = t->tiles - 1;
    for (size_t k = 0; k < t->tiles; k++) {
        TRY_RETURN(launch_tiles_corner(t->set, mw_parts(t->set, 1), t->lengths, (int64_t)t->stride, (int32_t)k));
        if (others == 0)
            break;
        TRY_RETURN(launch_tiles_by_way(t->set, mw_parts(t->set, 2 * others), t->lengths, (int64_t)t->stride,
                                       (int32_t)t->tiles, (int32_t)k, 1));
        TRY_RETURN(launch_tiles_by_way(t->set, mw_parts(t->set, others * others), t->lengths, (int64_t)t->stride,
                                       (int32_t)t->tiles, (int32_t)k, 0));
    }
    return 0;
}

static int distances_tiles_read_row(const struct mw_distance_job *job, struct tiles *t, uint32_t v)
{
    const size_t r = v % t->tile;
    const int64_t none = (t->wide ? NONE_64 : NONE_32) / 2;
    if (t->held != v / t->tile)
        TRY_RETURN(mw_buffer_read(t->lengths, (v - r) * t->bytes, t->tile * t->bytes, t->rows, NULL));
    t->held = v / t->tile;
    for (size_t w = 0; w < job->graph->vertices; w++) {
        const int64_t length = get(t, r * t->stride + w);
        t->distance[w] = length > none ? MW_NO_DISTANCE : length;
    }
    return 0;
}

/* Runs all targets at once. */
static int distances_tiles_run(struct mw_length_share *share, size_t first, size_t count)
{
    struct tiles *t = share->state;
    TRY_RETURN(write_arcs(&share->search, t));
    TRY_RETURN(run_tiles(t));
    for (size_t i = first; i < first + count; i++) {
        TRY_RETURN(distances_tiles_read_row(&share->search, t, share->of->targets.list[i]));
        mw_length_add(share, 0, i, t->distance);
        TRY_RETURN(mw_length_give(share, i, 1, t->distance));
    }
    return 0;
}

static const char *distances_tiles_refuses(const struct mw_length_share *share)
{
    return share->of->share_count > 1 ? "runs on one device only: use delta or near-far" : NULL;
}

const struct mw_length_variant mw_length_tiles = { distances_tiles_refuses, distances_tiles_make, distances_tiles_run };
/* SPDX-License-Identifier: MIT */
