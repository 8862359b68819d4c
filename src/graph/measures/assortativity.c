/* Degree assortativity, exactly. */
#include <math.h>
#include <stdlib.h>

#include "graph/measures/measures_internal.h"

/* Of the arcs: sums of what their tails' and heads' degrees are, of the squares of these, and of the products. */
struct moments { mw_u128 tails, heads, tails2, heads2, products; };

static void add_vertices(const struct mw_graph *g, const uint64_t *in, struct moments *m)
{
    for (size_t v = 0; v < g->vertices; v++) {
        const mw_u128 leaving = g->offsets[v + 1] - g->offsets[v], arriving = in ? in[v] : leaving;
        m->tails += leaving * leaving;
        m->tails2 += leaving * leaving * leaving;
        m->heads += arriving * arriving;
        m->heads2 += arriving * arriving * arriving;
    }
}

static void add_arcs(const struct mw_graph *g, const uint64_t *in, struct moments *m)
{
    for (size_t v = 0; v < g->vertices; v++) {
        mw_u128 of_heads = 0;
        for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++) {
            const uint32_t head = g->heads[at];
            of_heads += in ? in[head] : g->offsets[head + 1] - g->offsets[head];
        }
        m->products += of_heads * (g->offsets[v + 1] - g->offsets[v]);
    }
}

/* n times the sum of the products of two numbers, less the product of their sums; false: beyond 128 bits. */
static bool covariance(mw_u128 n, mw_u128 products, mw_u128 a, mw_u128 b, double *result)
{
    mw_u128 first, second;
    if (__builtin_mul_overflow(n, products, &first) || __builtin_mul_overflow(a, b, &second))
        return false;
    *result = first >= second ? (double)(first - second) : -(double)(second - first);
    return true;
}

int mw_graph_assortativity(const struct mw_graph *g, double *assortativity)
{
    double both, tails, heads;
    struct moments m = { 0 };
    uint64_t *in = NULL;
    int rc;
    TRY(mw_vertices_check(g->vertices));
    TRY(mw_graph_check_heads(g, 1));
    if (g->directed) {
        TRY(mw_new(g->vertices, sizeof *in, &in));
        for (uint64_t at = 0; at < g->arcs; at++)
            in[g->heads[at]]++;
    }
    add_vertices(g, in, &m);
    add_arcs(g, in, &m);
    if (!covariance(g->arcs, m.products, m.tails, m.heads, &both) ||
        !covariance(g->arcs, m.tails2, m.tails, m.tails, &tails) ||
        !covariance(g->arcs, m.heads2, m.heads, m.heads, &heads))
        rc = mw_fail(MW_ELIMIT, "assortativity: the sums of this graph's degrees take more than 128 bits");
    else
        *assortativity = tails > 0 && heads > 0 ? both / (g->directed ? sqrt(tails) * sqrt(heads) : tails) : NAN;
out:
    free(in);
    return rc;
}
