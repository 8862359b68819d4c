/* Components of graphs by union-find: see components.clh. A label is a vertex number.
 *
 * In the form for groups, one work-item processes a vertex of up to ARCS_WHOLE_MOST arcs. The arcs of other vertices
 * are split into pieces, each shared by `width` work-items. */
#include "graph/components/components.clh"

NATIVE_PROGRAM(graph_components, )

#define EACH(n) PART_FIRST(each), PART_END(n, each), PART_STEP
#define SAY_UNFINISHED(rounds)                                                                                       \
    if ((rounds) < 0)                                                                                                \
        unfinished[0] = 1

__kernel SHARES void graph_start(__global label *parents, const i32 vertices, const i64 each)
{
    const i64 part_end = PART_END(vertices, each);
    for (i64 v = PART_FIRST(each); v < part_end; v += PART_STEP)
        parents[v] = (label)v;
}

__kernel SHARES void graph_link_first(__global label *parents, __global label *next, ARCS, const i32 tries,
                                      const i64 each)
{
    const struct arcs g = ARCS_HERE;
    graph_first(parents, next, &g, tries, EACH(count));
}

__kernel SHARES void graph_link_second(shared_parents parents, const __global label *next, ARCS,
                                       __global i32 *unfinished, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    SAY_UNFINISHED(graph_second(parents, next, &g, EACH(count)));
}

__kernel SHARES void graph_link_both(shared_parents parents, ARCS, __global i32 *unfinished, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    SAY_UNFINISHED(graph_link(parents, &g, EACH(count)));
}

__kernel void graph_sample_roots(shared_parents parents, __global label *samples, const u32 vertices)
{
    const u32 i = (u32)get_global_id(0);
    if (i < GRAPH_SAMPLES)
        samples[i] = graph_sample(parents, i, vertices);
}

/* Merges the labels of another labelling. */
__kernel SHARES void graph_merge(shared_parents parents, const __global label *labels, const i32 vertices,
                                 __global i32 *unfinished, const i64 each)
{
    i32 rounds = GRAPH_ROUNDS;
    const i64 part_end = PART_END(vertices, each);
    for (i64 v = PART_FIRST(each); v < part_end && rounds >= 0; v += PART_STEP)
        rounds = graph_join(parents, (label)v, labels[v], rounds);
    SAY_UNFINISHED(rounds);
}

#ifdef GROUP

__kernel void graph_link_whole(shared_parents parents, ARCS, const i32 in_largest, const i32 one_way,
                               __global i32 *unfinished, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    const label largest = in_largest < 0 ? -1 : LABEL_LOOK(parents + in_largest);
    const i32 i = (i32)PART_FIRST(each);
    if (i >= count)
        return;
    const place begin = arcs_begin(&g, i), end = arcs_end(&g, i);
    if (!arcs_are_split(begin, end) && !graph_in_largest(parents, first + i, largest))
        SAY_UNFINISHED(graph_neighbours(parents, heads, first + i, begin, end, 1, one_way, GRAPH_ROUNDS));
}

/* Pieces of high-degree vertices' arcs. */
__kernel void graph_link_split(shared_parents parents, ARCS, ARC_PIECES, const i32 in_largest, const i32 one_way,
                               __global i32 *unfinished)
{
    const label largest = in_largest < 0 ? -1 : LABEL_LOOK(parents + in_largest);
    const struct arc_piece p = ARC_PIECE_HERE;
    if (!graph_in_largest(parents, p.vertex, largest))
        SAY_UNFINISHED(graph_neighbours(parents, heads, p.vertex, p.at, p.end, width, one_way, GRAPH_ROUNDS));
}

/* Round r of flattening all trees: each work-item climbs GRAPH_JUMPS steps, so that the next round finds trees that are
 * lower by that factor. A work-item writes only its own parent. Rounds after the first do nothing if changed[r] is
 * 0. */
__kernel void graph_flatten(shared_parents parents, const i32 vertices, __global i32 *changed, const i32 r,
                            const i64 each)
{
    const i64 v = PART_FIRST(each);
    if (v >= vertices || (r > 0 && !changed[r]))
        return;
    const label before = LABEL_LOOK(parents + v);
    label above = before, next = LABEL_LOOK(parents + above);
    for (i32 jump = 0; jump < GRAPH_JUMPS && next != above; jump++) {
        above = next;
        next = LABEL_LOOK(parents + above);
    }
    if (above != before)
        LABEL_STORE(parents + v, above);
    if (next != above)
        changed[r + 1] = 1;
}

#else

__kernel void graph_link_rest(shared_parents parents, ARCS, const i32 in_largest, const i32 one_way, const u64 parts)
{
    const struct arcs g = ARCS_HERE;
    if (get_global_id(0) < parts)
        graph_rest(parents, &g, in_largest, one_way, get_global_id(0), parts);
}

__kernel SHARES void graph_compress(shared_parents parents, const i32 vertices, const i64 each)
{
    const i64 part_end = PART_END(vertices, each);
    for (i64 v = PART_FIRST(each); v < part_end; v += PART_STEP) {
        const label above = LABEL_LOAD(parents + v), root = find_root(parents, above);
        if (root != above)
            LABEL_STORE(parents + v, root);
    }
}

#endif
/* SPDX-License-Identifier: MIT */
