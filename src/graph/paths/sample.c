/* Random samples of vertices. */
#include <stdlib.h>

#include "graph/paths/paths_internal.h"
#include "rng.clh"

/* The purpose of these draws: the last word of the counter, beside those of cl/graph/generate/generate.clh. */
enum { DRAW_SAMPLE = 64 };

/* Below n, from 64 random bits: what multiplying leaves uneven is below 2^-32 of each number's share. */
static uint32_t draw(uint64_t seed, uint64_t number, uint64_t n)
{
    const struct philox r = philox4x32_10((uint32_t)number, (uint32_t)(number >> 32), 0, DRAW_SAMPLE, (uint32_t)seed,
                                          (uint32_t)(seed >> 32));
    const uint64_t bits = (uint64_t)r.word[1] << 32 | r.word[0];
    return (uint32_t)(((mw_u128)bits * n) >> 64);
}

int mw_graph_sample(size_t vertices, size_t count, uint64_t seed, uint32_t *targets)
{
    uint32_t *order = NULL;
    int rc;
    if (count > vertices)
        return mw_fail(MW_EINVAL, "a sample of %zu vertices of %zu: ask for fewer", count, vertices);
    TRY(mw_vertices_check(vertices));
    TRY(mw_new(vertices, sizeof *order, &order));
    for (size_t v = 0; v < vertices; v++)
        order[v] = (uint32_t)v;
    /* Fisher and Yates: each of those that are left is as likely as the others to be next. */
    for (size_t i = 0; i < count; i++) {
        const size_t chosen = i + draw(seed, i, vertices - i);
        targets[i] = order[chosen];
        order[chosen] = order[i];
    }
out:
    free(order);
    return rc;
}
