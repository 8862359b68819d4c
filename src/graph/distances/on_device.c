/* A graph on a device, with its weights. */
#include "graph/distances/on_device.h"

int mw_graph_on_make(struct mw_device *device, const struct mw_graph *graph, const int32_t *weights,
                     const char *variant, struct mw_graph_on *made)
{
    const struct mw_device_info *info = mw_device_info(device);
    const size_t bytes = (size_t)graph->arcs * sizeof *weights;
    int rc;
    *made = (struct mw_graph_on){ .on = { device, info->traits.has_cores, &mw_arc_limits_usual } };
    TRY(mw_arc_blocks_make(&made->on, graph, 0, graph->arcs, 0, 0, weights ? bytes : 0, &made->arcs));
    if (made->arcs.sent || made->arcs.count != 1) {
        rc = mw_fail(MW_ENOTSUP, "%s: variant %s is for graphs that the device holds at once: take a native device",
                     info->id, variant);
        goto out;
    }
    TRY(mw_arc_block_take(&made->arcs, 0, &made->view));
    if (!weights) {
        made->weights = made->view.heads;
    } else if (info->kind == MW_DEVICE_NATIVE) {
        made->own = mw_buffer_borrow(device, (void *)(uintptr_t)weights, bytes); /* only read */
        made->weights = &made->own;
    } else {
        TRY(mw_buffer_new(device, bytes, &made->weights));
        TRY(mw_buffer_write(made->weights, 0, bytes, weights, NULL));
    }
out:
    return rc;
}

void mw_graph_on_drop(struct mw_graph_on *made)
{
    if (made->weights != &made->own && made->weights != made->view.heads)
        mw_buffer_free(made->weights);
    mw_arc_blocks_drop(&made->arcs);
}
