/* Distances between all vertices by one search per target: either threads take targets, or a device searches from one
 * after the other. */
#include <stdatomic.h>
#include <stdlib.h>

#include "graph/distances/lengths_internal.h"

static const char *refuses_negative(const struct mw_length_share *share)
{
    return share->search.least < 0 ? "needs weights of 0 or more: use tiles" : NULL;
}

/* ---- one search per thread ---- */

enum { TARGETS_PER_THREAD = 32 };

struct each {
    struct mw_length_share *share;
    const struct mw_distance_variant *variant;
    struct mw_distance_job *own; /* per thread */
    int64_t *distances;          /* a row per thread */
    unsigned threads;
    size_t first;
    atomic_int status;
    char sentence[1024];
};

static void search_from(void *context, size_t begin, size_t end, unsigned worker)
{
    struct each *e = context;
    const struct mw_targets *targets = &e->share->of->targets;
    struct mw_distance_job *own = &e->own[worker];
    for (size_t t = begin; t < end && atomic_load(&e->status) == 0; t++) {
        int none = 0;
        own->from = targets->list[e->first + t];
        own->distance = e->distances + (targets->rows ? t : worker) * own->graph->vertices;
        const int rc = e->variant->search(own);
        if (rc == 0)
            mw_length_add(e->share, worker, e->first + t, own->distance);
        else if (atomic_compare_exchange_strong(&e->status, &none, rc))
            mw_copy_string(e->sentence, sizeof e->sentence, mw_errmsg());
    }
}

static int make_each(struct mw_length_share *share, const struct mw_distance_variant *variant, size_t *at_once)
{
    const size_t n = share->search.graph->vertices;
    struct each *e;
    size_t cells;
    TRY_RETURN(mw_own_new(&share->owner, 1, sizeof *e, &e));
    share->state = e;
    e->share = share;
    e->variant = variant;
    e->threads = mw_executor_threads(share->search.executor);
    atomic_init(&e->status, 0);
    TRY_RETURN(mw_own_new(&share->owner, e->threads, sizeof *e->own, &e->own));
    if (!mw_mul(n, e->threads, &cells))
        return mw_fail(MW_ELIMIT, "%zu vertices are too many for searches by %u threads", n, e->threads);
    TRY_RETURN(mw_own_new(&share->owner, cells, sizeof *e->distances, &e->distances));
    for (unsigned t = 0; t < e->threads; t++) {
        e->own[t] = share->search;
        e->own[t].executor = NULL; /* each search is on one thread */
    }
    *at_once = (size_t)(e->threads * TARGETS_PER_THREAD + MW_TARGET_TURN - 1) / MW_TARGET_TURN * MW_TARGET_TURN;
    return 0;
}

static int run_each(struct mw_length_share *share, size_t first, size_t count)
{
    struct each *e = share->state;
    const size_t some = share->of->targets.rows ? e->threads : count;
    for (size_t done = 0; done < count; done += some) {
        const size_t now = count - done < some ? count - done : some;
        e->first = first + done;
        mw_parallel_for(share->search.executor, now, 1, search_from, e);
        if (atomic_load(&e->status))
            return mw_fail(atomic_load(&e->status), "%s", e->sentence);
        TRY_RETURN(mw_length_give(share, first + done, now, e->distances));
    }
    return 0;
}

static const char *refuses_devices(const struct mw_length_share *share)
{
    return share->search.native ? refuses_negative(share) : "needs a native device: use near-far";
}

static int make_delta(struct mw_length_share *s, size_t *at_once) { return make_each(s, &mw_distance_delta, at_once); }
static int make_dijkstra(struct mw_length_share *s, size_t *at_once)
{
    return make_each(s, &mw_distance_dijkstra, at_once);
}
const struct mw_length_variant mw_length_delta = { refuses_devices, make_delta, run_each };
const struct mw_length_variant mw_length_dijkstra = { refuses_devices, make_dijkstra, run_each };

/* ---- one search at a time on a device ---- */

struct way {
    int (*make)(const struct mw_distance_job *job, struct mw_owner *own, void **search);
    int (*from)(struct mw_distance_job *job, void *search);
};

struct one {
    const struct way *way;
    struct mw_distance_job own;
    void *search;
};

static int make_one(struct mw_length_share *share, const struct way *way, size_t *at_once)
{
    struct one *s;
    TRY_RETURN(mw_own_new(&share->owner, 1, sizeof *s, &s));
    share->state = s;
    s->way = way;
    s->own = share->search;
    TRY_RETURN(mw_own_new(&share->owner, s->own.graph->vertices, sizeof *s->own.distance, &s->own.distance));
    TRY_RETURN(way->make(&s->own, &share->owner, &s->search));
    *at_once = MW_TARGET_TURN;
    return 0;
}

static int run_one(struct mw_length_share *share, size_t first, size_t count)
{
    struct one *s = share->state;
    for (size_t t = first; t < first + count; t++) {
        s->own.from = share->of->targets.list[t];
        TRY_RETURN(s->way->from(&s->own, s->search));
        mw_length_add(share, 0, t, s->own.distance);
        TRY_RETURN(mw_length_give(share, t, 1, s->own.distance));
    }
    return 0;
}

static int make_near_far(struct mw_length_share *share, size_t *at_once)
{
    static const struct way way = { mw_near_far_new, mw_near_far_search };
    return make_one(share, &way, at_once);
}

static int make_rounds(struct mw_length_share *share, size_t *at_once)
{
    static const struct way way = { mw_rounds_search_new, mw_rounds_search_from };
    return make_one(share, &way, at_once);
}

const struct mw_length_variant mw_length_near_far = { refuses_negative, make_near_far, run_one };
const struct mw_length_variant mw_length_rounds = { NULL, make_rounds, run_one };
/* SPDX-License-Identifier: MIT */
