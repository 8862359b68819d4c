/* Labellings of networks, what each device does of one, and what a variant is.  Internal. */
#ifndef MW_GRAPH_COMPONENTS_SHARES_H
#define MW_GRAPH_COMPONENTS_SHARES_H

#include <meshwork/graph_components.h>

#include "graph/arcs/arcs.h"
#include "graph/graph_internal.h"

/* What one device does of a labelling. */
struct mw_component_share {
    struct mw_graph_labelling *of;
    struct mw_arc_worker on;
    uint64_t low, high;          /* arcs */
    bool whole;                  /* all arcs, and thus all vertices */
    struct mw_buffer *own;       /* labels, where the result's buffer is another device's */
    struct mw_buffer *labels;    /* of a run */
    void *state;                 /* the variant's own */
    struct mw_graph_union *joins; /* joins.c */
};

struct mw_graph_labelling {
    struct mw_graph graph;       /* as the caller has it, or the one below */
    struct mw_graph undirected;  /* made of a directed one for variants that walk both ways; else empty */
    struct mw_graph_labelling_options options;
    struct mw_arc_limits limits;
    const struct mw_component_variant *variant;
    size_t share_count;
    struct mw_component_share *share;
};

static inline size_t mw_share_vertices(const struct mw_component_share *share) { return share->of->graph.vertices; }

/* A variant: one row of a table.  `refuses` gives the reason why it cannot label this graph on these devices as the end
 * of a sentence ("is for native devices: use afforest"), or NULL; its shares have their devices by then.  `make` and
 * `drop` are about one share, `drop` also after a make that failed half-way.  `run` labels the arcs of each share, from
 * nothing, into its labels, each vertex by the smallest of its component, and waits; devices are to work at the same
 * time, so that all have been given their work before one is waited for. */
struct mw_component_variant {
    bool both_ways;              /* needs both arcs of every edge */
    const char *(*refuses)(const struct mw_graph_labelling *labelling);
    int (*make)(struct mw_component_share *share);
    void (*drop)(struct mw_component_share *share);
    int (*run)(struct mw_graph_labelling *labelling, size_t *iterations);
};
/* choose.c: whether `auto` takes ECL-CC rather than Afforest. */
bool mw_component_prefers_ecl(const struct mw_graph_labelling *labelling);
/* afforest.c, propagation.c, reference.c. */
extern const struct mw_component_variant mw_component_afforest, mw_component_ecl, mw_component_edges,
    mw_component_frontier, mw_component_bfs, mw_component_reference;

/* A step of an algorithm on one share after the other. */
int mw_component_each_share(struct mw_graph_labelling *labelling, int (*step)(struct mw_component_share *share));
/* Sends off what has been queued on all devices. */
int mw_component_flush(struct mw_graph_labelling *labelling);
/* The range of n items. */
struct mw_range mw_graph_items(const struct mw_kernel_set *set, size_t n);

#endif
/* SPDX-License-Identifier: MIT */
