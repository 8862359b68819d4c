/* Shared by the files of `meshwork graph info`. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include "tools/graph/graph.h"

/* Measures of a graph that are computed within the time budget. */
struct info_measures {
    double assortativity; /* NaN if all edge ends have the same degree */
    bool has_components, has_clustering, has_distances;
    size_t components, largest;
    uint64_t triangles, pairs; /* pairs: those connected by a path */
    double clustering;         /* NaN without triples */
    /* number of target vertices of the distances: all, or a sample */
    size_t targets;
    uint32_t longest;
    double mean_distance, half_width;
    double seconds;
};

/* measures.c: computes measures in order until `budget` seconds are over. */
int info_measure(const struct mw_graph *graph, struct mw_device *device, double budget, struct info_measures *found);
void info_measures_report(const struct info_measures *found, const struct mw_graph *graph, double budget,
                          struct node *to);

/* takes.c: reports which measures use weights, directions, loops and multi-edges, if the graph has them. */
void info_takes_report(const struct mw_graph_summary *summary, bool directed, struct node *to);

/* plot.c: draws the degree histogram with logarithmic axes. */
int info_plot(const char *path, const uint64_t *degrees, size_t count);

#endif
/* SPDX-License-Identifier: MIT */
