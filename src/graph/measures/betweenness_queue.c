/* Variant queue of betweenness: an item for each core, with memory of its own, takes one source after the other. */
#include <stdlib.h>

#include "graph/measures/betweenness.h"
#include "kernels/graph/measures/betweenness.h"

enum { SOURCES_PER_ITEM = 64 };  /* of a run, so that several devices have enough to take in turns */

struct queue {
    size_t items;
    struct mw_buffer *distances, *queues, *paths, *shares, *sums, *next;
};

static int make(struct mw_between_share *share)
{
    struct mw_device *device = share->on.device;
    const size_t n = share->of->graph->vertices, sources = share->of->options.source_count;
    const size_t units = mw_device_info(device)->compute_units ? mw_device_info(device)->compute_units : 1;
    const size_t each = 2 * sizeof(int32_t) + 2 * MW_NUMBER_BYTES + sizeof(uint64_t);
    const uint64_t fit = mw_between_budget(share) / (each * n);
    struct queue *q;
    int rc;
    TRY(mw_new(1, sizeof *q, &q));
    share->state = q;
    q->items = units < sources ? units : sources;
    q->items = q->items < fit ? q->items : (size_t)fit;
    if (q->items == 0)
        return mw_fail(MW_ELIMIT, "%s: a search of %zu vertices needs %.3g GB there: give it more memory, or take "
                       "another device", mw_device_info(device)->id, n, (double)(each * n) / 1e9);
    share->at_once = q->items * SOURCES_PER_ITEM;
    TRY(mw_buffer_new(device, q->items * n * sizeof(int32_t), &q->distances));
    TRY(mw_buffer_new(device, q->items * n * sizeof(uint32_t), &q->queues));
    TRY(mw_buffer_new(device, q->items * n * MW_NUMBER_BYTES, &q->paths));
    TRY(mw_buffer_new(device, q->items * n * MW_NUMBER_BYTES, &q->shares));
    TRY(mw_buffer_new(device, q->items * n * sizeof(uint64_t), &q->sums));
    TRY(mw_buffer_new(device, sizeof(uint32_t), &q->next));
    TRY(mw_buffer_fill(q->distances, 0, q->items * n * sizeof(int32_t), 0xff));
    TRY(mw_buffer_fill(q->sums, 0, q->items * n * sizeof(uint64_t), 0));
out:
    return rc;
}

static int run(struct mw_between_share *share, size_t first, size_t count)
{
    const struct mw_between_job *job = share->of;
    const struct queue *q = share->state;
    const uint32_t next = (uint32_t)first;
    struct mw_arc_view out, in;
    int rc;
    if (share->out.count > 1 || share->out.sent)
        return mw_fail(MW_ENOTSUP, "%s: variant queue is for graphs that the device holds at once: use lanes",
                       mw_device_info(share->on.device)->id);
    TRY(mw_arc_block_take(&share->out, 0, &out));
    TRY(mw_arc_block_take(mw_between_in(share), 0, &in));
    TRY(mw_buffer_write(q->next, 0, sizeof next, &next, NULL));
    TRY(launch_betweenness_queue(share->set, mw_parts(share->set, q->items), share->sources, (uint32_t)(first + count),
                                 q->next, MW_ARCS(&out), in.offsets, in.heads, q->distances, q->queues, q->paths,
                                 q->shares, q->sums, share->too_many, (int32_t)job->graph->vertices, job->bits,
                                 (int32_t)q->items));
    TRY(mw_device_finish(share->on.device));
out:
    return rc;
}

static int finish(struct mw_between_share *share)
{
    const struct queue *q = share->state;
    const size_t n = share->of->graph->vertices;
    uint64_t *of_item;
    int rc;
    TRY(mw_new(n, sizeof *of_item, &of_item));
    for (size_t i = 0; i < q->items; i++) {
        TRY(mw_buffer_read(q->sums, i * n * sizeof *of_item, n * sizeof *of_item, of_item, NULL));
        for (size_t v = 0; v < n; v++)
            share->sums[v] += of_item[v];
    }
out:
    free(of_item);
    return rc;
}

static void drop(struct mw_between_share *share)
{
    struct queue *q = share->state;
    if (!q)
        return;
    mw_buffer_free(q->distances);
    mw_buffer_free(q->queues);
    mw_buffer_free(q->paths);
    mw_buffer_free(q->shares);
    mw_buffer_free(q->sums);
    mw_buffer_free(q->next);
    free(q);
    share->state = NULL;
}

const struct mw_between_variant mw_between_queue = {
    true, UINT64_C(1) << KERNEL_BETWEENNESS_QUEUE, make, run, finish, drop };
