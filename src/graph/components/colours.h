/* Strong components by colours, on one device or several. Internal. */
#ifndef MW_GRAPH_COLOURS_H
#define MW_GRAPH_COLOURS_H

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* A graph with vertices, prepared on its devices. */
struct mw_colours;
/* Makes kernels and buffers, which the owner frees. Each device holds a share of the arcs. */
int mw_colours_new(struct mw_owner *own, struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                   uint64_t block_arcs, const struct mw_arc_limits *limits, struct mw_colours **colours);
/* Stores the smallest vertex of each vertex's component in `roots`, and adds the rounds to *rounds. */
int mw_colours_run(struct mw_colours *colours, int32_t *roots, size_t *rounds);

#endif
/* SPDX-License-Identifier: MIT */
