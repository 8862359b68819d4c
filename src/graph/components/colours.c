/* Strong components by colours (cl/graph/components/strong.cl).
 *
 * Each of several devices holds all vertices and a share of the arcs. They spread colours, or labels, along their own
 * arcs until nothing changes, and take the smallest colours and all labels of the others. They repeat this until no
 * device differs. The result does not depend on the order. Trimming needs the arcs of all devices in each round. */
#include "graph/components/colours.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "kernels/graph/components/strong.h"
#include "kernels/native.h"
#include "prim/rounds.h"

/* One device's share: a range of the arcs. */
struct colours_share {
    struct mw_colours *of;
    uint64_t low, high; /* the graph's arcs from `low` to below `high` */
    struct mw_owner owner;
    struct mw_arc_worker on;
    struct mw_kernel_set *set;
    struct mw_arc_blocks blocks;
    struct mw_split split; /* form for groups */
    struct mw_buffer *labels, *colour, *leave, *arrive, *left, *changed;
    size_t rounds;  /* rounds of the last job */
    uint32_t *copy; /* several devices: an array of the device in host memory */
    bool differs;   /* in the share's range of vertices, a device had other elements than the merged array */
};

/* An array with an element per vertex, and how the arrays of several devices are merged. */
struct merging {
    size_t offset; /* byte offset of the buffer in struct colours_share */
    size_t bytes;  /* bytes of an element */
    bool smallest; /* takes the smallest element; otherwise the largest */
};
#define ARRAY(member) offsetof(struct colours_share, member)
static const struct merging leaving = { ARRAY(leave), 1, false }, arriving = { ARRAY(arrive), 1, false },
                            labelling = { ARRAY(labels), sizeof(int32_t), false },
                            colouring = { ARRAY(colour), sizeof(uint32_t), true };

struct mw_colours {
    const struct mw_graph *graph;
    uint64_t block_arcs;
    struct colours_share *share;
    size_t count;
    struct mw_team *team;
    uint32_t *merged;                     /* several devices: an array of all */
    const struct merging *merging;        /* the array that is being merged */
    int (*round)(void *share, int32_t r); /* the rounds that are being repeated */
};

/* ---- life ---- */

static int strong_make(void *of, void *unused)
{
    struct colours_share *c = of;
    const size_t n = c->of->graph->vertices;
    TRY_RETURN(mw_arc_set_new(&c->on, &kernels_graph_components_strong,
                              &(struct mw_kernel_options){ .native = mw_native_graph_strong }, &c->set));
    TRY_RETURN(mw_rounds_new(&c->owner, c->on.device, &c->changed));
    TRY_RETURN(mw_arc_buffer(&c->on, n * sizeof(int32_t), &c->labels));
    TRY_RETURN(mw_arc_buffer(&c->on, n * sizeof(uint32_t), &c->colour));
    TRY_RETURN(mw_arc_zeros(&c->on, n, &c->leave));
    TRY_RETURN(mw_arc_zeros(&c->on, n, &c->arrive));
    TRY_RETURN(mw_arc_buffer(&c->on, sizeof(int32_t), &c->left));
    TRY_RETURN(mw_buffer_fill(c->labels, 0, n * sizeof(int32_t), 0xff));
    if (c->of->count > 1)
        TRY_RETURN(mw_arc_new(&c->on, n, sizeof *c->copy, &c->copy));
    TRY_RETURN(mw_arc_blocks_make(&c->on, c->of->graph, c->low, c->high, c->of->block_arcs,
                                  c->on.cores ? 0 : c->on.limits->vertex_most, mw_split_bytes(&c->on, c->high - c->low),
                                  &c->blocks));
    return mw_split_make(&c->blocks, &c->split);
}

int mw_colours_new(struct mw_owner *own, struct mw_device *const *devices, size_t count, const struct mw_graph *graph,
                   uint64_t block_arcs, const struct mw_arc_limits *limits, struct mw_colours **colours)
{
    const uint64_t arcs = graph->arcs;
    struct mw_colours *c;
    TRY_RETURN(mw_own_new(own, 1, sizeof *c, &c));
    c->graph = graph;
    c->block_arcs = block_arcs;
    TRY_RETURN(mw_own_new(own, count, sizeof *c->share, &c->share));
    c->count = count;
    for (uint64_t d = 0; d < count; d++) {
        struct colours_share *const share = &c->share[d];
        share->of = c;
        share->on = mw_arc_worker_on(devices[d], limits, &share->owner);
        share->low = mw_arc_share_begin(arcs, d, count);
        share->high = mw_arc_share_begin(arcs, d + 1, count);
        TRY_RETURN(mw_own_owner(own, &share->owner));
    }
    if (count > 1)
        TRY_RETURN(mw_own_new(own, graph->vertices, sizeof *c->merged, &c->merged));
    TRY_RETURN(mw_own_team(own, c->share, sizeof *c->share, count, &c->team));
    TRY_RETURN(mw_team_run(c->team, strong_make, NULL));
    *colours = c;
    return 0;
}

/* ---- merging ---- */

static struct mw_buffer *array_of(const struct colours_share *share)
{
    return *(struct mw_buffer *const *)((const char *)share + share->of->merging->offset);
}

static int copy_out(void *of, void *unused)
{
    const struct colours_share *share = of;
    return mw_buffer_read(array_of(share), 0, share->of->graph->vertices * share->of->merging->bytes, share->copy,
                          NULL);
}

static int copy_in(void *of, void *unused)
{
    const struct colours_share *share = of;
    const struct mw_colours *c = share->of;
    return mw_buffer_write(array_of(share), 0, c->graph->vertices * c->merging->bytes, c->merged, NULL);
}

/* Merges the flags of all devices for the vertices from `first` to below `end`. */
static void merge_flags(const struct mw_colours *c, size_t first, size_t end)
{
    unsigned char *const merged = (unsigned char *)c->merged;
    memcpy(merged + first, (unsigned char *)c->share[0].copy + first, end - first);
    for (size_t d = 1; d < c->count; d++)
        for (size_t v = first; v < end; v++)
            merged[v] |= ((const unsigned char *)c->share[d].copy)[v];
}

/* The same for labels and colours. Labels plus 1 are unsigned numbers, of which 0 is the smallest. */
static bool merge_words(const struct mw_colours *c, size_t first, size_t end)
{
    const bool smallest = c->merging->smallest;
    bool differs = false;
    memcpy(c->merged + first, c->share[0].copy + first, (end - first) * sizeof *c->merged);
    for (size_t d = 1; d < c->count; d++)
        for (size_t v = first; v < end; v++) {
            const uint32_t other = c->share[d].copy[v], now = c->merged[v];
            differs |= other != now;
            if (smallest ? other < now : other + 1 > now + 1)
                c->merged[v] = other;
        }
    return differs;
}

static int merge_range(void *of, void *unused)
{
    struct colours_share *share = of;
    const struct mw_colours *c = share->of;
    const size_t n = c->graph->vertices, d = (size_t)(share - c->share), each = n / c->count, rest = n % c->count;
    const size_t first = each * d + mw_min(d, rest), end = first + each + (d < rest);
    if (c->merging->bytes == 1)
        merge_flags(c, first, end);
    else
        share->differs = merge_words(c, first, end);
    return 0;
}

/* Merges an array of all devices; returns whether they had different elements. */
static int merge(struct mw_colours *c, const struct merging *merging, bool *differs)
{
    c->merging = merging;
    TRY_RETURN(mw_team_run(c->team, copy_out, NULL));
    TRY_RETURN(mw_team_run(c->team, merge_range, NULL));
    *differs = false;
    for (size_t d = 0; d < c->count; d++)
        *differs |= c->share[d].differs;
    return mw_team_run(c->team, copy_in, NULL);
}

/* ---- rounds ---- */

/* A pass over all arcs in round r: block by block; in the form for groups, low-degree vertices, then pieces of split
 * ones. */
struct pass {
    struct colours_share *c;
    int32_t r;
};
typedef int pass_fn(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each);

static int over_arcs(struct pass pass, pass_fn *whole, mw_split_fn *split)
{
    struct colours_share *c = pass.c;
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
    const struct colours_share *c = pass->c;
    return launch_strong_look(c->set, range, c->labels, c->leave, c->arrive, MW_ARCS(view), c->changed, pass->r, each);
}

static int look_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours_share *c = pass->c;
    return launch_strong_look_split(c->set, mw_split_range(c->set, p), c->labels, c->leave, c->arrive, MW_ARCS(view),
                                    MW_ARC_PIECES(p), c->changed, pass->r);
}

/* Removes the vertices that an earlier pass has not marked. */
static int strong_trim(struct colours_share *c, int32_t r)
{
    const size_t n = c->of->graph->vertices;
    int64_t each;
    const struct mw_range range = mw_arc_range(&c->on, c->set, n, &each);
    return launch_strong_trim(c->set, range, c->labels, c->leave, c->arrive, c->changed, r, (int32_t)n, each);
}

static int trim_round(void *context, int32_t r)
{
    TRY_RETURN(over_arcs((struct pass){ context, r }, strong_look, look_split));
    return strong_trim(context, r);
}

static int colour(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each)
{
    const struct colours_share *c = pass->c;
    return launch_strong_colour(c->set, range, c->labels, c->colour, MW_ARCS(view), c->changed, pass->r, each);
}

static int colour_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours_share *c = pass->c;
    return launch_strong_colour_split(c->set, mw_split_range(c->set, p), c->labels, c->colour, MW_ARCS(view),
                                      MW_ARC_PIECES(p), c->changed, pass->r);
}

static int colour_round(void *context, int32_t r)
{
    return over_arcs((struct pass){ context, r }, colour, colour_split);
}

static int back(const struct pass *pass, const struct mw_arc_view *view, struct mw_range range, int64_t each)
{
    const struct colours_share *c = pass->c;
    return launch_strong_back(c->set, range, c->labels, c->colour, MW_ARCS(view), c->changed, pass->r, each);
}

static int back_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct pass *pass = context;
    const struct colours_share *c = pass->c;
    return launch_strong_back_split(c->set, mw_split_range(c->set, p), c->labels, c->colour, MW_ARCS(view),
                                    MW_ARC_PIECES(p), c->changed, pass->r);
}

static int back_round(void *context, int32_t r) { return over_arcs((struct pass){ context, r }, back, back_split); }

/* ---- all together ---- */

static int repeat_rounds(void *of, void *unused)
{
    struct colours_share *share = of;
    return mw_rounds_repeat(share->changed, share->of->round, share, &share->rounds);
}

/* Repeats rounds of all devices until nothing changes and their arrays agree. */
static int spread(struct mw_colours *c, int (*round)(void *share, int32_t r), const struct merging *merging,
                  size_t *rounds)
{
    bool differs = false;
    do {
        size_t most = 0;
        c->round = round;
        TRY_RETURN(mw_team_run(c->team, repeat_rounds, NULL));
        for (size_t d = 0; d < c->count; d++)
            most = mw_max(most, c->share[d].rounds);
        *rounds += most;
        if (c->count > 1)
            TRY_RETURN(merge(c, merging, &differs));
    } while (differs);
    return 0;
}

static int look_at_arcs(void *of, void *unused)
{
    struct colours_share *share = of;
    TRY_RETURN(mw_buffer_fill(share->changed, 0, 2 * sizeof(int32_t), 0));
    TRY_RETURN(mw_buffer_fill(share->changed, 0, 1, 1));
    return over_arcs((struct pass){ share, 0 }, strong_look, look_split);
}

static int trim_vertices(void *of, void *unused)
{
    struct colours_share *share = of;
    int32_t changed;
    TRY_RETURN(strong_trim(share, 0));
    TRY_RETURN(mw_buffer_read(share->changed, sizeof changed, sizeof changed, &changed, NULL));
    share->differs = changed != 0;
    return 0;
}

/* Several devices: each removes the same vertices, from the arcs of all. */
static int trim_together(struct mw_colours *c, size_t *rounds)
{
    bool unused;
    do {
        TRY_RETURN(mw_team_run(c->team, look_at_arcs, NULL));
        TRY_RETURN(merge(c, &leaving, &unused));
        TRY_RETURN(merge(c, &arriving, &unused));
        TRY_RETURN(mw_team_run(c->team, trim_vertices, NULL));
        ++*rounds;
        TRY_RETURN(mw_progress_look());
    } while (c->share[0].differs);
    return 0;
}

static struct mw_range vertices_range(const struct colours_share *share, int64_t *each)
{
    return mw_arc_range(&share->on, share->set, share->of->graph->vertices, each);
}

static int start_colours(void *of, void *unused)
{
    struct colours_share *c = of;
    int64_t each;
    const struct mw_range range = vertices_range(c, &each);
    TRY_RETURN(mw_buffer_fill(c->left, 0, sizeof(int32_t), 0));
    return launch_strong_start(c->set, range, c->labels, c->colour, c->left, (int32_t)c->of->graph->vertices, each);
}

static int set_roots(void *of, void *unused)
{
    struct colours_share *c = of;
    int64_t each;
    const struct mw_range range = vertices_range(c, &each);
    return launch_strong_roots(c->set, range, c->labels, c->colour, (int32_t)c->of->graph->vertices, each);
}

int mw_colours_run(struct mw_colours *c, int32_t *roots, size_t *rounds)
{
    struct colours_share *const share = &c->share[0];
    int32_t left;
    for (;;) {
        if (c->count > 1)
            TRY_RETURN(trim_together(c, rounds));
        else
            TRY_RETURN(spread(c, trim_round, NULL, rounds));
        TRY_RETURN(mw_team_run(c->team, start_colours, NULL));
        TRY_RETURN(mw_buffer_read(share->left, 0, sizeof left, &left, NULL));
        if (!left)
            break;
        TRY_RETURN(spread(c, colour_round, &colouring, rounds));
        TRY_RETURN(mw_team_run(c->team, set_roots, NULL));
        TRY_RETURN(spread(c, back_round, &labelling, rounds));
    }
    return mw_buffer_read(share->labels, 0, c->graph->vertices * sizeof *roots, roots, NULL);
}
/* SPDX-License-Identifier: MIT */
