/* Bridges, articulation points and biconnected components: the choice of a variant, and variant search: one depth-first
 * search (Hopcroft and Tarjan, Communications of the ACM 16 (1973) 372) with a stack instead of recursion. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "graph/components/skeleton.h"
#include "graph/components/components_internal.h"
#include "graph/targets/targets.h"

enum { SEARCH, SKELETON };
static const struct mw_variant table[] = {
    [SEARCH] = { "search", "one depth-first search with a stack (Hopcroft, Tarjan 1973); one thread of the host",
                 NULL },
    [SKELETON] = { "skeleton",
                   "FAST-BCC: components of a skeleton, from a spanning forest and its Euler tour (Dong et al. 2023)",
                   NULL },
};

const struct mw_variant *mw_graph_bridge_variants(size_t i) { return i < MW_COUNT(table) ? &table[i] : NULL; }

/* ---- variant search ---- */

struct search {
    const struct mw_graph *graph;  /* undirected */
    uint64_t *next;                /* next arc of a vertex */
    uint32_t *number, *low;        /* number: discovery order, 0 if not yet met; low: smallest number reachable from
                                    * below */
    uint32_t *above, *path, *open; /* above: parent; path: stack of vertices; open: vertices not yet in a component with
                                    * their parent */
    bool *came;                    /* the arc back to the parent was skipped */
    size_t depth, open_count, left; /* left: vertices whose arcs have all been followed */
    uint32_t met;
    uint32_t *memberships;
    struct mw_graph_bridges *found;
};

static void enter(struct search *s, uint32_t v, uint32_t above)
{
    s->number[v] = s->low[v] = ++s->met;
    s->next[v] = s->graph->offsets[v];
    s->above[v] = above;
    s->path[s->depth++] = v;
    s->open[s->open_count++] = v;
}

static int add_bridge(struct search *s, uint32_t a, uint32_t b)
{
    struct mw_graph_bridges *f = s->found;
    TRY_RETURN(mw_grow(f->bridges, 2 * sizeof *f->ends, &f->ends));
    f->ends[2 * f->bridges] = a < b ? a : b;
    f->ends[2 * f->bridges++ + 1] = a < b ? b : a;
    return 0;
}

/* Closes a component: v, the vertices met after it, and its parent. */
static void close_component(struct search *s, uint32_t v)
{
    struct mw_graph_bridges *f = s->found;
    size_t size = 1;
    uint32_t member;
    do {
        member = s->open[--s->open_count];
        s->memberships[member]++;
        size++;
    } while (member != v);
    s->memberships[s->above[v]]++;
    f->components++;
    f->largest = size > f->largest ? size : f->largest;
}

static int components_bridges_leave(struct search *s, uint32_t v)
{
    enum { LOOKS = 1 << 16 }; /* vertices between two reports of progress */
    const uint32_t above = s->above[v];
    s->depth--;
    if (++s->left % LOOKS == 0)
        TRY_RETURN(mw_progress_look());
    if (s->depth == 0) {
        s->open_count = 0;
        return 0;
    }
    if (s->low[v] >= s->number[above])
        close_component(s, v);
    s->low[above] = s->low[v] < s->low[above] ? s->low[v] : s->low[above];
    return s->low[v] > s->number[above] ? add_bridge(s, above, v) : 0;
}

static int search_from(struct search *s, uint32_t source)
{
    enter(s, source, source);
    while (s->depth > 0) {
        const uint32_t v = s->path[s->depth - 1];
        if (s->next[v] == s->graph->offsets[v + 1]) {
            TRY_RETURN(components_bridges_leave(s, v));
            continue;
        }
        const uint32_t head = s->graph->heads[s->next[v]++];
        if (s->number[head] == 0)
            enter(s, head, v);
        else if (head == s->above[v] && !s->came[v]) /* a second, parallel edge counts */
            s->came[v] = true;
        else if (s->number[head] < s->low[v])
            s->low[v] = s->number[head];
    }
    return 0;
}

static int upwards(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static int search_all(struct search *s, struct mw_owner *own)
{
    const size_t n = s->graph->vertices;
    TRY_RETURN(mw_own_new(own, n, sizeof *s->next, &s->next));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->number, &s->number));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->low, &s->low));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->above, &s->above));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->path, &s->path));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->open, &s->open));
    TRY_RETURN(mw_own_new(own, n, sizeof *s->came, &s->came));
    for (size_t v = 0; v < n; v++)
        if (s->number[v] == 0)
            TRY_RETURN(search_from(s, (uint32_t)v));
    if (s->found->bridges > 0)
        qsort(s->found->ends, s->found->bridges, 2 * sizeof *s->found->ends, upwards);
    return 0;
}

/* ---- choice and interface ---- */

/* Returns whether most first arcs of sampled vertices lead to vertices with distant numbers, so that a search waits for
 * memory at each of them. */
static bool is_scattered(const struct mw_graph *g)
{
    enum { SAMPLES = 1024, FAR = 4096 };
    size_t arcs = 0, far = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t v = g->vertices / SAMPLES * s + g->vertices % SAMPLES * s / SAMPLES;
        if (g->offsets[v] == g->offsets[v + 1])
            continue;
        const size_t head = g->heads[g->offsets[v]];
        arcs++;
        far += (head > v ? head - v : v - head) > FAR;
    }
    return 2 * far > arcs;
}

/* The skeleton reads each arc twice, and a vertex costs as much as some ten arcs. But it need not wait for memory, and
 * uses all cores. With 16 cores and on an H200 (transfers included) it was faster for all graphs above about these
 * sizes. With 2 cores it was faster for scattered graphs (0.34 to 0.74 of the search's time), but slower for roads,
 * lines and grids. On PoCL with 2 cores only a small world was measured: 0.12 s, against 0.05 s for the search. */
static size_t choose_auto(const struct mw_device *device, const struct mw_graph *graph)
{
    enum { CORES_MANY = 4, ARCS_CORES = 1000000, ARCS_GPU = 500000 };
    const struct mw_device_info *info = mw_device_info(device);
    const unsigned units = info->compute_units;
    size_t variant = SEARCH;
    if (!info->traits->has_cores)
        variant = graph->arcs >= ARCS_GPU ? SKELETON : SEARCH;
    else if (info->kind == MW_DEVICE_NATIVE && units > 1 && graph->arcs >= ARCS_CORES)
        variant = units >= CORES_MANY || is_scattered(graph) ? SKELETON : SEARCH;
    mw_log(MW_LOG_INFO, "variant auto: %zu vertices, %llu arcs, %s with %u units: %s", graph->vertices,
           (unsigned long long)graph->arcs, info->id, units,
           variant == SKELETON ? "skeleton, on all units" : "search, on one thread");
    return variant;
}

/* Returns the number of devices that take part: forests, the tour and the smallest numbers go through the host. */
static size_t bridges_devices(struct mw_device *const *devices, size_t count, const struct mw_graph *graph)
{
    enum { VISITS = 2, PASSES = 4, MERGED = 12 };
    const double n = (double)graph->vertices;
    const struct mw_worth work = { .what = "bridges",
                                   .visits = VISITS * (double)graph->arcs,
                                   .repeated = PASSES * n,
                                   .waits = PASSES,
                                   .bytes = MERGED * n * sizeof(uint32_t) };
    return mw_devices_worth(devices, count, &work);
}

/* Chooses the variant, and how many of the devices take part. */
static int components_bridges_choose(struct mw_device *const *devices, size_t *count, const struct mw_graph *graph,
                                     const char *name, size_t *variant)
{
    const size_t given = *count;
    const bool named = name && strcmp(name, "auto") != 0;
    *count = bridges_devices(devices, given, graph);
    if (named)
        TRY_RETURN(mw_variant_find(mw_graph_bridge_variants, name, variant));
    else
        *variant = *count > 1 ? SKELETON : choose_auto(devices[0], graph);
    if (named && *variant == SEARCH && given > 1)
        return mw_fail(MW_ENOTSUP, "variant search runs on one device only, not on %zu: use skeleton", given);
    return 0;
}

int mw_graph_bridges_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                            const struct mw_graph_bridges_options *given, const struct mw_arc_limits *limits,
                            struct mw_graph_bridges *bridges)
{
    const struct mw_graph *edges;
    struct mw_owner own = { 0 };
    struct mw_bridge_skeletons *skeletons = NULL;
    struct mw_graph_bridges found = MW_INIT(found);
    struct mw_graph_bridges_options options = { 0 };
    struct mw_graph made = { 0 };
    uint32_t *memberships = NULL;
    size_t variant;
    const double before = mw_work_now();
    double began;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_bridges, NULL, seconds, bridges));
    TRY(mw_graph_check_given(graph, devices[0]));
    TRY(MW_OPTIONS_TAKE(mw_graph_bridges_options, given, block_arcs, &options));
    TRY(mw_own_graph(&own, &made));
    TRY(mw_graph_with_edges(devices[0], graph, &made, &edges));
    TRY(components_bridges_choose(devices, &count, edges, options.variant, &variant));
    if (variant == SKELETON && graph->vertices > 0)
        TRY(mw_bridge_skeletons_new(&own, devices, count, edges, options.block_arcs, limits, &skeletons));
    TRY(mw_new_unless(options.memberships, graph->vertices, sizeof *memberships, &memberships));
    began = mw_work_now();
    struct search search = { .graph = edges, .memberships = memberships, .found = &found };
    TRY(mw_progress(0, 1));
    TRY(skeletons ? mw_bridge_skeletons_run(skeletons, memberships, &found) : search_all(&search, &own));
    TRY(mw_progress(1, 1));
    for (size_t v = 0; v < graph->vertices; v++)
        found.articulations += memberships[v] > 1;
    found.memberships = options.memberships ? NULL : memberships;
    memberships = NULL;
    found.vertices = graph->vertices;
    found.variant = table[variant].name;
    found.preparing = began - before;
    found.seconds = mw_work_now() - began;
    TRY(MW_RESULT_GIVE(mw_graph_bridges, &found, seconds, bridges));
    mw_result_clear(&found);
out:
    mw_owner_drop(&own);
    mw_graph_bridges_free(&found);
    mw_free_own(options.memberships, memberships);
    return rc;
}

int mw_graph_bridges(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                     const struct mw_graph_bridges_options *options, struct mw_graph_bridges *bridges)
{
    TRY_RETURN(mw_team_devices(&devices, &count, "bridges"));
    return mw_graph_bridges_within(devices, count, graph, options, &mw_arc_limits_usual, bridges);
}

void mw_graph_bridges_free(struct mw_graph_bridges *bridges)
{
    if (!bridges)
        return;
    free(bridges->memberships);
    free(bridges->ends);
    mw_result_clear(bridges);
}
/* SPDX-License-Identifier: MIT */
