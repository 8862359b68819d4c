/* Labellings of graphs, their shares per device, and their variants. Internal. */
#ifndef MW_GRAPH_COMPONENTS_SHARES_H
#define MW_GRAPH_COMPONENTS_SHARES_H

#include <meshwork/graph_components.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* One device's share of a labelling. */
struct mw_component_share {
    struct mw_graph_labelling *of;
    struct mw_arc_worker on;
    uint64_t low, high;            /* range of arcs */
    bool whole;                    /* all arcs, and thus all vertices */
    struct mw_buffer *own;         /* labels, unless the result is on this device */
    struct mw_buffer *labels;      /* current run's */
    void *state;                   /* the variant's own state */
    struct mw_graph_union *unions; /* union_find.c */
};

struct mw_graph_labelling {
    struct mw_graph graph;      /* the caller's, or `undirected` */
    struct mw_graph undirected; /* made from a directed graph if the variant needs both_ways, otherwise empty */
    struct mw_graph_labelling_options options;
    struct mw_arc_limits limits;
    const struct mw_component_variant *variant;
    size_t share_count;
    struct mw_component_share *share;
};

static inline size_t mw_share_vertices(const struct mw_component_share *share) { return share->of->graph.vertices; }

/* A variant: one row of a table. `refuses` returns NULL, or why the variant cannot label this graph on these devices,
 * as the end of a sentence ("needs a native device: use afforest"); the shares' devices are set by then. `make` and
 * `drop` handle one share; `drop` must accept a share whose `make` failed. `run` labels the arcs of each share from
 * scratch, each vertex with the smallest one of its component, and waits. It gives all devices their work before it
 * waits for one. */
struct mw_component_variant {
    bool both_ways; /* needs both arcs of every edge */
    const char *(*refuses)(const struct mw_graph_labelling *labelling);
    int (*make)(struct mw_component_share *share);
    void (*drop)(struct mw_component_share *share);
    int (*run)(struct mw_graph_labelling *labelling, size_t *iterations);
};
/* choose.c: returns whether `auto` uses ECL-CC instead of Afforest. */
bool mw_component_prefers_ecl(const struct mw_graph_labelling *labelling);
/* afforest.c, propagation.c, reference.c. */
extern const struct mw_component_variant mw_component_afforest, mw_component_ecl, mw_component_edges,
    mw_component_frontier, mw_component_bfs, mw_component_reference;

/* Calls `step` for one share after the other. */
int mw_component_each_share(struct mw_graph_labelling *labelling, int (*step)(struct mw_component_share *share));
/* Submits the queued work on all devices. */
int mw_component_flush(struct mw_graph_labelling *labelling);
/* Returns the range of n work-items. */
struct mw_range mw_graph_items(const struct mw_kernel_set *set, size_t n);

#endif
/* SPDX-License-Identifier: MIT */
