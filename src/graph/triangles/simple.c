/* Graphs as triangles are counted in: heads upwards, neither loops nor several arcs between two vertices. */
#include "dev/native/executor.h"
#include "graph/triangles/triangles_internal.h"

enum { CHECKED = 1024 };         /* vertices at once */
enum { THREAD_ARCS = 1 << 19 };  /* that a thread is worth its start for */

struct checking { const struct mw_graph *graph; atomic_bool other; };

static bool vertex_is_simple(const struct mw_graph *g, size_t v)
{
    const uint64_t begin = g->offsets[v], end = g->offsets[v + 1];
    unsigned wrong = 0;
    for (uint64_t i = begin; i < end; i++)
        wrong |= (g->heads[i] == v) | (i > begin && g->heads[i] <= g->heads[i - 1]);
    return !wrong;
}

static void check_blocks(void *context, size_t begin, size_t end, unsigned worker)
{
    struct checking *c = context;
    (void)worker;
    for (size_t block = begin; block < end && !atomic_load_explicit(&c->other, memory_order_relaxed); block++) {
        const size_t first = block * CHECKED, left = c->graph->vertices - first;
        for (size_t v = first; v < first + (left < CHECKED ? left : CHECKED); v++)
            if (!vertex_is_simple(c->graph, v))
                atomic_store(&c->other, true);
    }
}

int mw_graph_is_simple(const struct mw_graph *graph, unsigned threads, bool *simple)
{
    const size_t blocks = (graph->vertices + CHECKED - 1) / CHECKED;
    const uint64_t worth = graph->arcs / THREAD_ARCS;
    struct checking checking = { .graph = graph };
    struct mw_executor *executor = NULL;
    int rc = 0;
    atomic_init(&checking.other, false);
    if (worth > 1)
        TRY(mw_thread_count(threads, &threads));
    if (worth > 1 && threads > 1) {
        TRY(mw_executor_new("pthreads", worth < threads ? (unsigned)worth : threads, &executor));
        mw_parallel_for(executor, blocks, 0, check_blocks, &checking);
    } else {
        check_blocks(&checking, 0, blocks, 0);
    }
    *simple = !atomic_load(&checking.other);
out:
    mw_executor_free(executor);
    return rc;
}

int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple)
{
    const struct mw_graph_options options = { .remove_self = true, .remove_multiple = true };
    struct mw_edges edges = { 0 };
    int rc;
    TRY(mw_graph_edges(graph, &edges));
    TRY(mw_graph_new(device, &edges, &options, simple, NULL));
out:
    mw_edges_free(&edges);
    return rc;
}
