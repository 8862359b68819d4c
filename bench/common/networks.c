#include "bench/common/networks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MANY 100
#define SMALLER 6 /* powers of two */

static double smaller(const char *parameter, double value)
{
    if (strcmp(parameter, "scale") == 0)
        return value - SMALLER;
    return value >= MANY ? floor(ldexp(value, -SMALLER)) : value;
}

size_t network_values(const struct bench *bench, const struct network *network, struct mw_value values[NETWORK_VALUES])
{
    const struct mw_generator *generator;
    size_t count = 0;
    if (mw_generator_find(network->generator, &generator) != 0)
        bench_die(network->test);
    for (; count < generator->parameter_count && count < NETWORK_VALUES && network->values[count] != 0; count++) {
        const char *name = generator->parameters[count].name;
        const double value = network->values[count];
        values[count] = (struct mw_value){ name, bench->small ? smaller(name, value) : value };
    }
    return count;
}

static void make_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                       double weights, struct mw_edges *edges)
{
    struct mw_value values[NETWORK_VALUES + 1];
    size_t count = network_values(bench, network, values);
    values[count++] = (struct mw_value){ "weights", weights };
    if (mw_generate(maker, network->generator, values, count, 1, edges) != 0)
        bench_die(network->test);
}

void network_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   struct mw_edges *edges)
{
    make_edges(bench, maker, network, 0, edges);
}

/* Generators make edges; each becomes one of its two arcs. */
static void make_arcs(struct mw_edges *edges)
{
    edges->directed = true;
    for (uint64_t e = 0; e < edges->count; e++) {
        uint32_t *ends = edges->ends + 2 * e;
        const uint32_t tail = ends[0];
        if ((mw_hash64(&e, sizeof e, 1) & 1) == 0)
            continue;
        ends[0] = ends[1];
        ends[1] = tail;
    }
}

void network_graph(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   const struct network_form *form, struct mw_edges *edges, struct mw_graph *graph)
{
    const struct mw_graph_options options = { .size = sizeof options,
                                              .remove_self = form->simple,
                                              .remove_multiple = form->simple };
    make_edges(bench, maker, network, form->weights, edges);
    if (form->directed)
        make_arcs(edges);
    if (mw_graph_new(maker, edges, &options, graph, NULL) != 0)
        bench_die(network->test);
    if (!form->simple)
        return;
    mw_edges_free(edges);
    if (mw_graph_edges(graph, edges) != 0)
        bench_die(network->test);
}

double network_edge_count(const struct mw_graph *graph) { return (double)graph->arcs / (graph->directed ? 1 : 2); }

/* ---- other libraries ---- */

const char *const network_rivals[NETWORK_RIVALS_MOST] = { "igraph", "scipy", "networkit" };

void network_send(struct bench *bench, const struct mw_edges *edges)
{
    char line[64];
    snprintf(line, sizeof line, "graph %zu %zu %d", edges->vertices, (size_t)edges->count, edges->directed);
    python_seconds(&bench->python, line, edges->ends, (size_t)edges->count * 2 * sizeof *edges->ends);
    if (edges->weights)
        python_seconds(&bench->python, "weights", edges->weights, (size_t)edges->count * sizeof *edges->weights);
}

void network_rivals_add(struct bench *bench, struct bench_rival *rivals, struct bench_contender *contenders,
                        size_t count, const char *format, ...)
{
    char words[480];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    for (size_t i = 0; i < count; i++) {
        rivals[i] = (struct bench_rival){ .python = &bench->python, .name = network_rivals[i] };
        snprintf(rivals[i].line, sizeof rivals[i].line, "%s %s", network_rivals[i], words);
        contenders[i] = bench_rival(&rivals[i]);
    }
}
/* SPDX-License-Identifier: MIT */
