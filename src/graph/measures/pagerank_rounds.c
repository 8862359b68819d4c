/* Rounds of PageRank on one device or several. Several devices compute the ranks of a range of vertices each, from the
 * ranks that all vertices pass on. After each round these go through host memory, with the totals. As all sums are sums
 * of integers, ranks have the bits of one device. */
#include "graph/measures/pagerank.h"

#include <string.h>

#include "graph/graph_internal.h"
#include "kernels/graph/measures/pagerank.h"
#include "kernels/native.h"

#define ONE_62 (UINT64_C(1) << 62)
enum { GROUP = 128 };   /* work-items, at most: those of a unit leave room for caches in local memory */
enum { PLACED = 64 };   /* arcs per work-item whose heads become places */
enum { SETTLING = 32 }; /* groups per unit that settle: each adds to the same totals */
enum { TOTALS_BYTES = PAGERANK_TOTALS * sizeof(uint32_t) };

/* ---- life ---- */

/* Returns an upper bound of the bytes of make_buffers. */
static size_t bytes_of_vertices(const struct pagerank_share *share)
{
    enum { WHOLE = 2, OWN = 3 };
    return share->of->graph->vertices * sizeof(uint32_t) +
           (share->of->graph->vertices * WHOLE + share->range.rows.vertices * OWN) * sizeof(uint64_t) +
           sizeof(uint32_t) * (PAGERANK_ROUNDS_MOST + 1) * PAGERANK_TOTALS;
}

static int measures_pagerank_make_buffers(struct pagerank_share *share)
{
    const struct mw_arc_worker *const on = &share->on;
    const size_t bytes = share->range.rows.vertices * sizeof(uint64_t);
    const size_t all_bytes = share->of->graph->vertices * sizeof(uint64_t);
    TRY_RETURN(mw_arc_buffer(on, bytes, &share->ranks));
    share->before = share->ranks;
    if (share->of->steady)
        TRY_RETURN(mw_arc_zeros(on, bytes, &share->before));
    TRY_RETURN(mw_arc_buffer(on, all_bytes, &share->passed));
    TRY_RETURN(mw_arc_buffer(on, bytes, &share->factors));
    TRY_RETURN(mw_arc_buffer(on, (PAGERANK_ROUNDS_MOST + 1) * PAGERANK_TOTALS * sizeof(uint32_t), &share->totals));
    if (on->cores && !share->blocks.sent && share->blocks.count == 1)
        return mw_arc_buffer(on, all_bytes, &share->next_passed);
    TRY_RETURN(mw_arc_buffer(on, share->is_placed ? share->of->graph->vertices * sizeof(uint32_t) : 1, &share->places));
    return mw_arc_zeros(on, bytes, &share->sums);
}

int mw_pagerank_share_make(void *of, void *unused)
{
    struct pagerank_share *share = of;
    const struct mw_graph *const rows = &share->range.rows;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_measures_pagerank,
                              &(struct mw_kernel_options){ .native = mw_native_graph_pagerank, .group = GROUP },
                              &share->set));
    TRY_RETURN(mw_arc_blocks_make(&share->on, rows, rows->offsets[0], rows->arcs, share->of->options.block_arcs, 0,
                                  bytes_of_vertices(share), &share->blocks));
    share->is_placed = share->of->count == 1 && !share->on.cores && !share->blocks.sent;
    return measures_pagerank_make_buffers(share);
}

int mw_pagerank_place(struct pagerank_share *share, const uint32_t *place)
{
    struct mw_arc_view view;
    TRY_RETURN(mw_buffer_write(share->places, 0, share->of->graph->vertices * sizeof *place, place, NULL));
    for (size_t b = 0; b < share->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&share->blocks, b, &view));
        const int64_t arcs = (int64_t)(view.high - view.low);
        const int64_t each = (int64_t)share->set->group * PLACED;
        TRY_RETURN(launch_pagerank_place(share->set, mw_parts(share->set, (size_t)((arcs + each - 1) / each)),
                                         view.heads, view.low, arcs, share->places, each));
    }
    return 0;
}

/* ---- rounds ---- */

static int whole_round(struct pagerank_share *share)
{
    const struct mw_graph *const rows = &share->range.rows;
    const uint64_t work = rows->vertices + rows->arcs - rows->offsets[0];
    const struct mw_range range = mw_arc_work_range(&share->on, share->set, rows->vertices, work, &share->round.each);
    struct mw_arc_view view;
    TRY_RETURN(mw_arc_block_take(&share->blocks, 0, &view));
    TRY_RETURN(launch_pagerank_whole_round(share->set, range, share->passed, share->next_passed, MW_ARCS(&view),
                                           share->ranks, share->before, share->factors, share->totals, &share->round));
    mw_buffer_swap(&share->passed, &share->next_passed);
    return 0;
}

static int round_in_blocks(struct pagerank_share *p)
{
    const size_t tile = p->set->group * PAGERANK_EACH(p->set->group);
    struct mw_arc_view view;
    struct mw_range range;
    for (size_t b = 0; b < p->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&p->blocks, b, &view));
        if (p->on.cores)
            range = mw_arc_range(&p->on, p->set, p->blocks.block[b].count, &p->round.each);
        else
            range = mw_parts(p->set, (size_t)(view.high - view.low + tile - 1) / tile);
        TRY_RETURN(launch_pagerank_collect(p->set, range, p->passed, p->sums, MW_ARCS(&view), p->totals, &p->round));
    }
    range = mw_arc_range(&p->on, p->set, p->range.rows.vertices, &p->round.each);
    if (!p->on.cores) {
        const size_t groups = mw_max(mw_device_info(p->on.device)->compute_units, 1) * SETTLING;
        p->round.each = (int64_t)mw_max(p->range.rows.vertices / groups + 1, p->set->group);
        range = mw_parts(p->set, (p->range.rows.vertices + (size_t)p->round.each - 1) / (size_t)p->round.each);
    }
    return launch_pagerank_settle(p->set, range, p->ranks, p->before, p->passed, p->places, p->sums, p->factors,
                                  p->totals, &p->round);
}

static int measures_pagerank_round_of(struct pagerank_share *share)
{
    share->round = share->of->round;
    share->round.vertices = (int64_t)share->range.rows.vertices;
    share->round.first = (int64_t)share->range.first;
    share->round.placed = share->is_placed;
    TRY_RETURN(share->next_passed ? whole_round(share) : round_in_blocks(share));
    mw_buffer_swap(&share->ranks, &share->before);
    return 0;
}

/* Chebyshev acceleration (Golub and Varga, Numerische Mathematik 3 (1961) 147): of all combinations of the ranks of
 * rounds, it minimises the errors of eigenvalues within +-radius. */
static void go_ahead(struct acceleration *a)
{
    const uint64_t square = (uint64_t)((mw_u128)a->radius * a->radius >> 64);
    uint64_t part = 0;
    if (a->rounds == 1)
        part = square >> 3;
    else if (a->rounds > 1)
        part = (uint64_t)((mw_u128)square * a->factor >> 64) >> 2;
    a->factor = (uint64_t)(((mw_u128)ONE_62 << 62) / (ONE_62 - part));
    a->rounds++;
}

static void plan_round(struct pagerank *p)
{
    if (p->steady)
        go_ahead(&p->ahead);
    p->round.beyond = p->steady ? (p->ahead.factor - ONE_62) << 2 : 0;
}

/* One device: queues all rounds; rounds after convergence do nothing. */
static int batch_of_one(struct pagerank *p, size_t batch, uint32_t (*totals)[PAGERANK_TOTALS])
{
    struct pagerank_share *share = &p->share[0];
    TRY_RETURN(mw_buffer_write(share->totals, 0, TOTALS_BYTES, p->totals, NULL));
    TRY_RETURN(mw_buffer_fill(share->totals, TOTALS_BYTES, batch * TOTALS_BYTES, 0));
    for (size_t r = 0; r < batch; r++) {
        plan_round(p);
        p->round.r = (int64_t)r;
        TRY_RETURN(measures_pagerank_round_of(share));
    }
    return mw_buffer_read(share->totals, 0, (batch + 1) * TOTALS_BYTES, totals, NULL);
}

/* A round of one of several devices: receives the ranks that other shares passed on, and returns its own. */
static int round_of_share(void *of, void *context)
{
    struct pagerank_share *share = of;
    const struct pagerank *p = share->of;
    const size_t first = share->range.first, own = share->range.rows.vertices, after = first + own;
    const size_t rest = p->graph->vertices - after, word = sizeof *p->passed;
    if (first > 0)
        TRY_RETURN(mw_buffer_write(share->passed, 0, first * word, p->passed, NULL));
    if (rest > 0)
        TRY_RETURN(mw_buffer_write(share->passed, after * word, rest * word, p->passed + after, NULL));
    TRY_RETURN(mw_buffer_write(share->totals, 0, TOTALS_BYTES, p->totals, NULL));
    TRY_RETURN(mw_buffer_fill(share->totals, TOTALS_BYTES, TOTALS_BYTES, 0));
    TRY_RETURN(measures_pagerank_round_of(share));
    TRY_RETURN(mw_buffer_read(share->passed, first * word, own * word, p->next_passed + first, NULL));
    return mw_buffer_read(share->totals, TOTALS_BYTES, TOTALS_BYTES, share->found, NULL);
}

/* Several devices: exchanges ranks after each round, and stops after the round in which they converge. */
static int batch_of_several(struct pagerank *p, size_t batch, uint32_t (*totals)[PAGERANK_TOTALS])
{
    bool converged = false;
    p->round.r = 0;
    for (size_t r = 1; r <= batch && !converged; r++) {
        uint64_t *const held = p->passed;
        plan_round(p);
        TRY_RETURN(mw_team_run(p->team, round_of_share, NULL));
        p->passed = p->next_passed;
        p->next_passed = held;
        for (size_t word = 0; word < PAGERANK_TOTALS; word += 2) {
            uint64_t sum = 0;
            for (size_t d = 0; d < p->count; d++)
                sum += mw_pagerank_get(p->share[d].found + word);
            mw_pagerank_put(totals[r] + word, sum);
        }
        memcpy(p->totals, totals[r], sizeof p->totals);
        converged = mw_pagerank_change_of(totals[r]) <= p->round.tolerance;
    }
    return 0;
}

int mw_pagerank_batch(struct pagerank *p, size_t batch, uint32_t (*totals)[PAGERANK_TOTALS])
{
    return (p->count > 1 ? batch_of_several : batch_of_one)(p, batch, totals);
}
/* SPDX-License-Identifier: MIT */
