/* Components of networks: all variants that a device can run, on the graphs of Hawick, Leist and Playne, "Parallel
 * Graph Component Labelling with GPUs and CUDA", section 6.1, a tenth of their size, and on what others publish.
 *
 *   bench/graph [ROUNDS [DEVICE...]]          (5, all devices)
 *
 *   disjoint 1  100 sets, 5 M edges, more and more vertices
 *   disjoint 2  100 sets, 100,000 vertices, more and more edges
 *   disjoint 3  500,000 vertices, 6 M edges, more and more sets
 *   line        vertices one behind the other
 *   scale-free  Barabasi and Albert, mean degree 10
 *   ws          Watts and Strogatz, mean degree 10, with p = 0.01, 0.1 and 1
 *   random      G(n, m) as GAPBS makes it for `cc -u 18 -k 16`: 2^18 vertices, 16 edges for each
 *
 * Milliseconds are medians over rounds in which variants take turns: of a run, with the graph on the device; and with
 * all that belongs to one label alone: sending the graph, room for labels, and fetching them.  "bandwidth" is that of
 * reading the whole adjacency and writing the labels, as a fraction of a plain copy's, timed in the same rounds (above
 * 1 where most arcs are never looked at).  "igraph" and "scipy" are the time of a run as a fraction of that library's
 * in the same rounds (below 1: ours is faster).  A variant that needs more than a second once is left out of further
 * rounds and of the test's further graphs, as where it would need more than five.  All variants' labels are compared
 * first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/python.h"
#include "bench.h"

#define SLOW 1.0
#define LONG 5.0

static const struct row { const char *test, *generator; double values[4]; } rows[] = {
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

/* ---- other libraries' turns, by bench/graph-others.py ---- */

static struct python python;
static const char *const others[] = { "igraph", "scipy" };
enum { OTHERS = MW_COUNT(others) };

static void others_take(const struct mw_edges *edges)
{
    char line[64];
    snprintf(line, sizeof line, "graph %zu %zu", edges->vertices, (size_t)edges->count);
    python_seconds(&python, line, edges->ends, (size_t)edges->count * 2 * sizeof *edges->ends);
}

/* NaN of a library that is not there. */
static double other_seconds(const char *library)
{
    char line[64];
    snprintf(line, sizeof line, "%s run", library);
    return python_seconds(&python, line, NULL, 0);
}

/* ---- turns ---- */

struct contestant {
    const char *name;
    struct mw_graph_labelling_options options;
    struct mw_graph_labelling *labelling;
    size_t iterations;
    bool slow;
    double first, first_all;
    double seconds[BENCH_ROUNDS_MAX], all[BENCH_ROUNDS_MAX];
};

static double turn(struct contestant *c, struct mw_buffer *labels)
{
    const double start = mw_now();
    if (mw_graph_labelling_run(c->labelling, labels, &c->iterations) != 0)
        bench_die(c->name);
    return mw_now() - start;
}

static double turn_with_transfers(struct mw_device *device, const struct mw_graph *graph, struct contestant *c,
                                  int32_t *labels)
{
    const double start = mw_now();
    if (mw_graph_label(&device, 1, graph, &c->options, labels) != 0)
        bench_die(c->name);
    return mw_now() - start;
}

/* What a variant took last, by test and the number of vertices. */
struct past { const char *test; double vertices, seconds; };
static struct past pasts[VARIANTS_MAX];

/* Rounds grow at most as vertices do, or are as many as there are components. */
static bool takes_long(const struct past *past, const char *test, double vertices)
{
    const double larger = past->test && strcmp(past->test, test) == 0 ? vertices / past->vertices : 0;
    return larger > 0 && (past->seconds > SLOW || past->seconds * larger * larger > LONG);
}

/* Makes the labellings, runs each once, and compares it with the first one. */
static size_t prepare(struct mw_device *device, const char *test, const struct mw_graph *graph, struct contestant *c,
                      struct mw_buffer *to)
{
    const size_t bytes = graph->vertices * sizeof(uint32_t);
    int32_t *first = malloc(bytes), *other = malloc(bytes);
    size_t count = 0;
    if (!first || !other)
        bench_die("memory");
    const struct mw_variant *v;
    for (size_t i = 0; (v = mw_graph_component_variants(i)) != NULL && count < VARIANTS_MAX; i++) {
        struct past *past = &pasts[i];
        c[count] = (struct contestant){ .name = v->name, .options = { .variant = v->name } };
        if (takes_long(past, test, (double)graph->vertices) ||
            mw_graph_labelling_new(&device, 1, graph, &c[count].options, &c[count].labelling) != 0)
            continue;
        c[count].first = turn(&c[count], to); /* some drivers compile only now */
        if (c[count].first < SLOW)
            c[count].first = turn(&c[count], to);
        c[count].slow = c[count].first > SLOW;
        *past = (struct past){ test, (double)graph->vertices, c[count].first };
        c[count].first_all = turn_with_transfers(device, graph, &c[count], other);
        if (count == 0)
            memcpy(first, other, bytes);
        if (memcmp(first, other, bytes) != 0) {
            fprintf(stderr, "graph: %s: other labels by %s than by %s\n", mw_device_info(device)->id, v->name,
                    c[0].name);
            exit(1);
        }
        count++;
    }
    free(first);
    free(other);
    return count;
}

/* `floor`: seconds that a copy takes for the bytes of a labelling. */
static void print_row(const struct row *row, const struct mw_graph *graph, const struct contestant *c, double floor,
                      double other[OTHERS][BENCH_ROUNDS_MAX], int rounds)
{
    const struct bench_spread s = bench_spread(c->seconds, rounds), all = bench_spread(c->all, rounds);
    printf("%-10s %9zu %10zu %-9s %10.3f %9.3f %9.3f %10.3f %9.2f", row->test, graph->vertices,
           (size_t)graph->arcs / 2, c->name, s.median * 1e3, s.least * 1e3, s.most * 1e3, all.median * 1e3,
           floor / s.median);
    for (size_t i = 0; i < OTHERS; i++) {
        if (isnan(other[i][0]))
            printf(" %7s", "");
        else
            printf(" %7.3f", bench_median_ratio(c->seconds, other[i], rounds));
    }
    printf(" %6zu\n", c->iterations);
}

static void make_graph(struct mw_device *device, const struct row *row, struct mw_graph *graph)
{
    const struct mw_graph_options options = { 0 };
    struct mw_edges edges;
    struct mw_generator_value values[MW_COUNT(row->values)];
    const struct mw_generator *generator;
    size_t count = 0;
    if (mw_generator_find(row->generator, &generator) != 0)
        bench_die(row->test);
    for (; count < generator->parameter_count && count < MW_COUNT(values); count++)
        values[count] = (struct mw_generator_value){ generator->parameters[count].name, row->values[count] };
    if (mw_generate(device, row->generator, values, count, 1, &edges) != 0 ||
        mw_graph_new(device, &edges, &options, graph, NULL) != 0)
        bench_die(row->test);
    others_take(&edges);
    mw_edges_free(&edges);
}

static void measure_row(struct mw_device *device, struct mw_device *maker, const struct row *row, int rounds)
{
    static struct contestant c[VARIANTS_MAX];
    double copies[BENCH_ROUNDS_MAX], other[OTHERS][BENCH_ROUNDS_MAX];
    struct mw_buffer *labels, *copy;
    struct mw_graph graph;
    int32_t *fetched;
    make_graph(maker, row, &graph);
    const size_t bytes = graph.vertices * sizeof(uint32_t);
    if (mw_buffer_new(device, bytes, &labels) != 0 || mw_buffer_new(device, bytes, &copy) != 0 ||
        !(fetched = malloc(bytes)))
        bench_die("memory");
    const size_t count = prepare(device, row->test, &graph, c, labels);
    for (int round = -1; round < rounds; round++) { /* one to warm up: fresh memory is slower */
        const int r = round < 0 ? 0 : round;
        for (size_t i = 0; i < OTHERS; i++)
            other[i][r] = other_seconds(others[i]);
        copies[r] = bench_copy_seconds(device, labels, copy, bytes, 1) / (2.0 * (double)bytes);
        for (size_t i = 0; i < count; i++) {
            c[i].seconds[r] = c[i].slow ? c[i].first : turn(&c[i], labels);
            c[i].all[r] = c[i].slow ? c[i].first_all : turn_with_transfers(device, &graph, &c[i], fetched);
        }
    }
    const double traffic = ((double)graph.arcs + 2.0 * (double)graph.vertices) * sizeof(uint32_t);
    for (size_t i = 0; i < count; i++) {
        print_row(row, &graph, &c[i], traffic * bench_spread(copies, rounds).median, other, rounds);
        mw_graph_labelling_free(c[i].labelling);
    }
    fflush(stdout);
    mw_buffer_free(labels);
    mw_buffer_free(copy);
    free(fetched);
    mw_graph_free(&graph);
}

static void measure(struct mw_device *device, int rounds)
{
    struct mw_device *maker;
    memset(pasts, 0, sizeof pasts);
    if (mw_device_open_by_name("native:pthreads", NULL, &maker) != 0)
        bench_die("native:pthreads");
    printf("%s, %s\n", mw_device_info(device)->id, mw_device_info(device)->name);
    printf("%-10s %9s %10s %-9s %10s %9s %9s %10s %9s %7s %7s %6s\n", "test", "vertices", "edges", "variant", "ms",
           "least", "most", "with all", "bandwidth", others[0], others[1], "iter");
    for (size_t r = 0; r < MW_COUNT(rows); r++)
        measure_row(device, maker, &rows[r], rounds);
    mw_device_close(maker);
}

int main(int argc, char **argv)
{
    const int rounds = bench_rounds(argc, argv, 5);
    printf("Components of networks; %d rounds\n", rounds);
    if (!python_start(&python, BENCH_DIR "/graph-others.py"))
        fprintf(stderr, "graph: no numpy for python3: no columns of other libraries\n");
    bench_each_device(argc, argv, measure, rounds);
    python_stop(&python);
    return 0;
}
