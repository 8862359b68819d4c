/* Variants frontier to private: see frontier.clh. */
#include "graph/paths/frontier.clh"

NATIVE_PROGRAM(graph_paths_1, COUNTER=0 LOCAL=0 PRIVATE=0 FOURS=0 SORTED=0 UPDATE=0)
NATIVE_PROGRAM(graph_paths_2, COUNTER=1 LOCAL=0 PRIVATE=0 FOURS=0 SORTED=0 UPDATE=0)
NATIVE_PROGRAM(graph_paths_3, COUNTER=1 LOCAL=1 PRIVATE=0 FOURS=0 SORTED=0 UPDATE=0)
NATIVE_PROGRAM(graph_paths_4, COUNTER=1 LOCAL=1 PRIVATE=0 FOURS=1 SORTED=0 UPDATE=0)
NATIVE_PROGRAM(graph_paths_5, COUNTER=1 LOCAL=1 PRIVATE=0 FOURS=1 SORTED=1 UPDATE=0)
NATIVE_PROGRAM(graph_paths_6, COUNTER=0 LOCAL=0 PRIVATE=0 FOURS=1 SORTED=1 UPDATE=1)
NATIVE_PROGRAM(graph_paths_7, COUNTER=1 LOCAL=1 PRIVATE=1 FOURS=1 SORTED=1 UPDATE=0)

#if defined(GROUP) && (LOCAL || UPDATE)
#define VISIT { distances, frontier, update, counter, of_group, 0 }
#define VISIT_BEGIN                                                                                                  \
    SHARED u32 of_group[1];                                                                                          \
    if (ITEM == 0)                                                                                                   \
        of_group[0] = 0;                                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE)
#else
#define VISIT { distances, frontier, update, counter, 0 }
#define VISIT_BEGIN
#endif

/* Adds the changes of a group or share to the counter. */
#if UPDATE && defined(GROUP)
#define VISIT_END(s)                                                                                                 \
    if (s.changes)                                                                                                   \
        of_group[0] = 1;                                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (ITEM == 0 && of_group[0])                                                                                    \
    counter[0] = 1
#elif UPDATE
#define VISIT_END(s)                                                                                                 \
    if (s.changes)                                                                                                   \
    ATOMIC_STORE_32(counter, 1)
#elif LOCAL && defined(GROUP)
#define VISIT_END(s)                                                                                                 \
    if (s.changes)                                                                                                   \
        (void)ATOMIC_ADD_32(of_group, s.changes);                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    if (ITEM == 0 && of_group[0])                                                                                    \
    (void)ATOMIC_ADD_32(counter, of_group[0])
#else
#define VISIT_END(s)                                                                                                 \
    if (s.changes)                                                                                                   \
    (void)ATOMIC_ADD_32(counter, s.changes)
#endif

#if FOURS
__kernel SHARES void frontier_fours(__global i32 *distances, __global i32 *frontier, __global i32 *update,
                                    __global u32 *counter, const __global u32 *lists, const __global u32 *fours,
                                    const __global u32 *sorted, const i32 vertices, const i64 each)
{
    VISIT_BEGIN;
    struct visit s = VISIT;
    for (i64 i = PART_FIRST(each), end = PART_END(vertices, each); i < end; i += PART_STEP) {
#if SORTED
        const i64 v = sorted[i];
#else
        const i64 v = i;
#endif
        if (visit_takes(&s, v))
            visit_fours(&s, v, lists, fours);
    }
    VISIT_END(s);
}
#else
__kernel SHARES void frontier_arcs(__global i32 *distances, __global i32 *frontier, __global i32 *update,
                                   __global u32 *counter, ARCS, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    VISIT_BEGIN;
    struct visit s = VISIT;
    for (i64 v = PART_FIRST(each), end = PART_END(count, each); v < end; v += PART_STEP)
        if (visit_takes(&s, v))
            visit_arcs(&s, v, &g);
    VISIT_END(s);
}
#endif
/* SPDX-License-Identifier: MIT */
