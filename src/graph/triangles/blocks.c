/* Triangles of graphs larger than a device's memory. Lists are made and kept on the host. For each block of vertices
 * whose triangles are counted, its lists and marks are sent, then the lists of all vertices, block by block. */
#include <stdlib.h>

#include "graph/triangles/counter.h"

enum { OUT, IN, KINDS };
enum { FROM, MARKED, BY, SIDES };

/* Lists in host memory. */
struct host_lists {
    uint64_t *spans;
    uint32_t *heads, *found;
};

struct mw_triangle_blocks {
    size_t kinds;
    struct host_lists lists[KINDS];
    uint64_t slot_arcs;
    size_t slot_vertices;
    struct mw_triangle_lists slot[SIDES]; /* on the device; buffers have the size of the slots */
    struct mw_buffer *found[SIDES];
    uint32_t *staged; /* heads, tails or counts */
    uint32_t *staged_spans;
};

/* ---- lists on the host ---- */

static uint64_t rank_of(const struct mw_triangle_job *job, size_t v)
{
    const uint64_t *out = job->graph->offsets, *in = job->reversed->offsets;
    return out[v + 1] - out[v] + in[v + 1] - in[v];
}

/* As kernel triangles_orient. */
static void orient(const struct mw_triangle_job *job, const struct mw_graph *graph, struct host_lists *l)
{
    uint64_t to = 0;
    for (size_t u = 0; u < graph->vertices; u++) {
        const uint64_t rank = rank_of(job, u);
        l->spans[2 * u] = to;
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            const uint64_t other = rank_of(job, graph->heads[i]);
            if (other != rank ? other > rank : graph->heads[i] > u)
                l->heads[to++] = graph->heads[i];
        }
        l->spans[2 * u + 1] = to;
    }
}

static int make_host_lists(const struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_graph *const graphs[KINDS] = { job->graph, job->reversed };
    const size_t arcs = (size_t)job->graph->arcs;
    for (size_t k = 0; k < b->kinds; k++) {
        struct host_lists *l = &b->lists[k];
        TRY_RETURN(mw_arc_new(&share->on, arcs, sizeof *l->heads, &l->heads));
        TRY_RETURN(mw_arc_new(&share->on, job->graph->vertices, TRIANGLES_SPAN * sizeof *l->spans, &l->spans));
        if (job->options.by_arc)
            TRY_RETURN(mw_arc_new(&share->on, arcs, sizeof *l->found, &l->found));
        orient(job, graphs[k], l);
    }
    return 0;
}

/* ---- slots on the device ---- */

static uint64_t longest_list(const struct mw_triangle_share *share, const struct mw_triangle_blocks *b)
{
    uint64_t longest = 1;
    for (size_t k = 0; k < b->kinds; k++)
        for (size_t v = 0; v < share->of->graph->vertices; v++)
            longest = mw_max(longest, b->lists[k].spans[2 * v + 1] - b->lists[k].spans[2 * v]);
    return longest;
}

/* Chooses the number of heads of a slot: as many as the caller wants, or as fit into memory with one span each. */
static int choose_slots(struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const uint64_t memory = info->memory_bytes ? info->memory_bytes : UINT64_MAX;
    const uint64_t left = memory > share->on.device->allocated ? memory - share->on.device->allocated : 0;
    const uint64_t largest = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    const uint64_t longest = longest_list(share, b), span = mw_triangle_span_bytes(1);
    const uint64_t each = SIDES * (3 * sizeof(uint32_t) + span);
    const uint64_t fit = mw_min(mw_min(left / 2 / each, largest / span), job->graph->arcs);
    const uint64_t wanted = job->options.block_arcs ? job->options.block_arcs / 2 : share->on.limits->block_most / 2;
    if (fit < longest)
        return mw_fail(MW_ELIMIT, "%s: no device memory left for the arcs of one vertex: free memory on the device",
                       info->id);
    b->slot_arcs = mw_max(mw_min(wanted, fit), longest);
    b->slot_vertices = (size_t)b->slot_arcs;
    return 0;
}

static int make_slots(struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    const struct mw_arc_worker *on = &share->on;
    const size_t bytes = (size_t)b->slot_arcs * sizeof(uint32_t);
    const size_t with_beyond = mw_triangle_head_bytes((size_t)b->slot_arcs);
    for (size_t s = 0; s < SIDES; s++) {
        TRY_RETURN(mw_arc_zeros(on, with_beyond, &b->slot[s].heads));
        TRY_RETURN(mw_arc_buffer(on, mw_triangle_span_bytes(b->slot_vertices), &b->slot[s].spans));
        TRY_RETURN(mw_arc_buffer(on, share->of->options.by_arc ? bytes : sizeof(uint32_t), &b->found[s]));
    }
    if (!share->on.cores)
        TRY_RETURN(mw_arc_buffer(on, bytes, &b->slot[FROM].tails));
    TRY_RETURN(mw_arc_new(on, (size_t)b->slot_arcs, sizeof *b->staged, &b->staged));
    return mw_arc_new(on, b->slot_vertices, TRIANGLES_SPAN * sizeof *b->staged_spans, &b->staged_spans);
}

int mw_triangle_blocks_make(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_blocks **blocks)
{
    struct mw_triangle_blocks *b;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *b, &b));
    *blocks = b;
    b->kinds = share->of->graph->directed ? KINDS : 1;
    TRY_RETURN(make_host_lists(share, b));
    TRY_RETURN(choose_slots(share, b));
    TRY_RETURN(make_slots(share, b));
    mw_log(MW_LOG_INFO, "%s: triangles are counted in blocks of %llu arcs", mw_device_info(share->on.device)->id,
           (unsigned long long)b->slot_arcs);
    return 0;
}

/* ---- transfers ---- */

/* Returns how many vertices from `first` on fit into a slot, for several kinds of lists at once. */
static size_t count_fitting(const struct mw_triangle_blocks *b, size_t kinds, const size_t *kind, size_t first,
                            size_t end)
{
    uint64_t arcs[KINDS] = { 0 };
    size_t v = first;
    for (; v < end && v - first < b->slot_vertices; v++)
        for (size_t k = 0; k < kinds; k++) {
            const uint64_t *span = b->lists[kind[k]].spans + 2 * v;
            arcs[k] += span[1] - span[0];
            if (arcs[k] > b->slot_arcs)
                return v - first;
        }
    return v - first;
}

/* Copies lists contiguously, and their spans; `tails`: copies each head's tail instead. */
static uint64_t stage(const struct mw_triangle_blocks *b, const struct host_lists *l, size_t first, size_t count,
                      bool tails)
{
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++) {
        b->staged_spans[2 * i] = at;
        for (uint64_t from = l->spans[2 * (first + i)]; from < l->spans[2 * (first + i) + 1]; from++)
            b->staged[at++] = tails ? (uint32_t)(first + i) : l->heads[from];
        b->staged_spans[2 * i + 1] = at;
    }
    return at;
}

static int send(struct mw_triangle_blocks *b, size_t side, size_t kind, size_t first, size_t count)
{
    struct mw_triangle_lists *slot = &b->slot[side];
    slot->first = first;
    slot->count = count;
    slot->arcs = stage(b, &b->lists[kind], first, count, false);
    if (slot->arcs > 0)
        TRY_RETURN(mw_buffer_write(slot->heads, 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    TRY_RETURN(mw_buffer_write(slot->spans, 0, mw_triangle_span_bytes(count), b->staged_spans, NULL));
    if (slot->tails && slot->arcs > 0) {
        stage(b, &b->lists[kind], first, count, true);
        TRY_RETURN(mw_buffer_write(slot->tails, 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    }
    return mw_buffer_fill(b->found[side], 0, mw_buffer_bytes(b->found[side]), 0);
}

/* Adds the counts of a slot's arcs to the host's counts. */
static int fetch(const struct mw_triangle_share *share, struct mw_triangle_blocks *b, size_t side, size_t kind)
{
    const struct mw_triangle_lists *slot = &b->slot[side];
    const struct host_lists *l = &b->lists[kind];
    size_t at = 0;
    if (!share->of->options.by_arc || slot->arcs == 0)
        return 0;
    TRY_RETURN(mw_buffer_read(b->found[side], 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    for (size_t v = slot->first; v < slot->first + slot->count; v++)
        for (uint64_t to = l->spans[2 * v]; to < l->spans[2 * v + 1]; to++)
            l->found[to] += b->staged[at++];
    return 0;
}

/* ---- counting ---- */

/* Counts the triangles of a block of vertices, with the lists of all vertices. */
static int count_block(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                       struct mw_triangle_blocks *b, size_t kind, size_t first, size_t count)
{
    const size_t n = share->of->graph->vertices, other = b->kinds - 1 - kind;
    size_t some;
    TRY_RETURN(send(b, FROM, kind, first, count));
    TRY_RETURN(send(b, MARKED, other, first, count));
    for (size_t v = 0; v < n; v += some) {
        some = count_fitting(b, 1, &kind, v, n);
        TRY_RETURN(send(b, BY, kind, v, some));
        TRY_RETURN(mw_triangle_count(share, counter, (struct mw_triangle_side){ &b->slot[FROM], b->found[FROM] },
                                     (struct mw_triangle_side){ &b->slot[MARKED], b->found[MARKED] },
                                     (struct mw_triangle_side){ &b->slot[BY], b->found[BY] },
                                     (struct mw_triangle_range){ first, first + count, 0, TRIANGLES_PARTS }));
        TRY_RETURN(fetch(share, b, BY, kind));
    }
    TRY_RETURN(fetch(share, b, FROM, kind));
    return fetch(share, b, MARKED, other);
}

int mw_triangle_blocks_run(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                           struct mw_triangle_blocks *b, size_t first, size_t count)
{
    static const size_t both[KINDS] = { OUT, IN };
    for (size_t v = first, some; v < first + count; v += some) {
        some = count_fitting(b, b->kinds, both, v, first + count);
        for (size_t kind = 0; kind < b->kinds; kind++)
            TRY_RETURN(count_block(share, counter, b, kind, v, some));
    }
    return 0;
}

void mw_triangle_blocks_report(struct mw_triangle_share *share, const struct mw_triangle_blocks *b)
{
    for (size_t k = 0; k < b->kinds; k++)
        for (size_t u = 0; u < share->of->graph->vertices; u++) {
            const struct host_lists *l = &b->lists[k];
            const uint64_t begin = l->spans[2 * u], end = l->spans[2 * u + 1];
            mw_triangle_give_arcs(share->of, u, l->heads + begin, l->found + begin, (size_t)(end - begin), k == IN);
        }
}
/* SPDX-License-Identifier: MIT */
