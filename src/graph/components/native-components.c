/* The native kernels of components of networks: components.cl and propagation.cl.  A block's arrays are the
 * graph's own, which pointers lead to. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "graph/components/components_internal.h"

#include "native.clh"
#include "graph/components/components.clh"
#include "graph/components/propagation.clh"

static struct arcs arcs_of(const struct mw_native_call *call, unsigned i)
{
    return (struct arcs){
        NATIVE_VALUE(place *, i), NATIVE_VALUE(u32 *, i + 1), NATIVE_VALUE(u64, i + 2),
        NATIVE_VALUE(u64, i + 3), NATIVE_VALUE(i32, i + 4), NATIVE_VALUE(i32, i + 5), NATIVE_VALUE(i32, i + 6),
    };
}

/* The elements of a call's parts, which are one behind the other: `each` of n a part. */
struct stretch { i64 begin, end; };
static struct stretch stretch_of(const struct mw_native_call *call, i64 n, i64 each)
{
    return (struct stretch){ (i64)call->begin * each, least_i64(n, (i64)call->end * each) };
}

/* ---- union-find ---- */

static void start(const struct mw_native_call *call)
{
    label *parents = NATIVE_BUFFER(label, 0);
    const struct stretch s = stretch_of(call, NATIVE_VALUE(i32, 1), NATIVE_VALUE(i64, 2));
    for (i64 v = s.begin; v < s.end; v++)
        parents[v] = (label)v;
}

static void link_first(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 2);
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 10));
    graph_first(NATIVE_BUFFER(label, 0), NATIVE_BUFFER(label, 1), &g, NATIVE_VALUE(i32, 9), (i32)s.begin, (i32)s.end,
                1);
}

static void link_second(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 2);
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 10));
    graph_second(NATIVE_BUFFER(label, 0), NATIVE_BUFFER(label, 1), &g, (i32)s.begin, (i32)s.end, 1);
}

static void link_both(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 1);
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 9));
    graph_link(NATIVE_BUFFER(label, 0), &g, (i32)s.begin, (i32)s.end, 1);
}

static void link_rest(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 1);
    const u64 parts = NATIVE_VALUE(u64, 10);
    for (size_t part = call->begin; part < call->end; part++)
        graph_rest(NATIVE_BUFFER(label, 0), &g, NATIVE_VALUE(label, 8), NATIVE_VALUE(i32, 9), part, parts);
}

static void sample_roots(const struct mw_native_call *call)
{
    label *samples = NATIVE_BUFFER(label, 1);
    for (size_t i = call->begin; i < call->end; i++)
        samples[i] = graph_sample(NATIVE_BUFFER(label, 0), (u32)i, NATIVE_VALUE(u32, 2));
}

static void merge(const struct mw_native_call *call)
{
    const label *labels = NATIVE_BUFFER(label, 1);
    const struct stretch s = stretch_of(call, NATIVE_VALUE(i32, 2), NATIVE_VALUE(i64, 4));
    for (i64 v = s.begin; v < s.end; v++)
        graph_join(NATIVE_BUFFER(label, 0), (label)v, labels[v], 0);
}

static void compress(const struct mw_native_call *call)
{
    label *parents = NATIVE_BUFFER(label, 0);
    const struct stretch s = stretch_of(call, NATIVE_VALUE(i32, 1), NATIVE_VALUE(i64, 2));
    for (i64 v = s.begin; v < s.end; v++) {
        const label above = LABEL_LOAD(parents + v), root = find_root(parents, above);
        if (root != above)
            LABEL_STORE(parents + v, root);
    }
}

const struct mw_native_kernel mw_native_graph_components[] = {
    { "graph_start", start },
    { "graph_link_first", link_first },
    { "graph_link_second", link_second },
    { "graph_link_both", link_both },
    { "graph_link_rest", link_rest },
    { "graph_sample_roots", sample_roots },
    { "graph_merge", merge },
    { "graph_compress", compress },
    { NULL, NULL },
};

/* ---- labels that are propagated ---- */

static void set_changed(i32 *changed, i32 r, i32 found)
{
    if (found)
        ATOMIC_STORE_32(changed + r + 1, 1);
}

static void propagate_edges(const struct mw_native_call *call)
{
    const u32 *ends = NATIVE_BUFFER(u32, 1);
    i32 *changed = NATIVE_BUFFER(i32, 3), r = NATIVE_VALUE(i32, 4), found = 0;
    const struct stretch s = stretch_of(call, NATIVE_VALUE(i64, 2), NATIVE_VALUE(i64, 5));
    for (i64 e = s.begin; e < s.end && changed[r]; e++)
        found |= lower_edge(NATIVE_BUFFER(label, 0), ends[2 * e], ends[2 * e + 1]);
    set_changed(changed, r, found);
}

static void propagate_frontier(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 3);
    i32 *changed = NATIVE_BUFFER(i32, 10), r = NATIVE_VALUE(i32, 11), found = 0;
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 12));
    for (i64 i = s.begin; i < s.end && changed[r]; i++)
        found |= lower_neighbours(NATIVE_BUFFER(label, 0), NATIVE_BUFFER(flag, 1), NATIVE_BUFFER(flag, 2), &g, (i32)i,
                               arcs_begin(&g, (i32)i), arcs_end(&g, (i32)i));
    set_changed(changed, r, found);
}

static void propagate_bfs(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 3);
    i32 *changed = NATIVE_BUFFER(i32, 10), r = NATIVE_VALUE(i32, 11), found = 0;
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 12));
    for (i64 i = s.begin; i < s.end && changed[r]; i++)
        found |= search_neighbours(NATIVE_BUFFER(label, 0), NATIVE_BUFFER(flag, 1), NATIVE_BUFFER(flag, 2), &g, (i32)i);
    set_changed(changed, r, found);
}

static void seek(const struct mw_native_call *call)
{
    i32 *changed = NATIVE_BUFFER(i32, 4), r = NATIVE_VALUE(i32, 5);
    if (changed[r] && !changed[r + 1])
        changed[r + 1] = find_source(NATIVE_BUFFER(label, 0), NATIVE_BUFFER(flag, 1), NATIVE_BUFFER(i32, 2),
                                     NATIVE_VALUE(i32, 3));
}

static void isolated(const struct mw_native_call *call)
{
    const struct arcs g = arcs_of(call, 1);
    const struct stretch s = stretch_of(call, g.count, NATIVE_VALUE(i64, 8));
    for (i64 i = s.begin; i < s.end; i++)
        label_isolated(NATIVE_BUFFER(label, 0), &g, (i32)i);
}

const struct mw_native_kernel mw_native_graph_propagation[] = {
    { "propagate_start", start },
    { "propagate_edges", propagate_edges },
    { "propagate_frontier", propagate_frontier },
    { "propagate_bfs", propagate_bfs },
    { "propagate_bfs_source", seek },
    { "propagate_bfs_start", isolated },
    { NULL, NULL },
};
