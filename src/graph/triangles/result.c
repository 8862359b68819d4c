/* Results: triangles, triples and clustering. */
#include <stdlib.h>

#include "graph/triangles/triangles_internal.h"

/* Returns how many arcs of v have a reverse. */
static uint64_t count_returned(const struct mw_graph *g, const struct mw_graph *r, size_t v)
{
    uint64_t i = g->offsets[v], j = r->offsets[v], both = 0;
    while (i < g->offsets[v + 1] && j < r->offsets[v + 1]) {
        const uint32_t a = g->heads[i], b = r->heads[j];
        both += a == b;
        i += a <= b;
        j += b <= a;
    }
    return both;
}

/* Returns the triples with v in the middle. Avoids a branch on whether a degree is odd, which cannot be predicted. */
static uint64_t triples_of(const struct mw_triangle_job *job, size_t v)
{
    const struct mw_graph *g = job->graph, *r = job->reversed;
    const uint64_t out = g->offsets[v + 1] - g->offsets[v], in = r->offsets[v + 1] - r->offsets[v];
    return g->directed ? in * out - count_returned(g, r, v) : (uint64_t)((mw_u128)out * (out - 1) / 2);
}

void mw_triangle_count_triples(struct mw_triangle_job *job)
{
    mw_u128 all = 0;
    for (size_t v = 0; v < job->graph->vertices; v++) {
        const uint64_t of_v = triples_of(job, v);
        all += of_v;
        if (job->triples_of_vertex)
            job->triples_of_vertex[v] = of_v;
    }
    job->triples = (struct mw_wide){ (uint64_t)all, (uint64_t)(all >> 64) };
}

static void find_local(const struct mw_triangle_job *job, struct mw_graph_triangles *t)
{
    double sum = 0;
    for (size_t v = 0; v < t->vertices; v++) {
        if (job->triples_of_vertex[v] == 0)
            continue;
        job->local[v] = (double)job->of_vertex[v] / (double)job->triples_of_vertex[v];
        t->local_vertices++;
        sum += job->local[v];
    }
    t->mean_local = t->local_vertices ? sum / (double)t->local_vertices : 0;
}

/* Returns the index of an arc of a simple graph, or SIZE_MAX. */
static size_t arc_between(const struct mw_graph *g, uint32_t tail, uint32_t head)
{
    size_t low = (size_t)g->offsets[tail], high = (size_t)g->offsets[tail + 1];
    const size_t end = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->heads[middle] < head)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && g->heads[low] == head ? low : SIZE_MAX;
}

/* Replaces the counts per arc of the simple graph by those of the caller's graph. */
static int give_arcs(struct mw_triangle_job *job, const struct mw_graph *given)
{
    uint32_t *of_arc;
    if (job->graph == given)
        return 0;
    TRY_RETURN(mw_new_unless(job->options.of_arc, (size_t)given->arcs, sizeof *of_arc, &of_arc));
    for (size_t v = 0; v < given->vertices; v++)
        for (uint64_t i = given->offsets[v]; i < given->offsets[v + 1]; i++) {
            const size_t at = arc_between(job->graph, (uint32_t)v, given->heads[i]);
            of_arc[i] = at == SIZE_MAX ? 0 : job->of_arc[at];
        }
    free(job->of_arc);
    job->of_arc = of_arc;
    return 0;
}

/* A graph that is only marked undirected may lack a reverse arc. */
static void add_to_arc(struct mw_triangle_job *job, uint32_t tail, uint32_t head, uint32_t found)
{
    const size_t at = arc_between(job->graph, tail, head);
    if (at != SIZE_MAX)
        job->of_arc[at] += found;
}

void mw_triangle_give_arcs(struct mw_triangle_job *job, size_t u, const uint32_t *heads, const uint32_t *found,
                           size_t count, bool backwards)
{
    const bool directed = job->graph->directed;
    for (size_t i = 0; i < count; i++) {
        if (found[i] == 0)
            continue;
        if (!directed || !backwards)
            add_to_arc(job, (uint32_t)u, heads[i], found[i]);
        if (!directed || backwards)
            add_to_arc(job, heads[i], (uint32_t)u, found[i]);
    }
}

int mw_triangle_result(struct mw_triangle_job *job, const struct mw_graph *given, struct mw_graph_triangles *t)
{
    const struct mw_graph_triangles_options *o = &job->options;
    const unsigned twice = job->variant->both_ways && !job->graph->directed ? 2 : 1;
    mw_u128 triples;
    struct mw_graph_triangles made = { .size = sizeof made,
                                       .vertices = job->graph->vertices,
                                       .variant = job->options.variant };
    for (size_t s = 0; s < job->share_count; s++) {
        made.triangles += job->share[s].triangles;
        made.triples.low += job->share[s].triples;
    }
    made.triangles /= twice;
    made.triples.low /= twice;
    if (!job->variant->counts_triples)
        made.triples = job->triples;
    if (o->by_vertex)
        find_local(job, &made);
    if (o->by_arc)
        TRY_RETURN(give_arcs(job, given));
    triples = (mw_u128)made.triples.high << 64 | made.triples.low;
    made.clustering = triples ? 3 * (double)made.triangles / (double)triples : 0;
    made.of_vertex = o->of_vertex ? NULL : job->of_vertex;
    made.triples_of_vertex = o->triples_of_vertex ? NULL : job->triples_of_vertex;
    made.local = o->local ? NULL : job->local;
    made.of_arc = o->of_arc ? NULL : job->of_arc;
    job->of_vertex = job->triples_of_vertex = NULL;
    job->local = NULL;
    job->of_arc = NULL;
    *t = made;
    return 0;
}

void mw_graph_triangles_free(struct mw_graph_triangles *triangles)
{
    if (!triangles)
        return;
    free(triangles->of_vertex);
    free(triangles->triples_of_vertex);
    free(triangles->local);
    free(triangles->of_arc);
    mw_result_clear(triangles);
}
/* SPDX-License-Identifier: MIT */
