/* Union-find on one device: used by Afforest, ECL-CC, and merging the labels of several devices. */
#include "graph/components/shares.h"

#include "graph/components/sizes.clh"
#include "kernels/graph/components/components.h"
#include "kernels/native.h"

enum { ROUNDS_MAX = 4 }; /* for graph_flatten: GRAPH_JUMPS^4 exceeds the vertices of any graph */

int mw_graph_union_make(struct mw_component_share *share)
{
    struct mw_graph_union *u;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *u, &u));
    share->unions = u;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_components_components,
                              &(struct mw_kernel_options){ .native = mw_native_graph_components }, &u->set));
    TRY_RETURN(mw_arc_buffer(&share->on, mw_share_vertices(share) * sizeof(int32_t), &u->other));
    TRY_RETURN(mw_arc_buffer(&share->on, sizeof(int32_t), &u->unfinished));
    return mw_arc_buffer(&share->on, (ROUNDS_MAX + 1) * sizeof(int32_t), &u->changed);
}

int mw_graph_union_start(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->unions;
    const size_t n = mw_share_vertices(share);
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, u->set, n, &each);
    return launch_graph_start(u->set, range, share->labels, (int32_t)n, each);
}

static int flatten(struct mw_component_share *share, int32_t round)
{
    const struct mw_graph_union *u = share->unions;
    const size_t n = mw_share_vertices(share);
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, u->set, n, &each);
    return launch_graph_flatten(u->set, range, share->labels, (int32_t)n, u->changed, round, each);
}

int mw_graph_union_compress(struct mw_component_share *share)
{
    const struct mw_graph_union *u = share->unions;
    const size_t n = mw_share_vertices(share);
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, u->set, n, &each);
    uint64_t reach = GRAPH_JUMPS;
    if (share->on.cores)
        return launch_graph_compress(u->set, range, share->labels, (int32_t)n, each);
    TRY_RETURN(mw_buffer_fill(u->changed, 0, (ROUNDS_MAX + 1) * sizeof(int32_t), 0));
    for (int32_t r = 0; r < ROUNDS_MAX; r++, reach *= GRAPH_JUMPS) {
        TRY_RETURN(flatten(share, r));
        if (reach > n)
            break;
    }
    return 0;
}

int mw_graph_union_shorten(struct mw_component_share *share) { return share->on.cores ? 0 : flatten(share, 0); }

int mw_graph_union_check(struct mw_component_share *share, bool *unfinished)
{
    int32_t flag = 0;
    if (share->on.cores)
        TRY_RETURN(mw_device_finish(share->on.device));
    else
        TRY_RETURN(mw_buffer_read(share->unions->unfinished, 0, sizeof flag, &flag, NULL));
    *unfinished = flag != 0;
    return 0;
}

/* Queues a copy, if the devices can copy directly. */
static int copy_labels(struct mw_buffer *from, struct mw_buffer *to, size_t bytes)
{
    struct mw_event *copied = NULL;
    const int rc = mw_buffer_copy(from, 0, to, 0, bytes, &copied);
    mw_event_free(copied);
    return rc;
}

int mw_graph_union_merge(struct mw_component_share *share, struct mw_buffer *const *labels, size_t count)
{
    const struct mw_graph_union *u = share->unions;
    const size_t n = mw_share_vertices(share);
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, u->set, n, &each);
    bool again;
    do {
        TRY_RETURN(mw_buffer_fill(u->unfinished, 0, sizeof(int32_t), 0));
        for (size_t i = 0; i < count; i++) {
            TRY_RETURN(copy_labels(labels[i], u->other, n * sizeof(int32_t)));
            TRY_RETURN(launch_graph_merge(u->set, range, share->labels, u->other, (int32_t)n, u->unfinished, each));
        }
        TRY_RETURN(mw_graph_union_compress(share));
        TRY_RETURN(mw_graph_union_check(share, &again));
    } while (again);
    return 0;
}
/* SPDX-License-Identifier: MIT */
