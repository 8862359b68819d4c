/* Strong components by colours. A vertex without arcs from or to remaining vertices is a component (trimming). Then the
 * colour of each vertex becomes the smallest vertex that leads to it. The vertices of one colour that lead back to the
 * vertex of that number are its component. The label of a remaining vertex is -1.
 *
 * Round r does nothing if changed[r], set by the previous round, is 0. It stores 1 to changed[r + 1] if it changes
 * anything. */
#include "graph/arcs/arcs.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_strong, )

#define EACH_ELEMENT(x, n) for (i64 x = PART_FIRST(each), stop = PART_END(n, each); x < stop; x += PART_STEP)
#define CHANGED_IF(found)                                                                                            \
    if (found)                                                                                                       \
    ATOMIC_STORE_32(changed + r + 1, 1)

/* ---- arcs: in the form for groups, of low-degree vertices, then pieces of high-degree vertices ---- */

/* Marks the endpoints of an arc between remaining vertices, unless it is a self-loop: v has a successor, head a
 * predecessor. `label`: the head's. */
INLINE void strong_look_at(__global flag *leave, __global flag *arrive, const i32 v, const u32 head, const i32 label)
{
    if ((i32)head != v && label < 0) {
        FLAG_SET(leave + v);
        FLAG_SET(arrive + head);
    }
}

/* Gives the head v's colour if that is smaller; returns whether it changed. */
INLINE i32 strong_colour_at(volatile __global u32 *colours, const u32 colour, const u32 head, const i32 label,
                            const u32 of_head)
{
    return label < 0 && of_head > colour && ATOMIC_LOWER_32(colours + head, colour) > colour;
}

__kernel SHARES void strong_look(const __global i32 *labels, __global flag *leave, __global flag *arrive, ARCS,
                                 const __global i32 *changed, const i32 r, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    if (!changed[r])
        return;
    EACH_ELEMENT(i, g.count) {
        const i32 v = g.first + (i32)i;
        struct arc_list list = arcs_of(&g, (i32)i);
        u32 head[ARCS_AHEAD];
        i32 label[ARCS_AHEAD];
        if (labels[v] >= 0 || arcs_are_split(list.at, list.end))
            continue;
        while (arcs_turn(&list, (u32)v, head)) {
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                label[a] = labels[head[a]];
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                strong_look_at(leave, arrive, v, head[a], label[a]);
        }
    }
}

__kernel SHARES void strong_colour(const __global i32 *labels, volatile __global u32 *colours, ARCS,
                                   __global i32 *changed, const i32 r, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
    if (!changed[r])
        return;
    EACH_ELEMENT(i, g.count) {
        const i32 v = g.first + (i32)i;
        struct arc_list list = arcs_of(&g, (i32)i);
        u32 head[ARCS_AHEAD], of_head[ARCS_AHEAD];
        i32 label[ARCS_AHEAD];
        if (labels[v] >= 0 || arcs_are_split(list.at, list.end))
            continue;
        const u32 colour = ATOMIC_LOAD_32(colours + v);
        while (arcs_turn(&list, (u32)v, head)) {
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++) {
                label[a] = labels[head[a]];
                of_head[a] = ATOMIC_LOAD_32(colours + head[a]);
            }
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                found |= strong_colour_at(colours, colour, head[a], label[a], of_head[a]);
        }
    }
    CHANGED_IF(found);
}

__kernel SHARES void strong_back(volatile __global i32 *labels, const __global u32 *colours, ARCS,
                                 __global i32 *changed, const i32 r, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    i32 found = 0;
    if (!changed[r])
        return;
    EACH_ELEMENT(i, g.count) {
        const i32 v = g.first + (i32)i;
        struct arc_list list = arcs_of(&g, (i32)i);
        u32 head[ARCS_AHEAD];
        i32 back = 0;
        if (ATOMIC_LOAD_32(labels + v) >= 0 || arcs_are_split(list.at, list.end))
            continue;
        while (!back && arcs_turn(&list, (u32)v, head))
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                back |= ATOMIC_LOAD_32(labels + head[a]) == (i32)colours[v];
        if (back)
            ATOMIC_STORE_32(labels + v, (i32)colours[v]);
        found |= back;
    }
    CHANGED_IF(found);
}

#ifdef GROUP

__kernel void strong_look_split(const __global i32 *labels, __global flag *leave, __global flag *arrive, ARCS,
                                ARC_PIECES, const __global i32 *changed, const i32 r)
{
    const struct arc_piece p = ARC_PIECE_HERE;
    if (!changed[r] || labels[p.vertex] >= 0)
        return;
    for (place at = p.at; at < p.end; at += width)
        strong_look_at(leave, arrive, p.vertex, heads[at], labels[heads[at]]);
}

__kernel void strong_colour_split(const __global i32 *labels, volatile __global u32 *colours, ARCS, ARC_PIECES,
                                  __global i32 *changed, const i32 r)
{
    const struct arc_piece p = ARC_PIECE_HERE;
    i32 found = 0;
    if (!changed[r] || labels[p.vertex] >= 0)
        return;
    const u32 colour = ATOMIC_LOAD_32(colours + p.vertex);
    for (place at = p.at; at < p.end; at += width)
        found |= strong_colour_at(colours, colour, heads[at], labels[heads[at]],
                                  ATOMIC_LOAD_32(colours + heads[at]));
    CHANGED_IF(found);
}

__kernel void strong_back_split(volatile __global i32 *labels, const __global u32 *colours, ARCS, ARC_PIECES,
                                __global i32 *changed, const i32 r)
{
    const struct arc_piece p = ARC_PIECE_HERE;
    i32 back = 0;
    if (!changed[r] || ATOMIC_LOAD_32(labels + p.vertex) >= 0)
        return;
    for (place at = p.at; at < p.end && !back; at += width)
        back = ATOMIC_LOAD_32(labels + heads[at]) == (i32)colours[p.vertex];
    if (back)
        ATOMIC_STORE_32(labels + p.vertex, (i32)colours[p.vertex]);
    CHANGED_IF(back);
}

#endif

/* ---- vertices ---- */

__kernel SHARES void strong_trim(__global i32 *labels, __global flag *leave, __global flag *arrive,
                                 __global i32 *changed, const i32 r, const i32 vertices, const i64 each)
{
    i32 found = 0;
    if (!changed[r])
        return;
    EACH_ELEMENT(v, vertices) {
        if (labels[v] < 0 && !(leave[v] && arrive[v])) {
            labels[v] = (i32)v;
            found = 1;
        }
        leave[v] = arrive[v] = 0;
    }
    CHANGED_IF(found);
}

/* Sets left[0] if any vertices remain. */
__kernel SHARES void strong_start(const __global i32 *labels, __global u32 *colours, __global i32 *left,
                                  const i32 vertices, const i64 each)
{
    i32 found = 0;
    EACH_ELEMENT(v, vertices) {
        colours[v] = (u32)v;
        found |= labels[v] < 0;
    }
    if (found)
        ATOMIC_STORE_32(left, 1);
}

__kernel SHARES void strong_roots(__global i32 *labels, const __global u32 *colours, const i32 vertices,
                                  const i64 each)
{
    EACH_ELEMENT(v, vertices)
        if (labels[v] < 0 && colours[v] == (u32)v)
            labels[v] = (i32)v;
}
/* SPDX-License-Identifier: MIT */
