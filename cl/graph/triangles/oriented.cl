/* Variant oriented: see oriented.clh. EACH: triangles are also counted per vertex and arc. */
#include "graph/triangles/oriented.clh"

NATIVE_PROGRAM(graph_triangles, EACH=0)
NATIVE_PROGRAM(graph_triangles_each, EACH=1)

/* Computes the degree of each vertex, of both directions. */
__kernel SHARES void triangles_degrees(const __global place *offsets, const __global place *other_offsets,
                                       __global u32 *degrees, const i64 vertices, const i64 each)
{
    for (i64 v = PART_FIRST(each), end = PART_END(vertices, each); v < end; v += PART_STEP) {
        const u64 both = (u64)(offsets[v + 1] - offsets[v]) + (other_offsets[v + 1] - other_offsets[v]);
        degrees[v] = both < 0xffffffff ? (u32)both : 0xffffffff;
    }
}

#ifdef GROUP

/* Flags the arcs that go up, as bytes. */
__kernel void triangles_choose(const __global place *offsets, const __global u32 *heads, const __global u32 *degrees,
                               __global flag *up, const i64 vertices, const i64 arcs)
{
    const struct arcs g = { offsets, heads, 0, (place)arcs, 0, (i32)vertices, 0 };
    const i64 at = (i64)get_global_id(0);
    if (at < arcs)
        up[at] = (flag)goes_up(degrees, (u32)arcs_vertices_before(&g, (place)at), heads[at]);
}

/* Copies the arcs at these places, with both endpoints, and stores the span of each tail. */
__kernel void triangles_take(const __global place *offsets, const __global u32 *heads, const __global u32 *places,
                             __global u32 *taken_tails, __global u32 *taken_heads, __global u32 *spans,
                             const i64 vertices, const i64 arcs, const i64 n)
{
    const struct arcs g = { offsets, heads, 0, (place)arcs, 0, (i32)vertices, 0 };
    const i64 i = (i64)get_global_id(0);
    if (i >= n)
        return;
    const i32 u = arcs_vertices_before(&g, (place)places[i]);
    taken_tails[i] = (u32)u;
    taken_heads[i] = heads[places[i]];
    if (i == 0 || places[i - 1] < offsets[u])
        spans[u * (i64)TRIANGLES_SPAN] = (u32)i;
    if (i == n - 1 || places[i + 1] >= offsets[u + 1])
        spans[u * (i64)TRIANGLES_SPAN + 1] = (u32)(i + 1);
}

GROUP_SCAN(scan_work, u32)

/* Counts the triangles of as many arcs as the group has work-items. The work of these pairs is concatenated, and
 * distributed evenly over the work-items. */
__kernel void triangles_count(const __global u32 *tails, const __global u32 *from_heads,
                              const __global u32 *from_spans, const __global u32 *mark_heads,
                              const __global u32 *mark_spans, const __global u32 *heads,
                              const __global u32 *spans, __global u32 *marks, __global u32 *sums,
                              __global u32 *of_vertex, __global u32 *of_from, __global u32 *of_mark,
                              __global u32 *of_list, const struct triangles_plan given)
{
    const struct triangles_plan plan = given; /* llvmpipe loads parameters in loops, and miscompiles this */
    const struct lists marked = { mark_heads, mark_spans, plan.first, plan.count };
    const struct lists lists = { heads, spans, plan.list_first, plan.list_count };
    SHARED u32 room[2 * GROUP], before[GROUP], of_group[1];
    SHARED u32 marks_begin[GROUP], marks_end[GROUP], list_begins[GROUP], list_ends[GROUP];
    const struct pairs pairs = { marks_begin, marks_end, list_begins, list_ends, before };
    const i64 first = plan.begin > plan.first ? tail_from(tails, plan.arcs, plan.begin) : 0;
    const i64 arc0 = first + triangles_tile(PART_NUMBER, plan.part, plan.part_count) * GROUP, arc = arc0 + ITEM;
    u32 work = 0, all, hits = 0;
    marks_begin[ITEM] = marks_end[ITEM] = list_begins[ITEM] = list_ends[ITEM] = 0;
    if (arc < plan.arcs && tails[arc] < plan.end && lists_have(&lists, from_heads[arc])) {
        marks_begin[ITEM] = plan.ranked ? (u32)arc + 1 : list_begin(&marked, tails[arc]);
        marks_end[ITEM] = list_end(&marked, tails[arc]);
        list_begins[ITEM] = list_begin(&lists, from_heads[arc]);
        list_ends[ITEM] = list_end(&lists, from_heads[arc]);
        work = pair_turned(&pairs, ITEM) ? marks_end[ITEM] - marks_begin[ITEM] : list_ends[ITEM] - list_begins[ITEM];
    }
    if (ITEM == 0)
        of_group[0] = 0;
    before[ITEM] = scan_work(room, work, &all);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = ITEM; i < all; i += GROUP) {
        const i32 p = pair_at(&pairs, i);
        const int turned = pair_turned(&pairs, p);
        u32 at_mark = marks_begin[p] + (i - before[p]), at_list = list_begins[p] + (i - before[p]);
        if (turned)
            at_list = head_find(heads, list_begins[p], list_ends[p], mark_heads[at_mark]);
        else
            at_mark = head_find(mark_heads, marks_begin[p], marks_end[p], heads[at_list]);
        if (turned ? at_list == list_ends[p] : at_mark == marks_end[p])
            continue;
        hits++;
#if EACH
        if (plan.by_vertex) {
            halves_add(of_vertex + 2 * (i64)tails[arc0 + p], 1);
            halves_add(of_vertex + 2 * (i64)from_heads[arc0 + p], 1);
            halves_add(of_vertex + 2 * (i64)heads[at_list], 1);
        }
        if (plan.by_arc) {
            (void)ATOMIC_ADD_32(of_from + arc0 + p, 1);
            (void)ATOMIC_ADD_32(of_mark + at_mark, 1);
            (void)ATOMIC_ADD_32(of_list + at_list, 1);
        }
#endif
    }
    if (hits)
        (void)ATOMIC_ADD_32(of_group, hits);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ITEM == 0)
        halves_add(sums, of_group[0]);
    (void)from_spans, (void)marks, (void)of_vertex, (void)of_from, (void)of_mark, (void)of_list;
}

#else

/* Copies each vertex's neighbours that are after it; the lists of a part are contiguous, from the start of its arcs on.
 * If there is room, some zeros follow: see TRIANGLES_BEYOND. */
__kernel SHARES void triangles_orient(const __global place *offsets, const __global u32 *heads,
                                      const __global u32 *degrees, __global u32 *kept, __global u32 *spans,
                                      const i64 vertices, const i64 each)
{
    const i64 first = PART_FIRST(each), end = PART_END(vertices, each);
    if (first >= end)
        return;
    u32 to = (u32)offsets[first];
    for (i64 u = first; u < end; u++) {
        const u64 rank = (u64)degrees[u] << 32 | (u64)u;
        spans[u * TRIANGLES_SPAN] = to;
        for (place at = offsets[u], stop = offsets[u + 1]; at < stop; at++) {
            const u32 w = heads[at];
            kept[to] = w;
            to += ((u64)degrees[w] << 32 | w) > rank;
        }
        spans[u * TRIANGLES_SPAN + 1] = to;
    }
    for (u32 i = 0; i < TRIANGLES_BEYOND && to < offsets[end]; i++)
        kept[to++] = 0;
}

/* Counts the triangles of a part of the vertices, one of `parts` with about the same number of arcs. */
__kernel SHARES void triangles_count(const __global u32 *tails, const __global u32 *from_heads,
                                     const __global u32 *from_spans, const __global u32 *mark_heads,
                                     const __global u32 *mark_spans, const __global u32 *heads,
                                     const __global u32 *spans, __global u32 *marks, __global u32 *sums,
                                     __global u32 *of_vertex, __global u32 *of_from, __global u32 *of_mark,
                                     __global u32 *of_list, const struct triangles_plan given)
{
    const struct triangles_plan plan = given;
    const struct lists from = { from_heads, from_spans, plan.first, plan.count };
    const struct lists marked = { mark_heads, mark_spans, plan.first, plan.count };
    const struct lists lists = { heads, spans, plan.list_first, plan.list_count };
    const struct found found = FOUND_HERE;
    const u64 low = list_begin(&from, plan.begin), all = list_end(&from, plan.end - 1) - low + 1;
    __global u32 *mine = marks + (size_t)WORKER * (plan.marks / 32);
    u64 hits = 0;
    for (i64 part = PART_NUMBER, parts_end = PARTS_END; part < parts_end; part++) {
        const u64 first = low + all / plan.parts * part + all % plan.parts * part / plan.parts;
        const u64 last = low + all / plan.parts * (part + 1) + all % plan.parts * (part + 1) / plan.parts;
        const i64 end = part + 1 == plan.parts ? plan.end : list_from(&from, plan.begin, plan.end, (u32)last);
        for (i64 u = part ? list_from(&from, plan.begin, plan.end, (u32)first) : plan.begin; u < end; u++)
            hits += count_from(&from, &marked, &lists, mine, u, (u32)plan.marks - 1, plan.exact, &found);
    }
    (void)tails;
    if (hits)
        halves_add(sums, hits);
}

#endif
/* SPDX-License-Identifier: MIT */
