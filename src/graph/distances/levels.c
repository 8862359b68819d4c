/* Variant levels: breadth-first search by threads of the host, level by level: top-down along arcs, or bottom-up from
 * unreached vertices (Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012). */
#include <stdlib.h>
#include <string.h>

#include "graph/distances/distances_internal.h"

enum { ALPHA = 15, BETA = 18 }; /* as in the paper: for unexplored arcs, and for vertices */
enum { WORD = 64, GRAIN = 16 };

struct levels {
    const struct mw_distance_job *job;
    struct mw_wave wave;
    int32_t *level;       /* -1: not reached */
    uint64_t *now, *next; /* bottom-up frontiers, one bit per vertex */
    uint64_t *arcs;       /* arcs of the vertices that each thread pushed, one cache line each */
    int32_t turn;
};

static void reach(struct levels *s, uint32_t v, unsigned worker)
{
    const struct mw_graph *g = s->job->graph;
    s->arcs[8 * worker] += g->offsets[v + 1] - g->offsets[v];
    mw_wave_push(&s->wave, worker, v);
}

static void along(void *context, uint32_t v, unsigned worker)
{
    struct levels *s = context;
    const struct mw_graph *g = s->job->graph;
    for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        int32_t none = -1;
        if (__atomic_load_n(&s->level[g->heads[i]], __ATOMIC_RELAXED) == -1 &&
            __atomic_compare_exchange_n(&s->level[g->heads[i]], &none, s->turn, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            reach(s, g->heads[i], worker);
    }
}

static void levels_mark(void *context, uint32_t v, unsigned worker)
{
    const struct levels *s = context;
    __atomic_fetch_or(&s->now[v / WORD], (uint64_t)1 << v % WORD, __ATOMIC_RELAXED);
}

/* Bottom-up: searches the arcs of unreached vertices, in words of 64 vertices. */
static void against(void *context, size_t begin, size_t end, unsigned worker)
{
    struct levels *s = context;
    const struct mw_graph *g = s->job->graph;
    for (size_t w = begin; w < end; w++) {
        const size_t last = (w + 1) * WORD < g->vertices ? (w + 1) * WORD : g->vertices;
        uint64_t found = 0;
        for (size_t v = w * WORD; v < last; v++) {
            if (s->level[v] != -1)
                continue;
            for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
                const uint32_t head = g->heads[i];
                if (!(s->now[head / WORD] >> head % WORD & 1))
                    continue;
                s->level[v] = s->turn;
                found |= (uint64_t)1 << v % WORD;
                reach(s, (uint32_t)v, worker);
                break;
            }
        }
        s->next[w] = found;
    }
}

static uint64_t take_arcs(struct levels *s)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < s->wave.threads; t++) {
        sum += s->arcs[8 * t];
        s->arcs[8 * t] = 0;
    }
    return sum;
}

/* Searches level by level bottom-up, until few vertices are new. */
static int search_against(struct levels *s, size_t *count, uint64_t *left)
{
    const size_t n = s->job->graph->vertices, words = (n + WORD - 1) / WORD;
    size_t before;
    memset(s->now, 0, words * sizeof *s->now);
    mw_wave_run(&s->wave, levels_mark, s);
    do {
        uint64_t *done = s->now;
        before = *count;
        mw_parallel_for(s->job->executor, words, GRAIN, against, s);
        s->now = s->next;
        s->next = done;
        s->turn++;
        *left -= take_arcs(s);
        TRY_RETURN(mw_wave_turn(&s->wave, count));
    } while (*count > before || *count > n / BETA);
    return 0;
}

static int search_levels(struct levels *s)
{
    const struct mw_graph *g = s->job->graph;
    uint64_t left = g->arcs, arcs;
    size_t count;
    reach(s, s->job->from, 0);
    arcs = take_arcs(s);
    left -= arcs;
    TRY_RETURN(mw_wave_turn(&s->wave, &count));
    for (s->turn = 1; count > 0;) {
        if (!g->directed && arcs > left / ALPHA && count > 1) {
            TRY_RETURN(search_against(s, &count, &left));
            arcs = 0;
            continue;
        }
        mw_wave_run(&s->wave, along, s);
        s->turn++;
        arcs = take_arcs(s);
        left -= arcs;
        TRY_RETURN(mw_wave_turn(&s->wave, &count));
    }
    return 0;
}

static const char *levels_refuses(const struct mw_distance_job *job)
{
    if (!job->native)
        return "needs a native device: use near-far";
    return job->weights ? "ignores weights, which this graph has: use delta" : NULL;
}

static int levels_search(struct mw_distance_job *job)
{
    const size_t n = job->graph->vertices, words = (n + WORD - 1) / WORD;
    struct levels s = { .job = job };
    int rc;
    TRY(mw_new(n, sizeof *s.level, &s.level));
    TRY(mw_new(words, sizeof *s.now, &s.now));
    TRY(mw_new(words, sizeof *s.next, &s.next));
    TRY(mw_wave_make(job->executor, &s.wave));
    TRY(mw_new_aligned(s.wave.threads, 64, &s.arcs));
    job->began = mw_work_now();
    memset(s.level, 0xff, n * sizeof *s.level);
    s.level[job->from] = 0;
    TRY(search_levels(&s));
    for (size_t v = 0; v < n; v++)
        job->distance[v] = s.level[v] < 0 ? MW_NO_DISTANCE : s.level[v];
out:
    mw_wave_drop(&s.wave);
    free(s.level);
    free(s.now);
    free(s.next);
    free(s.arcs);
    return rc;
}

const struct mw_distance_variant mw_distance_levels = { levels_refuses, levels_search };
/* SPDX-License-Identifier: MIT */
