/* A graph on a device, with weights if the job has any. Internal. */
#ifndef MW_GRAPH_DISTANCES_ON_DEVICE_H
#define MW_GRAPH_DISTANCES_ON_DEVICE_H

#include "graph/arcs/arcs.h"
#include "graph/distances/distances_internal.h"

struct mw_graph_on {
    struct mw_arc_worker on;
    struct mw_arc_blocks arcs;
};
/* Sends a graph: the job's, or its reverse. `others`: bytes of device memory to keep free. */
int mw_graph_on_make(const struct mw_distance_job *job, const struct mw_graph *graph, size_t others,
                     struct mw_graph_on *made);
static inline bool mw_graph_on_whole(const struct mw_graph_on *made)
{
    return !made->arcs.sent && made->arcs.count == 1;
}

#endif
/* SPDX-License-Identifier: MIT */
