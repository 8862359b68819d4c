/* Builders: kernels for building graphs on a device, and edges on the device. */
#include "graph/build/builder.h"

#include <inttypes.h>
#include <stdlib.h>

#include "kernels/graph/build/build.h"
#include "kernels/native.h"
#include "prim/prim_internal.h"

#define GROUP_MOST 256
#define TASK_ARCS ((uint64_t)64 << 10)

int mw_graph_builder_new_form(struct mw_device *device, bool cores, size_t group, struct mw_graph_builder **builder)
{
    const struct mw_device_info *info = mw_device_info(device);
    struct mw_graph_builder *made = NULL;
    int rc;
    TRY(mw_new(1, sizeof *made, &made));
    made->device = device;
    made->cores = cores;
    made->units = info->compute_units ? info->compute_units : 1;
    made->group = cores ? 0 : group;
    made->limits = (struct mw_build_limits){ .task_arcs = TASK_ARCS };
    if (!cores)
        TRY(mw_prim_new_form(device, false, group, &made->prim));
    *builder = MW_PASS(made);
out:
    mw_graph_builder_free(made);
    return rc;
}

int mw_graph_builder_new(struct mw_device *device, struct mw_graph_builder **builder)
{
    return mw_graph_builder_new_form(device, mw_device_info(device)->traits->has_cores, GROUP_MOST, builder);
}

void mw_graph_builder_free(struct mw_graph_builder *builder)
{
    if (!builder)
        return;
    for (size_t i = 0; i < MW_BUILD_SETS; i++)
        mw_kernel_set_free(builder->set[i]);
    mw_prim_free(builder->prim);
    free(builder);
}

int mw_graph_builder_set(struct mw_graph_builder *builder, unsigned number, const struct mw_kernel_set **set)
{
    const struct mw_kernel_options options = {
        .defines = number == MW_BUILD_64 ? "#define KEY_64 1\n" : NULL,
        .group = builder->group,
        .native = number == MW_BUILD_64 ? mw_native_build_64 : mw_native_build_32,
    };
    if (!builder->set[number])
        TRY_RETURN(mw_kernel_set_new(builder->device, &kernels_graph_build_build, &options, &builder->set[number]));
    *set = builder->set[number];
    return 0;
}

/* ---- edges on the device ---- */

int mw_graph_edges_open(const struct mw_graph_job *job, struct mw_graph_edges_on *on)
{
    struct mw_device *device = job->builder->device;
    *on = (struct mw_graph_edges_on){ .begin = UINT64_MAX };
    if (mw_device_info(device)->kind != MW_DEVICE_NATIVE)
        return mw_buffer_new(device, (size_t)job->chunk * 2 * sizeof *job->edges->ends, &on->buffer);
    on->buffer = &on->borrowed;
    return 0;
}

int mw_graph_edges_load(const struct mw_graph_job *job, struct mw_graph_edges_on *on, uint64_t begin)
{
    const struct mw_edges *edges = job->edges;
    const uint64_t count = edges->count - begin < job->chunk ? edges->count - begin : job->chunk;
    const size_t bytes = (size_t)count * 2 * sizeof *edges->ends;
    if (on->begin == begin)
        return 0;
    if (on->buffer == &on->borrowed)
        on->borrowed = mw_buffer_borrow(job->builder->device, edges->ends + 2 * begin, bytes);
    else
        TRY_RETURN(mw_buffer_write(on->buffer, 0, bytes, edges->ends + 2 * begin, NULL));
    on->begin = begin;
    on->count = count;
    return 0;
}

void mw_graph_edges_close(struct mw_graph_edges_on *on)
{
    if (on->buffer != &on->borrowed)
        mw_buffer_free(on->buffer);
}

int mw_graph_bad_edge(const struct mw_edges *edges)
{
    for (uint64_t e = 0; e < edges->count; e++)
        for (unsigned end = 0; end < 2; end++)
            if (edges->ends[2 * e + end] >= edges->vertices)
                return mw_fail(MW_EINVAL, "edge %" PRIu64 " has endpoint %" PRIu32 ", but there are only %zu vertices",
                               e, edges->ends[2 * e + end], edges->vertices);
    return 0;
}
/* SPDX-License-Identifier: MIT */
