/* Distances by rounds over all arcs (Bellman, Ford), from vertices to what is known at the other ends of their arcs,
 * whose direction has been turned. */
#include "graph/arcs/arcs.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_distances_rounds, )

#define NO_DISTANCE ((i64)0x7fffffffffffffff)

/* A round: from one array to the other. */
__kernel SHARES void rounds_pull(const __global i64 *from, __global i64 *to, ARCS, const __global i32 *weights,
                                 const i32 weighted, __global u32 *changed, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    u32 any = 0;
    for (i64 v = PART_FIRST(each), end = PART_END(count, each); v < end; v += PART_STEP) {
        const i64 old = from[v];
        i64 least = old;
        for (place at = arcs_begin(&g, (i32)v), last = arcs_end(&g, (i32)v); at < last; at++) {
            const i64 distance = from[g.heads[at]];
            const i64 weight = weighted ? weights[at] : 1;
            if (distance != NO_DISTANCE && distance + weight < least)
                least = distance + weight;
        }
        to[v] = least;
        any |= least != old;
    }
    if (any)
        ATOMIC_STORE_32(changed, 1);
}
