/* PageRank: see cl/graph/measures/pagerank.cl. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/given.h"
#include "graph/measures/measures_internal.h"
#include "graph/measures/pagerank_plan.clh"
#include "kernels/graph/measures/pagerank.h"
#include "kernels/native.h"

#define ALL (UINT64_C(1) << PAGERANK_BITS)
#define ONE_62 (UINT64_C(1) << 62)
/* Rounds queued between two reads of the device; the last number repeats. */
enum { ROUNDS_MOST = 64 };
static const size_t batches[] = { 6, 8, 8, 16, 32, ROUNDS_MOST };

/* Acceleration of rounds on an undirected graph. All numbers are parts of 2^64 except `factor`. */
struct acceleration {
    uint64_t radius; /* errors are assumed to shrink to this part or less in a plain round */
    uint64_t factor; /* in units of 2^-62, 1 to 2: step length of the next round from the last rank but
                                  * one */
    size_t rounds;   /* since the radius was set */
};

struct pagerank {
    const struct mw_graph *graph, *reversed;
    struct mw_graph made;
    struct mw_graph_pagerank_options options;
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct mw_buffer *ranks, *before, *passed, *sums, *factors, *totals;
    struct mw_buffer *next_passed; /* NULL: arcs come in blocks, or the form for groups is used */
    struct pagerank_round round;
    uint64_t damping; /* a part of 2^64 */
    bool steady;      /* rounds are accelerated, and `before` is another buffer than `ranks` */
    struct acceleration ahead;
    size_t rounds, rounds_most;
    uint64_t change;
};

/* ---- options ---- */

/* Sets the change, in units, at which rounds stop. It must exceed the rounding errors of a round: each arc and vertex
 * loses less than two units, twice that in accelerated rounds, and losses are passed on in later rounds. */
static int set_tolerance(struct pagerank *p)
{
    const double lost = 4 * ((double)p->graph->arcs + (double)p->graph->vertices);
    const double least = 2 * lost / (1 - p->options.damping) + 1, asked = ldexp(p->options.tolerance, PAGERANK_BITS);
    if (least > (double)ALL)
        return mw_fail(MW_EINVAL, "damping %.17g is too close to 1 for a graph of %g arcs: rounding errors dominate",
                       p->options.damping, (double)p->graph->arcs);
    p->round.tolerance = (uint64_t)(asked > least ? asked : least);
    return 0;
}

static int measures_pagerank_take_options(struct pagerank *p, const struct mw_graph_pagerank_options *options)
{
    struct mw_graph_pagerank_options *o = &p->options;
    TRY_RETURN(mw_graph_check_given(p->graph, p->on.device));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_pagerank_options, options, block_arcs, o));
    o->damping = o->damping == 0 ? 0.85 : o->damping;
    o->tolerance = o->tolerance == 0 ? 1e-10 : o->tolerance;
    if (!(o->damping >= 1e-6 && o->damping < 1))
        return mw_fail(MW_EINVAL, "damping %g must be at least 0.000001 and below 1", o->damping);
    if (!(o->tolerance > 0 && o->tolerance <= 2))
        return mw_fail(MW_EINVAL, "tolerance %g must be above 0 and at most 2", o->tolerance);
    p->damping = (uint64_t)ldexp(o->damping, 64);
    return 0;
}

/* ---- life ---- */

/* Returns an upper bound of the bytes of make_buffers. */
static size_t bytes_of_vertices(const struct pagerank *p)
{
    enum { BUFFERS = 5 };
    return p->graph->vertices * sizeof(uint64_t) * BUFFERS + sizeof(uint32_t) * (ROUNDS_MOST + 1) * PAGERANK_TOTALS;
}

static int measures_pagerank_make_buffers(struct pagerank *p)
{
    const size_t bytes = p->graph->vertices * sizeof(uint64_t);
    TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->ranks));
    p->before = p->ranks;
    if (p->steady) {
        TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->before));
        TRY_RETURN(mw_buffer_fill(p->before, 0, bytes, 0));
    }
    TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->passed));
    TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->factors));
    TRY_RETURN(mw_arc_buffer(&p->on, (ROUNDS_MOST + 1) * PAGERANK_TOTALS * sizeof(uint32_t), &p->totals));
    if (p->on.cores && !p->blocks.sent && p->blocks.count == 1) {
        TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->next_passed));
    } else {
        TRY_RETURN(mw_arc_buffer(&p->on, bytes, &p->sums));
        TRY_RETURN(mw_buffer_fill(p->sums, 0, bytes, 0));
    }
    return 0;
}

static void put_u64(uint32_t *halves, uint64_t value)
{
    halves[0] = (uint32_t)value;
    halves[1] = (uint32_t)(value >> 32);
}

static uint64_t get_u64(const uint32_t *halves) { return (uint64_t)halves[1] << 32 | halves[0]; }

/* Returns the initial rank: all equal, or, for accelerated rounds, as if all arcs passed on the same. */
static uint64_t first_rank(const struct pagerank *p, uint64_t degree)
{
    if (!p->steady)
        return ALL / p->graph->vertices;
    return p->round.base + (degree ? (ALL - p->graph->vertices * p->round.base) / p->graph->arcs * degree : 0);
}

static int measures_pagerank_start(struct pagerank *p)
{
    const struct mw_graph *g = p->graph;
    const size_t n = g->vertices;
    uint64_t *ranks = NULL, *factors = NULL, dangling = 0;
    uint32_t totals[PAGERANK_TOTALS];
    int rc;
    TRY(mw_new(n, sizeof *ranks, &ranks));
    TRY(mw_new(n, sizeof *factors, &factors));
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        ranks[v] = first_rank(p, degree);
        factors[v] = degree ? p->damping / degree : 0;
        dangling += degree ? 0 : ranks[v];
    }
    TRY(mw_buffer_write(p->ranks, 0, n * sizeof *ranks, ranks, NULL));
    TRY(mw_buffer_write(p->factors, 0, n * sizeof *factors, factors, NULL));
    for (size_t v = 0; v < n; v++)
        ranks[v] = (uint64_t)((mw_u128)ranks[v] * factors[v] >> 64);
    TRY(mw_buffer_write(p->passed, 0, n * sizeof *ranks, ranks, NULL));
    put_u64(totals, dangling);
    put_u64(totals + 2, UINT64_MAX);
    put_u64(totals + 4, 0);
    TRY(mw_buffer_write(p->totals, 0, sizeof totals, totals, NULL));
out:
    free(ranks);
    free(factors);
    return rc;
}

/* Returns whether rounds may be accelerated. The walk of an undirected graph has real eigenvalues only, and errors, as
 * sums of e^2 / degree, never grow. At first these are below 2 / (vertices with arcs). So no rank leaves the range of
 * its number unless a vertex has more arcs than that number of vertices, which takes multiple edges. */
static bool is_steady(const struct mw_graph *g, size_t *without_arcs)
{
    uint64_t most = 0;
    *without_arcs = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        most = degree > most ? degree : most;
        *without_arcs += degree == 0;
    }
    return !g->directed && most <= g->vertices - *without_arcs + 1;
}

/* Sets the ranks that vertices receive from random jumps. If no arc leads to a vertex without arcs, all w of these
 * always have the same rank, (1 - d) / (n - d w). Including the ranks these pass on, every vertex receives that
 * much. */
static void set_jumps(struct pagerank *p)
{
    const mw_u128 n = p->graph->vertices, jumps = ALL - (uint64_t)((mw_u128)ALL * p->damping >> 64);
    size_t without_arcs;
    p->steady = is_steady(p->graph, &without_arcs);
    p->round.base = (uint64_t)(jumps / n);
    if (p->steady)
        p->round.base = (uint64_t)((jumps << 64) / ((n << 64) - (mw_u128)p->damping * without_arcs));
    p->round.of_dangling = p->steady ? 0 : p->damping / p->graph->vertices;
    p->ahead.radius = p->damping / 4;
}

static int measures_pagerank_make(struct pagerank *p)
{
    const struct mw_graph *g = p->graph;
    set_jumps(p);
    p->reversed = g;
    if (g->directed) {
        TRY_RETURN(mw_graph_reversed(p->on.device, g, &p->made));
        p->reversed = &p->made;
    }
    TRY_RETURN(mw_arc_set_new(&p->on, &kernels_graph_measures_pagerank,
                              &(struct mw_kernel_options){ .native = mw_native_graph_pagerank }, &p->set));
    TRY_RETURN(mw_arc_blocks_make(&p->on, p->reversed, 0, g->arcs, p->options.block_arcs, 0,
                                  bytes_of_vertices(p) + mw_split_bytes(&p->on, g->arcs), &p->blocks));
    TRY_RETURN(measures_pagerank_make_buffers(p));
    TRY_RETURN(mw_split_make(&p->blocks, &p->split));
    TRY_RETURN(set_tolerance(p));
    p->round.vertices = (int64_t)g->vertices;
    p->rounds_most = 64 + 2 * (size_t)(log(p->options.tolerance / 2) / log(p->options.damping));
    return measures_pagerank_start(p);
}

/* ---- rounds ---- */

static int collect_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *pieces)
{
    const struct pagerank *p = context;
    return launch_pagerank_collect_split(p->set, mw_split_range(p->set, pieces), p->passed, p->sums, MW_ARCS(view),
                                         MW_ARC_PIECES(pieces), p->totals, &p->round);
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

/* If errors shrink more slowly than those within +-radius would, there is an eigenvalue x beyond it. The rate
 * determines x: a polynomial grows there by (x + sqrt(x^2 - radius^2)) / (1 + sqrt(1 - radius^2)) per round. */
static void look_back(struct pagerank *p, double change, double change_2_before)
{
    struct acceleration *a = &p->ahead;
    const double radius = ldexp((double)a->radius, -64), root = 1 + sqrt(1 - radius * radius);
    const double shrinks = sqrt(change / change_2_before), expected = radius / root;
    const double grows = shrinks * root, beyond = (grows * grows + radius * radius) / (2 * grows);
    if (!(shrinks > 1.02 * expected) || !(grows > radius) || a->radius == p->damping)
        return;
    a->radius = beyond < p->options.damping ? (uint64_t)ldexp(beyond, 64) : p->damping;
    a->rounds = 0;
}

static int whole_round(struct pagerank *p)
{
    const size_t n = p->graph->vertices;
    const struct mw_range range = mw_arc_work_range(&p->on, p->set, n, n + p->graph->arcs, &p->round.each);
    struct mw_arc_view view;
    TRY_RETURN(mw_arc_block_take(&p->blocks, 0, &view));
    TRY_RETURN(launch_pagerank_whole_round(p->set, range, p->passed, p->next_passed, MW_ARCS(&view), p->ranks,
                                           p->before, p->factors, p->totals, &p->round));
    mw_buffer_swap(&p->passed, &p->next_passed);
    return 0;
}

static int round_in_blocks(struct pagerank *p)
{
    struct mw_arc_view view;
    struct mw_range range;
    for (size_t b = 0; b < p->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&p->blocks, b, &view));
        range = mw_arc_range(&p->on, p->set, p->blocks.block[b].count, &p->round.each);
        TRY_RETURN(launch_pagerank_collect(p->set, range, p->passed, p->sums, MW_ARCS(&view), p->totals, &p->round));
        TRY_RETURN(mw_split_each(&p->split, b, &view, collect_split, p));
    }
    range = mw_arc_range(&p->on, p->set, p->graph->vertices, &p->round.each);
    return launch_pagerank_settle(p->set, range, p->ranks, p->before, p->passed, p->sums, p->factors, p->totals,
                                  &p->round);
}

static int measures_pagerank_round_of(struct pagerank *p)
{
    if (p->steady)
        go_ahead(&p->ahead);
    p->round.beyond = p->steady ? (p->ahead.factor - ONE_62) << 2 : 0;
    TRY_RETURN(p->next_passed ? whole_round(p) : round_in_blocks(p));
    mw_buffer_swap(&p->ranks, &p->before);
    return 0;
}

static uint64_t change_of(const uint32_t *totals) { return pagerank_change(get_u64(totals + 2), get_u64(totals + 4)); }

/* Queues several rounds between two reads; rounds after convergence do nothing. */
static int repeat(struct pagerank *p)
{
    enum { BYTES = PAGERANK_TOTALS * sizeof(uint32_t) };
    uint32_t totals[ROUNDS_MOST + 1][PAGERANK_TOTALS];
    for (size_t look = 0;; look += look + 1 < MW_COUNT(batches)) {
        const size_t batch = batches[look];
        TRY_RETURN(mw_buffer_fill(p->totals, BYTES, batch * BYTES, 0));
        for (size_t r = 0; r < batch; r++) {
            p->round.r = (int64_t)r;
            TRY_RETURN(measures_pagerank_round_of(p));
        }
        TRY_RETURN(mw_buffer_read(p->totals, 0, (batch + 1) * BYTES, totals, NULL));
        for (size_t r = 1; r <= batch; r++) {
            p->rounds++;
            p->change = change_of(totals[r]);
            if (p->change <= p->round.tolerance) {
                if ((batch - r) % 2) /* an odd number of rounds that did nothing */
                    mw_buffer_swap(&p->ranks, &p->before);
                return 0;
            }
        }
        if (p->rounds > p->rounds_most)
            TRY_RETURN(mw_fail(MW_EINVAL,
                               "ranks do not converge: the graph is marked undirected, but has arcs without a "
                               "reverse"));
        TRY_RETURN(mw_progress(mw_min(p->rounds, p->rounds_most - 1), p->rounds_most));
        if (p->steady)
            look_back(p, (double)p->change, (double)change_of(totals[batch - 2]));
        TRY_RETURN(mw_buffer_write(p->totals, 0, BYTES, totals[batch], NULL));
    }
    return 0;
}

/* ---- results ---- */

static int result(struct pagerank *p, struct mw_graph_pagerank *r)
{
    const size_t n = p->graph->vertices;
    uint64_t *units = NULL, all = 0;
    double *ranks = NULL;
    int rc;
    TRY(mw_new(n, sizeof *units, &units));
    TRY(mw_new_unless(p->options.ranks, n, sizeof *ranks, &ranks));
    if (n > 0)
        TRY(mw_buffer_read(p->ranks, 0, n * sizeof *units, units, NULL));
    /* Ranks may be negative if the tolerance is coarse. */
    for (size_t v = 0; v < n; v++)
        all += units[v] = (int64_t)units[v] < 0 ? 0 : units[v];
    for (size_t v = 0; v < n; v++)
        ranks[v] = (double)units[v] / (double)all;
    *r = (struct mw_graph_pagerank){ .vertices = n,
                                     .ranks = p->options.ranks ? NULL : ranks,
                                     .rounds = p->rounds,
                                     .change = ldexp((double)p->change, -PAGERANK_BITS) };
    ranks = NULL;
out:
    free(units);
    mw_free_own(p->options.ranks, ranks);
    return rc;
}

int mw_graph_pagerank_within(struct mw_device *device, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, const struct mw_arc_limits *limits,
                             struct mw_graph_pagerank *pagerank)
{
    struct pagerank p = { .graph = graph,
                          .on = { device, mw_device_info(device)->traits->has_cores, limits, &p.owner } };
    const double before = mw_work_now();
    struct mw_graph_pagerank made = MW_INIT(made);
    double began = before;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_pagerank, NULL, seconds, pagerank));
    TRY(measures_pagerank_take_options(&p, options));
    if (graph->vertices > 0) {
        TRY(measures_pagerank_make(&p));
        began = mw_work_now();
        TRY(mw_progress(0, p.rounds_most));
        TRY(repeat(&p));
        TRY(mw_progress(p.rounds_most, p.rounds_most));
    }
    TRY(result(&p, &made));
    made.preparing = began - before;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_pagerank, &made, seconds, pagerank));
out:
    mw_owner_drop(&p.owner);
    mw_graph_free(&p.made);
    return rc;
}

int mw_graph_pagerank(struct mw_device *device, const struct mw_graph *graph,
                      const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank)
{
    TRY_RETURN(mw_device_given(&device));
    return mw_graph_pagerank_within(device, graph, options, &mw_arc_limits_usual, pagerank);
}

void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank)
{
    if (!pagerank)
        return;
    free(pagerank->ranks);
    mw_result_clear(pagerank);
}
/* SPDX-License-Identifier: MIT */
