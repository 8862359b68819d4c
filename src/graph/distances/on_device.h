/* A graph's arcs on the device of a search for distances, with weights if the search uses any. Internal. */
#ifndef MW_GRAPH_DISTANCES_ON_DEVICE_H
#define MW_GRAPH_DISTANCES_ON_DEVICE_H

#include "graph/arcs/arcs.h"
#include "graph/distances/distances_internal.h"

/* A graph's arcs on a device. */
struct mw_graph_on {
    struct mw_arc_worker on;
    struct mw_arc_blocks arcs;
};
/* Sends `graph`, which is the job's or its reverse, to the job's device, in blocks of options.block_arcs. Keeps
 * `others` bytes of device memory free. `own` frees the arcs, and what is made for made->on. */
int mw_graph_on_make(const struct mw_distance_job *job, struct mw_owner *own, const struct mw_graph *graph,
                     size_t others, struct mw_graph_on *made);
/* Returns whether all arcs are on the device at once, in one block. */
static inline bool mw_graph_on_whole(const struct mw_graph_on *made)
{
    return !made->arcs.sent && made->arcs.count == 1;
}

#endif
/* SPDX-License-Identifier: MIT */
