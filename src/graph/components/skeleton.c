/* Biconnected components by a skeleton: see cl/graph/components/bridges.clh. */
#include <stdlib.h>

#include "graph/components/bridges_plan.clh"
#include "graph/components/skeleton.h"
#include "graph/components/shares.h"
#include "prim/prim_internal.h"
#include "kernels/graph/components/bridges.h"
#include "kernels/native.h"

enum { TRIES = 64 };        /* neighbours searched for the first smaller one, at most */
enum { STRETCHES = 4096 };  /* fewest stretches of a tour with so many steps; on cores, fewer than twice as many */
enum { LONGEST_SHIFT = 6 }; /* form for groups: a stretch has about 2^6 steps at most */

/* Buffers of one or two numbers per vertex that are reused after their first use. */
static struct mw_buffer *leaving_of(const struct mw_bridge_skeleton *s) { return s->share.unions->other; }
static struct mw_buffer *tops_of(const struct mw_bridge_skeleton *s) { return s->share.unions->other; }
static struct mw_buffer *sizes_of(const struct mw_bridge_skeleton *s) { return s->links; }
static struct mw_buffer *steps_of(const struct mw_bridge_skeleton *s) { return s->near; }
static struct mw_buffer *places_of(const struct mw_bridge_skeleton *s) { return s->spans; }

/* ---- life ---- */

static void skeleton_plan(struct mw_bridge_skeleton *s)
{
    const size_t steps = 2 * s->graph->vertices;
    size_t first = 0;
    for (size_t count = steps;; count = (count - 1) / BRIDGES_FAN + 1) {
        s->level[s->levels++] = (struct level){ first, count };
        first += count;
        if (count == 1)
            break;
    }
    s->shift = 1;
    while (steps >> s->shift >= 2 * STRETCHES && (s->share.on.cores || s->shift < LONGEST_SHIFT))
        s->shift++;
    s->stretches = ((steps - 1) >> s->shift) + 1;
}

static int skeleton_make_buffers(struct mw_bridge_skeleton *s)
{
    const struct level *last = &s->level[s->levels - 1];
    const size_t n = s->graph->vertices, each = sizeof(uint32_t);
    /* clang-format off */
    const struct { struct mw_buffer **buffer; size_t bytes; } wanted[] = {
        { &s->labels, n * each }, { &s->links, 2 * n * each }, { &s->turns, 2 * n * each },
        { &s->near, 2 * (last->first + last->count) * each }, { &s->stretch[0], 2 * s->stretches * each },
        { &s->stretch[1], 2 * s->stretches * each }, { &s->spans, 2 * n * each }, { &s->above, n * each },
        { &s->memberships, n * each }, { &s->roots, n }, { &s->bridges, n },
    };
    /* clang-format on */
    for (size_t i = 0; i < MW_COUNT(wanted); i++)
        TRY_RETURN(mw_arc_buffer(&s->share.on, wanted[i].bytes, wanted[i].buffer));
    s->share.labels = s->labels;
    return 0;
}

int mw_skeleton_make(struct mw_bridge_skeleton *s, uint64_t block_arcs)
{
    const uint64_t arcs = s->high - s->low;
    s->labelling.graph = *s->graph;
    s->share.of = &s->labelling;
    skeleton_plan(s);
    TRY_RETURN(mw_arc_set_new(&s->share.on, &kernels_graph_components_bridges,
                              &(struct mw_kernel_options){ .native = mw_native_graph_bridges }, &s->set));
    TRY_RETURN(mw_own_prim(&s->share.owner, s->share.on.device, &s->prim));
    TRY_RETURN(mw_graph_union_make(&s->share));
    TRY_RETURN(skeleton_make_buffers(s));
    TRY_RETURN(mw_arc_blocks_make(&s->share.on, s->graph, s->low, s->high, block_arcs, 0,
                                  mw_split_bytes(&s->share.on, arcs), &s->blocks));
    return mw_split_make(&s->blocks, &s->split);
}

/* ---- passes over the arcs ---- */

static struct mw_range vertices_range(const struct mw_bridge_skeleton *s, int64_t *each)
{
    return mw_arc_range(&s->share.on, s->set, s->graph->vertices, each);
}

/* One pass over a block's arcs: by parts on cores, otherwise over low-degree vertices, then over pieces of high-degree
 * ones. */
struct pass {
    int (*part)(struct mw_bridge_skeleton *s, const struct mw_arc_view *view, size_t parts);
    int (*whole)(struct mw_bridge_skeleton *s, const struct mw_arc_view *view);
    mw_split_fn *split;
};

static int over_blocks(struct mw_bridge_skeleton *s, struct mw_arc_blocks *blocks, const struct mw_split *split,
                       const struct pass *pass)
{
    struct mw_arc_view view;
    for (size_t b = 0; b < blocks->count; b++) {
        const struct mw_arc_block *block = &blocks->block[b];
        const uint64_t work = block->high - block->low + block->count;
        if (block->low == block->high)
            continue;
        TRY_RETURN(mw_arc_block_take(blocks, b, &view));
        if (s->share.on.cores) {
            TRY_RETURN(pass->part(s, &view, (work - 1) / mw_arc_each(&s->share.on, work) + 1));
        } else {
            TRY_RETURN(pass->whole(s, &view));
            TRY_RETURN(mw_split_each(split, b, &view, pass->split, s));
        }
    }
    return 0;
}

static int over_arcs(struct mw_bridge_skeleton *s, const struct pass *pass)
{
    return over_blocks(s, &s->blocks, &s->split, pass);
}

/* ---- spanning forest ---- */

static int hook_part(struct mw_bridge_skeleton *s, const struct mw_arc_view *view, size_t parts)
{
    return launch_bridges_hook_part(s->set, mw_parts(s->set, parts), s->labels, s->links, MW_ARCS(view), parts);
}

static int hook_whole(struct mw_bridge_skeleton *s, const struct mw_arc_view *view)
{
    int64_t each;
    const struct mw_range range = mw_arc_range(&s->share.on, s->set, (size_t)view->count, &each);
    return launch_bridges_hook_whole(s->set, range, s->labels, s->links, MW_ARCS(view), s->share.unions->unfinished,
                                     each);
}

static int hook_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct mw_bridge_skeleton *s = context;
    return launch_bridges_hook_split(s->set, mw_split_range(s->set, p), s->labels, s->links, MW_ARCS(view),
                                     MW_ARC_PIECES(p), s->share.unions->unfinished);
}

static const struct pass hooking = { hook_part, hook_whole, hook_split };

static int first_links(struct mw_bridge_skeleton *s)
{
    struct mw_arc_view view;
    int64_t each;
    struct mw_range range = vertices_range(s, &each);
    TRY_RETURN(launch_bridges_start(s->set, range, s->labels, s->links, (int32_t)s->graph->vertices, each));
    for (size_t b = 0; b < s->blocks.count; b++) {
        TRY_RETURN(mw_arc_block_take(&s->blocks, b, &view));
        range = mw_arc_range(&s->share.on, s->set, (size_t)view.count, &each);
        TRY_RETURN(launch_bridges_first(s->set, range, s->labels, s->links, MW_ARCS(&view), TRIES, each));
    }
    return mw_graph_union_compress(&s->share);
}

/* Repeats passes in which a work-item gave up, since trees are flat by then. */
static int hook_all(struct mw_bridge_skeleton *s, struct mw_arc_blocks *blocks, const struct mw_split *split)
{
    bool again = true;
    while (again) {
        TRY_RETURN(mw_buffer_fill(s->share.unions->unfinished, 0, sizeof(int32_t), 0));
        TRY_RETURN(over_blocks(s, blocks, split, &hooking));
        TRY_RETURN(mw_graph_union_check(&s->share, &again));
        if (again)
            TRY_RETURN(mw_graph_union_compress(&s->share));
    }
    return 0;
}

int mw_skeleton_forest(struct mw_bridge_skeleton *s)
{
    TRY_RETURN(first_links(s));
    return hook_all(s, &s->blocks, &s->split);
}

int mw_skeleton_extend(struct mw_bridge_skeleton *s, const struct mw_graph *edges)
{
    struct mw_owner own = { 0 };
    struct mw_arc_worker on = s->share.on;
    struct mw_arc_blocks blocks;
    struct mw_split split;
    int rc;
    on.own = &own;
    TRY(mw_graph_union_compress(&s->share));
    TRY(mw_arc_blocks_make(&on, edges, 0, edges->arcs, 0, 0, mw_split_bytes(&on, edges->arcs), &blocks));
    TRY(mw_split_make(&blocks, &split));
    TRY(hook_all(s, &blocks, &split));
out:
    mw_owner_drop(&own);
    return rc;
}

/* ---- Euler tour ---- */

/* Returns the range for stretches, which are too few for mw_arc_range. */
static struct mw_range stretches_range(const struct mw_bridge_skeleton *s, int64_t *each)
{
    const size_t parts = (size_t)8 * mw_device_info(s->share.on.device)->compute_units;
    const size_t of_part = s->share.on.cores ? (s->stretches - 1) / parts + 1 : s->set->group;
    *each = (int64_t)of_part;
    return mw_parts(s->set, (s->stretches - 1) / of_part + 1);
}

/* Computes the steps left from each stretch, in stretch[*at]. */
static int rank_stretches(struct mw_bridge_skeleton *s, size_t *at)
{
    int64_t each;
    const struct mw_range range = stretches_range(s, &each);
    *at = 0;
    for (size_t reach = 1; reach < s->stretches; reach *= 2, *at = 1 - *at)
        TRY_RETURN(
            launch_bridges_jump(s->set, range, s->stretch[*at], s->stretch[1 - *at], (int32_t)s->stretches, each));
    return 0;
}

int mw_skeleton_tour(struct mw_bridge_skeleton *s)
{
    const int32_t n = (int32_t)s->graph->vertices;
    const size_t arcs = 2 * s->graph->vertices, bytes = s->graph->vertices * sizeof(uint32_t);
    int64_t each;
    struct mw_range range = vertices_range(s, &each);
    size_t at;
    TRY_RETURN(mw_buffer_fill(leaving_of(s), 0, bytes, 0xff));
    TRY_RETURN(launch_bridges_thread(s->set, range, s->labels, s->links, s->roots, leaving_of(s), s->turns, n, each));
    range = mw_arc_range(&s->share.on, s->set, arcs, &each);
    TRY_RETURN(launch_bridges_close(s->set, range, s->links, leaving_of(s), s->turns, (int64_t)arcs, each));
    range = stretches_range(s, &each);
    TRY_RETURN(launch_bridges_walk(s->set, range, leaving_of(s), s->turns, steps_of(s), s->stretch[0],
                                   (int32_t)s->stretches, s->shift, arcs, each));
    TRY_RETURN(rank_stretches(s, &at));
    range = vertices_range(s, &each);
    return launch_bridges_number(s->set, range, s->links, steps_of(s), s->stretch[at], s->spans, s->above, n, each);
}

/* ---- skeleton ---- */

static int look_part(struct mw_bridge_skeleton *s, const struct mw_arc_view *view, size_t parts)
{
    return launch_bridges_look_part(s->set, mw_parts(s->set, parts), s->labels, s->spans, s->above, s->near,
                                    mw_skeleton_ways(s), MW_ARCS(view), parts);
}

static int look_whole(struct mw_bridge_skeleton *s, const struct mw_arc_view *view)
{
    int64_t each;
    const struct mw_range range = mw_arc_range(&s->share.on, s->set, (size_t)view->count, &each);
    return launch_bridges_look_whole(s->set, range, s->labels, s->spans, s->above, s->near, mw_skeleton_ways(s),
                                     MW_ARCS(view), s->share.unions->unfinished, each);
}

static int look_split(void *context, const struct mw_arc_view *view, const struct mw_arc_pieces *p)
{
    const struct mw_bridge_skeleton *s = context;
    return launch_bridges_look_split(s->set, mw_split_range(s->set, p), s->labels, s->spans, s->above, s->near,
                                     mw_skeleton_ways(s), MW_ARCS(view), MW_ARC_PIECES(p), s->share.unions->unfinished);
}

static const struct pass looking = { look_part, look_whole, look_split };

static int make_levels(struct mw_bridge_skeleton *s)
{
    int64_t each;
    for (size_t l = 1; l < s->levels; l++) {
        const struct level *below = &s->level[l - 1], *level = &s->level[l];
        const struct mw_range range = mw_arc_range(&s->share.on, s->set, level->count, &each);
        TRY_RETURN(launch_bridges_level(s->set, range, s->near, (int64_t)below->first, (int64_t)below->count,
                                        (int64_t)level->first, (int64_t)level->count, each));
    }
    return 0;
}

/* Begins a pass over the arcs of the skeleton. */
static int look_at_arcs(struct mw_bridge_skeleton *s)
{
    TRY_RETURN(mw_buffer_fill(s->share.unions->unfinished, 0, sizeof(int32_t), 0));
    TRY_RETURN(mw_buffer_fill(mw_skeleton_ways(s), 0, s->graph->vertices * sizeof(uint32_t), 0));
    return over_arcs(s, &looking);
}

static int forget_near(struct mw_bridge_skeleton *s)
{
    return mw_buffer_fill(s->near, 0, mw_skeleton_near_bytes(s), 0xff);
}

/* Joins vertices with their parents in the tour, and names the sets by their smallest vertices. */
static int join_fences(struct mw_bridge_skeleton *s, bool *again)
{
    int64_t each;
    const struct mw_range range = vertices_range(s, &each);
    TRY_RETURN(make_levels(s));
    TRY_RETURN(launch_bridges_fence(s->set, range, s->labels, s->spans, s->above, s->near, s->roots,
                                    (int32_t)s->graph->vertices, s->share.unions->unfinished, each));
    TRY_RETURN(mw_graph_union_compress(&s->share));
    return mw_graph_union_check(&s->share, again);
}

int mw_skeleton_look(struct mw_bridge_skeleton *s)
{
    bool again = true;
    TRY_RETURN(forget_near(s));
    while (again) {
        TRY_RETURN(look_at_arcs(s));
        TRY_RETURN(mw_graph_union_compress(&s->share));
        TRY_RETURN(mw_graph_union_check(&s->share, &again));
    }
    return 0;
}

int mw_skeleton_fence(struct mw_bridge_skeleton *s)
{
    bool again = true;
    while (again) {
        TRY_RETURN(mw_buffer_fill(s->share.unions->unfinished, 0, sizeof(int32_t), 0));
        TRY_RETURN(join_fences(s, &again));
    }
    return 0;
}

/* Makes the sets of the skeleton on one device. Also repeats passes in which a work-item gave up: joined sets stay
 * joined. */
int mw_skeleton_sets(struct mw_bridge_skeleton *s)
{
    bool again = true;
    TRY_RETURN(forget_near(s));
    while (again) {
        TRY_RETURN(look_at_arcs(s));
        TRY_RETURN(join_fences(s, &again));
    }
    return 0;
}

/* ---- results ---- */

static int count_all(struct mw_bridge_skeleton *s, uint32_t *memberships, struct mw_graph_bridges *found)
{
    const size_t n = s->graph->vertices, bytes = n * sizeof(uint32_t);
    uint32_t largest;
    uint64_t in_components = 0;
    size_t roots;
    int64_t each;
    const struct mw_range range = vertices_range(s, &each);
    TRY_RETURN(mw_buffer_fill(sizes_of(s), 0, bytes, 0));
    TRY_RETURN(launch_bridges_tops(s->set, range, s->labels, s->above, s->roots, sizes_of(s), tops_of(s),
                                   s->memberships, (int32_t)n, each));
    TRY_RETURN(launch_bridges_count(s->set, range, s->labels, s->roots, sizes_of(s), tops_of(s), mw_skeleton_ways(s),
                                    s->memberships, s->bridges, (int32_t)n, each));
    TRY_RETURN(mw_prim_reduce(s->prim, sizes_of(s), n, MW_TYPE_U32, MW_REDUCTION_MAX, &largest));
    TRY_RETURN(mw_prim_select(s->prim, s->roots, n, places_of(s), &roots));
    TRY_RETURN(mw_buffer_read(s->memberships, 0, bytes, memberships, NULL));
    /* Each vertex that is not a root is in the component of its set; each component has one more vertex. */
    for (size_t v = 0; v < n; v++)
        in_components += memberships[v];
    found->components = (size_t)(in_components - (n - roots));
    found->largest = found->components > 0 ? (size_t)largest + 1 : 0;
    return 0;
}

static int list_bridges(struct mw_bridge_skeleton *s, struct mw_graph_bridges *found)
{
    struct mw_device *device = s->share.on.device;
    struct mw_buffer *keys = NULL;
    uint64_t *sorted = NULL;
    unsigned bits = 1;
    int64_t each;
    size_t count;
    int rc;
    while ((s->graph->vertices - 1) >> bits)
        bits++;
    TRY(mw_prim_select(s->prim, s->bridges, s->graph->vertices, places_of(s), &count));
    if (count == 0)
        goto out;
    TRY(mw_buffer_new(device, count * sizeof *sorted, &keys));
    const struct mw_range range = mw_arc_range(&s->share.on, s->set, count, &each);
    TRY(launch_bridges_key(s->set, range, places_of(s), s->above, keys, bits, (int64_t)count, each));
    TRY(mw_prim_sort(s->prim, keys, MW_TYPE_U64, 2 * bits, NULL, 0, count));
    TRY(mw_new(count, sizeof *sorted, &sorted));
    TRY(mw_buffer_read(keys, 0, count * sizeof *sorted, sorted, NULL));
    TRY(mw_new(count, 2 * sizeof *found->ends, &found->ends));
    for (size_t i = 0; i < count; i++) {
        found->ends[2 * i] = (uint32_t)(sorted[i] >> bits);
        found->ends[2 * i + 1] = (uint32_t)(sorted[i] & ((UINT64_C(1) << bits) - 1));
    }
    found->bridges = count;
out:
    free(sorted);
    mw_buffer_free(keys);
    return rc;
}

int mw_skeleton_results(struct mw_bridge_skeleton *s, uint32_t *memberships, struct mw_graph_bridges *found)
{
    TRY_RETURN(count_all(s, memberships, found));
    return list_bridges(s, found);
}
/* SPDX-License-Identifier: MIT */
