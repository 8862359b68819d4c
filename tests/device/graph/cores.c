/* Core numbers on one device, $MESHWORK_TEST_DEVICE, by all variants, compared with the definition. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
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

/* ---- reference ---- */

/* For each k, what is left after vertices with fewer than k ends of edges are removed until no such vertex is left. */
static uint32_t *expected(const struct network *n)
{
    uint32_t *cores = room(n->vertices + 1, sizeof *cores), *ends = room(n->vertices + 1, sizeof *ends), k = 0;
    bool *gone = room(n->vertices + 1, sizeof *gone), some = true, changed;
    while (some) {
        some = false;
        k++;
        do {
            changed = false;
            memset(ends, 0, n->vertices * sizeof *ends);
            for (uint64_t e = 0; e < n->edges; e++)
                if (!gone[n->ends[2 * e]] && !gone[n->ends[2 * e + 1]]) {
                    ends[n->ends[2 * e]]++;
                    ends[n->ends[2 * e + 1]]++;
                }
            for (size_t v = 0; v < n->vertices; v++)
                if (!gone[v] && ends[v] < k)
                    gone[v] = changed = true;
        } while (changed);
        for (size_t v = 0; v < n->vertices; v++)
            if (!gone[v]) {
                cores[v] = k;
                some = true;
            }
    }
    free(ends);
    free(gone);
    return cores;
}

/* ---- tests ---- */

static size_t rounds(size_t on_native) { return native ? on_native : slow ? 4 : on_native / 20 + 1; }
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 8 : on_native / 2); }

static void expect_cores(const struct network *n, const char *variant, const struct mw_arc_limits *limits)
{
    const struct mw_graph_cores_options options = { .size = sizeof options, .variant = variant };
    uint32_t *e = expected(n);
    struct mw_graph_cores found = MW_INIT(found);
    OK(mw_graph_cores_within(device, &n->graph, &options, limits, &found));
    assert_int_equal(found.vertices, n->vertices);
    if (n->vertices)
        assert_memory_equal(found.cores, e, n->vertices * sizeof *e);
    mw_graph_cores_free(&found);
    free(e);
}

static void random_networks_have_their_cores(void **unused)
{
    for (size_t round = 0; round < rounds(1000); round++) {
        struct network n = random_network(random_below(5), up_to(round % 20 == 0 ? 200 : 40), round % 3 == 0);
        expect_cores(&n, NULL, &mw_arc_limits_usual);
        expect_cores(&n, "rounds", &mw_arc_limits_usual);
        if (native || n.graph.arcs < (slow ? 20 : 100))
            expect_cores(&n, "rounds", &small_blocks);
        network_free(&n);
    }
}

/* More rounds than are queued at once, and arcs that are shared between groups. */
static void lines_and_stars_have_core_1(void **unused)
{
    struct network n = { 0 };
    struct mw_graph_cores found = MW_INIT(found);
    line(&n, slow ? 100 : 1000);
    star(&n, slow ? 700 : 20000);
    build(&n, false, true);
    OK(mw_graph_cores(device, &n.graph, GIVEN(mw_graph_cores_options, .variant = "rounds"), &found));
    for (size_t v = 0; v < n.vertices; v++)
        assert_int_equal(found.cores[v], 1);
    mw_graph_cores_free(&found);
    network_free(&n);
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_cores c = MW_INIT(c);
    assert_int_equal(mw_graph_cores(device, &g, GIVEN(mw_graph_cores_options, .variant = "orders"), &c), MW_EINVAL);
    if (!native)
        assert_int_equal(mw_graph_cores(device, &g, GIVEN(mw_graph_cores_options, .variant = "order"), &c), MW_ENOTSUP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_cores),
        cmocka_unit_test(lines_and_stars_have_core_1),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
