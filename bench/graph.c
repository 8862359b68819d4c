/* Times components of networks: all variants that a device can run, on published graphs. Most are of Hawick, Leist and
 * Playne, "Parallel Graph Component Labelling with GPUs and CUDA", section 6.1, at a tenth of their size.
 *
 *   bench/graph [-s] [-l] [--variant LIST] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   disjoint 1  100 sets, 5 M edges, increasing number of vertices
 *   disjoint 2  100 sets, 100,000 vertices, increasing number of edges
 *   disjoint 3  500,000 vertices, 6 M edges, increasing number of sets
 *   line        a line of vertices
 *   scale-free  Barabasi and Albert, mean degree 10
 *   ws          Watts and Strogatz, mean degree 10, with p = 0.01, 0.1 and 1
 *   random      G(n, m) as made by GAPBS for `cc -u 18 -k 16`: 2^18 vertices, 16 edges per vertex
 *
 * Milliseconds are of a run with the graph on the device.  "with all" adds what one label costs alone: sending the
 * graph, allocating labels and fetching them. bench/common/network_task.h describes the other columns. */
#include <stdlib.h>
#include <string.h>

#include "bench/common/network_task.h"

/* clang-format off */
static const struct network rows[] = {
    { "disjoint 1", "disjoint", { 200e3, 100, 5e6 } },  { "disjoint 1", "disjoint", { 800e3, 100, 5e6 } },
    { "disjoint 1", "disjoint", { 1600e3, 100, 5e6 } },
    { "disjoint 2", "disjoint", { 100e3, 100, 1e6 } },  { "disjoint 2", "disjoint", { 100e3, 100, 3e6 } },
    { "disjoint 2", "disjoint", { 100e3, 100, 6e6 } },
    { "disjoint 3, 1 set", "disjoint", { 500e3, 1, 6e6 } },
    { "disjoint 3, 100 sets", "disjoint", { 500e3, 100, 6e6 } },
    { "disjoint 3, 10^4 sets", "disjoint", { 500e3, 10e3, 6e6 } },
    { "disjoint 3, 10^5 sets", "disjoint", { 500e3, 100e3, 6e6 } },
    { "line", "line", { 5e3 } },                        { "line", "line", { 20e3 } },
    { "line", "line", { 100e3 } },                      { "line", "line", { 1e6 } },
    { "scale-free", "ba", { 100e3, 5 } },               { "scale-free", "ba", { 500e3, 5 } },
    { "scale-free", "ba", { 2e6, 5 } },
    { "ws 0.01", "ws", { 200e3, 10, 0.01 } },           { "ws 0.01", "ws", { 1400e3, 10, 0.01 } },
    { "ws 0.01", "ws", { 2e6, 10, 0.01 } },
    { "ws 0.1", "ws", { 200e3, 10, 0.1 } },             { "ws 0.1", "ws", { 1400e3, 10, 0.1 } },
    { "ws 0.1", "ws", { 2e6, 10, 0.1 } },
    { "ws 1", "ws", { 200e3, 10, 1 } },                 { "ws 1", "ws", { 1400e3, 10, 1 } },
    { "ws 1", "ws", { 2e6, 10, 1 } },
    { "random", "er", { 262144, 4194304 } },
};
/* clang-format on */

/* State of runs with the graph on the device, or labels of a whole call. */
struct labelled {
    struct mw_graph_labelling *labelling;
    struct mw_buffer *labels;
    size_t iterations;
    int32_t *roots;
};

static int labelled_prepare(const struct network_turn *turn, void *found)
{
    const struct mw_graph_labelling_options options = { .size = sizeof options, .variant = turn->variant };
    struct labelled *l = found;
    int rc;
    TRY(mw_buffer_new(turn->device, turn->graph->vertices * sizeof *l->roots, &l->labels));
    rc = mw_graph_labelling_new(&turn->device, 1, turn->graph, &options, &l->labelling);
out:
    return rc;
}

static int labelled_again(const struct network_turn *turn, void *found)
{
    struct labelled *l = found;
    return mw_graph_labelling_run(l->labelling, l->labels, &l->iterations);
}

static int labelled_run(const struct network_turn *turn, void *found)
{
    const struct mw_graph_labelling_options options = { .size = sizeof options, .variant = turn->variant };
    struct labelled *l = found;
    int rc;
    if (!l->roots)
        TRY(mw_new(turn->graph->vertices, sizeof *l->roots, &l->roots));
    rc = mw_graph_label(&turn->device, 1, turn->graph, &options, l->roots);
out:
    return rc;
}

static bool labelled_same(const struct network_turn *turn, const void *found, const void *expected)
{
    const struct labelled *a = found, *b = expected;
    return memcmp(a->roots, b->roots, turn->graph->vertices * sizeof *a->roots) == 0;
}

static void labelled_free(void *found)
{
    struct labelled *l = found;
    mw_graph_labelling_free(l->labelling);
    mw_buffer_free(l->labels);
    free(l->roots);
    *l = (struct labelled){ 0 };
}

int main(int argc, char **argv)
{
    static const struct network_task task = { .rows = rows,
                                              .row_count = MW_COUNT(rows),
                                              .rate = NETWORK_BANDWIDTH,
                                              .words = "run",
                                              .variants = mw_graph_component_variants,
                                              .bytes = sizeof(struct labelled),
                                              .run = labelled_run,
                                              .same = labelled_same,
                                              .free = labelled_free,
                                              .prepare = labelled_prepare,
                                              .again = labelled_again,
                                              .rounds = offsetof(struct labelled, iterations) };
    return network_bench(argc, argv, "Components of networks", &task, 1);
}
/* SPDX-License-Identifier: MIT */
