/* Shared by the variants of shortest paths on a device: sums per vertex, memory budget, arcs in one block. */
#include <stdlib.h>

#include "graph/paths/paths_internal.h"

/* ---- sums per vertex ---- */

uint64_t mw_path_sums_bytes(size_t vertices, bool by_vertex)
{
    return by_vertex ? (uint64_t)vertices * (2 * sizeof(uint32_t) + 2 * sizeof(uint64_t)) : 0;
}

int mw_path_sums_make(struct mw_path_share *share, size_t slots, struct mw_path_sums *sums)
{
    /* Kernels need a valid buffer even without sums. */
    const size_t rows = share->of->options.by_vertex ? slots * share->of->graph->vertices : 1;
    sums->slots = slots;
    TRY_RETURN(mw_arc_zeros(&share->on, rows * sizeof(uint32_t), &sums->reached));
    TRY_RETURN(mw_arc_zeros(&share->on, rows * sizeof(uint32_t), &sums->farthest));
    TRY_RETURN(mw_arc_zeros(&share->on, rows * sizeof(uint64_t), &sums->near));
    return mw_arc_zeros(&share->on, rows * sizeof(uint64_t), &sums->inverse);
}

int mw_path_sums_add(struct mw_path_share *share, const struct mw_path_sums *sums)
{
    const size_t n = share->of->graph->vertices;
    struct mw_path_tally of_slot = { 0 };
    int rc = 0;
    if (!share->of->options.by_vertex)
        goto out;
    TRY(mw_path_tally_make(&of_slot, n, true));
    for (size_t s = 0; s < sums->slots; s++) {
        TRY(mw_buffer_read(sums->reached, s * n * sizeof(uint32_t), n * sizeof(uint32_t), of_slot.reached, NULL));
        TRY(mw_buffer_read(sums->farthest, s * n * sizeof(uint32_t), n * sizeof(uint32_t), of_slot.farthest, NULL));
        TRY(mw_buffer_read(sums->near, s * n * sizeof(uint64_t), n * sizeof(uint64_t), of_slot.near, NULL));
        TRY(mw_buffer_read(sums->inverse, s * n * sizeof(uint64_t), n * sizeof(uint64_t), of_slot.inverse, NULL));
        mw_path_tally_add(&share->tally, &of_slot, n);
    }
out:
    mw_path_tally_drop(&of_slot);
    return rc;
}

/* ---- memory ---- */

uint64_t mw_path_budget(const struct mw_path_job *job, const struct mw_device *device)
{
    const uint64_t memory = mw_device_info(device)->memory_bytes, taken = device->allocated;
    if (job->options.memory_most)
        return job->options.memory_most;
    return memory == 0 ? UINT64_MAX / 2 : memory > taken ? (memory - taken) / 2 : 0;
}

int mw_path_arcs(struct mw_path_share *share, const struct mw_graph *graph, struct mw_arc_blocks *arcs)
{
    TRY_RETURN(mw_arc_blocks_make(&share->on, graph, 0, graph->arcs, share->of->options.block_arcs, 0, 0, arcs));
    if (arcs->sent || arcs->count > 1)
        return mw_fail(MW_ENOTSUP, "%s: variant %s needs the whole graph in device memory: use bits",
                       mw_device_info(share->on.device)->id, share->of->options.variant);
    return 0;
}
/* SPDX-License-Identifier: MIT */
