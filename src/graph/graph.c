/* Edge lists and graphs: their memory, checks, and the conversions that need no device. */
#include "graph/graph_internal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dev/host/host.h"
#include "dev/native/executor.h"

struct mw_graph_memory {
    uint64_t *offsets;
    uint32_t *heads;
    int32_t *weights;
    void *address; /* mapped file, to be unmapped */
    size_t bytes;
    /* The array of heads that was checked (is_known), with the vertices and arcs it was checked for. */
    atomic_bool is_known;
    const uint32_t *known;
    size_t vertices;
    uint64_t arcs;
};

/* ---- edge lists ---- */

int mw_vertices_check(uint64_t vertices)
{
    if (vertices <= MW_VERTICES_MAX)
        return 0;
    return mw_fail(MW_ELIMIT, "a graph of %" PRIu64 " vertices is too large: at most %zu vertices are supported",
                   vertices, MW_VERTICES_MAX);
}

int mw_graph_fits(uint64_t vertices, uint64_t edges, uint64_t bytes)
{
    const uint64_t there = mw_host_bytes();
    if (there == 0 || bytes <= there)
        return 0;
    return mw_fail(MW_ELIMIT,
                   "a graph of %" PRIu64 " vertices and %" PRIu64 " edges needs %s, but this machine has %s "
                   "of memory: use a smaller graph or a larger machine",
                   vertices, edges, mw_amount(bytes).text, mw_amount(there).text);
}

uint64_t mw_graph_bytes(size_t vertices, uint64_t edges, bool directed)
{
    const uint64_t each = 2 * sizeof(uint32_t) + (directed ? 1 : 2) * sizeof(uint32_t);
    const uint64_t offsets = ((uint64_t)vertices + 1) * sizeof(uint64_t);
    return edges > (UINT64_MAX - offsets) / each ? UINT64_MAX : edges * each + offsets;
}

int mw_edges_new(size_t vertices, uint64_t count, bool directed, struct mw_edges *edges)
{
    struct mw_edges made = { .vertices = vertices, .count = count, .directed = directed };
    size_t bytes;
    TRY_RETURN(mw_vertices_check(vertices));
    if (count > SIZE_MAX || !mw_mul((size_t)count, 2 * sizeof *made.ends, &bytes))
        return mw_fail(MW_ELIMIT, "%" PRIu64 " edges are more than this machine can address", count);
    TRY_RETURN(mw_graph_fits(vertices, count, bytes));
    TRY_RETURN(mw_new((size_t)count, 2 * sizeof *made.ends, &made.ends));
    *edges = made;
    return 0;
}

void mw_edges_free(struct mw_edges *edges)
{
    if (!edges)
        return;
    free(edges->ends);
    free(edges->weights);
    mw_names_free(edges->names);
    *edges = (struct mw_edges){ 0 };
}

/* ---- graphs ---- */

static void memory_free(struct mw_graph_memory *memory)
{
    if (!memory)
        return;
    free(memory->offsets);
    free(memory->heads);
    free(memory->weights);
    if (memory->address)
        munmap(memory->address, memory->bytes);
    free(memory);
}

/* Fills *graph, which takes over `memory`. */
static void make_graph(struct mw_graph_memory *memory, size_t vertices, bool directed, const uint64_t *offsets,
                       const uint32_t *heads, struct mw_graph *graph)
{
    memory->known = heads;
    memory->vertices = vertices;
    memory->arcs = offsets[vertices];
    *graph = (struct mw_graph){ .vertices = vertices,
                                .arcs = offsets[vertices],
                                .directed = directed,
                                .offsets = offsets,
                                .heads = heads,
                                .memory = memory };
}

int mw_graph_of_arrays(size_t vertices, bool directed, uint64_t *offsets, uint32_t *heads, struct mw_graph *graph)
{
    struct mw_graph_memory *memory = NULL;
    int rc;
    TRY(mw_new(1, sizeof *memory, &memory));
    memory->offsets = offsets;
    memory->heads = heads;
    atomic_init(&memory->is_known, true);
    make_graph(memory, vertices, directed, offsets, heads, graph);
out:
    if (rc != 0) {
        free(offsets);
        free(heads);
    }
    return rc;
}

void mw_graph_take_weights(struct mw_graph *graph, int32_t *weights, int decimals)
{
    graph->memory->weights = weights;
    graph->weights = weights;
    graph->decimals = decimals;
}

int mw_graph_of_mapping(void *address, size_t bytes, size_t vertices, bool directed, const uint64_t *offsets,
                        const uint32_t *heads, struct mw_graph *graph)
{
    struct mw_graph_memory *memory = NULL;
    int rc;
    TRY(mw_new(1, sizeof *memory, &memory));
    memory->address = address;
    memory->bytes = bytes;
    atomic_init(&memory->is_known, false);
    make_graph(memory, vertices, directed, offsets, heads, graph);
out:
    if (rc != 0)
        munmap(address, bytes);
    return rc;
}

void mw_graph_free(struct mw_graph *graph)
{
    if (!graph)
        return;
    memory_free(graph->memory);
    mw_names_free(graph->names);
    *graph = (struct mw_graph){ 0 };
}

static void graph_drop(void *graph) { mw_graph_free(graph); }

int mw_own_graph(struct mw_owner *owner, struct mw_graph *graph) { return mw_own(owner, graph, graph_drop); }

/* ---- checks ---- */

size_t mw_offset_find(const uint64_t *offsets, size_t n, uint64_t least, bool counted)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (offsets[middle] + (counted ? middle : 0) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int mw_graph_check_offsets(const struct mw_graph *graph)
{
    const uint64_t *offset = graph->offsets;
    if (offset[0] != 0)
        return mw_fail(MW_EDATA, "the arcs of vertex 0 begin at %" PRIu64 " instead of 0", offset[0]);
    for (size_t v = 0; v < graph->vertices; v++)
        if (offset[v] > offset[v + 1])
            return mw_fail(MW_EDATA,
                           "offsets decrease: arcs of vertex %zu begin at %" PRIu64 ", of the next one at %" PRIu64, v,
                           offset[v], offset[v + 1]);
    if (offset[graph->vertices] != graph->arcs)
        return mw_fail(MW_EDATA, "the last offset is %" PRIu64 " instead of the number of arcs, %" PRIu64,
                       offset[graph->vertices], graph->arcs);
    return 0;
}

struct checking {
    const struct mw_graph *graph;
    mw_block_holds *holds;
    atomic_bool broken;
};

static void check_blocks(void *context, size_t begin, size_t end, unsigned worker)
{
    struct checking *c = context;
    for (size_t i = begin; i < end && !atomic_load_explicit(&c->broken, memory_order_relaxed); i++)
        if (!c->holds(c->graph, i))
            atomic_store(&c->broken, true);
}

int mw_graph_executor(unsigned threads, uint64_t worth, struct mw_executor **executor)
{
    if (worth > 1)
        TRY_RETURN(mw_thread_count(threads, &threads));
    if (worth > 1 && threads > 1)
        return mw_executor_new("pthreads", worth < threads ? (unsigned)worth : threads, executor);
    *executor = NULL;
    return 0;
}

int mw_graph_holds(const struct mw_graph *graph, mw_block_holds *holds, size_t blocks, uint64_t worth, unsigned threads,
                   bool *all)
{
    struct checking checking = { .graph = graph, .holds = holds };
    struct mw_executor *executor = NULL;
    int rc = 0;
    atomic_init(&checking.broken, false);
    TRY(mw_graph_executor(threads, worth, &executor));
    mw_parallel_for(executor, blocks, 0, check_blocks, &checking);
    *all = !atomic_load(&checking.broken);
out:
    mw_executor_free(executor);
    return rc;
}

enum { CHECKED = 4096 };         /* heads per block; the loop for their maximum is vectorised */
enum { THREAD_HEADS = 1 << 20 }; /* fewest heads per thread that pay for starting it */

static bool heads_are_vertices(const struct mw_graph *graph, size_t block)
{
    const uint64_t begin = (uint64_t)block * CHECKED;
    const uint64_t end = graph->arcs - begin < CHECKED ? graph->arcs : begin + CHECKED;
    uint32_t largest = 0;
    for (uint64_t i = begin; i < end; i++)
        largest = graph->heads[i] > largest ? graph->heads[i] : largest;
    return largest < graph->vertices;
}

static int refuse_heads(const struct mw_graph *graph)
{
    uint64_t i = 0;
    while (graph->heads[i] < graph->vertices)
        i++;
    return mw_fail(MW_EDATA, "arc %" PRIu64 " leads to vertex %" PRIu32 ", but the graph has %zu vertices", i,
                   graph->heads[i], graph->vertices);
}

static bool heads_are_known(const struct mw_graph *graph)
{
    const struct mw_graph_memory *memory = graph->memory;
    return memory && atomic_load(&memory->is_known) && memory->known == graph->heads &&
           memory->vertices <= graph->vertices && memory->arcs >= graph->arcs;
}

int mw_graph_check_heads(const struct mw_graph *graph, unsigned threads)
{
    struct mw_graph_memory *memory = graph->memory;
    const size_t blocks = (size_t)(graph->arcs / CHECKED + (graph->arcs % CHECKED != 0));
    bool all;
    int rc;
    if (heads_are_known(graph))
        return 0;
    TRY(mw_graph_holds(graph, heads_are_vertices, blocks, graph->arcs / THREAD_HEADS, threads, &all));
    if (!all)
        rc = refuse_heads(graph);
    else if (memory && memory->known == graph->heads && memory->vertices == graph->vertices &&
             memory->arcs == graph->arcs)
        atomic_store(&memory->is_known, true);
out:
    return rc;
}

int mw_graph_check_given(const struct mw_graph *graph, const struct mw_device *device)
{
    int rc;
    TRY(mw_vertices_check(graph->vertices));
    rc = heads_are_known(graph) ? 0 : mw_graph_check_offsets(graph);
    if (rc == 0)
        rc = mw_graph_check_heads(graph, mw_graph_threads(device));
    if (rc == MW_EDATA)
        rc = mw_fail_in(rc, "invalid graph");
out:
    return rc;
}

/* ---- arrays of the caller ---- */

int mw_graph_from_adjacency(size_t vertices, const uint64_t *offsets, const uint32_t *heads, bool directed,
                            struct mw_graph *graph)
{
    const struct mw_graph made = {
        .vertices = vertices, .arcs = offsets[vertices], .directed = directed, .offsets = offsets, .heads = heads
    };
    TRY_RETURN(mw_vertices_check(vertices));
    if (mw_graph_check_offsets(&made) != 0 || mw_graph_check_heads(&made, 0) != 0)
        return mw_fail_in(MW_EINVAL, "invalid adjacency");
    *graph = made;
    return 0;
}

/* ---- from a graph to its edge list ---- */

uint64_t mw_graph_edges_at(const struct mw_graph *graph, size_t vertex)
{
    const uint64_t begin = graph->offsets[vertex], end = graph->offsets[vertex + 1];
    uint64_t larger = 0, self = 0;
    if (graph->directed)
        return end - begin;
    for (uint64_t i = begin; i < end; i++) {
        larger += graph->heads[i] > vertex;
        self += graph->heads[i] == vertex;
    }
    return larger + (self + 1) / 2;
}

int mw_graph_edges(const struct mw_graph *graph, struct mw_edges *edges)
{
    struct mw_edges made = { 0 };
    uint64_t count = 0, k = 0;
    int rc;
    for (size_t v = 0; v < graph->vertices; v++)
        count += mw_graph_edges_at(graph, v);
    TRY(mw_edges_new(graph->vertices, count, graph->directed, &made));
    if (graph->weights)
        TRY(mw_new((size_t)count, sizeof *made.weights, &made.weights));
    made.decimals = graph->decimals;
    for (size_t v = 0; v < graph->vertices; v++) {
        bool second = false;
        for (uint64_t i = graph->offsets[v]; i < graph->offsets[v + 1]; i++) {
            const uint32_t head = graph->heads[i];
            if (!graph->directed && head == v)
                second = !second;
            if (!graph->directed && (head < v || (head == v && !second)))
                continue;
            if (graph->weights)
                made.weights[k] = graph->weights[i];
            made.ends[2 * k] = (uint32_t)v;
            made.ends[2 * k++ + 1] = head;
        }
    }
    made.names = mw_names_share(graph->names);
    *edges = MW_PASS(made);
out:
    mw_edges_free(&made);
    return rc;
}
/* SPDX-License-Identifier: MIT */
