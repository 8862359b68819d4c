/* Results in arrays of the caller, on $MESHWORK_TEST_DEVICE: the same elements as without, nothing beyond the array,
 * and nothing in the result's member. Set $MESHWORK_TEST_SEED to repeat a run. */
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graph/triangles/triangles_internal.h"
#include "tests/device/device.h"

enum { CANARY = 0x5a, CANARIES = 64 };

static struct mw_graph make_graph(size_t vertices, bool directed, bool weighted)
{
    struct mw_edges edges;
    struct mw_graph graph;
    OK(mw_edges_new(vertices, 3 * vertices, directed, &edges));
    edges.weights = weighted ? room(3 * vertices, sizeof *edges.weights) : NULL;
    for (size_t e = 0; e < 3 * vertices; e++) {
        edges.ends[2 * e] = (uint32_t)random_below(vertices);
        edges.ends[2 * e + 1] = (uint32_t)random_below(vertices);
        if (weighted)
            edges.weights[e] = 1 + (int32_t)random_below(9);
    }
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
    return graph;
}

/* An array full of other bytes, with more of them at its end. */
static void *array_of(size_t n, size_t bytes)
{
    unsigned char *made = malloc(n * bytes + CANARIES);
    assert_non_null(made);
    memset(made, CANARY, n * bytes + CANARIES);
    return made;
}

static void check(void *given, const void *expected, size_t n, size_t bytes, const void *member)
{
    const unsigned char *end = (const unsigned char *)given + n * bytes;
    assert_null(member);
    assert_memory_equal(given, expected, n * bytes);
    for (size_t i = 0; i < CANARIES; i++)
        assert_int_equal(end[i], CANARY);
    free(given);
}

/* Computes without and with an array, of one element per vertex or of n. */
#define CHECK(name, call, member, ...) CHECK_OF(g.vertices, name, call, member, __VA_ARGS__)
#define CHECK_OF(n, name, call, member, ...)                                                                           \
    do {                                                                                                               \
        struct mw_graph_##name own = MW_INIT(own), other = MW_INIT(other);                                             \
        struct mw_graph_##name##_options o = { .size = sizeof o, __VA_ARGS__ };                                        \
        const struct mw_graph_##name##_options *options = &o;                                                          \
        struct mw_graph_##name *into = &own;                                                                           \
        OK(call);                                                                                                      \
        o.member = array_of(n, sizeof *o.member);                                                                      \
        into = &other;                                                                                                 \
        OK(call);                                                                                                      \
        check(o.member, own.member, n, sizeof *o.member, other.member);                                                \
        mw_graph_##name##_free(&other);                                                                                \
        mw_graph_##name##_free(&own);                                                                                  \
    } while (0)

/* Of graphs that are simple, and that are not, of which a copy is counted. */
static void check_triangles(const struct mw_graph *given)
{
    struct mw_graph simple = { 0 };
    OK(mw_graph_simple(device, given, &simple));
    for (int i = 0; i < 2; i++) {
        const struct mw_graph g = i && simple.memory ? simple : *given;
        CHECK(triangles, mw_graph_triangles(&device, 1, &g, options, into), of_vertex, .by_vertex = true);
        CHECK(triangles, mw_graph_triangles(&device, 1, &g, options, into), triples_of_vertex, .by_vertex = true);
        CHECK(triangles, mw_graph_triangles(&device, 1, &g, options, into), local, .by_vertex = true);
        CHECK_OF(g.arcs, triangles, mw_graph_triangles(&device, 1, &g, options, into), of_arc, .by_arc = true);
    }
    mw_graph_free(&simple);
}

static void check_paths(const struct mw_graph *given)
{
    const struct mw_graph g = *given;
    CHECK(paths, mw_graph_paths(&device, 1, &g, options, into), reached, .by_vertex = true);
    CHECK(paths, mw_graph_paths(&device, 1, &g, options, into), farthest, .by_vertex = true);
    CHECK(paths, mw_graph_paths(&device, 1, &g, options, into), near, .by_vertex = true);
    CHECK(paths, mw_graph_paths(&device, 1, &g, options, into), inverse, .by_vertex = true);
    if (!g.weights)
        return;
    CHECK(lengths, mw_graph_lengths(&device, 1, &g, options, into), reached, .by_vertex = true);
    CHECK(lengths, mw_graph_lengths(&device, 1, &g, options, into), farthest, .by_vertex = true);
    CHECK(lengths, mw_graph_lengths(&device, 1, &g, options, into), near, .by_vertex = true);
}

static void arrays_of_the_caller_get_results(void **unused)
{
    for (int round = 0; round < (slow ? 1 : 8); round++) {
        const bool directed = random_below(2), weighted = random_below(2);
        struct mw_graph g = make_graph(1 + random_below(slow ? 40 : 400), directed, weighted);
        CHECK(strong, mw_graph_strong(&device, 1, &g, options, into), roots, .block_arcs = 0);
        CHECK(pagerank, mw_graph_pagerank(&device, 1, &g, options, into), ranks, .block_arcs = 0);
        CHECK(cores, mw_graph_cores(&device, 1, &g, options, into), cores, .block_arcs = 0);
        CHECK(betweenness, mw_graph_betweenness(&device, 1, &g, options, into), betweenness, .hops = true);
        CHECK(distances, mw_graph_distances(device, &g, 0, options, into), distance, .hops = true);
        CHECK(distances, mw_graph_distances(device, &g, 0, options, into), predecessor, .hops = false);
        CHECK(bridges, mw_graph_bridges(&device, 1, &g, options, into), memberships, .variant = "search");
        CHECK(bridges, mw_graph_bridges(&device, 1, &g, options, into), memberships, .variant = "skeleton");
        check_triangles(&g);
        check_paths(&g);
        mw_graph_free(&g);
    }
}

/* A path needs both arrays in the result. */
static void paths_need_distances(void **unused)
{
    struct mw_graph g = make_graph(5, false, false);
    struct mw_graph_distances d = MW_INIT(d);
    int64_t distance[5];
    uint32_t *path;
    size_t count;
    OK(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .distance = distance), &d));
    assert_int_equal(distance[0], 0);
    FAILS(MW_EINVAL, "no distances", mw_graph_path(&d, 0, &path, &count));
    mw_graph_distances_free(&d);
    mw_graph_free(&g);
}

/* An array for vertices requests all of them; those without an array are new ones. */
static void an_array_implies_by_vertex(void **unused)
{
    struct mw_graph g = make_graph(9, false, false);
    struct mw_graph_triangles t = MW_INIT(t);
    struct mw_graph_paths p = MW_INIT(p);
    uint64_t of_vertex[9];
    double inverse[9];
    OK(mw_graph_triangles(&device, 1, &g, GIVEN(mw_graph_triangles_options, .of_vertex = of_vertex), &t));
    assert_true(!t.of_vertex && t.triples_of_vertex && t.local && !t.of_arc);
    OK(mw_graph_paths(&device, 1, &g, GIVEN(mw_graph_paths_options, .inverse = inverse), &p));
    assert_true(!p.inverse && p.reached && p.farthest && p.near);
    mw_graph_triangles_free(&t);
    mw_graph_paths_free(&p);
    mw_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_the_caller_get_results),
        cmocka_unit_test(paths_need_distances),
        cmocka_unit_test(an_array_implies_by_vertex),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
