/* Distances between all vertices by weights: options checked, a variant chosen, what was found summed up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/distances/lengths_internal.h"

enum { DENSE = 50 };             /* a mean of one arc to so many vertices is worth a matrix on cores */
#define MATRIX_MOST 16384        /* vertices for which other devices are quicker with one */

static const struct { struct mw_variant shown; const struct mw_length_variant *is; } table[] = {
    { { "tiles", "by weights: Floyd's and Warshall's algorithm in tiles of the matrix; for all devices, also below 0",
        NULL }, &mw_length_tiles },
    { { "delta", "by weights: delta-stepping from each vertex by a thread; native devices", NULL }, &mw_length_delta },
    { { "piles", "by weights: a near pile and a far one, from one vertex after the other; for all devices", NULL },
      &mw_length_piles },
    { { "dijkstra", "by weights: Dijkstra's algorithm from each vertex by a thread; native devices", NULL },
      &mw_length_dijkstra },
};
enum { TILES, DELTA, PILES, DIJKSTRA };

const struct mw_variant *mw_graph_length_variants(size_t i)
{
    return i < MW_COUNT(table) ? &table[i].shown : NULL;
}

void mw_length_add(struct mw_length_job *job, unsigned worker, uint32_t from, const int64_t *distance)
{
    struct mw_length_tally *t = &job->tally[worker], own = { 0 };
    struct mw_graph_lengths *found = job->found;
    for (size_t v = 0; v < job->search.graph->vertices; v++) {
        if (distance[v] == MW_NO_DISTANCE || v == from)
            continue;
        own.longest = own.pairs == 0 || distance[v] > own.longest ? distance[v] : own.longest;
        own.pairs++;
        own.sum += distance[v];
    }
    if (own.pairs == 0)
        return;
    t->longest = t->pairs == 0 || own.longest > t->longest ? own.longest : t->longest;
    t->pairs += own.pairs;
    t->sum += own.sum;
    if (!found->reached)
        return;
    found->reached[from] = (uint32_t)own.pairs;
    found->farthest[from] = own.longest;
    found->near[from] = (struct mw_wide){ (uint64_t)own.sum, (uint64_t)(own.sum >> 64) };
}

/* ---- what is given ---- */

static size_t choose_auto(const struct mw_distance_job *job)
{
    const double n = (double)job->graph->vertices, arcs = (double)job->graph->arcs;
    if (job->least < 0)
        return TILES;
    if (job->native)
        return arcs * DENSE > n * n ? TILES : DELTA;
    return n <= MATRIX_MOST ? TILES : PILES;
}

static int choose(const struct mw_length_job *job, const char *name, size_t *variant)
{
    size_t v = choose_auto(&job->search);
    const char *why;
    int rc = 0;
    if (name && strcmp(name, "auto") != 0)
        TRY(mw_variant_find(mw_graph_length_variants, name, &v));
    why = table[v].is->refuses ? table[v].is->refuses(job) : NULL;
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(job->search.device)->id, table[v].shown.name,
                       why);
    *variant = v;
out:
    return rc;
}

static int check_cycles(const struct mw_distance_job *job)
{
    int64_t *distance = NULL;
    int rc;
    TRY(mw_new(job->graph->vertices, sizeof *distance, &distance));
    TRY(mw_distance_negative(job, NULL, 0, distance));
out:
    free(distance);
    return rc;
}

static int make_results(struct mw_length_job *job, bool by_vertex)
{
    const size_t n = job->search.graph->vertices;
    int rc;
    TRY(mw_new(mw_executor_threads(job->search.executor), sizeof *job->tally, &job->tally));
    if (!by_vertex)
        goto out;
    TRY(mw_new(n, sizeof *job->found->reached, &job->found->reached));
    TRY(mw_new(n, sizeof *job->found->farthest, &job->found->farthest));
    TRY(mw_new(n, sizeof *job->found->near, &job->found->near));
out:
    return rc;
}

/* ---- the call ---- */

static void sum_up(const struct mw_length_job *job)
{
    struct mw_graph_lengths *found = job->found;
    const uint64_t n = found->vertices;
    mw_i128 sum = 0;
    for (unsigned t = 0; t < mw_executor_threads(job->search.executor); t++) {
        const struct mw_length_tally *own = &job->tally[t];
        if (own->pairs > 0 && (found->pairs == 0 || own->longest > found->longest))
            found->longest = own->longest;
        found->pairs += own->pairs;
        sum += own->sum;
    }
    found->unreachable = n ? n * (n - 1) - found->pairs : 0;
    found->sum = (struct mw_wide){ (uint64_t)sum, (uint64_t)(sum >> 64) };
    found->mean = found->pairs ? (double)sum / (double)found->pairs * pow(10, -found->decimals) : 0;
}

int mw_graph_lengths(struct mw_device *device, const struct mw_graph *graph,
                     const struct mw_graph_lengths_options *options, struct mw_graph_lengths *lengths)
{
    struct mw_graph_lengths made = { .vertices = graph->vertices, .decimals = graph->decimals };
    struct mw_length_job job = { .search = { .device = device, .graph = graph }, .found = &made };
    struct mw_graph_lengths_options o;
    const double start = mw_now();
    size_t variant = 0;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_graph_lengths_options, options, by_vertex, &o));
    if (!graph->weights)
        return mw_fail(MW_EINVAL, "distances by weights: the graph has none, take mw_graph_paths");
    TRY(mw_distance_take(&job.search));
    TRY(choose(&job, o.variant, &variant));
    if (job.search.least < 0)
        TRY(check_cycles(&job.search));
    TRY(make_results(&job, o.by_vertex));
    job.search.began = start;
    if (graph->vertices > 0)
        TRY(table[variant].is->run(&job));
    made.seconds = mw_now() - job.search.began;
    made.preparing = job.search.began - start;
    made.variant = table[variant].shown.name;
    sum_up(&job);
    *lengths = made;
    made = (struct mw_graph_lengths){ 0 };
out:
    mw_executor_free(job.search.executor);
    free(job.tally);
    mw_graph_lengths_free(&made);
    return rc;
}

void mw_graph_lengths_free(struct mw_graph_lengths *lengths)
{
    if (!lengths)
        return;
    free(lengths->reached);
    free(lengths->farthest);
    free(lengths->near);
    *lengths = (struct mw_graph_lengths){ 0 };
}
