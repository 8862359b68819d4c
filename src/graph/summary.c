/* Summary of a graph: degrees, isolated vertices, self-loops and multiple edges. */
#include "graph/graph_internal.h"

#include <stdlib.h>

/* State for finding equal heads. In sorted lists these are neighbours; in others, seen[head] is the last tail. */
struct counting {
    const struct mw_graph *graph;
    uint32_t *seen; /* last tail with an arc to this head, plus 1; made when first needed */
    struct mw_graph_summary summary;
};

static bool goes_up(const struct mw_graph *graph, size_t vertex)
{
    for (uint64_t i = graph->offsets[vertex] + 1; i < graph->offsets[vertex + 1]; i++)
        if (graph->heads[i - 1] > graph->heads[i])
            return false;
    return true;
}

/* Counts self-loops and multiple edges. In an undirected graph, an edge counts at its smaller endpoint, and a self-loop
 * is two arcs. */
static int count_arcs(struct counting *c, size_t vertex)
{
    const struct mw_graph *graph = c->graph;
    const uint64_t begin = graph->offsets[vertex], end = graph->offsets[vertex + 1];
    const bool up = goes_up(graph, vertex);
    uint64_t self = 0, multiple = 0;
    if (!up && !c->seen)
        TRY_RETURN(mw_new(graph->vertices, sizeof *c->seen, &c->seen));
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t head = graph->heads[i];
        const bool again = up ? i > begin && graph->heads[i - 1] == head : c->seen[head] == vertex + 1;
        self += head == vertex;
        multiple += again && (graph->directed ? head != vertex : head > vertex);
        if (!up)
            c->seen[head] = (uint32_t)vertex + 1;
    }
    if (!graph->directed)
        self = (self + 1) / 2;
    c->summary.self += self;
    c->summary.multiple += multiple + (self > 0 ? self - 1 : 0);
    return 0;
}

/* Counts vertices without arcs. In a directed graph, no arc may lead to them either. */
static int count_isolated(const struct mw_graph *graph, size_t *isolated)
{
    unsigned char *met = NULL;
    size_t count = 0;
    int rc = 0;
    if (graph->directed) {
        TRY(mw_new(graph->vertices, sizeof *met, &met));
        for (uint64_t i = 0; i < graph->arcs; i++)
            met[graph->heads[i]] = 1;
    }
    for (size_t v = 0; v < graph->vertices; v++)
        count += mw_graph_degree(graph, v) == 0 && !(met && met[v]);
    *isolated = count;
out:
    free(met);
    return rc;
}

int mw_graph_summarise(const struct mw_graph *graph, struct mw_graph_summary *summary)
{
    struct counting counting = { .graph = graph, .summary = { .vertices = graph->vertices } };
    struct mw_graph_summary *made = &counting.summary;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_summary, NULL, decimals, summary));
    TRY(mw_graph_check_heads(graph, 1));
    TRY(count_isolated(graph, &made->isolated));
    made->degree_min = graph->vertices ? UINT64_MAX : 0;
    for (size_t v = 0; v < graph->vertices; v++) {
        const uint64_t d = mw_graph_degree(graph, v);
        made->degree_min = d < made->degree_min ? d : made->degree_min;
        made->degree_max = d > made->degree_max ? d : made->degree_max;
        TRY(count_arcs(&counting, v));
    }
    made->edges = graph->directed ? graph->arcs : graph->arcs / 2;
    made->degree_mean = graph->vertices ? (double)graph->arcs / (double)graph->vertices : 0.0;
    made->weighted = graph->weights != NULL;
    made->decimals = graph->decimals;
    for (uint64_t i = 0; made->weighted && i < graph->arcs; i++) {
        const int32_t weight = graph->weights[i];
        made->weight_min = i == 0 || weight < made->weight_min ? weight : made->weight_min;
        made->weight_max = i == 0 || weight > made->weight_max ? weight : made->weight_max;
    }
    TRY(MW_RESULT_GIVE(mw_graph_summary, made, decimals, summary));
out:
    free(counting.seen);
    return rc;
}

int mw_graph_degrees(const struct mw_graph *graph, uint64_t **counts, size_t *count)
{
    uint64_t *made, largest = 0;
    for (size_t v = 0; v < graph->vertices; v++)
        largest = mw_graph_degree(graph, v) > largest ? mw_graph_degree(graph, v) : largest;
    TRY_RETURN(mw_new((size_t)largest + 1, sizeof *made, &made));
    for (size_t v = 0; v < graph->vertices; v++)
        made[mw_graph_degree(graph, v)]++;
    *counts = made;
    *count = (size_t)largest + 1;
    return 0;
}
/* SPDX-License-Identifier: MIT */
