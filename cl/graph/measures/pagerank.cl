/* PageRank in whole numbers: ranks are of 2^PAGERANK_BITS units, so that sums of them have no order.  In a round each
 * vertex collects what its neighbours pass on along arcs that lead to it; of its own rank it passes on the same
 * part, its factor, to each of those it points at, and nothing if there are none.
 *
 * Row r of `totals` tells of the round before: a round has nothing to do where ranks have hardly changed. */
#include "graph/arcs/arcs.clh"
#include "graph/measures/pagerank_plan.clh"
#include "prim/groups.clh"
#include "prim/halves.clh"

NATIVE_PROGRAM(graph_pagerank, )

#define ROW(round) (totals + (round).r * PAGERANK_TOTALS)
#define SETTLED(round) (halves_load(ROW(round) + 2) <= (round).tolerance)

#ifdef GROUP
GROUP_SCAN(pagerank_group_sum, u64)
#endif

/* Adds what the arcs of a block bring.  In the form for groups, of vertices with few. */
__kernel SHARES void pagerank_collect(const __global u64 *passed, volatile __global u32 *sums, ARCS,
                                      const __global u32 *totals, const struct pagerank_round given)
{
    const struct pagerank_round round = given; /* llvmpipe loads parameters in loops, and wrongly */
    const struct arcs g = ARCS_HERE;
    if (SETTLED(round))
        return;
    for (i64 i = PART_FIRST(round.each), behind = PART_END(g.count, round.each); i < behind; i += PART_STEP) {
        const place begin = arcs_begin(&g, (i32)i), end = arcs_end(&g, (i32)i);
        volatile __global u32 *sum_of = sums + 2 * (g.first + i);
        u64 sum = 0;
#ifdef GROUP
        if (end - begin > ARCS_LIGHT)
            continue;
#endif
        for (place at = begin; at < end; at++)
            sum += passed[g.heads[at]];
        if (end > begin)
            halves_store(sum_of, halves_load(sum_of) + sum);
    }
}

#ifdef GROUP
/* The same of pieces of heavy vertices' arcs (arcs/sizes.clh), one for `width` items. */
__kernel void pagerank_collect_heavy(const __global u64 *passed, volatile __global u32 *sums, ARCS,
                                     const __global u32 *pieces, const u32 piece_count, const u32 width,
                                     const __global u32 *totals, const struct pagerank_round given)
{
    const struct pagerank_round round = given;
    const struct arcs g = ARCS_HERE;
    const u64 piece = get_global_id(0) / width;
    u64 sum = 0;
    if (piece >= piece_count || SETTLED(round))
        return;
    const place end = pieces[ARCS_PIECE * piece + 2];
    for (place at = pieces[ARCS_PIECE * piece + 1] + (u32)get_global_id(0) % width; at < end; at += width)
        sum += passed[g.heads[at]];
    if (sum)
        halves_add(sums + 2 * (u64)pieces[ARCS_PIECE * piece], sum);
}
#endif

/* New ranks, and what they pass on. */
__kernel SHARES void pagerank_settle(__global u64 *ranks, __global u64 *passed, volatile __global u32 *sums,
                                     const __global u64 *factors, volatile __global u32 *totals,
                                     const struct pagerank_round given)
{
    const struct pagerank_round round = given;
    u64 dangling = 0, change = 0;
#ifdef GROUP
    SHARED u64 room[2 * GROUP];
#endif
    if (SETTLED(round))
        return;
    const u64 base = round.base + mul_high_u64(halves_load(ROW(round)), round.of_dangling);
    for (i64 v = PART_FIRST(round.each), behind = PART_END(round.vertices, round.each); v < behind; v += PART_STEP) {
        const u64 before = ranks[v], rank = base + halves_load(sums + 2 * v), factor = factors[v];
        ranks[v] = rank;
        passed[v] = mul_high_u64(rank, factor);
        halves_store(sums + 2 * v, 0);
        dangling += factor ? 0 : rank;
        change += rank > before ? rank - before : before - rank;
    }
#ifdef GROUP
    u64 all;
    (void)pagerank_group_sum(room, dangling, &all);
    dangling = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    (void)pagerank_group_sum(room, change, &all);
    change = all;
    if (ITEM > 0)
        return;
#endif
    if (dangling)
        halves_add(ROW(round) + PAGERANK_TOTALS, dangling);
    if (change)
        halves_add(ROW(round) + PAGERANK_TOTALS + 2, change);
}
