/* Variant vectors of betweenness: see vectors.clh. A work-item takes eight sources at a time from a shared counter, and
 * has its own memory. */
#include "graph/measures/vectors.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_betweenness_vectors, REAL_DOUBLE VEC=8)

#ifndef GROUP
__kernel void betweenness_vectors(const __global u32 *sources, const u32 source_count, volatile __global u32 *next,
                                  ARCS, const __global place *in_offsets, const __global u32 *in_heads,
                                  __global flag *flags, __global u32 *words, __global real *paths,
                                  __global real *shares, __global u64 *sums, volatile __global u32 *too_many,
                                  const i32 vertices, const i32 bits, const i32 items)
{
    const i64 item = (i64)get_global_id(0), n = vertices;
    __global flag *own_flags = flags + item * BETWEENNESS_FLAGS * n;
    __global u32 *own_words = words + item * (BETWEENNESS_WORDS * n + BETWEENNESS_LEVELS);
    const struct vector_search s = { offsets, in_offsets, heads, in_heads, own_flags, own_flags + n, own_flags + 2 * n,
                                     own_flags + 3 * n, own_words, own_words + VEC * n,
                                     own_words + (VEC + 1) * n + BETWEENNESS_LEVELS, paths + item * VEC * n,
                                     shares + item * VEC * n, sums + item * n, vertices, bits };
    realv most = reals_of(lanes_of(0));
    if (item >= items)
        return;
    for (u32 at = ATOMIC_ADD_32(next, (u32)VEC); at < source_count; at = ATOMIC_ADD_32(next, (u32)VEC)) {
        const u32 left = source_count - at;
        vector_start(&s, sources + at, left < VEC ? (i32)left : VEC);
        const i32 last = vector_out(&s, &most);
        vector_all_back(&s, last);
    }
    real lanes[VEC];
    scatter_lanes(most, lanes);
    for (i32 lane = 0; lane < VEC; lane++)
        if (lanes[lane] >= MOST_PATHS)
            ATOMIC_STORE_32(too_many, 1);
}
#endif
/* SPDX-License-Identifier: MIT */
