/* Strong components: by one depth-first search (Tarjan) on the host, and by colours (colours.c). */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "graph/components/colours.h"
#include "graph/components/components_internal.h"
#include "graph/targets/targets.h"

enum { TARJAN, COLOURS };
static const struct mw_variant table[] = {
    [TARJAN] = { "tarjan", "one depth-first search with a stack (Tarjan 1972); one native thread", NULL },
    [COLOURS] = { "colours",
                  "trims vertices without arcs in or out, then spreads colours forwards and backwards (Orzan 2004)",
                  NULL },
};

const struct mw_variant *mw_graph_strong_variants(size_t i) { return i < MW_COUNT(table) ? &table[i] : NULL; }

/* ---- variant tarjan ---- */

/* State of the search. low: the first met vertex that a vertex without component leads to. */
struct tarjan {
    const struct mw_graph *graph;
    int32_t *roots;
    uint64_t *next;                       /* next arc of a vertex */
    uint32_t *low, *number, *path, *open; /* number: order of discovery (0: not yet); path: stack of vertices; open:
                                           * without component */
    size_t depth, open_count;
    uint32_t met;
};

static void enter(struct tarjan *t, uint32_t v)
{
    t->number[v] = t->low[v] = ++t->met;
    t->next[v] = t->graph->offsets[v];
    t->path[t->depth++] = v;
    t->open[t->open_count++] = v;
}

/* Closes a component: the vertices met from v on that are in no component. Its root is the smallest. */
static void close_component(struct tarjan *t, uint32_t v)
{
    size_t first = t->open_count;
    uint32_t smallest = v;
    do {
        first--;
        smallest = t->open[first] < smallest ? t->open[first] : smallest;
    } while (t->open[first] != v);
    for (size_t i = first; i < t->open_count; i++)
        t->roots[t->open[i]] = (int32_t)smallest;
    t->open_count = first;
}

static void strong_leave(struct tarjan *t, uint32_t v)
{
    t->depth--;
    if (t->low[v] == t->number[v])
        close_component(t, v);
    if (t->depth > 0) {
        const uint32_t above = t->path[t->depth - 1];
        t->low[above] = t->low[v] < t->low[above] ? t->low[v] : t->low[above];
    }
}

static void search_from(struct tarjan *t, uint32_t source)
{
    enter(t, source);
    while (t->depth > 0) {
        const uint32_t v = t->path[t->depth - 1];
        if (t->next[v] == t->graph->offsets[v + 1]) {
            strong_leave(t, v);
            continue;
        }
        const uint32_t head = t->graph->heads[t->next[v]++];
        if (t->number[head] == 0)
            enter(t, head);
        else if (t->roots[head] < 0 && t->number[head] < t->low[v])
            t->low[v] = t->number[head];
    }
}

static int by_search(const struct mw_graph *graph, struct mw_owner *own, int32_t *roots)
{
    const size_t n = graph->vertices;
    struct tarjan t = { .graph = graph, .roots = roots };
    TRY_RETURN(mw_own_new(own, n, sizeof *t.next, &t.next));
    TRY_RETURN(mw_own_new(own, n, sizeof *t.low, &t.low));
    TRY_RETURN(mw_own_new(own, n, sizeof *t.number, &t.number));
    TRY_RETURN(mw_own_new(own, n, sizeof *t.path, &t.path));
    TRY_RETURN(mw_own_new(own, n, sizeof *t.open, &t.open));
    for (size_t v = 0; v < n; v++)
        roots[v] = -1;
    for (size_t v = 0; v < n; v++)
        if (t.number[v] == 0) {
            search_from(&t, (uint32_t)v);
            TRY_RETURN(mw_progress_look());
        }
    return 0;
}

/* ---- interface ---- */

/* Returns the number of devices that take part: they merge arrays of all vertices several times. */
static size_t strong_devices(struct mw_device *const *devices, size_t count, const struct mw_graph *graph)
{
    enum { VISITS = 4, PASSES = 20, MERGES = 8 };
    const double n = (double)graph->vertices;
    const struct mw_worth work = { .what = "strong components",
                                   .visits = VISITS * (double)graph->arcs,
                                   .repeated = PASSES * n,
                                   .waits = PASSES,
                                   .bytes = 2 * MERGES * n * sizeof(uint32_t) };
    return mw_devices_worth(devices, count, &work);
}

/* Chooses the variant, and how many of the devices take part. */
static int strong_choose(struct mw_device *const *devices, size_t *count, const struct mw_graph *graph,
                         const char *name, size_t *variant)
{
    const struct mw_device_info *info = mw_device_info(devices[0]);
    const bool native = info->kind == MW_DEVICE_NATIVE, named = name && strcmp(name, "auto") != 0;
    const size_t given = *count;
    *count = strong_devices(devices, given, graph);
    *variant = native && *count == 1 ? TARJAN : COLOURS;
    if (named)
        TRY_RETURN(mw_variant_find(mw_graph_strong_variants, name, variant));
    if (*variant == TARJAN && !native)
        return mw_fail(MW_ENOTSUP, "%s: variant tarjan needs a native device: use colours", info->id);
    if (named && *variant == TARJAN && given > 1)
        return mw_fail(MW_ENOTSUP, "variant tarjan runs on one device only, not on %zu: use colours", given);
    return 0;
}

int mw_graph_strong_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *given, const struct mw_arc_limits *limits,
                           struct mw_graph_strong *strong)
{
    struct mw_graph_strong made = { .size = sizeof made, .vertices = graph->vertices };
    struct mw_graph_strong_options options = { 0 };
    struct mw_owner own = { 0 };
    struct mw_colours *colours = NULL;
    int32_t *roots = NULL;
    const double before = mw_work_now();
    size_t variant;
    double began;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_strong, NULL, seconds, strong));
    TRY(mw_graph_check_given(graph, devices[0]));
    TRY(MW_OPTIONS_TAKE(mw_graph_strong_options, given, block_arcs, &options));
    TRY(strong_choose(devices, &count, graph, options.variant, &variant));
    TRY(mw_new_unless(options.roots, graph->vertices, sizeof *made.roots, &made.roots));
    roots = made.roots;
    if (variant == COLOURS && graph->vertices > 0)
        TRY(mw_colours_new(&own, devices, count, graph, options.block_arcs, limits, &colours));
    began = mw_work_now();
    TRY(mw_progress(0, 1));
    if (graph->vertices > 0)
        TRY(variant == TARJAN ? by_search(graph, &own, roots) : mw_colours_run(colours, roots, &made.rounds));
    TRY(mw_progress(1, 1));
    made.variant = table[variant].name;
    made.preparing = began - before;
    made.seconds = mw_work_now() - began;
    made.roots = options.roots ? NULL : roots;
    TRY(MW_RESULT_GIVE(mw_graph_strong, &made, seconds, strong));
    roots = NULL;
out:
    mw_owner_drop(&own);
    mw_free_own(options.roots, roots);
    return rc;
}

int mw_graph_strong(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                    const struct mw_graph_strong_options *options, struct mw_graph_strong *strong)
{
    TRY_RETURN(mw_team_devices(&devices, &count, "strong components"));
    return mw_graph_strong_within(devices, count, graph, options, &mw_arc_limits_usual, strong);
}

void mw_graph_strong_free(struct mw_graph_strong *strong)
{
    if (!strong)
        return;
    free(strong->roots);
    mw_result_clear(strong);
}
/* SPDX-License-Identifier: MIT */
