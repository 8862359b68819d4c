/* Measures of networks: all variants that a device can run, next to other libraries.
 *
 *   bench/measures [-s] [-l] [--variant LIST] [--only TASK] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   pagerank, cores, bridges     graphs of 1.25 M edges
 *   strong                       the same, with arcs
 *   betweenness, weighted        10,000 vertices, mean degree 10; weights up to 255
 *
 *   small world   Watts and Strogatz, p = 0.1
 *   scale-free    Barabasi and Albert
 *   rmat          a few vertices with very many edges
 *
 * bench/common/network_task.h describes the output. */
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>

#include <string.h>

#include "bench/common/network_task.h"

static const struct network large[] = {
    { "small world", "ws", { 125e3, 20, 0.1 } },
    { "scale-free", "ba", { 125e3, 10 } },
    { "rmat", "rmat", { 17 } },
};
static const struct network small[] = {
    { "small world", "ws", { 10e3, 10, 0.1 } },
    { "scale-free", "ba", { 10e3, 5 } },
};

/* Returns whether arrays with a value per vertex are equal. */
#define SAME(turn, a, b) (memcmp(a, b, (turn)->graph->vertices * sizeof *(a)) == 0)

/* ---- PageRank ---- */

static int pagerank_run(const struct network_turn *turn, void *found)
{
    mw_graph_pagerank_free(found);
    return mw_graph_pagerank(&turn->device, 1, turn->graph, NULL, found);
}

static bool pagerank_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_pagerank *a = found, *b = expected;
    return a->rounds == b->rounds && SAME(turn, a->ranks, b->ranks);
}

static void pagerank_free(void *found) { mw_graph_pagerank_free(found); }

/* ---- betweenness ---- */

static int betweenness_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_betweenness_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_betweenness_free(found);
    return mw_graph_betweenness(&turn->device, 1, turn->graph, &options, found);
}

static bool betweenness_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_betweenness *a = found, *b = expected;
    return SAME(turn, a->betweenness, b->betweenness);
}

static void betweenness_free(void *found) { mw_graph_betweenness_free(found); }

/* ---- cores ---- */

static int cores_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_cores_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_cores_free(found);
    return mw_graph_cores(&turn->device, 1, turn->graph, &options, found);
}

static bool cores_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_cores *a = found, *b = expected;
    return SAME(turn, a->cores, b->cores);
}

static void cores_free(void *found) { mw_graph_cores_free(found); }

/* ---- strong components ---- */

static int strong_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_strong_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_strong_free(found);
    return mw_graph_strong(&turn->device, 1, turn->graph, &options, found);
}

static bool strong_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_strong *a = found, *b = expected;
    return SAME(turn, a->roots, b->roots);
}

static void strong_free(void *found) { mw_graph_strong_free(found); }

/* ---- bridges ---- */

static int bridges_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_bridges_options options = { .size = sizeof options, .variant = turn->variant };
    mw_graph_bridges_free(found);
    return mw_graph_bridges(&turn->device, 1, turn->graph, &options, found);
}

static bool bridges_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct mw_graph_bridges *a = found, *b = expected;
    return a->bridges == b->bridges && a->components == b->components && SAME(turn, a->memberships, b->memberships);
}

static void bridges_free(void *found) { mw_graph_bridges_free(found); }

/* ---- the tasks ---- */

#define TASK(NAME, ROWS) .name = #NAME, TASK_OF(NAME, ROWS)
#define TASK_OF(NAME, ROWS)                                                                                            \
    .rows = ROWS, .row_count = MW_COUNT(ROWS), .words = #NAME, .rivals = NETWORK_RIVALS_MOST,                          \
    .bytes = sizeof(struct mw_graph_##NAME), .run = NAME##_run, .same = NAME##_same, .free = NAME##_free,              \
    .seconds = offsetof(struct mw_graph_##NAME, seconds)
#define SIMPLE .simple = true

static const struct network_task tasks[] = {
    { TASK(pagerank, large), .title = "PageRank", .form = { SIMPLE },
      .rounds = offsetof(struct mw_graph_pagerank, rounds) },
    { TASK(cores, large), .title = "Core numbers", .form = { SIMPLE }, .variants = mw_graph_core_variants },
    { TASK(strong, large), .title = "Strong components", .form = { SIMPLE, .directed = true },
      .variants = mw_graph_strong_variants },
    { TASK(bridges, large), .title = "Bridges and biconnected components", .form = { SIMPLE },
      .variants = mw_graph_bridge_variants },
    { TASK(betweenness, small), .title = "Betweenness", .form = { SIMPLE }, .rate = NETWORK_TARGETS,
      .variants = mw_graph_betweenness_variants },
    { .name = "weighted",
      TASK_OF(betweenness, small),
      .title = "Betweenness by weights",
      .form = { SIMPLE, .weights = 255 },
      .rate = NETWORK_TARGETS,
      .variants = mw_graph_betweenness_variants },
};

int main(int argc, char **argv) { return network_bench(argc, argv, "Measures of networks", tasks, MW_COUNT(tasks)); }
/* SPDX-License-Identifier: MIT */
