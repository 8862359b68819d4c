/* Operations of the variants on all shares of a labelling. */
#include "graph/components/shares.h"

int mw_component_each_share(struct mw_graph_labelling *labelling, int (*step)(struct mw_component_share *share))
{
    for (size_t d = 0; d < labelling->share_count; d++)
        TRY_RETURN(step(&labelling->share[d]));
    return 0;
}

static int flush(struct mw_component_share *share) { return mw_device_flush(share->on.device); }

int mw_component_flush(struct mw_graph_labelling *labelling) { return mw_component_each_share(labelling, flush); }

struct mw_range mw_graph_items(const struct mw_kernel_set *set, size_t n)
{
    return (struct mw_range){ .dims = 1, .global = { n }, .group = { set->group } };
}
/* SPDX-License-Identifier: MIT */
