/* Variant queue: see queue.clh. */
#include "graph/paths/queue.clh"

NATIVE_PROGRAM(graph_paths_queue, )

/* Slot s searches from every slots-th target.  Of each target `reached_of` tells how many vertices reach it, with
 * itself, and `sums` their distances; `ends`: of a slot's last one. */
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
/* SPDX-License-Identifier: MIT */
