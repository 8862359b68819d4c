/* Counting with lists: the kernel, its parts, and its results. */
#include "graph/triangles/counter.h"

#include <stdlib.h>

#include "prim/prim_internal.h"
#include "kernels/graph/triangles/oriented.h"
#include "kernels/native.h"

enum { GROUP = 256 };         /* work-items, at most */
enum { PARTS_PER_UNIT = 64 }; /* on cores: small parts balance long lists */

/* Returns a bit per vertex, or as many as fit into the L1 cache. */
static uint32_t choose_marks(size_t vertices)
{
    uint32_t bits = 64;
    while (bits < vertices && bits < TRIANGLES_MARKS)
        bits *= 2;
    return bits;
}

/* Returns the number of mark arrays: one per work-item of a device with cores, one per thread of a native device. */
static size_t count_marks(const struct mw_triangle_share *share, const struct mw_triangle_counter *c)
{
    const struct mw_device_info *info = mw_device_info(share->on.device);
    return !share->on.cores ? 1 : info->kind == MW_DEVICE_NATIVE ? info->compute_units : c->parts;
}

int mw_triangle_counter_make(const struct mw_triangle_share *share, struct mw_triangle_counter *c)
{
    const struct mw_triangle_job *job = share->of;
    struct mw_device *const device = share->on.device;
    const bool each = job->options.by_vertex || job->options.by_arc;
    const size_t n = job->graph->vertices, units = mw_device_info(device)->compute_units;
    size_t marks;
    TRY_RETURN(mw_arc_set_new(&share->on, &kernels_graph_triangles_oriented,
                              &(struct mw_kernel_options){ .native = each ? mw_native_graph_triangles_each
                                                                          : mw_native_graph_triangles,
                                                           .defines = each ? "#define EACH 1\n" : "#define EACH 0\n",
                                                           .group = GROUP },
                              &c->set));
    if (!share->on.cores)
        TRY_RETURN(mw_own_prim(share->on.own, device, &c->prim));
    c->parts = units > 1 ? units * PARTS_PER_UNIT : 1;
    c->mark_bits = choose_marks(n);
    marks = count_marks(share, c) * c->mark_bits / 8;
    TRY_RETURN(mw_arc_zeros(&share->on, marks, &c->marks));
    TRY_RETURN(mw_arc_zeros(&share->on, sizeof(uint64_t), &c->sums));
    return mw_arc_zeros(&share->on, (job->options.by_vertex ? n : 1) * sizeof(uint64_t), &c->of_vertex);
}

/* Returns the range of a launch; not more groups than these vertices have arcs. */
static struct mw_range range_of(const struct mw_triangle_share *share, const struct mw_triangle_counter *c,
                                const struct mw_triangle_lists *from, const struct mw_triangle_range *of, size_t *parts)
{
    const uint64_t *offsets = share->of->graph->offsets, *reversed = share->of->reversed->offsets;
    const uint64_t arcs = offsets[of->end] - offsets[of->begin] + reversed[of->end] - reversed[of->begin];
    if (share->on.cores)
        *parts = mw_min(c->parts, (size_t)(arcs / share->on.limits->part_least) + 1);
    else
        *parts = mw_triangle_tiles((size_t)(mw_min(from->arcs, arcs) + c->set->group - 1) / c->set->group, of->count);
    return mw_parts(c->set, *parts);
}

int mw_triangle_count(const struct mw_triangle_share *share, const struct mw_triangle_counter *c,
                      struct mw_triangle_side from, struct mw_triangle_side marked, struct mw_triangle_side by,
                      struct mw_triangle_range of)
{
    const struct mw_triangle_job *job = share->of;
    const struct mw_triangle_lists *f = from.lists, *m = marked.lists, *l = by.lists;
    size_t parts;
    const struct mw_range range = range_of(share, c, f, &of, &parts);
    const struct triangles_plan plan = { .begin = (int64_t)of.begin,
                                         .end = (int64_t)of.end,
                                         .arcs = (int64_t)f->arcs,
                                         .parts = (int64_t)parts,
                                         .part = (int64_t)of.part,
                                         .part_count = (int64_t)of.count,
                                         .ranked = f->ranked,
                                         .first = (int32_t)f->first,
                                         .count = (int32_t)f->count,
                                         .list_first = (int32_t)l->first,
                                         .list_count = (int32_t)l->count,
                                         .marks = (int32_t)c->mark_bits,
                                         .exact = job->graph->vertices <= c->mark_bits,
                                         .by_vertex = job->options.by_vertex,
                                         .by_arc = job->options.by_arc };
    return launch_triangles_count(c->set, range, f->tails ? f->tails : f->heads, f->heads, f->spans, m->heads, m->spans,
                                  l->heads, l->spans, c->marks, c->sums, c->of_vertex, from.found, marked.found,
                                  by.found, &plan);
}

int mw_triangle_counted(const struct mw_triangle_counter *c, uint64_t *triangles)
{
    uint32_t halves[2];
    TRY_RETURN(mw_buffer_read(c->sums, 0, sizeof halves, halves, NULL));
    *triangles = (uint64_t)halves[1] << 32 | halves[0];
    return 0;
}

int mw_triangle_give_vertices(struct mw_triangle_share *share, const struct mw_triangle_counter *c)
{
    const size_t n = share->of->graph->vertices;
    uint32_t *halves = NULL;
    int rc;
    TRY(mw_new(n, 2 * sizeof *halves, &halves));
    TRY(mw_buffer_read(c->of_vertex, 0, n * 2 * sizeof *halves, halves, NULL));
    for (size_t v = 0; v < n; v++)
        share->of->of_vertex[v] += (uint64_t)halves[2 * v + 1] << 32 | halves[2 * v];
out:
    free(halves);
    return rc;
}
/* SPDX-License-Identifier: MIT */
