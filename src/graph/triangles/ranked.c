/* Lists by rank on a GPU, with hubs as bits: see cl/graph/triangles/ranked.cl. */
#include <stdlib.h>

#include "graph/triangles/counter.h"
#include "kernels/graph/triangles/ranked.h"

enum { GROUP = 256 };   /* work-items, at most */
enum { HUBS = 131072 }; /* at most */

struct mw_triangle_ranked {
    struct mw_kernel_set *set;
    struct mw_prim *prim;        /* the counter's */
    size_t vertices, arcs, hubs; /* arcs: of the lists, half of the graph's */
    unsigned degree_bits;
    struct mw_buffer *degrees, *vertices_of, *ranks, *begins, *ends, *wrong;
    struct mw_buffer *room; /* gathered neighbours; later the entries that follow arcs to hubs */
    struct mw_triangle_lists lists;
};

size_t mw_triangle_most_hubs(struct mw_device *device)
{
    const size_t bytes = mw_device_info(device)->local_bytes / 3;
    size_t hubs = HUBS;
    while (hubs > 32 && hubs / 8 > bytes)
        hubs /= 2;
    return hubs;
}

static size_t at_least_one(size_t n) { return n > 0 ? n : 1; }

/* Words per vertex: degrees, vertices_of, ranks, begins, keys and values of the sort, and its digit counts; then the
 * spans of the lists, heads and tails, and `room` for all arcs. */
size_t mw_triangle_ranked_bytes(size_t vertices, size_t arcs)
{
    return mw_triangle_span_bytes(vertices) + (7 * vertices + HUBS + 2 * arcs) * sizeof(uint32_t);
}

/* Finds the bits of the largest degree, and the number of hubs. */
static void inspect_degrees(const struct mw_triangle_share *share, struct mw_triangle_ranked *r)
{
    const struct mw_graph *g = share->of->graph;
    const struct mw_arc_limits *limits = share->on.limits;
    const size_t room = mw_triangle_most_hubs(share->on.device);
    const size_t most = limits->hub_most && limits->hub_most < room ? limits->hub_most : room;
    uint64_t largest = 0;
    for (size_t v = 0; v < g->vertices; v++) {
        const uint64_t degree = g->offsets[v + 1] - g->offsets[v];
        largest = degree > largest ? degree : largest;
        r->hubs += degree >= limits->hub_least;
    }
    r->hubs = r->hubs < most ? r->hubs : most;
    while (r->degree_bits < 32 && largest >> r->degree_bits)
        r->degree_bits++;
}

static int ranked_make_buffers(const struct mw_arc_worker *on, struct mw_triangle_ranked *r)
{
    const size_t words = r->vertices * sizeof(uint32_t), heads = at_least_one(r->arcs) * sizeof(uint32_t);
    TRY_RETURN(mw_arc_buffer(on, words, &r->degrees));
    TRY_RETURN(mw_arc_buffer(on, words, &r->vertices_of));
    TRY_RETURN(mw_arc_buffer(on, words, &r->ranks));
    TRY_RETURN(mw_arc_buffer(on, words + sizeof(uint32_t), &r->begins));
    TRY_RETURN(mw_arc_buffer(on, at_least_one(r->hubs) * sizeof(uint32_t), &r->ends));
    TRY_RETURN(mw_arc_buffer(on, sizeof(uint32_t), &r->wrong));
    TRY_RETURN(mw_arc_buffer(on, TRIANGLES_SPAN * heads, &r->room));
    TRY_RETURN(mw_arc_buffer(on, heads, &r->lists.tails));
    TRY_RETURN(mw_arc_buffer(on, heads, &r->lists.heads));
    return mw_arc_buffer(on, mw_triangle_span_bytes(r->vertices), &r->lists.spans);
}

/* Builds the primitives, which would be built at their first use. */
static int use_primitives(struct mw_triangle_ranked *r)
{
    const size_t few = r->vertices < 2 ? r->vertices : 2;
    TRY_RETURN(mw_buffer_fill(r->degrees, 0, few * sizeof(uint32_t), 0));
    TRY_RETURN(mw_buffer_fill(r->begins, 0, few * sizeof(uint32_t), 0));
    TRY_RETURN(mw_prim_sort(r->prim, r->degrees, MW_TYPE_U32, 1, r->vertices_of, sizeof(uint32_t), few));
    return mw_prim_scan(r->prim, r->begins, r->begins, few, MW_TYPE_U32, false, NULL);
}

int mw_triangle_ranked_make(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                            struct mw_triangle_ranked **ranked)
{
    struct mw_text defines = { 0 };
    struct mw_triangle_ranked *r;
    int rc;
    TRY(mw_arc_new(&share->on, 1, sizeof *r, &r));
    *ranked = r;
    r->prim = counter->prim;
    r->vertices = share->of->graph->vertices;
    r->arcs = (size_t)share->of->graph->arcs / 2;
    r->lists = (struct mw_triangle_lists){ .arcs = r->arcs, .count = r->vertices, .ranked = true };
    inspect_degrees(share, r);
    mw_text_add(&defines, "#define HUBS %zu\n", mw_triangle_most_hubs(share->on.device));
    TRY(mw_text_ok(&defines));
    TRY(mw_arc_set_new(&share->on, &kernels_graph_triangles_ranked,
                       &(struct mw_kernel_options){ .defines = defines.data, .group = GROUP }, &r->set));
    TRY(ranked_make_buffers(&share->on, r));
    TRY(use_primitives(r));
out:
    mw_text_free(&defines);
    return rc;
}

/* ---- lists ---- */

static int sort_vertices(struct mw_triangle_ranked *r, const struct mw_arc_view *arcs)
{
    const int64_t n = (int64_t)r->vertices;
    TRY_RETURN(launch_triangles_unsorted(r->set, mw_items(r->vertices), arcs->offsets, r->degrees, r->vertices_of, n));
    TRY_RETURN(
        mw_prim_sort(r->prim, r->degrees, MW_TYPE_U32, r->degree_bits, r->vertices_of, sizeof(uint32_t), r->vertices));
    return launch_triangles_rank(r->set, mw_items(r->vertices), r->vertices_of, r->ranks, n);
}

static struct mw_range tiles(const struct mw_triangle_ranked *r, size_t n)
{
    const size_t of_group = r->set->group * TRIANGLES_EACH;
    return mw_parts(r->set, n > 0 ? (n - 1) / of_group + 1 : 0);
}

/* Lists fit their buffers, and entries at hubs their places, only if each arc has a reverse. Neither mapped files nor
 * arrays of the caller guarantee that. */
static int not_in_pairs(void)
{
    return mw_fail(MW_EINVAL, "the graph is undirected, but has an arc without a reverse: store each edge as two arcs");
}

static int sort_lists(struct mw_triangle_ranked *r, const struct mw_arc_view *arcs)
{
    const int64_t n = (int64_t)r->vertices;
    uint32_t total;
    TRY_RETURN(mw_buffer_fill(r->begins, 0, mw_buffer_bytes(r->begins), 0));
    TRY_RETURN(launch_triangles_gather(r->set, tiles(r, 2 * r->arcs), arcs->offsets, arcs->heads, r->ranks, r->begins,
                                       r->room, n, (int64_t)(2 * r->arcs)));
    TRY_RETURN(mw_prim_scan(r->prim, r->begins, r->begins, r->vertices + 1, MW_TYPE_U32, false, &total));
    if (total != r->arcs)
        return not_in_pairs();
    return launch_triangles_order(r->set, tiles(r, r->arcs), arcs->offsets, r->vertices_of, r->room, r->begins,
                                  r->lists.tails, r->lists.heads, n, (int64_t)r->arcs);
}

static int inspect_hubs(struct mw_triangle_ranked *r)
{
    const int64_t first_hub = (int64_t)(r->vertices - r->hubs);
    uint32_t wrong;
    TRY_RETURN(mw_buffer_fill(r->wrong, 0, sizeof wrong, 0));
    TRY_RETURN(launch_triangles_arrive(r->set, mw_items(r->arcs), r->lists.tails, r->lists.heads, r->lists.spans,
                                       r->ends, r->room, (int64_t)r->arcs, first_hub));
    TRY_RETURN(launch_triangles_arrived(r->set, mw_items(r->hubs), r->degrees, r->lists.spans, r->ends, r->wrong,
                                        first_hub, (int64_t)r->hubs));
    TRY_RETURN(mw_buffer_read(r->wrong, 0, sizeof wrong, &wrong, NULL));
    if (wrong)
        return not_in_pairs();
    return 0;
}

int mw_triangle_ranked_lists(struct mw_triangle_ranked *r, const struct mw_arc_view *arcs)
{
    const int64_t first_hub = (int64_t)(r->vertices - r->hubs);
    TRY_RETURN(sort_vertices(r, arcs));
    TRY_RETURN(sort_lists(r, arcs));
    TRY_RETURN(launch_triangles_spans(r->set, mw_items(r->vertices), r->begins, r->degrees, r->lists.spans, r->ends,
                                      (int64_t)r->vertices, first_hub));
    TRY_RETURN(mw_prim_scan(r->prim, r->ends, r->ends, r->hubs, MW_TYPE_U32, false, NULL));
    return r->hubs > 0 ? inspect_hubs(r) : 0;
}

/* ---- counting ---- */

int mw_triangle_ranked_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *counter,
                             const struct mw_triangle_ranked *r, size_t first, size_t count)
{
    const size_t first_hub = r->vertices - r->hubs, tiles = (r->arcs + TRIANGLES_ARRIVING - 1) / TRIANGLES_ARRIVING;
    struct mw_triangle_lists before = r->lists;
    before.count = first_hub;
    if (r->hubs > 0)
        TRY_RETURN(launch_triangles_hubs(r->set, mw_parts(r->set, tiles), r->lists.heads, r->lists.spans, r->ends,
                                         r->room, counter->sums, (int64_t)first_hub, (int64_t)r->hubs, (int64_t)first,
                                         (int64_t)count));
    if (first_hub > 0)
        TRY_RETURN(mw_triangle_count(share, counter, (struct mw_triangle_side){ &r->lists, counter->sums },
                                     (struct mw_triangle_side){ &r->lists, counter->sums },
                                     (struct mw_triangle_side){ &before, counter->sums },
                                     (struct mw_triangle_range){ 0, r->vertices, first, count }));
    return 0;
}
/* SPDX-License-Identifier: MIT */
