/* Adjacency from edges: builds networks of several kinds on every device, next to other libraries, in one run.
 *
 *   bench/build [-s] [-l] [--rmat SCALE] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   number   heads in ascending order
 *   degree   heads with many arcs first
 *   simple   heads in ascending order, without loops and repeated edges
 *
 * SCALE: only the network rmat with 2^SCALE vertices and 16 edges per vertex, large enough for big devices.
 *
 * The edges are in the host's memory, in random order; so is the resulting adjacency.  "bandwidth" counts reading the
 * edges and writing the adjacency once, as a fraction of a copy's bandwidth on the device.  "igraph" and "scipy" are
 * our time as a fraction of the library's time for its own structure (below 1: ours is faster); SciPy stores each edge
 * once.  All results are first compared with those of one thread. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

static const struct network rows[] = {
    { "random", "er", { 1e6, 5e6 } },
    { "small world", "ws", { 1e6, 10, 0.1 } },
    { "scale-free", "ba", { 1e6, 5 } },
    { "rmat", "rmat", { 18, 16 } },
    { "disjoint", "disjoint", { 500e3, 100, 5e6 } },
    { "grid", "grid", { 200, 200, 100 } },
};

#define SIZE .size = sizeof(struct mw_graph_options)
static const struct {
    const char *name;
    struct mw_graph_options options;
} forms[] = {
    { "number", { SIZE, .order = MW_GRAPH_ORDER_NUMBER } },
    { "degree", { SIZE, .order = MW_GRAPH_ORDER_DEGREE } },
    { "simple", { SIZE, .remove_self = true, .remove_multiple = true } },
};
enum { FORMS = MW_COUNT(forms), COPY = NETWORK_RIVALS, FIRST_FORM, CONTENDERS = FIRST_FORM + FORMS };

static const struct bench_column columns[] = {
    { "network", -11, 0 }, { "vertices", 9, 0 },  { "edges", 9, 0 },  { "form", -6, 0 },
    BENCH_TIMES,           { "bandwidth", 9, 3 }, { "igraph", 7, 3 }, { "scipy", 7, 3 },
};

static struct mw_device *maker, *one_thread;
static const char *scale_wanted;
static const struct bench_option options[] = { { "rmat", "SCALE", &scale_wanted }, { 0 } };

/* A form of a network, on a device. */
struct build {
    struct mw_device *device;
    const struct mw_edges *edges;
    const struct mw_graph_options *options;
    uint64_t checksum;
};

static int build_graph(struct mw_device *device, const struct build *b, uint64_t *checksum)
{
    struct mw_graph graph;
    const int rc = mw_graph_new(device, b->edges, b->options, &graph, NULL);
    if (rc != 0)
        return rc;
    if (checksum)
        *checksum = mw_graph_checksum(&graph);
    mw_graph_free(&graph);
    return 0;
}

static int build_run(void *of, int passes)
{
    const struct build *b = of;
    return build_graph(b->device, b, NULL);
}

static int build_check(void *of)
{
    const struct build *b = of;
    uint64_t ours, expected;
    int rc = 0;
    TRY(build_graph(b->device, b, &ours));
    TRY(build_graph(one_thread, b, &expected));
    if (ours != expected)
        rc = mw_fail(MW_EVERIFY, "it has another adjacency than by one thread");
out:
    return rc;
}

static void measure_network(struct bench *bench, struct bench_table *table, struct mw_device *device,
                            const struct network *network)
{
    struct bench_rival rivals[NETWORK_RIVALS];
    struct bench_contender c[CONTENDERS];
    struct build builds[FORMS];
    struct mw_edges edges;
    char name[200];
    network_edges(bench, maker, network, &edges);
    network_send(bench, &edges);
    network_rivals_add(bench, rivals, c, NETWORK_RIVALS, "make");
    const double arcs = 2 * (double)edges.count;
    struct bench_copy copy = { .device = device, .bytes = edges.count * 2 * sizeof(uint32_t) };
    c[COPY] = bench_copier(&copy);
    for (size_t i = 0; i < FORMS; i++) {
        builds[i] = (struct build){ .device = device, .edges = &edges, .options = &forms[i].options };
        c[FIRST_FORM + i] = (struct bench_contender){ .name = forms[i].name,
                                                      .of = &builds[i],
                                                      .run = build_run,
                                                      .check = build_check,
                                                      .moved = 2 * arcs * sizeof(uint32_t) +
                                                               (double)edges.vertices * sizeof(uint64_t) };
    }
    snprintf(name, sizeof name, "%s %s", mw_device_info(device)->id, network->test);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, CONTENDERS);
    for (size_t i = FIRST_FORM; i < CONTENDERS; i++) {
        bench_text(table, "%s", network->test);
        bench_number(table, (double)edges.vertices);
        bench_number(table, (double)edges.count);
        bench_text(table, "%s", c[i].name);
        bench_times(table, &c[i]);
        bench_number(table, bench_bandwidth(&c[i], &c[COPY]).median);
        for (size_t k = 0; k < NETWORK_RIVALS; k++)
            bench_number(table, bench_ratio(&c[i], &c[k]).median);
    }
    mw_edges_free(&edges);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    bench_say(bench, "%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    unsigned scale;
    if (scale_wanted) {
        if (sscanf(scale_wanted, "%u", &scale) != 1 || scale < 1 || scale > 28)
            bench_wrong("--rmat %s: give it the binary logarithm of the vertices, 1 to 28, as in 22", scale_wanted);
        measure_network(bench, &table, device, &(struct network){ "rmat", "rmat", { scale, 16 } });
        return;
    }
    for (size_t i = 0; i < MW_COUNT(rows); i++)
        measure_network(bench, &table, device, &rows[i]);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 5, .script = "graph.py", .options = options };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_say(&bench, "Adjacency from edges; %d rounds\n", bench.rounds);
    maker = bench_open("native:pthreads", NULL);
    one_thread = bench_open("native:serial", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(maker);
    mw_device_close(one_thread);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
