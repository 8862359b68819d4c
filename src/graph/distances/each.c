/* Distances between all vertices by a search from each: threads take vertices, or a device does one after the other. */
#include <stdatomic.h>
#include <stdlib.h>

#include "graph/distances/lengths_internal.h"

/* ---- searches of one thread each ---- */

struct each {
    struct mw_length_job *job;
    const struct mw_distance_variant *variant;
    struct mw_distance_job *own; /* of each thread */
    atomic_int status;
    char sentence[1024];
};

static void search_from(void *context, size_t begin, size_t end, unsigned worker)
{
    struct each *e = context;
    struct mw_distance_job *own = &e->own[worker];
    for (size_t v = begin; v < end && atomic_load(&e->status) == 0; v++) {
        int none = 0;
        own->from = (uint32_t)v;
        const int rc = e->variant->search(own);
        if (rc == 0)
            mw_length_add(e->job, worker, own->from, own->distance);
        else if (atomic_compare_exchange_strong(&e->status, &none, rc))
            mw_copy_string(e->sentence, sizeof e->sentence, mw_errmsg());
    }
}

static int search_each(struct mw_length_job *job, const struct mw_distance_variant *variant)
{
    struct mw_executor *executor = job->search.executor;
    const unsigned threads = mw_executor_threads(executor);
    struct each each = { .job = job, .variant = variant };
    int rc;
    atomic_init(&each.status, 0);
    TRY(mw_new(threads, sizeof *each.own, &each.own));
    for (unsigned t = 0; t < threads; t++) {
        each.own[t] = job->search;
        each.own[t].executor = NULL;
        each.own[t].distance = NULL;
        TRY(mw_executor_new("serial", 1, &each.own[t].executor));
        TRY(mw_new(job->search.graph->vertices, sizeof *each.own[t].distance, &each.own[t].distance));
    }
    job->search.began = mw_now();
    mw_parallel_for(executor, job->search.graph->vertices, 1, search_from, &each);
    if (atomic_load(&each.status))
        rc = mw_fail(atomic_load(&each.status), "%s", each.sentence);
    job->search.delta = each.own[0].delta;
out:
    for (unsigned t = 0; each.own && t < threads; t++) {
        mw_executor_free(each.own[t].executor);
        free(each.own[t].distance);
    }
    free(each.own);
    return rc;
}

static const char *refuses_devices(const struct mw_length_job *job)
{
    if (!job->search.native)
        return "is for native devices: use piles";
    return job->search.least < 0 ? "is for weights of 0 and above: use tiles" : NULL;
}

static int run_delta(struct mw_length_job *job) { return search_each(job, &mw_distance_delta); }
static int run_dijkstra(struct mw_length_job *job) { return search_each(job, &mw_distance_dijkstra); }
const struct mw_length_variant mw_length_delta = { refuses_devices, run_delta };
const struct mw_length_variant mw_length_dijkstra = { refuses_devices, run_dijkstra };

/* ---- searches of a device ---- */

static const char *refuses_negative(const struct mw_length_job *job)
{
    return job->search.least < 0 ? "is for weights of 0 and above: use tiles" : NULL;
}

static int run_piles(struct mw_length_job *job)
{
    struct mw_distance_job own = job->search;
    struct mw_piles *piles = NULL;
    int rc;
    own.distance = NULL;
    TRY(mw_new(own.graph->vertices, sizeof *own.distance, &own.distance));
    TRY(mw_piles_new(&own, &piles));
    job->search.began = mw_now();
    for (size_t v = 0; v < own.graph->vertices; v++) {
        own.from = (uint32_t)v;
        TRY(mw_piles_search(&own, piles));
        mw_length_add(job, 0, own.from, own.distance);
    }
    job->search.delta = own.delta;
out:
    mw_piles_free(piles);
    free(own.distance);
    return rc;
}

const struct mw_length_variant mw_length_piles = { refuses_negative, run_piles };
