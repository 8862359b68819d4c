/* A graph that a device holds as a whole, with its weights.  Internal. */
#ifndef MW_GRAPH_DISTANCES_ON_DEVICE_H
#define MW_GRAPH_DISTANCES_ON_DEVICE_H

#include "graph/arcs/arcs.h"
#include "graph/distances/distances_internal.h"

struct mw_graph_on {
    struct mw_arc_worker on;
    struct mw_arc_blocks arcs;       /* one block */
    struct mw_arc_view view;
    struct mw_buffer *weights;       /* NULL: something of no use stands for them */
    struct mw_buffer own;
};
/* MW_ENOTSUP where it does not fit. */
int mw_graph_on_make(struct mw_device *device, const struct mw_graph *graph, const int32_t *weights,
                     const char *variant, struct mw_graph_on *made);
void mw_graph_on_drop(struct mw_graph_on *made);

#endif
