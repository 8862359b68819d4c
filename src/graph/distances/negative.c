/* Negative weights: the Bellman-Ford algorithm with a queue, on one thread of the host, and the detection of negative
 * cycles. */
#include <stdlib.h>
#include <string.h>

#include "graph/distances/distances_internal.h"

enum { NAMES_MOST = 20 };

struct negative {
    const struct mw_distance_job *job;
    int64_t *distance;
    uint32_t *before; /* tail of the arc that last reached a vertex */
    uint32_t *queue;  /* a ring buffer, each vertex at most once */
    unsigned char *queued;
    uint32_t *seen;
    size_t head, count;
};

static void push(struct negative *s, uint32_t v)
{
    const size_t n = s->job->graph->vertices;
    if (s->queued[v])
        return;
    s->queued[v] = 1;
    s->queue[(s->head + s->count++) % n] = v;
}

/* Returns a vertex on a cycle of `before`, or MW_NO_VERTEX without a cycle. */
static uint32_t find_cycle(struct negative *s)
{
    const size_t n = s->job->graph->vertices;
    memset(s->seen, 0, n * sizeof *s->seen);
    for (size_t first = 0; first < n; first++) {
        uint32_t v = (uint32_t)first;
        for (; v != MW_NO_VERTEX && s->seen[v] == 0; v = s->before[v])
            s->seen[v] = (uint32_t)first + 1;
        if (v != MW_NO_VERTEX && s->seen[v] == first + 1)
            return v;
    }
    return MW_NO_VERTEX;
}

/* Reports a cycle. `before` follows arcs backwards; the message names the vertices along the arcs. */
static int name_cycle(const struct negative *s, uint32_t on)
{
    const struct mw_graph *g = s->job->graph;
    struct mw_text text = { 0 };
    char name[MW_NAME_CAPACITY];
    uint32_t *cycle = NULL;
    size_t length = 0;
    uint32_t v = on;
    int rc;
    TRY(mw_new(g->vertices, sizeof *cycle, &cycle));
    do {
        cycle[length++] = v;
        v = s->before[v];
    } while (v != on);
    for (size_t i = 0; i < length && i < NAMES_MOST; i++)
        mw_text_add(&text, "%s, ", mw_name(g->names, cycle[(2 * length - i) % length], name));
    mw_text_add(&text, "%s%s", length > NAMES_MOST ? "..., " : "", mw_name(g->names, on, name));
    TRY(mw_text_ok(&text));
    rc = mw_fail(MW_EDATA, "the weights of a cycle add up to less than 0, so that there are no shortest paths: %s",
                 text.data);
out:
    mw_text_free(&text);
    free(cycle);
    return rc;
}

static int negative_visit(struct negative *s, uint32_t v, uint64_t *changes)
{
    const struct mw_graph *g = s->job->graph;
    for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        const uint32_t head = g->heads[i];
        const int64_t distance = s->distance[v] + mw_job_weight(s->job, i);
        if (distance >= s->distance[head])
            continue;
        s->distance[head] = distance;
        s->before[head] = v;
        push(s, head);
        /* A negative cycle becomes a cycle of `before`. Searching for it costs about as much as n changes. */
        if (++*changes % g->vertices == 0) {
            const uint32_t on = find_cycle(s);
            if (on != MW_NO_VERTEX)
                return name_cycle(s, on);
        }
    }
    return 0;
}

int mw_distance_negative(const struct mw_distance_job *job, const uint32_t *from, size_t count, int64_t *distance)
{
    const size_t n = job->graph->vertices;
    struct negative s = { .job = job, .distance = distance };
    struct mw_owner own = { 0 };
    uint64_t changes = 0;
    int rc;
    TRY(mw_own_new(&own, n, sizeof *s.before, &s.before));
    TRY(mw_own_new(&own, n, sizeof *s.queue, &s.queue));
    TRY(mw_own_new(&own, n, sizeof *s.seen, &s.seen));
    TRY(mw_own_new(&own, n, sizeof *s.queued, &s.queued));
    memset(s.before, 0xff, n * sizeof *s.before);
    for (size_t v = 0; v < n; v++)
        distance[v] = count > 0 ? MW_NO_DISTANCE : 0;
    for (size_t i = 0; i < (count > 0 ? count : n); i++) {
        const uint32_t v = count > 0 ? from[i] : (uint32_t)i;
        distance[v] = 0;
        push(&s, v);
    }
    while (s.count > 0) {
        const uint32_t v = s.queue[s.head];
        s.head = (s.head + 1) % n;
        s.count--;
        s.queued[v] = 0;
        TRY(negative_visit(&s, v, &changes));
    }
out:
    mw_owner_drop(&own);
    return rc;
}
/* SPDX-License-Identifier: MIT */
