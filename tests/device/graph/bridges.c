/* Bridges, articulation points and biconnected components, compared with their definitions, by removing edges and
 * vertices one at a time; larger networks by the two variants, and closed forms; also on several devices. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/components/components_internal.h"

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

static const struct mw_arc_limits small_blocks = { .block_most = 7, .part_least = 3, .vertex_most = 5 }, few_rounds = {
    .block_most = 1 << 20, .part_least = 3, .vertex_most = 32768, .rounds = 5
};

static struct mw_device *again, *threads;
/* The devices of the next calls: usually one. */
static struct mw_device *used[4];
static size_t used_count;

static void use_one(void)
{
    used[0] = device;
    used_count = 1;
}

static void use_several(void)
{
    struct mw_device *const all[] = { device, again, serial, threads };
    memcpy(used, all, sizeof used);
    shuffle_devices(used, MW_COUNT(used));
    used_count = 2 + random_below(MW_COUNT(used) - 1);
}

static void find(const struct mw_graph *graph, const char *variant, const struct mw_arc_limits *limits,
                 struct mw_graph_bridges *found)
{
    const struct mw_graph_bridges_options options = { .size = sizeof options, .variant = variant };
    OK(mw_graph_bridges_within(used, used_count, graph, &options, limits, found));
    assert_int_equal(found->vertices, graph->vertices);
    if (variant)
        assert_string_equal(found->variant, variant);
}

/* ---- compared with their definitions ---- */

/* The number of components without an edge (UINT64_MAX: with all edges) and without a vertex (SIZE_MAX: with all
 * vertices). `parent` has room for one number per vertex. */
static size_t count_without(const struct network *n, uint64_t edge, size_t vertex, uint32_t *parent)
{
    size_t count = 0;
    for (size_t v = 0; v < n->vertices; v++)
        parent[v] = (uint32_t)v;
    for (uint64_t e = 0; e < n->edges; e++) {
        if (e == edge || n->ends[2 * e] == vertex || n->ends[2 * e + 1] == vertex)
            continue;
        parent[root_of(parent, n->ends[2 * e])] = root_of(parent, n->ends[2 * e + 1]);
    }
    for (size_t v = 0; v < n->vertices; v++)
        count += v != vertex && parent[v] == v;
    return count;
}

static void try_network(const struct network *n, const char *variant, const struct mw_arc_limits *limits)
{
    uint32_t *parent = room(n->vertices + 1, sizeof *parent);
    const size_t all = count_without(n, UINT64_MAX, SIZE_MAX, parent);
    size_t bridges = 0, articulations = 0, memberships = 0;
    struct mw_graph_bridges found = MW_INIT(found);
    find(&n->graph, variant, limits, &found);
    for (uint64_t e = 0; e < n->edges; e++) {
        const uint32_t a = n->ends[2 * e], b = n->ends[2 * e + 1], low = a < b ? a : b, high = a < b ? b : a;
        bool there = false;
        for (size_t i = 0; i < found.bridges; i++)
            there |= found.ends[2 * i] == low && found.ends[2 * i + 1] == high;
        const bool is = count_without(n, e, SIZE_MAX, parent) > all;
        assert_int_equal(there, is);
        bridges += is;
    }
    assert_int_equal(found.bridges, bridges);
    for (size_t v = 0; v < n->vertices; v++) {
        /* Removing v leaves one more component for each biconnected component that contains v, other than the first. */
        const size_t without = count_without(n, UINT64_MAX, v, parent);
        assert_int_equal(found.memberships[v], without + 1 - all);
        articulations += without > all;
        memberships += found.memberships[v];
    }
    assert_int_equal(found.articulations, articulations);
    /* Biconnected components and vertices form a forest: its number of vertices is the number of its edges plus that of
     * its trees. */
    assert_int_equal(found.components + n->vertices, memberships + all);
    mw_graph_bridges_free(&found);
    free(parent);
}

static void random_networks_fall_apart_where_they_should(void **unused)
{
    const int rounds = native ? 2000 : slow ? 8 : slow_compiler ? 25 : 60;
    for (int round = 0; round < rounds; round++) {
        struct network n = random_network(random_below(5), 1 + random_below(slow ? 8 : 20), round % 3 == 0);
        try_network(&n, "search", &mw_arc_limits_usual);
        try_network(&n, "skeleton", &mw_arc_limits_usual);
        if (n.graph.arcs < (native ? 400 : slow ? 30 : 100)) {
            try_network(&n, NULL, &small_blocks);
            try_network(&n, "skeleton", &small_blocks);
        }
        network_free(&n);
    }
}

/* Often with fewer arcs than devices; also compared with the search on larger networks. */
static void several_devices_find_the_bridges(void **unused)
{
    const int rounds = native ? 1500 : slow ? 1 : slow_compiler ? 10 : 40;
    for (int round = 0; round < rounds; round++) {
        struct network n = random_network(random_below(5), 1 + random_below(slow ? 8 : 16), round % 3 == 0);
        const bool few = n.graph.arcs < (native ? 400 : slow ? 30 : 100);
        use_several();
        try_network(&n, random_below(2) ? NULL : "skeleton",
                    few && random_below(2) ? &small_blocks
                    : random_below(2)      ? &few_rounds
                                           : &mw_arc_limits_usual);
        network_free(&n);
    }
    use_one();
}

/* ---- both variants ---- */

static void expect_same(const struct mw_graph *graph, const struct mw_arc_limits *limits)
{
    struct mw_graph_bridges e = MW_INIT(e), found = MW_INIT(found);
    find(graph, "search", &mw_arc_limits_usual, &e);
    if (!slow && random_below(2))
        use_several();
    find(graph, "skeleton", limits, &found);
    use_one();
    assert_int_equal(found.bridges, e.bridges);
    assert_int_equal(found.components, e.components);
    assert_int_equal(found.articulations, e.articulations);
    assert_int_equal(found.largest, e.largest);
    if (graph->vertices > 0)
        assert_memory_equal(found.memberships, e.memberships, graph->vertices * sizeof *e.memberships);
    if (e.bridges > 0)
        assert_memory_equal(found.ends, e.ends, 2 * e.bridges * sizeof *e.ends);
    mw_graph_bridges_free(&e);
    mw_graph_bridges_free(&found);
}

/* Chains of cycles; neighbours share a vertex or are joined by an edge. */
static void cactus(struct network *n, size_t cycles, size_t size)
{
    for (size_t c = 0; c < cycles; c++) {
        const size_t at = n->vertices;
        cycle(n, 3 + random_below(size));
        if (at > 0)
            add(n, at, random_below(at));
        if (at > 0 && random_below(2))
            add(n, at, random_below(at));
    }
}

/* Ways between two vertices that have nothing else in common. */
static void theta(struct network *n, size_t ways, size_t size)
{
    const size_t ends = n->vertices;
    n->vertices += 2;
    for (size_t w = 0; w < ways; w++) {
        const size_t at = n->vertices;
        line(n, 1 + random_below(size));
        add(n, ends, at);
        add(n, ends + 1, n->vertices - 1);
    }
}

static void larger_networks_by_both(void **unused)
{
    const int rounds = native ? 400 : slow ? 4 : slow_compiler ? 8 : 20;
    const size_t size = native ? 3000 : slow ? 20 : 600;
    for (int round = 0; round < rounds; round++) {
        struct network n = { 0 };
        if (round % 3 == 0) {
            cactus(&n, 1 + random_below(size / 10), 10);
            theta(&n, 1 + random_below(8), size / 10);
            renumber(&n);
            build(&n, false, random_below(2));
        } else {
            n = random_network(1 + random_below(6), 1 + random_below(size), round % 7 == 0);
        }
        expect_same(&n.graph, &mw_arc_limits_usual);
        expect_same(&n.graph, &few_rounds);
        network_free(&n);
    }
}

static void small_ones_by_both(void **unused)
{
    for (size_t vertices = 0; vertices < 5; vertices++)
        for (size_t edges = 0; edges < 8; edges++) {
            struct network n = { .vertices = vertices };
            for (size_t e = 0; vertices > 0 && e < edges; e++)
                add(&n, random_below(vertices), random_below(vertices));
            build(&n, false, true);
            expect_same(&n.graph, &mw_arc_limits_usual);
            network_free(&n);
        }
}

/* ---- closed forms ---- */

static void long_lines_are_bridges_alone(void **unused)
{
    const size_t length = native ? 300000 : slow ? 200 : 100000;
    for (int skeleton = 0; skeleton < 2; skeleton++) {
        struct network n = { 0 };
        struct mw_graph_bridges found = MW_INIT(found);
        line(&n, length);
        build(&n, false, true);
        find(&n.graph, skeleton ? "skeleton" : "search", &mw_arc_limits_usual, &found);
        assert_int_equal(found.bridges, length - 1);
        assert_int_equal(found.components, length - 1);
        assert_int_equal(found.articulations, length - 2);
        assert_int_equal(found.largest, 2);
        for (size_t i = 0; i < found.bridges; i++) {
            assert_int_equal(found.ends[2 * i], i);
            assert_int_equal(found.ends[2 * i + 1], i + 1);
        }
        mw_graph_bridges_free(&found);
        network_free(&n);
    }
}

/* However their vertices are numbered. */
static void long_cycles_and_stars(void **unused)
{
    const size_t size = native ? 200000 : slow ? 100 : 30000;
    for (int stars = 0; stars < 2; stars++) {
        struct network n = { 0 };
        struct mw_graph_bridges found = MW_INIT(found);
        (stars ? star : cycle)(&n, size);
        renumber(&n);
        build(&n, false, true);
        find(&n.graph, "skeleton", &mw_arc_limits_usual, &found);
        assert_int_equal(found.bridges, stars ? size - 1 : 0);
        assert_int_equal(found.components, stars ? size - 1 : 1);
        assert_int_equal(found.articulations, stars ? 1 : 0);
        assert_int_equal(found.largest, stars ? 2 : size);
        mw_graph_bridges_free(&found);
        network_free(&n);
    }
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_bridges b = MW_INIT(b);
    assert_int_equal(mw_graph_bridges(&device, 1, &g, GIVEN(mw_graph_bridges_options, .variant = "skeletons"), &b),
                     MW_EINVAL);
    FAILS(MW_ENOTSUP, "one device only",
          mw_graph_bridges((struct mw_device *[]){ serial, threads }, 2, &g,
                           GIVEN(mw_graph_bridges_options, .variant = "search"), &b));
    FAILS(MW_EINVAL, "given twice", mw_graph_bridges((struct mw_device *[]){ device, device }, 2, &g, NULL, &b));
}

static int open_devices(void **state)
{
    if (open_with_serial(state) || mw_device_open_by_name(info->id, NULL, &again) ||
        mw_device_open_by_name("native:pthreads", NULL, &threads))
        return -1;
    use_one();
    return 0;
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
        cmocka_unit_test(small_ones_by_both),
        cmocka_unit_test(random_networks_fall_apart_where_they_should),
        cmocka_unit_test(several_devices_find_the_bridges),
        cmocka_unit_test(larger_networks_by_both),
        cmocka_unit_test(long_lines_are_bridges_alone),
        cmocka_unit_test(long_cycles_and_stars),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
