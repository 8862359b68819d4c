/* Times triangles of networks: all variants that a device can run, on graphs of 1.25 M edges and on published ones.
 * These are of Hawick, Leist and Playne, "Mixing multi-core CPUs and GPUs for scientific simulation software", section
 * 5.7.
 *
 *   bench/triangles [-s] [-l] [--variant LIST] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   small world   Watts and Strogatz, p = 0.1, degree 50: the papers' figure 14; and degree 20
 *   scale-free    Barabasi and Albert, mean degree about 50: figure 15; and 20
 *   rmat          a few vertices with very many edges
 *
 * Milliseconds are of counting, including the lists; bench/common/network_task.h describes the other columns. */
#include <meshwork/graph_measures.h>

#include "bench/common/network_task.h"

static const struct network rows[] = {
    { "small world", "ws", { 25e3, 50, 0.1 } },
    { "small world", "ws", { 50e3, 50, 0.1 } },
    { "small world", "ws", { 100e3, 50, 0.1 } },
    { "small world", "ws", { 200e3, 50, 0.1 } },
    { "small world 20", "ws", { 125e3, 20, 0.1 } },
    { "scale-free", "ba", { 25e3, 25 } },
    { "scale-free", "ba", { 50e3, 25 } },
    { "scale-free", "ba", { 100e3, 25 } },
    { "scale-free", "ba", { 200e3, 25 } },
    { "scale-free 20", "ba", { 125e3, 10 } },
    { "rmat", "rmat", { 17 } },
};

static int triangles_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_triangles_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_triangles_free(found);
    return mw_graph_triangles(&turn->device, 1, turn->graph, &options, found);
}

static bool triangles_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_triangles *a = found, *b = expected;
    return a->triangles == b->triangles && a->triples.low == b->triples.low && a->triples.high == b->triples.high;
}

static void triangles_free(void *found) { mw_graph_triangles_free(found); }

int main(int argc, char **argv)
{
    static const struct network_task task = { .rows = rows,
                                              .row_count = MW_COUNT(rows),
                                              .rate = NETWORK_EDGES,
                                              .words = "triangles",
                                              .variants = mw_graph_triangle_variants,
                                              .bytes = sizeof(struct mw_graph_triangles),
                                              .run = triangles_run,
                                              .same = triangles_same,
                                              .free = triangles_free,
                                              .seconds = offsetof(struct mw_graph_triangles, seconds) };
    return network_bench(argc, argv, "Triangles of networks", &task, 1);
}
/* SPDX-License-Identifier: MIT */
