/* Degree assortativity on one device, $MESHWORK_TEST_DEVICE, compared with Pearson's correlation over lists of ends,
 * known graphs and closed forms. Set $MESHWORK_TEST_SEED to repeat a run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/measures/measures_internal.h"

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

static const struct mw_arc_limits small_blocks = { .block_most = 7, .part_least = 3, .vertex_most = 5 };

/* Two passes over the edges in the order in which they were drawn: means, then sums of deviations from them. */
static double expected(const struct network *n)
{
    double mean[2] = { 0 }, both = 0, square[2] = { 0 };
    uint32_t *leaving = room(n->vertices + 1, sizeof *leaving), *arriving = room(n->vertices + 1, sizeof *arriving);
    const bool directed = n->graph.directed;
    const double arcs = (double)(directed ? n->edges : 2 * n->edges);
    for (uint64_t i = 0; i < 2 * n->edges; i++)
        if (!directed || i % 2 == 0) {
            leaving[n->ends[i]]++;
            arriving[n->ends[i ^ 1]]++;
        }
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < 2 * n->edges; i++) {
            const double tail = leaving[n->ends[i]] - mean[0], head = arriving[n->ends[i ^ 1]] - mean[1];
            if (directed && i % 2)
                continue;
            both += tail * head;
            square[0] += pass ? tail * tail : tail;
            square[1] += pass ? head * head : head;
            if (pass == 0 && i + (directed ? 2 : 1) >= 2 * n->edges) {
                mean[0] = square[0] / arcs;
                mean[1] = square[1] / arcs;
                both = square[0] = square[1] = 0;
            }
        }
    free(leaving);
    free(arriving);
    return square[0] > 1e-9 && square[1] > 1e-9 ? both / sqrt(square[0] * square[1]) : NAN;
}

static void random_networks_have_their_assortativity(void **unused)
{
    for (int round = 0; round < (native ? 3000 : slow ? 5 : 100); round++) {
        struct network n = random_network(random_below(5), 1 + random_below(slow ? 10 : 60), round % 2 == 0);
        const double e = expected(&n);
        double found, in_blocks;
        OK(mw_graph_assortativity(device, &n.graph, &found));
        OK(mw_graph_assortativity_within(device, &n.graph, &small_blocks, &in_blocks));
        assert_true(isnan(e) ? isnan(found) : fabs(found - e) < 1e-9);
        assert_memory_equal(&found, &in_blocks, sizeof found);
        network_free(&n);
    }
}

/* Sums far beyond 2^64, although r is a whole number. */
static void stars_are_disassortative_however_large(void **unused)
{
    struct network n = { .vertices = slow ? 2000 : 1000001 };
    double found;
    for (size_t i = 1; i < n.vertices; i++)
        add(&n, 0, i);
    build(&n, false, true);
    OK(mw_graph_assortativity(device, &n.graph, &found));
    assert_true(found == -1);
    network_free(&n);
}

static void rings_have_none(void **unused)
{
    struct network n = { 0 };
    double found;
    cycle(&n, 100);
    build(&n, false, true);
    OK(mw_graph_assortativity(device, &n.graph, &found));
    assert_true(isnan(found));
    network_free(&n);
}

static void wrong_heads_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1 };
    const uint32_t heads[] = { 1 };
    const struct mw_graph g = { .vertices = 1, .arcs = 1, .offsets = offsets, .heads = heads };
    double untouched = 7;
    assert_int_not_equal(mw_graph_assortativity(device, &g, &untouched), 0);
    assert_true(untouched == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_assortativity),
        cmocka_unit_test(stars_are_disassortative_however_large),
        cmocka_unit_test(rings_have_none),
        cmocka_unit_test(wrong_heads_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
