/* PageRank on one device, $MESHWORK_TEST_DEVICE, compared with a plain power iteration in double precision that does
 * not use arrays of arcs; and on several devices. Set $MESHWORK_TEST_SEED to repeat a run. */
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

static struct mw_device *again, *threads;
static const struct mw_arc_limits small_blocks = { .block_most = 7, .part_least = 3, .vertex_most = 5 };
/* ---- reference ---- */

/* From the edges, in the order in which they were drawn. */
static double *expected(const struct network *n, double damping)
{
    const size_t count = n->vertices;
    double *now = room(count + 1, sizeof *now), *next = room(count + 1, sizeof *next), change = 1;
    uint32_t *degree = room(count + 1, sizeof *degree);
    for (uint64_t i = 0; i < 2 * n->edges; i++)
        if (!n->graph.directed || i % 2 == 0)
            degree[n->ends[i]]++;
    for (size_t v = 0; v < count; v++)
        now[v] = 1 / (double)count;
    /* Changes caused by rounding alone may go on for ever: 0.9^400 is 5e-19. */
    for (int round = 0; round < 400 && change > 1e-14; round++) {
        double dangling = 0;
        for (size_t v = 0; v < count; v++)
            dangling += degree[v] ? 0 : now[v];
        for (size_t v = 0; v < count; v++)
            next[v] = (1 - damping) / (double)count + damping * dangling / (double)count;
        for (uint64_t i = 0; i < 2 * n->edges; i++)
            if (!n->graph.directed || i % 2 == 0)
                next[n->ends[i ^ 1]] += damping * now[n->ends[i]] / degree[n->ends[i]];
        change = 0;
        for (size_t v = 0; v < count; v++) {
            change += fabs(next[v] - now[v]);
            now[v] = next[v];
        }
    }
    free(next);
    free(degree);
    return now;
}

/* ---- tests ---- */

static size_t rounds(size_t on_native)
{
    return native ? on_native : slow ? 2 : on_native / (slow_compiler ? 25 : 10) + 1;
}
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 8 : on_native / 2); }

static struct mw_graph_pagerank ranks_on(struct mw_device *const *devices, size_t count, const struct network *n,
                                         double damping, const struct mw_arc_limits *limits)
{
    const struct mw_graph_pagerank_options options = { .size = sizeof options,
                                                       .damping = damping,
                                                       .tolerance = 1e-13,
                                                       .block_arcs = random_below(3) || n->graph.arcs > 1000 ? 0 : 20 };
    struct mw_graph_pagerank found = MW_INIT(found);
    OK(mw_graph_pagerank_within(devices, count, &n->graph, &options, limits, &found));
    return found;
}

static void expect_ranks(const struct network *n, double damping)
{
    struct mw_graph_pagerank usual = ranks_on(&device, 1, n, damping, &mw_arc_limits_usual);
    /* One launch per block takes long on drivers. */
    const bool few = native || n->graph.arcs < (slow ? 20 : 100);
    struct mw_graph_pagerank blocks = ranks_on(&device, 1, n, damping, few ? &small_blocks : &mw_arc_limits_usual);
    struct mw_graph_pagerank other = ranks_on(&serial, 1, n, damping, &mw_arc_limits_usual);
    double *e = expected(n, damping), sum = 0;
    const size_t bytes = n->vertices * sizeof *e;
    assert_int_equal(usual.vertices, n->vertices);
    assert_int_equal(usual.rounds, other.rounds);
    for (size_t v = 0; v < n->vertices; v++) {
        sum += usual.ranks[v];
        assert_true(fabs(usual.ranks[v] - e[v]) <= 1e-12);
    }
    assert_true(n->vertices == 0 || fabs(sum - 1) < 1e-12);
    assert_true(bytes == 0 || memcmp(usual.ranks, blocks.ranks, bytes) == 0);
    assert_true(bytes == 0 || memcmp(usual.ranks, other.ranks, bytes) == 0);
    mw_graph_pagerank_free(&usual);
    mw_graph_pagerank_free(&blocks);
    mw_graph_pagerank_free(&other);
    free(e);
}

static void random_networks_have_their_ranks(void **unused)
{
    static const double damping[] = { 0.7, 0.5, 1e-6, 0.9 };
    for (size_t round = 0; round < rounds(600); round++) {
        struct network n = random_network(random_below(5), up_to(round % 20 == 0 ? 500 : 40), round % 3 == 0);
        expect_ranks(&n, damping[random_below(slow ? 3 : 4)]);
        network_free(&n);
    }
}

/* Ranks, rounds and changes have the bits of one device; some devices have no vertex, or a high-degree one. */
static void several_devices_have_the_ranks_of_one(void **unused)
{
    for (size_t round = 0; round < rounds(1000); round++) {
        struct network n = random_network(random_below(5), up_to(round % 50 == 0 ? 500 : 30), round % 3 == 0);
        struct mw_device *devices[] = { device, again, serial, threads };
        const bool few = native || n.graph.arcs < (slow ? 20 : 100);
        const struct mw_arc_limits *const limits = few && random_below(2) ? &small_blocks : &mw_arc_limits_usual;
        const double damping = random_below(2) ? 0.85 : 0.6;
        struct mw_graph_pagerank one = ranks_on(&serial, 1, &n, damping, &mw_arc_limits_usual), all;
        const size_t bytes = n.vertices * sizeof *one.ranks;
        shuffle_devices(devices, MW_COUNT(devices));
        all = ranks_on(devices, 2 + random_below(3), &n, damping, limits);
        assert_int_equal(all.rounds, one.rounds);
        assert_true(all.change == one.change);
        assert_true(bytes == 0 || memcmp(all.ranks, one.ranks, bytes) == 0);
        mw_graph_pagerank_free(&one);
        mw_graph_pagerank_free(&all);
        network_free(&n);
    }
}

/* The middle of a star of n leaves: (1 + d n) / ((1 + d)(n + 1)); it has more arcs than one piece of a high-degree
 * vertex. */
static void stars_have_ranks_in_closed_form(void **unused)
{
    const size_t leaves = slow ? 700 : 20000;
    const double d = 0.85, middle = (1 + d * (double)leaves) / ((1 + d) * ((double)leaves + 1));
    const struct mw_graph_pagerank_options too_near = { .size = sizeof too_near, .damping = 1 - 0x1p-53 };
    struct network n = { .vertices = leaves + 1 };
    struct mw_graph_pagerank found = MW_INIT(found);
    for (size_t i = 1; i <= leaves; i++)
        add(&n, 0, i);
    build(&n, false, true);
    OK(mw_graph_pagerank(&device, 1, &n.graph, NULL, &found));
    assert_true(found.rounds < 60); /* plain rounds: 146 */
    assert_true(fabs(found.ranks[0] - middle) < 1e-9);
    assert_true(found.ranks[1] == found.ranks[leaves]);
    mw_graph_pagerank_free(&found);
    assert_int_equal(mw_graph_pagerank(&device, 1, &n.graph, &too_near, &found), MW_EINVAL);
    network_free(&n);
}

/* Accelerated rounds go further than plain ones, and may go too far at first. */
static void rough_tolerances_are_kept(void **unused)
{
    for (size_t round = 0; round < rounds(200); round++) {
        struct network n = random_network(random_below(5), up_to(200), false);
        const double tolerance = pow(10, -(double)random_below(8)), damping = random_below(2) ? 0.85 : 0.9;
        const struct mw_graph_pagerank_options options = { .size = sizeof options,
                                                           .damping = damping,
                                                           .tolerance = tolerance };
        struct mw_graph_pagerank found = MW_INIT(found);
        double *e = expected(&n, damping), off = 0;
        OK(mw_graph_pagerank(&device, 1, &n.graph, &options, &found));
        for (size_t v = 0; v < n.vertices; v++) {
            assert_true(found.ranks[v] >= 0);
            off += fabs(found.ranks[v] - e[v]);
        }
        assert_true(found.change <= tolerance);
        /* A plain round changes at least (1 - damping) of the error; if ranks are scaled to a sum of 1, half of
         * that. */
        assert_true(off <= 2 * tolerance / (1 - damping) + 1e-12);
        mw_graph_pagerank_free(&found);
        network_free(&n);
        free(e);
    }
}

/* Arcs around a ring in one direction are not an undirected graph. */
static void arcs_without_their_pairs_are_noticed(void **unused)
{
    const uint64_t offsets[] = { 0, 2, 3, 4, 5, 5 };
    const uint32_t heads[] = { 1, 4, 2, 3, 0 };
    const struct mw_graph g = { .vertices = 5, .arcs = 5, .offsets = offsets, .heads = heads };
    const struct mw_graph_pagerank_options options = { .size = sizeof options, .damping = 0.9 };
    struct mw_graph_pagerank p = MW_INIT(p);
    if (left_out(4) && slow)
        skip(); /* so many rounds take too long */
    assert_int_equal(mw_graph_pagerank(&device, 1, &g, &options, &p), MW_EINVAL);
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 }, no_heads[] = { 1, 2 };
    struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_pagerank p = MW_INIT(p);
    const struct mw_graph_pagerank_options wrong[] = { { .size = sizeof *wrong, .damping = 1 },
                                                       { .size = sizeof *wrong, .damping = NAN },
                                                       { .size = sizeof *wrong, .tolerance = -1 } };
    for (size_t i = 0; i < MW_COUNT(wrong); i++)
        assert_int_equal(mw_graph_pagerank(&device, 1, &g, &wrong[i], &p), MW_EINVAL);
    FAILS(MW_EINVAL, "given twice", mw_graph_pagerank((struct mw_device *[]){ device, device }, 2, &g, NULL, &p));
    g.heads = no_heads;
    assert_int_not_equal(mw_graph_pagerank(&device, 1, &g, NULL, &p), 0);
    g.heads = heads;
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
        cmocka_unit_test(random_networks_have_their_ranks),
        cmocka_unit_test(stars_have_ranks_in_closed_form),
        cmocka_unit_test(rough_tolerances_are_kept),
        cmocka_unit_test(arcs_without_their_pairs_are_noticed),
        cmocka_unit_test(several_devices_have_the_ranks_of_one),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
/* SPDX-License-Identifier: MIT */
