/* Distances by rounds over all arcs (Bellman, Ford). Arcs are reversed: a vertex reads the distances at the heads of
 * its arcs. */
#include "graph/arcs/arcs.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_distances_rounds, )

#define NO_DISTANCE ((i64)0x7fffffffffffffff)

/* A round over a block, from one array to the other. `was_cut`: the block's first vertex had arcs in the previous
 * block, and continues from its result. */
__kernel SHARES void rounds_pull(const __global i64 *from, __global i64 *to, ARCS, const __global i32 *weights,
                                 const i32 weighted, const i32 was_cut, __global u32 *changed, const i64 each)
{
    const struct arcs g = ARCS_HERE;
    u32 any = 0;
    for (i64 i = PART_FIRST(each), end = PART_END(count, each); i < end; i += PART_STEP) {
        const i64 v = first + i;
        const i64 old = was_cut && i == 0 ? to[v] : from[v];
        i64 least = old;
        for (place at = arcs_begin(&g, (i32)i), last = arcs_end(&g, (i32)i); at < last; at++) {
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
/* SPDX-License-Identifier: MIT */
