/* Degree assortativity, exactly: cl/graph/measures/assortativity.cl sums over the arcs. */
#include <math.h>
#include <stdlib.h>

#include "dev/core/given.h"
#include "graph/measures/measures_internal.h"
#include "kernels/graph/measures/assortativity.h"
#include "kernels/native.h"

enum { ITEM_ARCS = 256 }; /* form for groups: arcs per work-item */

struct assortativity {
    const struct mw_graph *graph;
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_buffer *leaving, *arriving, *sums; /* arriving: same as leaving in an undirected graph */
    uint32_t *degrees;                           /* degrees of one direction, on the host */
    /* Sums over arcs: degrees of tails and heads, their squares, and their products. */
    mw_u128 tails, heads, tails2, heads2, products;
};

static int assortativity_make(struct assortativity *a)
{
    const struct mw_graph *g = a->graph;
    const size_t bytes = g->vertices * sizeof *a->degrees;
    TRY_RETURN(mw_arc_set_new(&a->on, &kernels_graph_measures_assortativity,
                              &(struct mw_kernel_options){ .native = mw_native_graph_assortativity }, &a->set));
    TRY_RETURN(mw_arc_blocks_make(&a->on, g, 0, g->arcs, 0, 0, 2 * bytes + 4 * sizeof(uint32_t), &a->blocks));
    TRY_RETURN(mw_arc_new(&a->on, g->vertices, sizeof *a->degrees, &a->degrees));
    for (size_t v = 0; v < g->vertices; v++)
        a->degrees[v] = (uint32_t)(g->offsets[v + 1] - g->offsets[v]);
    TRY_RETURN(mw_arc_copy(&a->on, bytes, a->degrees, &a->leaving));
    a->arriving = a->leaving;
    if (g->directed)
        TRY_RETURN(mw_arc_zeros(&a->on, bytes, &a->arriving));
    return mw_arc_zeros(&a->on, 4 * sizeof(uint32_t), &a->sums);
}

/* Adds the degrees in a->degrees, once per arc, and their squares. */
static void add_vertices(const struct assortativity *a, mw_u128 *sum, mw_u128 *squares)
{
    for (size_t v = 0; v < a->graph->vertices; v++) {
        const mw_u128 degree = a->degrees[v];
        *sum += degree * degree;
        *squares += degree * degree * degree;
    }
}

/* Returns the range of work-items for a block's arcs. */
static struct mw_range block_range(const struct assortativity *a, size_t block)
{
    const struct mw_arc_block *b = &a->blocks.block[block];
    const size_t arcs = (size_t)(b->high - b->low), each = a->on.cores ? mw_arc_each(&a->on, arcs) : ITEM_ARCS;
    return mw_parts(a->set, arcs / each / a->set->group + 1);
}

/* Counts the arcs that arrive at each vertex, or sums the products. */
static int inspect_arcs(struct assortativity *a, bool arriving)
{
    struct mw_arc_view view;
    for (size_t b = 0; b < a->blocks.count; b++) {
        const struct mw_range range = block_range(a, b);
        TRY_RETURN(mw_arc_block_take(&a->blocks, b, &view));
        if (arriving)
            TRY_RETURN(launch_assortativity_arrive(a->set, range, MW_ARCS(&view), a->arriving, range.global[0]));
        else
            TRY_RETURN(launch_assortativity_products(a->set, range, a->leaving, a->arriving, MW_ARCS(&view), a->sums,
                                                     range.global[0]));
    }
    return 0;
}

static int assortativity_find(struct assortativity *a)
{
    const size_t bytes = a->graph->vertices * sizeof *a->degrees;
    uint32_t sums[4];
    TRY_RETURN(assortativity_make(a));
    add_vertices(a, &a->tails, &a->tails2);
    if (a->graph->directed) {
        TRY_RETURN(inspect_arcs(a, true));
        TRY_RETURN(mw_buffer_read(a->arriving, 0, bytes, a->degrees, NULL));
    }
    add_vertices(a, &a->heads, &a->heads2);
    TRY_RETURN(inspect_arcs(a, false));
    TRY_RETURN(mw_buffer_read(a->sums, 0, sizeof sums, sums, NULL));
    a->products = ((mw_u128)((uint64_t)sums[3] << 32 | sums[2]) << 32) + ((uint64_t)sums[1] << 32 | sums[0]);
    return 0;
}

/* Stores n times the sum of the products, minus the product of the sums; returns false if 128 bits are too few. */
static bool covariance(mw_u128 n, mw_u128 products, mw_u128 a, mw_u128 b, double *result)
{
    mw_u128 first, second;
    if (__builtin_mul_overflow(n, products, &first) || __builtin_mul_overflow(a, b, &second))
        return false;
    *result = first >= second ? (double)(first - second) : -(double)(second - first);
    return true;
}

int mw_graph_assortativity_within(struct mw_device *device, const struct mw_graph *graph,
                                  const struct mw_arc_limits *limits, double *assortativity)
{
    struct assortativity a = { .graph = graph, .on = mw_arc_worker_on(device, limits, &a.owner) };
    const mw_u128 arcs = graph->arcs;
    double both, tails, heads;
    int rc;
    TRY(mw_graph_check_given(graph, device));
    if (graph->arcs > UINT32_MAX)
        TRY(mw_fail(MW_ELIMIT, "assortativity: the graph must have fewer than 2^32 arcs"));
    if (graph->vertices > 0)
        TRY(assortativity_find(&a));
    if (!covariance(arcs, a.products, a.tails, a.heads, &both) ||
        !covariance(arcs, a.tails2, a.tails, a.tails, &tails) || !covariance(arcs, a.heads2, a.heads, a.heads, &heads))
        rc = mw_fail(MW_ELIMIT, "assortativity: the sums of this graph's degrees exceed 128 bits");
    else
        *assortativity = tails > 0 && heads > 0 ? both / (graph->directed ? sqrt(tails) * sqrt(heads) : tails) : NAN;
out:
    mw_owner_drop(&a.owner);
    return rc;
}

int mw_graph_assortativity(struct mw_device *device, const struct mw_graph *graph, double *assortativity)
{
    TRY_RETURN(mw_device_given(&device));
    return mw_graph_assortativity_within(device, graph, &mw_arc_limits_usual, assortativity);
}
/* SPDX-License-Identifier: MIT */
