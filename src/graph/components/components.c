/* Components of graphs: checks options, chooses a variant, and divides the arcs among devices. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "dev/core/team.h"
#include "graph/components/components_internal.h"
#include "graph/components/shares.h"
#include "graph/targets/targets.h"

enum { AFFOREST, ECL };
/* clang-format off */
static const struct { struct mw_variant shown; const struct mw_component_variant *is; } table[] = {
    [AFFOREST] = { { "afforest",
        "links two neighbours of each vertex, then all arcs outside the giant component (Sutton, "
        "Ben-Nun, Barak 2018)", NULL }, &mw_component_afforest },
    [ECL] = { { "ecl",
        "hooks vertices to their first smaller neighbours, then along all edges (Jaiganesh, Burtscher 2018)", NULL },
      &mw_component_ecl },
    { { "edges",
        "copies the smaller label along each edge, until nothing changes: kernel 1 (Hawick, Leist, Playne 2010)", "1" },
      &mw_component_edges },
    { { "frontier",
        "compares new labels with those of neighbours, until nothing changes: kernel 2; one device", "2" },
      &mw_component_frontier },
    { { "frontier-image",
        "as frontier, reads heads from images through the texture cache: kernel 2 of the paper's figures; one "
        "device with images", NULL },
      &mw_component_frontier_image },
    { { "bfs",
        "breadth-first search of one component after the other: kernel 3; one device", "3" }, &mw_component_bfs },
    { { "reference",
        "spreads the smallest label depth first, with a stack: the papers' CPU algorithm; one native thread", NULL },
      &mw_component_reference },
};
/* clang-format on */

const struct mw_variant *mw_graph_component_variants(size_t i) { return i < MW_COUNT(table) ? &table[i].shown : NULL; }

int mw_graph_labelling_memory(const struct mw_graph *graph, const char *variant, struct mw_graph_footprint *memory)
{
    struct mw_graph_footprint found = MW_INIT(found);
    size_t v;
    if (!variant || !strcmp(variant, "auto"))
        return mw_fail(MW_ENOTSUP, "the memory of variant auto depends on the device");
    TRY_RETURN(mw_variant_find(mw_graph_component_variants, variant, &v));
    if (!table[v].is->memory)
        return mw_fail(MW_ENOTSUP, "the memory of variant %s depends on the device", table[v].shown.name);
    if (graph->directed && table[v].is->both_ways)
        return mw_fail(MW_ENOTSUP, "the memory of variant %s for a directed graph depends on its opposite arcs",
                       table[v].shown.name);
    TRY_RETURN(MW_RESULT_GIVE(mw_graph_footprint, NULL, rest, memory));
    table[v].is->memory(graph, &found);
    return MW_RESULT_GIVE(mw_graph_footprint, &found, rest, memory);
}

/* ---- choice ---- */

static int components_choose(struct mw_graph_labelling *l)
{
    const char *name = l->options.variant, *why;
    size_t v = AFFOREST;
    if (!name || strcmp(name, "auto") == 0)
        v = mw_component_prefers_ecl(l) ? ECL : AFFOREST;
    else
        TRY_RETURN(mw_variant_find(mw_graph_component_variants, name, &v));
    l->variant = table[v].is;
    l->options.variant = table[v].shown.name;
    why = l->variant->refuses(l);
    if (why)
        return mw_fail(MW_ENOTSUP, "%s: variant %s %s", mw_device_info(l->share[0].on.device)->id, l->options.variant,
                       why);
    return 0;
}

/* ---- creation ---- */

static void components_share_out(struct mw_graph_labelling *l, struct mw_device *const *devices)
{
    const uint64_t arcs = l->graph.arcs, n = l->share_count;
    for (uint64_t d = 0; d < n; d++) {
        l->share[d] = (struct mw_component_share){
            .of = l,
            .on = mw_arc_worker_on(devices[d], &l->limits, &l->share[d].owner),
            .whole = n == 1,
            .low = mw_arc_share_begin(arcs, d, n),
            .high = mw_arc_share_begin(arcs, d + 1, n),
        };
    }
}

/* Returns the number of devices that take part. Variant auto follows a few arcs per vertex, and samples of the others.
 * The labels of each device are merged on the first one. */
static size_t components_devices(const struct mw_graph_labelling *l, struct mw_device *const *devices, size_t count)
{
    enum { SAMPLED = 8 };
    const double n = (double)l->graph.vertices, arcs = (double)l->graph.arcs;
    const struct mw_worth work = {
        .what = "components", .visits = arcs / SAMPLED, .repeated = n, .waits = 1, .bytes = n * sizeof(int32_t)
    };
    return mw_devices_worth(devices, count, &work);
}

/* Makes a share: a job of a team. */
static int make_share(void *part, void *unused)
{
    struct mw_component_share *share = part;
    const struct mw_graph_labelling *l = share->of;
    const bool first = share == l->share;
    if (!first)
        TRY_RETURN(mw_arc_buffer(&share->on, l->graph.vertices * sizeof(int32_t), &share->own));
    TRY_RETURN(l->variant->make(share));
    return first && l->share_count > 1 && !share->unions ? mw_graph_union_make(share) : 0;
}

static bool is_given_twice(const struct mw_graph_labelling *l)
{
    for (size_t i = 0; i < l->share_count; i++)
        for (size_t k = 0; k < i; k++)
            if (l->share[i].on.device == l->share[k].on.device)
                return true;
    return false;
}

static int make_one(struct mw_component_share *share) { return make_share(share, NULL); }

/* Makes all shares at the same time, since programs are built and arcs sent. A device belongs to one thread. */
static int make_shares(struct mw_graph_labelling *l)
{
    struct mw_team *team = NULL;
    int rc = 0;
    if (is_given_twice(l))
        return mw_component_each_share(l, make_one);
    TRY(mw_team_new(l->share, sizeof *l->share, l->share_count, &team));
    TRY(mw_team_run(team, make_share, NULL));
out:
    mw_team_free(team);
    return rc;
}

int mw_graph_labelling_new_within(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                                  const struct mw_graph_labelling_options *options, const struct mw_arc_limits *limits,
                                  struct mw_graph_labelling **labelling)
{
    struct mw_graph_labelling *l = NULL;
    int rc;
    TRY(mw_team_devices(&devices, &device_count, "components"));
    TRY(mw_new(1, sizeof *l, &l));
    l->graph = *graph;
    l->limits = *limits;
    TRY(MW_OPTIONS_TAKE(mw_graph_labelling_options, options, block_arcs, &l->options));
    TRY(mw_graph_check_given(graph, devices[0]));
    TRY(mw_new(device_count, sizeof *l->share, &l->share));
    l->share_count = device_count;
    components_share_out(l, devices);
    TRY(components_choose(l));
    l->share_count = device_count = components_devices(l, devices, device_count);
    components_share_out(l, devices);
    if (graph->directed && l->variant->both_ways) {
        TRY(mw_graph_undirected(devices[0], graph, &l->undirected));
        l->graph = l->undirected;
        components_share_out(l, devices);
    }
    if (graph->vertices > 0)
        TRY(make_shares(l));
    *labelling = MW_PASS(l);
out:
    mw_graph_labelling_free(l);
    return rc;
}

int mw_graph_labelling_new(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                           const struct mw_graph_labelling_options *options, struct mw_graph_labelling **labelling)
{
    return mw_graph_labelling_new_within(devices, device_count, graph, options, &mw_arc_limits_usual, labelling);
}

void mw_graph_labelling_free(struct mw_graph_labelling *labelling)
{
    if (!labelling)
        return;
    for (size_t d = 0; d < labelling->share_count; d++)
        mw_owner_drop(&labelling->share[d].owner);
    free(labelling->share);
    mw_graph_free(&labelling->undirected);
    free(labelling);
}

const char *mw_graph_labelling_variant(const struct mw_graph_labelling *labelling)
{
    return labelling->options.variant;
}

/* ---- runs ---- */

/* Merges the labels of all other shares. */
static int merge(struct mw_graph_labelling *l)
{
    struct mw_buffer **labels = NULL;
    int rc;
    TRY(mw_new(l->share_count, sizeof *labels, &labels));
    for (size_t d = 1; d < l->share_count; d++)
        labels[d - 1] = l->share[d].own;
    TRY(mw_graph_union_merge(&l->share[0], labels, l->share_count - 1));
out:
    free(labels);
    return rc;
}

int mw_graph_labelling_run(struct mw_graph_labelling *l, struct mw_buffer *labels, size_t *iterations)
{
    const size_t bytes = l->graph.vertices * sizeof(int32_t);
    size_t passes = 1;
    if (labels->device != l->share[0].on.device)
        return mw_fail(MW_EINVAL, "the label buffer must be on the first device of the labelling, %s",
                       mw_device_info(l->share[0].on.device)->id);
    if (mw_buffer_bytes(labels) < bytes)
        return mw_fail(MW_EINVAL, "the label buffer has %zu bytes, but the graph needs %zu", mw_buffer_bytes(labels),
                       bytes);
    for (size_t d = 0; d < l->share_count; d++)
        l->share[d].labels = d == 0 ? labels : l->share[d].own;
    TRY_RETURN(mw_progress(0, 1));
    if (l->graph.vertices > 0)
        TRY_RETURN(l->variant->run(l, &passes));
    if (l->graph.vertices > 0 && l->share_count > 1)
        TRY_RETURN(merge(l));
    if (iterations)
        *iterations = passes;
    return mw_progress(1, 1);
}

int mw_graph_label(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                   const struct mw_graph_labelling_options *options, int32_t *roots)
{
    struct mw_graph_labelling *l = NULL;
    struct mw_buffer *on_device = NULL;
    int rc;
    TRY(mw_team_devices(&devices, &device_count, "components"));
    TRY(mw_graph_labelling_new(devices, device_count, graph, options, &l));
    TRY(mw_buffer_new(devices[0], graph->vertices * sizeof *roots, &on_device));
    TRY(mw_graph_labelling_run(l, on_device, NULL));
    if (graph->vertices > 0)
        TRY(mw_buffer_read(on_device, 0, graph->vertices * sizeof *roots, roots, NULL));
out:
    mw_graph_labelling_free(l);
    mw_buffer_free(on_device);
    return rc;
}

/* Copies component sizes from components.h. With no components, returns an empty array that can be freed. */
static int copy_sizes(struct mw_prim *prim, struct mw_buffer *labels, size_t n, size_t count, uint32_t **sizes)
{
    struct mw_components *components = NULL;
    const uint32_t *array;
    uint32_t *made = NULL;
    size_t found;
    int rc;
    TRY(mw_components_new(prim, labels, n, MW_TYPE_I32, count, &components));
    TRY(mw_components_array(components, MW_COMPONENTS_SIZES, &array, &found));
    TRY(mw_new(count, sizeof *made, &made));
    if (count > 0)
        memcpy(made, array, count * sizeof *made);
    *sizes = made;
out:
    mw_components_free(components);
    return rc;
}

int mw_graph_components(struct mw_device *const *devices, size_t device_count, const struct mw_graph *graph,
                        int32_t *labels, uint32_t **sizes, size_t *count)
{
    const size_t n = graph->vertices;
    struct mw_graph_labelling *l = NULL;
    struct mw_buffer *on_device = NULL;
    struct mw_prim *prim = NULL;
    uint32_t *made = NULL;
    size_t found;
    int rc;
    TRY(mw_team_devices(&devices, &device_count, "components"));
    TRY(mw_graph_labelling_new(devices, device_count, graph, NULL, &l));
    TRY(mw_buffer_new(devices[0], n * sizeof *labels, &on_device));
    TRY(mw_graph_labelling_run(l, on_device, NULL));
    TRY(mw_prim_new(devices[0], &prim));
    TRY(mw_components_number(prim, on_device, n, MW_TYPE_I32, on_device, MW_TYPE_I32, &found));
    if (sizes)
        TRY(copy_sizes(prim, on_device, n, found, &made));
    if (labels && n > 0)
        TRY(mw_buffer_read(on_device, 0, n * sizeof *labels, labels, NULL));
    if (count)
        *count = found;
    if (sizes)
        *sizes = MW_PASS(made);
out:
    free(made);
    mw_prim_free(prim);
    mw_buffer_free(on_device);
    mw_graph_labelling_free(l);
    return rc;
}
/* SPDX-License-Identifier: MIT */
