/* Networks that benches measure with. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "bench/common/contest.h"

#define NETWORK_VALUES 4

/* Values in the order of the generator's parameters.  A test's networks differ in size, or by what
 * stands behind a comma. */
struct network { const char *test, *generator; double values[NETWORK_VALUES]; };

/* Its parameters by their names; those beyond the row's have the generator's own values.  Small networks have a
 * sixty-fourth of the vertices and edges. */
size_t network_values(const struct bench *bench, const struct network *network,
                      struct mw_value values[NETWORK_VALUES]);
/* Makes it, without weights. */
void network_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   struct mw_edges *edges);

/* What else edges are. */
struct network_form {
    double weights;                      /* they have weights from 1 to that; 0: none */
    bool directed;                       /* they are arcs, each turned round or not by chance */
    bool simple;                         /* none from a vertex to itself, nor a second one between two: not all
                                          * libraries take those */
};
/* Makes edges of that form, and a graph of them. */
void network_graph(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   const struct network_form *form, struct mw_edges *edges, struct mw_graph *graph);
/* An undirected graph's edges, a directed one's arcs. */
double network_edge_count(const struct mw_graph *graph);

/* Other libraries' turns, by bench/rivals/graph.py, as columns of a table have them: the first ones, or all. */
#define NETWORK_RIVALS 2
#define NETWORK_RIVALS_MOST 3
extern const char *const network_rivals[NETWORK_RIVALS_MOST];
/* Sends them the edges. */
void network_send(struct bench *bench, const struct mw_edges *edges);
/* The first `count` of them as contenders that do what the words say. */
void network_rivals_add(struct bench *bench, struct bench_rival *rivals, struct bench_contender *contenders,
                        size_t count, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
/* SPDX-License-Identifier: MIT */
