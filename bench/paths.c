/* Distances between all vertices of networks: all variants that a device can run, on the graphs of Leist, Playne and
 * Hawick, "Exploiting graphical processing units for data-parallel scientific applications", section 4.4, and others.
 *
 *   bench/paths [-s] [-l] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   alpha       the alpha-model, mean degree 10: strongly clustered, long ways
 *   scale-free  Barabasi and Albert, mean degree 10, and 100
 *   ws 0.1      Watts and Strogatz, mean degree 10
 *   line        vertices one behind the other
 *   rmat        a few vertices with very many edges
 *
 * Milliseconds are of the searches, and "with all" of all that belongs to one call: programs from the cache, memory,
 * sending the graph.  "G/s" are edges times targets.  "igraph" and "scipy" are the time of the searches as a fraction
 * of that library's (below 1: ours is faster).  A variant that needs more than a second has one turn, and none at the
 * test's further graphs where it would need more than five.  All variants' sums are compared first. */
#include <meshwork/graph_paths.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

static const struct network rows[] = {
    { "alpha", "alpha", { 1000, 10 } },       { "alpha", "alpha", { 5000, 10 } },
    { "alpha", "alpha", { 10e3, 10 } },       { "alpha", "alpha", { 30e3, 10 } },
    { "scale-free", "ba", { 1000, 5 } },      { "scale-free", "ba", { 5000, 5 } },
    { "scale-free", "ba", { 10e3, 5 } },      { "scale-free", "ba", { 30e3, 5 } },
    { "scale-free 100", "ba", { 30e3, 50 } },
    { "ws 0.1", "ws", { 10e3, 10, 0.1 } },    { "ws 0.1", "ws", { 30e3, 10, 0.1 } },
    { "line", "line", { 1000 } },             { "line", "line", { 5000 } },
    { "rmat", "rmat", { 14 } },
};
#define VARIANTS_MAX 12

static const struct bench_column columns[] = {
    { "test", -14, 0 }, { "vertices", 9, 0 }, { "edges", 10, 0 }, { "variant", -9, 0 }, BENCH_TIMES,
    { "with all", 10, 3 }, { "G/s", 8, 2 }, { "igraph", 7, 4 }, { "scipy", 7, 4 },
};

/* A variant, on the graph of a row. */
struct variant {
    const char *name;
    char with_all[40];
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_graph_paths found;
    struct mw_wide *expected;            /* the first variant's sum, zero until it is there */
};

static int variant_run(void *of, int passes)
{
    struct variant *v = of;
    (void)passes;
    mw_graph_paths_free(&v->found);
    return mw_graph_paths(&v->device, 1, v->graph, &(struct mw_graph_paths_options){ .variant = v->name }, &v->found);
}

static double variant_seconds(void *of)
{
    struct variant *v = of;
    return variant_run(v, 1) == 0 ? v->found.seconds : NAN;
}

static int variant_check(void *of)
{
    struct variant *v = of;
    if (v->expected->low == 0)
        *v->expected = v->found.sum;
    if (v->found.sum.low != v->expected->low || v->found.sum.high != v->expected->high)
        return mw_fail(MW_EVERIFY, "it has another sum of distances than the first variant");
    return 0;
}

static void variant_finish(void *of)
{
    struct variant *v = of;
    mw_graph_paths_free(&v->found);
}

/* ---- rows ---- */

/* Contenders in the order of their turns: other libraries, and each variant alone and with all. */
enum { VARIANTS = NETWORK_RIVALS };

struct row {
    struct bench_rival rivals[NETWORK_RIVALS];
    struct variant variants[VARIANTS_MAX];
    size_t variant_row[VARIANTS_MAX];    /* in the library's table */
    size_t variant_count;
    struct mw_wide sum;
    struct bench_contender contenders[VARIANTS + 2 * VARIANTS_MAX];
};

static struct bench_past pasts[VARIANTS_MAX];
static struct mw_device *maker;

static void add_variants(struct row *row, const char *test, struct mw_device *device, const struct mw_graph *graph)
{
    const struct mw_variant *named;
    for (size_t i = 0; (named = mw_graph_path_variants(i)) != NULL && row->variant_count < VARIANTS_MAX; i++) {
        if (bench_takes_long(&pasts[i], test, (double)graph->vertices))
            continue;
        struct variant *v = &row->variants[row->variant_count];
        struct bench_contender *c = &row->contenders[VARIANTS + 2 * row->variant_count];
        *v = (struct variant){ .name = named->name, .device = device, .graph = graph, .expected = &row->sum };
        snprintf(v->with_all, sizeof v->with_all, "%s with all", v->name);
        c[0] = (struct bench_contender){ .name = v->name, .of = v, .seconds = variant_seconds, .check = variant_check };
        c[1] = (struct bench_contender){ .name = v->with_all, .of = v, .run = variant_run, .check = variant_check,
                                         .finish = variant_finish };
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
        bench_number(table, edges * (double)graph->vertices / seconds / 1e9);
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
    network_rivals_add(bench, row.rivals, row.contenders, "distances");
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
    bench_say(&bench, "Distances between all vertices of networks; %d rounds\n", bench.rounds);
    maker = bench_open("native:pthreads", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(maker);
    bench_end(&bench);
    return 0;
}
