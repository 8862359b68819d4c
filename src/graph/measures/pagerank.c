/* PageRank: see cl/graph/measures/pagerank.cl. pagerank_rounds.c has the launches. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/memory/pieces.h"
#include "dev/native/executor.h"
#include "graph/measures/measures_internal.h"
#include "graph/measures/pagerank.h"
#include "graph/targets/targets.h"

#define ALL (UINT64_C(1) << PAGERANK_BITS)

/* The number of rounds until a look at the totals, for each look; the last number repeats. */
static const size_t batches[] = { 6, 8, 8, 16, 32, PAGERANK_ROUNDS_MOST };

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
    TRY_RETURN(mw_graph_check_given(p->graph, p->share[0].on.device));
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

/* Returns the initial rank: all equal, or, for accelerated rounds, as if all arcs passed on the same. */
static uint64_t first_rank(const struct pagerank *p, uint64_t degree)
{
    if (!p->steady)
        return ALL / p->graph->vertices;
    return p->round.base + (degree ? (ALL - p->graph->vertices * p->round.base) / p->graph->arcs * degree : 0);
}

static unsigned bits_of(uint64_t number) { return number ? 64 - (unsigned)__builtin_clzll(number) : 0; }

/* Finds places of vertices, by falling numbers of arcs up to powers of two. */
static void find_places(const struct mw_graph *g, uint32_t *place)
{
    uint32_t next[65] = { 0 };
    for (size_t v = 0; v < g->vertices; v++)
        next[bits_of(g->offsets[v + 1] - g->offsets[v])]++;
    for (size_t c = MW_COUNT(next), before = 0; c-- > 0;) {
        const uint32_t count = next[c];
        next[c] = (uint32_t)before;
        before += count;
    }
    for (size_t v = 0; v < g->vertices; v++)
        place[v] = next[bits_of(g->offsets[v + 1] - g->offsets[v])]++;
}

static int send_start(const struct pagerank *p, const uint64_t *ranks, const uint64_t *factors)
{
    for (size_t d = 0; d < p->count; d++) {
        const struct pagerank_share *share = &p->share[d];
        const size_t first = share->range.first, bytes = share->range.rows.vertices * sizeof *ranks;
        TRY_RETURN(mw_buffer_write(share->ranks, 0, bytes, ranks + first, NULL));
        TRY_RETURN(mw_buffer_write(share->factors, 0, bytes, factors + first, NULL));
        TRY_RETURN(mw_buffer_write(share->passed, 0, p->graph->vertices * sizeof *ranks, p->passed, NULL));
    }
    return 0;
}

static int measures_pagerank_start(struct pagerank *p)
{
    const struct mw_graph *g = p->graph;
    const size_t n = g->vertices;
    struct mw_owner own = { 0 }; /* frees arrays that are needed only here */
    uint64_t *ranks, *factors, dangling = 0;
    uint32_t *place = NULL;
    int rc;
    if (p->share[0].is_placed) {
        TRY(mw_own_new(&own, n, sizeof *place, &place));
        find_places(g, place);
        TRY(mw_pagerank_place(&p->share[0], place));
    }
    TRY(mw_own_new(&own, n, sizeof *ranks, &ranks));
    TRY(mw_own_new(&own, n, sizeof *factors, &factors));
    TRY(mw_own_new(p->count > 1 ? &p->own : &own, n, sizeof *p->passed, &p->passed));
    TRY(mw_own_new(&p->own, p->count > 1 ? n : 0, sizeof *p->next_passed, &p->next_passed));
    for (size_t v = 0; v < n; v++) {
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        ranks[v] = first_rank(p, degree);
        factors[v] = degree ? p->damping / degree : 0;
        p->passed[place ? place[v] : v] = (uint64_t)((mw_u128)ranks[v] * factors[v] >> 64);
        dangling += degree ? 0 : ranks[v];
    }
    mw_pagerank_put(p->totals, dangling);
    mw_pagerank_put(p->totals + 2, UINT64_MAX);
    mw_pagerank_put(p->totals + 4, 0);
    TRY(send_start(p, ranks, factors));
out:
    mw_owner_drop(&own);
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
        TRY_RETURN(mw_graph_reversed(p->share[0].on.device, g, &p->made));
        p->reversed = &p->made;
    }
    for (size_t d = 0; d < p->count; d++)
        mw_vertex_share(p->reversed, d, p->count, &p->share[d].range);
    TRY_RETURN(mw_own_team(&p->own, p->share, sizeof *p->share, p->count, &p->team));
    TRY_RETURN(mw_team_run(p->team, mw_pagerank_share_make, NULL));
    TRY_RETURN(set_tolerance(p));
    TRY_RETURN(mw_own_new(&p->own, g->vertices, sizeof *p->units, &p->units));
    TRY_RETURN(mw_new_unless(p->options.ranks, g->vertices, sizeof *p->ranks, &p->ranks));
    p->rounds_most = 64 + 2 * (size_t)(log(p->options.tolerance / 2) / log(p->options.damping));
    return measures_pagerank_start(p);
}

/* ---- rounds ---- */

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

/* Computes several rounds between two looks at their totals. */
static int repeat(struct pagerank *p)
{
    uint32_t totals[PAGERANK_ROUNDS_MOST + 1][PAGERANK_TOTALS];
    for (size_t look = 0;; look += look + 1 < MW_COUNT(batches)) {
        const size_t batch = batches[look];
        TRY_RETURN(mw_pagerank_batch(p, batch, totals));
        for (size_t r = 1; r <= batch; r++) {
            p->rounds++;
            p->change = mw_pagerank_change_of(totals[r]);
            if (p->change <= p->round.tolerance) {
                if (p->count == 1 && (batch - r) % 2) /* an odd number of rounds that did nothing */
                    mw_buffer_swap(&p->share[0].ranks, &p->share[0].before);
                return 0;
            }
        }
        if (p->rounds > p->rounds_most)
            TRY_RETURN(mw_fail(MW_EINVAL,
                               "ranks do not converge: the graph is marked undirected, but has arcs without a "
                               "reverse"));
        TRY_RETURN(mw_progress(mw_min(p->rounds, p->rounds_most - 1), p->rounds_most));
        if (p->steady)
            look_back(p, (double)p->change, (double)mw_pagerank_change_of(totals[batch - 2]));
        memcpy(p->totals, totals[batch], sizeof p->totals);
    }
    return 0;
}

/* ---- results ---- */

enum { SCALED = 1 << 16 }; /* fewest vertices per thread that pay for starting it */

struct scaling {
    int64_t *units; /* final ranks */
    double *ranks;
    atomic_uint_fast64_t all; /* sum of the units */
};

/* Adds up units. They may be negative if the tolerance is coarse. */
static void add_units(void *context, size_t begin, size_t end, unsigned worker)
{
    struct scaling *s = context;
    uint64_t sum = 0;
    for (size_t v = begin; v < end; v++)
        sum += (uint64_t)(s->units[v] = s->units[v] < 0 ? 0 : s->units[v]);
    atomic_fetch_add(&s->all, sum);
}

static void scale_units(void *context, size_t begin, size_t end, unsigned worker)
{
    const struct scaling *s = context;
    const double all = (double)s->all;
    for (size_t v = begin; v < end; v++)
        s->ranks[v] = (double)s->units[v] / all;
}

static int result(struct pagerank *p, struct mw_graph_pagerank *r)
{
    const size_t n = p->graph->vertices;
    struct scaling scaling = { .units = p->units, .ranks = p->ranks };
    struct mw_executor *executor = NULL;
    int rc;
    for (size_t d = 0; d < p->count && n > 0; d++) {
        const struct mw_vertex_share *range = &p->share[d].range;
        TRY(mw_buffer_read(p->share[d].ranks, 0, range->rows.vertices * sizeof *p->units, p->units + range->first,
                           NULL));
    }
    TRY(mw_graph_executor(mw_graph_threads(p->share[0].on.device), n / SCALED, &executor));
    mw_parallel_for(executor, n, 0, add_units, &scaling);
    mw_parallel_for(executor, n, 0, scale_units, &scaling);
    *r = (struct mw_graph_pagerank){ .vertices = n,
                                     .ranks = p->options.ranks ? NULL : p->ranks,
                                     .rounds = p->rounds,
                                     .change = ldexp((double)p->change, -PAGERANK_BITS) };
    p->ranks = NULL;
out:
    mw_executor_free(executor);
    return rc;
}

/* Returns the number of devices that take part: after each round, each gets the ranks of all vertices. */
static size_t pagerank_devices(const struct mw_graph *graph, struct mw_device *const *devices, size_t count)
{
    enum { ROUNDS = 40 };
    const double n = (double)graph->vertices;
    const struct mw_worth work = { .what = "PageRank",
                                   .visits = ROUNDS * ((double)graph->arcs + n),
                                   .waits = ROUNDS,
                                   .bytes = ROUNDS * n * sizeof(uint64_t) };
    return mw_devices_worth(devices, count, &work);
}

static int make_shares(struct pagerank *p, struct mw_device *const *devices, size_t count,
                       const struct mw_arc_limits *limits)
{
    p->count = mw_max(mw_min(pagerank_devices(p->graph, devices, count), p->graph->vertices), 1);
    TRY_RETURN(mw_own_graph(&p->own, &p->made));
    TRY_RETURN(mw_own_new(&p->own, p->count, sizeof *p->share, &p->share));
    for (size_t d = 0; d < p->count; d++) {
        struct pagerank_share *const share = &p->share[d];
        share->of = p;
        share->on = mw_arc_worker_on(devices[d], limits, &share->owner);
        TRY_RETURN(mw_own_owner(&p->own, &share->owner));
    }
    return 0;
}

int mw_graph_pagerank_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                             const struct mw_graph_pagerank_options *options, const struct mw_arc_limits *limits,
                             struct mw_graph_pagerank *pagerank)
{
    struct pagerank p = { .graph = graph };
    const double before = mw_work_now();
    struct mw_graph_pagerank made = MW_INIT(made);
    struct mw_pages *units = NULL, *ranks = NULL;
    double began = before;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_pagerank, NULL, seconds, pagerank));
    TRY(make_shares(&p, devices, count, limits));
    TRY(measures_pagerank_take_options(&p, options));
    if (graph->vertices > 0) {
        TRY(measures_pagerank_make(&p));
        began = mw_work_now();
        units = mw_pages_begin(devices[0], p.units, graph->vertices * sizeof *p.units);
        ranks = mw_pages_begin(devices[0], p.ranks, graph->vertices * sizeof *p.ranks);
        TRY(mw_progress(0, p.rounds_most));
        TRY(repeat(&p));
        mw_pages_end(units);
        mw_pages_end(ranks);
        units = ranks = NULL;
        TRY(mw_progress(p.rounds_most, p.rounds_most));
    }
    TRY(result(&p, &made));
    made.preparing = began - before;
    made.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_pagerank, &made, seconds, pagerank));
out:
    mw_pages_end(units);
    mw_pages_end(ranks);
    mw_owner_drop(&p.own);
    mw_free_own(p.options.ranks, p.ranks);
    return rc;
}

int mw_graph_pagerank(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                      const struct mw_graph_pagerank_options *options, struct mw_graph_pagerank *pagerank)
{
    TRY_RETURN(mw_team_devices(&devices, &count, "PageRank"));
    return mw_graph_pagerank_within(devices, count, graph, options, &mw_arc_limits_usual, pagerank);
}

void mw_graph_pagerank_free(struct mw_graph_pagerank *pagerank)
{
    if (!pagerank)
        return;
    free(pagerank->ranks);
    mw_result_clear(pagerank);
}
/* SPDX-License-Identifier: MIT */
