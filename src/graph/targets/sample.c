/* Random samples of vertices. */
#include <stdlib.h>

#include <meshwork/graph_paths.h>

#include "graph/generate/generate.clh"
#include "graph/graph_internal.h"

int mw_graph_sample(size_t vertices, size_t count, uint64_t seed, uint32_t *targets)
{
    uint32_t *order = NULL;
    int rc;
    if (count > vertices)
        return mw_fail(MW_EINVAL, "a sample of %zu vertices is too large: the graph has %zu", count, vertices);
    TRY(mw_vertices_check(vertices));
    TRY(mw_new(vertices, sizeof *order, &order));
    for (size_t v = 0; v < vertices; v++)
        order[v] = (uint32_t)v;
    /* Fisher-Yates: each remaining vertex is equally likely to be next. */
    for (size_t i = 0; i < count; i++) {
        const struct philox r = draw_words(i, 0, DRAW_SAMPLE, seed);
        const size_t chosen = i + draw_below(r.word[1], r.word[0], (uint32_t)(vertices - i));
        targets[i] = order[chosen];
        order[chosen] = order[i];
    }
out:
    free(order);
    return rc;
}
/* SPDX-License-Identifier: MIT */
