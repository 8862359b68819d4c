/* Components of networks: all variants that a device can run, on the graphs of Hawick, Leist and Playne, "Parallel
 * Graph Component Labelling with GPUs and CUDA", section 6.1, a tenth of their size, and on what others publish.
 *
 *   bench/graph [-s] [-l] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   disjoint 1  100 sets, 5 M edges, more and more vertices
 *   disjoint 2  100 sets, 100,000 vertices, more and more edges
 *   disjoint 3  500,000 vertices, 6 M edges, more and more sets
 *   line        vertices one behind the other
 *   scale-free  Barabasi and Albert, mean degree 10
 *   ws          Watts and Strogatz, mean degree 10, with p = 0.01, 0.1 and 1
 *   random      G(n, m) as GAPBS makes it for `cc -u 18 -k 16`: 2^18 vertices, 16 edges for each
 *
 * Milliseconds are of a run, with the graph on the device; and with all that belongs to one label alone: sending the
 * graph, room for labels, and fetching them.  "bandwidth" is that of reading the whole adjacency and writing the
 * labels, as a fraction of a plain copy's (above 1 where most arcs are never looked at).  "igraph" and "scipy" are the
 * time of a run as a fraction of that library's (below 1: ours is faster).  A variant that needs more than a second has
 * one turn, and none at the test's further graphs, as where it would need more than five.  All variants' labels are
 * compared first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

static const struct network rows[] = {
    { "disjoint 1", "disjoint", { 200e3, 100, 5e6 } },  { "disjoint 1", "disjoint", { 800e3, 100, 5e6 } },
    { "disjoint 1", "disjoint", { 1600e3, 100, 5e6 } },
    { "disjoint 2", "disjoint", { 100e3, 100, 1e6 } },  { "disjoint 2", "disjoint", { 100e3, 100, 3e6 } },
    { "disjoint 2", "disjoint", { 100e3, 100, 6e6 } },
    { "disjoint 3", "disjoint", { 500e3, 1, 6e6 } },    { "disjoint 3", "disjoint", { 500e3, 100, 6e6 } },
    { "disjoint 3", "disjoint", { 500e3, 10e3, 6e6 } }, { "disjoint 3", "disjoint", { 500e3, 100e3, 6e6 } },
    { "line", "line", { 5e3 } },                        { "line", "line", { 20e3 } },
    { "line", "line", { 100e3 } },                      { "line", "line", { 1e6 } },
    { "scale-free", "ba", { 100e3, 5 } },               { "scale-free", "ba", { 500e3, 5 } },
    { "scale-free", "ba", { 2e6, 5 } },
    { "ws 0.01", "ws", { 200e3, 10, 0.01 } },           { "ws 0.01", "ws", { 1400e3, 10, 0.01 } },
    { "ws 0.01", "ws", { 2e6, 10, 0.01 } },
    { "ws 0.1", "ws", { 200e3, 10, 0.1 } },             { "ws 0.1", "ws", { 1400e3, 10, 0.1 } },
    { "ws 0.1", "ws", { 2e6, 10, 0.1 } },
    { "ws 1", "ws", { 200e3, 10, 1 } },                 { "ws 1", "ws", { 1400e3, 10, 1 } },
    { "ws 1", "ws", { 2e6, 10, 1 } },
    { "random", "er", { 262144, 4194304 } },
};
#define VARIANTS_MAX 8

static const struct bench_column columns[] = {
    { "test", -10, 0 }, { "vertices", 9, 0 }, { "edges", 10, 0 }, { "variant", -9, 0 }, BENCH_TIMES,
    { "with all", 10, 3 }, { "bandwidth", 9, 2 }, { "igraph", 7, 3 }, { "scipy", 7, 3 }, { "iter", 6, 0 },
};

/* A variant, on the graph of a row. */
struct variant {
    const char *name;
    char with_all[40];
    struct mw_device *device;
    const struct mw_graph *graph;
    struct mw_graph_labelling_options options;
    struct mw_graph_labelling *labelling;
    struct mw_buffer *labels;
    int32_t *fetched;
    const int32_t **expected;            /* the first variant's, once it is there */
    size_t iterations;
};

static int variant_prepare(void *of)
{
    struct variant *v = of;
    return mw_graph_labelling_new(&v->device, 1, v->graph, &v->options, &v->labelling);
}

static int variant_run(void *of, int passes)
{
    struct variant *v = of;
    (void)passes;
    return mw_graph_labelling_run(v->labelling, v->labels, &v->iterations);
}

/* What the variant alone cannot do, it cannot do with all. */
static int variant_prepare_with_all(void *of)
{
    const struct variant *v = of;
    return v->labelling ? 0 : MW_ENOTSUP;
}

static int variant_run_with_all(void *of, int passes)
{
    const struct variant *v = of;
    (void)passes;
    return mw_graph_label(&v->device, 1, v->graph, &v->options, v->fetched);
}

static int variant_check(void *of)
{
    const struct variant *v = of;
    if (!*v->expected)
        *v->expected = v->fetched;
    if (memcmp(v->fetched, *v->expected, v->graph->vertices * sizeof *v->fetched) != 0)
        return mw_fail(MW_EVERIFY, "it has other labels than the first variant");
    return 0;
}

static void variant_finish(void *of)
{
    struct variant *v = of;
    mw_graph_labelling_free(v->labelling);
    v->labelling = NULL;
}

/* ---- rows ---- */

/* Contenders in the order of their turns: other libraries, the copy, and each variant alone and with all. */
enum { COPY = NETWORK_RIVALS, VARIANTS };

struct row {
    struct bench_rival rivals[NETWORK_RIVALS];
    struct bench_copy copy;
    struct variant variants[VARIANTS_MAX];
    size_t variant_row[VARIANTS_MAX];    /* in the library's table */
    size_t variant_count;
    const int32_t *expected;
    struct bench_contender contenders[VARIANTS + 2 * VARIANTS_MAX];
};

static struct bench_past pasts[VARIANTS_MAX];
static struct mw_device *maker;

static void *memory(size_t bytes)
{
    void *pointer = malloc(bytes);
    if (!pointer)
        bench_wrong("memory: there is none for %zu bytes", bytes);
    return pointer;
}

static void add_variants(struct row *row, const char *test, struct mw_device *device, const struct mw_graph *graph)
{
    const size_t bytes = graph->vertices * sizeof(int32_t);
    const struct mw_variant *named;
    for (size_t i = 0; (named = mw_graph_component_variants(i)) != NULL && row->variant_count < VARIANTS_MAX; i++) {
        if (bench_takes_long(&pasts[i], test, (double)graph->vertices))
            continue;
        struct variant *v = &row->variants[row->variant_count];
        struct bench_contender *c = &row->contenders[VARIANTS + 2 * row->variant_count];
        *v = (struct variant){ .name = named->name, .device = device, .graph = graph, .labels = row->copy.from,
                               .options = { .variant = named->name }, .fetched = memory(bytes),
                               .expected = &row->expected };
        snprintf(v->with_all, sizeof v->with_all, "%s with all", v->name);
        c[0] = (struct bench_contender){ .name = v->name, .of = v, .prepare = variant_prepare, .run = variant_run,
                                         .finish = variant_finish,
                                         .moved = ((double)graph->arcs + 2.0 * (double)graph->vertices) *
                                                  sizeof(uint32_t) };
        c[1] = (struct bench_contender){ .name = v->with_all, .of = v, .prepare = variant_prepare_with_all,
                                         .run = variant_run_with_all, .check = variant_check };
        row->variant_row[row->variant_count++] = i;
    }
}

static void print_row(struct bench_table *table, const char *test, const struct mw_graph *graph, const struct row *row)
{
    for (size_t i = 0; i < row->variant_count; i++) {
        const struct bench_contender *c = &row->contenders[VARIANTS + 2 * i];
        if (c->out)
            continue;
        pasts[row->variant_row[i]] = (struct bench_past){ test, (double)graph->vertices, bench_seconds(c).median };
        bench_text(table, "%s", test);
        bench_number(table, (double)graph->vertices);
        bench_number(table, (double)graph->arcs / 2);
        bench_text(table, "%s", c->name);
        bench_times(table, c);
        bench_number(table, bench_seconds(c + 1).median * 1e3);
        bench_number(table, bench_bandwidth(c, &row->contenders[COPY]).median);
        for (size_t k = 0; k < NETWORK_RIVALS; k++)
            bench_number(table, bench_ratio(c, &row->contenders[k]).median);
        bench_number(table, (double)row->variants[i].iterations);
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

    row.copy = (struct bench_copy){ .device = device, .bytes = graph.vertices * sizeof(uint32_t) };
    if (mw_buffer_new(device, row.copy.bytes, &row.copy.from) != 0 ||
        mw_buffer_new(device, row.copy.bytes, &row.copy.to) != 0)
        bench_die(network->test);
    network_rivals_add(bench, row.rivals, row.contenders, "run");
    row.contenders[COPY] = bench_copier(&row.copy);
    add_variants(&row, network->test, device, &graph);
    snprintf(name, sizeof name, "%s %s %zu %zu", mw_device_info(device)->id, network->test, graph.vertices,
             (size_t)graph.arcs / 2);
    bench_contest(bench, &(struct bench_contest){ .name = name }, row.contenders, VARIANTS + 2 * row.variant_count);
    print_row(table, network->test, &graph, &row);

    for (size_t i = 0; i < row.variant_count; i++)
        free(row.variants[i].fetched);
    mw_buffer_free(row.copy.from);
    mw_buffer_free(row.copy.to);
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
    bench_say(&bench, "Components of networks; %d rounds\n", bench.rounds);
    maker = bench_open("native:pthreads", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(maker);
    bench_end(&bench);
    return 0;
}
