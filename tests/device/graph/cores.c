/* Core numbers on one device, $MESHWORK_TEST_DEVICE, by all variants, and on several, compared with the definition. Set
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

static struct mw_device *again, *threads;
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

static size_t expect_cores_on(struct mw_device *const *devices, size_t count, const struct network *n,
                              const char *variant, const struct mw_arc_limits *limits)
{
    size_t found_rounds;
    const struct mw_graph_cores_options options = { .size = sizeof options, .variant = variant };
    uint32_t *e = expected(n);
    struct mw_graph_cores found = MW_INIT(found);
    OK(mw_graph_cores_within(devices, count, &n->graph, &options, limits, &found));
    assert_int_equal(found.vertices, n->vertices);
    if (n->vertices)
        assert_memory_equal(found.cores, e, n->vertices * sizeof *e);
    found_rounds = found.rounds;
    mw_graph_cores_free(&found);
    free(e);
    return found_rounds;
}

static void expect_cores(const struct network *n, const char *variant, const struct mw_arc_limits *limits)
{
    expect_cores_on(&device, 1, n, variant, limits);
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

/* Several devices need the rounds of one; some have no vertices. */
static void several_devices_find_the_cores(void **unused)
{
    for (size_t round = 0; round < rounds(1000); round++) {
        struct network n = random_network(random_below(5), up_to(round % 50 == 0 ? 200 : 25), round % 3 == 0);
        struct mw_device *devices[] = { device, again, serial, threads };
        const bool few = native || n.graph.arcs < (slow ? 20 : 100);
        const size_t one = expect_cores_on(&serial, 1, &n, "rounds", &mw_arc_limits_usual);
        shuffle_devices(devices, MW_COUNT(devices));
        assert_int_equal(one, expect_cores_on(devices, 2 + random_below(3), &n, random_below(2) ? NULL : "rounds",
                                              few && random_below(2) ? &small_blocks : &mw_arc_limits_usual));
        network_free(&n);
    }
}

/* Adjacent hubs whose arcs need several queue entries. */
static void hubs_have_their_cores(void **unused)
{
    for (size_t round = 0; round < (native ? 20 : slow ? 1 : 5); round++) {
        struct network n = { 0 };
        hubs(&n, 1 + random_below(6), slow ? 300 : 3000, slow ? 60 : 500);
        random_edges(&n, slow ? 20 : 300);
        add(&n, 0, n.vertices - 1);
        build(&n, round % 2 == 1, random_below(2));
        expect_cores(&n, "rounds", &mw_arc_limits_usual);
        network_free(&n);
    }
}

/* A vertex is joined to a clique of 128 vertices and to `most` vertices of a larger one. It has core number `most` if
 * each vertex of the smaller clique lowers its count. */
static void cliques_have_their_cores(void **unused)
{
    const size_t small = 128, large = 230, most = 150 + random_below(50);
    struct network n = { 0 };
    if (slow)
        skip();
    for (size_t i = 0; i < small + large; i++)
        for (size_t j = i < small ? 0 : small; j < i; j++)
            add(&n, i, j);
    n.vertices = small + large;
    for (size_t v = 0; v < 10; v++, n.vertices++)
        for (size_t i = 0; i < small + most; i++)
            add(&n, n.vertices, i);
    build(&n, false, random_below(2));
    expect_cores(&n, "rounds", &mw_arc_limits_usual);
    network_free(&n);
}

/* More rounds than are queued at once, and arcs that are shared between groups. */
static void lines_and_stars_have_core_1(void **unused)
{
    struct network n = { 0 };
    struct mw_graph_cores found = MW_INIT(found);
    line(&n, slow ? 100 : 1000);
    star(&n, slow ? 700 : 20000);
    build(&n, false, true);
    OK(mw_graph_cores(&device, 1, &n.graph, GIVEN(mw_graph_cores_options, .variant = "rounds"), &found));
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
    assert_int_equal(mw_graph_cores(&device, 1, &g, GIVEN(mw_graph_cores_options, .variant = "orders"), &c), MW_EINVAL);
    FAILS(MW_ENOTSUP, "one device only",
          mw_graph_cores((struct mw_device *[]){ serial, threads }, 2, &g,
                         GIVEN(mw_graph_cores_options, .variant = "order"), &c));
    FAILS(MW_EINVAL, "given twice", mw_graph_cores((struct mw_device *[]){ device, device }, 2, &g, NULL, &c));
    if (!native)
        assert_int_equal(mw_graph_cores(&device, 1, &g, GIVEN(mw_graph_cores_options, .variant = "order"), &c),
                         MW_ENOTSUP);
}

static int open_devices(void **state)
{
    return open_with_serial(state) || mw_device_open_by_name(info->id, NULL, &again) ||
           mw_device_open_by_name("native:pthreads", NULL, &threads);
}

static int close_devices(void **state)
{
    mw_device_close(again);
    mw_device_close(threads);
    return close_with_serial(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_cores),
        cmocka_unit_test(several_devices_find_the_cores),
        cmocka_unit_test(hubs_have_their_cores),
        cmocka_unit_test(cliques_have_their_cores),
        cmocka_unit_test(lines_and_stars_have_core_1),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
