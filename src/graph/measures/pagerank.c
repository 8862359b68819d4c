/* PageRank: see cl/graph/measures/pagerank.cl. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/measures/measures_internal.h"
#include "graph/measures/pagerank_plan.clh"
#include "kernels/graph/measures/pagerank.h"
#include "kernels/native.h"

#define ALL (UINT64_C(1) << PAGERANK_BITS)
enum { ROUNDS_FIRST = 8, ROUNDS_MOST = 64 }; /* queued between two looks at the device */

struct pagerank {
    const struct mw_graph *graph, *reversed;
    struct mw_graph made;
    struct mw_graph_pagerank_options options;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_heavy heavy;       /* in the form for groups */
    struct mw_buffer *ranks, *passed, *sums, *factors, *totals;
    struct pagerank_round round;
    uint64_t damping;            /* a part of 2^64 */
    size_t rounds;
    uint64_t change;
};

/* ---- what is given ---- */

/* What rounding off may change in a round: each arc and vertex loses less than two units; and what is lost goes on to
 * be passed on. */
static uint64_t least_tolerance(const struct pagerank *p)
{
    const double lost = 2 * ((double)p->graph->arcs + (double)p->graph->vertices);
    return (uint64_t)(2 * lost / (1 - p->options.damping)) + 1;
}

static int take_options(struct pagerank *p, const struct mw_graph_pagerank_options *options)
{
    struct mw_graph_pagerank_options *o = &p->options;
    int rc;
    TRY(mw_graph_check_given(p->graph, p->on.device));
    TRY(MW_OPTIONS_TAKE(mw_graph_pagerank_options, options, block_arcs, o));
    o->damping = o->damping == 0 ? 0.85 : o->damping;
    o->tolerance = o->tolerance == 0 ? 1e-10 : o->tolerance;
    if (!(o->damping >= 1e-6 && o->damping < 1))
        return mw_fail(MW_EINVAL, "a damping of %g: give one from 0.000001 to below 1", o->damping);
    if (!(o->tolerance > 0 && o->tolerance <= 2))
        return mw_fail(MW_EINVAL, "a tolerance of %g: give one above 0, and at most 2", o->tolerance);
    p->damping = (uint64_t)ldexp(o->damping, 64);
out:
    return rc;
}

/* ---- life ---- */

static int make_buffers(struct pagerank *p)
{
    struct mw_device *device = p->on.device;
    const size_t bytes = p->graph->vertices * sizeof(uint64_t);
    int rc;
    TRY(mw_buffer_new(device, bytes, &p->ranks));
    TRY(mw_buffer_new(device, bytes, &p->passed));
    TRY(mw_buffer_new(device, bytes, &p->sums));
    TRY(mw_buffer_new(device, bytes, &p->factors));
    TRY(mw_buffer_new(device, (ROUNDS_MOST + 1) * PAGERANK_TOTALS * sizeof(uint32_t), &p->totals));
    TRY(mw_buffer_fill(p->sums, 0, bytes, 0));
out:
    return rc;
}

static void put_u64(uint32_t *halves, uint64_t value)
{
    halves[0] = (uint32_t)value;
    halves[1] = (uint32_t)(value >> 32);
}

static uint64_t get_u64(const uint32_t *halves) { return (uint64_t)halves[1] << 32 | halves[0]; }

/* Equal ranks, and what follows from them. */
static int start(struct pagerank *p)
{
    const struct mw_graph *g = p->graph;
    const size_t n = g->vertices;
    uint64_t *words, dangling = 0;
    uint32_t totals[PAGERANK_TOTALS];
    int rc;
    TRY(mw_new(n, sizeof *words, &words));
    for (size_t v = 0; v < n; v++)
        words[v] = ALL / n;
    TRY(mw_buffer_write(p->ranks, 0, n * sizeof *words, words, NULL));
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        words[v] = degree ? p->damping / degree : 0;
        dangling += words[v] ? 0 : ALL / n;
    }
    TRY(mw_buffer_write(p->factors, 0, n * sizeof *words, words, NULL));
    for (size_t v = 0; v < n; v++)
        words[v] = (uint64_t)((mw_u128)(ALL / n) * words[v] >> 64);
    TRY(mw_buffer_write(p->passed, 0, n * sizeof *words, words, NULL));
    put_u64(totals, dangling);
    put_u64(totals + 2, UINT64_MAX);
    TRY(mw_buffer_write(p->totals, 0, sizeof totals, totals, NULL));
out:
    free(words);
    return rc;
}

static int make(struct pagerank *p)
{
    const struct mw_graph *g = p->graph;
    const size_t n = g->vertices;
    uint64_t passed_on;
    int rc = 0;
    p->reversed = g;
    if (g->directed) {
        TRY(mw_graph_reversed(p->on.device, g, &p->made));
        p->reversed = &p->made;
    }
    TRY(mw_arc_set_new(&p->on, &kernels_graph_measures_pagerank,
                       &(struct mw_kernel_options){ .native = mw_native_graph_pagerank }, &p->set));
    TRY(make_buffers(p));
    TRY(mw_arc_blocks_make(&p->on, p->reversed, 0, g->arcs, p->options.block_arcs, 0,
                           p->on.cores ? 0 : mw_heavy_bytes(g->arcs), &p->blocks));
    if (!p->on.cores)
        TRY(mw_heavy_make(&p->blocks, &p->heavy));
    passed_on = (uint64_t)((mw_u128)ALL * p->damping >> 64);
    p->round.base = (ALL - passed_on) / n;
    p->round.of_dangling = p->damping / n;
    p->round.tolerance = (uint64_t)ldexp(p->options.tolerance, PAGERANK_BITS);
    if (p->round.tolerance < least_tolerance(p))
        p->round.tolerance = least_tolerance(p);
    p->round.vertices = (int64_t)n;
    TRY(start(p));
out:
    return rc;
}

static void drop(struct pagerank *p)
{
    mw_heavy_drop(&p->heavy);
    mw_arc_blocks_drop(&p->blocks);
    mw_buffer_free(p->ranks);
    mw_buffer_free(p->passed);
    mw_buffer_free(p->sums);
    mw_buffer_free(p->factors);
    mw_buffer_free(p->totals);
    mw_kernel_set_free(p->set);
    mw_graph_free(&p->made);
}

/* ---- rounds ---- */

static int collect_heavy(struct pagerank *p, size_t block, const struct mw_arc_view *view)
{
    struct mw_buffer *pieces;
    uint32_t count, width;
    int rc = 0;
    for (size_t class = 0; class < MW_HEAVY_CLASSES && !p->on.cores; class++) {
        TRY(mw_heavy_take(&p->heavy, block, class, &pieces, &count, &width));
        if (count > 0)
            TRY(launch_pagerank_collect_heavy(p->set, mw_heavy_range(p->set, count, width), p->passed, p->sums,
                                              MW_ARCS(view), pieces, count, width, p->totals, &p->round));
    }
out:
    return rc;
}

static int round_of(struct pagerank *p)
{
    struct mw_arc_view view;
    struct mw_range range;
    int rc = 0;
    for (size_t b = 0; b < p->blocks.count; b++) {
        TRY(mw_arc_block_take(&p->blocks, b, &view));
        range = mw_arc_range(&p->on, p->set, p->blocks.block[b].count, &p->round.each);
        TRY(launch_pagerank_collect(p->set, range, p->passed, p->sums, MW_ARCS(&view), p->totals, &p->round));
        TRY(collect_heavy(p, b, &view));
    }
    range = mw_arc_range(&p->on, p->set, p->graph->vertices, &p->round.each);
    TRY(launch_pagerank_settle(p->set, range, p->ranks, p->passed, p->sums, p->factors, p->totals, &p->round));
out:
    return rc;
}

/* Several are queued between two looks; those that follow the last one do nothing. */
static int repeat(struct pagerank *p)
{
    enum { BYTES = PAGERANK_TOTALS * sizeof(uint32_t) };
    uint32_t totals[ROUNDS_MOST + 1][PAGERANK_TOTALS];
    int rc;
    for (size_t batch = ROUNDS_FIRST;; batch = batch < ROUNDS_MOST ? 2 * batch : batch) {
        TRY(mw_buffer_fill(p->totals, BYTES, batch * BYTES, 0));
        for (size_t r = 0; r < batch; r++) {
            p->round.r = (int64_t)r;
            TRY(round_of(p));
        }
        TRY(mw_buffer_read(p->totals, 0, (batch + 1) * BYTES, totals, NULL));
        for (size_t r = 1; r <= batch; r++) {
            p->rounds++;
            p->change = get_u64(totals[r] + 2);
            if (p->change <= p->round.tolerance)
                goto out;
        }
        TRY(mw_buffer_write(p->totals, 0, BYTES, totals[batch], NULL));
    }
out:
    return rc;
}

/* ---- results ---- */

static int result(struct pagerank *p, struct mw_graph_pagerank *r)
{
    const size_t n = p->graph->vertices;
    uint64_t *units = NULL, all = 0;
    double *ranks = NULL;
    int rc;
    TRY(mw_new(n, sizeof *units, &units));
    TRY(mw_new(n, sizeof *ranks, &ranks));
    if (n > 0)
        TRY(mw_buffer_read(p->ranks, 0, n * sizeof *units, units, NULL));
    for (size_t v = 0; v < n; v++)
        all += units[v];
    for (size_t v = 0; v < n; v++)
        ranks[v] = (double)units[v] / (double)all;
    *r = (struct mw_graph_pagerank){ .vertices = n, .ranks = ranks, .rounds = p->rounds,
                                     .change = ldexp((double)p->change, -PAGERANK_BITS) };
    ranks = NULL;
out:
    free(units);
    free(ranks);
    return rc;
}

int mw_graph_pagerank_within(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, const struct mw_arc_limits *limits,
                             struct mw_graph_pagerank *pagerank)
{
    struct pagerank p = { .graph = graph, .on = { device, mw_device_info(device)->traits.has_cores, limits } };
    const double before = mw_now();
    double began = before;
    int rc;
    TRY(take_options(&p, options));
    if (graph->vertices > 0) {
        TRY(make(&p));
        began = mw_now();
        TRY(repeat(&p));
    }
    TRY(result(&p, pagerank));
    pagerank->preparing = began - before;
    pagerank->seconds = mw_now() - began;
out:
    drop(&p);
    return rc;
}

int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
                      const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank)
{
    return mw_graph_pagerank_within(device, graph, options, &mw_arc_limits_usual, pagerank);
}

void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank)
{
    free(pagerank->ranks);
    *pagerank = (struct mw_graph_pagerank){ 0 };
}
