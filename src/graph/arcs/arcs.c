/* Workers on graphs: their kernels, and how work is split into parts. */
#include "graph/arcs/arcs.h"

enum { PARTS_PER_UNIT = 16 }; /* on cores: small parts balance vertices with many arcs */
enum { GROUP = 256 };         /* work-items, at most */

const struct mw_arc_limits mw_arc_limits_usual = {
    .block_most = UINT64_C(1) << 31, /* offsets within a block have 32 bits */
    .part_least = 16384,
    .vertex_most = 32768,
    .hub_least = 128,
};

int mw_arc_set_new(const struct mw_arc_worker *worker, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *given, struct mw_kernel_set **set)
{
    struct mw_kernel_options options = *given;
    struct mw_text more = { 0 };
    if (worker->limits->rounds)
        mw_text_add(&more, "#define GRAPH_ROUNDS %u\n", worker->limits->rounds);
    if (options.takes == MW_GROUP_CHOSEN)
        options.takes = MW_GROUP_ANY;
    options.group = worker->cores ? 0 : given->group ? given->group : GROUP;
    return mw_own_kernels_text(worker->own, worker->device, list, &options, &more, set);
}

/* Returns elements per part for PARTS_PER_UNIT parts per compute unit, but at least `least`. */
static size_t parts_of(const struct mw_arc_worker *worker, size_t n, uint64_t least)
{
    const unsigned units = mw_device_info(worker->device)->compute_units;
    const size_t parts = units > 1 ? (size_t)units * PARTS_PER_UNIT : 1;
    const size_t each = n > 0 ? (n - 1) / parts + 1 : 1;
    return each > least ? each : (size_t)least;
}

size_t mw_arc_each(const struct mw_arc_worker *worker, size_t n)
{
    return parts_of(worker, n, worker->limits->part_least);
}

struct mw_range mw_arc_work_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                                  uint64_t work, int64_t *each)
{
    const double a_vertex = (double)work / (double)(n + 1);
    const uint64_t least = (uint64_t)((double)worker->limits->part_least / (a_vertex > 1 ? a_vertex : 1)) + 1;
    const size_t of_part = worker->cores ? parts_of(worker, n, least) : set->group;
    *each = (int64_t)of_part;
    return mw_parts(set, n > 0 ? (n - 1) / of_part + 1 : 0);
}

struct mw_range mw_arc_range(const struct mw_arc_worker *worker, const struct mw_kernel_set *set, size_t n,
                             int64_t *each)
{
    return mw_arc_work_range(worker, set, n, n, each);
}
/* SPDX-License-Identifier: MIT */
