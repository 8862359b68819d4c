/* Core numbers: in order of degree, or by rounds (cl/graph/measures/cores.cl).
 *
 * Several devices remove vertices of a range each. A device holds the remaining neighbours of its vertices. For other
 * vertices it counts the neighbours that it removes in a round. The host adds these numbers after the round. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "graph/measures/cores_plan.clh"
#include "graph/measures/measures_internal.h"
#include "graph/targets/targets.h"
#include "kernels/graph/measures/cores.h"
#include "kernels/native.h"

enum { ROUNDS_FIRST = 8, ROUNDS_MOST = 64 }; /* rounds queued between two reads of the device */

enum { GROUPS_PER_UNIT = 8 };
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

/* One device's share: a range of vertices with their arcs. */
struct cores_share {
    struct cores *of;
    struct mw_vertex_share range;
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct mw_buffer *cores, *neighbours, *taken, *states;
    struct mw_buffer *queue, *lists; /* rounds with a queue; otherwise NULL */
    size_t groups;                   /* work-groups of such a round */
    uint32_t *found;                 /* several devices: neighbours after a round, of all vertices */
    uint32_t state[CORES_STATE];     /* state after its last round */
};

struct cores {
    const struct mw_graph *graph; /* undirected */
    struct mw_graph made;
    struct mw_graph_cores_options options;
    size_t variant;
    uint32_t *left, *core; /* remaining neighbours; core numbers found */
    struct mw_owner owner;
    struct cores_share *share;
    size_t count;
    struct mw_team *team;
    uint32_t state[CORES_STATE]; /* several devices: state after the last round */
    size_t rounds;
};

/* ---- variant order ---- */

/* Vertices sorted by their remaining neighbours: where[v] is the index of v in `order`, begins[d] the index of the
 * first vertex with d. */
struct order {
    uint32_t *order, *where, *begins;
};

static int sort_vertices(struct cores *c, struct order *o)
{
    const size_t n = c->graph->vertices;
    size_t most = 0;
    uint32_t before = 0;
    for (size_t v = 0; v < n; v++)
        most = c->left[v] > most ? c->left[v] : most;
    TRY_RETURN(mw_own_new(&c->owner, n, sizeof *o->order, &o->order));
    TRY_RETURN(mw_own_new(&c->owner, n, sizeof *o->where, &o->where));
    TRY_RETURN(mw_own_new(&c->owner, most + 2, sizeof *o->begins, &o->begins));
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

/* An upper bound of the bytes of the queue: a vertex has at most one entry with fewer than CORES_ARCS arcs. */
static size_t queue_bytes(const struct mw_graph *rows)
{
    const uint64_t arcs = rows->arcs - rows->offsets[0];
    return (size_t)(arcs / CORES_ARCS + rows->vertices) * CORES_ENTRY * sizeof(uint32_t);
}

static int make_queue(struct cores_share *share)
{
    const struct mw_graph *const rows = &share->range.rows;
    const size_t units = mw_max(mw_device_info(share->on.device)->compute_units, 1);
    const size_t work = mw_max(rows->vertices, (size_t)(rows->arcs - rows->offsets[0]));
    share->groups = mw_min(units * GROUPS_PER_UNIT, work / share->set->group + 1);
    TRY_RETURN(mw_arc_buffer(&share->on, queue_bytes(rows), &share->queue));
    return mw_arc_buffer(&share->on, 2 * rows->vertices * sizeof(uint32_t), &share->lists);
}

static int measures_cores_make(void *of, void *unused)
{
    struct cores_share *share = of;
    const struct cores *c = share->of;
    const struct mw_arc_worker *const on = &share->on;
    const struct mw_graph *const rows = &share->range.rows;
    const size_t bytes = rows->vertices * sizeof(uint32_t), all_bytes = c->graph->vertices * sizeof(uint32_t);
    TRY_RETURN(mw_arc_set_new(on, &kernels_graph_measures_cores,
                              &(struct mw_kernel_options){ .native = mw_native_graph_cores }, &share->set));
    const uint64_t arcs = rows->arcs - rows->offsets[0];
    const bool queue = !on->cores && c->count == 1 && !mw_device_info(on->device)->traits->uneven_barriers;
    const size_t others = mw_split_bytes(on, arcs) + (queue ? queue_bytes(rows) + 2 * bytes : 0);
    TRY_RETURN(mw_arc_buffer(on, bytes, &share->cores));
    TRY_RETURN(mw_arc_copy(on, all_bytes, c->left, &share->neighbours));
    TRY_RETURN(mw_arc_buffer(on, rows->vertices, &share->taken));
    TRY_RETURN(mw_arc_buffer(on, (ROUNDS_MOST + 1) * CORES_STATE * sizeof(uint32_t), &share->states));
    TRY_RETURN(mw_buffer_fill(share->cores, 0, bytes, 0xff));
    if (c->count > 1)
        TRY_RETURN(mw_arc_new(on, c->graph->vertices, sizeof *share->found, &share->found));
    TRY_RETURN(mw_arc_blocks_make(on, rows, rows->offsets[0], rows->arcs, c->options.block_arcs, 0,
                                  on->cores ? 0 : others, &share->blocks));
    if (queue && share->blocks.count == 1 && !share->blocks.sent)
        return make_queue(share);
    return mw_split_make(&share->blocks, &share->split);
}

static int tell_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct cores_share *c = context;
    return launch_cores_tell_split(c->set, mw_split_range(c->set, p), c->neighbours, c->taken, MW_ARCS(view),
                                   MW_ARC_PIECES(p));
}

static int round_with_queue(struct cores_share *c, int32_t r)
{
    const struct mw_range range = { .dims = 1, .global = { c->groups * c->set->group }, .group = { c->set->group } };
    struct mw_arc_view view;
    TRY_RETURN(mw_arc_block_take(&c->blocks, 0, &view));
    return launch_cores_round(c->set, range, c->cores, c->neighbours, view.offsets, view.heads, c->queue, c->lists,
                              c->states, (int32_t)c->range.rows.vertices, r, (int32_t)c->groups);
}

static int measures_cores_round_of(struct cores_share *c, int32_t r)
{
    const int32_t vertices = (int32_t)c->range.rows.vertices, first = (int32_t)c->range.first;
    struct mw_arc_view view;
    int64_t each;
    if (c->queue)
        return round_with_queue(c, r);
    struct mw_range range = mw_arc_range(&c->on, c->set, c->range.rows.vertices, &each);
    TRY_RETURN(
        launch_cores_take(c->set, range, c->cores, c->neighbours, c->taken, c->states, vertices, first, r, each));
    for (size_t b = 0; b < c->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&c->blocks, b, &view));
        range = mw_arc_range(&c->on, c->set, c->blocks.block[b].count, &each);
        TRY_RETURN(launch_cores_tell(c->set, range, c->neighbours, c->taken, MW_ARCS(&view), each));
        TRY_RETURN(mw_split_each(&c->split, b, &view, tell_split, c));
    }
    return 0;
}

/* Returns whether nothing was removed in a round and nothing is left. */
static bool is_last(const uint32_t *state) { return state[CORES_TAKEN] == 0 && state[CORES_LEAST] == CORES_NONE; }

/* The same for a round with a queue: no vertices are listed, and no entries are left. */
static bool is_last_with_queue(const uint32_t *state) { return state[CORES_MADE] == 0 && state[CORES_LISTED] == 0; }

/* One device: repeats batches of rounds. The first round removes vertices without neighbours. */
static int rounds_of_one(struct cores *c)
{
    struct cores_share *const share = &c->share[0];
    uint32_t states[ROUNDS_MOST + 1][CORES_STATE] = { { [CORES_TAKEN] = 1 } };
    if (share->queue) {
        states[0][CORES_SCANNED] = 1; /* k begins with the fewest neighbours, 0 */
        states[0][CORES_LISTED] = (uint32_t)share->range.rows.vertices;
        states[0][CORES_LIST] = CORES_ALL;
    }
    for (size_t batch = ROUNDS_FIRST;; batch = batch < ROUNDS_MOST ? 2 * batch : batch) {
        for (size_t r = 1; r <= batch; r++) {
            memset(states[r], 0, sizeof *states);
            states[r][CORES_LEAST] = CORES_NONE;
        }
        TRY_RETURN(mw_buffer_write(share->states, 0, (batch + 1) * sizeof *states, states, NULL));
        for (size_t r = 1; r <= batch; r++)
            TRY_RETURN(measures_cores_round_of(share, (int32_t)r));
        TRY_RETURN(mw_buffer_read(share->states, 0, (batch + 1) * sizeof *states, states, NULL));
        for (size_t r = 1; r <= batch; r++) {
            c->rounds += states[r][CORES_TAKEN] > 0;
            if ((share->queue ? is_last_with_queue : is_last)(states[r]))
                return 0;
        }
        memcpy(states[0], states[batch], sizeof *states);
    }
}

/* A round on one of several devices. */
static int round_of_share(void *of, void *unused)
{
    struct cores_share *share = of;
    const struct cores *c = share->of;
    const size_t first = share->range.first, own = share->range.rows.vertices, rest = c->graph->vertices - first - own;
    const size_t word = sizeof *c->left;
    uint32_t states[2][CORES_STATE] = { { 0 }, { [CORES_LEAST] = CORES_NONE } };
    memcpy(states[0], c->state, sizeof *states);
    TRY_RETURN(mw_buffer_write(share->states, 0, sizeof states, states, NULL));
    TRY_RETURN(mw_buffer_write(share->neighbours, first * word, own * word, c->left + first, NULL));
    if (first > 0)
        TRY_RETURN(mw_buffer_fill(share->neighbours, 0, first * word, 0));
    if (rest > 0)
        TRY_RETURN(mw_buffer_fill(share->neighbours, (first + own) * word, rest * word, 0));
    TRY_RETURN(measures_cores_round_of(share, 1));
    TRY_RETURN(mw_buffer_read(share->neighbours, 0, c->graph->vertices * word, share->found, NULL));
    return mw_buffer_read(share->states, sizeof *states, sizeof *states, share->state, NULL);
}

/* Adds up the remaining neighbours of a device's vertices. Numbers of other devices are 0 or below, modulo 2^32. */
static int add_up(void *of, void *unused)
{
    const struct cores_share *share = of;
    const struct cores *c = share->of;
    const size_t first = share->range.first, end = first + share->range.rows.vertices;
    memcpy(c->left + first, share->found + first, (end - first) * sizeof *c->left);
    for (size_t d = 0; d < c->count; d++)
        for (size_t v = first; v < end && &c->share[d] != share; v++)
            c->left[v] += c->share[d].found[v];
    return 0;
}

static int rounds_of_several(struct cores *c)
{
    c->state[CORES_TAKEN] = 1;
    for (;;) {
        TRY_RETURN(mw_team_run(c->team, round_of_share, NULL));
        c->state[CORES_K] = c->share[0].state[CORES_K];
        c->state[CORES_TAKEN] = 0;
        c->state[CORES_LEAST] = CORES_NONE;
        for (size_t d = 0; d < c->count; d++) {
            c->state[CORES_TAKEN] += c->share[d].state[CORES_TAKEN];
            c->state[CORES_LEAST] = (uint32_t)mw_min(c->state[CORES_LEAST], c->share[d].state[CORES_LEAST]);
        }
        c->rounds += c->state[CORES_TAKEN] > 0;
        if (is_last(c->state))
            return 0;
        TRY_RETURN(mw_team_run(c->team, add_up, NULL));
        TRY_RETURN(mw_progress_look());
    }
}

static int make_shares(struct cores *c)
{
    for (size_t d = 0; d < c->count; d++)
        mw_vertex_share(c->graph, d, c->count, &c->share[d].range);
    TRY_RETURN(mw_own_team(&c->owner, c->share, sizeof *c->share, c->count, &c->team));
    return mw_team_run(c->team, measures_cores_make, NULL);
}

static int by_rounds(struct cores *c)
{
    TRY_RETURN(c->count > 1 ? rounds_of_several(c) : rounds_of_one(c));
    for (size_t d = 0; d < c->count; d++) {
        const struct cores_share *share = &c->share[d];
        TRY_RETURN(mw_buffer_read(share->cores, 0, share->range.rows.vertices * sizeof *c->core,
                                  c->core + share->range.first, NULL));
    }
    return 0;
}

/* ---- interface ---- */

/* Returns the number of devices that take part: after each round, all exchange the numbers of all vertices. */
static size_t cores_devices(const struct mw_graph *graph, struct mw_device *const *devices, size_t count)
{
    enum { ROUNDS_GUESSED = 64 };
    const double n = (double)graph->vertices;
    const struct mw_worth work = { .what = "core numbers",
                                   .visits = (double)graph->arcs + ROUNDS_GUESSED * n,
                                   .waits = ROUNDS_GUESSED,
                                   .bytes = ROUNDS_GUESSED * 2 * n * sizeof(uint32_t) };
    return mw_devices_worth(devices, count, &work);
}

static int measures_cores_take_options(struct cores *c, struct mw_device *const *devices, size_t count,
                                       const struct mw_graph_cores_options *options)
{
    struct mw_device *const device = devices[0];
    const bool native = mw_device_info(device)->kind == MW_DEVICE_NATIVE;
    const char *name;
    size_t used;
    bool named;
    TRY_RETURN(mw_graph_check_given(c->graph, device));
    TRY_RETURN(MW_OPTIONS_TAKE(mw_graph_cores_options, options, block_arcs, &c->options));
    name = c->options.variant;
    named = name && strcmp(name, "auto") != 0;
    used = cores_devices(c->graph, devices, count);
    c->count = mw_min(c->count, used);
    c->variant = native && used == 1 ? ORDER : ROUNDS;
    if (named)
        TRY_RETURN(mw_variant_find(mw_graph_core_variants, name, &c->variant));
    if (c->variant == ORDER && !native)
        return mw_fail(MW_ENOTSUP, "%s: variant order needs a native device: use rounds", mw_device_info(device)->id);
    if (named && c->variant == ORDER && count > 1)
        return mw_fail(MW_ENOTSUP, "variant order runs on one device only, not on %zu: use rounds", count);
    return 0;
}

static int count_neighbours(struct cores *c)
{
    const struct mw_graph *g = c->graph;
    TRY_RETURN(mw_own_new(&c->owner, g->vertices, sizeof *c->left, &c->left));
    TRY_RETURN(mw_new_unless(c->options.cores, g->vertices, sizeof *c->core, &c->core));
    for (size_t v = 0; v < g->vertices; v++) {
        if (g->offsets[v + 1] - g->offsets[v] >= CORES_NONE)
            return mw_fail(MW_ELIMIT, "vertex %zu has too many arcs: core numbers need fewer than 2^32 - 1", v);
        c->left[v] = (uint32_t)(g->offsets[v + 1] - g->offsets[v]);
    }
    return 0;
}

static int list_shares(struct cores *c, struct mw_device *const *devices, size_t count,
                       const struct mw_arc_limits *limits)
{
    c->count = mw_max(mw_min(count, c->graph->vertices), 1);
    TRY_RETURN(mw_own_graph(&c->owner, &c->made));
    TRY_RETURN(mw_own_new(&c->owner, c->count, sizeof *c->share, &c->share));
    for (size_t d = 0; d < c->count; d++) {
        struct cores_share *const share = &c->share[d];
        share->of = c;
        share->on = mw_arc_worker_on(devices[d], limits, &share->owner);
        TRY_RETURN(mw_own_owner(&c->owner, &share->owner));
    }
    return 0;
}

int mw_graph_cores_within(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                          const struct mw_graph_cores_options *options, const struct mw_arc_limits *limits,
                          struct mw_graph_cores *cores)
{
    struct cores c = { .graph = graph };
    const double before = mw_work_now();
    double began;
    int rc;
    TRY(MW_RESULT_GIVE(mw_graph_cores, NULL, seconds, cores));
    TRY(list_shares(&c, devices, count, limits));
    TRY(measures_cores_take_options(&c, devices, count, options));
    TRY(mw_graph_with_edges(devices[0], graph, &c.made, &c.graph));
    TRY(count_neighbours(&c));
    if (c.variant == ROUNDS && graph->vertices > 0)
        TRY(make_shares(&c));
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
    mw_free_own(c.options.cores, c.core);
    return rc;
}

int mw_graph_cores(struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                   const struct mw_graph_cores_options *options, struct mw_graph_cores *cores)
{
    TRY_RETURN(mw_team_devices(&devices, &count, "core numbers"));
    return mw_graph_cores_within(devices, count, graph, options, &mw_arc_limits_usual, cores);
}

void mw_graph_cores_free(struct mw_graph_cores *cores)
{
    if (!cores)
        return;
    free(cores->cores);
    mw_result_clear(cores);
}
/* SPDX-License-Identifier: MIT */
