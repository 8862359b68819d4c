/* Triangles of graphs that a device does not hold.  Lists are made by the threads of this machine and stay in its
 * memory.  A block of vertices whose triangles are counted is sent, with its lists and marks, and while it is there the
 * lists of all vertices, a block after the other. */
#include <stdlib.h>

#include "graph/triangles/counter.h"
#include "kernels/graph/triangles/oriented.h"
#include "kernels/native.h"

enum { OUT, IN, KINDS };
enum { FROM, MARKED, BY, SIDES };

/* Lists in the host's memory. */
struct host_lists { uint64_t *spans; uint32_t *heads, *found; };

struct mw_triangle_blocks {
    size_t kinds;
    struct host_lists lists[KINDS];
    bool wide;                   /* spans on the device have 64 bits */
    uint64_t slot_arcs;
    size_t slot_vertices;
    struct mw_triangle_lists slot[SIDES];    /* on the device; what the slots have room for stays in their buffers */
    struct mw_buffer *found[SIDES];
    uint32_t *staged;            /* heads, tails, counts */
    uint64_t *staged_spans;
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---- lists on the host ---- */

static int make_host_lists(struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_graph *const graphs[KINDS] = { job->graph, job->reversed };
    const size_t n = job->graph->vertices, arcs = (size_t)job->graph->arcs;
    struct mw_device *native = NULL;
    struct mw_kernel_set *set = NULL;
    struct mw_buffer *degrees = NULL;
    struct mw_arc_view view[KINDS];
    struct mw_arc_blocks all[KINDS] = { { 0 } };
    int64_t each;
    int rc;
    TRY(mw_device_open_by_name("native", NULL, &native));
    const struct mw_arc_worker on = { native, true, &mw_arc_limits_usual };
    TRY(mw_arc_set_new(&on, &kernels_graph_triangles_oriented, &(struct mw_kernel_options){
                       .native = mw_native_graph_triangles, .defines = "#define EACH 0\n" }, &set));
    TRY(mw_buffer_new(native, n * sizeof(uint32_t), &degrees));
    for (size_t k = 0; k < b->kinds; k++) {
        TRY(mw_arc_blocks_make(&on, graphs[k], 0, arcs, 0, 0, 0, &all[k]));
        TRY(mw_arc_block_take(&all[k], 0, &view[k]));
    }
    const struct mw_range range = mw_arc_range(&on, set, n, &each);
    TRY(launch_triangles_degrees(set, range, view[0].offsets, view[b->kinds - 1].offsets, degrees, (int64_t)n, each));
    for (size_t k = 0; k < b->kinds; k++) {
        struct host_lists *l = &b->lists[k];
        TRY(mw_new(arcs, sizeof *l->heads, &l->heads));
        TRY(mw_new(n, TRIANGLES_SPAN * sizeof *l->spans, &l->spans));
        struct mw_buffer heads = mw_buffer_borrow(native, l->heads, arcs * sizeof *l->heads);
        struct mw_buffer spans = mw_buffer_borrow(native, l->spans, n * TRIANGLES_SPAN * sizeof *l->spans);
        TRY(launch_triangles_orient(set, range, view[k].offsets, view[k].heads, degrees, &heads, &spans, (int64_t)n,
                                    each));
        if (job->options.by_arc)
            TRY(mw_new(arcs, sizeof *l->found, &l->found));
    }
out:
    for (size_t k = 0; k < KINDS; k++)
        mw_arc_blocks_drop(&all[k]);
    mw_buffer_free(degrees);
    mw_kernel_set_free(set);
    mw_device_close(native);
    return rc;
}

/* ---- room on the device ---- */

static uint64_t longest_list(const struct mw_triangle_share *share, const struct mw_triangle_blocks *b)
{
    uint64_t longest = 1;
    for (size_t k = 0; k < b->kinds; k++)
        for (size_t v = 0; v < share->of->graph->vertices; v++)
            longest = most(longest, b->lists[k].spans[2 * v + 1] - b->lists[k].spans[2 * v]);
    return longest;
}

/* Heads of a slot: as many as the caller wants, or as memory has room for, with a span for each of them. */
static int choose_slots(struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_device_info *info = mw_device_info(share->on.device);
    const uint64_t memory = info->memory_bytes ? info->memory_bytes : UINT64_MAX;
    const uint64_t left = memory > share->on.device->allocated ? memory - share->on.device->allocated : 0;
    const uint64_t largest = info->max_alloc_bytes ? info->max_alloc_bytes : UINT64_MAX;
    const uint64_t longest = longest_list(share, b), span = mw_triangle_span_bytes(&share->on, 1);
    const uint64_t each = SIDES * (3 * sizeof(uint32_t) + span);
    const uint64_t fit = least(least(left / 2 / each, largest / span), job->graph->arcs);
    const uint64_t wanted = job->options.block_arcs ? job->options.block_arcs / 2
                                                    : share->on.limits->block_most / 2;
    if (fit < longest)
        return mw_fail(MW_ELIMIT, "%s: no memory left for the arcs of one vertex: close what else uses the device",
                       info->id);
    b->slot_arcs = most(least(wanted, fit), longest);
    b->slot_vertices = (size_t)b->slot_arcs;
    return 0;
}

static int make_slots(struct mw_triangle_share *share, struct mw_triangle_blocks *b)
{
    struct mw_device *const device = share->on.device;
    const size_t bytes = (size_t)b->slot_arcs * sizeof(uint32_t);
    int rc = 0;
    for (size_t s = 0; s < SIDES; s++) {
        TRY(mw_buffer_new(device, bytes, &b->slot[s].heads));
        TRY(mw_buffer_new(device, mw_triangle_span_bytes(&share->on, b->slot_vertices), &b->slot[s].spans));
        TRY(mw_buffer_new(device, share->of->options.by_arc ? bytes : sizeof(uint32_t), &b->found[s]));
    }
    if (!share->on.cores)
        TRY(mw_buffer_new(device, bytes, &b->slot[FROM].tails));
    TRY(mw_new((size_t)b->slot_arcs, sizeof *b->staged, &b->staged));
    TRY(mw_new(b->slot_vertices, TRIANGLES_SPAN * sizeof *b->staged_spans, &b->staged_spans));
out:
    return rc;
}

int mw_triangle_blocks_make(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_blocks **blocks)
{
    struct mw_triangle_blocks *b;
    int rc;
    (void)counter;
    TRY(mw_new(1, sizeof *b, &b));
    *blocks = b;
    b->kinds = share->of->graph->directed ? KINDS : 1;
    b->wide = mw_device_info(share->on.device)->kind == MW_DEVICE_NATIVE;
    TRY(make_host_lists(share, b));
    TRY(choose_slots(share, b));
    TRY(make_slots(share, b));
    mw_log(MW_LOG_INFO, "%s: triangles are counted in blocks of %llu arcs", mw_device_info(share->on.device)->id,
           (unsigned long long)b->slot_arcs);
out:
    return rc;
}

void mw_triangle_blocks_free(struct mw_triangle_blocks *b)
{
    if (!b)
        return;
    for (size_t k = 0; k < KINDS; k++) {
        free(b->lists[k].spans);
        free(b->lists[k].heads);
        free(b->lists[k].found);
    }
    for (size_t s = 0; s < SIDES; s++) {
        mw_triangle_lists_drop(&b->slot[s]);
        mw_buffer_free(b->found[s]);
    }
    free(b->staged);
    free(b->staged_spans);
    free(b);
}

/* ---- sending ---- */

/* How many vertices from `first` on a slot takes, of several lists at once. */
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

/* Copies lists one behind the other, and where they are then; `tails`: each head's. */
static uint64_t stage(const struct mw_triangle_blocks *b, const struct host_lists *l, size_t first, size_t count,
                      bool tails)
{
    uint32_t *narrow = (uint32_t *)b->staged_spans;
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t begin = at;
        for (uint64_t from = l->spans[2 * (first + i)]; from < l->spans[2 * (first + i) + 1]; from++)
            b->staged[at++] = tails ? (uint32_t)(first + i) : l->heads[from];
        if (b->wide) {
            b->staged_spans[2 * i] = begin;
            b->staged_spans[2 * i + 1] = at;
        } else {
            narrow[2 * i] = (uint32_t)begin;
            narrow[2 * i + 1] = (uint32_t)at;
        }
    }
    return at;
}

static int send(const struct mw_triangle_share *share, struct mw_triangle_blocks *b, size_t side, size_t kind,
                size_t first, size_t count)
{
    struct mw_triangle_lists *slot = &b->slot[side];
    int rc;
    slot->first = first;
    slot->count = count;
    slot->arcs = stage(b, &b->lists[kind], first, count, false);
    if (slot->arcs > 0)
        TRY(mw_buffer_write(slot->heads, 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    TRY(mw_buffer_write(slot->spans, 0, mw_triangle_span_bytes(&share->on, count), b->staged_spans, NULL));
    if (slot->tails && slot->arcs > 0) {
        stage(b, &b->lists[kind], first, count, true);
        TRY(mw_buffer_write(slot->tails, 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    }
    TRY(mw_buffer_fill(b->found[side], 0, mw_buffer_bytes(b->found[side]), 0));
out:
    return rc;
}

/* What was counted for a slot's arcs. */
static int fetch(const struct mw_triangle_share *share, struct mw_triangle_blocks *b, size_t side, size_t kind)
{
    const struct mw_triangle_lists *slot = &b->slot[side];
    const struct host_lists *l = &b->lists[kind];
    size_t at = 0;
    int rc = 0;
    if (!share->of->options.by_arc || slot->arcs == 0)
        goto out;
    TRY(mw_buffer_read(b->found[side], 0, (size_t)slot->arcs * sizeof *b->staged, b->staged, NULL));
    for (size_t v = slot->first; v < slot->first + slot->count; v++)
        for (uint64_t to = l->spans[2 * v]; to < l->spans[2 * v + 1]; to++)
            l->found[to] += b->staged[at++];
out:
    return rc;
}

/* ---- counting ---- */

/* A block of vertices, by way of all. */
static int count_block(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                       struct mw_triangle_blocks *b, size_t kind, size_t first, size_t count)
{
    const size_t n = share->of->graph->vertices, other = b->kinds - 1 - kind;
    size_t some;
    int rc;
    TRY(send(share, b, FROM, kind, first, count));
    TRY(send(share, b, MARKED, other, first, count));
    for (size_t v = 0; v < n; v += some) {
        some = count_fitting(b, 1, &kind, v, n);
        TRY(send(share, b, BY, kind, v, some));
        TRY(mw_triangle_count(share, counter, (struct mw_triangle_side){ &b->slot[FROM], b->found[FROM] },
                              (struct mw_triangle_side){ &b->slot[MARKED], b->found[MARKED] },
                              (struct mw_triangle_side){ &b->slot[BY], b->found[BY] }, first, first + count));
        TRY(fetch(share, b, BY, kind));
    }
    TRY(fetch(share, b, FROM, kind));
    TRY(fetch(share, b, MARKED, other));
out:
    return rc;
}

int mw_triangle_blocks_run(struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                           struct mw_triangle_blocks *b, size_t first, size_t count)
{
    static const size_t both[KINDS] = { OUT, IN };
    int rc = 0;
    for (size_t v = first, some; v < first + count; v += some) {
        some = count_fitting(b, b->kinds, both, v, first + count);
        for (size_t kind = 0; kind < b->kinds; kind++)
            TRY(count_block(share, counter, b, kind, v, some));
    }
out:
    return rc;
}

int mw_triangle_blocks_tell(struct mw_triangle_share *share, const struct mw_triangle_blocks *b)
{
    for (size_t k = 0; k < b->kinds; k++)
        mw_triangle_tell_arcs(share->of, b->lists[k].spans, b->lists[k].heads, b->lists[k].found, k == IN);
    return 0;
}
