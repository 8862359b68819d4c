/* Networks without a device: edge lists, other structures of a graph and its summary, compared with plain loops over
 * its arcs. */
#include <meshwork/graph.h>

#include "graph/graph_internal.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "tests/check.h"

/* ---- edge lists ---- */

static void edge_lists(void **unused)
{
    struct mw_edges edges, untouched;
    OK(mw_edges_new(5, 3, true, &edges));
    assert_int_equal(edges.vertices, 5);
    assert_int_equal(edges.count, 3);
    assert_true(edges.directed);
    assert_null(edges.names);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(edges.ends[i], 0);
    OK(mw_names_counted(1, &edges.names));
    mw_edges_free(&edges);
    assert_null(edges.ends);
    assert_int_equal(edges.count, 0);
    mw_edges_free(&edges);
    mw_edges_free(NULL);
    OK(mw_edges_new(0, 0, false, &edges));
    mw_edges_free(&edges);
    memset(&edges, 7, sizeof edges);
    untouched = edges;
    assert_int_equal(mw_edges_new(MW_VERTICES_MAX + 1, 1, false, &edges), MW_ELIMIT);
    assert_int_equal(mw_edges_new(10, UINT64_MAX, false, &edges), MW_ELIMIT);
    assert_int_equal(mw_edges_new(10, UINT64_MAX / 8 + 1, false, &edges), MW_ELIMIT);
    assert_int_equal(mw_edges_new(10, (uint64_t)1 << 50, false, &edges), MW_ELIMIT);
    assert_non_null(strstr(mw_errmsg(), "8.00 PiB"));
    assert_memory_equal(&edges, &untouched, sizeof edges);
    OK(mw_vertices_check(MW_VERTICES_MAX));
    assert_int_equal(mw_vertices_check((uint64_t)MW_VERTICES_MAX + 1), MW_ELIMIT);
    assert_int_equal(mw_vertices_check(UINT64_MAX), MW_ELIMIT);
}

/* ---- random graphs, made here ---- */

/* A random undirected or directed multigraph. Its lists are sorted, or in the order in which edges were drawn. */
static struct mw_graph random_graph(size_t vertices, size_t edges, bool directed, bool sorted)
{
    uint32_t *end = room(2 * edges, sizeof *end), *heads = room(2 * edges, sizeof *heads);
    uint64_t *offsets = room(vertices + 1, sizeof *offsets), *next = room(vertices + 1, sizeof *next);
    struct mw_graph graph;
    for (size_t e = 0; e < edges; e++) {
        end[2 * e] = (uint32_t)random_below(vertices);
        end[2 * e + 1] = random_below(8) ? (uint32_t)random_below(vertices) : end[2 * e];
        offsets[end[2 * e] + 1]++;
        if (!directed)
            offsets[end[2 * e + 1] + 1]++;
    }
    for (size_t v = 0; v < vertices; v++)
        next[v + 1] = offsets[v + 1] += offsets[v];
    for (size_t e = 0; e < edges; e++) {
        heads[next[end[2 * e]]++] = end[2 * e + 1];
        if (!directed)
            heads[next[end[2 * e + 1]]++] = end[2 * e];
    }
    for (size_t v = 0; v < vertices && sorted; v++)
        for (uint64_t i = offsets[v] + 1; i < offsets[v + 1]; i++)
            for (uint64_t k = i; k > offsets[v] && heads[k - 1] > heads[k]; k--) {
                const uint32_t head = heads[k];
                heads[k] = heads[k - 1];
                heads[k - 1] = head;
            }
    free(end);
    free(next);
    OK(mw_graph_of_arrays(vertices, directed, offsets, heads, &graph));
    assert_int_equal(graph.arcs, directed ? edges : 2 * edges);
    return graph;
}

static struct mw_graph any_graph(size_t vertices_most)
{
    const size_t vertices = random_below(vertices_most + 1), edges = vertices ? random_below(3 * vertices) : 0;
    return random_graph(vertices, edges, random_below(2), random_below(2));
}

/* arcs[i * vertices + j]: counted by a plain loop. */
static uint64_t *count_arcs(const struct mw_graph *g)
{
    uint64_t *arcs = room(g->vertices * g->vertices, sizeof *arcs);
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++)
            arcs[v * g->vertices + g->heads[i]]++;
    return arcs;
}

#define REPEATS 800

static void matrices_and_bits(void **unused)
{
    for (size_t r = 0; r < REPEATS; r++) {
        struct mw_graph g = any_graph(r % 100 == 0 ? 600 : 40);
        uint64_t *arcs = count_arcs(&g), *bits;
        uint8_t *matrix;
        size_t words;
        OK(mw_graph_matrix(&g, &matrix));
        OK(mw_graph_bits(&g, &bits, &words));
        assert_int_equal(words % 8, 0);
        assert_true(words * 64 >= g.vertices && words * 64 < g.vertices + 512);
        assert_int_equal((uintptr_t)bits % 64, 0);
        for (size_t i = 0; i < g.vertices; i++)
            for (size_t j = 0; j < words * 64; j++) {
                const uint64_t n = j < g.vertices ? arcs[i * g.vertices + j] : 0;
                if (j < g.vertices)
                    assert_int_equal(matrix[i * g.vertices + j], n);
                assert_int_equal(bits[i * words + j / 64] >> j % 64 & 1, n > 0);
            }
        free(arcs);
        free(matrix);
        free(bits);
        mw_graph_free(&g);
    }
}

static void matrices_count_to_255(void **unused)
{
    struct mw_graph g;
    uint64_t *offsets = room(3, sizeof *offsets);
    uint32_t *heads = room(700, sizeof *heads);
    uint8_t *matrix;
    offsets[1] = offsets[2] = 700;
    for (size_t i = 0; i < 700; i++)
        heads[i] = i >= 255;
    OK(mw_graph_of_arrays(2, true, offsets, heads, &g));
    OK(mw_graph_matrix(&g, &matrix));
    assert_int_equal(matrix[0], 255);
    assert_int_equal(matrix[1], 255);
    assert_int_equal(matrix[2], 0);
    free(matrix);
    mw_graph_free(&g);
}

static void sources_and_groups(void **unused)
{
    for (size_t r = 0; r < REPEATS; r++) {
        struct mw_graph g = any_graph(60);
        struct mw_graph_groups groups = MW_INIT(groups);
        uint32_t *tails;
        uint64_t group = 0;
        OK(mw_graph_sources(&g, &tails));
        OK(mw_graph_groups_new(&g, &groups));
        assert_int_equal((uintptr_t)groups.heads % 16, 0);
        for (size_t v = 0; v < g.vertices; v++) {
            const uint64_t degree = g.offsets[v + 1] - g.offsets[v], mine = (degree + 3) / 4;
            assert_int_equal(groups.first[v], group);
            for (uint64_t i = 0; i < 4 * mine; i++)
                assert_int_equal(groups.heads[4 * group + i], i < degree ? g.heads[g.offsets[v] + i] : MW_NO_VERTEX);
            for (uint64_t i = g.offsets[v]; i < g.offsets[v + 1]; i++)
                assert_int_equal(tails[i], v);
            group += mine;
        }
        assert_int_equal(groups.groups, group);
        assert_int_equal(groups.first[g.vertices], group);
        mw_graph_groups_free(&groups);
        assert_null(groups.first);
        free(tails);
        mw_graph_free(&g);
    }
    mw_graph_groups_free(NULL);
}

/* ---- a program's own arrays ---- */

static void own_adjacency_stays_where_it_is(void **unused)
{
    const uint64_t offsets[] = { 0, 2, 3, 3, 4 };
    const uint32_t heads[] = { 1, 3, 0, 0 };
    struct mw_graph g;
    OK(mw_graph_from_adjacency(4, offsets, heads, false, &g));
    assert_int_equal(g.vertices, 4);
    assert_int_equal(g.arcs, 4);
    assert_false(g.directed);
    assert_ptr_equal(g.offsets, offsets);
    assert_ptr_equal(g.heads, heads);
    mw_graph_free(&g);
    assert_null(g.offsets);
}

static void wrong_adjacency_is_refused(void **unused)
{
    static const struct {
        uint64_t offsets[4];
        uint32_t heads[3];
        const char *says;
    } wrong[] = {
        { { 1, 2, 3, 3 }, { 0, 0, 0 }, "begin at 1" },
        { { 0, 2, 1, 3 }, { 0, 0, 0 }, "begin at 2" },
        { { 0, 1, 2, 3 }, { 0, 3, 0 }, "leads to vertex 3" },
    };
    struct mw_graph untouched = { .vertices = 77 };
    for (size_t i = 0; i < MW_COUNT(wrong); i++) {
        assert_int_equal(mw_graph_from_adjacency(3, wrong[i].offsets, wrong[i].heads, true, &untouched), MW_EINVAL);
        assert_non_null(strstr(mw_errmsg(), wrong[i].says));
        assert_int_equal(untouched.vertices, 77);
    }
}

/* ---- edges of a graph ---- */

static void edges_of_graphs(void **unused)
{
    for (size_t r = 0; r < REPEATS; r++) {
        struct mw_graph g = any_graph(40);
        uint64_t *arcs = count_arcs(&g);
        struct mw_edges edges;
        OK(mw_names_counted(5, &g.names));
        OK(mw_graph_edges(&g, &edges));
        assert_int_equal(edges.vertices, g.vertices);
        assert_int_equal(edges.directed, g.directed);
        assert_int_equal(edges.count, g.directed ? g.arcs : g.arcs / 2);
        assert_ptr_equal(edges.names, g.names);
        for (uint64_t e = 0; e < edges.count; e++) {
            const uint32_t a = edges.ends[2 * e], b = edges.ends[2 * e + 1];
            assert_true(g.directed || a <= b);
            assert_true(e == 0 || edges.ends[2 * e - 2] <= a);
            arcs[a * g.vertices + b]--;
            if (!g.directed)
                arcs[b * g.vertices + a]--;
        }
        for (size_t i = 0; i < g.vertices * g.vertices; i++)
            assert_int_equal(arcs[i], 0);
        mw_graph_free(&g);
        mw_edges_free(&edges);
        free(arcs);
    }
}

/* ---- summary ---- */

static void check_summary(const struct mw_graph *g)
{
    const size_t n = g->vertices;
    uint64_t *arcs = count_arcs(g), *counts, self = 0, multiple = 0, least = n ? UINT64_MAX : 0, most = 0;
    struct mw_graph_summary summary = MW_INIT(summary);
    size_t count, isolated = 0;
    OK(mw_graph_summarise(g, &summary));
    OK(mw_graph_degrees(g, &counts, &count));
    for (size_t i = 0; i < n; i++) {
        uint64_t degree = 0, in = 0;
        for (size_t j = 0; j < n; j++) {
            const uint64_t edges = i == j && !g->directed ? arcs[i * n + j] / 2 : arcs[i * n + j];
            degree += arcs[i * n + j];
            in += arcs[j * n + i];
            self += i == j ? edges : 0;
            multiple += (g->directed || j >= i) && edges > 1 ? edges - 1 : 0;
        }
        least = degree < least ? degree : least;
        most = degree > most ? degree : most;
        isolated += degree == 0 && in == 0;
        assert_true(degree < count && counts[degree] > 0);
        counts[degree]--;
    }
    for (size_t d = 0; d < count; d++)
        assert_int_equal(counts[d], 0);
    assert_int_equal(count, most + 1);
    assert_int_equal(summary.vertices, n);
    assert_int_equal(summary.isolated, isolated);
    assert_int_equal(summary.edges, g->directed ? g->arcs : g->arcs / 2);
    assert_int_equal(summary.degree_min, least);
    assert_int_equal(summary.degree_max, most);
    assert_true(summary.degree_mean == (n ? (double)g->arcs / (double)n : 0.0));
    assert_int_equal(summary.self, self);
    assert_int_equal(summary.multiple, multiple);
    free(arcs);
    free(counts);
}

static void summaries_are_those_of_plain_loops(void **unused)
{
    for (size_t r = 0; r < REPEATS; r++) {
        struct mw_graph g = any_graph(r < 20 ? 2 : 40);
        check_summary(&g);
        mw_graph_free(&g);
    }
}

/* ---- checks ---- */

static void damaged_graphs_are_found_out(void **unused)
{
    for (size_t r = 0; r < 300; r++) {
        struct mw_graph made = random_graph(50, 10000, random_below(2), true), g = made;
        uint64_t *offsets = (uint64_t *)g.offsets;
        uint32_t *heads = (uint32_t *)g.heads;
        const size_t v = 1 + random_below(49), i = random_below(10000);
        struct mw_graph_summary summary = MW_INIT(summary);
        uint64_t *bits;
        uint8_t *matrix;
        size_t words;
        g.memory = NULL; /* heads of graphs that the library built are not checked */
        OK(mw_graph_check_offsets(&g));
        OK(mw_graph_check_heads(&g, 1));
        const uint32_t head = heads[i];
        heads[i] = random_below(2) ? 50 : UINT32_MAX;
        assert_int_equal(mw_graph_check_heads(&g, 1), MW_EDATA);
        char arc[40];
        snprintf(arc, sizeof arc, "arc %zu ", i);
        assert_non_null(strstr(mw_errmsg(), arc));
        assert_int_equal(mw_graph_summarise(&g, &summary), MW_EDATA);
        assert_int_equal(mw_graph_matrix(&g, &matrix), MW_EDATA);
        assert_int_equal(mw_graph_bits(&g, &bits, &words), MW_EDATA);
        heads[i] = head;
        const uint64_t offset = offsets[v];
        offsets[v] = random_below(2) ? offsets[v + 1] + 1 : UINT64_MAX;
        assert_int_equal(mw_graph_check_offsets(&g), MW_EDATA);
        offsets[v] = offset;
        offsets[0] = 1;
        assert_int_equal(mw_graph_check_offsets(&g), MW_EDATA);
        offsets[0] = 0;
        g.arcs--;
        assert_int_equal(mw_graph_check_offsets(&g), MW_EDATA);
        g.arcs++;
        OK(mw_graph_check_offsets(&g));
        OK(mw_graph_check_heads(&g, 1));
        mw_graph_free(&made);
    }
}

/* Matrices with more bytes than a size can hold. */
static void impossible_matrices_are_refused(void **unused)
{
    uint64_t *offsets = room(1, sizeof *offsets);
    struct mw_graph g;
    uint8_t *matrix;
    OK(mw_graph_of_arrays(0, false, offsets, room(1, 4), &g));
    g.vertices = SIZE_MAX / 4096;
    assert_int_equal(mw_graph_matrix(&g, &matrix), MW_ELIMIT);
    uint64_t *bits;
    size_t words;
    assert_int_equal(mw_graph_bits(&g, &bits, &words), MW_ELIMIT);
    mw_graph_free(&g);
    mw_graph_free(&g);
    mw_graph_free(NULL);
}

/* A graph in mapped memory unmaps it: the address can be mapped again, by a call that fails for addresses in use. */
static void mapped_graphs_are_unmapped(void **unused)
{
    const size_t bytes = (size_t)1 << 16;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct mw_graph g;
    assert_true(memory != MAP_FAILED);
    uint64_t *offsets = (uint64_t *)(memory + 64);
    uint32_t *heads = (uint32_t *)(memory + 4096);
    offsets[1] = 1;
    offsets[2] = 2;
    heads[0] = 1;
    OK(mw_graph_of_mapping(memory, bytes, 2, false, offsets, heads, &g));
    assert_int_equal(g.arcs, 2);
    assert_ptr_equal(g.heads, heads);
    check_summary(&g);
    mw_graph_free(&g);
    assert_int_equal(msync(memory, bytes, MS_ASYNC), -1);
}

/* ---- heads ---- */

/* The first of several bad heads is reported, whichever thread finds one first. */
static void bad_heads_are_found_by_threads(void **unused)
{
    const uint64_t arcs = 3000000;
    uint32_t *heads = room(arcs, sizeof *heads);
    const uint64_t offsets[] = { 0, arcs, arcs };
    const struct mw_graph g = { .vertices = 2, .arcs = arcs, .offsets = offsets, .heads = heads };
    char reason[100];
    for (unsigned threads = 0; threads < 5; threads++) {
        const uint64_t bad = random_below(arcs);
        OK(mw_graph_check_heads(&g, threads));
        heads[bad] = heads[arcs - 1] = 2;
        snprintf(reason, sizeof reason, "arc %" PRIu64 " leads to vertex 2,", bad);
        FAILS(MW_EDATA, reason, mw_graph_check_heads(&g, threads));
        heads[bad] = heads[arcs - 1] = 0;
    }
    free(heads);
}

/* Heads of a graph that the library built are known to be vertices, and so are those of a mapped graph that has been
 * checked: another check would read memory that is no longer there. */
static void heads_that_are_known_are_not_looked_at(void **unused)
{
    const size_t page = 65536;
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint64_t *offsets = (uint64_t *)memory;
    uint32_t *heads = (uint32_t *)(memory + page);
    static const uint32_t others[] = { 1, 2 };
    struct mw_graph g, other;
    assert_true(memory != MAP_FAILED);
    offsets[1] = 1;
    offsets[2] = 2;
    heads[0] = 2;
    OK(mw_graph_of_mapping(memory, 2 * page, 2, false, offsets, heads, &g));
    FAILS(MW_EDATA, "arc 0 leads to vertex 2", mw_graph_check_heads(&g, 1));
    heads[0] = 1;
    OK(mw_graph_check_heads(&g, 1));
    assert_int_equal(mprotect(heads, page, PROT_NONE), 0);
    OK(mw_graph_check_heads(&g, 1));
    other = g;
    other.heads = others;
    FAILS(MW_EDATA, "arc 1 leads to vertex 2", mw_graph_check_heads(&other, 1));
    mw_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_lists),
        cmocka_unit_test(matrices_and_bits),
        cmocka_unit_test(matrices_count_to_255),
        cmocka_unit_test(sources_and_groups),
        cmocka_unit_test(own_adjacency_stays_where_it_is),
        cmocka_unit_test(wrong_adjacency_is_refused),
        cmocka_unit_test(edges_of_graphs),
        cmocka_unit_test(summaries_are_those_of_plain_loops),
        cmocka_unit_test(damaged_graphs_are_found_out),
        cmocka_unit_test(impossible_matrices_are_refused),
        cmocka_unit_test(mapped_graphs_are_unmapped),
        cmocka_unit_test(bad_heads_are_found_by_threads),
        cmocka_unit_test(heads_that_are_known_are_not_looked_at),
    };
    seed_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
