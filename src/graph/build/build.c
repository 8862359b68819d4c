/* Compressed adjacency from edges: the job, its ranges one after the other, and what comes behind. */
#include "graph/build/build_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dev/host/host.h"
#include "graph/build/build_plan.clh"
#include "kernels/graph/build/build.h"
#include "kernels/native.h"
#include "prim/prim_internal.h"

#define GROUP_MOST 256
#define TASK_ARCS ((uint64_t)64 << 10)

/* ---- what a device needs ---- */

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
    *builder = made;
    made = NULL;
out:
    mw_graph_builder_free(made);
    return rc;
}

int mw_graph_builder_new(struct mw_device *device, struct mw_graph_builder **builder)
{
    return mw_graph_builder_new_form(device, mw_has_cores(mw_device_info(device)), GROUP_MOST, builder);
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
        .defines = number == MW_BUILD_64 ? "#define KEY_64 1\n" : NULL, .group = builder->group,
        .native = number == MW_BUILD_64 ? mw_native_build_64 : mw_native_build_32,
    };
    int rc = 0;
    if (!builder->set[number])
        TRY(mw_kernel_set_new(builder->device, &kernels_graph_build_build, &options, &builder->set[number]));
    *set = builder->set[number];
out:
    return rc;
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
    int rc = 0;
    if (on->begin == begin)
        return 0;
    if (on->buffer == &on->borrowed)
        on->borrowed = mw_buffer_borrow(job->builder->device, edges->ends + 2 * begin, bytes);
    else
        TRY(mw_buffer_write(on->buffer, 0, bytes, edges->ends + 2 * begin, NULL));
    on->begin = begin;
    on->count = count;
out:
    return rc;
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
                return mw_fail(MW_EINVAL, "edge %" PRIu64 " has vertex %" PRIu32 " at an end, and there are %zu "
                               "vertices: give more vertices, or other edges", e, edges->ends[2 * e + end],
                               edges->vertices);
    return 0;
}

/* ---- the job ---- */

static void job_free(struct mw_graph_job *job)
{
    free(job->range);
    free(job->offsets);
    free(job->heads);
}

static int job_new(struct mw_graph_builder *builder, const struct mw_edges *edges,
                   const struct mw_graph_options *options, bool counted, struct mw_graph_job *job)
{
    struct mw_graph_job made = { .builder = builder, .edges = edges, .bits = 1 };
    size_t arcs, bytes, offset_bytes;
    void *memory;
    int rc;
    TRY(mw_vertices_check(edges->vertices));
    if (edges->count > 0 && edges->vertices == 0) {
        rc = mw_graph_bad_edge(edges);
        goto out;
    }
    made.flags = (edges->directed ? BUILD_DIRECTED : 0) | (options->remove_self ? BUILD_NO_SELF : 0) |
                 (options->remove_multiple ? BUILD_NO_MULTIPLE : 0) | (counted ? BUILD_COUNT : 0);
    while ((edges->vertices - 1) >> made.bits > 0 && edges->vertices > 0)
        made.bits++;
    if (edges->count > SIZE_MAX || !mw_mul((size_t)edges->count, edges->directed ? 1 : 2, &arcs) ||
        !mw_mul(arcs, 4 * sizeof *made.heads, &bytes)) {
        rc = mw_fail(MW_ELIMIT, "the arcs of %" PRIu64 " edges are more than this machine can address", edges->count);
        goto out;
    }
    /* From the same place as buffers, since huge pages spare much of the time of first touch. */
    bytes = arcs * sizeof *made.heads;
    offset_bytes = (edges->vertices + 1) * sizeof *made.offsets;
    TRY(mw_host_memory_new(bytes ? bytes : 1, 0, &memory));
    made.heads = memory;
    TRY(mw_host_memory_new(offset_bytes, 0, &memory));
    made.offsets = memory;
    TRY(mw_graph_plan_ranges(&made));
    *job = made;
    made = (struct mw_graph_job){ 0 };
out:
    job_free(&made);
    return rc;
}

/* All arcs of the range have one key, and are more than the device holds. */
static void equal_range(struct mw_graph_job *job, const struct mw_graph_range *range)
{
    const uint32_t tail = (uint32_t)(range->lo >> job->bits);
    const uint32_t head = (uint32_t)(range->lo & (((uint64_t)1 << job->bits) - 1));
    const bool directed = job->flags & BUILD_DIRECTED, self = tail == head;
    const uint64_t most = self && (job->flags & BUILD_NO_SELF) ? 0
                        : !(job->flags & BUILD_NO_MULTIPLE) ? range->arcs : self && !directed ? 2 : 1;
    const uint64_t kept = range->arcs < most ? range->arcs : most;
    for (uint64_t i = 0; i < kept; i++)
        job->heads[job->arcs + i] = head;
    for (size_t v = 0; v < range->vertices; v++)
        job->offsets[range->first + v] = job->arcs;
    job->arcs += kept;
    job->found[FOUND_KEPT] += kept;
    job->found[FOUND_SELF] += self ? range->arcs : 0;
    job->found[FOUND_MULTIPLE] += directed || head > tail ? range->arcs - 1 : 0;
    job->found[FOUND_SELF_AGAIN] += self && range->arcs > 2 ? range->arcs - 2 : 0;
}

static int run_range(struct mw_graph_job *job, const struct mw_graph_range *range)
{
    if (range->arcs == 0) {
        for (size_t v = 0; v < range->vertices; v++)
            job->offsets[range->first + v] = job->arcs;
        return 0;
    }
    if (range->hi - range->lo == 1) {
        equal_range(job, range);
        return 0;
    }
    return job->builder->cores ? mw_graph_cores_range(job, range) : mw_graph_groups_range(job, range);
}

/* Gives back what removed arcs would have needed. */
static void shrink(struct mw_graph_job *job)
{
    const size_t bytes = (size_t)job->arcs * sizeof *job->heads;
    uint32_t *heads = job->flags & BUILD_REMOVES ? realloc(job->heads, bytes ? bytes : 1) : NULL;
    if (heads)
        job->heads = heads;
}

static struct mw_graph_report report_of(const struct mw_graph_job *job)
{
    struct mw_graph_report report = { job->found[FOUND_SELF], job->found[FOUND_MULTIPLE] };
    if (!(job->flags & BUILD_DIRECTED)) {
        report.self /= 2;
        report.multiple += job->found[FOUND_SELF_AGAIN] / 2;
    }
    return report;
}

int mw_graph_build(struct mw_graph_builder *builder, const struct mw_edges *edges,
                   const struct mw_graph_options *options, struct mw_graph *graph, struct mw_graph_report *report)
{
    const struct mw_graph_options none = { 0 };
    struct mw_graph_job job = { 0 };
    int rc;
    options = options ? options : &none;
    TRY(job_new(builder, edges, options, report != NULL, &job));
    for (size_t i = 0; i < job.ranges; i++)
        TRY(run_range(&job, &job.range[i]));
    job.offsets[edges->vertices] = job.arcs;
    shrink(&job);
    if (options->order == MW_GRAPH_ORDER_DEGREE)
        TRY(mw_graph_order_heads(builder, edges->vertices, job.offsets, job.heads));
    rc = mw_graph_of_arrays(edges->vertices, edges->directed, job.offsets, job.heads, graph);
    job.offsets = NULL;
    job.heads = NULL;
    TRY(rc);
    graph->names = mw_names_share(edges->names);
    if (report)
        *report = report_of(&job);
out:
    job_free(&job);
    return rc;
}

/* ---- in one call ---- */

int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                 struct mw_graph *graph, struct mw_graph_report *report)
{
    struct mw_graph_builder *builder = NULL;
    struct mw_graph_options o;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_graph_options, options, order, &o));
    TRY(mw_graph_builder_new(device, &builder));
    TRY(mw_graph_build(builder, edges, &o, graph, report));
out:
    mw_graph_builder_free(builder);
    return rc;
}

int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count, bool directed,
                        const struct mw_graph_options *options, struct mw_graph *graph)
{
    /* Only read. */
    const struct mw_edges edges = { .vertices = vertices, .count = count, .directed = directed,
                                    .ends = (uint32_t *)(uintptr_t)ends };
    return mw_graph_new(device, &edges, options, graph, NULL);
}

int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected)
{
    const struct mw_graph_options options = { .remove_multiple = true };
    struct mw_edges edges = { 0 };
    int rc;
    TRY(mw_graph_check_heads(graph));
    TRY(mw_graph_edges(graph, &edges));
    edges.directed = false;
    TRY(mw_graph_new(device, &edges, &options, undirected, NULL));
out:
    mw_edges_free(&edges);
    return rc;
}
