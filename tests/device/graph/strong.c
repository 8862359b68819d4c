/* Strong components on one device, $MESHWORK_TEST_DEVICE, by all variants, and on several, compared with a matrix of
 * ways. Set $MESHWORK_TEST_SEED to repeat a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/components/components_internal.h"

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

static struct mw_device *again, *threads;
static const struct mw_arc_limits small_blocks = { .block_most = 7, .part_least = 3, .vertex_most = 5 };

/* ---- reference ---- */

/* By Warshall's algorithm: leads[a n + b] if there is a way from a to b. */
static int32_t *expected(const struct network *n)
{
    const size_t count = n->vertices;
    int32_t *roots = room(count + 1, sizeof *roots);
    bool *leads = room(count * count + 1, sizeof *leads);
    for (size_t v = 0; v < count; v++)
        leads[v * count + v] = true;
    for (uint64_t e = 0; e < n->edges; e++) {
        leads[n->ends[2 * e] * count + n->ends[2 * e + 1]] = true;
        if (!n->graph.directed)
            leads[n->ends[2 * e + 1] * count + n->ends[2 * e]] = true;
    }
    for (size_t k = 0; k < count; k++)
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; leads[a * count + k] && b < count; b++)
                leads[a * count + b] |= leads[k * count + b];
    for (size_t v = 0; v < count; v++) {
        size_t root = 0;
        while (!(leads[v * count + root] && leads[root * count + v]))
            root++;
        roots[v] = (int32_t)root;
    }
    free(leads);
    return roots;
}

/* ---- tests ---- */

static size_t rounds(size_t on_native) { return native ? on_native : slow ? 4 : on_native / 20 + 1; }
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 8 : on_native / 2); }

static void expect_components_on(struct mw_device *const *devices, size_t count, const struct network *n,
                                 const char *variant, const struct mw_arc_limits *limits)
{
    int32_t *e = expected(n);
    struct mw_graph_strong found = MW_INIT(found);
    OK(mw_graph_strong_within(devices, count, &n->graph, GIVEN(mw_graph_strong_options, .variant = variant), limits,
                              &found));
    assert_int_equal(found.vertices, n->vertices);
    if (n->vertices)
        assert_memory_equal(found.roots, e, n->vertices * sizeof *e);
    mw_graph_strong_free(&found);
    free(e);
}

static void expect_components(const struct network *n, const char *variant, const struct mw_arc_limits *limits)
{
    expect_components_on(&device, 1, n, variant, limits);
}

static void random_networks_have_their_components(void **unused)
{
    for (size_t round = 0; round < rounds(1000); round++) {
        struct network n = random_network(random_below(5), up_to(round % 20 == 0 ? 100 : 30), round % 4 > 0);
        expect_components(&n, NULL, &mw_arc_limits_usual);
        expect_components(&n, "colours", &mw_arc_limits_usual);
        if (native || n.graph.arcs < (slow ? 20 : 100))
            expect_components(&n, "colours", &small_blocks);
        network_free(&n);
    }
}

/* Often with fewer arcs than devices. */
static void several_devices_find_the_components(void **unused)
{
    for (size_t round = 0; round < rounds(1500); round++) {
        struct network n = random_network(random_below(5), up_to(round % 50 == 0 ? 100 : 20), round % 4 > 0);
        struct mw_device *devices[] = { device, again, serial, threads };
        const bool few = native || n.graph.arcs < (slow ? 20 : 100);
        shuffle_devices(devices, MW_COUNT(devices));
        expect_components_on(devices, 2 + random_below(3), &n, random_below(2) ? NULL : "colours",
                             few && random_below(2) ? &small_blocks : &mw_arc_limits_usual);
        network_free(&n);
    }
}

/* A ring is one component; without one of its arcs, each vertex is a component. */
static void rings_and_lines(void **unused)
{
    const size_t length = native ? 20000 : slow ? 100 : 1000;
    for (int closed = 0; closed < 2; closed++) {
        struct network n = { 0 };
        struct mw_graph_strong found = MW_INIT(found);
        line(&n, length);
        if (closed)
            add(&n, length - 1, 0);
        build(&n, true, true);
        OK(mw_graph_strong(&device, 1, &n.graph, NULL, &found));
        for (size_t v = 0; v < length; v++)
            assert_int_equal(found.roots[v], closed ? 0 : v);
        mw_graph_strong_free(&found);
        network_free(&n);
    }
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_strong s = MW_INIT(s);
    assert_int_equal(mw_graph_strong(&device, 1, &g, GIVEN(mw_graph_strong_options, .variant = "colors"), &s),
                     MW_EINVAL);
    FAILS(MW_ENOTSUP, "one device only",
          mw_graph_strong((struct mw_device *[]){ serial, threads }, 2, &g,
                          GIVEN(mw_graph_strong_options, .variant = "tarjan"), &s));
    FAILS(MW_EINVAL, "given twice", mw_graph_strong((struct mw_device *[]){ device, device }, 2, &g, NULL, &s));
    if (!native)
        assert_int_equal(mw_graph_strong(&device, 1, &g, GIVEN(mw_graph_strong_options, .variant = "tarjan"), &s),
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
        cmocka_unit_test(random_networks_have_their_components),
        cmocka_unit_test(several_devices_find_the_components),
        cmocka_unit_test(rings_and_lines),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
