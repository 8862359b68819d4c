/* Variant floyd: Floyd's algorithm (Communications of the ACM 5 (1962) 345), the papers' reference, on one thread of
 * the host. */
#include <stdlib.h>

#include "graph/paths/paths_internal.h"

/* distance[t * n + v] is the distance from v to t. */
struct floyd {
    int32_t *distance;
};

static const char *floyd_refuses(const struct mw_path_share *share)
{
    if (share->of->share_count > 0)
        return "runs on one device only: use bits";
    return mw_device_info(share->on.device)->kind == MW_DEVICE_NATIVE ? NULL : "needs a native device: use bits";
}

/* Replaces distances by those via vertex k if these are shorter. The matrix is transposed: row t has the distances to
 * t. */
static void by_way_of(int32_t *distance, size_t n, size_t k)
{
    for (size_t t = 0; t < n; t++) {
        const int32_t from_k = distance[t * n + k];
        if (from_k == MW_NO_PATH || t == k)
            continue;
        for (size_t v = 0; v < n; v++) {
            const int32_t to_k = distance[k * n + v];
            if (to_k != MW_NO_PATH && to_k + from_k < distance[t * n + v])
                distance[t * n + v] = to_k + from_k;
        }
    }
}

static int floyd_make(struct mw_path_share *share, size_t *at_once)
{
    const struct mw_graph *g = share->of->graph;
    const size_t n = g->vertices;
    struct floyd *s;
    size_t cells;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    if (!mw_mul(n, n, &cells))
        return mw_fail(MW_ELIMIT, "a matrix of %zu by %zu distances is too large to address", n, n);
    TRY_RETURN(mw_arc_new(&share->on, cells, sizeof *s->distance, &s->distance));
    for (size_t i = 0; i < cells; i++)
        s->distance[i] = MW_NO_PATH;
    for (size_t v = 0; v < n; v++) {
        for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++)
            s->distance[g->heads[at] * n + v] = 1;
        s->distance[v * n + v] = 0;
    }
    *at_once = share->of->options.target_count;
    return 0;
}

/* Runs all targets at once. */
static int floyd_run(struct mw_path_share *share, size_t first, size_t count)
{
    const struct floyd *s = share->state;
    const size_t n = share->of->graph->vertices;
    for (size_t k = 0; k < n; k++)
        by_way_of(s->distance, n, k);
    for (size_t t = first; t < first + count; t++)
        TRY_RETURN(mw_path_add_target(share, t, s->distance + share->of->options.targets[t] * n));
    return 0;
}

const struct mw_path_variant mw_path_floyd = { false, floyd_refuses, floyd_make, floyd_run, NULL, NULL };
/* SPDX-License-Identifier: MIT */
