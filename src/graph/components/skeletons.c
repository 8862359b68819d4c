/* Biconnected components by a skeleton, on one device or several.
 *
 * Several devices hold a share of the arcs each. Each makes a spanning forest of its arcs. The first device extends
 * its own forest by the edges of the others, which are fewer than vertices per device, and makes the tour. All look at
 * their arcs along this tour. Their pairs are merged to the smallest, ways are added, and sets are joined on the first
 * device. The rest needs no arcs. Results do not depend on the forest. */
#include <stdlib.h>

#include "dev/core/team.h"
#include "graph/components/skeleton.h"
#include "graph/components/shares.h"

struct mw_bridge_skeletons {
    const struct mw_graph *graph;
    struct mw_arc_limits limits;
    uint64_t block_arcs;
    size_t count;
    struct mw_bridge_skeleton *on; /* on each device */
    struct mw_team *team;
    int (*step)(struct mw_bridge_skeleton *s); /* the step that all devices make */
};

/* ---- life ---- */

static int make(struct mw_bridge_skeleton *s) { return mw_skeleton_make(s, s->of->block_arcs); }

static int step_of(void *skeleton, void *unused)
{
    struct mw_bridge_skeleton *s = skeleton;
    return s->of->step(s);
}

static int each_device(struct mw_bridge_skeletons *all, int (*step)(struct mw_bridge_skeleton *s))
{
    all->step = step;
    return mw_team_run(all->team, step_of, NULL);
}

int mw_bridge_skeletons_new(struct mw_owner *own, struct mw_device *const *devices, size_t count,
                            const struct mw_graph *graph, uint64_t block_arcs, const struct mw_arc_limits *limits,
                            struct mw_bridge_skeletons **skeletons)
{
    const uint64_t arcs = graph->arcs;
    struct mw_bridge_skeletons *all;
    TRY_RETURN(mw_own_new(own, 1, sizeof *all, &all));
    all->graph = graph;
    all->limits = *limits;
    all->block_arcs = block_arcs;
    TRY_RETURN(mw_own_new(own, count, sizeof *all->on, &all->on));
    all->count = count;
    for (uint64_t d = 0; d < count; d++) {
        struct mw_bridge_skeleton *const s = &all->on[d];
        s->of = all;
        s->graph = graph;
        s->low = mw_arc_share_begin(arcs, d, count);
        s->high = mw_arc_share_begin(arcs, d + 1, count);
        s->share.on = mw_arc_worker_on(devices[d], &all->limits, &s->share.owner);
        TRY_RETURN(mw_own_owner(own, &s->share.owner));
    }
    TRY_RETURN(mw_own_team(own, all->on, sizeof *all->on, count, &all->team));
    TRY_RETURN(each_device(all, make));
    *skeletons = all;
    return 0;
}

/* ---- several devices ---- */

/* Appends the edges of a device's forest: the links of vertices that are not roots. */
static int add_forest(const struct mw_bridge_skeleton *s, struct mw_edges *edges)
{
    const size_t n = s->graph->vertices;
    uint32_t *labels = NULL, *links = NULL;
    int rc;
    TRY(mw_new(n, sizeof *labels, &labels));
    TRY(mw_new(n, 2 * sizeof *links, &links));
    TRY(mw_buffer_read(s->labels, 0, n * sizeof *labels, labels, NULL));
    TRY(mw_buffer_read(s->links, 0, 2 * n * sizeof *links, links, NULL));
    for (size_t v = 0; v < n; v++)
        if (labels[v] != v) {
            edges->ends[2 * edges->count] = links[2 * v];
            edges->ends[2 * edges->count++ + 1] = links[2 * v + 1];
        }
out:
    free(labels);
    free(links);
    return rc;
}

/* Extends the first device's forest by those of the others. */
static int join_forests(struct mw_bridge_skeletons *all)
{
    struct mw_bridge_skeleton *const first = &all->on[0];
    struct mw_edges edges = { 0 };
    struct mw_graph graph = { 0 };
    uint64_t most = 0; /* a forest has fewer edges than vertices, and than its device has arcs */
    int rc;
    for (size_t d = 1; d < all->count; d++)
        most += mw_min(all->graph->vertices, (size_t)(all->on[d].high - all->on[d].low));
    TRY(mw_edges_new(all->graph->vertices, most, false, &edges));
    edges.count = 0;
    for (size_t d = 1; d < all->count; d++)
        TRY(add_forest(&all->on[d], &edges));
    TRY(mw_graph_new(first->share.on.device, &edges, NULL, &graph, NULL));
    TRY(mw_skeleton_extend(first, &graph));
out:
    mw_graph_free(&graph);
    mw_edges_free(&edges);
    return rc;
}

/* Gives all devices the tour; each vertex is a set. */
static int send_tour(struct mw_bridge_skeletons *all)
{
    const struct mw_bridge_skeleton *const first = &all->on[0];
    const size_t bytes = all->graph->vertices * sizeof(uint32_t);
    for (size_t d = 1; d < all->count; d++) {
        struct mw_bridge_skeleton *const s = &all->on[d];
        TRY_RETURN(mw_buffer_copy(first->spans, 0, s->spans, 0, 2 * bytes, NULL));
        TRY_RETURN(mw_buffer_copy(first->above, 0, s->above, 0, bytes, NULL));
        TRY_RETURN(mw_graph_union_start(&s->share));
    }
    return 0;
}

/* Merges numbers of all devices to the first one's: the smallest of each, or their sum. */
static int merge_numbers(struct mw_bridge_skeletons *all,
                         struct mw_buffer *(*array)(const struct mw_bridge_skeleton *s), size_t count, bool smallest)
{
    const size_t bytes = count * sizeof(uint32_t);
    uint32_t *merged = NULL, *other = NULL;
    int rc;
    TRY(mw_new(count, sizeof *merged, &merged));
    TRY(mw_new(count, sizeof *other, &other));
    TRY(mw_buffer_read(array(&all->on[0]), 0, bytes, merged, NULL));
    for (size_t d = 1; d < all->count; d++) {
        TRY(mw_buffer_read(array(&all->on[d]), 0, bytes, other, NULL));
        for (size_t i = 0; i < count; i++)
            merged[i] = !smallest ? merged[i] + other[i] : other[i] < merged[i] ? other[i] : merged[i];
    }
    TRY(mw_buffer_write(array(&all->on[0]), 0, bytes, merged, NULL));
out:
    free(merged);
    free(other);
    return rc;
}

static struct mw_buffer *near_of(const struct mw_bridge_skeleton *s) { return s->near; }

static int join_sets(struct mw_bridge_skeletons *all)
{
    struct mw_buffer **labels = NULL;
    int rc;
    TRY(mw_new(all->count, sizeof *labels, &labels));
    for (size_t d = 1; d < all->count; d++)
        labels[d - 1] = all->on[d].labels;
    TRY(mw_graph_union_merge(&all->on[0].share, labels, all->count - 1));
out:
    free(labels);
    return rc;
}

static int run_several(struct mw_bridge_skeletons *all)
{
    struct mw_bridge_skeleton *const first = &all->on[0];
    TRY_RETURN(each_device(all, mw_skeleton_forest));
    TRY_RETURN(join_forests(all));
    TRY_RETURN(mw_skeleton_tour(first));
    TRY_RETURN(send_tour(all));
    TRY_RETURN(each_device(all, mw_skeleton_look));
    TRY_RETURN(merge_numbers(all, near_of, mw_skeleton_near_bytes(first) / sizeof(uint32_t), true));
    TRY_RETURN(merge_numbers(all, mw_skeleton_ways, all->graph->vertices, false));
    TRY_RETURN(join_sets(all));
    return mw_skeleton_fence(first);
}

static int run_one(struct mw_bridge_skeleton *s)
{
    TRY_RETURN(mw_skeleton_forest(s));
    TRY_RETURN(mw_skeleton_tour(s));
    return mw_skeleton_sets(s);
}

int mw_bridge_skeletons_run(struct mw_bridge_skeletons *all, uint32_t *memberships, struct mw_graph_bridges *found)
{
    TRY_RETURN(all->count > 1 ? run_several(all) : run_one(&all->on[0]));
    return mw_skeleton_results(&all->on[0], memberships, found);
}
/* SPDX-License-Identifier: MIT */
