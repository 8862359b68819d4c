/* What the files of `meshwork graph info` share. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include "tools/graph/graph.h"

/* What is measured of a graph where the time suffices. */
struct info_measures {
    double assortativity;                /* NaN where all ends of edges have the same degree */
    bool has_components, has_clustering, has_distances;
    size_t components, largest;
    uint64_t triangles, pairs;           /* pairs: with a path */
    double clustering;                   /* NaN without triples */
    /* Distances to so many targets, all or a sample. */
    size_t targets;
    uint32_t longest;
    double mean_distance, half_width;
    double seconds;
};

/* measures.c: one after the other, for as long as `budget` seconds are not over. */
int info_measure(const struct mw_graph *graph, struct mw_device *device, double budget, struct info_measures *found);
void info_measures_report(const struct info_measures *found, const struct mw_graph *graph, double budget,
                          struct node *to);

/* takes.c: which measures look at weights, directions, loops and multi-edges, where the graph has such. */
void info_takes_report(const struct mw_graph_summary *summary, bool directed, struct node *to);

/* plot.c: how many vertices have which degree, as a picture with logarithmic axes. */
int info_plot(const char *path, const uint64_t *degrees, size_t count);

#endif
/* SPDX-License-Identifier: MIT */
