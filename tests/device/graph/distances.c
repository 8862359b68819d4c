/* Distances from one vertex on one device, $MESHWORK_TEST_DEVICE, by all variants. The reference is plain rounds over
 * all arcs, which also find the fewest arcs of a shortest path. Set $MESHWORK_TEST_SEED to repeat a run. */
#include <meshwork/generate.h>
#include <meshwork/graph_paths.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "tests/device/device.h"

/* ---- reference ---- */

struct expected {
    int64_t *distance;
    uint32_t *arcs, *predecessor;
};

static int64_t weight_of(const struct mw_graph *g, uint64_t arc) { return g->weights ? g->weights[arc] : 1; }

static bool improve(const struct mw_graph *g, struct expected *e, uint32_t v, uint64_t arc)
{
    const uint32_t head = g->heads[arc];
    int64_t distance;
    if (e->distance[v] == MW_NO_DISTANCE)
        return false;
    distance = e->distance[v] + weight_of(g, arc);
    if (distance > e->distance[head] || (distance == e->distance[head] && e->arcs[v] + 1 >= e->arcs[head]))
        return false;
    e->distance[head] = distance;
    e->arcs[head] = e->arcs[v] + 1;
    return true;
}

static struct expected expect(const struct mw_graph *g, uint32_t from)
{
    const size_t n = g->vertices;
    struct expected e = { room(n, sizeof *e.distance), room(n, sizeof *e.arcs), room(n, sizeof *e.predecessor) };
    bool more = true;
    for (size_t v = 0; v < n; v++) {
        e.distance[v] = v == from ? 0 : MW_NO_DISTANCE;
        e.predecessor[v] = MW_NO_VERTEX;
    }
    while (more) {
        more = false;
        for (size_t v = 0; v < n; v++)
            for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
                more |= improve(g, &e, (uint32_t)v, i);
    }
    for (size_t v = n; v-- > 0;)
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
            const uint32_t head = g->heads[i];
            if (e.distance[v] != MW_NO_DISTANCE && e.distance[v] + weight_of(g, i) == e.distance[head] &&
                e.arcs[v] + 1 == e.arcs[head])
                e.predecessor[head] = (uint32_t)v;
        }
    return e;
}

static void expected_free(struct expected *e)
{
    free(e->distance);
    free(e->arcs);
    free(e->predecessor);
}

/* ---- tests ---- */

static void check_path(const struct mw_graph_distances *d, const struct expected *e)
{
    const uint32_t to = (uint32_t)random_below(d->vertices);
    uint32_t *path;
    size_t count;
    OK(mw_graph_path(d, to, &path, &count));
    assert_int_equal(count, e->distance[to] == MW_NO_DISTANCE ? 0 : e->arcs[to] + 1);
    if (count > 0) {
        assert_int_equal(path[0], d->from);
        assert_int_equal(path[count - 1], to);
    }
    for (size_t i = 1; i < count; i++)
        assert_int_equal(e->predecessor[path[i]], path[i - 1]);
    free(path);
}

static void try_variant(const struct mw_graph *g, uint32_t from, const struct expected *e, const char *variant,
                        uint64_t delta)
{
    /* Rounds use blocks of arcs, each of which is sent in each round. */
    const uint64_t block_arcs = strcmp(variant, "rounds") != 0 && strcmp(variant, "auto") != 0 ? 0
                                : g->arcs < 100                                                ? random_below(20)
                                                                                               : g->arcs / 3;
    const struct mw_graph_distances_options options = {
        .size = sizeof options, .variant = variant, .delta = delta, .block_arcs = block_arcs
    };
    struct mw_graph_distances d = MW_INIT(d);
    size_t reached = 0;
    int64_t longest = 0;
    const int rc = mw_graph_distances(device, g, from, &options, &d);
    if (rc == MW_ENOTSUP)
        return;
    OK(rc);
    for (size_t v = 0; v < g->vertices; v++) {
        const bool reaches = e->distance[v] != MW_NO_DISTANCE && v != from;
        if (d.distance[v] != e->distance[v] || d.predecessor[v] != e->predecessor[v])
            fail_msg("%s of %zu vertices from %u: %zu has %" PRId64 " by %u instead of %" PRId64 " by %u", variant,
                     g->vertices, from, v, d.distance[v], d.predecessor[v], e->distance[v], e->predecessor[v]);
        longest = reaches && (reached == 0 || e->distance[v] > longest) ? e->distance[v] : longest;
        reached += reaches;
    }
    assert_int_equal(d.reached, reached);
    assert_int_equal(d.longest, longest);
    assert_int_equal(d.decimals, g->decimals);
    check_path(&d, e);
    mw_graph_distances_free(&d);
}

static void try_all(const struct mw_graph *g)
{
    const uint32_t from = (uint32_t)random_below(g->vertices);
    const struct mw_variant *v;
    struct expected e = expect(g, from);
    for (size_t i = 0; (v = mw_graph_distance_variants(i)) != NULL; i++)
        try_variant(g, from, &e, v->name, random_below(2) ? 0 : 1 + random_below(300));
    try_variant(g, from, &e, "auto", 0);
    expected_free(&e);
}

/* ---- between all pairs ---- */

struct totals {
    uint64_t pairs;
    __int128 sum;
    int64_t longest, *farthest;
    __int128 *near;
    uint32_t *reached;
};

/* From all vertices to some. */
static struct totals expect_all(const struct mw_graph *g, const uint32_t *targets, size_t count)
{
    const size_t n = g->vertices;
    struct totals t = { .farthest = room(n, sizeof *t.farthest),
                        .near = room(n, sizeof *t.near),
                        .reached = room(n, sizeof *t.reached) };
    for (size_t v = 0; v < n; v++) {
        struct expected e = expect(g, (uint32_t)v);
        for (size_t i = 0; i < count; i++) {
            const int64_t distance = e.distance[targets[i]];
            if (targets[i] == v || distance == MW_NO_DISTANCE)
                continue;
            t.longest = t.pairs == 0 || distance > t.longest ? distance : t.longest;
            t.farthest[v] = t.reached[v] == 0 || distance > t.farthest[v] ? distance : t.farthest[v];
            t.reached[v]++;
            t.near[v] += distance;
            t.sum += distance;
            t.pairs++;
        }
        expected_free(&e);
    }
    return t;
}

static __int128 of_wide(struct mw_wide wide) { return (__int128)((unsigned __int128)wide.high << 64 | wide.low); }

static void expect_totals(const struct mw_graph *g, const struct totals *t, size_t targets, const char *variant,
                          const struct mw_graph_lengths *found)
{
    const size_t n = g->vertices;
    if (found->pairs != t->pairs || of_wide(found->sum) != t->sum || found->longest != t->longest)
        fail_msg("%s of %zu vertices: %" PRIu64 " pairs instead of %" PRIu64 ", longest %" PRId64
                 " instead of %" PRId64,
                 variant, n, found->pairs, t->pairs, found->longest, t->longest);
    assert_int_equal(found->targets, targets);
    assert_int_equal(found->unreachable, targets * (n - 1) - t->pairs);
    for (size_t w = 0; found->reached && w < n; w++) {
        assert_int_equal(found->reached[w], t->reached[w]);
        assert_int_equal(found->farthest[w], t->farthest[w]);
        assert_true(of_wide(found->near[w]) == t->near[w]);
    }
}

/* Rows in the order of their sources, one after the other. */
struct rows {
    const struct mw_graph *graph;
    const uint32_t *sources;
    size_t next;
};

static int take_rows(void *context, size_t first, size_t count, const int64_t *distances)
{
    struct rows *rows = context;
    const size_t n = rows->graph->vertices;
    assert_int_equal(first, rows->next);
    for (size_t i = 0; i < count; i++) {
        struct expected e = expect(rows->graph, rows->sources[first + i]);
        assert_memory_equal(distances + i * n, e.distance, n * sizeof *distances);
        expected_free(&e);
    }
    rows->next += count;
    return 0;
}

/* All vertices, or some, possibly with repetitions; by one device and by two. */
static void try_all_lengths(const struct mw_graph *g)
{
    struct mw_device *devices[2] = { device, NULL };
    const size_t n = g->vertices, count = random_below(2) ? n : random_below(n + 1);
    uint32_t *targets = room(n, sizeof *targets);
    struct totals t;
    const struct mw_variant *v;
    OK(mw_device_open_by_name("native:serial", NULL, &devices[1]));
    for (size_t i = 0; i < n; i++)
        targets[i] = (uint32_t)(count == n ? i : random_below(n));
    t = expect_all(g, targets, count);
    for (size_t i = 0; i == 0 || (v = mw_graph_length_variants(i - 1)) != NULL; i++) {
        const char *name = i ? v->name : "auto";
        for (size_t d = 1; d <= MW_COUNT(devices); d++) {
            const struct mw_graph_lengths_options options = { .size = sizeof options,
                                                              .variant = name,
                                                              .by_vertex = random_below(2),
                                                              .targets = count == n ? NULL : targets,
                                                              .target_count = count,
                                                              .block_arcs = !strcmp(name, "rounds")
                                                                                ? g->arcs / (1 + random_below(3))
                                                                                : 0 };
            struct mw_graph_lengths found = MW_INIT(found);
            const int rc = mw_graph_lengths(devices, d, g, &options, &found);
            if (rc == MW_ENOTSUP)
                continue;
            OK(rc);
            expect_totals(g, &t, count, name, &found);
            mw_graph_lengths_free(&found);
        }
    }
    struct rows rows = { .graph = g, .sources = targets };
    OK(mw_graph_length_rows(devices, 1, g, targets, count, take_rows, &rows));
    assert_int_equal(rows.next, count);
    free(targets);
    free(t.farthest);
    free(t.near);
    free(t.reached);
    mw_device_close(devices[1]);
}

enum kind { NONE, SMALL, ZEROS, WIDE, LARGEST, KINDS };

static int32_t draw(enum kind kind)
{
    return kind == SMALL   ? 1 + (int32_t)random_below(9)
           : kind == ZEROS ? (int32_t)random_below(3)
           : kind == WIDE  ? (int32_t)random_below((size_t)1 << random_below(32))
                           : INT32_MAX - (int32_t)random_below(3);
}

static struct mw_graph make_graph(size_t n, uint64_t count, bool directed, enum kind kind)
{
    struct mw_edges edges;
    struct mw_graph graph;
    const size_t near = random_below(2) ? n : 1 + random_below(3);
    OK(mw_edges_new(n, count, directed, &edges));
    edges.weights = kind == NONE ? NULL : room((size_t)count, sizeof *edges.weights);
    edges.decimals = kind == NONE ? 0 : (int)random_below(3);
    for (uint64_t e = 0; e < count; e++) {
        edges.ends[2 * e] = (uint32_t)random_below(n);
        edges.ends[2 * e + 1] = (uint32_t)((edges.ends[2 * e] + random_below(near + 1)) % n);
        if (kind != NONE)
            edges.weights[e] = draw(kind);
    }
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
    return graph;
}

/* Launches by drivers cost more than searches of small graphs. */
static size_t rounds(size_t on_native)
{
    return native ? on_native : slow ? 2 : on_native / (slow_compiler ? 60 : 30) + 1;
}

static void random_networks_have_their_distances(void **unused)
{
    for (size_t i = 0; i < rounds(3000); i++) {
        const size_t n = 1 + random_below(slow ? 12 : random_below(20) ? 30 : 400);
        struct mw_graph g = make_graph(n, random_below(4 * n), random_below(2), (enum kind)random_below(KINDS));
        try_all(&g);
        mw_graph_free(&g);
    }
}

static void all_distances_add_up(void **unused)
{
    for (size_t i = 0; i < rounds(300); i++) {
        const size_t n = 1 + random_below(slow ? 6 : random_below(10) ? 20 : native ? 200 : 70);
        struct mw_graph g =
            make_graph(n, random_below(4 * n), random_below(2), SMALL + (enum kind)random_below(KINDS - SMALL));
        try_all_lengths(&g);
        mw_graph_free(&g);
    }
}

/* Many vertices at once, hubs, and levels that are searched against the direction of the arcs. */
static void large_networks_have_their_distances(void **unused)
{
    static const char *const kinds[] = { "ws", "ba", "rmat", "line", "grid" };
    if (slow)
        skip();
    for (size_t i = 0; i < (native ? 2u : 1u) * MW_COUNT(kinds); i++) {
        const struct mw_value given[] = { { "weights", i % 2 ? 0 : 255 } };
        struct mw_edges edges;
        struct mw_graph g;
        OK(mw_generate(device, kinds[i % MW_COUNT(kinds)], given, 1, i, &edges));
        OK(mw_graph_new(device, &edges, NULL, &g, NULL));
        try_all(&g);
        mw_graph_free(&g);
        mw_edges_free(&edges);
    }
}

/* The means of all pairs lie within the intervals of samples about 95 times of 100. */
static void samples_have_intervals(void **unused)
{
    static const struct mw_value given[] = { { "n", 1500 }, { "weights", 100 } };
    struct mw_graph_lengths all = MW_INIT(all), some = MW_INIT(some);
    struct mw_edges edges;
    struct mw_graph g;
    uint32_t targets[256];
    int within = 0;
    if (!native)
        skip();
    OK(mw_generate(device, "ba", given, MW_COUNT(given), 1, &edges));
    OK(mw_graph_new(device, &edges, NULL, &g, NULL));
    OK(mw_graph_lengths(&device, 1, &g, NULL, &all));
    assert_true(all.half_width == 0);
    for (uint64_t seed = 0; seed < 40; seed++) {
        const struct mw_graph_lengths_options how = { .size = sizeof how,
                                                      .targets = targets,
                                                      .target_count = MW_COUNT(targets) };
        OK(mw_graph_sample(g.vertices, MW_COUNT(targets), seed, targets));
        OK(mw_graph_lengths(&device, 1, &g, &how, &some));
        within += some.mean - some.half_width <= all.mean && all.mean <= some.mean + some.half_width;
        assert_true(some.half_width < all.mean / 10);
        mw_graph_lengths_free(&some);
    }
    assert_true(within >= 33);
    mw_graph_lengths_free(&all);
    mw_graph_free(&g);
    mw_edges_free(&edges);
}

/* Weights below 0 come from potentials of vertices, so that no cycle has a sum below 0. */
static void weights_below_0_are_added_up(void **unused)
{
    for (size_t i = 0; i < rounds(500); i++) {
        const size_t n = 1 + random_below(slow ? 8 : 30);
        struct mw_graph g = make_graph(n, random_below(4 * n), true, ZEROS);
        int32_t *potential = room(n, sizeof *potential), *weights = room(g.arcs, sizeof *weights);
        for (size_t v = 0; v < n; v++)
            potential[v] = (int32_t)random_below(10);
        for (size_t v = 0; v < n; v++)
            for (uint64_t a = g.offsets[v]; a < g.offsets[v + 1]; a++)
                weights[a] = g.weights[a] + potential[v] - potential[g.heads[a]];
        g.weights = weights;
        try_all(&g);
        try_all_lengths(&g);
        mw_graph_free(&g);
        free(weights);
        free(potential);
    }
}

/* With the largest weight at each step, two steps already exceed 32 bits. */
static void long_ways_are_exact(void **unused)
{
    enum { N = 50 };
    struct mw_edges edges;
    struct mw_graph g;
    struct mw_graph_distances d = MW_INIT(d);
    OK(mw_edges_new(N, N - 1, true, &edges));
    edges.weights = room(N - 1, sizeof *edges.weights);
    for (uint32_t e = 0; e < N - 1; e++) {
        edges.ends[2 * e] = e;
        edges.ends[2 * e + 1] = e + 1;
        edges.weights[e] = INT32_MAX;
    }
    OK(mw_graph_new(device, &edges, NULL, &g, NULL));
    try_all(&g);
    OK(mw_graph_distances(device, &g, 0, NULL, &d));
    assert_int_equal(d.longest, (int64_t)(N - 1) * INT32_MAX);
    mw_graph_distances_free(&d);
    OK(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .hops = true), &d));
    assert_int_equal(d.longest, N - 1);
    mw_graph_distances_free(&d);
    mw_graph_free(&g);
    mw_edges_free(&edges);
}

static void cycles_below_0_are_named(void **unused)
{
    static const uint64_t offsets[] = { 0, 1, 2, 3, 4, 4 };
    static const uint32_t heads[] = { 1, 2, 3, 1 };
    static const int32_t weights[] = { 7, 5, -9, 3 };
    struct mw_graph g = {
        .vertices = 5, .arcs = 4, .directed = true, .offsets = offsets, .heads = heads, .weights = weights
    };
    struct mw_graph_distances d = MW_INIT(d);
    struct mw_graph_lengths l = MW_INIT(l);
    assert_int_equal(mw_graph_distances(device, &g, 0, NULL, &d), MW_EDATA);
    const char *const at = strstr(mw_errmsg(), ": ");
    assert_non_null(at);
    assert_true(!strcmp(at, ": 1, 2, 3, 1") || !strcmp(at, ": 2, 3, 1, 2") || !strcmp(at, ": 3, 1, 2, 3"));
    OK(mw_graph_distances(device, &g, 4, NULL, &d)); /* which cannot be reached from it */
    mw_graph_distances_free(&d);
    assert_int_equal(mw_graph_lengths(&device, 1, &g, NULL, &l), MW_EDATA);
    assert_non_null(strstr(mw_errmsg(), "1, 2, 3"));
}

static void wrong_calls_are_refused(void **unused)
{
    static const uint64_t offsets[] = { 0, 1, 1 };
    static const uint32_t heads[] = { 1 };
    static const int32_t weights[] = { -1 };
    struct mw_graph g = { .vertices = 2, .arcs = 1, .directed = true, .offsets = offsets, .heads = heads };
    struct mw_graph_distances d = MW_INIT(d);
    struct mw_graph_lengths l = MW_INIT(l);
    uint32_t *path;
    size_t count;
    assert_int_equal(mw_graph_distances(device, &g, 2, NULL, &d), MW_EINVAL);
    assert_int_equal(mw_graph_lengths(&device, 1, &g, NULL, &l), MW_EINVAL);
    FAILS(MW_EINVAL, "given twice", mw_graph_lengths((struct mw_device *[]){ device, device }, 2, &g, NULL, &l));
    assert_int_equal(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .variant = "x"), &d),
                     MW_EINVAL);
    assert_int_equal(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .variant = "delta"), &d),
                     MW_ENOTSUP);
    g.weights = weights;
    assert_int_equal(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .variant = "near-far"), &d),
                     MW_ENOTSUP);
    OK(mw_graph_distances(device, &g, 0, GIVEN(mw_graph_distances_options, .no_predecessors = true), &d));
    assert_null(d.predecessor);
    assert_int_equal(mw_graph_path(&d, 1, &path, &count), MW_EINVAL);
    mw_graph_distances_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks_have_their_distances),
        cmocka_unit_test(all_distances_add_up),
        cmocka_unit_test(large_networks_have_their_distances),
        cmocka_unit_test(samples_have_intervals),
        cmocka_unit_test(weights_below_0_are_added_up),
        cmocka_unit_test(long_ways_are_exact),
        cmocka_unit_test(cycles_below_0_are_named),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
