/* Memory, on $MESHWORK_TEST_DEVICE. The memory of the device is set low here. For larger graphs, `auto` has the same
 * results as with enough memory, and variants that need more report it. Large graphs do not take much memory. Set
 * $MESHWORK_TEST_SEED to repeat a run. */
#include <meshwork/generate.h>
#include <meshwork/graph_components.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "graph/paths/paths_internal.h"

#include "tests/device/device.h"

/* The memory of a device: building a graph of any size needs tables of half a MiB on it. */
enum { MEMORY = 1200 << 10 };

/* Distances are found to these vertices. */
enum { TARGETS = 20 };
/* clang-format off */
static const uint32_t targets[TARGETS] = { 0, 1, 2, 3, 4, 99, 98, 97, 96, 95, 300, 200, 100, 7, 23, 42, 61, 77, 78,
                                           79 };
/* clang-format on */

static struct mw_graph make_graph(bool directed, bool weighted, size_t vertices, size_t least)
{
    const size_t n = vertices + random_below(vertices / 2), count = least + random_below(least / 4);
    struct mw_edges edges;
    struct mw_graph graph;
    OK(mw_edges_new(n, count, directed, &edges));
    edges.weights = weighted ? room(count, sizeof *edges.weights) : NULL;
    for (size_t e = 0; e < count; e++) {
        edges.ends[2 * e] = (uint32_t)random_below(n);
        edges.ends[2 * e + 1] = (uint32_t)((edges.ends[2 * e] + random_below(n / 4)) % n);
        if (weighted)
            edges.weights[e] = 1 + (int32_t)random_below(1000);
    }
    OK(mw_graph_new(device, &edges, NULL, &graph, NULL));
    mw_edges_free(&edges);
    return graph;
}

/* ---- results, as bytes that can be compared ---- */

struct answer {
    unsigned char *bytes;
    size_t count;
};
static struct answer answer;

static void put(const void *bytes, size_t count)
{
    answer.bytes = realloc(answer.bytes, answer.count + count + 1);
    assert_non_null(answer.bytes);
    memcpy(answer.bytes + answer.count, bytes, count);
    answer.count += count;
}

static int paths(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_paths p = MW_INIT(p);
    const int rc =
        mw_graph_paths(&device, 1, g,
                       GIVEN(mw_graph_paths_options, .variant = variant, .targets = targets, .target_count = TARGETS),
                       &p);
    if (rc)
        return rc;
    put(&p.sum, sizeof p.sum);
    put(p.histogram, (p.longest + 1) * sizeof *p.histogram);
    mw_graph_paths_free(&p);
    return 0;
}

static int lengths(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_lengths l = MW_INIT(l);
    const int rc = mw_graph_lengths(&device, 1, g,
                                    GIVEN(mw_graph_lengths_options, .variant = variant, .by_vertex = true,
                                          .targets = targets, .target_count = TARGETS),
                                    &l);
    if (rc)
        return rc;
    put(l.near, g->vertices * sizeof *l.near);
    put(l.farthest, g->vertices * sizeof *l.farthest);
    mw_graph_lengths_free(&l);
    return 0;
}

static int distances(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_distances d = MW_INIT(d);
    const int rc = mw_graph_distances(device, g, 1, GIVEN(mw_graph_distances_options, .variant = variant), &d);
    if (rc)
        return rc;
    put(d.distance, g->vertices * sizeof *d.distance);
    put(d.predecessor, g->vertices * sizeof *d.predecessor);
    mw_graph_distances_free(&d);
    return 0;
}

static int triangles(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_triangles t = MW_INIT(t);
    const int rc = mw_graph_triangles(&device, 1, g, GIVEN(mw_graph_triangles_options, .variant = variant), &t);
    if (rc)
        return rc;
    put(&t.triangles, sizeof t.triangles);
    put(&t.triples, sizeof t.triples);
    mw_graph_triangles_free(&t);
    return 0;
}

static int pagerank(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_pagerank p = MW_INIT(p);
    int rc;
    rc = mw_graph_pagerank(&device, 1, g, NULL, &p);
    if (rc)
        return rc;
    put(p.ranks, g->vertices * sizeof *p.ranks);
    mw_graph_pagerank_free(&p);
    return 0;
}

static int cores(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_cores c = MW_INIT(c);
    const int rc = mw_graph_cores(&device, 1, g, GIVEN(mw_graph_cores_options, .variant = variant), &c);
    if (rc)
        return rc;
    put(c.cores, g->vertices * sizeof *c.cores);
    mw_graph_cores_free(&c);
    return 0;
}

static int betweenness(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_betweenness b = MW_INIT(b);
    const int rc = mw_graph_betweenness(&device, 1, g,
                                        GIVEN(mw_graph_betweenness_options, .variant = variant, .sources = targets,
                                              .source_count = TARGETS),
                                        &b);
    if (rc)
        return rc;
    put(b.betweenness, g->vertices * sizeof *b.betweenness);
    mw_graph_betweenness_free(&b);
    return 0;
}

static int strong(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_strong s = MW_INIT(s);
    const int rc = mw_graph_strong(&device, 1, g, GIVEN(mw_graph_strong_options, .variant = variant), &s);
    if (rc)
        return rc;
    put(s.roots, g->vertices * sizeof *s.roots);
    mw_graph_strong_free(&s);
    return 0;
}

static int components(const struct mw_graph *g, const char *variant)
{
    int32_t *roots = room(g->vertices, sizeof *roots);
    const struct mw_graph_labelling_options options = { .size = sizeof options, .variant = variant };
    const int rc = mw_graph_label(&device, 1, g, &options, roots);
    if (rc == 0)
        put(roots, g->vertices * sizeof *roots);
    free(roots);
    return rc;
}

static int bridges(const struct mw_graph *g, const char *variant)
{
    struct mw_graph_bridges b = MW_INIT(b);
    const int rc = mw_graph_bridges(&device, 1, g, GIVEN(mw_graph_bridges_options, .variant = variant), &b);
    if (rc)
        return rc;
    put(b.memberships, g->vertices * sizeof *b.memberships);
    put(b.ends, 2 * b.bridges * sizeof *b.ends);
    put(&b.components, sizeof b.components);
    put(&b.largest, sizeof b.largest);
    mw_graph_bridges_free(&b);
    return 0;
}

/* ---- with little memory ---- */

struct measure {
    const char *name;
    int (*find)(const struct mw_graph *g, const char *variant);
    const struct mw_variant *(*variants)(size_t i);
    bool weighted;
    enum { ANY, DIRECTED, UNDIRECTED } direction;
    size_t vertices, edges; /* at least; 0: 500, and more arcs than fit into memory */
};

static const struct measure measures[] = {
    { "paths", paths, mw_graph_path_variants, .weighted = false },
    { "lengths", lengths, mw_graph_length_variants, .weighted = true },
    { "distances", distances, mw_graph_distance_variants, .weighted = false },
    { "distances by weights", distances, mw_graph_distance_variants, .weighted = true },
    { "triangles", triangles, mw_graph_triangle_variants, .weighted = false },
    { "pagerank", pagerank, NULL, .weighted = false },
    { "cores", cores, mw_graph_core_variants, .weighted = false },
    { "betweenness", betweenness, mw_graph_betweenness_variants, .weighted = false },
    /* The arcs of one direction fit, but those of both do not. */
    { "betweenness of arcs", betweenness, mw_graph_betweenness_variants, .direction = DIRECTED, .vertices = 500,
      .edges = MEMORY / 6 },
    /* The data for each vertex takes most of the memory. */
    { "pagerank of few arcs", pagerank, NULL, .direction = UNDIRECTED, .vertices = 14000, .edges = 40000 },
    { "strong components", strong, mw_graph_strong_variants, .direction = DIRECTED },
    { "components", components, mw_graph_component_variants, .weighted = false },
    { "bridges", bridges, mw_graph_bridge_variants, .weighted = false },
};

static void starve(uint64_t bytes, const struct mw_device_info *usual)
{
    device->info.memory_bytes = device->allocated + bytes;
    if (usual->max_alloc_bytes > bytes || usual->max_alloc_bytes == 0)
        device->info.max_alloc_bytes = bytes;
}

/* A variant chosen by name gives the same result, or reports that the graph does not fit. */
static void try_variant(const struct measure *m, const struct mw_graph *g, const char *variant,
                        const struct answer *expected)
{
    int rc;
    answer = (struct answer){ 0 };
    rc = m->find(g, variant);
    if (strcmp(variant, "auto") == 0 || (rc != MW_ENOTSUP && rc != MW_ELIMIT)) {
        if (rc != 0)
            fail_msg("%s by %s of %zu vertices and %zu arcs: %s", m->name, variant, g->vertices, (size_t)g->arcs,
                     mw_errmsg());
        assert_int_equal(answer.count, expected->count);
        if (memcmp(answer.bytes, expected->bytes, expected->count) != 0)
            fail_msg("%s by %s: another result with little memory", m->name, variant);
    }
    free(answer.bytes);
}

static void try_measure(const struct measure *m)
{
    const struct mw_device_info usual = device->info;
    struct mw_graph g = make_graph(m->direction == ANY ? random_below(2) : m->direction == DIRECTED, m->weighted,
                                   m->vertices ? m->vertices : 500, m->edges ? m->edges : MEMORY / 4 + 1);
    const struct mw_variant *v;
    struct answer expected;
    answer = (struct answer){ 0 };
    OK(m->find(&g, "auto"));
    expected = answer;
    assert_true(m->edges || g.arcs * sizeof *g.heads > MEMORY);
    starve(MEMORY, &usual);
    try_variant(m, &g, "auto", &expected);
    for (size_t i = 0; m->variants && (v = m->variants(i)) != NULL; i++)
        if (!left_out(slow_compiler ? 5 : 2))
            try_variant(m, &g, v->name, &expected);
    device->info = usual;
    mw_graph_free(&g);
    free(expected.bytes);
}

static void graphs_may_be_larger_than_memory(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(measures); i++)
        for (int round = 0; round < (native ? 2 : 1); round++)
            try_measure(&measures[i]);
}

/* A graph may be undirected by its flag alone: the results then have no meaning, but memory outside the arrays is not
 * touched. */
static void arcs_that_do_not_lead_back_do_no_harm(void **unused)
{
    enum { VERTICES = 400, EACH = 6 };
    uint64_t offsets[VERTICES + 1] = { 0 }, arcs = 0;
    uint32_t heads[VERTICES * EACH];
    struct mw_graph g;
    const struct mw_variant *v;
    for (int round = 0; round < 2; round++, arcs = 0) {
        for (size_t u = 0; u < VERTICES; u++) {
            for (size_t k = 0; k < EACH; k++)
                heads[arcs++] = (uint32_t)(round ? random_below(VERTICES) : (u + 1 + k) % VERTICES);
            offsets[u + 1] = arcs;
        }
        OK(mw_graph_from_adjacency(VERTICES, offsets, heads, false, &g));
        for (size_t i = 0; i < MW_COUNT(measures); i++)
            for (size_t k = 0; !measures[i].weighted && measures[i].variants && (v = measures[i].variants(k)); k++) {
                if (left_out(slow_compiler ? 4 : 2))
                    continue;
                answer = (struct answer){ 0 };
                measures[i].find(&g, v->name);
                free(answer.bytes);
            }
    }
}

/* The mean distance of a million vertices (the seed chooses the kind) by a sample takes less than 2 GB, with all memory
 * used before. */
static void samples_of_large_graphs_take_little(void **unused)
{
    static const char *const kinds[] = { "ba", "ws" };
    static const struct mw_value given[] = { { "n", 1e6 } };
    enum { COUNT = 512 };
    const char *kind = kinds[random_below(MW_COUNT(kinds))];
    uint32_t sample[COUNT];
    const struct mw_graph_paths_options how = { .size = sizeof how, .targets = sample, .target_count = COUNT };
    struct mw_edges edges;
    struct mw_graph g;
    struct mw_graph_paths p = MW_INIT(p);
    struct rusage used;
    if (strncmp(info->id, "native:pthreads", strlen("native:pthreads")) != 0)
        skip(); /* takes too long */
    OK(mw_generate(device, kind, given, MW_COUNT(given), 1, &edges));
    OK(mw_graph_new(device, &edges, NULL, &g, NULL));
    mw_edges_free(&edges);
    OK(mw_graph_sample(g.vertices, COUNT, 1, sample));
    OK(mw_graph_paths(&device, 1, &g, &how, &p));
    assert_true(p.half_width < p.mean / 50);
    mw_graph_paths_free(&p);
    mw_graph_free(&g);
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    print_message("%s of a million vertices: %.0f MB\n", kind, (double)used.ru_maxrss * 1024 / 1e6);
    assert_true((double)used.ru_maxrss * 1024 < 2e9);
}

/* ---- plans ---- */

static void check_plan(const char *variant, uint64_t allocated, const struct mw_graph_footprint *m)
{
    if (m->vertices + m->arcs + m->rest != allocated)
        fail_msg("%s: %zu bytes on the device, not %zu + %zu + %zu", variant, (size_t)allocated, (size_t)m->vertices,
                 (size_t)m->arcs, (size_t)m->rest);
}

static void check_paths_plan(const struct mw_graph *g, const char *name, const struct mw_path_variant *variant)
{
    struct mw_graph reversed = { 0 };
    struct mw_path_job job = { .graph = g, .reversed = g, .limits = &mw_arc_limits_usual, .variant = variant };
    struct mw_path_share share = { .of = &job,
                                   .on = { device, device->info.traits->has_cores, job.limits, &share.owner } };
    struct mw_graph_footprint m = MW_INIT(m);
    uint64_t before;
    size_t at_once;
    if (g->directed) {
        OK(mw_graph_reversed(device, g, &reversed));
        job.reversed = &reversed;
    }
    before = device->allocated;
    OK(variant->make(&share, &at_once));
    OK(mw_graph_paths_memory(g, name, &m));
    check_plan(name, device->allocated - before, &m);
    mw_owner_drop(&share.owner);
    mw_graph_free(&reversed);
}

/* Native devices have no copies of the arcs. */
static void plans_have_the_bytes_of_the_device(void **unused)
{
    static const struct mw_path_variant *const kernels[] = { &mw_path_frontier, &mw_path_counter, &mw_path_local,
                                                             &mw_path_fours,    &mw_path_sorted,  &mw_path_update,
                                                             &mw_path_private };
    struct mw_graph_footprint m = MW_INIT(m);
    if (info->kind == MW_DEVICE_NATIVE)
        skip();
    for (int directed = 0; directed < 2; directed++) {
        struct mw_graph g = make_graph(directed, false, 300, 2000);
        for (size_t k = 0; k < MW_COUNT(kernels); k++)
            check_paths_plan(&g, (const char[2]){ (char)('1' + k) }, kernels[k]);
        for (int k = 1; k <= (directed ? 1 : 3); k++) {
            const char name[2] = { (char)('0' + k) };
            const uint64_t before = device->allocated;
            struct mw_graph_labelling *labelling;
            OK(mw_graph_labelling_new(&device, 1, &g, GIVEN(mw_graph_labelling_options, .variant = name), &labelling));
            OK(mw_graph_labelling_memory(&g, name, &m));
            check_plan(name, device->allocated - before + 4 * g.vertices, &m);
            mw_graph_labelling_free(labelling);
        }
        assert_int_equal(mw_graph_labelling_memory(&g, "2", &m), directed ? MW_ENOTSUP : 0);
        mw_graph_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_may_be_larger_than_memory),
        cmocka_unit_test(arcs_that_do_not_lead_back_do_no_harm),
        cmocka_unit_test(samples_of_large_graphs_take_little),
        cmocka_unit_test(plans_have_the_bytes_of_the_device),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
/* SPDX-License-Identifier: MIT */
