/* Strong components: by one depth-first search (Tarjan) on the host, and by colours (cl/graph/components/strong.cl). */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/given.h"
#include "graph/components/components_internal.h"
#include "graph/components/shares.h"
#include "kernels/graph/components/strong.h"
#include "kernels/native.h"
#include "prim/rounds.h"

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

static int by_search(const struct mw_graph *graph, int32_t *roots)
{
    const size_t n = graph->vertices;
    struct tarjan t = { .graph = graph, .roots = roots };
    struct mw_owner own = { 0 };
    int rc;
    TRY(mw_own_new(&own, n, sizeof *t.next, &t.next));
    TRY(mw_own_new(&own, n, sizeof *t.low, &t.low));
    TRY(mw_own_new(&own, n, sizeof *t.number, &t.number));
    TRY(mw_own_new(&own, n, sizeof *t.path, &t.path));
    TRY(mw_own_new(&own, n, sizeof *t.open, &t.open));
    for (size_t v = 0; v < n; v++)
        roots[v] = -1;
    for (size_t v = 0; v < n; v++)
        if (t.number[v] == 0) {
            search_from(&t, (uint32_t)v);
            TRY(mw_progress_look());
        }
out:
    mw_owner_drop(&own);
    return rc;
}

/* ---- variant colours ---- */

struct colours {
    const struct mw_graph *graph;
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct mw_buffer *labels, *colour, *leave, *arrive, *left, *changed;
};

static int strong_make(struct colours *c, uint64_t block_arcs)
{
    const size_t n = c->graph->vertices;
    TRY_RETURN(mw_arc_set_new(&c->on, &kernels_graph_components_strong,
                              &(struct mw_kernel_options){ .native = mw_native_graph_strong }, &c->set));
    TRY_RETURN(mw_rounds_new(&c->owner, c->on.device, &c->changed));
    TRY_RETURN(mw_arc_buffer(&c->on, n * sizeof(int32_t), &c->labels));
    TRY_RETURN(mw_arc_buffer(&c->on, n * sizeof(uint32_t), &c->colour));
    TRY_RETURN(mw_arc_buffer(&c->on, n, &c->leave));
    TRY_RETURN(mw_arc_buffer(&c->on, n, &c->arrive));
    TRY_RETURN(mw_arc_buffer(&c->on, sizeof(int32_t), &c->left));
    TRY_RETURN(mw_buffer_fill(c->labels, 0, n * sizeof(int32_t), 0xff));
    TRY_RETURN(mw_buffer_fill(c->leave, 0, n, 0));
    TRY_RETURN(mw_buffer_fill(c->arrive, 0, n, 0));
    TRY_RETURN(mw_arc_blocks_make(&c->on, c->graph, 0, c->graph->arcs, block_arcs,
                                  c->on.cores ? 0 : c->on.limits->vertex_most, mw_split_bytes(&c->on, c->graph->arcs),
                                  &c->blocks));
    return mw_split_make(&c->blocks, &c->split);
}

/* A pass over all arcs in round r: block by block; in the form for groups, low-degree vertices, then pieces of split
 * ones. */
struct pass {
    struct colours *c;
    int32_t r;
};
typedef int pass_fn(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each);

static int over_arcs(struct pass pass, pass_fn *whole, mw_split_fn *split)
{
    struct colours *c = pass.c;
    struct mw_arc_view view;
    int64_t each;
    for (size_t b = 0; b < c->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&c->blocks, b, &view));
        const struct mw_range range = mw_arc_range(&c->on, c->set, c->blocks.block[b].count, &each);
        TRY_RETURN(whole(&pass, &view, range, each));
        TRY_RETURN(mw_split_each(&c->split, b, &view, split, &pass));
    }
    return 0;
}

static int strong_look(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each)
{
    const struct colours *c = pass->c;
    return launch_strong_look(c->set, range, c->labels, c->leave, c->arrive, MW_ARCS(view), c->changed, pass->r, each);
}

static int look_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours *c = pass->c;
    return launch_strong_look_split(c->set, mw_split_range(c->set, p), c->labels, c->leave, c->arrive, MW_ARCS(view),
                                    MW_ARC_PIECES(p), c->changed, pass->r);
}

static int trim_round(void *context, int32_t r)
{
    struct colours *c = context;
    int64_t each;
    TRY_RETURN(over_arcs((struct pass){ c, r }, strong_look, look_split));
    const struct mw_range range = mw_arc_range(&c->on, c->set, c->graph->vertices, &each);
    return launch_strong_trim(c->set, range, c->labels, c->leave, c->arrive, c->changed, r, (int32_t)c->graph->vertices,
                              each);
}

static int colour(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each)
{
    const struct colours *c = pass->c;
    return launch_strong_colour(c->set, range, c->labels, c->colour, MW_ARCS(view), c->changed, pass->r, each);
}

static int colour_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours *c = pass->c;
    return launch_strong_colour_split(c->set, mw_split_range(c->set, p), c->labels, c->colour, MW_ARCS(view),
                                      MW_ARC_PIECES(p), c->changed, pass->r);
}

static int colour_round(void *context, int32_t r)
{
    return over_arcs((struct pass){ context, r }, colour, colour_split);
}

static int back(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each)
{
    const struct colours *c = pass->c;
    return launch_strong_back(c->set, range, c->labels, c->colour, MW_ARCS(view), c->changed, pass->r, each);
}

static int back_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours *c = pass->c;
    return launch_strong_back_split(c->set, mw_split_range(c->set, p), c->labels, c->colour, MW_ARCS(view),
                                    MW_ARC_PIECES(p), c->changed, pass->r);
}

static int back_round(void *context, int32_t r) { return over_arcs((struct pass){ context, r }, back, back_split); }

static int by_colours(struct colours *c, int32_t *roots, size_t *rounds)
{
    const size_t n = c->graph->vertices;
    int64_t each;
    const struct mw_range range = mw_arc_range(&c->on, c->set, n, &each);
    int32_t left;
    size_t more;
    for (;;) {
        TRY_RETURN(mw_rounds_repeat(c->changed, trim_round, c, &more));
        *rounds += more;
        TRY_RETURN(mw_buffer_fill(c->left, 0, sizeof left, 0));
        TRY_RETURN(launch_strong_start(c->set, range, c->labels, c->colour, c->left, (int32_t)n, each));
        TRY_RETURN(mw_buffer_read(c->left, 0, sizeof left, &left, NULL));
        if (!left)
            break;
        TRY_RETURN(mw_rounds_repeat(c->changed, colour_round, c, &more));
        *rounds += more;
        TRY_RETURN(launch_strong_roots(c->set, range, c->labels, c->colour, (int32_t)n, each));
        TRY_RETURN(mw_rounds_repeat(c->changed, back_round, c, &more));
        *rounds += more;
    }
    return mw_buffer_read(c->labels, 0, n * sizeof *roots, roots, NULL);
}

/* ---- interface ---- */

int mw_graph_strong_within(struct mw_device *device, const struct mw_graph *graph,
                           const struct mw_graph_strong_options *given, const struct mw_arc_limits *limits,
                           struct mw_graph_strong *strong)
{
    const struct mw_device_info *info = mw_device_info(device);
    const bool native = info->kind == MW_DEVICE_NATIVE;
    struct colours c = { .graph = graph, .on = { device, info->traits->has_cores, limits, &c.owner } };
    struct mw_graph_strong made = { .size = sizeof made, .vertices = graph->vertices };
    struct mw_graph_strong_options options = { 0 };
    int32_t *roots = NULL;
    size_t variant = native ? TARJAN : COLOURS;
    const double before = mw_work_now();
    double began;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_strong, NULL, seconds, strong));
    TRY(mw_graph_check_given(graph, device));
    TRY(MW_OPTIONS_TAKE(mw_graph_strong_options, given, block_arcs, &options));
    if (options.variant && strcmp(options.variant, "auto") != 0)
        TRY(mw_variant_find(mw_graph_strong_variants, options.variant, &variant));
    if (variant == TARJAN && !native)
        return mw_fail(MW_ENOTSUP, "%s: variant tarjan needs a native device: use colours", info->id);
    TRY(mw_new_unless(options.roots, graph->vertices, sizeof *made.roots, &made.roots));
    roots = made.roots;
    if (variant == COLOURS && graph->vertices > 0)
        TRY(strong_make(&c, options.block_arcs));
    began = mw_work_now();
    TRY(mw_progress(0, 1));
    if (graph->vertices > 0)
        TRY(variant == TARJAN ? by_search(graph, roots) : by_colours(&c, roots, &made.rounds));
    TRY(mw_progress(1, 1));
    made.variant = table[variant].name;
    made.preparing = began - before;
    made.seconds = mw_work_now() - began;
    made.roots = options.roots ? NULL : roots;
    TRY(MW_RESULT_GIVE(mw_graph_strong, &made, seconds, strong));
    roots = NULL;
out:
    mw_owner_drop(&c.owner);
    mw_free_own(options.roots, roots);
    return rc;
}

int mw_graph_strong(struct mw_device *device, const struct mw_graph *graph,
                    const struct mw_graph_strong_options *options, struct mw_graph_strong *strong)
{
    TRY_RETURN(mw_device_given(&device));
    return mw_graph_strong_within(device, graph, options, &mw_arc_limits_usual, strong);
}

void mw_graph_strong_free(struct mw_graph_strong *strong)
{
    if (!strong)
        return;
    free(strong->roots);
    mw_result_clear(strong);
}
/* SPDX-License-Identifier: MIT */
