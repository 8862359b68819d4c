/* Watts's alpha-model ("Small Worlds", Princeton 1999, chapter 3).
 *
 * In its turn, vertex i takes a new neighbour j with probability proportional to R = p + (1 - p) f(m / k). Here, m is
 * the number of common neighbours, k the mean degree, and f(x) = min(x^alpha, 1). Only vertices at distance two have m
 * > 0. So R is a mixture of p for all vertices that are not neighbours, drawn by rejection, and of f for these few. */
#include "graph/generate/generate_internal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/generate/generate.clh"

#define CAPACITY 8u      /* initial capacity of a vertex's neighbours */
#define TAKEN UINT32_MAX /* a neighbour already, or the vertex itself */

struct row {
    uint64_t begin;
    uint32_t degree, capacity;
};

struct alpha {
    uint32_t n, k, *ends;
    uint64_t count, edges, seed;
    double p, *closure; /* f(m / k), for m up to k */
    struct row *rows;
    uint32_t *pool; /* the rows' neighbours */
    size_t pool_used, pool_capacity;
    uint32_t *common; /* per vertex: neighbours in common with the current vertex */
    uint32_t *near;   /* vertices with common neighbours */
    uint32_t *order;  /* order of turns */
};

/* ---- powers ---- */

/* Computes x^y with + - * / only, which give the same bits on all machines. x = 2^exponent z, with log z = 2 atanh((z -
 * 1) / (z + 1)); then 2^(integer part) times the series of exp. */
double mw_generate_power(double x, double y)
{
    const double ln2 = 0.693147180559945309417232;
    double exponent = 0.0, log = 0.0, exp = 1.0, whole = 0.0, z;
    for (; x < 0.70710678; x *= 2.0)
        exponent -= 1.0;
    z = (x - 1.0) / (x + 1.0);
    for (int i = 25; i > 0; i -= 2)
        log = log * z * z + 1.0 / i;
    z = y * (exponent * ln2 + 2.0 * z * log);
    if (z < -700.0)
        return 0.0;
    for (; z < -0.5 * ln2; z += ln2)
        whole += 1.0;
    for (int i = 20; i > 0; i--)
        exp = exp * z / i + 1.0;
    for (; whole > 0.0; whole -= 1.0)
        exp *= 0.5;
    return exp;
}

/* ---- neighbours ---- */

static int add_neighbour(struct alpha *w, uint32_t i, uint32_t j)
{
    struct row *row = &w->rows[i];
    if (row->degree == row->capacity) {
        const uint32_t capacity = row->capacity ? 2 * row->capacity : CAPACITY;
        if (mw_reserve(w->pool_used, capacity, sizeof *w->pool, &w->pool_capacity, &w->pool) != 0)
            return mw_fail(MW_ENOMEM,
                           "alpha: out of memory for the neighbours of n = %u vertices: use fewer, or a smaller "
                           "k",
                           w->n);
        memcpy(w->pool + w->pool_used, w->pool + row->begin, row->degree * sizeof *w->pool);
        row->begin = w->pool_used;
        row->capacity = capacity;
        w->pool_used += capacity;
    }
    w->pool[row->begin + row->degree++] = j;
    return 0;
}

static int add_edge(struct alpha *w, uint32_t i, uint32_t j)
{
    TRY_RETURN(add_neighbour(w, i, j));
    TRY_RETURN(add_neighbour(w, j, i));
    w->ends[2 * w->edges] = i;
    w->ends[2 * w->edges + 1] = j;
    w->edges++;
    return 0;
}

/* ---- a turn ---- */

/* Counts for each vertex its neighbours in common with i; returns the number of vertices with any. */
static uint32_t count_common(struct alpha *w, uint32_t i)
{
    const struct row row = w->rows[i];
    uint32_t found = 0;
    w->common[i] = TAKEN;
    for (uint32_t a = 0; a < row.degree; a++)
        w->common[w->pool[row.begin + a]] = TAKEN;
    for (uint32_t a = 0; a < row.degree; a++) {
        const struct row next = w->rows[w->pool[row.begin + a]];
        for (uint32_t b = 0; b < next.degree; b++) {
            const uint32_t j = w->pool[next.begin + b];
            if (w->common[j] == TAKEN)
                continue;
            if (w->common[j]++ == 0)
                w->near[found++] = j;
        }
    }
    return found;
}

static void forget_common(struct alpha *w, uint32_t i, uint32_t found)
{
    const struct row row = w->rows[i];
    for (uint32_t a = 0; a < found; a++)
        w->common[w->near[a]] = 0;
    for (uint32_t a = 0; a < row.degree; a++)
        w->common[w->pool[row.begin + a]] = 0;
    w->common[i] = 0;
}

static double closure_of(const struct alpha *w, uint32_t j)
{
    return w->closure[w->common[j] < w->k ? w->common[j] : w->k];
}

/* Returns the new neighbour of vertex i in this turn. i must not be adjacent to all others. */
static uint32_t alpha_choose(struct alpha *w, uint32_t i, uint64_t turn)
{
    const uint32_t found = count_common(w, i);
    const double strangers = w->p * (double)(w->n - 1 - w->rows[i].degree);
    double friends = 0.0, left;
    struct philox r = draw_words(turn, 0, DRAW_CHOICE, w->seed);
    uint32_t chosen = TAKEN;
    for (uint32_t a = 0; a < found; a++)
        friends += closure_of(w, w->near[a]);
    friends *= 1.0 - w->p;
    left = (double)(((uint64_t)r.word[0] << 32 | r.word[1]) >> 11) / 9007199254740992.0 * (friends + strangers);
    if (left < friends) {
        left /= 1.0 - w->p;
        for (uint32_t a = 0; a < found && left >= 0.0; a++)
            if (closure_of(w, w->near[a]) > 0.0) {
                chosen = w->near[a];
                left -= closure_of(w, chosen);
            }
    }
    for (uint32_t draw = 1; chosen == TAKEN; draw++) {
        r = draw_words(turn, draw, DRAW_CHOICE, w->seed);
        for (uint32_t half = 0; half < 4 && chosen == TAKEN; half += 2) {
            const uint32_t j = draw_below(r.word[half], r.word[half + 1], w->n);
            chosen = w->common[j] == TAKEN ? TAKEN : j;
        }
    }
    forget_common(w, i, found);
    return chosen;
}

/* Shuffles the order of turns of a round. */
static void shuffle(struct alpha *w, uint64_t round)
{
    for (uint32_t left = w->n; left > 1; left--) {
        const struct philox r = draw_words(left, (uint32_t)round, DRAW_TURN, w->seed);
        const uint32_t other = draw_below(r.word[0], r.word[1], left), moved = w->order[left - 1];
        w->order[left - 1] = w->order[other];
        w->order[other] = moved;
    }
}

static int grow(struct alpha *w)
{
    for (uint64_t round = 0; w->edges < w->count; round++) {
        shuffle(w, round);
        for (uint32_t v = 0; v < w->n && w->edges < w->count; v++)
            if (w->rows[w->order[v]].degree < w->n - 1)
                TRY_RETURN(add_edge(w, w->order[v], alpha_choose(w, w->order[v], round * w->n + v)));
    }
    return 0;
}

int mw_generate_alpha(struct mw_generation *g)
{
    const bool substrate = g->values[4] != 0.0;
    struct alpha w = { .n = (uint32_t)g->values[0],
                       .k = (uint32_t)g->values[1],
                       .ends = g->edges->ends,
                       .count = g->edges->count,
                       .seed = g->seed,
                       .p = g->values[3] };
    struct mw_owner own = { 0 };
    int rc;
    TRY(mw_own_new(&own, (size_t)w.k + 1, sizeof *w.closure, &w.closure));
    TRY(mw_own_new(&own, w.n, sizeof *w.rows, &w.rows));
    TRY(mw_own_new(&own, w.n, sizeof *w.common, &w.common));
    TRY(mw_own_new(&own, w.n, sizeof *w.near, &w.near));
    TRY(mw_own_new(&own, w.n, sizeof *w.order, &w.order));
    for (uint32_t m = 1; m <= w.k; m++)
        w.closure[m] = mw_generate_power((double)m / w.k, g->values[2]);
    for (uint32_t i = 0; i < w.n; i++)
        w.order[i] = i;
    for (uint32_t i = 0; substrate && i < w.n; i++)
        TRY(add_edge(&w, i, i + 1 < w.n ? i + 1 : 0));
    TRY(grow(&w));
out:
    mw_owner_drop(&own);
    free(w.pool);
    return rc;
}
/* SPDX-License-Identifier: MIT */
