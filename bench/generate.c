/* Network generators: all of them on every device, next to a library that has them as well, in one run.
 *
 *   bench/generate [-s] [-l] [ROUNDS [DEVICE...]]          (5, all devices)
 *
 * "edges/s" counts millions of edges, which end in the host's memory.  "bandwidth" counts writing them once, as a
 * fraction of a copy's bandwidth on the device.  "igraph" is our time as a fraction of the library's (below 1: ours is
 * faster), which includes its adjacency.  Edges are first compared with those of one thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/common/networks.h"
#include "bench/common/table.h"

/* Sizes for measurements; other generators use their defaults. */
static const struct network sizes[] = {
    { "ws", "ws", { 1e6, 10, 0.1 } },      { "ba", "ba", { 1e6, 5 } },
    { "alpha", "alpha", { 20e3, 10, 2 } }, { "disjoint", "disjoint", { 500e3, 100, 5e6 } },
    { "er", "er", { 1e6, 5e6 } },          { "line", "line", { 5e6 } },
    { "ring", "ring", { 1e6, 10 } },       { "grid", "grid", { 200, 200, 100 } },
    { "rmat", "rmat", { 18, 16 } },
};

static const struct bench_column columns[] = {
    { "generator", -9, 0 }, { "vertices", 9, 0 },  { "edges", 9, 0 },  BENCH_TIMES,
    { "edges/s", 8, 1 },    { "bandwidth", 9, 3 }, { "igraph", 7, 3 },
};

static struct mw_device *one_thread;

/* A generator on a device. */
struct generation {
    struct mw_device *device;
    const char *name;
    struct mw_value values[NETWORK_VALUES];
    size_t count;
    const struct mw_edges *expected;
};

static int generate(struct mw_device *device, const struct generation *g, struct mw_edges *edges)
{
    return mw_generate(device, g->name, g->values, g->count, 1, edges);
}

static int generation_run(void *of, int passes)
{
    const struct generation *g = of;
    struct mw_edges edges;
    const int rc = generate(g->device, g, &edges);
    if (rc == 0)
        mw_edges_free(&edges);
    return rc;
}

static int generation_check(void *of)
{
    const struct generation *g = of;
    struct mw_edges edges = { 0 };
    int rc = 0;
    TRY(generate(g->device, g, &edges));
    if (edges.count != g->expected->count || edges.vertices != g->expected->vertices ||
        memcmp(edges.ends, g->expected->ends, (size_t)edges.count * 2 * sizeof *edges.ends) != 0)
        rc = mw_fail(MW_EVERIFY, "it made other edges than one thread");
out:
    mw_edges_free(&edges);
    return rc;
}

static const struct network *size_of(const struct mw_generator *generator, struct network *own)
{
    for (size_t i = 0; i < MW_COUNT(sizes); i++)
        if (strcmp(sizes[i].generator, generator->name) == 0)
            return &sizes[i];
    *own = (struct network){ .test = generator->name, .generator = generator->name };
    return own;
}

static void measure_generator(struct bench *bench, struct bench_table *table, struct mw_device *device,
                              const struct mw_generator *generator)
{
    struct network own;
    struct generation g = { .device = device, .name = generator->name };
    struct bench_rival igraph = { .python = &bench->python, .name = "igraph" };
    struct mw_edges expected;
    char name[200];
    int used = snprintf(igraph.line, sizeof igraph.line, "igraph generate %s", generator->name);
    g.count = network_values(bench, size_of(generator, &own), g.values);
    for (size_t i = 0; i < g.count; i++)
        used += snprintf(igraph.line + used, sizeof igraph.line - (size_t)used, " %s=%.15g", g.values[i].name,
                         g.values[i].value);
    if (generate(one_thread, &g, &expected) != 0)
        bench_die(generator->name);
    g.expected = &expected;
    const size_t bytes = (size_t)expected.count * 2 * sizeof *expected.ends;
    struct bench_copy copy = { .device = device, .bytes = bytes };
    struct bench_contender c[] = {
        bench_rival(&igraph),
        bench_copier(&copy),
        { .name = generator->name, .of = &g, .run = generation_run, .check = generation_check, .moved = (double)bytes },
    };
    snprintf(name, sizeof name, "%s %s", mw_device_info(device)->id, generator->name);
    bench_contest(bench, &(struct bench_contest){ .name = name }, c, MW_COUNT(c));
    bench_text(table, "%s", generator->name);
    bench_number(table, (double)expected.vertices);
    bench_number(table, (double)expected.count);
    bench_times(table, &c[2]);
    bench_number(table, (double)expected.count / bench_seconds(&c[2]).median * 1e-6);
    bench_number(table, bench_bandwidth(&c[2], &c[1]).median);
    bench_number(table, bench_ratio(&c[2], &c[0]).median);
    mw_edges_free(&expected);
}

static void measure(struct bench *bench, struct mw_device *device)
{
    const struct mw_generator *generator;
    bench_say(bench, "%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    struct bench_table table = BENCH_TABLE(bench, columns);
    for (size_t i = 0; (generator = mw_generators(i)) != NULL; i++)
        measure_generator(bench, &table, device, generator);
}

int main(int argc, char **argv)
{
    static const struct bench_setup setup = { .rounds = 5, .script = "graph.py" };
    struct bench bench;
    bench_start(argc, argv, &setup, &bench);
    bench_say(&bench, "Generators of networks; %d rounds\n", bench.rounds);
    one_thread = bench_open("native:serial", NULL);
    bench_each_device(&bench, measure);
    mw_device_close(one_thread);
    bench_end(&bench);
    return 0;
}
/* SPDX-License-Identifier: MIT */
