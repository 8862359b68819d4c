/* Variants queue (also with weights) and vectors of betweenness: a work-item per core, with its own memory, takes one
 * source or eight sources at a time. */
#include <stdlib.h>

#include "graph/measures/betweenness.h"
#include "kernels/graph/measures/betweenness.h"
#include "kernels/graph/measures/betweenness_vectors.h"
#include "kernels/native.h"

enum { SOURCES_PER_ITEM = 64 }; /* per run, so that several devices can take turns */
enum { VECTOR = 8 };            /* sources at once */

/* Buffers of a work-item: two of the variant's own, paths, dependencies, and sums. */
enum { FIRST, SECOND, PATHS, THROUGH, SUMS, BUFFERS };
struct items {
    size_t items;
    struct mw_buffer *own[BUFFERS], *next;
};

static int betweenness_items_make(struct mw_between_share *share, const size_t bytes[BUFFERS], size_t sources_at_once)
{
    struct mw_device *device = share->on.device;
    const size_t sources = (share->of->options.source_count + sources_at_once - 1) / sources_at_once;
    const size_t units = mw_device_info(device)->compute_units ? mw_device_info(device)->compute_units : 1;
    const uint64_t budget = mw_between_budget(share);
    size_t each = 0;
    struct items *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    for (size_t i = 0; i < BUFFERS; i++)
        each += bytes[i];
    s->items = units < sources ? units : sources;
    s->items = s->items < budget / each ? s->items : (size_t)(budget / each);
    if (s->items == 0)
        return mw_fail(MW_ELIMIT,
                       "%s: a search of %zu vertices needs %.3g GB: raise the memory limit, or use another device",
                       mw_device_info(device)->id, share->of->graph->vertices, (double)each / 1e9);
    share->at_once = s->items * SOURCES_PER_ITEM;
    for (size_t i = 0; i < BUFFERS; i++)
        TRY_RETURN(mw_arc_buffer(&share->on, s->items * bytes[i], &s->own[i]));
    TRY_RETURN(mw_arc_buffer(&share->on, sizeof(uint32_t), &s->next));
    return mw_buffer_fill(s->own[SUMS], 0, s->items * bytes[SUMS], 0);
}

static int make_queue(struct mw_between_share *share)
{
    const size_t n = share->of->graph->vertices;
    const size_t bytes[BUFFERS] = { n * sizeof(int32_t), n * sizeof(uint32_t), n * MW_NUMBER_BYTES, n * MW_NUMBER_BYTES,
                                    n * sizeof(uint64_t) };
    const struct items *s;
    TRY_RETURN(betweenness_items_make(share, bytes, 1));
    s = share->state;
    return mw_buffer_fill(s->own[FIRST], 0, s->items * bytes[FIRST], 0xff);
}

/* Computes the bytes per work-item of variant vectors. */
static void bytes_of_vectors(size_t n, size_t bytes[BUFFERS])
{
    bytes[FIRST] = n * BETWEENNESS_FLAGS;
    bytes[SECOND] = (n * BETWEENNESS_WORDS + BETWEENNESS_LEVELS) * sizeof(uint32_t);
    bytes[PATHS] = bytes[THROUGH] = n * VECTOR * sizeof(double);
    bytes[SUMS] = n * sizeof(uint64_t);
}

/* The same for variant queue with weights. */
static void bytes_of_weighted(size_t n, size_t bytes[BUFFERS])
{
    bytes[FIRST] = n * sizeof(int64_t);
    bytes[SECOND] = BETWEENNESS_LINKS * n * sizeof(uint32_t);
    bytes[PATHS] = bytes[THROUGH] = n * MW_NUMBER_BYTES;
    bytes[SUMS] = n * sizeof(uint64_t);
}

bool mw_between_items_fit(const struct mw_between_job *job, struct mw_device *device)
{
    const struct mw_device_info *info = mw_device_info(device);
    const struct mw_graph *g = job->graph;
    const struct mw_arc_worker on = { device, true, &mw_arc_limits_usual, NULL };
    const uint64_t searches = job->options.memory_most ? job->options.memory_most : mw_memory_left(device) / 2;
    const uint64_t back = g->directed ? mw_between_arc_bytes(job) : 0;
    size_t bytes[BUFFERS], each = 0;
    (job->by_weights ? bytes_of_weighted : bytes_of_vectors)(g->vertices, bytes);
    for (size_t i = 0; i < BUFFERS; i++)
        each += bytes[i];
    return info->traits->has_cores && (info->fp64 || job->by_weights) &&
           (info->memory_bytes == 0 || each <= searches) &&
           (job->options.block_arcs == 0 || g->arcs <= job->options.block_arcs) &&
           mw_arc_blocks_fit(&on, g, job->by_weights, searches + back);
}

static int make_vectors(struct mw_between_share *share)
{
    const size_t n = share->of->graph->vertices;
    size_t bytes[BUFFERS];
    const struct items *s;
    if (!mw_device_info(share->on.device)->fp64)
        return mw_fail(MW_ENOTSUP, "%s: variant vectors needs double precision: use lanes",
                       mw_device_info(share->on.device)->id);
    bytes_of_vectors(n, bytes);
    TRY_RETURN(betweenness_items_make(share, bytes, VECTOR));
    s = share->state;
    return mw_buffer_fill(s->own[FIRST], 0, s->items * bytes[FIRST], 0);
}

static int make_weighted(struct mw_between_share *share)
{
    size_t bytes[BUFFERS];
    const struct items *s;
    bytes_of_weighted(share->of->graph->vertices, bytes);
    TRY_RETURN(betweenness_items_make(share, bytes, 1));
    s = share->state;
    return mw_buffer_fill(s->own[FIRST], 0, s->items * bytes[FIRST], (int)(LENGTH_NONE & 0xff));
}

static bool are_whole(const struct mw_arc_blocks *blocks) { return blocks->count <= 1 && !blocks->sent; }

/* Takes the arcs of both directions, and sets the counter. */
static int betweenness_items_begin(struct mw_between_share *share, size_t first, struct mw_arc_view *out,
                                   struct mw_arc_view *in)
{
    const struct items *s = share->state;
    const uint32_t next = (uint32_t)first;
    if (!are_whole(&share->out) || !are_whole(mw_between_in(share)))
        return mw_fail(MW_ENOTSUP, "%s: variant %s needs the whole graph in device memory: use lanes",
                       mw_device_info(share->on.device)->id, share->of->options.variant);
    TRY_RETURN(mw_arc_block_take(&share->out, 0, out));
    TRY_RETURN(mw_arc_block_take(mw_between_in(share), 0, in));
    return mw_buffer_write(s->next, 0, sizeof next, &next, NULL);
}

static int run_queue(struct mw_between_share *share, size_t first, size_t count)
{
    const struct mw_between_job *job = share->of;
    const struct items *s = share->state;
    struct mw_arc_view out, in;
    TRY_RETURN(betweenness_items_begin(share, first, &out, &in));
    TRY_RETURN(launch_betweenness_queue(share->set, mw_parts(share->set, s->items), share->sources,
                                        (uint32_t)(first + count), s->next, MW_ARCS(&out), in.offsets, in.heads,
                                        s->own[FIRST], s->own[SECOND], s->own[PATHS], s->own[THROUGH], s->own[SUMS],
                                        share->too_many, (int32_t)job->graph->vertices, job->bits, (int32_t)s->items));
    return mw_device_finish(share->on.device);
}

static int run_vectors(struct mw_between_share *share, size_t first, size_t count)
{
    const struct mw_between_job *job = share->of;
    const struct items *s = share->state;
    struct mw_arc_view out, in;
    TRY_RETURN(betweenness_items_begin(share, first, &out, &in));
    TRY_RETURN(launch_betweenness_vectors(share->set, mw_parts(share->set, s->items), share->sources,
                                          (uint32_t)(first + count), s->next, MW_ARCS(&out), in.offsets, in.heads,
                                          s->own[FIRST], s->own[SECOND], s->own[PATHS], s->own[THROUGH], s->own[SUMS],
                                          share->too_many, (int32_t)job->graph->vertices, job->bits,
                                          (int32_t)s->items));
    return mw_device_finish(share->on.device);
}

static int run_weighted(struct mw_between_share *share, size_t first, size_t count)
{
    const struct mw_between_job *job = share->of;
    const struct items *s = share->state;
    struct mw_arc_view out, in;
    int32_t shift = 0;
    while (job->least >> shift > 1)
        shift++;
    TRY_RETURN(betweenness_items_begin(share, first, &out, &in));
    TRY_RETURN(launch_betweenness_weighted(share->set, mw_parts(share->set, s->items), share->sources,
                                           (uint32_t)(first + count), s->next, MW_ARCS(&out), out.weights, in.offsets,
                                           in.heads, in.weights, s->own[FIRST], s->own[SECOND], s->own[PATHS],
                                           s->own[THROUGH], s->own[SUMS], share->too_many,
                                           (int32_t)job->graph->vertices, job->bits, shift, (int32_t)s->items));
    return mw_device_finish(share->on.device);
}

static int betweenness_items_finish(struct mw_between_share *share)
{
    const struct items *s = share->state;
    const size_t n = share->of->graph->vertices;
    uint64_t *of_item;
    int rc;
    TRY(mw_new(n, sizeof *of_item, &of_item));
    for (size_t i = 0; i < s->items; i++) {
        TRY(mw_buffer_read(s->own[SUMS], i * n * sizeof *of_item, n * sizeof *of_item, of_item, NULL));
        for (size_t v = 0; v < n; v++)
            share->sums[v] += of_item[v];
    }
out:
    free(of_item);
    return rc;
}

const struct mw_between_variant mw_between_queue = { .cores = true,
                                                     .list = &kernels_graph_measures_betweenness,
                                                     .native = mw_native_graph_betweenness,
                                                     .kernels = UINT64_C(1) << KERNEL_BETWEENNESS_QUEUE,
                                                     .make = make_queue,
                                                     .run = run_queue,
                                                     .finish = betweenness_items_finish };
const struct mw_between_variant mw_between_weighted = { .cores = true,
                                                        .list = &kernels_graph_measures_betweenness,
                                                        .native = mw_native_graph_betweenness,
                                                        .kernels = UINT64_C(1) << KERNEL_BETWEENNESS_WEIGHTED,
                                                        .make = make_weighted,
                                                        .run = run_weighted,
                                                        .finish = betweenness_items_finish };
const struct mw_between_variant mw_between_vectors = { .cores = true,
                                                       .list = &kernels_graph_measures_betweenness_vectors,
                                                       .native = mw_native_graph_betweenness_vectors,
                                                       .make = make_vectors,
                                                       .run = run_vectors,
                                                       .finish = betweenness_items_finish };
/* SPDX-License-Identifier: MIT */
