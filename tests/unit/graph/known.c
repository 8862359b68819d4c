/* Well-known networks (tests/graphs), compared with published numbers, and others with closed forms. */
#include <meshwork/generate.h>
#include <meshwork/graph.h>
#include <meshwork/graph_components.h>
#include <meshwork/graph_file.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"

#include "tests/check.h"

static struct mw_device *device;

/* Measures of a small connected graph, by definition. */
struct measures {
    uint64_t triangles, triples, diameter, distances[64];
    double mean_distance;
};

static void count_triangles(const struct mw_graph *g, struct measures *m)
{
    const size_t n = g->vertices;
    uint8_t *matrix;
    OK(mw_graph_matrix(g, &matrix));
    for (size_t i = 0; i < n; i++) {
        const uint64_t degree = g->offsets[i + 1] - g->offsets[i];
        m->triples += degree * (degree - (degree > 0)) / 2;
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k < j; k++)
                m->triangles += matrix[i * n + j] && matrix[j * n + k] && matrix[k * n + i];
    }
    free(matrix);
}

/* Breadth-first from each vertex; unordered pairs at each distance. */
static void measure_distances(const struct mw_graph *g, struct measures *m)
{
    const size_t n = g->vertices;
    size_t *queue = room(n, sizeof *queue), *distance = room(n, sizeof *distance);
    uint64_t pairs = 0, sum = 0;
    for (size_t source = 0; source < n; source++) {
        size_t head = 0, tail = 0;
        for (size_t v = 0; v < n; v++)
            distance[v] = SIZE_MAX;
        distance[source] = 0;
        queue[tail++] = source;
        while (head < tail) {
            const size_t v = queue[head++];
            for (uint64_t a = g->offsets[v]; a < g->offsets[v + 1]; a++)
                if (distance[g->heads[a]] == SIZE_MAX) {
                    distance[g->heads[a]] = distance[v] + 1;
                    queue[tail++] = g->heads[a];
                }
        }
        for (size_t i = 0; i < tail; i++)
            if (queue[i] > source) {
                const size_t d = distance[queue[i]];
                pairs++;
                sum += d;
                m->diameter = d > m->diameter ? d : m->diameter;
                m->distances[d < 63 ? d : 63]++;
            }
    }
    m->mean_distance = (double)sum / (double)pairs;
    free(queue);
    free(distance);
}

static struct measures measures_of(const struct mw_graph *g)
{
    struct measures m = { 0 };
    count_triangles(g, &m);
    measure_distances(g, &m);
    return m;
}

static void read_graph(const char *name, struct mw_graph *graph)
{
    const char *srcdir = getenv("srcdir");
    struct mw_graph_report report = MW_INIT(report);
    struct mw_edges edges;
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/graphs/%s.txt", srcdir ? srcdir : ".", name);
    OK(mw_edges_read(path, NULL, &edges));
    OK(mw_graph_new(device, &edges, NULL, graph, &report));
    assert_int_equal(report.self + report.multiple, 0);
    mw_edges_free(&edges);
}

static void assert_one_component(const struct mw_graph *graph)
{
    int32_t *labels = room(graph->vertices, sizeof *labels);
    OK(mw_graph_label(&device, 1, graph, NULL, labels));
    for (size_t v = 0; v < graph->vertices; v++)
        assert_int_equal(labels[v], 0);
    free(labels);
}

static void published_graphs_have_their_numbers(void **unused)
{
    static const struct {
        const char *name;
        size_t vertices;
        uint64_t edges, triangles, triples, diameter;
        double mean_distance; /* to six decimals */
    } known[] = {
        { "petersen", 10, 15, 0, 30, 2, 1.666667 },
        { "florentine", 15, 20, 3, 47, 5, 2.485714 },
        { "karate", 34, 78, 45, 528, 5, 2.408200 },
        { "lesmis", 77, 254, 467, 2808, 5, 2.641148 },
    };
    static const uint64_t karate[] = { 0, 78, 265, 137, 73, 8, 0 };
    for (size_t i = 0; i < MW_COUNT(known); i++) {
        struct mw_graph graph;
        read_graph(known[i].name, &graph);
        const struct measures m = measures_of(&graph);
        assert_int_equal(graph.vertices, known[i].vertices);
        assert_int_equal(graph.arcs, 2 * known[i].edges);
        assert_int_equal(m.triangles, known[i].triangles);
        assert_int_equal(m.triples, known[i].triples);
        assert_int_equal(m.diameter, known[i].diameter);
        assert_true(fabs(m.mean_distance - known[i].mean_distance) < 0.5e-6);
        if (strcmp(known[i].name, "karate") == 0)
            assert_memory_equal(m.distances, karate, sizeof karate);
        assert_one_component(&graph);
        mw_graph_free(&graph);
    }
}

static void names_lead_to_vertices_and_back(void **unused)
{
    struct mw_graph graph;
    char text[MW_NAME_CAPACITY];
    size_t valjean;
    read_graph("lesmis", &graph);
    OK(mw_name_find(graph.names, graph.vertices, "Valjean", &valjean));
    assert_string_equal(mw_name(graph.names, valjean, text), "Valjean");
    assert_int_equal(graph.offsets[valjean + 1] - graph.offsets[valjean], 36);
    mw_graph_free(&graph);
}

static void generate(const char *kind, double n, struct mw_graph *graph)
{
    const struct mw_value given[] = { { "n", n }, { "k", 50 } };
    struct mw_edges edges;
    OK(mw_generate(device, kind, given, strcmp(kind, "ring") == 0 ? 2 : 1, 1, &edges));
    OK(mw_graph_new(device, &edges, NULL, graph, NULL));
    mw_edges_free(&edges);
}

/* A ring of degree k has clustering 3 (k - 2) / (4 (k - 1)), a path of n vertices mean distance (n + 1) / 3. */
static void generated_graphs_have_closed_forms(void **unused)
{
    struct mw_graph ring, line;
    generate("ring", 400, &ring);
    const struct measures r = measures_of(&ring);
    assert_true(fabs(3.0 * (double)r.triangles / (double)r.triples - 0.734694) < 0.5e-6);
    generate("line", 200, &line);
    const struct measures l = measures_of(&line);
    assert_true(fabs(l.mean_distance - 201.0 / 3) < 1e-9);
    assert_int_equal(l.diameter, 199);
    mw_graph_free(&ring);
    mw_graph_free(&line);
}

static int open_device(void **unused) { return mw_device_open_by_name("native:serial", NULL, &device); }

static int close_device(void **unused)
{
    mw_device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_graphs_have_their_numbers),
        cmocka_unit_test(names_lead_to_vertices_and_back),
        cmocka_unit_test(generated_graphs_have_closed_forms),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
