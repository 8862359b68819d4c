/* Weighted adjacency, on the host's cores: arcs are collected by tail, and each vertex's arcs are sorted by head and
 * weight. */
#include "graph/build/builder.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dev/native/executor.h"
#include "graph/build/build_plan.clh"

#define SIGN ((uint32_t)1 << 31)
enum { FEW = 48, GRAIN = 4096, DIGIT = 8, DIGITS = 1 << DIGIT };

struct scratch {
    uint64_t *arc;
    size_t capacity;
};

struct weighted {
    struct mw_graph_job *job;
    const struct mw_edges *edges;
    atomic_uint_least64_t *next; /* per vertex: place of its next arc; later the number of its kept arcs */
    uint64_t *begin;             /* first arc of each vertex, before removals */
    uint64_t *arc;               /* head above weight */
    struct scratch *scratch;     /* per thread */
    atomic_uint_least64_t found[4];
    atomic_bool bad;
};

static uint64_t arc_of(uint32_t head, int32_t weight) { return (uint64_t)head << 32 | ((uint32_t)weight ^ SIGN); }

static void count_arcs(void *context, size_t begin, size_t end, unsigned worker)
{
    struct weighted *w = context;
    for (size_t e = begin; e < end; e++) {
        const uint32_t tail = w->edges->ends[2 * e], head = w->edges->ends[2 * e + 1];
        if (tail >= w->edges->vertices || head >= w->edges->vertices) {
            atomic_store_explicit(&w->bad, true, memory_order_relaxed);
            return;
        }
        atomic_fetch_add_explicit(&w->next[tail], 1, memory_order_relaxed);
        if (!w->edges->directed)
            atomic_fetch_add_explicit(&w->next[head], 1, memory_order_relaxed);
    }
}

static void put_arcs(void *context, size_t begin, size_t end, unsigned worker)
{
    struct weighted *w = context;
    for (size_t e = begin; e < end; e++) {
        const uint32_t tail = w->edges->ends[2 * e], head = w->edges->ends[2 * e + 1];
        const int32_t weight = w->edges->weights[e];
        w->arc[atomic_fetch_add_explicit(&w->next[tail], 1, memory_order_relaxed)] = arc_of(head, weight);
        if (!w->edges->directed)
            w->arc[atomic_fetch_add_explicit(&w->next[head], 1, memory_order_relaxed)] = arc_of(tail, weight);
    }
}

static int compare_arcs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
    size_t next[DIGITS] = { 0 }, sum = 0;
    for (size_t i = 0; i < count; i++)
        next[from[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = next[d];
        next[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[next[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Radix sort by the digits in which arcs differ; qsort if memory is short. */
static void sort_many(uint64_t *arc, size_t count, struct scratch *scratch)
{
    uint64_t differs = 0, *from = arc, *to;
    if (count > scratch->capacity) {
        free(scratch->arc);
        scratch->arc = malloc(2 * count * sizeof *scratch->arc);
        scratch->capacity = scratch->arc ? 2 * count : 0;
    }
    if (!scratch->arc) {
        qsort(arc, count, sizeof *arc, compare_arcs);
        return;
    }
    to = scratch->arc;
    for (size_t i = 1; i < count; i++)
        differs |= arc[i] ^ arc[0];
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        uint64_t *const sorted = to;
        if ((differs >> shift & (DIGITS - 1)) == 0)
            continue;
        sort_digit(from, to, count, shift);
        to = from;
        from = sorted;
    }
    if (from != arc)
        memcpy(arc, from, count * sizeof *arc);
}

static void sort_arcs(uint64_t *arc, size_t count, struct scratch *scratch)
{
    if (count > FEW) {
        sort_many(arc, count, scratch);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const uint64_t one = arc[i];
        size_t k = i;
        for (; k > 0 && arc[k - 1] > one; k--)
            arc[k] = arc[k - 1];
        arc[k] = one;
    }
}

/* Keeps some of a vertex's sorted arcs, moved together; of equal arcs the first, which has the smallest weight. */
static size_t keep_arcs(struct weighted *w, uint32_t tail, uint64_t *arc, size_t count, uint64_t found[4])
{
    const unsigned flags = w->job->flags;
    const bool directed = flags & BUILD_DIRECTED;
    size_t kept = 0;
    unsigned run = 0; /* preceding arcs to the same head, up to 2 */
    uint32_t before = MW_NO_VERTEX;
    for (size_t i = 0; i < count; i++) {
        const uint32_t head = (uint32_t)(arc[i] >> 32);
        const bool loop = head == tail;
        run = head == before ? 1 + (run > 0) : 0;
        before = head;
        if (!((flags & BUILD_NO_SELF && loop) || (flags & BUILD_NO_MULTIPLE && run > (loop && !directed))))
            arc[kept++] = arc[i];
        found[FOUND_SELF] += loop;
        found[FOUND_MULTIPLE] += run > 0 && (directed || head > tail);
        found[FOUND_SELF_AGAIN] += loop && run > 1;
    }
    found[FOUND_KEPT] += kept;
    return kept;
}

static void sort_vertices(void *context, size_t begin, size_t end, unsigned worker)
{
    struct weighted *w = context;
    uint64_t found[4] = { 0 };
    for (size_t v = begin; v < end; v++) {
        uint64_t *arc = w->arc + w->begin[v];
        const size_t count = (size_t)(w->begin[v + 1] - w->begin[v]);
        sort_arcs(arc, count, &w->scratch[worker]);
        atomic_store_explicit(&w->next[v], keep_arcs(w, (uint32_t)v, arc, count, found), memory_order_relaxed);
    }
    for (size_t i = 0; i < MW_COUNT(found); i++)
        atomic_fetch_add_explicit(&w->found[i], found[i], memory_order_relaxed);
}

static void write_vertices(void *context, size_t begin, size_t end, unsigned worker)
{
    struct weighted *w = context;
    const struct mw_graph_job *job = w->job;
    for (size_t v = begin; v < end; v++) {
        const uint64_t *arc = w->arc + w->begin[v];
        for (uint64_t i = job->offsets[v]; i < job->offsets[v + 1]; i++, arc++) {
            job->heads[i] = (uint32_t)(*arc >> 32);
            job->weights[i] = (int32_t)((uint32_t)*arc ^ SIGN);
        }
    }
}

/* Converts the counts in `next` to first places, in `begin` and in `next`. */
static void sum_up(struct weighted *w, uint64_t *begin)
{
    uint64_t sum = 0;
    for (size_t v = 0; v < w->edges->vertices; v++) {
        begin[v] = sum;
        sum += atomic_load_explicit(&w->next[v], memory_order_relaxed);
        atomic_store_explicit(&w->next[v], begin[v], memory_order_relaxed);
    }
    begin[w->edges->vertices] = sum;
}

int mw_graph_weighted_run(struct mw_graph_job *job)
{
    const struct mw_edges *edges = job->edges;
    const size_t n = edges->vertices, count = (size_t)edges->count;
    struct weighted w = { .job = job, .edges = edges };
    struct mw_executor *executor = NULL;
    unsigned threads = 0;
    int rc;
    for (size_t i = 0; i < MW_COUNT(w.found); i++)
        atomic_init(&w.found[i], 0);
    atomic_init(&w.bad, false);
    TRY(mw_new(n, sizeof *w.next, &w.next));
    TRY(mw_new(n + 1, sizeof *w.begin, &w.begin));
    TRY(mw_new(count * (edges->directed ? 1 : 2), sizeof *w.arc, &w.arc));
    TRY(mw_executor_new(count < GRAIN ? "serial" : "pthreads", mw_graph_threads(job->builder->device), &executor));
    threads = mw_executor_threads(executor);
    TRY(mw_new(threads, sizeof *w.scratch, &w.scratch));
    mw_parallel_for(executor, count, 0, count_arcs, &w);
    if (atomic_load(&w.bad)) {
        rc = mw_graph_bad_edge(edges);
        goto out;
    }
    sum_up(&w, w.begin);
    mw_parallel_for(executor, count, 0, put_arcs, &w);
    mw_parallel_for(executor, n, 0, sort_vertices, &w);
    sum_up(&w, job->offsets);
    mw_parallel_for(executor, n, 0, write_vertices, &w);
    for (size_t i = 0; i < MW_COUNT(w.found); i++)
        job->found[i] = atomic_load(&w.found[i]);
    job->arcs = job->offsets[n];
out:
    mw_executor_free(executor);
    for (unsigned t = 0; w.scratch && t < threads; t++)
        free(w.scratch[t].arc);
    free(w.scratch);
    free(w.next);
    free(w.begin);
    free(w.arc);
    return rc;
}
/* SPDX-License-Identifier: MIT */
