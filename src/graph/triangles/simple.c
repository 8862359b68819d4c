/* Simple graphs, in which triangles are counted: sorted heads, no self-loops, no multiple arcs. Most graphs have sorted
 * heads. They are then made simple by one pass that counts the arcs to keep, and one that copies them. */
#include <stdatomic.h>
#include <stdlib.h>

#include "dev/host/host.h"
#include "dev/native/executor.h"
#include "graph/triangles/triangles_internal.h"

enum { BLOCK = 1024 };          /* vertices per block */
enum { THREAD_ARCS = 1 << 19 }; /* fewest arcs per thread that pay for starting it */

struct simplifier {
    const struct mw_graph *graph;
    uint64_t *kept;       /* per block: arcs to keep; then those of all earlier blocks, and of all */
    atomic_bool unsorted; /* heads of a vertex decrease */
    uint64_t *offsets;    /* arrays of the simple graph */
    uint32_t *heads;
};

static size_t block_end(const struct mw_graph *graph, size_t block)
{
    return mw_min((block + 1) * BLOCK, graph->vertices);
}

static void count_kept(void *context, size_t begin, size_t end, unsigned worker)
{
    struct simplifier *s = context;
    const struct mw_graph *g = s->graph;
    unsigned falls = 0;
    for (size_t b = begin; b < end; b++) {
        uint64_t kept = 0;
        for (size_t v = b * BLOCK, last = block_end(g, b); v < last; v++) {
            const uint32_t *head = g->heads + g->offsets[v];
            const size_t arcs = (size_t)(g->offsets[v + 1] - g->offsets[v]);
            kept += arcs > 0 && head[0] != v;
            for (size_t i = 1; i < arcs; i++) {
                kept += (head[i] != v) & (head[i] != head[i - 1]);
                falls |= head[i] < head[i - 1];
            }
        }
        s->kept[b] = kept;
    }
    if (falls)
        atomic_store(&s->unsorted, true);
}

/* Writes all arcs, each in place of the previous one if that is not kept: nothing to predict. */
static void copy_kept(void *context, size_t begin, size_t end, unsigned worker)
{
    struct simplifier *s = context;
    const struct mw_graph *g = s->graph;
    for (size_t b = begin; b < end; b++) {
        uint64_t at = s->kept[b];
        for (size_t v = b * BLOCK, last = block_end(g, b); v < last; v++) {
            const uint32_t *head = g->heads + g->offsets[v];
            const size_t arcs = (size_t)(g->offsets[v + 1] - g->offsets[v]);
            s->offsets[v] = at;
            for (size_t i = 0; i < arcs && at < s->kept[b + 1]; i++) {
                s->heads[at] = head[i];
                at += (head[i] != v) & (i == 0 || head[i] != head[i - 1]);
            }
        }
    }
}

/* Copies the arcs to keep, `arcs` in all. */
static int filter(struct simplifier *s, struct mw_executor *executor, size_t blocks, uint64_t arcs,
                  struct mw_graph *simple)
{
    const struct mw_graph *g = s->graph;
    void *heads = NULL, *offsets = NULL;
    int rc;
    TRY(mw_host_memory_new(mw_max((size_t)arcs, 1) * sizeof *s->heads, 0, &heads));
    TRY(mw_host_memory_new((g->vertices + 1) * sizeof *s->offsets, 0, &offsets));
    s->heads = heads;
    s->offsets = offsets;
    s->offsets[g->vertices] = arcs;
    mw_parallel_for(executor, blocks, 0, copy_kept, s);
    return mw_graph_of_arrays(g->vertices, g->directed, s->offsets, s->heads, simple);
out:
    free(heads);
    free(offsets);
    return rc;
}

int mw_graph_simple(struct mw_device *device, const struct mw_graph *graph, struct mw_graph *simple)
{
    const struct mw_graph_options sorted = { .size = sizeof sorted, .remove_self = true, .remove_multiple = true };
    const size_t blocks = (graph->vertices + BLOCK - 1) / BLOCK;
    struct simplifier s = { .graph = graph };
    struct mw_executor *executor = NULL;
    uint64_t arcs = 0;
    int rc;
    TRY(mw_new(blocks + 1, sizeof *s.kept, &s.kept));
    TRY(mw_graph_executor(mw_graph_threads(device), graph->arcs / THREAD_ARCS, &executor));
    mw_parallel_for(executor, blocks, 0, count_kept, &s);
    for (size_t b = 0; b < blocks; b++) {
        const uint64_t kept = s.kept[b];
        s.kept[b] = arcs;
        arcs += kept;
    }
    s.kept[blocks] = arcs;
    if (atomic_load(&s.unsorted))
        rc = mw_graph_remake(device, graph, &sorted, MW_GRAPH_SAME, simple); /* heads in any order */
    else if (arcs < graph->arcs)
        rc = filter(&s, executor, blocks, arcs, simple);
out:
    mw_executor_free(executor);
    free(s.kept);
    return rc;
}
/* SPDX-License-Identifier: MIT */
