/* Strong components by colours: a vertex without arcs from or to others that are left is a component; then the smallest
 * vertex that leads to each becomes its colour, and those of a colour that lead back to the vertex of that number are
 * its component.  Labels are -1 while a vertex is left.
 *
 * Round r has nothing to do where changed[r], of the round before it, is 0, and stores 1 to changed[r + 1] where it
 * changes something. */
#include "graph/arcs/arcs.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_strong, )

#define EACH_ELEMENT(x, n) for (i64 x = PART_FIRST(each), behind = PART_END(n, each); x < behind; x += PART_STEP)
#define CHANGED_IF(found)                                                                                            \
    if (found)                                                                                                       \
    ATOMIC_STORE_32(changed + r + 1, 1)

/* Whether arcs of those that are left leave a vertex and arrive there, but for those to itself. */
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
        if (labels[v] >= 0)
            continue;
        while (arcs_turn(&list, (u32)v, head)) {
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                label[a] = labels[head[a]];
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                if ((i32)head[a] != v && label[a] < 0) {
                    FLAG_SET(leave + v);
                    FLAG_SET(arrive + head[a]);
                }
        }
    }
}

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

/* left[0] where there are any. */
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
        if (labels[v] >= 0)
            continue;
        const u32 colour = ATOMIC_LOAD_32(colours + v);
        while (arcs_turn(&list, (u32)v, head)) {
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++) {
                label[a] = labels[head[a]];
                of_head[a] = ATOMIC_LOAD_32(colours + head[a]);
            }
            UNROLL_ALL for (i32 a = 0; a < ARCS_AHEAD; a++)
                if (label[a] < 0 && of_head[a] > colour)
                    found |= ATOMIC_LOWER_32(colours + head[a], colour) > colour;
        }
    }
    CHANGED_IF(found);
}

__kernel SHARES void strong_roots(__global i32 *labels, const __global u32 *colours, const i32 vertices,
                                  const i64 each)
{
    EACH_ELEMENT(v, vertices)
        if (labels[v] < 0 && colours[v] == (u32)v)
            labels[v] = (i32)v;
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
        if (ATOMIC_LOAD_32(labels + v) >= 0)
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
/* SPDX-License-Identifier: MIT */
