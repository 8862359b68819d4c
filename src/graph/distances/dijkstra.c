/* Variant dijkstra: a heap of vertices by distance, on one thread of the host. */
#include <stdlib.h>

#include "base/progress.h"
#include "graph/distances/distances_internal.h"

enum { CHILDREN = 4 };
enum { POPS_AT_ONCE = 1 << 16 }; /* between two looks at progress */

struct entry {
    int64_t distance;
    uint32_t vertex;
};
struct heap {
    struct entry *entry;
    size_t count;
};

static int push(struct heap *h, int64_t distance, uint32_t vertex)
{
    size_t at = h->count;
    TRY_RETURN(mw_grow(h->count, sizeof *h->entry, &h->entry));
    h->count++;
    for (; at > 0 && h->entry[(at - 1) / CHILDREN].distance > distance; at = (at - 1) / CHILDREN)
        h->entry[at] = h->entry[(at - 1) / CHILDREN];
    h->entry[at] = (struct entry){ distance, vertex };
    return 0;
}

static struct entry pop(struct heap *h)
{
    const struct entry first = h->entry[0], last = h->entry[--h->count];
    size_t at = 0;
    for (;;) {
        const size_t begin = CHILDREN * at + 1, end = begin + CHILDREN < h->count ? begin + CHILDREN : h->count;
        size_t least = begin;
        if (begin >= h->count)
            break;
        for (size_t c = begin + 1; c < end; c++)
            least = h->entry[c].distance < h->entry[least].distance ? c : least;
        if (h->entry[least].distance >= last.distance)
            break;
        h->entry[at] = h->entry[least];
        at = least;
    }
    h->entry[at] = last;
    return first;
}

static const char *dijkstra_refuses(const struct mw_distance_job *job)
{
    if (!job->native)
        return "needs a native device: use near-far";
    return job->least < 0 ? "needs weights of 0 or more: use rounds" : NULL;
}

static int dijkstra_search(struct mw_distance_job *job)
{
    const struct mw_graph *g = job->graph;
    struct heap heap = { 0 };
    int rc;
    job->began = mw_work_now();
    for (size_t v = 0; v < g->vertices; v++)
        job->distance[v] = MW_NO_DISTANCE;
    job->distance[job->from] = 0;
    TRY(push(&heap, 0, job->from));
    for (uint64_t pops = 0; heap.count > 0; pops++) {
        const struct entry e = pop(&heap);
        if (pops % POPS_AT_ONCE == 0)
            TRY(mw_progress_look());
        if (e.distance > job->distance[e.vertex])
            continue;
        for (uint64_t i = g->offsets[e.vertex]; i < g->offsets[e.vertex + 1]; i++) {
            const int64_t distance = e.distance + mw_job_weight(job, i);
            if (distance >= job->distance[g->heads[i]])
                continue;
            job->distance[g->heads[i]] = distance;
            TRY(push(&heap, distance, g->heads[i]));
        }
    }
out:
    free(heap.entry);
    return rc;
}

const struct mw_distance_variant mw_distance_dijkstra = { dijkstra_refuses, dijkstra_search };
/* SPDX-License-Identifier: MIT */
