/* Triangles of networks: all variants that a device can run, on the graphs of Hawick, Leist and Playne, "Mixing
 * multi-core CPUs and GPUs for scientific simulation software", section 5.7, and on those of 1.25 M edges.
 *
 *   bench/triangles [-s] [-l] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   small world   Watts and Strogatz, p = 0.1, degree 50: the papers' figure 14; and degree 20
 *   scale-free    Barabasi and Albert, mean degree about 50: figure 15; and 20
 *   rmat          a few vertices with very many edges
 *
 * Milliseconds are of counting, with the making of lists, and "with all" of all that belongs to one call: programs from
 * the cache, memory, sending the graph.  "igraph" and "scipy" are the time of counting as a fraction of that library's
 * (below 1: ours is faster).  A variant that needs more than a second has one turn, and none at the test's further
 * graphs where it would need more than five.  All variants' triangles and triples are compared first. */
#include <meshwork/graph_measures.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

static const struct network rows[] = {
    { "small world", "ws", { 25e3, 50, 0.1 } },   { "small world", "ws", { 50e3, 50, 0.1 } },
    { "small world", "ws", { 100e3, 50, 0.1 } },  { "small world", "ws", { 200e3, 50, 0.1 } },
    { "small world 20", "ws", { 125e3, 20, 0.1 } },
    { "scale-free", "ba", { 25e3, 25 } },         { "scale-free", "ba", { 50e3, 25 } },
    { "scale-free", "ba", { 100e3, 25 } },        { "scale-free", "ba", { 200e3, 25 } },
    { "scale-free 20", "ba", { 125e3, 10 } },
    { "rmat", "rmat", { 17 } },
};
#define VARIANTS_MAX 8

static const struct bench_column columns[] = {
    { "test", -14, 0 }, { "vertices", 9, 0 }, { "edges", 10, 0 }, { "variant", -9, 0 }, BENCH_TIMES,
    { "with all", 10, 3 }, { "M edges/s", 9, 1 }, { "igraph", 7, 4 }, { "scipy", 7, 4 },
};

/* A variant, on the graph of a row. */
struct variant {
    const char *name;
    char with_all[40];
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_graph_triangles found;
    struct mw_graph_triangles *expected; /* the first variant's, without a name until they are there */
};

/* A device that cannot do it at all cannot do it for two vertices. */
static int variant_prepare(void *of)
{
    static const uint64_t offsets[] = { 0, 1, 2 };
    static const uint32_t heads[] = { 1, 0 };
    const struct mw_graph two = { .vertices = 2, .arcs = 2, .offsets = offsets, .heads = heads };
    struct variant *v = of;
    return mw_graph_triangles(&v->device, 1, &two, &(struct mw_graph_triangles_options){ .variant = v->name },
                              &v->found);
}

static int variant_run(void *of, int passes)
{
    struct variant *v = of;
    (void)passes;
    mw_graph_triangles_free(&v->found);
    return mw_graph_triangles(&v->device, 1, v->graph, &(struct mw_graph_triangles_options){ .variant = v->name },
                              &v->found);
}

static double variant_seconds(void *of)
{
    struct variant *v = of;
    return variant_run(v, 1) == 0 ? v->found.seconds : NAN;
}

static int variant_check(void *of)
{
    struct variant *v = of;
    if (!v->expected->variant)
        *v->expected = v->found;
    if (v->found.triangles != v->expected->triangles || v->found.triples.low != v->expected->triples.low)
        return mw_fail(MW_EVERIFY, "it has other triangles or triples than the first variant");
    return 0;
}

static void variant_finish(void *of)
{
    struct variant *v = of;
    mw_graph_triangles_free(&v->found);
}

/* ---- rows ---- */

/* Contenders in the order of their turns: other libraries, and each variant alone and with all. */
enum { VARIANTS = NETWORK_RIVALS };

struct row {
    struct bench_rival rivals[NETWORK_RIVALS];
    struct variant variants[VARIANTS_MAX];
    size_t variant_row[VARIANTS_MAX];    /* in the library's table */
    size_t variant_count;
    struct mw_graph_triangles first;
    struct bench_contender contenders[VARIANTS + 2 * VARIANTS_MAX];
};

static struct bench_past pasts[VARIANTS_MAX];
static struct mw_device *maker;

static void add_variants(struct row *row, const char *test, struct mw_device *device, const struct mw_graph *graph)
{
    const struct mw_variant *named;
    for (size_t i = 0; (named = mw_graph_triangle_variants(i)) != NULL && row->variant_count < VARIANTS_MAX; i++) {
        if (bench_takes_long(&pasts[i], test, (double)graph->vertices))
            continue;
        struct variant *v = &row->variants[row->variant_count];
        struct bench_contender *c = &row->contenders[VARIANTS + 2 * row->variant_count];
        *v = (struct variant){ .name = named->name, .device = device, .graph = graph, .expected = &row->first };
        snprintf(v->with_all, sizeof v->with_all, "%s with all", v->name);
        c[0] = (struct bench_contender){ .name = v->name, .of = v, .prepare = variant_prepare,
                                         .seconds = variant_seconds, .check = variant_check };
        c[1] = (struct bench_contender){ .name = v->with_all, .of = v, .prepare = variant_prepare, .run = variant_run,
                                         .check = variant_check, .finish = variant_finish };
        row->variant_row[row->variant_count++] = i;
    }
}

static void print_row(struct bench_table *table, const char *test, const struct mw_graph *graph, const struct row *row)
{
    for (size_t i = 0; i < row->variant_count; i++) {
        const struct bench_contender *c = &row->contenders[VARIANTS + 2 * i];
        const double edges = (double)graph->arcs / 2, seconds = bench_seconds(c).median;
        if (c->out)
            continue;
        pasts[row->variant_row[i]] = (struct bench_past){ test, (double)graph->vertices, seconds };
        bench_text(table, "%s", test);
        bench_number(table, (double)graph->vertices);
        bench_number(table, edges);
        bench_text(table, "%s", c->name);
        bench_times(table, c);
        bench_number(table, bench_seconds(c + 1).median * 1e3);
        bench_number(table, edges / seconds / 1e6);
        for (size_t k = 0; k < NETWORK_RIVALS; k++)
            bench_number(table, bench_ratio(c, &row->contenders[k]).median);
    }
}

static void measure_row(struct bench *bench, struct bench_table *table, struct mw_device *device,
                        const struct network *network)
{
    static struct row row;
    struct mw_edges edges;
    struct mw_graph graph;
    char name[200];
    row = (struct row){ 0 };
    network_edges(bench, maker, network, &edges);
    if (mw_graph_new(maker, &edges, NULL, &graph, NULL) != 0)
        bench_die(network->test);
    network_send(bench, &edges);
    mw_edges_free(&edges);
    network_rivals_add(bench, row.rivals, row.contenders, "triangles");
    add_variants(&row, network->test, device, &graph);
    snprintf(name, sizeof name, "%s %s %zu %zu", mw_device_info(device)->id, network->test, graph.vertices,
             (size_t)graph.arcs / 2);
    bench_contest(bench, &(struct bench_contest){ .name = name }, row.contenders, VARIANTS + 2 * row.variant_count);
    print_row(table, network->test, &graph, &row);
    mw_graph_free(&graph);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    memset(pasts, 0, sizeof pasts);
    bench_say(bench, "%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t r = 0; r < MW_COUNT(rows); r++)
        measure_row(bench, &table, device, &rows[r]);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 5, .script = "graph.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_say(&bench, "Triangles of networks; %d rounds\n", bench.rounds);
    maker = bench_open("native:pthreads", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(maker);
    bench_end(&bench);
    return 0;
}
