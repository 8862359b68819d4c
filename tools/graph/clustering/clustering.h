/* What the files of `meshwork graph clustering` share. */
#ifndef TOOLS_CLUSTERING_H
#define TOOLS_CLUSTERING_H

#include <meshwork/graph_measures.h>

#include "tools/graph/graph.h"

struct clustering_settings {
    const char *vertices, *arcs, *variant;
    bool local, verify, dry_run;
    uint64_t block_arcs, repeat;
    struct graph_settings graph;
    struct device_settings device;
};

struct clustering {
    const struct clustering_settings *set;
    struct network n;
    struct team team;
    struct mw_graph_triangles found;
    struct passes passes;
    double open, verify, output;
};

/* report.c */
int clustering_plan(struct clustering *c);
int clustering_summary(const struct clustering *c);
/* A line for each vertex, and for each arc. */
int clustering_write_vertices(const struct clustering *c);
int clustering_write_arcs(const struct clustering *c);

#endif
/* SPDX-License-Identifier: MIT */
