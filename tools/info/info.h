/* Shared by the files of `meshwork graph info`. */
#ifndef TOOLS_INFO_H
#define TOOLS_INFO_H

#include "tools/graph/graph.h"

/* Measures of a graph that are computed within the time budget. */
struct info_measures {
    double assortativity; /* NaN if all edge ends have the same degree */
    bool has_components, has_clustering, has_distances;
    size_t components, largest;       /* number of components; vertices of the largest */
    uint64_t triangles, pairs;        /* number of triangles; pairs of vertices connected by a path */
    double clustering;                /* clustering coefficient; NaN without triples */
    size_t targets;                   /* vertices to which distances were computed: all, or a sample */
    uint32_t longest;                 /* longest distance found */
    double mean_distance, half_width; /* mean distance, and half the width of its confidence interval */
    double seconds;                   /* time of all measures */
};

/* Computes the measures of a graph one after the other, until `budget` seconds are over (measures.c). */
int info_measure(const struct mw_graph *graph, struct mw_device *device, double budget, struct info_measures *found);
/* Puts the measures that were computed, and notes those that were not. */
void info_measures_report(const struct info_measures *found, const struct mw_graph *graph, double budget,
                          struct node *to);

/* Plots the distribution of degrees by gnuplot: points, logarithmic bins, and the cumulative curve (degrees.c). */
int info_plot_degrees(const char *path, const uint64_t *degrees, size_t count, bool directed);

#endif
/* SPDX-License-Identifier: MIT */
