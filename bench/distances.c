/* Weighted distances in networks, and distances from one vertex: all variants that a device can run, next to other
 * libraries.
 *
 *   bench/distances [-s] [-l] [--variant LIST] [--only TASK] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   from      weights from 1 to 255, from the vertex with the most edges: graphs of 1.25 M edges
 *   hops      the same, in numbers of edges
 *   between   weighted, between all vertices: dense graphs, with edges between half of all pairs, and one of mean
 *             degree 20
 *
 *   small world   Watts and Strogatz, p = 0.1
 *   scale-free    Barabasi and Albert
 *   rmat          a few vertices with very many edges
 *   grid          long paths
 *   random        random edges
 *
 * bench/common/network_task.h describes the output. */
#include <meshwork/graph_paths.h>

#include <string.h>

#include "bench/common/network_task.h"

#define WEIGHTS                                                                                                        \
    {                                                                                                                  \
        .simple = true, .weights = 255                                                                                 \
    }

static const struct network large[] = {
    { "small world", "ws", { 125e3, 20, 0.1 } },
    { "scale-free", "ba", { 125e3, 10 } },
    { "rmat", "rmat", { 17 } },
    { "grid", "grid", { 800, 800, 1 } },
};
static const struct network dense[] = {
    { "dense", "ws", { 512, 256, 1 } },
    { "dense", "ws", { 1024, 512, 1 } },
    { "dense", "ws", { 2048, 1024, 1 } },
    { "random", "ws", { 4096, 20, 1 } },
};

/* ---- from one vertex ---- */

static int find_from(const struct network_turn *turn, bool hops, void *found)
{
    const struct mw_graph_distances_options options = { .size = sizeof options,
                                                        .variant = turn->variant,
                                                        .hops = hops };
    mw_graph_distances_free(found);
    return mw_graph_distances(turn->device, turn->graph, turn->hub, &options, found);
}

static int from_run(const struct network_turn *turn, void *found) { return find_from(turn, false, found); }

static int hops_run(const struct network_turn *turn, void *found) { return find_from(turn, true, found); }

static bool from_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_distances *a = found, *b = expected;
    const size_t n = turn->graph->vertices;
    return memcmp(a->distance, b->distance, n * sizeof *a->distance) == 0 &&
           memcmp(a->predecessor, b->predecessor, n * sizeof *a->predecessor) == 0;
}

static void from_free(void *found) { mw_graph_distances_free(found); }

/* ---- between all ---- */

static int between_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_lengths_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_lengths_free(found);
    return mw_graph_lengths(&turn->device, 1, turn->graph, &options, found);
}

static bool between_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_lengths *a = found, *b = expected;
    return a->sum.low == b->sum.low && a->sum.high == b->sum.high && a->longest == b->longest && a->pairs == b->pairs;
}

static void between_free(void *found) { mw_graph_lengths_free(found); }

/* ---- the tasks ---- */

#define FROM                                                                                                           \
    .rows = large, .row_count = MW_COUNT(large), .rivals = NETWORK_RIVALS_MOST,                                        \
    .variants = mw_graph_distance_variants, .bytes = sizeof(struct mw_graph_distances), .same = from_same,             \
    .free = from_free, .seconds = offsetof(struct mw_graph_distances, seconds)

/* clang-format off */
static const struct network_task tasks[] = {
    { FROM, .name = "from", .title = "From one vertex, by weights", .form = WEIGHTS, .words = "distances_from",
      .run = from_run },
    { FROM, .name = "hops", .title = "From one vertex, by numbers of edges", .form = { .simple = true },
      .words = "hops_from", .run = hops_run },
    { .name = "between", .title = "Between all vertices, by weights", .rows = dense, .row_count = MW_COUNT(dense),
      .form = WEIGHTS, .rate = NETWORK_TARGETS, .words = "lengths", .rivals = NETWORK_RIVALS_MOST,
      .variants = mw_graph_length_variants, .bytes = sizeof(struct mw_graph_lengths), .run = between_run,
      .same = between_same, .free = between_free, .seconds = offsetof(struct mw_graph_lengths, seconds) },
};
/* clang-format on */

int main(int argc, char **argv)
{
    return network_bench(argc, argv, "Distances by weights, and from one vertex", tasks, MW_COUNT(tasks));
}
/* SPDX-License-Identifier: MIT */
