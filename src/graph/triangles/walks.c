/* Variants vertices, arcs and sorted, the last two also with images, and copies: the papers' algorithms
 * (cl/graph/triangles/walks.clh, copies.cl). */
#include <stdlib.h>

#include "graph/triangles/triangles_internal.h"
#include "graph/triangles/triangles_plan.clh"
#include "kernels/graph/triangles/copies.h"
#include "kernels/graph/triangles/walks.h"
#include "kernels/native.h"

enum { COPIES_GROUP = 32 }; /* work-items per group, at most */

struct walks {
    struct mw_kernel_set *set;
    bool copies;               /* the set is from copies.cl */
    struct mw_arc_blocks arcs; /* a single block */
    struct mw_buffer *tails, *ends, *sums;
    struct mw_image *image; /* NULL: heads are read from memory */
};

/* ---- requirements ---- */

static uint64_t most_arcs(const struct mw_graph *g)
{
    uint64_t most = 0;
    for (size_t v = 0; v < g->vertices; v++)
        most = g->offsets[v + 1] - g->offsets[v] > most ? g->offsets[v + 1] - g->offsets[v] : most;
    return most;
}

/* Some drivers silently end a work-item's loops after a number of iterations. */
static const char *refuses_rounds(const struct mw_triangle_share *share, unsigned loops)
{
    const double rounds = mw_device_info(share->on.device)->traits->loop_rounds;
    const double arcs = (double)most_arcs(share->of->graph);
    double needed = 1;
    for (unsigned i = 0; i < loops; i++)
        needed *= arcs + 2;
    return rounds > 0 && needed > rounds ? "needs longer loops than this driver runs: use oriented" : NULL;
}

static const char *refuses_arcs(const struct mw_triangle_share *share) { return refuses_rounds(share, 2); }
static const char *refuses_vertices(const struct mw_triangle_share *share) { return refuses_rounds(share, 3); }
static const char *refuses_copies(const struct mw_triangle_share *share)
{
    const bool native = mw_device_info(share->on.device)->kind == MW_DEVICE_NATIVE;
    return native ? "needs a device with local memory: use vertices" : refuses_rounds(share, 3);
}
static const char *refuses_image(const struct mw_triangle_share *share)
{
    return mw_device_info(share->on.device)->images ? refuses_arcs(share) : "needs a device with images: use arcs";
}

/* ---- structures ---- */

/* Stores where the arcs to heads of each degree begin, in increasing order of degree. */
static int count_degrees(const struct mw_graph *g, uint64_t **place)
{
    uint64_t *begin = NULL;
    const size_t degrees = (size_t)most_arcs(g) + 1;
    TRY_RETURN(mw_new(degrees + 1, sizeof *begin, &begin));
    for (uint64_t i = 0; i < g->arcs; i++)
        begin[g->offsets[g->heads[i] + 1] - g->offsets[g->heads[i]] + 1]++;
    for (size_t d = 0; d < degrees; d++)
        begin[d + 1] += begin[d];
    *place = begin;
    return 0;
}

/* Lists all arcs by tail and head, sorted by the degree of the head. */
static int make_sorted(const struct mw_graph *g, uint32_t *tails, uint32_t *ends)
{
    uint64_t *place = NULL;
    int rc;
    TRY(count_degrees(g, &place));
    for (size_t v = 0; v < g->vertices; v++)
        for (uint64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
            const uint32_t head = g->heads[i];
            const uint64_t at = place[g->offsets[head + 1] - g->offsets[head]]++;
            tails[at] = (uint32_t)v;
            ends[at] = head;
        }
out:
    free(place);
    return rc;
}

static int walks_make_arcs(struct mw_triangle_share *share, struct walks *s, bool sorted)
{
    const struct mw_graph *g = share->of->graph;
    uint32_t *tails = NULL, *ends = NULL;
    int rc;
    TRY(mw_graph_sources(g, &tails));
    if (sorted) {
        TRY(mw_new((size_t)g->arcs, sizeof *ends, &ends));
        TRY(make_sorted(g, tails, ends));
    }
    TRY(mw_arc_copy(&share->on, (size_t)g->arcs * sizeof *tails, tails, &s->tails));
    TRY(mw_arc_copy(&share->on, (size_t)g->arcs * sizeof *ends, sorted ? ends : g->heads, &s->ends));
out:
    free(tails);
    free(ends);
    return rc;
}

/* ---- life ---- */

static int launch(struct mw_triangle_share *share, size_t first, size_t count)
{
    struct walks *s = share->state;
    const struct mw_arg image = mw_arg_image(s->image);
    const int64_t begin = (int64_t)first, end = (int64_t)(first + count);
    struct mw_arc_view view;
    int64_t each;
    const struct mw_range range = mw_arc_range(&share->on, s->set, count, &each);
    TRY_RETURN(mw_arc_block_take(&s->arcs, 0, &view));
    if (s->copies)
        TRY_RETURN(count == 0 ? 0
                              : launch_triangles_by_copies(s->set, mw_parts(s->set, count), view.offsets, view.heads,
                                                           s->sums, begin, end));
    else if (s->tails)
        TRY_RETURN(launch_triangles_of_arcs(s->set, range, view.offsets, view.heads, s->tails, s->ends, s->sums, begin,
                                            end, each, &image, s->image ? 1 : 0));
    else
        TRY_RETURN(
            launch_triangles_of_vertices(s->set, range, view.offsets, view.heads, s->sums, begin, end, each, NULL, 0));
    return 0;
}

/* One group per vertex on any device. */
static int make_copies_set(const struct mw_triangle_share *share, struct walks *s)
{
    const struct mw_arc_worker in_groups = { share->on.device, false, share->on.limits, share->on.own };
    s->copies = true;
    return mw_arc_set_new(&in_groups, &kernels_graph_triangles_copies,
                          &(struct mw_kernel_options){ .group = COPIES_GROUP }, &s->set);
}

static int make_walks_set(const struct mw_triangle_share *share, bool image, struct walks *s)
{
    const uint64_t wanted =
        UINT64_C(1) << (share->of->variant->by_arcs ? KERNEL_TRIANGLES_OF_ARCS : KERNEL_TRIANGLES_OF_VERTICES);
    const char *defines = image ? "#define USE_IMAGE 1\n" : "";
    return mw_arc_set_new(&share->on, &kernels_graph_triangles_walks,
                          &(struct mw_kernel_options){
                              .native = mw_native_graph_triangle_walks, .defines = defines, .wanted = wanted },
                          &s->set);
}

static int walks_make(struct mw_triangle_share *share, bool image, bool copies)
{
    const struct mw_triangle_job *job = share->of;
    struct walks *s;
    TRY_RETURN(mw_arc_new(&share->on, 1, sizeof *s, &s));
    share->state = s;
    TRY_RETURN(copies ? make_copies_set(share, s) : make_walks_set(share, image, s));
    TRY_RETURN(mw_arc_zeros(&share->on, 2 * sizeof(uint64_t), &s->sums));
    TRY_RETURN(
        mw_arc_blocks_make(&share->on, job->graph, 0, job->graph->arcs, job->options.block_arcs, 0, 0, &s->arcs));
    if (s->arcs.sent || s->arcs.count > 1)
        return mw_fail(MW_ENOTSUP, "%s: variant %s needs the whole graph in device memory: use oriented",
                       mw_device_info(share->on.device)->id, job->options.variant);
    return 0;
}

static int make_for_vertices(struct mw_triangle_share *share)
{
    TRY_RETURN(walks_make(share, false, false));
    /* Some drivers compile kernels at the first launch. */
    return launch(share, 0, 0);
}

static int make_with_copies(struct mw_triangle_share *share) { return walks_make(share, false, true); }

static int make_for_arcs(struct mw_triangle_share *share, bool sorted, bool image)
{
    const struct mw_graph *g = share->of->graph;
    struct walks *s;
    TRY_RETURN(walks_make(share, image, false));
    s = share->state;
    TRY_RETURN(walks_make_arcs(share, s, sorted));
    if (image)
        TRY_RETURN(mw_arc_image(&share->on, g->heads, g->arcs, &s->image));
    return launch(share, 0, 0);
}

static int make_in_order(struct mw_triangle_share *share) { return make_for_arcs(share, false, false); }
static int make_by_degree(struct mw_triangle_share *share) { return make_for_arcs(share, true, false); }
static int make_in_order_with_image(struct mw_triangle_share *share) { return make_for_arcs(share, false, true); }
static int make_by_degree_with_image(struct mw_triangle_share *share) { return make_for_arcs(share, true, true); }

static int walks_run(struct mw_triangle_share *share, size_t first, size_t count)
{
    const struct walks *s = share->state;
    uint32_t halves[4];
    TRY_RETURN(launch(share, first, count));
    TRY_RETURN(mw_buffer_read(s->sums, 0, sizeof halves, halves, NULL));
    share->triangles = (uint64_t)halves[1] << 32 | halves[0];
    share->triples = (uint64_t)halves[3] << 32 | halves[2];
    return 0;
}

#define WALKS .both_ways = true, .counts_triples = true, .run = walks_run
const struct mw_triangle_variant mw_triangle_vertices = { .refuses = refuses_vertices,
                                                          .make = make_for_vertices,
                                                          WALKS };
const struct mw_triangle_variant mw_triangle_arcs = {
    .by_arcs = true, .refuses = refuses_arcs, .make = make_in_order, WALKS
};
const struct mw_triangle_variant mw_triangle_sorted = {
    .by_arcs = true, .refuses = refuses_arcs, .make = make_by_degree, WALKS
};
const struct mw_triangle_variant mw_triangle_copies = { .refuses = refuses_copies, .make = make_with_copies, WALKS };
const struct mw_triangle_variant mw_triangle_arcs_image = {
    .by_arcs = true, .refuses = refuses_image, .make = make_in_order_with_image, WALKS
};
const struct mw_triangle_variant mw_triangle_image = {
    .by_arcs = true, .refuses = refuses_image, .make = make_by_degree_with_image, WALKS
};
/* SPDX-License-Identifier: MIT */
