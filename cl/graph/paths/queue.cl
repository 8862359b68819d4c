/* Variant queue: see queue.clh. */
#include "graph/paths/queue.clh"

NATIVE_PROGRAM(graph_paths_queue, )

/* Slot s searches from every slots-th target. Stores the number of vertices that reach each target (itself included) in
 * `reached_of` and the sum of their distances in `sums`; `ends` is the queue's end of a slot's last search. */
__kernel SHARES void queue_search(__global i32 *distances, __global u32 *queues, __global u32 *ends,
                                  __global u64 *histograms, __global u32 *longest, const __global u32 *targets,
                                  __global u32 *reached_of, __global u64 *sums, ARCS, PATH_SUMS,
                                  const struct queue_plan given)
{
    const struct queue_plan plan = given;
    const struct arcs g = ARCS_HERE;
    for (i64 slot = PART_FIRST(plan.each), end = PART_END(plan.slots, plan.each); slot < end; slot += PART_STEP) {
        const i64 vertices = slot * count;
        const struct path_sums of_vertices = PATH_SUMS_FROM(plan.by_vertex ? vertices : 0);
        struct search s = { distances + vertices, queues + vertices, histograms + vertices, ends[slot], 0, 0 };
        u32 most = longest[slot];
        for (i64 t = slot; t < plan.targets; t += plan.slots) {
            search_forget(&s);
            search_from(&s, &g, targets[t]);
            if (plan.by_vertex)
                search_tell(&s, &of_vertices, plan.unit);
            reached_of[t] = s.reached;
            sums[t] = s.sum;
            most = s.longest > most ? s.longest : most;
        }
        ends[slot] = s.reached;
        longest[slot] = most;
    }
}

/* Adds QUEUE_JOINED slots, `step` apart, into the first of them: counts per distance below `distances`, and sums per
 * vertex. An element is a distance and the vertex of the same number, below `width`. */
__kernel SHARES void queue_join(__global u64 *histograms, PATH_SUMS, const struct queue_join given)
{
    const struct queue_join plan = given;
    const struct path_sums all = PATH_SUMS_FROM(0);
    const i64 step = plan.step * plan.vertices, some = step * QUEUE_JOINED, last = plan.slots * plan.vertices;
    for (i64 x = PART_FIRST(plan.each), end = PART_END(plan.elements, plan.each); x < end; x += PART_STEP) {
        const i64 element = x % plan.width, to = x / plan.width * some + element;
        const i64 stop = to + some < last ? to + some : last;
        if (element < plan.distances) {
            u64 found = 0;
            for (i64 at = to; at < stop; at += step)
                found += histograms[at];
            histograms[to] = found;
        }
        if (plan.by_vertex)
            sums_join(&all, to, step, stop);
    }
}
/* SPDX-License-Identifier: MIT */
