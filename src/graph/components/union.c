/* Components by union-find: Afforest, ECL-CC, and the merging of several devices' labels.
 *
 * Each edge of an undirected graph is there as two arcs.  One is enough, so that either
 *   - all of a vertex's arcs to smaller ones are followed, and the others not, or
 *   - no arcs of the vertices in one component are followed, and all of the others: an edge between a vertex inside and
 *     one outside is told by the latter.  That one component has to be the same on all devices, or at least have one
 *     vertex in common, since they are merged: it is named by a vertex that the first device finds by sampling.
 * Directed graphs have one arc for each edge, and all are followed. */
#include "graph/components/components_internal.h"

#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "graph/components/components.clh"

enum { START, FIRST, SECOND, BOTH, SAMPLE, MERGE, REST, COMPRESS, PIECES };
static const char *const core_kernels[] = {
    [START] = "graph_start", [FIRST] = "graph_link_first", [SECOND] = "graph_link_second", [BOTH] = "graph_link_both",
    [SAMPLE] = "graph_sample_roots", [MERGE] = "graph_merge", [REST] = "graph_link_rest",
    [COMPRESS] = "graph_compress", NULL
};
static const char *const group_kernels[] = {
    [START] = "graph_start", [FIRST] = "graph_link_first", [SECOND] = "graph_link_second", [BOTH] = "graph_link_both",
    [SAMPLE] = "graph_sample_roots", [MERGE] = "graph_merge", [REST] = "graph_link_rest",
    [COMPRESS] = "graph_flatten", [PIECES] = "graph_link_pieces", NULL
};

enum { SAMPLES = GRAPH_SAMPLES };
enum { ROUNDS_MAX = 4 };         /* of graph_flatten: GRAPH_JUMPS^4 is more than the vertices of any graph */
enum { NO_GIANT = -1 };
enum { ECL_TRIES = 64 };         /* how many neighbours are asked for the first smaller one, at most */

/* In the form for groups: vertices with more arcs than `above` have them in pieces, of `arcs` for `width` items. */
static const struct { uint64_t above, arcs; uint32_t width; } classes[] = {
    { GRAPH_LIGHT, 512, 16 }, { 512, 4096, 256 },
};
enum { CLASSES = MW_COUNT(classes), PIECE_WORDS = 3 };

struct mw_graph_union {
    struct mw_component_program program;
    struct mw_buffer *other;     /* second neighbours, or another device's labels */
    struct mw_buffer *unfinished, *changed;
};

/* Of a block and class. */
struct pieces { uint32_t *words; size_t count; struct mw_buffer *buffer; };

/* A variant's state. */
struct hooking {
    struct mw_arc_blocks blocks;
    int32_t tries;
    bool samples;
    struct mw_buffer *sampled;
    struct pieces *pieces;       /* CLASSES a block; NULL in the form for cores */
    struct mw_buffer *sent_pieces; /* where blocks are sent */
    int32_t giant, smaller;      /* of a run; the first share's are all shares' */
};

/* ---- programs and buffers ---- */

int mw_graph_union_make(struct mw_component_share *share)
{
    struct mw_graph_union *u;
    int rc;
    TRY(mw_new(1, sizeof *u, &u));
    share->joins = u;
    TRY(mw_component_build(share, "graph/components/components.cl", share->cores ? core_kernels : group_kernels,
                           mw_native_graph_components, &u->program));
    TRY(mw_buffer_new(share->device, share->of->graph.vertices * sizeof(int32_t), &u->other));
    TRY(mw_buffer_new(share->device, sizeof(int32_t), &u->unfinished));
    TRY(mw_buffer_new(share->device, (ROUNDS_MAX + 1) * sizeof(int32_t), &u->changed));
out:
    return rc;
}

void mw_graph_union_drop(struct mw_component_share *share)
{
    struct mw_graph_union *u = share->joins;
    if (!u)
        return;
    mw_component_program_drop(&u->program);
    mw_buffer_free(u->other);
    mw_buffer_free(u->unfinished);
    mw_buffer_free(u->changed);
    free(u);
    share->joins = NULL;
}

/* ---- passes over all vertices ---- */

static size_t vertices_of(const struct mw_component_share *share) { return share->of->graph.vertices; }

/* Each vertex under its root. */
static int compress(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->joins;
    const size_t n = vertices_of(share);
    struct mw_arg args[] = { mw_arg_buffer(share->labels), mw_arg_i32((int32_t)n), mw_arg_buffer(u->changed),
                             mw_arg_i32(0) };
    int rc;
    if (share->cores)
        return mw_component_launch(share, &u->program, COMPRESS, n, args, 2);
    TRY(mw_buffer_fill(u->changed, 0, (ROUNDS_MAX + 1) * sizeof(int32_t), 0));
    TRY(mw_buffer_fill(u->changed, 0, 1, 1));
    uint64_t reach = GRAPH_JUMPS;
    for (int32_t r = 0; r < ROUNDS_MAX; r++, reach *= GRAPH_JUMPS) {
        args[3] = mw_arg_i32(r);
        TRY(mw_component_launch(share, &u->program, COMPRESS, n, args, MW_COUNT(args)));
        if (reach > n)
            break;
    }
out:
    return rc;
}

static int start_over(struct mw_component_share *share)
{
    const struct mw_arg args[] = { mw_arg_buffer(share->labels), mw_arg_i32((int32_t)vertices_of(share)) };
    return mw_component_launch(share, &share->joins->program, START, vertices_of(share), args, MW_COUNT(args));
}

/* Whether an item gave up; waits.  On cores none does. */
static int is_unfinished(struct mw_component_share *share, bool *unfinished)
{
    int32_t flag = 0;
    int rc;
    if (share->cores)
        TRY(mw_device_finish(share->device));
    else
        TRY(mw_buffer_read(share->joins->unfinished, 0, sizeof flag, &flag, NULL));
    *unfinished = flag != 0;
out:
    return rc;
}

int mw_graph_union_merge(struct mw_component_share *share, const int32_t *labels)
{
    const struct mw_graph_union *u = share->joins;
    const size_t n = vertices_of(share);
    const struct mw_arg args[] = { mw_arg_buffer(share->labels), mw_arg_buffer(u->other), mw_arg_i32((int32_t)n),
                                   mw_arg_buffer(u->unfinished) };
    bool again;
    int rc;
    TRY(mw_buffer_write(u->other, 0, n * sizeof *labels, labels, NULL));
    do {
        TRY(mw_buffer_fill(u->unfinished, 0, sizeof(int32_t), 0));
        TRY(mw_component_launch(share, &u->program, MERGE, n, args, MW_COUNT(args)));
        TRY(compress(share));
        TRY(is_unfinished(share, &again));
    } while (again);
out:
    return rc;
}

/* ---- pieces of vertices with many arcs ---- */

static size_t cut_vertex(uint32_t vertex, uint64_t begin, uint64_t end, uint64_t arcs, uint32_t *to)
{
    size_t count = 0;
    for (; begin < end; begin += arcs, count++) {
        if (!to)
            continue;
        *to++ = vertex;
        *to++ = (uint32_t)begin;
        *to++ = (uint32_t)(end - begin < arcs ? end : begin + arcs);
    }
    return count;
}

/* The pieces of all vertices of a class; NULL: only their number. */
static size_t cut_block(const struct mw_graph *graph, const struct mw_arc_block *block, size_t class, uint32_t *to)
{
    const uint64_t above = classes[class].above,
                   most = class + 1 < CLASSES ? classes[class + 1].above : UINT64_MAX;
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        uint64_t begin = graph->offsets[block->first + i], end = graph->offsets[block->first + i + 1];
        begin = begin > block->low ? begin : block->low;
        end = end < block->high ? end : block->high;
        if (begin < end && end - begin > above && end - begin <= most)
            count += cut_vertex((uint32_t)(block->first + i), begin - block->low, end - block->low,
                                classes[class].arcs, to ? to + count * PIECE_WORDS : NULL);
    }
    return count;
}

static int make_pieces(struct mw_component_share *share, struct hooking *h)
{
    size_t largest = 0;
    int rc;
    TRY(mw_new(h->blocks.count * CLASSES, sizeof *h->pieces, &h->pieces));
    for (size_t b = 0; b < h->blocks.count * CLASSES; b++) {
        const struct mw_arc_block *block = &h->blocks.block[b / CLASSES];
        struct pieces *p = &h->pieces[b];
        p->count = cut_block(&share->of->graph, block, b % CLASSES, NULL);
        largest = p->count > largest ? p->count : largest;
        TRY(mw_new(p->count * PIECE_WORDS, sizeof *p->words, &p->words));
        cut_block(&share->of->graph, block, b % CLASSES, p->words);
        if (h->blocks.sent || p->count == 0)
            continue;
        TRY(mw_buffer_new(share->device, p->count * PIECE_WORDS * sizeof *p->words, &p->buffer));
        TRY(mw_buffer_write(p->buffer, 0, p->count * PIECE_WORDS * sizeof *p->words, p->words, NULL));
        free(p->words);
        p->words = NULL;
    }
    if (h->blocks.sent)
        TRY(mw_buffer_new(share->device, largest * PIECE_WORDS * sizeof(uint32_t), &h->sent_pieces));
out:
    return rc;
}

/* ---- the life of a variant's state ---- */

static int make(struct mw_component_share *share, int32_t tries, bool samples)
{
    /* At most, since vertices with fewer arcs have none. */
    const size_t arcs = (size_t)(share->high - share->low);
    const size_t piece_bytes = share->cores ? 0 : (arcs / GRAPH_LIGHT + 1) * PIECE_WORDS * sizeof(uint32_t);
    struct hooking *h;
    int rc;
    TRY(mw_new(1, sizeof *h, &h));
    share->state = h;
    h->tries = tries;
    h->samples = samples && !share->of->graph.directed;
    TRY(mw_graph_union_make(share));
    TRY(mw_buffer_new(share->device, SAMPLES * sizeof(int32_t), &h->sampled));
    TRY(mw_arc_blocks_make(share->device, &share->of->graph, share->low, share->high, share->of->options.block_arcs, 0,
                           piece_bytes + vertices_of(share) * sizeof(int32_t), &h->blocks));
    if (!share->cores)
        TRY(make_pieces(share, h));
out:
    return rc;
}

static int make_afforest(struct mw_component_share *share) { return make(share, 1, true); }
static int make_ecl(struct mw_component_share *share) { return make(share, ECL_TRIES, false); }

static void drop(struct mw_component_share *share)
{
    struct hooking *h = share->state;
    if (!h)
        return;
    for (size_t p = 0; h->pieces && p < h->blocks.count * CLASSES; p++) {
        free(h->pieces[p].words);
        mw_buffer_free(h->pieces[p].buffer);
    }
    free(h->pieces);
    mw_buffer_free(h->sent_pieces);
    mw_buffer_free(h->sampled);
    mw_arc_blocks_drop(&h->blocks);
    free(h);
    share->state = NULL;
}

/* ---- passes over a block ---- */

/* A kernel whose arguments are parents, second neighbours (`other`) where it has them, the block's, and `more`. */
static int block_pass(struct mw_component_share *share, unsigned kernel, struct mw_buffer *other, size_t number,
                      struct mw_arg more)
{
    struct hooking *h = share->state;
    struct mw_arg args[3 + MW_ARC_ARGS];
    struct mw_arc_view view;
    size_t count = 0;
    int rc;
    TRY(mw_arc_block_take(&h->blocks, number, &view));
    args[count++] = mw_arg_buffer(share->labels);
    if (other)
        args[count++] = mw_arg_buffer(other);
    memcpy(args + count, view.args, sizeof view.args);
    count += MW_ARC_ARGS;
    args[count++] = more;
    TRY(mw_component_launch(share, &share->joins->program, kernel, h->blocks.block[number].count, args, count));
out:
    return rc;
}

static int link_pieces(struct mw_component_share *share, size_t number, size_t class, const struct mw_arc_view *view,
                       int32_t giant, int32_t smaller)
{
    const struct mw_graph_union *u = share->joins;
    const struct hooking *h = share->state;
    const struct pieces *p = &h->pieces[number * CLASSES + class];
    struct mw_buffer *buffer = p->buffer;
    struct mw_arg args[1 + MW_ARC_ARGS + 6] = { mw_arg_buffer(share->labels) };
    struct mw_arg *more = args + 1 + MW_ARC_ARGS;
    int rc = 0;
    if (p->count == 0)
        return 0;
    if (h->blocks.sent) {
        TRY(mw_buffer_write(h->sent_pieces, 0, p->count * PIECE_WORDS * sizeof *p->words, p->words, NULL));
        buffer = h->sent_pieces;
    }
    memcpy(args + 1, view->args, sizeof view->args);
    more[0] = mw_arg_buffer(buffer);
    more[1] = mw_arg_u32((uint32_t)p->count);
    more[2] = mw_arg_u32(classes[class].width);
    more[3] = mw_arg_i32(giant);
    more[4] = mw_arg_i32(smaller);
    more[5] = mw_arg_buffer(u->unfinished);
    TRY(mw_component_items(&u->program, PIECES, p->count * classes[class].width, args, MW_COUNT(args)));
out:
    return rc;
}

/* Parts of a block with about as many arcs each. */
static size_t parts_of(const struct mw_component_share *share, const struct mw_arc_block *block)
{
    const uint64_t work = block->high - block->low + block->count, each = mw_component_each(share, work);
    return (work - 1) / each + 1;
}

/* All arcs of a block that are to be followed. */
static int link_rest(struct mw_component_share *share, size_t number, int32_t giant, int32_t smaller)
{
    const struct mw_graph_union *u = share->joins;
    struct hooking *h = share->state;
    const struct mw_arc_block *block = &h->blocks.block[number];
    struct mw_arg args[1 + MW_ARC_ARGS + 3] = { mw_arg_buffer(share->labels) };
    struct mw_arg *more = args + 1 + MW_ARC_ARGS;
    struct mw_arc_view view;
    int rc;
    if (block->low == block->high)
        return 0;
    TRY(mw_arc_block_take(&h->blocks, number, &view));
    memcpy(args + 1, view.args, sizeof view.args);
    more[0] = mw_arg_i32(giant);
    more[1] = mw_arg_i32(smaller);
    if (share->cores) {
        const size_t parts = parts_of(share, block);
        more[2] = mw_arg_u64(parts);
        TRY(mw_component_items(&u->program, REST, parts, args, MW_COUNT(args)));
        goto out;
    }
    more[2] = mw_arg_buffer(u->unfinished);
    TRY(mw_component_launch(share, &u->program, REST, block->count, args, MW_COUNT(args)));
    for (size_t c = 0; c < CLASSES; c++)
        TRY(link_pieces(share, number, c, &view, giant, smaller));
out:
    return rc;
}

/* ---- running ---- */

static int link_second(struct mw_component_share *share, size_t number)
{
    struct mw_graph_union *u = share->joins;
    return block_pass(share, SECOND, u->other, number, mw_arg_buffer(u->unfinished));
}

static int sample(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->joins;
    const struct hooking *h = share->state;
    const struct mw_arg args[] = { mw_arg_buffer(share->labels), mw_arg_buffer(h->sampled),
                                   mw_arg_u32((uint32_t)vertices_of(share)) };
    return mw_component_items(&u->program, SAMPLE, SAMPLES, args, MW_COUNT(args));
}

/* The first links, from nothing: of all blocks, or where these are sent one by one, of the first alone. */
static int begin(struct mw_component_share *share)
{
    struct mw_graph_union *u = share->joins;
    struct hooking *h = share->state;
    const size_t blocks = h->blocks.sent ? 1 : h->blocks.count;
    int rc = 0;
    if (!share->whole || h->blocks.sent)
        TRY(start_over(share));
    for (size_t b = 0; b < blocks; b++)
        TRY(h->blocks.sent ? block_pass(share, BOTH, NULL, b, mw_arg_buffer(u->unfinished))
                           : block_pass(share, FIRST, u->other, b, mw_arg_i32(h->tries)));
    if (!share->cores)
        TRY(compress(share));
    if (!h->samples)
        goto out;
    for (size_t b = 0; b < blocks && !h->blocks.sent; b++)
        TRY(link_second(share, b));
    if (!share->cores)
        TRY(compress(share));
    if (share == share->of->share)
        TRY(sample(share));
    TRY(mw_device_flush(share->device));
out:
    return rc;
}

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A component that more than half of the vertices belong to is left out; else it is cheaper to follow all arcs to
 * smaller vertices. */
static int choose(struct mw_component_share *share)
{
    struct hooking *h = share->state;
    int32_t root[SAMPLES];
    size_t same = 0, most = 0;
    int rc = 0;
    h->smaller = !share->of->graph.directed;
    h->giant = NO_GIANT;
    if (!h->samples)
        return 0;
    TRY(mw_buffer_read(h->sampled, 0, sizeof root, root, NULL));
    qsort(root, SAMPLES, sizeof *root, by_value);
    for (size_t i = 0; i < SAMPLES; i++) {
        same = i > 0 && root[i] == root[i - 1] ? same + 1 : 1;
        if (same > most) {
            most = same;
            h->giant = root[i];
        }
    }
    if (most > SAMPLES / 2)
        h->smaller = 0;
    else
        h->giant = NO_GIANT;
out:
    return rc;
}

/* What is left, after which all vertices are under their roots. */
static int finish(struct mw_component_share *share)
{
    const struct hooking *first = share->of->share->state;
    struct hooking *h = share->state;
    int rc;
    TRY(mw_buffer_fill(share->joins->unfinished, 0, sizeof(int32_t), 0));
    for (size_t b = 0; b < h->blocks.count; b++) {
        if (b > 0 && h->blocks.sent && h->samples)
            TRY(block_pass(share, BOTH, NULL, b, mw_arg_buffer(share->joins->unfinished)));
        TRY(link_rest(share, b, first->giant, first->smaller));
    }
    TRY(compress(share));
out:
    return rc;
}

static int run(struct mw_component_share *share)
{
    int rc = 0;
    if (share == share->of->share)
        TRY(choose(share));
    TRY(finish(share));
    TRY(mw_device_flush(share->device));
out:
    return rc;
}

/* Passes in which an item gave up are made again, now that paths are short. */
static int end(struct mw_component_share *share, size_t *iterations)
{
    bool again;
    int rc;
    for (;;) {
        TRY(is_unfinished(share, &again));
        if (!again)
            break;
        TRY(finish(share));
    }
    *iterations = 1;
out:
    return rc;
}

static const char *refuses_nothing(const struct mw_graph_labelling *labelling)
{
    (void)labelling;
    return NULL;
}

const struct mw_component_variant mw_component_afforest = { false, refuses_nothing, make_afforest, drop, begin, run,
                                                            end };
const struct mw_component_variant mw_component_ecl = { false, refuses_nothing, make_ecl, drop, begin, run, end };
