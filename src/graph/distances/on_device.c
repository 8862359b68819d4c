/* A graph on a device, with weights if the job has any. */
#include "graph/distances/on_device.h"

int mw_graph_on_make(const struct mw_distance_job *job, struct mw_owner *own, const struct mw_graph *graph,
                     size_t others, struct mw_graph_on *made)
{
    made->on = mw_arc_worker_on(job->device, &mw_arc_limits_usual, own);
    if (job->weights)
        return mw_arc_blocks_make_weighted(&made->on, graph, job->options.block_arcs, 0, others, &made->arcs);
    return mw_arc_blocks_make(&made->on, graph, 0, graph->arcs, job->options.block_arcs, 0, others, &made->arcs);
}
/* SPDX-License-Identifier: MIT */
