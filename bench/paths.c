/* Times distances between all vertices of networks: all variants that a device can run. Graphs are of Leist, Playne and
 * Hawick, "Exploiting graphical processing units for data-parallel scientific applications", section 4.4, and others.
 *
 *   bench/paths [-s] [-l] [--variant LIST] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   alpha       the alpha-model, mean degree 10: strongly clustered, long paths
 *   scale-free  Barabasi and Albert, mean degree 10, and 100
 *   ws 0.1      Watts and Strogatz, mean degree 10
 *   line        a line of vertices
 *   rmat        a few vertices with very many edges
 *
 * Milliseconds are of the searches; bench/common/network_task.h describes the other columns. */
#include <meshwork/graph_paths.h>

#include "bench/common/network_task.h"

/* clang-format off */
static const struct network rows[] = {
    { "alpha", "alpha", { 1000, 10 } },       { "alpha", "alpha", { 5000, 10 } },
    { "alpha", "alpha", { 10e3, 10 } },       { "alpha", "alpha", { 30e3, 10 } },
    { "scale-free", "ba", { 1000, 5 } },      { "scale-free", "ba", { 5000, 5 } },
    { "scale-free", "ba", { 10e3, 5 } },      { "scale-free", "ba", { 30e3, 5 } },
    { "scale-free 100", "ba", { 30e3, 50 } },
    { "ws 0.1", "ws", { 10e3, 10, 0.1 } },    { "ws 0.1", "ws", { 30e3, 10, 0.1 } },
    { "line", "line", { 1000 } },             { "line", "line", { 5000 } },
    { "rmat", "rmat", { 14 } },
};
/* clang-format on */

static int paths_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_paths_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_paths_free(found);
    return mw_graph_paths(&turn->device, 1, turn->graph, &options, found);
}

static bool paths_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_paths *a = found, *b = expected;
    return a->sum.low == b->sum.low && a->sum.high == b->sum.high;
}

static void paths_free(void *found) { mw_graph_paths_free(found); }

int main(int argc, char **argv)
{
    static const struct network_task task = { .rows = rows,
                                              .row_count = MW_COUNT(rows),
                                              .rate = NETWORK_TARGETS,
                                              .words = "distances",
                                              .variants = mw_graph_path_variants,
                                              .bytes = sizeof(struct mw_graph_paths),
                                              .run = paths_run,
                                              .same = paths_same,
                                              .free = paths_free,
                                              .seconds = offsetof(struct mw_graph_paths, seconds) };
    return network_bench(argc, argv, "Distances between all vertices of networks", &task, 1);
}
/* SPDX-License-Identifier: MIT */
