/* Distances as rows of their matrix, which go to who takes them in the order of the sources. */
#include "graph/paths/paths_internal.h"

int mw_path_rows_give(struct mw_path_rows *rows, size_t first, size_t count, const int32_t *distances)
{
    int rc = 0;
    pthread_mutex_lock(&rows->lock);
    while (rows->next != first && !rows->failed)
        pthread_cond_wait(&rows->taken, &rows->lock);
    if (rows->failed)
        rc = mw_fail(MW_ESTOPPED, "stopped, as rows before were not found or not taken");
    else
        rc = rows->take(rows->context, first, count, distances);
    rows->next = first + count;
    rows->failed = rows->failed || rc != 0;
    pthread_cond_broadcast(&rows->taken);
    pthread_mutex_unlock(&rows->lock);
    return rc;
}

void mw_path_rows_fail(struct mw_path_rows *rows)
{
    pthread_mutex_lock(&rows->lock);
    rows->failed = true;
    pthread_cond_broadcast(&rows->taken);
    pthread_mutex_unlock(&rows->lock);
}

int mw_graph_distance_rows(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                           const uint32_t *sources, size_t source_count, mw_graph_rows_fn *take, void *context)
{
    const struct mw_graph_paths_options options = { .variant = "queue", .targets = sources,
                                                    .target_count = source_count };
    struct mw_path_rows rows = { .take = take, .context = context, .lock = PTHREAD_MUTEX_INITIALIZER,
                                 .taken = PTHREAD_COND_INITIALIZER };
    /* Searches follow the arcs of `reversed`, which for rows are the graph's own. */
    struct mw_path_job job = { .graph = graph, .reversed = graph, .limits = &mw_arc_limits_usual, .rows = &rows };
    struct mw_graph_paths paths;
    int rc;
    TRY(mw_path_find(&job, devices, device_count, &options, &paths));
    mw_graph_paths_free(&paths);
out:
    return rc;
}
