/* Betweenness on one device, $MESHWORK_TEST_DEVICE, by all variants, with and without weights, compared with the
 * definition: paths counted for all pairs. Set $MESHWORK_TEST_SEED to repeat a run. */
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
/* ---- reference ---- */

/* distance[s n + v] and the number of shortest paths: each step searches all vertices for the nearest one that is not
 * done. */
struct all_pairs {
    size_t n;
    uint64_t *distance;
    double *paths;
};

static size_t nearest(const uint64_t *d, const bool *done, size_t n)
{
    size_t found = n;
    for (size_t v = 0; v < n; v++)
        if (!done[v] && d[v] != UINT64_MAX && (found == n || d[v] < d[found]))
            found = v;
    return found;
}

static struct all_pairs measure_all(const struct mw_graph *g)
{
    const size_t n = g->vertices;
    struct all_pairs a = { n, room(n * n + 1, sizeof *a.distance), room(n * n + 1, sizeof *a.paths) };
    bool *done = room(n + 1, sizeof *done);
    for (size_t s = 0; s < n; s++) {
        uint64_t *d = a.distance + s * n;
        double *p = a.paths + s * n;
        memset(done, 0, n);
        for (size_t v = 0; v < n; v++)
            d[v] = v == s ? 0 : UINT64_MAX;
        p[s] = 1;
        for (size_t v; (v = nearest(d, done, n)) < n; done[v] = true)
            for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++) {
                const uint32_t w = g->heads[at];
                const uint64_t offered = d[v] + (g->weights ? (uint64_t)g->weights[at] : 1);
                p[w] = offered < d[w] ? p[v] : offered == d[w] ? p[w] + p[v] : p[w];
                d[w] = offered < d[w] ? offered : d[w];
            }
    }
    free(done);
    return a;
}

/* The share of all shortest paths from some sources that pass through v, by the definition. */
static double expected(const struct all_pairs *a, size_t v, const uint32_t *sources, size_t count, bool directed)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0, s = sources[i]; t < a->n; t++) {
            const uint64_t whole = a->distance[s * a->n + t], first = a->distance[s * a->n + v];
            const uint64_t second = a->distance[v * a->n + t];
            if (s == t || s == v || t == v || whole == UINT64_MAX || first == UINT64_MAX || second == UINT64_MAX)
                continue;
            if (first + second == whole)
                sum += a->paths[s * a->n + v] * a->paths[v * a->n + t] / a->paths[s * a->n + t];
        }
    return count ? sum * (directed ? 1 : 0.5) * (double)a->n / (double)count : 0;
}

/* ---- tests ---- */

static size_t rounds(size_t on_native) { return native ? on_native : slow ? 3 : on_native / 20 + 1; }
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 6 : on_native / 2); }

static double *found_on(struct mw_device *const *devices, size_t count, const struct mw_graph *g,
                        const uint32_t *sources, size_t source_count, const char *variant,
                        const struct mw_arc_limits *limits)
{
    const struct mw_graph_betweenness_options options = {
        .size = sizeof options,
        .variant = variant,
        .sources = sources,
        .source_count = source_count,
        .block_arcs = native && limits == &small_blocks ? 1 + random_below(7) : 0,
        .memory_most = random_below(2) ? 0 : (g->vertices + 1) * 200 * (1 + random_below(20)) + 64
    };
    struct mw_graph_betweenness found = MW_INIT(found);
    OK(mw_graph_betweenness_within(devices, count, g, &options, limits, &found));
    assert_int_equal(found.vertices, g->vertices);
    assert_int_equal(found.sources, source_count);
    assert_int_equal(found.by_weights, g->weights != NULL);
    return found.betweenness;
}

static void expect_same(double *values, const double *expected_ones, size_t n)
{
    assert_true(n == 0 || memcmp(values, expected_ones, n * sizeof *values) == 0);
    free(values);
}

static void try_graph(const struct mw_graph *g, const uint32_t *sources, size_t count)
{
    const bool few = native || g->arcs < (slow ? 15 : 60);
    struct mw_device *both[] = { device, serial };
    struct all_pairs a = measure_all(g);
    double *e = found_on(&serial, 1, g, sources, count, "queue", &mw_arc_limits_usual);
    for (size_t v = 0; v < g->vertices; v++) {
        const double by_definition = expected(&a, v, sources, count, g->directed);
        assert_true(fabs(e[v] - by_definition) <= 1e-9 * (1 + by_definition));
    }
    expect_same(found_on(&device, 1, g, sources, count, NULL, &mw_arc_limits_usual), e, g->vertices);
    expect_same(found_on(&device, 1, g, sources, count, "lanes", &mw_arc_limits_usual), e, g->vertices);
    expect_same(found_on(&device, 1, g, sources, count, "lanes", few ? &small_blocks : &mw_arc_limits_usual), e,
                g->vertices);
    if (mw_device_info(device)->traits->has_cores)
        expect_same(found_on(&device, 1, g, sources, count, "queue", &mw_arc_limits_usual), e, g->vertices);
    expect_same(found_on(both, 2, g, sources, count, NULL, &mw_arc_limits_usual), e, g->vertices);
    free(e);
    free(a.distance);
    free(a.paths);
}

/* The same edges with weights. */
static void weigh(const struct network *n, const int32_t *weights, struct mw_graph *weighted)
{
    struct mw_edges edges = { .vertices = n->vertices,
                              .count = n->edges,
                              .directed = n->graph.directed,
                              .ends = n->ends,
                              .weights = (int32_t *)(uintptr_t)weights };
    OK(mw_graph_new(serial, &edges, NULL, weighted, NULL));
}

/* Without weights, and with weights, mostly small ones, so that there are ties. */
static void try_network(const struct network *n, const uint32_t *sources, size_t count)
{
    static const size_t most[] = { 1, 2, 3, 20, 1000, INT32_MAX };
    const size_t largest = most[random_below(MW_COUNT(most))], least = 1 + random_below(2) * (largest / 2);
    int32_t *weights = room(n->edges + 1, sizeof *weights);
    struct mw_graph weighted;
    for (uint64_t e = 0; e < n->edges; e++)
        weights[e] = (int32_t)(least + random_below(largest - least + 1));
    weigh(n, weights, &weighted);
    try_graph(&n->graph, sources, count);
    try_graph(&weighted, sources, count);
    mw_graph_free(&weighted);
    free(weights);
}

static void random_networks_have_their_betweenness(void **unused)
{
    for (size_t round = 0; round < rounds(500); round++) {
        struct network n = random_network(random_below(4), up_to(round % 20 == 0 ? 100 : 20), round % 3 == 0);
        const bool all = round % 2 == 0;
        const size_t count = all ? n.vertices : random_below(n.vertices + 1);
        uint32_t *sources = room(count + 1, sizeof *sources);
        for (size_t s = 0; s < count; s++)
            sources[s] = (uint32_t)(all ? s : random_below(n.vertices));
        try_network(&n, sources, count);
        free(sources);
        network_free(&n);
    }
}

/* Adjacent hubs with multi-edges, so that most arcs of a vertex are on shortest paths, which are many. */
static void hubs_have_their_betweenness(void **unused)
{
    for (size_t round = 0; round < (native ? 10 : slow ? 1 : 2); round++) {
        struct network n = { 0 };
        hubs(&n, 1 + random_below(4), slow ? 60 : 500, native ? 60 : slow ? 8 : 20);
        line(&n, 4);
        add(&n, 0, n.vertices - 1);
        build(&n, round % 2 == 1, random_below(2));
        const uint32_t sources[] = { (uint32_t)random_below(n.vertices), (uint32_t)random_below(n.vertices), 0 };
        try_network(&n, sources, MW_COUNT(sources));
        network_free(&n);
    }
}

enum { WAYS = 4, STEP = WAYS + 1 };

/* A chain of corners, each with WAYS ways to the next one: WAYS^count paths from end to end. */
static void rhombs(struct network *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t way = 1; way <= WAYS; way++) {
            add(n, STEP * i, STEP * i + way);
            add(n, STEP * i + way, STEP * (i + 1));
        }
    n->vertices = STEP * count + 1;
    build(n, false, true);
}

/* More paths than double precision can represent exactly; the corners between rhombs are on all of them. */
static void many_paths_are_counted(void **unused)
{
    const size_t count = slow ? 27 : 200, last = STEP * count;
    struct network n = { 0 };
    rhombs(&n, count);
    const uint32_t sources[] = { 0, (uint32_t)last };
    double *e = found_on(&serial, 1, &n.graph, sources, 2, "queue", &mw_arc_limits_usual);
    /* From the two ends: the vertices beyond the corner. */
    for (size_t i = 1; i < count; i++)
        assert_true(fabs(e[STEP * i] - (double)n.vertices / 2 * (double)last / 2) < 1e-6 * e[STEP * i]);
    expect_same(found_on(&device, 1, &n.graph, sources, 2, "lanes", &mw_arc_limits_usual), e, n.vertices);
    if (!slow) /* where that is the same */
        expect_same(found_on(&device, 1, &n.graph, sources, 2, NULL, &mw_arc_limits_usual), e, n.vertices);
    /* All ways between two corners have the same length. */
    int32_t *weights = room(n.edges, sizeof *weights);
    struct mw_graph weighted;
    for (uint64_t w = 0; w < n.edges; w++)
        weights[w] = (int32_t)(1 + w / (2 * WAYS) % 3);
    weigh(&n, weights, &weighted);
    expect_same(found_on(&serial, 1, &weighted, sources, 2, "queue", &mw_arc_limits_usual), e, n.vertices);
    expect_same(found_on(&device, 1, &weighted, sources, 2, "lanes", &mw_arc_limits_usual), e, n.vertices);
    mw_graph_free(&weighted);
    free(weights);
    free(e);
    network_free(&n);
}

static void too_many_paths_are_an_error(void **unused)
{
    struct network n = { 0 };
    struct mw_graph_betweenness b = MW_INIT(b);
    const uint32_t source = 0;
    if (slow)
        return;
    rhombs(&n, 1001);
    for (size_t i = 0; i < 3; i++) {
        const struct mw_graph_betweenness_options options = { .size = sizeof options,
                                                              .variant = i == 0             ? NULL
                                                                         : native && i == 1 ? "queue"
                                                                                            : "lanes",
                                                              .sources = &source,
                                                              .source_count = 1 };
        assert_int_equal(mw_graph_betweenness(&device, 1, &n.graph, &options, &b), MW_ELIMIT);
    }
    network_free(&n);
}

static void weights_are_above_0_or_left_out(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 3, 4 };
    const uint32_t heads[] = { 1, 0, 2, 1 };
    const int32_t zero[] = { 2, 2, 0, 0 }, below[] = { -1, -1, 2, 2 }, above[] = { 1, 1, 2, 2 };
    struct mw_graph g = { .vertices = 3, .arcs = 4, .offsets = offsets, .heads = heads, .weights = zero };
    struct mw_graph_betweenness b = MW_INIT(b);
    assert_int_equal(mw_graph_betweenness(&device, 1, &g, NULL, &b), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "from 1 to 2 has 0"));
    OK(mw_graph_betweenness(&device, 1, &g, GIVEN(mw_graph_betweenness_options, .hops = true), &b));
    assert_true(b.betweenness[1] == 1 && !b.by_weights);
    mw_graph_betweenness_free(&b);
    g.weights = below;
    assert_int_equal(mw_graph_betweenness(&device, 1, &g, NULL, &b), MW_EDATA);
    g.weights = above;
    assert_int_equal(mw_graph_betweenness(&device, 1, &g, GIVEN(mw_graph_betweenness_options, .variant = "vectors"),
                                          &b),
                     MW_ENOTSUP);
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 }, no_source[] = { 2 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_betweenness b = MW_INIT(b);
    assert_int_equal(mw_graph_betweenness(&device, 0, &g, NULL, &b), MW_EINVAL);
    FAILS(MW_EINVAL, "given twice", mw_graph_betweenness((struct mw_device *[]){ device, device }, 2, &g, NULL, &b));
    assert_int_equal(mw_graph_betweenness(&device, 1, &g, GIVEN(mw_graph_betweenness_options, .variant = "lane"), &b),
                     MW_EINVAL);
    assert_int_equal(mw_graph_betweenness(&device, 1, &g,
                                          GIVEN(mw_graph_betweenness_options, .sources = no_source, .source_count = 1),
                                          &b),
                     MW_EINVAL);
    assert_int_equal(mw_graph_betweenness(&device, 1, &g, GIVEN(mw_graph_betweenness_options, .memory_most = 8), &b),
                     MW_ELIMIT);
}

/* A leaf's paths to all other leaves pass through the centre, whose arcs no loop of a driver may cut off. */
static void long_lists_are_walked(void **unused)
{
    const uint32_t leaves = 70000, source = 1;
    struct network n = { .vertices = leaves + 1 };
    struct mw_graph_betweenness found = MW_INIT(found);
    if (slow)
        skip();
    for (uint32_t v = 1; v <= leaves; v++)
        add(&n, 0, v);
    build(&n, false, false);
    const struct mw_graph_betweenness_options options = { .size = sizeof options,
                                                          .sources = &source,
                                                          .source_count = 1 };
    OK(mw_graph_betweenness(&device, 1, &n.graph, &options, &found));
    /* One source stands for all vertices, and each pair counts once. */
    assert_true(fabs(found.betweenness[0] / (0.5 * (leaves - 1.0) * (leaves + 1.0)) - 1) < 1e-12);
    mw_graph_betweenness_free(&found);
    network_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_betweenness),
        cmocka_unit_test(hubs_have_their_betweenness),
        cmocka_unit_test(many_paths_are_counted),
        cmocka_unit_test(too_many_paths_are_an_error),
        cmocka_unit_test(weights_are_above_0_or_left_out),
        cmocka_unit_test(long_lists_are_walked),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_with_serial, close_with_serial);
}
/* SPDX-License-Identifier: MIT */
