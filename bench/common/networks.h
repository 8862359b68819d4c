/* Networks that benches measure with. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "bench/common/contest.h"

#define NETWORK_VALUES 4

/* Parameter values in the generator's order.  Networks of one test differ in size, or in the part of the name after a
 * comma. */
struct network {
    const char *test, *generator;
    double values[NETWORK_VALUES];
};

/* Returns the parameters by name; values missing in the row are the generator's defaults.  Small networks have 1/64 of
 * the vertices and edges. */
size_t network_values(const struct bench *bench, const struct network *network, struct mw_value values[NETWORK_VALUES]);
/* Makes the edges of a network, without weights, on the device `maker`. */
void network_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   struct mw_edges *edges);

/* Modifications of the edges. */
struct network_form {
    double weights; /* weights from 1 to this; 0: none */
    bool directed;  /* arcs in a random direction */
    bool simple;    /* without loops and repeated edges, which not all libraries support */
};
/* Makes edges of this form, and a graph of them. */
void network_graph(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   const struct network_form *form, struct mw_edges *edges, struct mw_graph *graph);
/* Returns the number of edges of an undirected graph, or of arcs of a directed one. */
double network_edge_count(const struct mw_graph *graph);

/* Other libraries with turns in bench/rivals/graph.py, as columns of a table: the first ones, or all. */
#define NETWORK_RIVALS 2
#define NETWORK_RIVALS_MOST 3
extern const char *const network_rivals[NETWORK_RIVALS_MOST];
/* Sends the edges to the script. */
void network_send(struct bench *bench, const struct mw_edges *edges);
/* Adds the first `count` libraries as contenders for the task in `format`. */
void network_rivals_add(struct bench *bench, struct bench_rival *rivals, struct bench_contender *contenders,
                        size_t count, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
/* SPDX-License-Identifier: MIT */
