/* Variant oriented: each triangle is found once, from its vertex with the fewest arcs
 * (cl/graph/triangles/oriented.clh). */
#include <math.h>
#include <stdlib.h>

#include "graph/triangles/counter.h"
#include "kernels/graph/triangles/oriented.h"

enum { OUT, IN, KINDS }; /* lists of heads; for directed graphs, also of tails */

struct oriented {
    struct mw_triangle_counter counter;
    size_t kinds;
    struct mw_owner owner_of_arcs;
    struct mw_arc_blocks arcs[KINDS];
    struct mw_buffer *degrees;
    struct mw_triangle_lists lists[KINDS];
    struct mw_buffer *found[KINDS];    /* with by_arc; otherwise the counter's sums */
    struct mw_triangle_ranked *ranked; /* NULL: `lists` or `blocks` are used */
    struct mw_triangle_blocks *blocks; /* NULL: the device holds all lists */
    bool in_blocks;
};

/* Some drivers silently end a work-item's loops after a number of iterations. In the form for groups, a work-item
 * iterates as often as a list is long, with two binary searches each. No list has more than sqrt(arcs) elements, since
 * each of these has at least as many arcs. */
static const char *oriented_refuses(const struct mw_triangle_share *share)
{
    enum { ROUNDS = 64 };
    const double rounds = mw_device_info(share->on.device)->traits->loop_rounds;
    const double arcs = (double)share->of->graph->arcs * (share->of->graph->directed ? 2 : 1);
    return rounds > 0 && !share->on.cores && sqrt(arcs) * ROUNDS > rounds
               ? "needs longer loops than this driver runs: use another device"
               : NULL;
}

/* ---- life ---- */

/* Returns whether lists may be of ranks: only all triangles are counted. */
static bool may_rank(const struct mw_triangle_share *share)
{
    const struct mw_triangle_job *job = share->of;
    return !share->on.cores && !job->graph->directed && !job->options.by_vertex && !job->options.by_arc;
}

/* Returns the bytes on the device in addition to the arcs. */
static size_t bytes_of_lists(const struct mw_triangle_share *share, size_t kinds)
{
    const struct mw_triangle_job *job = share->of;
    const size_t arcs = (size_t)job->graph->arcs, n = job->graph->vertices, word = sizeof(uint32_t);
    const size_t lists = arcs * word + mw_triangle_span_bytes(n), choosing = arcs * (1 + word);
    if (may_rank(share))
        return mw_triangle_ranked_bytes(n, arcs);
    return kinds * (lists + (job->options.by_arc ? arcs * word : 0)) + (share->on.cores ? 0 : choosing) + n * word;
}

/* Sends all arcs to the device, or none if they do not fit. */
static int oriented_make_arcs(struct mw_triangle_share *share, struct oriented *s)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_graph *const graphs[KINDS] = { job->graph, job->reversed };
    const uint64_t at_once = job->options.block_arcs, arcs = job->graph->arcs * s->kinds;
    const uint64_t others = bytes_of_lists(share, s->kinds) + (arcs - job->graph->arcs) * sizeof(uint32_t);
    struct mw_arc_worker on = share->on;
    on.own = &s->owner_of_arcs;
    TRY_RETURN(mw_own_owner(share->on.own, on.own));
    s->in_blocks = (at_once && arcs > at_once) || arcs > share->on.limits->block_most ||
                   !mw_arc_blocks_fit(&share->on, job->graph, false, others);
    for (size_t k = 0; k < s->kinds && !s->in_blocks; k++) {
        TRY_RETURN(
            mw_arc_blocks_make(&on, graphs[k], 0, arcs / s->kinds, 0, 0, bytes_of_lists(share, s->kinds), &s->arcs[k]));
        s->in_blocks = s->arcs[k].sent || s->arcs[k].count > 1;
    }
    if (s->in_blocks)
        mw_owner_drop(on.own);
    return 0;
}

static int make_found(struct mw_triangle_share *share, struct oriented *s)
{
    const size_t bytes = (size_t)share->of->graph->arcs * sizeof(uint32_t);
    for (size_t k = 0; k < s->kinds; k++) {
        s->found[k] = s->counter.sums;
        if (!s->in_blocks && share->of->options.by_arc)
            TRY_RETURN(mw_arc_zeros(&share->on, bytes, &s->found[k]));
    }
    return 0;
}

static int oriented_make(struct mw_triangle_share *share)
{
    struct oriented *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    s->kinds = share->of->graph->directed ? KINDS : 1;
    TRY_RETURN(mw_triangle_counter_make(share, &s->counter));
    TRY_RETURN(oriented_make_arcs(share, s));
    return make_found(share, s);
}

/* All devices count with lists of ranks, or none: a part of the arcs is not a range of vertices. Parts also depend on
 * the size of groups and the number of hubs. */
static size_t oriented_parts(const struct mw_triangle_job *job)
{
    const struct oriented *first = job->share[0].state;
    for (size_t d = 0; d < job->share_count; d++) {
        const struct oriented *s = job->share[d].state;
        if (s->in_blocks || !may_rank(&job->share[d]) || s->counter.set->group != first->counter.set->group ||
            mw_triangle_most_hubs(job->share[d].on.device) != mw_triangle_most_hubs(job->share[0].on.device))
            return 0;
    }
    return TRIANGLES_PARTS;
}

static int oriented_settle(struct mw_triangle_share *share)
{
    struct oriented *s = share->state;
    if (share->of->parts) {
        TRY_RETURN(mw_triangle_ranked_make(share, &s->counter, &s->ranked));
    } else if (!s->in_blocks) {
        TRY_RETURN(mw_arc_buffer(&share->on, share->of->graph->vertices * sizeof(uint32_t), &s->degrees));
    }
    return 0;
}

/* ---- lists and counts ---- */

static int make_lists(struct mw_triangle_share *share, struct oriented *s)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_graph *const graphs[KINDS] = { job->graph, job->reversed };
    struct mw_arc_view view[KINDS];
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, s->counter.set, job->graph->vertices, &each);
    for (size_t k = 0; k < s->kinds; k++)
        TRY_RETURN(mw_arc_block_take(&s->arcs[k], 0, &view[k]));
    TRY_RETURN(launch_triangles_degrees(s->counter.set, range, view[0].offsets, view[s->kinds - 1].offsets, s->degrees,
                                        (int64_t)job->graph->vertices, each));
    for (size_t k = 0; k < s->kinds; k++)
        TRY_RETURN(mw_triangle_lists_make(&share->on, s->counter.set, s->counter.prim, graphs[k], &view[k], s->degrees,
                                          &s->lists[k]));
    return 0;
}

static int make_ranked(struct oriented *s)
{
    struct mw_arc_view view;
    TRY_RETURN(mw_arc_block_take(&s->arcs[OUT], 0, &view));
    return mw_triangle_ranked_lists(s->ranked, &view);
}

static int oriented_prepare(struct mw_triangle_share *share)
{
    struct oriented *s = share->state;
    return s->in_blocks ? mw_triangle_blocks_make(share, &s->counter, &s->blocks)
           : s->ranked  ? make_ranked(s)
                        : make_lists(share, s);
}

static int oriented_run(struct mw_triangle_share *share, size_t first, size_t count)
{
    struct oriented *s = share->state;
    if (s->in_blocks)
        TRY_RETURN(mw_triangle_blocks_run(share, &s->counter, s->blocks, first, count));
    if (s->ranked)
        TRY_RETURN(mw_triangle_ranked_count(share, &s->counter, s->ranked, first, count));
    for (size_t k = 0; k < s->kinds && !s->in_blocks && !s->ranked; k++) {
        const size_t other = s->kinds - 1 - k;
        const struct mw_triangle_side list = { &s->lists[k], s->found[k] };
        const struct mw_triangle_side marked = { &s->lists[other], s->found[other] };
        const struct mw_triangle_range range = { first, first + count, 0, TRIANGLES_PARTS };
        TRY_RETURN(mw_triangle_count(share, &s->counter, list, marked, list, range));
    }
    return 0;
}

static int oriented_wait(struct mw_triangle_share *share)
{
    const struct oriented *s = share->state;
    return mw_triangle_counted(&s->counter, &share->triangles);
}

/* ---- counts per vertex and arc ---- */

static int tell_arcs(struct mw_triangle_share *share, struct oriented *s, size_t kind)
{
    const struct mw_triangle_lists *l = &s->lists[kind];
    const size_t arcs = (size_t)l->arcs, bytes = arcs * sizeof(uint32_t);
    const size_t n = share->of->graph->vertices;
    uint32_t *heads = NULL, *found = NULL, *spans = NULL;
    int rc;
    TRY(mw_new(arcs, sizeof *heads, &heads));
    TRY(mw_new(arcs, sizeof *found, &found));
    TRY(mw_new(n, TRIANGLES_SPAN * sizeof *spans, &spans));
    if (arcs > 0) {
        TRY(mw_buffer_read(l->heads, 0, bytes, heads, NULL));
        TRY(mw_buffer_read(s->found[kind], 0, bytes, found, NULL));
    }
    TRY(mw_buffer_read(l->spans, 0, mw_triangle_span_bytes(n), spans, NULL));
    for (size_t u = 0; u < n; u++)
        mw_triangle_give_arcs(share->of, u, heads + spans[2 * u], found + spans[2 * u], spans[2 * u + 1] - spans[2 * u],
                              kind == IN);
out:
    free(heads);
    free(found);
    free(spans);
    return rc;
}

static int oriented_finish(struct mw_triangle_share *share)
{
    struct oriented *s = share->state;
    if (share->of->options.by_vertex)
        TRY_RETURN(mw_triangle_give_vertices(share, &s->counter));
    if (share->of->options.by_arc && s->in_blocks)
        mw_triangle_blocks_report(share, s->blocks);
    for (size_t k = 0; k < s->kinds && share->of->options.by_arc && !s->in_blocks; k++)
        TRY_RETURN(tell_arcs(share, s, k));
    return 0;
}

const struct mw_triangle_variant mw_triangle_oriented = { .reversed = true,
                                                          .each = true,
                                                          .refuses = oriented_refuses,
                                                          .make = oriented_make,
                                                          .parts = oriented_parts,
                                                          .settle = oriented_settle,
                                                          .prepare = oriented_prepare,
                                                          .run = oriented_run,
                                                          .wait = oriented_wait,
                                                          .finish = oriented_finish };
/* SPDX-License-Identifier: MIT */
