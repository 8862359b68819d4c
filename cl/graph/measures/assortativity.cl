/* Sums over arcs for degree assortativity, in integers (src/graph/measures/assortativity.c). */
#include "graph/arcs/arcs.clh"
#include "prim/halves.clh"

NATIVE_PROGRAM(graph_assortativity, )

/* Counts the arcs of a block that lead to each vertex. */
__kernel void assortativity_arrive(ARCS, volatile __global u32 *arriving, const u64 parts)
{
    const struct arcs g = ARCS_HERE;
    const struct arcs_part p = arcs_part(&g, get_global_id(0), parts);
    for (place at = p.low; at < p.high; at++)
        (void)ATOMIC_ADD_32(arriving + g.heads[at], 1);
}

/* Sums, over a block's arcs, the product of the tail's out-degree and the head's in-degree: first the lower words of
 * all products, then the upper ones. */
__kernel void assortativity_products(const __global u32 *leaving, const __global u32 *arriving, ARCS,
                                     volatile __global u32 *sums, const u64 parts)
{
    const struct arcs g = ARCS_HERE;
    const struct arcs_part p = arcs_part(&g, get_global_id(0), parts);
    u64 lower = 0, upper = 0;
    place at = p.low;
    for (i32 i = p.begin; i < p.end; i++) {
        const u64 of_tail = leaving[g.first + i];
        const place stop = arcs_end(&g, i) < p.high ? arcs_end(&g, i) : p.high;
        for (; at < stop; at++) {
            const u64 product = of_tail * arriving[g.heads[at]];
            lower += (u32)product;
            upper += product >> 32;
        }
    }
    if (lower)
        halves_add(sums, lower);
    if (upper)
        halves_add(sums + 2, upper);
}
/* SPDX-License-Identifier: MIT */
