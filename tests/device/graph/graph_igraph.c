/* Components and measures compared with igraph's (tests/device/graph/ask_igraph.py), on one device,
 * $MESHWORK_TEST_DEVICE: graphs of all generators, by all variants. Set $MESHWORK_TEST_SEED to repeat a run. */
#include "graph/generate/generate_internal.h"
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

#include "tests/device/device.h"
#include "tests/python.h"

static struct python python;

/* Checks that igraph finds these values, one per vertex. */
static void ask(const struct mw_edges *edges, const char *measure, const double *values, const char *what)
{
    char answer[200] = "nothing";
    fprintf(python.to, "%s %zu %llu %d %d\n", measure, edges->vertices, (unsigned long long)edges->count,
            edges->directed, edges->weights != NULL);
    fwrite(edges->ends, 2 * sizeof *edges->ends, (size_t)edges->count, python.to);
    if (edges->weights)
        fwrite(edges->weights, sizeof *edges->weights, (size_t)edges->count, python.to);
    fwrite(values, sizeof *values, edges->vertices, python.to);
    assert_int_equal(fflush(python.to), 0);
    if (!fgets(answer, sizeof answer, python.from) || strcmp(answer, "same\n") != 0)
        fail_msg("%s, %s: igraph: %s", measure, what, answer);
}

static void compare(const struct mw_edges *edges, const char *variant, const char *what)
{
    int32_t *labels = room(edges->vertices, sizeof *labels);
    double *values = room(edges->vertices, sizeof *values);
    struct mw_graph graph;
    if (strstr(variant, "image") && !mw_device_info(device)->images)
        variant = "frontier";
    const struct mw_graph_labelling_options options = { .size = sizeof options, .variant = variant };
    OK(mw_graph_new(device, edges, NULL, &graph, NULL));
    OK(mw_graph_label(&device, 1, &graph, &options, labels));
    for (size_t v = 0; v < edges->vertices; v++)
        values[v] = labels[v];
    ask(edges, "components", values, what);
    mw_graph_free(&graph);
    free(labels);
    free(values);
}

/* Values for the parameters of a generator, small enough for some hundreds of vertices; NAN selects the default. */
static double small_value(const char *name, const char *generator, double vertices)
{
    if (strcmp(name, "n") == 0)
        return vertices;
    if (strcmp(name, "m") == 0)
        return (double)(strcmp(generator, "ba") == 0 ? 1 + random_below(4) : random_below(2 * (size_t)vertices));
    if (strcmp(name, "k") == 0)
        return (double)(2 + 2 * random_below(3));
    if (strcmp(name, "c") == 0 && strcmp(generator, "disjoint") == 0)
        return (double)(1 + random_below(20));
    if (strcmp(name, "x") == 0 || strcmp(name, "y") == 0 || strcmp(name, "z") == 0)
        return (double)(1 + random_below(9));
    if (strcmp(name, "scale") == 0)
        return (double)(1 + random_below(8));
    if (strcmp(name, "edgefactor") == 0)
        return (double)(1 + random_below(3));
    return strcmp(name, "p") == 0 && strcmp(generator, "ws") == 0 ? (double)random_below(11) / 10 : NAN;
}

static void random_edges(const struct mw_generator *g, struct mw_edges *edges)
{
    const double vertices = (double)(20 + random_below(400));
    double values[MW_GENERATOR_PARAMETERS_MAX] = { 0 };
    for (size_t i = 0; i < g->parameter_count; i++) {
        const double value = small_value(g->parameters[i].name, g->name, vertices);
        values[i] = isnan(value) ? g->parameters[i].value : value;
    }
    OK(mw_generate_values(device, g->name, values, random_word(), 0, edges));
}

static void graphs_of_all_generators_have_the_same_components(void **unused)
{
    enum { ROUNDS = 40 }; /* times generators and variants */
    const struct mw_generator *g;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t number = 0; (g = mw_generators(number)) != NULL; number++)
            for (size_t i = 0; mw_graph_component_variants(i); i++) {
                const struct mw_variant *v = mw_graph_component_variants(i);
                struct mw_edges edges;
                random_edges(g, &edges);
                compare(&edges, v->name, g->name);
                mw_edges_free(&edges);
            }
}

/* Few edges for many vertices, with self-edges and multiple edges among them. */
static void sparse_edges_have_the_same_components(void **unused)
{
    size_t variants = 0;
    while (mw_graph_component_variants(variants))
        variants++;
    for (size_t round = 0; round < 600; round++) {
        const struct mw_variant *v = mw_graph_component_variants(round % variants);
        const size_t vertices = 1 + random_below(round % 50 == 0 ? 20000 : 300);
        const uint64_t count = random_below(2 * vertices);
        struct mw_edges edges;
        OK(mw_edges_new(vertices, count, false, &edges));
        for (uint64_t e = 0; e < 2 * count; e++)
            edges.ends[e] = (uint32_t)random_below(vertices);
        compare(&edges, v->name, "random edges");
        mw_edges_free(&edges);
    }
}

/* ---- measures ---- */

/* Any edges, directed ones in every other round. */
static struct mw_edges any_edges(int round)
{
    struct mw_edges edges;
    if (round % 3 == 0) {
        size_t generators = 0;
        while (mw_generators(generators))
            generators++;
        random_edges(mw_generators(random_below(generators)), &edges);
    } else {
        const size_t vertices = 1 + random_below(round % 50 == 1 ? 2000 : 100);
        OK(mw_edges_new(vertices, random_below(3 * vertices), false, &edges));
        for (uint64_t e = 0; e < 2 * edges.count; e++)
            edges.ends[e] = (uint32_t)random_below(vertices);
    }
    edges.directed = round % 2;
    return edges;
}

static void pagerank(const struct mw_graph *graph, double *values)
{
    struct mw_graph_pagerank found = MW_INIT(found);
    OK(mw_graph_pagerank(&device, 1, graph, NULL, &found));
    memcpy(values, found.ranks, graph->vertices * sizeof *values);
    mw_graph_pagerank_free(&found);
}

static void assortativity(const struct mw_graph *graph, double *values)
{
    OK(mw_graph_assortativity(device, graph, &values[0]));
    for (size_t v = 1; v < graph->vertices; v++)
        values[v] = values[0];
}

static void betweenness(const struct mw_graph *graph, double *values)
{
    struct mw_graph_betweenness found = MW_INIT(found);
    OK(mw_graph_betweenness(&device, 1, graph, NULL, &found));
    memcpy(values, found.betweenness, graph->vertices * sizeof *values);
    mw_graph_betweenness_free(&found);
}

static void bridges(const struct mw_graph *graph, double *values)
{
    const struct mw_graph_bridges_options options = { .size = sizeof options,
                                                      .variant = random_below(2) ? "search" : "skeleton" };
    struct mw_graph_bridges found = MW_INIT(found);
    OK(mw_graph_bridges(&device, 1, graph, &options, &found));
    for (size_t v = 0; v < graph->vertices; v++)
        values[v] = found.memberships[v];
    mw_graph_bridges_free(&found);
}

static void cores(const struct mw_graph *graph, double *values)
{
    struct mw_graph_cores found = MW_INIT(found);
    OK(mw_graph_cores(&device, 1, graph, NULL, &found));
    for (size_t v = 0; v < graph->vertices; v++)
        values[v] = found.cores[v];
    mw_graph_cores_free(&found);
}

/* Distances by one of the variants, except Floyd's, which is for small graphs on one device. */
static void find_paths(const struct mw_graph *graph, struct mw_graph_paths *found)
{
    static const char *const variants[] = { NULL, "bits", "queue", "1", "2", "3", "4", "5", "6", "7" };
    OK(mw_graph_paths(&device, 1, graph,
                      GIVEN(mw_graph_paths_options, .variant = variants[random_below(MW_COUNT(variants))],
                            .by_vertex = true),
                      found));
}

#define PATHS_MEASURE(name, value)                                                                                     \
    static void name(const struct mw_graph *graph, double *values)                                                     \
    {                                                                                                                  \
        struct mw_graph_paths found = MW_INIT(found);                                                                  \
        find_paths(graph, &found);                                                                                     \
        for (size_t v = 0; v < graph->vertices; v++)                                                                   \
            values[v] = (double)(value);                                                                               \
        mw_graph_paths_free(&found);                                                                                   \
    }
PATHS_MEASURE(distances, found.near[v])
PATHS_MEASURE(eccentricity, found.farthest[v])
PATHS_MEASURE(harmonic, found.inverse[v])
PATHS_MEASURE(diameter, found.longest)
PATHS_MEASURE(mean_distance, found.mean)

static void strong(const struct mw_graph *graph, double *values)
{
    struct mw_graph_strong found = MW_INIT(found);
    OK(mw_graph_strong(&device, 1, graph, NULL, &found));
    for (size_t v = 0; v < graph->vertices; v++)
        values[v] = found.roots[v];
    mw_graph_strong_free(&found);
}

/* Any variant counts triangles; only `oriented` counts them for each vertex. */
static void find_triangles(const struct mw_graph *graph, bool by_vertex, struct mw_graph_triangles *found)
{
    const struct mw_graph_triangles_options options = {
        .size = sizeof options,
        .variant = by_vertex ? "oriented" : mw_graph_triangle_variants(random_below(4))->name,
        .by_vertex = by_vertex,
        .block_arcs = by_vertex ? random_below(2) * 100 : 0
    };
    OK(mw_graph_triangles(&device, 1, graph, &options, found));
}

#define TRIANGLES_MEASURE(measure, by_vertex, value)                                                                   \
    static void measure(const struct mw_graph *graph, double *values)                                                  \
    {                                                                                                                  \
        struct mw_graph_triangles found = MW_INIT(found);                                                              \
        find_triangles(graph, by_vertex, &found);                                                                      \
        for (size_t v = 0; v < graph->vertices; v++)                                                                   \
            values[v] = (double)(value);                                                                               \
        mw_graph_triangles_free(&found);                                                                               \
    }
TRIANGLES_MEASURE(clustering, false, found.clustering)
TRIANGLES_MEASURE(local, true, found.local[v])
TRIANGLES_MEASURE(triangles, true, found.of_vertex[v])

static void measures_are_the_same(void **unused)
{
    /* clang-format off */
    static const struct { const char *name; void (*find)(const struct mw_graph *graph, double *values); } measures[] = {
        { "assortativity", assortativity }, { "betweenness", betweenness }, { "bridges", bridges },
        { "clustering", clustering }, { "cores", cores }, { "diameter", diameter }, { "distances", distances },
        { "eccentricity", eccentricity }, { "harmonic", harmonic }, { "local", local },
        { "mean_distance", mean_distance }, { "pagerank", pagerank }, { "strong", strong }, { "triangles", triangles },
    };
    /* clang-format on */
    for (int round = 0; round < 300; round++) {
        struct mw_edges edges = any_edges(round);
        double *values = room(edges.vertices, sizeof *values);
        struct mw_graph graph;
        OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
        for (size_t m = 0; m < MW_COUNT(measures); m++) {
            measures[m].find(&graph, values);
            ask(&edges, measures[m].name, values, edges.directed ? "directed" : "undirected");
        }
        mw_graph_free(&graph);
        mw_edges_free(&edges);
        free(values);
    }
}

/* ---- weights ---- */

static void lengths(const struct mw_graph *graph, double *values)
{
    static const char *const variants[] = { NULL, "tiles", "delta", "near-far", "dijkstra" };
    const bool below = graph->directed && graph->arcs > 0; /* searches from each vertex do not support them */
    struct mw_graph_lengths found = MW_INIT(found);
    OK(mw_graph_lengths(&device, 1, graph,
                        GIVEN(mw_graph_lengths_options,
                              .variant = below ? NULL : variants[random_below(MW_COUNT(variants))], .by_vertex = true),
                        &found));
    for (size_t v = 0; v < graph->vertices; v++)
        values[v] = (double)(int64_t)found.near[v].low; /* the values are small */
    mw_graph_lengths_free(&found);
}

static void lengths_from(const struct mw_graph *graph, double *values)
{
    struct mw_graph_distances found = MW_INIT(found);
    OK(mw_graph_distances(device, graph, 0, NULL, &found));
    for (size_t v = 0; v < graph->vertices; v++)
        values[v] = found.distance[v] == MW_NO_DISTANCE ? 0 : (double)found.distance[v];
    mw_graph_distances_free(&found);
}

/* Weights of undirected graphs are 0 or more; those of directed graphs are shifted by potentials of vertices, so that
 * some are below 0. */
static void draw_weights(struct mw_edges *edges)
{
    int32_t *potential = room(edges->vertices, sizeof *potential);
    const size_t most = random_below(2) ? 10 : 1000000;
    edges->weights = room((size_t)edges->count, sizeof *edges->weights);
    for (size_t v = 0; v < edges->vertices && edges->directed; v++)
        potential[v] = (int32_t)random_below(10);
    for (uint64_t e = 0; e < edges->count; e++)
        edges->weights[e] =
            (int32_t)random_below(most) + potential[edges->ends[2 * e]] - potential[edges->ends[2 * e + 1]];
    free(potential);
}

static void betweenness_by_weights_is_the_same(void **unused)
{
    static const size_t most[] = { 1, 3, 10, 1000000 };
    for (int round = 0; round < 500; round++) {
        struct mw_edges edges = any_edges(round);
        const size_t largest = most[random_below(MW_COUNT(most))];
        double *values = room(edges.vertices, sizeof *values);
        struct mw_graph graph;
        edges.weights = room((size_t)edges.count, sizeof *edges.weights);
        for (uint64_t e = 0; e < edges.count; e++)
            edges.weights[e] = (int32_t)(1 + random_below(largest));
        OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
        betweenness(&graph, values);
        ask(&edges, "betweenness", values, edges.directed ? "directed" : "undirected");
        mw_graph_free(&graph);
        mw_edges_free(&edges);
        free(values);
    }
}

static void lengths_are_the_same(void **unused)
{
    for (int round = 0; round < 1500; round++) {
        struct mw_edges edges = any_edges(round);
        double *values = room(edges.vertices, sizeof *values);
        struct mw_graph graph;
        draw_weights(&edges);
        OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
        lengths_from(&graph, values);
        ask(&edges, "lengths_from", values, edges.directed ? "directed" : "undirected");
        if (edges.vertices <= 500) {
            lengths(&graph, values);
            ask(&edges, "lengths", values, edges.directed ? "directed" : "undirected");
        }
        mw_graph_free(&graph);
        mw_edges_free(&edges);
        free(values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_of_all_generators_have_the_same_components),
        cmocka_unit_test(sparse_edges_have_the_same_components),
        cmocka_unit_test(measures_are_the_same),
        cmocka_unit_test(lengths_are_the_same),
        cmocka_unit_test(betweenness_by_weights_is_the_same),
    };
    if (!python_for_test(&python, "tests/device/graph/ask_igraph.py", "python3-igraph"))
        return 77;
    const int failed = cmocka_run_group_tests(tests, open_device, close_device);
    python_stop(&python);
    return failed;
}
/* SPDX-License-Identifier: MIT */
