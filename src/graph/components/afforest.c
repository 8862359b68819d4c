/* Components by union-find: Afforest (Sutton, Ben-Nun, Barak, IPDPS 2018) and ECL-CC (Jaiganesh, Burtscher, HPDC 2018).
 *
 * An undirected edge is stored as two arcs. One is enough, so there are two ways:
 * - follow only arcs to smaller vertices;
 * - follow all arcs except those of the largest component's vertices: an edge that leaves it is found from its other
 * endpoint.
 *
 * The largest component must be the same on all devices, or at least share a vertex, since it is merged later. It is
 * therefore identified by a vertex, which the first device finds by sampling.
 *
 * Directed graphs have one arc per edge, and all arcs are followed. */
#include "graph/components/shares.h"

#include <stdlib.h>

#include "graph/components/sizes.clh"
#include "kernels/graph/components/components.h"

enum { NO_LARGEST = -1 };
enum { ECL_TRIES = 64 }; /* neighbours searched for the first smaller one, at most */

/* State of a share. */
struct hooking {
    struct mw_arc_blocks blocks;
    int32_t tries;
    bool samples; /* neighbour rounds on all blocks, and a search for the largest component */
    struct mw_buffer *sampled;
    struct mw_split split;    /* form for groups */
    int32_t largest, one_way; /* current run's; all shares use the first share's */
};

/* ---- life ---- */

static int afforest_make(struct mw_component_share *share, int32_t tries, bool samples)
{
    const size_t split = mw_split_bytes(&share->on, share->high - share->low);
    struct hooking *h;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *h, &h));
    share->state = h;
    h->tries = tries;
    h->samples = samples && !share->of->graph.directed;
    TRY_RETURN(mw_graph_union_make(share));
    TRY_RETURN(mw_arc_buffer(&share->on, GRAPH_SAMPLES * sizeof(int32_t), &h->sampled));
    TRY_RETURN(mw_arc_blocks_make(&share->on, &share->of->graph, share->low, share->high, share->of->options.block_arcs,
                                  0, split + mw_share_vertices(share) * sizeof(int32_t), &h->blocks));
    return mw_split_make(&h->blocks, &h->split);
}

static int make_afforest(struct mw_component_share *share) { return afforest_make(share, 1, true); }
static int make_ecl(struct mw_component_share *share) { return afforest_make(share, ECL_TRIES, false); }

/* ---- neighbour rounds ---- */

/* Links each vertex to its first two neighbours in the block. */
static int link_both(struct mw_component_share *share, size_t number)
{
    const struct mw_graph_union *u = share->unions;
    struct hooking *h = share->state;
    struct mw_arc_view view;
    int64_t each;
    TRY_RETURN(mw_arc_block_take(&h->blocks, number, &view));
    const struct mw_range range = mw_arc_range(&share->on, u->set, h->blocks.block[number].count, &each);
    return launch_graph_link_both(u->set, range, share->labels, MW_ARCS(&view), u->unfinished, each);
}

/* Links each vertex to a first neighbour. If blocks are sent, only the first block is linked, also to second
 * neighbours. */
static int link_first(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->unions;
    struct hooking *h = share->state;
    struct mw_arc_view view;
    int64_t each;
    if (!share->whole || h->blocks.sent)
        TRY_RETURN(mw_graph_union_start(share));
    if (h->blocks.sent)
        TRY_RETURN(link_both(share, 0));
    for (size_t b = 0; b < h->blocks.count && !h->blocks.sent; b++) {
        TRY_RETURN(mw_arc_block_take(&h->blocks, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, u->set, h->blocks.block[b].count, &each);
        TRY_RETURN(launch_graph_link_first(u->set, range, share->labels, u->other, MW_ARCS(&view), h->tries, each));
    }
    return mw_graph_union_shorten(share);
}

/* Links each vertex to its second neighbour. */
static int link_second(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->unions;
    struct hooking *h = share->state;
    struct mw_arc_view view;
    int64_t each;
    for (size_t b = 0; b < h->blocks.count && !h->blocks.sent; b++) {
        TRY_RETURN(mw_arc_block_take(&h->blocks, b, &view));
        const struct mw_range range = mw_arc_range(&share->on, u->set, h->blocks.block[b].count, &each);
        TRY_RETURN(
            launch_graph_link_second(u->set, range, share->labels, u->other, MW_ARCS(&view), u->unfinished, each));
    }
    return mw_graph_union_shorten(share);
}

/* ---- the largest component ---- */

/* Returns the value of more than half of the elements, or NO_LARGEST (Boyer, Moore 1981). On a small graph, sorting
 * would take longer than the rest of the algorithm. */
static int32_t majority(const int32_t *value, size_t count)
{
    int32_t last = NO_LARGEST;
    size_t left = 0, have = 0;
    for (size_t i = 0; i < count; i++) {
        if (left == 0)
            last = value[i];
        left = value[i] == last ? left + 1 : left - 1;
    }
    for (size_t i = 0; i < count; i++)
        have += value[i] == last;
    return have > count / 2 ? last : NO_LARGEST;
}

/* Finds a component with more than half of the vertices: the root of most samples. Without such a component, following
 * only arcs to smaller vertices is cheaper. */
static int find_largest(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->unions;
    struct hooking *h = share->state;
    int32_t root[GRAPH_SAMPLES];
    TRY_RETURN(launch_graph_sample_roots(u->set, mw_graph_items(u->set, GRAPH_SAMPLES), share->labels, h->sampled,
                                         (uint32_t)mw_share_vertices(share)));
    TRY_RETURN(mw_component_flush(share->of));
    TRY_RETURN(mw_buffer_read(h->sampled, 0, sizeof root, root, NULL));
    h->largest = majority(root, GRAPH_SAMPLES);
    if (h->largest != NO_LARGEST)
        h->one_way = 0;
    return 0;
}

/* ---- remaining arcs ---- */

/* Returns the number of parts of a block on cores, with about the same number of arcs each. */
static size_t parts_of(const struct mw_component_share *share, const struct mw_arc_block *block)
{
    const uint64_t work = block->high - block->low + block->count, each = mw_arc_each(&share->on, work);
    return (work - 1) / each + 1;
}

static int link_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct mw_component_share *share = context;
    const struct hooking *first = share->of->share->state;
    const struct mw_graph_union *u = share->unions;
    return launch_graph_link_split(u->set, mw_split_range(u->set, p), share->labels, MW_ARCS(view), MW_ARC_PIECES(p),
                                   first->largest, first->one_way, u->unfinished);
}

/* Links all arcs of a block that are to be followed. */
static int link_block(struct mw_component_share *share, size_t number)
{
    const struct mw_graph_union *u = share->unions;
    const struct hooking *first = share->of->share->state;
    const int32_t largest = first->largest, one_way = first->one_way;
    struct hooking *h = share->state;
    const struct mw_arc_block *block = &h->blocks.block[number];
    struct mw_arc_view view;
    int64_t each;
    if (block->low == block->high)
        return 0;
    TRY_RETURN(mw_arc_block_take(&h->blocks, number, &view));
    if (share->on.cores) {
        const size_t parts = parts_of(share, block);
        return launch_graph_link_rest(u->set, mw_parts(u->set, parts), share->labels, MW_ARCS(&view), largest, one_way,
                                      parts);
    }
    const struct mw_range range = mw_arc_range(&share->on, u->set, block->count, &each);
    TRY_RETURN(
        launch_graph_link_whole(u->set, range, share->labels, MW_ARCS(&view), largest, one_way, u->unfinished, each));
    return mw_split_each(&h->split, number, &view, link_split, share);
}

/* Links the arcs outside the largest component, or all; then hooks each vertex to its root. */
static int link_rest(struct mw_component_share *share)
{
    struct hooking *h = share->state;
    TRY_RETURN(mw_buffer_fill(share->unions->unfinished, 0, sizeof(int32_t), 0));
    for (size_t b = 0; b < h->blocks.count; b++) {
        if (b > 0 && h->blocks.sent && h->samples)
            TRY_RETURN(link_both(share, b));
        TRY_RETURN(link_block(share, b));
    }
    return mw_graph_union_compress(share);
}

/* Waits. Repeats passes in which a work-item gave up, since paths are short by now. */
static int afforest_finish(struct mw_component_share *share)
{
    bool again;
    for (;;) {
        TRY_RETURN(mw_graph_union_check(share, &again));
        if (!again)
            break;
        TRY_RETURN(link_rest(share));
    }
    return 0;
}

/* ---- algorithms ---- */

static void without_largest(struct mw_graph_labelling *l)
{
    struct hooking *h = l->share->state;
    h->largest = NO_LARGEST;
    h->one_way = !l->graph.directed;
}

/* Afforest: two neighbour rounds, each followed by path compression; the largest component, by sampling; the arcs of
 * all vertices outside it. */
static int afforest(struct mw_graph_labelling *l, size_t *iterations)
{
    const bool samples = ((const struct hooking *)l->share->state)->samples;
    without_largest(l);
    TRY_RETURN(mw_component_each_share(l, link_first));
    if (samples) {
        TRY_RETURN(mw_component_each_share(l, link_second));
        TRY_RETURN(find_largest(l->share));
    }
    TRY_RETURN(mw_component_each_share(l, link_rest));
    TRY_RETURN(mw_component_flush(l));
    TRY_RETURN(mw_component_each_share(l, afforest_finish));
    *iterations = 1;
    return 0;
}

/* ECL-CC: each vertex is hooked to its first one_way neighbour; then all arcs to smaller vertices are followed, by
 * degree class. */
static int ecl(struct mw_graph_labelling *l, size_t *iterations)
{
    without_largest(l);
    TRY_RETURN(mw_component_each_share(l, link_first));
    TRY_RETURN(mw_component_each_share(l, link_rest));
    TRY_RETURN(mw_component_flush(l));
    TRY_RETURN(mw_component_each_share(l, afforest_finish));
    *iterations = 1;
    return 0;
}

static const char *refuses_nothing(const struct mw_graph_labelling *labelling) { return NULL; }

const struct mw_component_variant mw_component_afforest = { false, refuses_nothing, make_afforest, afforest, NULL };
const struct mw_component_variant mw_component_ecl = { false, refuses_nothing, make_ecl, ecl, NULL };
/* SPDX-License-Identifier: MIT */
