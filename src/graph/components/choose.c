/* Choice of variant auto for components, from samples of the graph. */
#include <string.h>

#include "graph/components/shares.h"

enum { SAMPLES = 1024, FEW_ARCS = 10000, FEW_ARCS_OF_ITEMS = 30000000 };
enum { SEARCHES = 5, SEARCH_ARCS = 4096, SEARCH_PART = 16, PLACE_BITS = 14, PLACES = 1 << PLACE_BITS };

/* Estimates the fraction of arcs after the first two of each vertex. */
static double beyond_two(const struct mw_graph *g)
{
    uint64_t all = 0, first = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t v = g->vertices / SAMPLES * s + g->vertices % SAMPLES * s / SAMPLES;
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        all += degree;
        first += degree < 2 ? degree : 2;
    }
    return all ? (double)(all - first) / (double)all : 0;
}

/* The vertices of a search, and a hash table of their positions, counted from 1 (0: free). */
struct found {
    uint32_t vertex[SEARCH_ARCS + 1];
    uint16_t place[PLACES];
    size_t count;
};

static void components_choose_add(struct found *f, uint32_t v)
{
    uint32_t at = v * 2654435769u >> (32 - PLACE_BITS);
    for (; f->place[at]; at = (at + 1) % PLACES)
        if (f->vertex[f->place[at] - 1] == v)
            return;
    f->vertex[f->count++] = v;
    f->place[at] = (uint16_t)f->count;
}

/* Returns whether the component of a vertex has few of the arcs, and at most half of the vertices. */
static bool is_in_small(const struct mw_graph *g, uint32_t v)
{
    const uint64_t most = g->arcs / SEARCH_PART < SEARCH_ARCS ? g->arcs / SEARCH_PART : SEARCH_ARCS;
    struct found f;
    uint64_t arcs = 0;
    memset(f.place, 0, sizeof f.place);
    f.count = 0;
    components_choose_add(&f, v);
    for (size_t i = 0; i < f.count; i++) {
        const uint64_t begin = g->offsets[f.vertex[i]], end = g->offsets[f.vertex[i] + 1];
        arcs += end - begin;
        if (arcs > most)
            return false;
        for (uint64_t a = begin; a < end; a++)
            components_choose_add(&f, g->heads[a]);
    }
    return f.count <= g->vertices / 2;
}

/* Returns whether most searches from arcs all over the graph end soon. Then a component with most of the arcs is
 * unlikely. */
static bool is_of_small_parts(const struct mw_graph *g)
{
    size_t small = 0;
    for (size_t s = 0; s < SEARCHES; s++)
        small += is_in_small(g, g->heads[(2 * s + 1) * g->arcs / (2 * SEARCHES)]);
    return small > SEARCHES / 2;
}

/* The paper's advice, "if the graph diameter is very large use the CPU; if the average degree is very large use kernel
 * 1", is about variants that work in rounds. Union-find does not, so the diameter is irrelevant. Skipping the giant
 * component saves more the larger the degree. So Afforest is chosen, unless:
 *
 * - arcs are directed, so that nothing can be skipped;
 * - there are hardly any arcs after the two of each vertex that it links first;
 * - there are few arcs, and finding the giant component takes longer than following all of them: up to 10000 arcs, ecl
 * takes 0.5 to 1 of the time on graphs of five generators;
 * - there are only small components: ecl takes 0.7 to 1 of the time up to 8 million arcs.
 *
 * On GPUs, which hide memory latency, Afforest's extra launches cost more than they save, except with very many arcs.
 * On an H200, Afforest takes 0.5 of ecl's time with 134 million arcs, 0.85 with 33 million, and 0.9 to 1.3 with 20
 * million. */
bool mw_component_prefers_ecl(const struct mw_graph_labelling *l)
{
    const struct mw_graph *g = &l->graph;
    const uint64_t few = l->share[0].on.cores ? FEW_ARCS : FEW_ARCS_OF_ITEMS;
    return g->directed || g->arcs <= few || beyond_two(g) < 0.25 || is_of_small_parts(g);
}
/* SPDX-License-Identifier: MIT */
