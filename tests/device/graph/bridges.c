/* Bridges, articulation points and biconnected components, beside their definitions: edges and vertices are left out
 * one by one.  $MESHWORK_TEST_SEED repeats a run. */
#include <meshwork/graph_components.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

/* Components without an edge (or with all: UINT64_MAX) and without a vertex (SIZE_MAX); parent: room for them. */
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

static void try_network(const struct network *n)
{
    uint32_t *parent = room(n->vertices + 1, sizeof *parent);
    const size_t all = count_without(n, UINT64_MAX, SIZE_MAX, parent);
    size_t bridges = 0, articulations = 0, memberships = 0;
    struct mw_graph_bridges found;
    OK(mw_graph_bridges(device, &n->graph, &found));
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
        /* Without it, one component more for each biconnected one that it is in but the first. */
        const size_t without = count_without(n, UINT64_MAX, v, parent);
        assert_int_equal(found.memberships[v], without + 1 - all);
        articulations += without > all;
        memberships += found.memberships[v];
    }
    assert_int_equal(found.articulations, articulations);
    /* Components and vertices are a forest: as many vertices of it as edges and trees. */
    assert_int_equal(found.components + n->vertices, memberships + all);
    mw_graph_bridges_free(&found);
    free(parent);
}

static void random_networks_fall_apart_where_they_should(void **unused)
{
    (void)unused;
    for (int round = 0; round < 2000; round++) {
        struct network n = random_network(random_below(5), 1 + random_below(20), round % 3 == 0);
        try_network(&n);
        network_free(&n);
    }
}

static void long_lines_are_bridges_alone(void **unused)
{
    const size_t length = 300000;
    struct network n = { 0 };
    struct mw_graph_bridges found;
    (void)unused;
    line(&n, length);
    build(&n, false, true);
    OK(mw_graph_bridges(device, &n.graph, &found));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_fall_apart_where_they_should),
        cmocka_unit_test(long_lines_are_bridges_alone),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
