/* Graphs built on one device, $MESHWORK_TEST_DEVICE, compared with a plain sort of their arcs: random edges of many
 * shapes, directed and undirected, with all options, in blocks and bins of all sizes. On OpenCL CPUs, which use the
 * form for cores, also in the form for groups. */
#include <meshwork/graph.h>

#include "graph/build/builder.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/device/device.h"

static struct mw_graph_builder *builder;

/* ---- reference ---- */

/* clang-format off */
struct arc { uint32_t tail, head; uint64_t place; /* the head's position in the tail's list */ int32_t weight; };
/* clang-format on */

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))
static int by_ends(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    return x->tail != y->tail   ? ORDER(x->tail, y->tail)
           : x->head != y->head ? ORDER(x->head, y->head)
                                : ORDER(x->weight, y->weight);
}

static int by_place(const void *a, const void *b)
{
    const struct arc *x = a, *y = b;
    return x->tail != y->tail     ? ORDER(x->tail, y->tail)
           : x->place != y->place ? ORDER(x->place, y->place)
                                  : ORDER(x->weight, y->weight);
}

/* clang-format off */
struct expected { uint64_t count; struct arc *arc; struct mw_graph_report report; };
/* clang-format on */

/* Edges as arcs (undirected edges from the smaller end), sorted and filtered, then in both directions. */
static struct expected expect(const struct mw_edges *edges, const struct mw_graph_options *options)
{
    struct arc *edge = room((size_t)edges->count, sizeof *edge);
    struct expected x = { .arc = room(2 * (size_t)edges->count, sizeof *x.arc) };
    uint64_t *degree = room(edges->vertices, sizeof *degree);
    for (uint64_t e = 0; e < edges->count; e++) {
        const uint32_t a = edges->ends[2 * e], b = edges->ends[2 * e + 1];
        const int32_t weight = edges->weights ? edges->weights[e] : 0;
        edge[e] = edges->directed || a < b ? (struct arc){ a, b, 0, weight } : (struct arc){ b, a, 0, weight };
    }
    qsort(edge, (size_t)edges->count, sizeof *edge, by_ends);
    for (uint64_t e = 0; e < edges->count; e++) {
        const bool self = edge[e].tail == edge[e].head;
        const bool again = e > 0 && edge[e - 1].tail == edge[e].tail && edge[e - 1].head == edge[e].head;
        x.report.self += self;
        x.report.multiple += again;
        if ((self && options->remove_self) || (again && options->remove_multiple))
            continue;
        x.arc[x.count++] = edge[e];
        if (!edges->directed)
            x.arc[x.count++] = (struct arc){ edge[e].head, edge[e].tail, 0, edge[e].weight };
    }
    for (uint64_t i = 0; i < x.count; i++)
        degree[x.arc[i].tail]++;
    for (uint64_t i = 0; i < x.count; i++)
        x.arc[i].place = options->order == MW_GRAPH_ORDER_NUMBER
                             ? x.arc[i].head
                             : (x.count - degree[x.arc[i].head]) << 32 | x.arc[i].head;
    qsort(x.arc, (size_t)x.count, sizeof *x.arc, by_place);
    free(edge);
    free(degree);
    return x;
}

static void compare(const char *what, const struct mw_graph *graph, const struct mw_edges *edges,
                    const struct expected *x)
{
    uint64_t i = 0;
    assert_int_equal(graph->vertices, edges->vertices);
    assert_int_equal(graph->directed, edges->directed);
    assert_int_equal(graph->arcs, x->count);
    assert_int_equal(graph->offsets[0], 0);
    for (size_t v = 0; v < graph->vertices; v++) {
        for (; i < x->count && x->arc[i].tail == v; i++)
            if (graph->heads[i] != x->arc[i].head || (edges->weights && graph->weights[i] != x->arc[i].weight))
                fail_msg("%s: arc %" PRIu64 " from %zu leads to %" PRIu32 " instead of %" PRIu32 " (seed %u)", what, i,
                         v, graph->heads[i], x->arc[i].head, seed);
        if (graph->offsets[v + 1] != i)
            fail_msg("%s: the arcs of %zu end at %" PRIu64 " instead of %" PRIu64 " (seed %u)", what, v,
                     graph->offsets[v + 1], i, seed);
    }
}

static void check(const char *what, const struct mw_edges *edges, const struct mw_graph_options *options)
{
    struct expected x = expect(edges, options);
    struct mw_graph_report report = { sizeof report, 77, 77 };
    struct mw_graph graph;
    const bool told = random_below(2);
    OK(mw_graph_build(builder, edges, options, &graph, told ? &report : NULL));
    compare(what, &graph, edges, &x);
    if (told) {
        assert_int_equal(report.self, x.report.self);
        assert_int_equal(report.multiple, x.report.multiple);
    }
    assert_ptr_equal(graph.names, edges->names);
    mw_graph_free(&graph);
    assert_null(graph.offsets);
    free(x.arc);
}

/* ---- random graphs ---- */

enum shape { RANDOM, FEW_DIFFERENT, STAR, EQUAL, SELF, RING, POWER, LAST, SHAPES };
static const char *const shape_names[SHAPES] = { "random", "few different", "star",  "equal",
                                                 "self",   "ring",          "power", "last vertices" };

static struct mw_edges make_edges(enum shape shape, size_t vertices, uint64_t count, bool directed)
{
    struct mw_edges edges;
    const uint32_t hub = (uint32_t)random_below(vertices), other = (uint32_t)random_below(vertices);
    OK(mw_edges_new(vertices, count, directed, &edges));
    if (random_below(4) == 0) {
        const bool few = random_below(2);
        edges.weights = room((size_t)count, sizeof *edges.weights);
        for (uint64_t e = 0; e < count; e++)
            edges.weights[e] = few ? (int32_t)random_below(4) - 1 : (int32_t)random_word();
    }
    for (uint64_t e = 0; e < count; e++) {
        uint32_t tail = (uint32_t)random_below(vertices), head = (uint32_t)random_below(vertices);
        const size_t few = vertices < 5 ? vertices : 5;
        switch (shape) {
        case FEW_DIFFERENT: tail = (uint32_t)random_below(few), head = (uint32_t)random_below(few); break;
        case STAR: tail = hub; break;
        case EQUAL: tail = hub, head = other; break;
        case SELF: head = random_below(3) ? tail : hub; break;
        case RING: tail = (uint32_t)(e % vertices), head = (uint32_t)((tail + 1 + e / vertices) % vertices); break;
        case POWER: tail = (uint32_t)(random_below(vertices) >> random_below(24)); break;
        case LAST: tail = (uint32_t)(vertices - 1 - random_below(few)); break;
        default: break;
        }
        const bool turned = random_below(2);
        edges.ends[2 * e] = turned ? head : tail;
        edges.ends[2 * e + 1] = turned ? tail : head;
    }
    return edges;
}

static size_t pick(const size_t *from, size_t n) { return from[random_below(n)]; }

/* Small blocks and bins as often as whole graphs. */
static void random_cuts(uint64_t arcs)
{
    static const size_t blocks[] = { 0, 0, 0, 1, 2, 5, 64, 1000 }, tasks[] = { 1 << 16, 1 << 16, 1, 7, 100 };
    builder->limits.range_arcs = pick(blocks, MW_COUNT(blocks));
    builder->limits.task_arcs = pick(tasks, MW_COUNT(tasks));
    /* Each block reads all edges. */
    if (arcs > 400 && builder->limits.range_arcs > 0 && arcs / builder->limits.range_arcs > 50)
        builder->limits.range_arcs = arcs / 7;
    if (!native && builder->limits.range_arcs > 0 && arcs / builder->limits.range_arcs > 6)
        builder->limits.range_arcs = arcs / 5 + 1;
}

static void check_random(size_t vertices_most, uint64_t edges_most)
{
    const enum shape shape = (enum shape)random_below(SHAPES);
    const size_t vertices = 1 + random_below(vertices_most);
    const uint64_t count = random_below(edges_most + 1);
    struct mw_edges edges = make_edges(shape, vertices, count, random_below(2));
    const struct mw_graph_options options = { sizeof options, random_below(2), random_below(2),
                                              .order = (enum mw_graph_order)random_below(2) };
    char what[200];
    random_cuts(2 * count);
    snprintf(what, sizeof what, "%s, %zu vertices, %" PRIu64 " %s edges, %s %s %s, blocks %" PRIu64 ", tasks %" PRIu64,
             shape_names[shape], vertices, count, edges.directed ? "directed" : "undirected",
             options.remove_self ? "no self" : "", options.remove_multiple ? "no multiple" : "",
             options.order ? "by degree" : "", builder->limits.range_arcs, builder->limits.task_arcs);
    check(what, &edges, &options);
    mw_edges_free(&edges);
    builder->limits.range_arcs = 0;
    builder->limits.task_arcs = 1 << 16;
}

static void random_graphs_are_those_of_a_plain_sort(void **unused)
{
    static const size_t vertices[] = { 1, 2, 3, 10, 100, 1000, 70000 }, edges[] = { 0, 1, 10, 100, 1000, 5000 };
    const size_t count = native ? 4000 : slow ? 12 : 60;
    for (size_t i = 0; i < count; i++)
        check_random(pick(vertices, MW_COUNT(vertices) - (slow ? 1 : 0)),
                     pick(edges, MW_COUNT(edges) - (slow ? 2 : 0)));
}

static void large_graphs_are_those_of_a_plain_sort(void **unused)
{
    if (slow)
        skip();
    for (size_t i = 0; i < (native ? 12u : 3u); i++)
        check_random(i % 2 ? 200000 : 5000, 300000);
}

/* Bins leave keys of more than 32 bits. */
static void graphs_of_many_vertices(void **unused)
{
    if (slow)
        skip();
    for (size_t i = 0; i < (native ? 12u : 3u); i++) {
        struct mw_edges edges =
            make_edges((enum shape)(i % SHAPES), 2100000 + random_below(3000000), random_below(20000), i % 3 == 0);
        const struct mw_graph_options options = { sizeof options, .remove_self = i % 2, .remove_multiple = i % 3 == 1,
                                                  .order = (enum mw_graph_order)(i % 2) };
        builder->limits.task_arcs = i % 2 ? 50 : 1 << 16;
        builder->limits.range_arcs = i % 4 == 3 ? 5000 : 0;
        check("many vertices", &edges, &options);
        mw_edges_free(&edges);
    }
    builder->limits.range_arcs = 0;
    builder->limits.task_arcs = 1 << 16;
}

/* Two hubs whose degrees differ only above the lowest 16 bits; either of them may have the larger degree. */
static void degrees_of_many_bits(void **unused)
{
    const struct mw_graph_options options = { .size = sizeof options, .order = MW_GRAPH_ORDER_DEGREE };
    const uint64_t small = 10, count = 2 * small + 65536;
    if (slow)
        skip();
    for (uint32_t larger = 0; larger < 2; larger++) {
        struct mw_edges edges = make_edges(RANDOM, 60, count + 3, true);
        for (uint64_t e = 0; e < count; e++) {
            edges.ends[2 * e] = e < small ? 1 - larger : larger;
            edges.ends[2 * e + 1] = (uint32_t)random_below(60);
        }
        for (uint32_t e = 0; e < 3; e++)
            edges.ends[2 * (count + e)] = 20 + e;
        check("degrees of many bits", &edges, &options);
        mw_edges_free(&edges);
    }
}

/* Reversed, in both directions, and induced: each arc keeps its weight, and multiple arcs keep the smallest. */
static void weights_go_with_their_arcs(void **unused)
{
    static const uint32_t kept[] = { 0, 2, 3 };
    static const uint32_t ends[] = { 0, 1, 1, 0, 0, 2, 2, 3, 2, 3, 3, 3 };
    static const int32_t weights[] = { 7, -5, 3, 9, 4, 8 };
    /* clang-format off */
    static const struct { size_t count; struct { uint32_t tail, head; int32_t weight; } arc[8]; } expected[] = {
        { 6, { { 0, 1, -5 }, { 1, 0, 7 }, { 2, 0, 3 }, { 3, 2, 4 }, { 3, 2, 9 }, { 3, 3, 8 } } },
        { 8, { { 0, 1, -5 }, { 0, 2, 3 }, { 1, 0, -5 }, { 2, 0, 3 }, { 2, 3, 4 }, { 3, 2, 4 }, { 3, 3, 8 },
               { 3, 3, 8 } } },
        { 4, { { 0, 1, 3 }, { 1, 2, 4 }, { 1, 2, 9 }, { 2, 2, 8 } } } };
    struct mw_edges edges;
    struct mw_graph graph, made[3];
    OK(mw_edges_new(4, MW_COUNT(weights), true, &edges));
    memcpy(edges.ends, ends, sizeof ends);
    edges.weights = room(MW_COUNT(weights), sizeof *weights);
    memcpy(edges.weights, weights, sizeof weights);
    edges.decimals = 2;
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    OK(mw_graph_reversed(device, &graph, &made[0]));
    OK(mw_graph_undirected(device, &graph, &made[1]));
    OK(mw_graph_induced(device, &graph, kept, MW_COUNT(kept), &made[2]));
    for (size_t m = 0; m < MW_COUNT(made); m++) {
        const struct mw_graph *g = &made[m];
        assert_int_equal(g->arcs, expected[m].count);
        assert_int_equal(g->decimals, 2);
        for (size_t v = 0; v < g->vertices; v++)
            for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
                assert_int_equal(expected[m].arc[i].tail, v);
                assert_int_equal(expected[m].arc[i].head, g->heads[i]);
                assert_int_equal(expected[m].arc[i].weight, g->weights[i]);
            }
        mw_graph_free(&made[m]);
    }
    /* clang-format on */
    mw_graph_free(&graph);
    mw_edges_free(&edges);
}

static void the_smallest_graphs(void **unused)
{
    static const uint32_t ends[] = { 0, 0, 0, 0, 0, 0 };
    const struct mw_graph_options none = MW_INIT(none), single = { .size = sizeof single, .remove_multiple = true };
    const struct mw_graph_options all = {
        .size = sizeof all, .remove_self = true, .remove_multiple = true, .order = MW_GRAPH_ORDER_DEGREE
    };
    struct mw_edges edges;
    struct mw_graph graph;
    OK(mw_edges_new(0, 0, false, &edges));
    check("no vertices", &edges, &none);
    check("no vertices", &edges, &all);
    mw_edges_free(&edges);
    OK(mw_edges_new(5, 0, true, &edges));
    check("no edges", &edges, &none);
    mw_edges_free(&edges);
    for (int directed = 0; directed < 2; directed++) {
        OK(mw_edges_new(1, 3, directed, &edges));
        memcpy(edges.ends, ends, sizeof ends);
        check("one vertex", &edges, &none);
        check("one vertex", &edges, &all);
        check("one vertex", &edges, &single);
        OK(mw_graph_new(device, &edges, &single, &graph, NULL));
        assert_int_equal(graph.arcs, directed ? 1 : 2);
        mw_graph_free(&graph);
        mw_edges_free(&edges);
    }
}

static void names_are_shared(void **unused)
{
    struct mw_edges edges = make_edges(RANDOM, 10, 20, false);
    struct mw_graph graph;
    char name[MW_NAME_CAPACITY];
    OK(mw_names_counted(100, &edges.names));
    OK(mw_graph_build(builder, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
    assert_string_equal(mw_name(graph.names, 3, name), "103");
    mw_graph_free(&graph);
}

static void edges_to_no_vertex_are_refused(void **unused)
{
    const struct mw_graph untouched = { .vertices = 12345 };
    for (size_t i = 0; i < 4; i++) {
        struct mw_edges edges = make_edges(RANDOM, 20, 50, i % 2);
        struct mw_graph graph = untouched;
        const size_t bad = random_below(50);
        edges.ends[2 * bad + i / 2] = i == 3 ? UINT32_MAX : 20;
        edges.ends[99] = 20;
        builder->limits.range_arcs = i == 2 ? 10 : 0;
        assert_int_equal(mw_graph_build(builder, &edges, NULL, &graph, NULL), MW_EINVAL);
        char expected[40];
        snprintf(expected, sizeof expected, "edge %zu ", bad);
        assert_non_null(strstr(mw_errmsg(), expected));
        assert_memory_equal(&graph, &untouched, sizeof graph);
        edges.vertices = 0;
        assert_int_equal(mw_graph_build(builder, &edges, NULL, &graph, NULL), MW_EINVAL);
        edges.vertices = MW_VERTICES_MAX + 1;
        assert_int_equal(mw_graph_build(builder, &edges, NULL, &graph, NULL), MW_ELIMIT);
        edges.vertices = 21;
        edges.count = UINT64_MAX / 3;
        assert_int_equal(mw_graph_build(builder, &edges, NULL, &graph, NULL), MW_ELIMIT);
        assert_memory_equal(&graph, &untouched, sizeof graph);
        mw_edges_free(&edges);
    }
    builder->limits.range_arcs = 0;
}

/* The edges of a graph make the same graph again. */
static void own_edges_become_a_graph(void **unused)
{
    static const uint32_t ends[] = { 2, 0, 1, 2, 2, 2 };
    struct mw_edges edges;
    struct mw_graph a, b;
    OK(mw_edges_new(3, 3, false, &edges));
    memcpy(edges.ends, ends, sizeof ends);
    OK(mw_graph_new(device, &edges, NULL, &a, NULL));
    OK(mw_graph_from_edges(device, 3, ends, 3, false, NULL, &b));
    assert_int_equal(mw_graph_checksum(&a), mw_graph_checksum(&b));
    assert_int_equal(b.arcs, 6);
    mw_edges_free(&edges);
    mw_graph_free(&a);
    mw_graph_free(&b);
    assert_int_equal(mw_graph_from_edges(device, 2, ends, 3, false, NULL, &b), MW_EINVAL);
}

static void edges_and_back(void **unused)
{
    for (size_t i = 0; i < (native ? 300u : 4u); i++) {
        struct mw_edges edges = make_edges((enum shape)random_below(SHAPES), 1 + random_below(200), random_below(600),
                                           random_below(2)),
                        again;
        struct mw_graph graph, copy;
        const struct mw_graph_options options = { sizeof options, .order = (enum mw_graph_order)random_below(2) };
        OK(mw_graph_build(builder, &edges, &options, &graph, NULL));
        OK(mw_graph_edges(&graph, &again));
        assert_int_equal(again.count, edges.count);
        OK(mw_graph_build(builder, &again, &options, &copy, NULL));
        assert_int_equal(copy.arcs, graph.arcs);
        assert_memory_equal(copy.offsets, graph.offsets, (graph.vertices + 1) * sizeof *graph.offsets);
        assert_memory_equal(copy.heads, graph.heads, (size_t)graph.arcs * sizeof *graph.heads);
        mw_graph_free(&graph);
        mw_graph_free(&copy);
        mw_edges_free(&edges);
        mw_edges_free(&again);
    }
}

static void undirected_graphs_of_directed_ones(void **unused)
{
    const struct mw_graph_options single = { .size = sizeof single, .remove_multiple = true };
    for (size_t i = 0; i < (native ? 200u : 2u); i++) {
        struct mw_edges edges =
            make_edges((enum shape)random_below(SHAPES), 1 + random_below(100), random_below(400), i % 4 != 0);
        struct mw_graph graph, both;
        OK(mw_graph_build(builder, &edges, NULL, &graph, NULL));
        OK(mw_graph_undirected(device, &graph, &both));
        edges.directed = false;
        struct expected x = expect(&edges, &single);
        compare("undirected", &both, &edges, &x);
        free(x.arc);
        mw_graph_free(&graph);
        mw_graph_free(&both);
        mw_edges_free(&edges);
    }
}

/* No arc between vertices that are kept is lost, and none is added. */
static void induced_graphs_are_those_of_their_vertices(void **unused)
{
    for (size_t i = 0; i < (native ? 200u : 2u); i++) {
        struct mw_edges edges =
            make_edges((enum shape)random_below(SHAPES), 1 + random_below(100), random_below(400), i % 2 != 0);
        struct mw_graph graph, part;
        uint32_t kept[101];
        size_t count = 0;
        uint64_t arcs = 0;
        char room[MW_NAME_CAPACITY], number[MW_NAME_CAPACITY];
        OK(mw_graph_build(builder, &edges, NULL, &graph, NULL));
        for (size_t v = 0; v < graph.vertices; v++)
            if (random_below(3))
                kept[count++] = (uint32_t)v;
        OK(mw_graph_induced(device, &graph, kept, count, &part));
        assert_int_equal(part.vertices, count);
        assert_int_equal(part.directed, graph.directed);
        for (size_t k = 0; k < count; k++) {
            uint64_t at = part.offsets[k];
            snprintf(number, sizeof(number), "%lu", (unsigned long)kept[k]);
            assert_string_equal(mw_name(part.names, k, room), number);
            for (uint64_t a = graph.offsets[kept[k]]; a < graph.offsets[kept[k] + 1]; a++)
                for (size_t h = 0; h < count; h++)
                    if (kept[h] == graph.heads[a]) {
                        assert_true(at < part.offsets[k + 1]);
                        assert_int_equal(part.heads[at++], h);
                        arcs++;
                    }
        }
        assert_int_equal(part.arcs, arcs);
        assert_true(mw_graph_checksum(&part) != mw_graph_checksum(&graph) || count == graph.vertices);
        if (count) {
            struct mw_graph none = { 0 };
            kept[count - 1] = (uint32_t)graph.vertices;
            assert_int_equal(mw_graph_induced(device, &graph, kept, count, &none), MW_EINVAL);
        }
        mw_graph_free(&part);
        mw_graph_free(&graph);
        mw_edges_free(&edges);
    }
}

/* ---- main ---- */

static int run(const char *what, bool cores, size_t group)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_go_with_their_arcs),
        cmocka_unit_test(the_smallest_graphs),
        cmocka_unit_test(random_graphs_are_those_of_a_plain_sort),
        cmocka_unit_test(large_graphs_are_those_of_a_plain_sort),
        cmocka_unit_test(graphs_of_many_vertices),
        cmocka_unit_test(degrees_of_many_bits),
        cmocka_unit_test(names_are_shared),
        cmocka_unit_test(edges_to_no_vertex_are_refused),
        cmocka_unit_test(own_edges_become_a_graph),
        cmocka_unit_test(edges_and_back),
        cmocka_unit_test(undirected_graphs_of_directed_ones),
        cmocka_unit_test(induced_graphs_are_those_of_their_vertices),
    };
    print_message("form for %s\n", what);
    random_state = seed;
    if (mw_graph_builder_new_form(device, cores, group, &builder) != 0) {
        fprintf(stderr, "%s\n", mw_errmsg());
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    mw_graph_builder_free(builder);
    return failed;
}

int main(void)
{
    int failed;
    if (open_device(NULL) != 0)
        return 1;
    const bool cores = info->traits->has_cores;
    failed = run(cores ? "cores" : "groups", cores, 256);
    if (cores && !native)
        failed += run("groups", false, 64);
    mw_device_close(device);
    return failed;
}
/* SPDX-License-Identifier: MIT */
