/* Variants vertices, arcs and sorted, the last two also with images: see walks.clh. `sums` has the results: triangles,
 * then triples. */
#include "graph/triangles/walks.clh"

NATIVE_PROGRAM(graph_triangle_walks, )

/* A group sums its results in local memory first. */
#ifdef GROUP
#define WALK_BEGIN                                                                                                   \
    SHARED u32 of_group[4];                                                                                          \
    SHARED u32 ahead[TRIANGLES_AHEAD * GROUP];                                                                       \
    for (int word = ITEM; word < 4; word += GROUP)                                                                   \
        of_group[word] = 0;                                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE)
#define WALK_END(w)                                                                                                  \
    halves_add_local(of_group, w.triangles);                                                                         \
    halves_add_local(of_group + 2, w.triples);                                                                       \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (ITEM == 0) {                                                                                                 \
        halves_add(sums, (u64)of_group[1] << 32 | of_group[0]);                                                      \
        halves_add(sums + 2, (u64)of_group[3] << 32 | of_group[2]);                                                  \
    }
#define WALK_ARC(i, j) walk_arc(offsets, HEADS_HERE, i, j, ahead, &w)
#else
#define WALK_BEGIN
#define WALK_END(w)                                                                                                  \
    halves_add(sums, w.triangles);                                                                                   \
    halves_add(sums + 2, w.triples)
#define WALK_ARC(i, j) walk_arc(offsets, HEADS_HERE, i, j, &w)
#endif

/* Algorithm 12: one work-item per vertex, for all arcs that leave it. */
__kernel SHARES void triangles_of_vertices(const __global place *offsets, const __global u32 *heads,
                                           __global u32 *sums, const i64 begin, const i64 end,
                                           const i64 each HEADS_PARAMS)
{
    struct walked w = { 0, 0 };
    WALK_BEGIN;
    for (i64 v = begin + PART_FIRST(each), part_end = begin + PART_END(end - begin, each); v < part_end;
         v += PART_STEP)
        for (i32 n = 0, count = (i32)(offsets[v + 1] - offsets[v]); n < count; n++)
            WALK_ARC((u32)v, head_at(HEADS_HERE, offsets[v], n));
    WALK_END(w);
}

/* Algorithms 18 to 20: one work-item per arc, in the order of `tails` and `ends`. Limiting registers, for more
 * concurrent work-items, saves CUDA up to a sixth of the time on networks with hubs, and costs nothing on others. By
 * vertices, it would be slower on all. */
__kernel OF_MANY(GROUP) SHARES
void triangles_of_arcs(const __global place *offsets, const __global u32 *heads,
                       const __global u32 *tails, const __global u32 *ends, __global u32 *sums, const i64 begin,
                       const i64 end, const i64 each HEADS_PARAMS)
{
    struct walked w = { 0, 0 };
    WALK_BEGIN;
    for (i64 at = begin + PART_FIRST(each), part_end = begin + PART_END(end - begin, each); at < part_end;
         at += PART_STEP)
        WALK_ARC(tails[at], ends[at]);
    WALK_END(w);
}
/* SPDX-License-Identifier: MIT */
