/* Triangles on one device, $MESHWORK_TEST_DEVICE, by all variants, compared with a test of all triples of vertices. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include <meshwork/generate.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/triangles/triangles_internal.h"
#include "graph/triangles/triangles_plan.clh"

#include "tests/device/device.h"
#include "tests/device/graph/networks.h"

/* ---- reference ---- */

/* joined[i * n + j]: there is an arc from i to j, and i is not j. */
static uint8_t *matrix_of(const struct mw_graph *g)
{
    const size_t n = g->vertices;
    uint8_t *joined = room(n * n + 1, 1);
    for (size_t v = 0; v < n; v++)
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            joined[v * n + g->heads[i]] = g->heads[i] != v;
    return joined;
}

/* Walks of two arcs from i through j to a third vertex, and whether an arc leads back: each triangle is found from its
 * three corners, in an undirected graph in both directions. */
static void walk(const uint8_t *joined, size_t n, size_t i, size_t j, struct mw_graph_triangles *t, uint32_t *closed)
{
    for (size_t k = 0; k < n; k++) {
        if (!joined[j * n + k] || k == i)
            continue;
        t->triples_of_vertex[j]++;
        t->triples.low++;
        if (joined[k * n + i]) {
            closed[i * n + j]++;
            t->of_vertex[j]++;
            t->triangles++;
        }
    }
}

static struct mw_graph_triangles expected(const struct mw_graph *g)
{
    const size_t n = g->vertices;
    uint8_t *joined = matrix_of(g);
    uint32_t *closed = room(n * n + 1, sizeof *closed);
    struct mw_graph_triangles t = { .size = sizeof t,
                                    .vertices = n,
                                    .of_vertex = room(n, sizeof *t.of_vertex),
                                    .triples_of_vertex = room(n, sizeof *t.triples_of_vertex),
                                    .local = room(n, sizeof *t.local),
                                    .of_arc = room(g->arcs, sizeof *t.of_arc) };
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (joined[i * n + j])
                walk(joined, n, i, j, &t, closed);
    t.triangles /= g->directed ? 3 : 6;
    t.triples.low /= g->directed ? 1 : 2;
    for (size_t v = 0; v < n; v++) {
        t.of_vertex[v] /= g->directed ? 1 : 2;
        t.triples_of_vertex[v] /= g->directed ? 1 : 2;
        t.local[v] = t.triples_of_vertex[v] ? (double)t.of_vertex[v] / (double)t.triples_of_vertex[v] : 0;
        t.mean_local += t.local[v];
        t.local_vertices += t.triples_of_vertex[v] > 0;
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            t.of_arc[i] = closed[v * n + g->heads[i]];
    }
    t.mean_local = t.local_vertices ? t.mean_local / (double)t.local_vertices : 0;
    t.clustering = t.triples.low ? 3 * (double)t.triangles / (double)t.triples.low : 0;
    free(joined);
    free(closed);
    return t;
}

static void expect_same(const struct mw_graph_triangles *found, const struct mw_graph_triangles *e, uint64_t arcs)
{
    const size_t n = e->vertices;
    assert_int_equal(found->vertices, n);
    assert_int_equal(found->triangles, e->triangles);
    assert_int_equal(found->triples.low, e->triples.low);
    assert_int_equal(found->triples.high, 0);
    assert_true(found->clustering == e->clustering);
    if (found->of_vertex && n > 0) {
        assert_memory_equal(found->of_vertex, e->of_vertex, n * sizeof *e->of_vertex);
        assert_memory_equal(found->triples_of_vertex, e->triples_of_vertex, n * sizeof *e->triples_of_vertex);
        assert_memory_equal(found->local, e->local, n * sizeof *e->local);
        assert_true(found->mean_local == e->mean_local);
        assert_int_equal(found->local_vertices, e->local_vertices);
    }
    if (found->of_arc && arcs > 0)
        assert_memory_equal(found->of_arc, e->of_arc, arcs * sizeof *e->of_arc);
}

/* ---- tests ---- */

/* Launches by drivers cost more than the triangles of small graphs. */
static size_t rounds(size_t on_native) { return native ? on_native : slow ? on_native / 200 + 1 : on_native / 20 + 1; }
static size_t up_to(size_t on_native) { return 1 + random_below(native ? on_native : slow ? 8 : on_native / 2); }

/* Returns whether a device has no images, or may end loops too early. */
static bool may_refuse(struct mw_device *by, const char *variant)
{
    const struct mw_device_info *its = mw_device_info(by);
    if (strstr(variant, "image") && !its->images)
        return true;
    if (strcmp(variant, "copies") == 0 && its->kind == MW_DEVICE_NATIVE)
        return true;
    return its->traits->loop_rounds > 0 && strcmp(variant, "oriented") != 0;
}

static void try_with(struct mw_device **devices, size_t count, const struct mw_graph *g,
                     const struct mw_graph_triangles *e, const struct mw_graph_triangles_options *options,
                     const struct mw_arc_limits *limits)
{
    struct mw_graph_triangles found = MW_INIT(found);
    const int rc = mw_graph_triangles_within(devices, count, g, options, limits, &found);
    for (size_t d = 0; rc == MW_ENOTSUP && d < count; d++)
        if (may_refuse(devices[d], options->variant ? options->variant : "oriented"))
            return;
    OK(rc);
    if (found.triangles != e->triangles || found.triples.low != e->triples.low)
        print_error("variant %s of %zu vertices, blocks of up to %" PRIu64 " arcs\n", found.variant, g->vertices,
                    options->block_arcs);
    assert_int_equal(found.of_vertex != NULL, options->by_vertex);
    assert_int_equal(found.of_arc != NULL, options->by_arc);
    expect_same(&found, e, g->arcs);
    mw_graph_triangles_free(&found);
}

static void try_all(const struct mw_graph *g)
{
    const struct mw_arc_limits small = { .block_most = UINT64_C(1) << 31,
                                         .part_least = 3,
                                         .vertex_most = 5,
                                         .hub_least = random_below(12),
                                         .hub_most = random_below(2 * g->vertices + 1) };
    struct mw_graph_triangles e = expected(g);
    const struct mw_variant *v;
    for (size_t i = 0; (v = mw_graph_triangle_variants(i)) != NULL; i++)
        try_with(&device, 1, g, &e, GIVEN(mw_graph_triangles_options, .variant = v->name), &mw_arc_limits_usual);
    try_with(&device, 1, g, &e, &(struct mw_graph_triangles_options){ 0 }, &small);
    try_with(&device, 1, g, &e, GIVEN(mw_graph_triangles_options, .by_vertex = true, .by_arc = true), &small);
    try_with(&device, 1, g, &e,
             GIVEN(mw_graph_triangles_options, .block_arcs = 1 + random_below(60), .by_vertex = random_below(2),
                   .by_arc = random_below(2)),
             &small);
    mw_graph_triangles_free(&e);
}

static void random_networks_have_their_triangles(void **unused)
{
    for (int round = 0; round < (int)rounds(1000); round++) {
        struct network n = random_network(random_below(5), up_to(round % 50 == 0 ? 120 : 24), round % 3 == 0);
        try_all(&n.graph);
        network_free(&n);
    }
}

/* Random edges between few vertices: many triangles, and many arcs in both directions. */
static void dense_networks_have_their_triangles(void **unused)
{
    for (int round = 0; round < (int)rounds(200); round++) {
        struct network n = { .vertices = 2 + up_to(60) };
        for (size_t e = random_below(n.vertices * n.vertices); e > 0; e--)
            add(&n, random_below(n.vertices), random_below(n.vertices));
        build(&n, round % 2, random_below(2));
        try_all(&n.graph);
        network_free(&n);
    }
}

/* More vertices than marks have bits, so that vertices share bits. Two cliques whose vertices share bits; each vertex
 * of the second one is joined to those of the first one below its counterpart. */
static void far_vertices_are_told_apart(void **unused)
{
    const size_t apart = TRIANGLES_MARKS, size = native ? 60 : 9;
    struct network n = { .vertices = apart + size };
    struct mw_graph_triangles found = MW_INIT(found);
    uint64_t expected_triangles = 0;
    if (left_out(4) && slow)
        skip(); /* so many vertices take too long */
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++) {
            add(&n, i, j);
            add(&n, apart + i, apart + j);
            add(&n, apart + i, j);
        }
    build(&n, false, true);
    /* For i > j > k: those of either clique; i of the second with j and k of the first; i and j of the second with k of
     * the first. */
    for (uint64_t i = 0; i < size; i++)
        expected_triangles += 4 * (i * (i - 1) / 2);
    OK(mw_graph_triangles(&device, 1, &n.graph, NULL, &found));
    assert_int_equal(found.triangles, expected_triangles);
    mw_graph_triangles_free(&found);
    network_free(&n);
}

/* Two vertices that are joined, and all others joined to both: several groups share the many arcs to one hub. */
static void books_have_a_triangle_a_page(void **unused)
{
    const size_t pages = slow ? TRIANGLES_ARRIVING + 70 : 3 * TRIANGLES_ARRIVING + 70;
    struct network n = { .vertices = pages + 2 };
    for (size_t i = 0; i < pages; i++) {
        add(&n, i, pages);
        add(&n, i, pages + 1);
    }
    add(&n, pages, pages + 1);
    build(&n, false, true);
    for (int by_vertex = 0; by_vertex < 2; by_vertex++) {
        struct mw_graph_triangles found = MW_INIT(found);
        OK(mw_graph_triangles(&device, 1, &n.graph, GIVEN(mw_graph_triangles_options, .by_vertex = by_vertex), &found));
        assert_int_equal(found.triangles, pages);
        mw_graph_triangles_free(&found);
    }
    network_free(&n);
}

/* Many arcs to many hubs: groups begin and end within and between them. */
static void hubs_among_hubs_have_their_triangles(void **unused)
{
    const size_t vertices = slow ? 60 : 200;
    for (int round = 0; round < (native ? 4 : slow ? 2 : 20); round++) {
        const struct mw_arc_limits limits = { .block_most = UINT64_C(1) << 31,
                                              .part_least = 100,
                                              .hub_least = 1 + random_below(vertices),
                                              .hub_most = round % 2 ? 1 + random_below(vertices) : 0 };
        struct network n = { .vertices = vertices };
        struct mw_graph_triangles e = MW_INIT(e);
        for (size_t i = 0; i < vertices; i++)
            for (size_t j = 0; j < i; j++)
                if (random_below(vertices) >= (size_t)round * j / 4)
                    add(&n, i, j);
        build(&n, false, random_below(2));
        e = expected(&n.graph);
        try_with(&device, 1, &n.graph, &e, &(struct mw_graph_triangles_options){ 0 }, &limits);
        mw_graph_triangles_free(&e);
        network_free(&n);
    }
}

/* Graphs that are marked as undirected although some arcs have no reverse arc: lists by rank are refused if they would
 * not fit; all variants only have to stay within their memory. */
static void try_lone_arcs(size_t vertices, size_t ahead, bool some_lead_back, size_t hub_least)
{
    const struct mw_arc_limits limits = { .block_most = UINT64_C(1) << 31, .part_least = 100, .hub_least = hub_least };
    uint64_t *offsets = room(vertices + 1, sizeof *offsets), arcs = 0;
    uint32_t *heads = room(vertices * (2 * ahead + 1), sizeof *heads);
    struct mw_graph_triangles triangles = MW_INIT(triangles);
    struct mw_graph g;
    const struct mw_variant *v;
    for (size_t u = 0; u < vertices; u++) {
        for (size_t w = u > ahead ? u - ahead : 0; w <= u + ahead && w < vertices; w++)
            if (some_lead_back ? w != u && random_below(2) : w > u)
                heads[arcs++] = (uint32_t)w;
        offsets[u + 1] = arcs;
    }
    if (arcs % 2)
        offsets[vertices] = --arcs;
    for (size_t u = vertices; u > 0 && offsets[u - 1] > arcs; u--)
        offsets[u - 1] = arcs;
    OK(mw_graph_from_adjacency(vertices, offsets, heads, false, &g));
    for (size_t i = 0; (v = mw_graph_triangle_variants(i)) != NULL; i++) {
        struct mw_graph_triangles found = MW_INIT(found);
        const int rc = mw_graph_triangles_within(&device, 1, &g, GIVEN(mw_graph_triangles_options, .variant = v->name),
                                                 &limits, &found);
        if (!some_lead_back && !info->traits->has_cores && strcmp(v->name, "oriented") == 0) {
            assert_int_equal(rc, MW_EINVAL);
            assert_non_null(strstr(mw_errmsg(), "without a reverse"));
        }
        if (rc == 0)
            mw_graph_triangles_free(&found);
    }
    OK(mw_graph_triangles_within(&device, 1, &g, GIVEN(mw_graph_triangles_options, .by_vertex = true, .by_arc = true),
                                 &limits, &triangles));
    mw_graph_triangles_free(&triangles);
    free(offsets);
    free(heads);
}

static void arcs_that_do_not_lead_back_do_no_harm(void **unused)
{
    for (size_t round = 0; round < rounds(40); round++) {
        const size_t vertices = 20 + up_to(60);
        try_lone_arcs(vertices, 3, false, 1 + random_below(8));
        try_lone_arcs(vertices, 9, true, 1 + random_below(12));
    }
}

/* Sums exceed 2^32 and come near to 2^53. */
static void stars_have_many_triples(void **unused)
{
    const uint64_t leaves = native ? 1000000 : slow ? 50 : 20000;
    struct network n = { .vertices = leaves + 1 };
    for (size_t i = 1; i <= leaves; i++)
        add(&n, 0, i);
    build(&n, false, true);
    for (int by_vertex = 0; by_vertex < 2; by_vertex++) {
        struct mw_graph_triangles found = MW_INIT(found);
        OK(mw_graph_triangles(&device, 1, &n.graph, GIVEN(mw_graph_triangles_options, .by_vertex = by_vertex), &found));
        assert_int_equal(found.triangles, 0);
        assert_int_equal(found.triples.low, leaves * (leaves - 1) / 2);
        assert_true(found.clustering == 0);
        mw_graph_triangles_free(&found);
    }
    network_free(&n);
}

static void rings_have_the_clustering_of_their_closed_form(void **unused)
{
    const size_t size = slow ? 60 : 500, k = slow ? 10 : 50;
    struct network n = { .vertices = size };
    struct mw_graph_triangles found = MW_INIT(found);
    for (size_t i = 0; i < size; i++)
        for (size_t d = 1; d <= k / 2; d++)
            add(&n, i, (i + d) % size);
    build(&n, false, true);
    OK(mw_graph_triangles(&device, 1, &n.graph, GIVEN(mw_graph_triangles_options, .by_vertex = true), &found));
    /* 3 (k - 2) / (4 (k - 1)), in whole numbers. */
    assert_int_equal(3 * found.triangles * 4 * (k - 1), 3 * (k - 2) * found.triples.low);
    assert_int_equal(found.local_vertices, size);
    for (size_t v = 1; v < size; v++)
        assert_int_equal(found.of_vertex[v], found.of_vertex[0]);
    mw_graph_triangles_free(&found);
    network_free(&n);
}

/* The same device twice has equal shares; another one takes as much as it is fast. */
static void devices_share_the_triangles(void **unused)
{
    struct mw_device *again, *serial;
    OK(mw_device_open_by_name(info->id, NULL, &again));
    OK(mw_device_open_by_name("native:serial", NULL, &serial));
    for (int round = 0; round < (int)rounds(60); round++) {
        struct mw_device *devices[] = { device, round % 3 ? again : serial, serial };
        const size_t count = 2 + (round % 3 == 1);
        struct network n = random_network(2, up_to(60), round % 2 == 0);
        struct mw_graph_triangles e = expected(&n.graph);
        const struct mw_variant *v;
        for (size_t i = 0; (v = mw_graph_triangle_variants(i)) != NULL; i++)
            try_with(devices, count, &n.graph, &e, GIVEN(mw_graph_triangles_options, .variant = v->name),
                     &mw_arc_limits_usual);
        try_with(devices, count, &n.graph, &e,
                 GIVEN(mw_graph_triangles_options, .by_vertex = true, .by_arc = true, .block_arcs = round % 3 ? 0 : 30),
                 &mw_arc_limits_usual);
        mw_graph_triangles_free(&e);
        network_free(&n);
    }
    mw_device_close(again);
    mw_device_close(serial);
}

/* Devices that count with lists of ranks share the tiles of more arcs than a group has. */
static void equal_devices_share_the_ranks(void **unused)
{
    struct mw_device *devices[3] = { device };
    const struct mw_arc_limits limits = {
        .block_most = UINT64_C(1) << 31, .part_least = 3, .vertex_most = 5, .hub_least = 30
    };
    if (slow && left_out(4))
        skip();
    OK(mw_device_open_by_name(info->id, NULL, &devices[1]));
    OK(mw_device_open_by_name(info->id, NULL, &devices[2]));
    for (size_t hub_most = 0; hub_most < 60; hub_most += 25) {
        struct network n = { .vertices = slow ? 60 : 4000 };
        struct mw_arc_limits its = limits;
        its.hub_most = hub_most;
        /* Some hubs have more arcs than a tile: GPUs order them differently. */
        for (size_t e = slow ? 600 : 60000; e > 0; e--)
            add(&n, random_below(1 + random_below(n.vertices / 20)), random_below(n.vertices));
        build(&n, false, true);
        struct mw_graph_triangles e = expected(&n.graph);
        for (size_t count = 2; count <= 3; count++)
            try_with(devices, count, &n.graph, &e, GIVEN(mw_graph_triangles_options, .variant = "oriented"), &its);
        mw_graph_triangles_free(&e);
        network_free(&n);
    }
    mw_device_close(devices[1]);
    mw_device_close(devices[2]);
}

static void wrong_calls_are_refused(void **unused)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const uint32_t heads[] = { 1, 0 };
    const struct mw_graph g = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct mw_graph_triangles t = MW_INIT(t);
    assert_int_equal(mw_graph_triangles(&device, 0, &g, NULL, &t), MW_EINVAL);
    FAILS(MW_EINVAL, "given twice", mw_graph_triangles((struct mw_device *[]){ device, device }, 2, &g, NULL, &t));
    assert_int_equal(mw_graph_triangles(&device, 1, &g, GIVEN(mw_graph_triangles_options, .variant = "orient"), &t),
                     MW_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_triangles),
        cmocka_unit_test(dense_networks_have_their_triangles),
        cmocka_unit_test(far_vertices_are_told_apart),
        cmocka_unit_test(books_have_a_triangle_a_page),
        cmocka_unit_test(hubs_among_hubs_have_their_triangles),
        cmocka_unit_test(arcs_that_do_not_lead_back_do_no_harm),
        cmocka_unit_test(stars_have_many_triples),
        cmocka_unit_test(rings_have_the_clustering_of_their_closed_form),
        cmocka_unit_test(devices_share_the_triangles),
        cmocka_unit_test(equal_devices_share_the_ranks),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
