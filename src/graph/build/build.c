/* Compressed adjacency from edges: running the job, and making the graph of its results. */
#include "dev/core/given.h"
#include "graph/build/builder.h"

#include "graph/build/build_plan.clh"

static struct mw_graph_report report_of(const struct mw_graph_job *job)
{
    struct mw_graph_report report = { .size = sizeof report,
                                      .self = job->found[FOUND_SELF],
                                      .multiple = job->found[FOUND_MULTIPLE] };
    if (!(job->flags & BUILD_DIRECTED)) {
        report.self /= 2;
        report.multiple += job->found[FOUND_SELF_AGAIN] / 2;
    }
    return report;
}

int mw_graph_build(struct mw_graph_builder *builder, const struct mw_edges *edges,
                   const struct mw_graph_options *options, struct mw_graph *graph, struct mw_graph_report *report)
{
    const struct mw_graph_options none = MW_INIT(none);
    struct mw_graph_job job = { 0 };
    int rc;
    options = options ? options : &none;
    TRY(MW_RESULT_GIVE(mw_graph_report, NULL, multiple, report));
    TRY(mw_graph_job_run(builder, edges, options, report != NULL, &job));
    if (options->order == MW_GRAPH_ORDER_DEGREE)
        TRY(mw_graph_order_heads(builder, edges->vertices, job.offsets, job.heads, job.weights));
    rc = mw_graph_of_arrays(edges->vertices, edges->directed, job.offsets, job.heads, graph);
    job.offsets = NULL;
    job.heads = NULL;
    TRY(rc);
    mw_graph_take_weights(graph, job.weights, edges->decimals);
    job.weights = NULL;
    graph->names = mw_names_share(edges->names);
    if (report) {
        const struct mw_graph_report found = report_of(&job);
        TRY(MW_RESULT_GIVE(mw_graph_report, &found, multiple, report));
    }
out:
    mw_graph_job_free(&job);
    return rc;
}

/* ---- single calls ---- */

int mw_graph_new(struct mw_device *device, const struct mw_edges *edges, const struct mw_graph_options *options,
                 struct mw_graph *graph, struct mw_graph_report *report)
{
    struct mw_graph_builder *builder = NULL;
    struct mw_graph_options o;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_graph_options, options, order, &o));
    TRY(mw_device_given(&device));
    TRY(mw_graph_builder_new(device, &builder));
    TRY(mw_graph_build(builder, edges, &o, graph, report));
out:
    mw_graph_builder_free(builder);
    return rc;
}

int mw_graph_from_edges(struct mw_device *device, size_t vertices, const uint32_t *ends, uint64_t count, bool directed,
                        const struct mw_graph_options *options, struct mw_graph *graph)
{
    /* The edges are only read. */
    const struct mw_edges edges = {
        .vertices = vertices, .count = count, .directed = directed, .ends = (uint32_t *)(uintptr_t)ends
    };
    return mw_graph_new(device, &edges, options, graph, NULL);
}

int mw_graph_remake(struct mw_device *device, const struct mw_graph *graph, const struct mw_graph_options *options,
                    enum mw_graph_change change, struct mw_graph *made)
{
    struct mw_edges edges = { 0 };
    int rc;
    TRY(mw_graph_edges(graph, &edges));
    edges.directed = edges.directed && change != MW_GRAPH_UNDIRECTED;
    for (uint64_t e = 0; edges.directed && change == MW_GRAPH_REVERSED && e < edges.count; e++) {
        const uint32_t tail = edges.ends[2 * e];
        edges.ends[2 * e] = edges.ends[2 * e + 1];
        edges.ends[2 * e + 1] = tail;
    }
    TRY(mw_graph_new(device, &edges, options, made, NULL));
out:
    mw_edges_free(&edges);
    return rc;
}

int mw_graph_undirected(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *undirected)
{
    const struct mw_graph_options options = { .size = sizeof options, .remove_multiple = true };
    TRY_RETURN(mw_device_given(&device));
    TRY_RETURN(mw_graph_check_heads(graph, mw_graph_threads(device)));
    return mw_graph_remake(device, graph, &options, MW_GRAPH_UNDIRECTED, undirected);
}

int mw_graph_reversed(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *reversed)
{
    TRY_RETURN(mw_device_given(&device));
    TRY_RETURN(mw_graph_check_heads(graph, mw_graph_threads(device)));
    return mw_graph_remake(device, graph, NULL, MW_GRAPH_REVERSED, reversed);
}

int mw_graph_with_edges(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *made,
                        const struct mw_graph **edges)
{
    if (graph->directed)
        TRY_RETURN(mw_graph_remake(device, graph, NULL, MW_GRAPH_UNDIRECTED, made));
    *edges = graph->directed ? made : graph;
    return 0;
}
/* SPDX-License-Identifier: MIT */
