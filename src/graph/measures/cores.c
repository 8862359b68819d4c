/* Core numbers: in order of degree, or by rounds (cl/graph/measures/cores.cl). */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/given.h"
#include "graph/measures/cores_plan.clh"
#include "graph/measures/measures_internal.h"
#include "kernels/graph/measures/cores.h"
#include "kernels/native.h"

enum { ROUNDS_FIRST = 8, ROUNDS_MOST = 64 }; /* rounds queued between two reads of the device */

enum { VERTICES_AT_ONCE = 1 << 16 }; /* between two reports of progress */
enum { ORDER, ROUNDS };
static const struct mw_variant table[] = {
    [ORDER] = { "order",
                "removes the vertex with the fewest remaining neighbours (Batagelj, Zaversnik 2003); one native thread",
                NULL },
    [ROUNDS] = { "rounds",
                 "removes all vertices with at most k remaining neighbours at once, until none remains for this k",
                 NULL },
};

const struct mw_variant *mw_graph_core_variants(size_t i) { return i < MW_COUNT(table) ? &table[i] : NULL; }

struct cores {
    const struct mw_graph *graph; /* undirected */
    struct mw_graph made;
    struct mw_graph_cores_options options;
    size_t variant;
    uint32_t *left, *core; /* remaining neighbours; core numbers found */
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct mw_buffer *cores, *neighbours, *taken, *states;
    size_t rounds;
};

/* ---- variant order ---- */

/* Vertices sorted by their remaining neighbours: where[v] is the index of v in `order`, begins[d] the index of the
 * first vertex with d. */
struct order {
    uint32_t *order, *where, *begins;
};

static int sort_vertices(const struct cores *c, struct order *o)
{
    const size_t n = c->graph->vertices;
    size_t most = 0;
    uint32_t before = 0;
    for (size_t v = 0; v < n; v++)
        most = c->left[v] > most ? c->left[v] : most;
    TRY_RETURN(mw_arc_new(&c->on, n, sizeof *o->order, &o->order));
    TRY_RETURN(mw_arc_new(&c->on, n, sizeof *o->where, &o->where));
    TRY_RETURN(mw_arc_new(&c->on, most + 2, sizeof *o->begins, &o->begins));
    for (size_t v = 0; v < n; v++)
        o->begins[c->left[v] + 1]++;
    for (size_t d = 0; d <= most; d++)
        o->begins[d + 1] += o->begins[d];
    for (size_t v = 0; v < n; v++) {
        o->where[v] = o->begins[c->left[v]]++;
        o->order[o->where[v]] = (uint32_t)v;
    }
    for (size_t d = 0; d <= most; d++) {
        const uint32_t stop = o->begins[d];
        o->begins[d] = before;
        before = stop;
    }
    return 0;
}

/* Removes one neighbour of v: v is swapped with the first vertex of its class, and joins the class below. */
static void lower(struct cores *c, const struct order *o, uint32_t v)
{
    const uint32_t first_at = o->begins[c->left[v]]++, first = o->order[first_at], at = o->where[v];
    o->order[at] = first;
    o->where[first] = at;
    o->order[first_at] = v;
    o->where[v] = first_at;
    c->left[v]--;
}

static int in_order(struct cores *c)
{
    const struct mw_graph *g = c->graph;
    struct order o = { 0 };
    TRY_RETURN(sort_vertices(c, &o));
    for (size_t i = 0; i < g->vertices; i++) {
        const uint32_t v = o.order[i];
        if (i % VERTICES_AT_ONCE == 0)
            TRY_RETURN(mw_progress(i, g->vertices));
        c->core[v] = c->left[v];
        for (uint64_t at = g->offsets[v]; at < g->offsets[v + 1]; at++)
            if (c->left[g->heads[at]] > c->left[v])
                lower(c, &o, g->heads[at]);
    }
    return 0;
}

/* ---- variant rounds ---- */

static int measures_cores_make(struct cores *c)
{
    const size_t n = c->graph->vertices, bytes = n * sizeof(uint32_t);
    TRY_RETURN(mw_arc_set_new(&c->on, &kernels_graph_measures_cores,
                              &(struct mw_kernel_options){ .native = mw_native_graph_cores }, &c->set));
    TRY_RETURN(mw_arc_buffer(&c->on, bytes, &c->cores));
    TRY_RETURN(mw_arc_buffer(&c->on, bytes, &c->neighbours));
    TRY_RETURN(mw_arc_buffer(&c->on, n, &c->taken));
    TRY_RETURN(mw_arc_buffer(&c->on, (ROUNDS_MOST + 1) * CORES_STATE * sizeof(uint32_t), &c->states));
    TRY_RETURN(mw_buffer_fill(c->cores, 0, bytes, 0xff));
    TRY_RETURN(mw_buffer_write(c->neighbours, 0, bytes, c->left, NULL));
    TRY_RETURN(mw_arc_blocks_make(&c->on, c->graph, 0, c->graph->arcs, c->options.block_arcs, 0,
                                  mw_split_bytes(&c->on, c->graph->arcs), &c->blocks));
    return mw_split_make(&c->blocks, &c->split);
}

static int tell_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct cores *c = context;
    return launch_cores_tell_split(c->set, mw_split_range(c->set, p), c->neighbours, c->taken, MW_ARCS(view),
                                   MW_ARC_PIECES(p));
}

static int measures_cores_round_of(struct cores *c, int32_t r)
{
    struct mw_arc_view view;
    int64_t each;
    struct mw_range range = mw_arc_range(&c->on, c->set, c->graph->vertices, &each);
    TRY_RETURN(launch_cores_take(c->set, range, c->cores, c->neighbours, c->taken, c->states,
                                 (int32_t)c->graph->vertices, r, each));
    for (size_t b = 0; b < c->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&c->blocks, b, &view));
        range = mw_arc_range(&c->on, c->set, c->blocks.block[b].count, &each);
        TRY_RETURN(launch_cores_tell(c->set, range, c->neighbours, c->taken, MW_ARCS(&view), each));
        TRY_RETURN(mw_split_each(&c->split, b, &view, tell_split, c));
    }
    return 0;
}

/* Repeats rounds until none are removed and none remain. The first round removes vertices without neighbours. */
static int by_rounds(struct cores *c)
{
    uint32_t states[ROUNDS_MOST + 1][CORES_STATE] = { { [CORES_TAKEN] = 1 } };
    for (size_t batch = ROUNDS_FIRST;; batch = batch < ROUNDS_MOST ? 2 * batch : batch) {
        for (size_t r = 1; r <= batch; r++) {
            states[r][CORES_TAKEN] = 0;
            states[r][CORES_LEAST] = CORES_NONE;
        }
        TRY_RETURN(mw_buffer_write(c->states, 0, (batch + 1) * sizeof *states, states, NULL));
        for (size_t r = 1; r <= batch; r++)
            TRY_RETURN(measures_cores_round_of(c, (int32_t)r));
        TRY_RETURN(mw_buffer_read(c->states, 0, (batch + 1) * sizeof *states, states, NULL));
        for (size_t r = 1; r <= batch; r++, c->rounds++)
            if (states[r][CORES_TAKEN] == 0 && states[r][CORES_LEAST] == CORES_NONE)
                goto done;
        memcpy(states[0], states[batch], sizeof *states);
    }
done:
    return mw_buffer_read(c->cores, 0, c->graph->vertices * sizeof *c->core, c->core, NULL);
}

/* ---- interface ---- */

static int measures_cores_take_options(struct cores *c, const struct mw_graph_cores_options *options)
{
    const bool native = mw_device_info(c->on.device)->kind == MW_DEVICE_NATIVE;
    const char *name;
    TRY_RETURN(mw_graph_check_given(c->graph, c->on.device));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_cores_options, options, block_arcs, &c->options));
    name = c->options.variant;
    c->variant = native ? ORDER : ROUNDS;
    if (name && strcmp(name, "auto") != 0)
        TRY_RETURN(mw_variant_find(mw_graph_core_variants, name, &c->variant));
    if (c->variant == ORDER && !native)
        return mw_fail(MW_ENOTSUP, "%s: variant order needs a native device: use rounds",
                       mw_device_info(c->on.device)->id);
    return 0;
}

static int count_neighbours(struct cores *c)
{
    const struct mw_graph *g = c->graph;
    TRY_RETURN(mw_arc_new(&c->on, g->vertices, sizeof *c->left, &c->left));
    TRY_RETURN(mw_new_unless(c->options.cores, g->vertices, sizeof *c->core, &c->core));
    for (size_t v = 0; v < g->vertices; v++) {
        if (g->offsets[v + 1] - g->offsets[v] >= CORES_NONE)
            return mw_fail(MW_ELIMIT, "vertex %zu has too many arcs: core numbers need fewer than 2^32 - 1", v);
        c->left[v] = (uint32_t)(g->offsets[v + 1] - g->offsets[v]);
    }
    return 0;
}

int mw_graph_cores_within(struct mw_device *device, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_cores *cores)
{
    struct cores c = { .graph = graph, .on = { device, mw_device_info(device)->traits->has_cores, limits, &c.owner } };
    const double before = mw_work_now();
    double began;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_cores, NULL, seconds, cores));
    TRY(measures_cores_take_options(&c, options));
    TRY(mw_graph_with_edges(device, graph, &c.made, &c.graph));
    TRY(count_neighbours(&c));
    if (c.variant == ROUNDS && graph->vertices > 0)
        TRY(measures_cores_make(&c));
    began = mw_work_now();
    TRY(mw_progress(0, 1));
    if (graph->vertices > 0)
        TRY(c.variant == ROUNDS ? by_rounds(&c) : in_order(&c));
    TRY(mw_progress(1, 1));
    const struct mw_graph_cores made = { .size = sizeof made,
                                         .vertices = graph->vertices,
                                         .cores = c.options.cores ? NULL : c.core,
                                         .rounds = c.rounds,
                                         .variant = table[c.variant].name,
                                         .preparing = began - before,
                                         .seconds = mw_work_now() - began };
    TRY(MW_RESULT_GIVE(mw_graph_cores, &made, seconds, cores));
    c.core = NULL;
out:
    mw_owner_drop(&c.owner);
    mw_graph_free(&c.made);
    mw_free_own(c.options.cores, c.core);
    return rc;
}

int mw_graph_cores(struct mw_device *device, const struct mw_graph *graph, const struct mw_graph_cores_options *options,
                   struct mw_graph_cores *cores)
{
    TRY_RETURN(mw_device_given(&device));
    return mw_graph_cores_within(device, graph, options, &mw_arc_limits_usual, cores);
}

void mw_graph_cores_free(struct mw_graph_cores *cores)
{
    if (!cores)
        return;
    free(cores->cores);
    mw_result_clear(cores);
}
/* SPDX-License-Identifier: MIT */
