/* A job builds one graph, range by range. */
#include "graph/build/builder.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dev/host/host.h"
#include "graph/build/build_plan.clh"

void mw_graph_job_free(struct mw_graph_job *job)
{
    free(job->range);
    free(job->offsets);
    free(job->heads);
    free(job->weights);
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
        rc = mw_fail(MW_ELIMIT, "the arcs of %" PRIu64 " edges are too many to address", edges->count);
        goto out;
    }
    /* Allocated as buffers are, since huge pages save much of the time of first touch. */
    bytes = arcs * sizeof *made.heads;
    offset_bytes = (edges->vertices + 1) * sizeof *made.offsets;
    TRY(mw_graph_fits(edges->vertices, edges->count, (uint64_t)bytes + offset_bytes));
    TRY(mw_host_memory_new(bytes ? bytes : 1, 0, &memory));
    made.heads = memory;
    TRY(mw_host_memory_new(offset_bytes, 0, &memory));
    made.offsets = memory;
    if (edges->weights) {
        TRY(mw_host_memory_new(bytes ? bytes : 1, 0, &memory));
        made.weights = memory;
    } else {
        TRY(mw_graph_plan_ranges(&made));
    }
    *job = MW_PASS(made);
out:
    mw_graph_job_free(&made);
    return rc;
}

/* Builds a range that is a single key, repeated more often than the device can hold. */
static void equal_range(struct mw_graph_job *job, const struct mw_graph_range *range)
{
    const uint32_t tail = (uint32_t)(range->lo >> job->bits);
    const uint32_t head = (uint32_t)(range->lo & (((uint64_t)1 << job->bits) - 1));
    const bool directed = job->flags & BUILD_DIRECTED, self = tail == head;
    const uint64_t most = self && (job->flags & BUILD_NO_SELF) ? 0
                          : !(job->flags & BUILD_NO_MULTIPLE)  ? range->arcs
                          : self && !directed                  ? 2
                                                               : 1;
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

/* Returns the memory of removed arcs to the system. */
static void shrink(struct mw_graph_job *job)
{
    const bool removes = job->flags & BUILD_REMOVES;
    const size_t bytes = (size_t)job->arcs * sizeof *job->heads;
    uint32_t *heads = removes ? realloc(job->heads, bytes ? bytes : 1) : NULL;
    int32_t *weights = removes && job->weights ? realloc(job->weights, bytes ? bytes : 1) : NULL;
    if (heads)
        job->heads = heads;
    if (weights)
        job->weights = weights;
}

int mw_graph_job_run(struct mw_graph_builder *builder, const struct mw_edges *edges,
                     const struct mw_graph_options *options, bool counted, struct mw_graph_job *job)
{
    struct mw_graph_job made = { 0 };
    int rc;
    TRY(job_new(builder, edges, options, counted, &made));
    for (size_t i = 0; i < made.ranges; i++)
        TRY(run_range(&made, &made.range[i]));
    if (edges->weights)
        TRY(mw_graph_weighted_run(&made));
    made.offsets[edges->vertices] = made.arcs;
    shrink(&made);
    *job = MW_PASS(made);
out:
    mw_graph_job_free(&made);
    return rc;
}
/* SPDX-License-Identifier: MIT */
