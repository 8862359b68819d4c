/* Shortest paths on one device, $MESHWORK_TEST_DEVICE, by all variants, compared with a plain breadth-first search. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include <meshwork/generate.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/paths/paths_internal.h"

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

/* ---- reference ---- */

/* From v along arcs: distance[w], MW_NO_PATH if there is no path. */
static void search_from(const struct mw_graph *g, uint32_t v, int32_t *distance, uint32_t *queue)
{
    size_t first = 0, behind = 0;
    for (size_t w = 0; w < g->vertices; w++)
        distance[w] = MW_NO_PATH;
    distance[v] = 0;
    queue[behind++] = v;
    while (first < behind) {
        const uint32_t w = queue[first++];
        for (uint64_t at = g->offsets[w]; at < g->offsets[w + 1]; at++)
            if (distance[g->heads[at]] == MW_NO_PATH) {
                distance[g->heads[at]] = distance[w] + 1;
                queue[behind++] = g->heads[at];
            }
    }
}

/* All results of mw_graph_paths except means. */
static struct mw_graph_paths expected(const struct mw_graph *g, const uint32_t *targets, size_t count)
{
    const size_t n = g->vertices;
    int32_t *distance = room(n + 1, sizeof *distance);
    uint32_t *queue = room(n + 1, sizeof *queue);
    struct mw_graph_paths p = { .size = sizeof p,
                                .vertices = n,
                                .targets = count,
                                .histogram = room(n + 1, sizeof *p.histogram),
                                .reached = room(n, sizeof *p.reached),
                                .farthest = room(n, sizeof *p.farthest),
                                .near = room(n, sizeof *p.near),
                                .inverse = room(n, sizeof *p.inverse) };
    for (size_t v = 0; v < n; v++) {
        search_from(g, (uint32_t)v, distance, queue);
        for (size_t t = 0; t < count; t++) {
            const int32_t d = distance[targets[t]];
            if (d == 0)
                continue;
            if (d == MW_NO_PATH) {
                p.unreachable++;
                continue;
            }
            p.pairs++;
            p.sum.low += (uint64_t)d;
            p.histogram[d]++;
            p.reached[v]++;
            p.near[v] += (uint64_t)d;
            p.inverse[v] += 1.0 / d;
            p.farthest[v] = p.farthest[v] < (uint32_t)d ? (uint32_t)d : p.farthest[v];
            p.longest = p.longest < (uint32_t)d ? (uint32_t)d : p.longest;
        }
    }
    free(distance);
    free(queue);
    return p;
}

static void expect_same(const struct mw_graph_paths *found, const struct mw_graph_paths *e, bool by_vertex)
{
    assert_int_equal(found->vertices, e->vertices);
    assert_int_equal(found->targets, e->targets);
    assert_int_equal(found->pairs, e->pairs);
    assert_int_equal(found->unreachable, e->unreachable);
    assert_int_equal(found->sum.low, e->sum.low);
    assert_int_equal(found->sum.high, 0);
    assert_int_equal(found->longest, e->longest);
    assert_memory_equal(found->histogram, e->histogram, (e->longest + 1) * sizeof *e->histogram);
    assert_true(found->mean == (e->pairs ? (double)e->sum.low / (double)e->pairs : 0));
    if (!by_vertex) {
        assert_null(found->near);
        return;
    }
    if (e->vertices == 0)
        return;
    assert_memory_equal(found->reached, e->reached, e->vertices * sizeof *e->reached);
    assert_memory_equal(found->farthest, e->farthest, e->vertices * sizeof *e->farthest);
    assert_memory_equal(found->near, e->near, e->vertices * sizeof *e->near);
    /* n^2 / 2^63, and rounding errors of doubles. */
    for (size_t v = 0; v < e->vertices; v++)
        assert_true(fabs(found->inverse[v] - e->inverse[v]) <= 1e-12 * (1 + e->inverse[v]));
}

/* ---- tests ---- */

/* Launches by drivers cost more than searches of small graphs. */
static size_t rounds(size_t on_native)
{
    return native ? on_native : slow ? 1 : on_native / (slow_compiler ? 50 : 20) + 1;
}
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 8 : on_native / 4); }

static bool refused(const char *variant)
{
    return strcmp(variant, "floyd") == 0 && mw_device_info(device)->kind != MW_DEVICE_NATIVE;
}

static void try_variant(const struct mw_graph *g, const struct mw_graph_paths *e, const char *variant,
                        const uint32_t *targets, const struct mw_arc_limits *limits)
{
    const struct mw_graph_paths_options options = {
        .size = sizeof options,
        .variant = variant,
        .targets = targets,
        .target_count = targets ? e->targets : 0,
        .by_vertex = random_below(4) > 0,
        .memory_most = random_below(2) ? 0 : (g->vertices + 1) * 2000 + g->arcs * 200,
    };
    struct mw_graph_paths found = MW_INIT(found);
    OK(mw_graph_paths_within(&device, 1, g, &options, limits, &found));
    if (found.sum.low != e->sum.low)
        print_error("variant %s of %zu vertices, blocks of up to %" PRIu64 " arcs\n", variant, g->vertices,
                    limits->block_most);
    expect_same(&found, e, options.by_vertex);
    mw_graph_paths_free(&found);
}

static void try_all(const struct mw_graph *g, const uint32_t *targets, size_t count)
{
    const struct mw_arc_limits limits[] = { mw_arc_limits_usual,
                                            { .block_most = 7, .part_least = 3, .vertex_most = 5 } };
    const size_t n = g->vertices;
    uint32_t *all = room(n + 1, sizeof *all);
    const struct mw_variant *v;
    for (size_t i = 0; i < n; i++)
        all[i] = (uint32_t)i;
    struct mw_graph_paths e = expected(g, targets ? targets : all, targets ? count : n);
    for (size_t i = 0; (v = mw_graph_path_variants(i)) != NULL; i++)
        if (!refused(v->name))
            try_variant(g, &e, v->name, targets, &limits[0]);
    try_variant(g, &e, "bits", targets, &limits[1]);
    mw_graph_paths_free(&e);
    free(all);
}

static void random_networks_have_their_distances(void **unused)
{
    for (int round = 0; round < (int)rounds(200); round++) {
        struct network n = random_network(random_below(5), up_to(round % 20 == 0 ? 700 : 40), round % 3 == 0);
        try_all(&n.graph, NULL, 0);
        network_free(&n);
    }
}

static void some_targets_are_enough(void **unused)
{
    for (int round = 0; round < (int)rounds(60); round++) {
        struct network n = random_network(1 + random_below(3), up_to(200), round % 2 == 0);
        const size_t count = random_below(n.vertices + 1);
        uint32_t *targets = room(count + 1, sizeof *targets);
        for (size_t t = 0; t < count; t++)
            targets[t] = (uint32_t)random_below(n.vertices);
        try_all(&n.graph, targets, count);
        free(targets);
        network_free(&n);
    }
}

/* Adjacent hubs with more arcs than one work-item, team or group gathers, and a line, so that there are many levels. */
static void hubs_have_their_distances(void **unused)
{
    for (int round = 0; round < (native ? 8 : slow ? 1 : 2); round++) {
        struct network n = { 0 };
        hubs(&n, 1 + random_below(4), native ? 2500 : 1200, native ? 400 : 60);
        line(&n, native ? 20 : 3);
        isolated(&n, 5);
        add(&n, 0, n.vertices - 6);
        build(&n, round % 2 == 1, random_below(2));
        const size_t count = native ? 1 + random_below(200) : 10;
        uint32_t *targets = room(count, sizeof *targets);
        for (size_t t = 0; t < count; t++)
            targets[t] = (uint32_t)random_below(n.vertices);
        try_all(&n.graph, targets, count);
        free(targets);
        network_free(&n);
    }
}

/* A hub that is the only row that changes in a level, so that its neighbours are marked. */
static void hubs_mark_their_neighbours(void **unused)
{
    const struct mw_arc_limits limits = { .block_most = 1 << 20, .part_least = 3, .vertex_most = 5 };
    const uint32_t target = 0;
    for (int round = 0; round < 2; round++) {
        struct network n = { 0 };
        kite(&n, 30 + random_below(40));
        build(&n, round == 1, true);
        struct mw_graph_paths e = expected(&n.graph, &target, 1);
        try_variant(&n.graph, &e, "bits", &target, &limits);
        mw_graph_paths_free(&e);
        network_free(&n);
    }
}

/* Rows for which one batch of levels is not enough; few of them change at the same time. */
static void long_ways_are_gone_to_their_end(void **unused)
{
    const size_t length = native ? 3000 : slow ? 70 : 300;
    struct network n = { 0 };
    struct mw_graph_paths found = MW_INIT(found);
    line(&n, length);
    build(&n, false, true);
    OK(mw_graph_paths(&device, 1, &n.graph, GIVEN(mw_graph_paths_options, .by_vertex = true, .variant = "bits"),
                      &found));
    assert_int_equal(found.longest, length - 1);
    /* The mean distance of a path of n vertices is (n + 1) / 3. */
    assert_true(found.mean == ((double)length + 1) / 3);
    assert_int_equal(found.farthest[length / 3], length - 1 - length / 3);
    mw_graph_paths_free(&found);
    network_free(&n);
}

static void devices_share_the_targets(void **unused)
{
    struct mw_device *devices[2] = { device, NULL }, *others[2];
    OK(mw_device_open_by_name("native:serial", NULL, &others[0]));
    OK(mw_device_open_by_name(info->id, NULL, &others[1])); /* equally fast */
    for (int round = 0; round < (int)rounds(20); round++) {
        devices[1] = others[random_below(2)];
        struct network n = random_network(2, up_to(600), round % 2 == 0);
        uint32_t *all = room(n.vertices + 1, sizeof *all);
        struct mw_graph_paths found = MW_INIT(found);
        for (size_t v = 0; v < n.vertices; v++)
            all[v] = (uint32_t)v;
        struct mw_graph_paths e = expected(&n.graph, all, n.vertices);
        for (size_t i = 0; i < 8; i++) {
            const char *variant = mw_graph_path_variants(i)->name;
            OK(mw_graph_paths(devices, 2, &n.graph,
                              GIVEN(mw_graph_paths_options, .variant = variant, .by_vertex = true,
                                    .memory_most = n.vertices * 1200),
                              &found));
            expect_same(&found, &e, true);
            mw_graph_paths_free(&found);
        }
        mw_graph_paths_free(&e);
        free(all);
        network_free(&n);
    }
    mw_device_close(others[0]);
    mw_device_close(others[1]);
}

/* ---- the matrix ---- */

struct rows {
    const struct mw_graph *graph;
    const uint32_t *sources;
    size_t next, stop;
    int32_t *distance;
    uint32_t *queue;
};

static int expect_rows(void *context, size_t first, size_t count, const int32_t *distances)
{
    struct rows *r = context;
    const size_t n = r->graph->vertices;
    assert_int_equal(first, r->next);
    for (size_t i = 0; i < count; i++) {
        search_from(r->graph, r->sources ? r->sources[first + i] : (uint32_t)(first + i), r->distance, r->queue);
        for (size_t v = 0; v < n; v++)
            assert_int_equal(distances[i * n + v], r->distance[v] == MW_NO_PATH ? -1 : r->distance[v]);
    }
    r->next += count;
    return r->next >= r->stop ? mw_fail(MW_EIO, "no more rows") : 0;
}

static void rows_come_in_order(void **unused)
{
    struct mw_device *devices[2] = { device, NULL };
    OK(mw_device_open_by_name("native:serial", NULL, &devices[1]));
    for (int round = 0; round < (int)rounds(60); round++) {
        struct network n = random_network(random_below(5), up_to(round % 20 == 0 ? 700 : 200), round % 3 == 0);
        const size_t all = n.graph.vertices, count = round % 2 ? all : random_below(2 * all + 1), team = 1 + round % 2;
        uint32_t *sources = room(count + 1, sizeof *sources);
        struct rows rows = { &n.graph, count == all ? NULL : sources,        0,
                             SIZE_MAX, room(all + 1, sizeof *rows.distance), room(all + 1, sizeof *rows.queue) };
        for (size_t s = 0; s < count; s++)
            sources[s] = (uint32_t)random_below(all);
        OK(mw_graph_distance_rows(devices, team, &n.graph, rows.sources, count, expect_rows, &rows));
        assert_int_equal(rows.next, count);
        if (count > 0) {
            rows.next = 0;
            rows.stop = random_below(count) + 1;
            assert_int_equal(mw_graph_distance_rows(devices, team, &n.graph, rows.sources, count, expect_rows, &rows),
                             MW_EIO);
        }
        free(sources);
        free(rows.distance);
        free(rows.queue);
        network_free(&n);
    }
    mw_device_close(devices[1]);
}

/* auto: a search for each target if ways are long. */
static void long_ways_choose_a_queue(void **unused)
{
    struct network n = { 0 };
    struct mw_graph_paths found = MW_INIT(found);
    for (size_t length = slow ? 30 : 100; length <= (slow ? 30 : 1000); length *= 10) {
        line(&n, length);
        build(&n, false, true);
        OK(mw_graph_paths(&device, 1, &n.graph, NULL, &found));
        assert_string_equal(found.variant, length == 1000 ? "queue" : "bits");
        assert_true(found.mean == ((double)length + 1) / 3);
        assert_int_equal(found.longest, length - 1);
        for (size_t d = 1; d < length; d++)
            assert_int_equal(found.histogram[d], 2 * (length - d));
        mw_graph_paths_free(&found);
        network_free(&n);
        n = (struct network){ 0 };
    }
}

/* More slots than a device adds up in one pass, and a vertex with more arcs than an item fetches at once: a star, with
 * targets that occur several times. */
static void many_slots_are_added_up(void **unused)
{
    enum { N = 20 };
    const size_t count = slow ? 40 : 1100;
    struct network n = { 0 };
    struct mw_graph_paths found = MW_INIT(found);
    uint32_t *targets = room(count, sizeof *targets);
    for (uint32_t v = 1; v < N; v++)
        add(&n, 0, v);
    n.vertices = N;
    build(&n, false, true);
    for (size_t t = 0; t < count; t++)
        targets[t] = (uint32_t)(t * 7 % N);
    struct mw_graph_paths e = expected(&n.graph, targets, count);
    const struct mw_graph_paths_options options = {
        .size = sizeof options, .variant = "queue", .targets = targets, .target_count = count, .by_vertex = true
    };
    OK(mw_graph_paths(&device, 1, &n.graph, &options, &found));
    expect_same(&found, &e, true);
    mw_graph_paths_free(&found);
    mw_graph_paths_free(&e);
    network_free(&n);
    free(targets);
}

/* Drivers that end the loops of an item after so many rounds would give wrong distances. */
static void loops_that_drivers_end_are_not_begun(void **unused)
{
    const unsigned rounds = mw_device_info(device)->traits->loop_rounds;
    struct network n = { 0 };
    struct mw_graph_paths found = MW_INIT(found);
    bool queue = true;
    if (!rounds)
        skip();
    line(&n, rounds / 6);
    build(&n, false, true);
    const struct mw_graph_paths_options options = { .size = sizeof options, .variant = "queue" };
    const struct mw_path_job job = { .graph = &n.graph,
                                     .limits = &mw_arc_limits_usual,
                                     .options = { .target_count = rounds / 6 } };
    assert_int_equal(mw_graph_paths(&device, 1, &n.graph, &options, &found), MW_ENOTSUP);
    /* The same for rows, even if no row is requested: the command checks in this way before it measures. */
    assert_int_equal(mw_graph_distance_rows(&device, 1, &n.graph, &(uint32_t){ 0 }, 0, expect_rows, NULL), MW_ENOTSUP);
    OK(mw_path_choose(&job, &device, 1, &queue));
    assert_false(queue);
    network_free(&n);
}

/* Intervals of samples contain the mean of all pairs about 95 times of 100. All have about the same width, and are the
 * same by any variant. */
static void samples_have_intervals(void **unused)
{
    static const struct mw_value given[] = { { "n", 2000 }, { "m", 5 } };
    struct mw_graph_paths all = MW_INIT(all), some = MW_INIT(some), other = MW_INIT(other);
    struct mw_edges edges;
    struct mw_graph g;
    uint32_t targets[256];
    double narrowest = INFINITY, widest = 0;
    int within = 0;
    if (!native)
        skip(); /* takes too long */
    OK(mw_generate(device, "ba", given, MW_COUNT(given), 3, &edges));
    OK(mw_graph_new(device, &edges, NULL, &g, NULL));
    OK(mw_graph_paths(&device, 1, &g, NULL, &all));
    assert_true(all.half_width == 0);
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct mw_graph_paths_options how = {
            .size = sizeof how, .variant = "bits", .targets = targets, .target_count = MW_COUNT(targets)
        };
        OK(mw_graph_sample(g.vertices, MW_COUNT(targets), seed, targets));
        OK(mw_graph_paths(&device, 1, &g, &how, &some));
        how.variant = "queue";
        OK(mw_graph_paths(&device, 1, &g, &how, &other));
        assert_true(some.half_width == other.half_width);
        within += fabs(some.mean - all.mean) <= some.half_width;
        narrowest = fmin(narrowest, some.half_width);
        widest = fmax(widest, some.half_width);
        mw_graph_paths_free(&some);
        mw_graph_paths_free(&other);
    }
    print_message("%d of 100 within, widths %g to %g\n", within, narrowest, widest);
    assert_in_range(within, 88, 100);
    assert_true(widest < 2.2 * narrowest);
    mw_graph_paths_free(&all);
    mw_graph_free(&g);
    mw_edges_free(&edges);
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 }, falling[] = { 0, 3, 2 };
    const uint32_t heads[] = { 1, 0 }, no_heads[] = { 1, 2 }, no_target[] = { 2 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    const struct mw_graph no_head = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = no_heads };
    const struct mw_graph no_order = { .vertices = 2, .arcs = 2, .offsets = falling, .heads = heads };
    struct mw_graph_paths p = MW_INIT(p);
    assert_int_equal(mw_graph_paths(&device, 0, &g, NULL, &p), MW_EINVAL);
    FAILS(MW_EINVAL, "given twice", mw_graph_paths((struct mw_device *[]){ device, device }, 2, &g, NULL, &p));
    assert_int_equal(mw_graph_paths(&device, 1, &no_head, NULL, &p), MW_EDATA);
    assert_int_equal(mw_graph_paths(&device, 1, &no_order, NULL, &p), MW_EDATA);
    assert_int_equal(mw_graph_paths(&device, 1, &g, GIVEN(mw_graph_paths_options, .variant = "bit"), &p), MW_EINVAL);
    assert_int_equal(mw_graph_paths(&device, 1, &g,
                                    GIVEN(mw_graph_paths_options, .targets = no_target, .target_count = 1), &p),
                     MW_EINVAL);
    assert_int_equal(mw_graph_paths(&device, 1, &g, GIVEN(mw_graph_paths_options, .memory_most = 100), &p), MW_ELIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_distances),
        cmocka_unit_test(some_targets_are_enough),
        cmocka_unit_test(hubs_have_their_distances),
        cmocka_unit_test(hubs_mark_their_neighbours),
        cmocka_unit_test(long_ways_are_gone_to_their_end),
        cmocka_unit_test(devices_share_the_targets),
        cmocka_unit_test(rows_come_in_order),
        cmocka_unit_test(long_ways_choose_a_queue),
        cmocka_unit_test(many_slots_are_added_up),
        cmocka_unit_test(loops_that_drivers_end_are_not_begun),
        cmocka_unit_test(samples_have_intervals),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
