/* PageRank in integers: ranks are in units of 2^-PAGERANK_BITS, so that sums do not depend on their order. In a round,
 * each vertex collects ranks along the arcs to it. A vertex passes on the same part of its rank, its factor, along each
 * arc that leaves it; without arcs, the factor is 0. In accelerated rounds (pagerank.c), a new rank is extrapolated: it
 * starts from the last rank but one and goes beyond the collected value. It may be negative for a while.
 *
 * A device computes the ranks of a range of vertices, which are numbered from 0 as tails of arcs and in arrays other
 * than `passed`. Row r of `totals` describes the previous round: a round does nothing if ranks have hardly changed. */
#include "graph/arcs/arcs.clh"
#include "graph/measures/pagerank_plan.clh"
#include "prim/groups.clh"
#include "prim/halves.clh"

NATIVE_PROGRAM(graph_pagerank, )

#define ROW(round) (totals + (round).r * PAGERANK_TOTALS)
#define SETTLED(round) \
    (pagerank_change(halves_load(ROW(round) + 2), halves_load(ROW(round) + 4)) <= (round).tolerance)

/* Returns number * part / 2^64, rounded down, for a signed number. */
INLINE u64 part_of(const u64 number, const u64 part)
{
    return mul_high_u64(number, part) - ((i64)number < 0 ? part : 0);
}

/* Computes a vertex's new rank from `collected`, and stores it in *before (the last rank but one; may be the same
 * address as *rank). Returns the rank that the vertex passes on along each arc. */
struct settled { u64 dangling, lower, upper; };      /* the sums of totals */
INLINE u64 settle(__private struct settled *all, const __global u64 *rank, __global u64 *before, const u64 collected,
                  const u64 factor, const u64 beyond)
{
    const u64 next = collected + part_of(collected - *before, beyond);
    const u64 change = (i64)collected < (i64)*rank ? *rank - collected : collected - *rank;
    *before = next;
    all->dangling += factor ? 0 : next;
    all->lower += (u32)change;
    all->upper += change >> 32;
    return part_of(next, factor);
}

INLINE void tell(volatile __global u32 *row, const __private struct settled *all)
{
    if (all->dangling)
        halves_add(row, all->dangling);
    if (all->lower)
        halves_add(row + 2, all->lower);
    if (all->upper)
        halves_add(row + 4, all->upper);
}

INLINE u64 base_of(const volatile __global u32 *row, const struct pagerank_round round)
{
    return round.base + mul_high_u64(halves_load(row), round.of_dangling);
}

#ifdef GROUP
GROUP_SCAN(pagerank_group_sum, u64)
#else
/* A round on cores with all arcs in one block; ranks passed on go to a second buffer. Sums run over all arcs of a part,
 * and a vertex takes the difference of two sums. A loop per vertex would cost more in mispredicted branches than in
 * additions. */
#define PAGERANK_RUN 512
__kernel SHARES void pagerank_whole_round(const __global u64 *passed, __global u64 *next_passed, ARCS,
                                          const __global u64 *ranks, __global u64 *before, const __global u64 *factors,
                                          volatile __global u32 *totals, const struct pagerank_round given)
{
    const struct pagerank_round round = given;
    const struct arcs g = ARCS_HERE;
    const i64 begins = PART_FIRST(round.each), stop = PART_END(g.count, round.each);
    struct settled all = { 0, 0, 0 };
    u64 sums[PAGERANK_RUN + 1], earlier = 0;     /* earlier: sum for a vertex split between runs */
    if (SETTLED(round) || begins >= stop)
        return;
    const u64 base = base_of(ROW(round), round);
    const place last = g.offsets[stop];
    i64 v = begins;
    for (place at = g.offsets[begins]; v < stop; at += PAGERANK_RUN) {
        const i32 run = last - at < PAGERANK_RUN ? (i32)(last - at) : PAGERANK_RUN;
        u64 sum = 0, begin = 0;
        for (i32 i = 0; i < run; i++) {
            sums[i] = sum;
            sum += passed[g.heads[at + (place)i]];
        }
        sums[run] = sum;
        for (; v < stop && g.offsets[v + 1] <= at + (place)run; v++) {
            const u64 end = sums[g.offsets[v + 1] - at];
            next_passed[round.first + v] = settle(&all, ranks + v, before + v, base + (earlier + end - begin),
                                                  factors[v], round.beyond);
            begin = end;
            earlier = 0;
        }
        earlier += sum - begin;
    }
    tell(ROW(round) + PAGERANK_TOTALS, &all);
}
#endif

#ifdef GROUP
/* Adds the ranks that arrive along the arcs of a block. A group loads those of EACH arcs per work-item, whatever their
 * vertices, and adds them up; a vertex takes the difference of two sums. A round that does nothing has no arcs: PoCL
 * miscompiles returns before barriers. */
#define EACH PAGERANK_EACH(GROUP)
#define TILE (GROUP * EACH)
#define SPREAD(i) ((i) + (i) / EACH) /* work-items use different banks of local memory */
__kernel void pagerank_collect(const __global u64 *passed, volatile __global u32 *sums, ARCS,
                               const __global u32 *totals, const struct pagerank_round given)
{
    const struct pagerank_round round = given;
    const struct arcs g = ARCS_HERE;
    const place begin = g.low + (place)PART_NUMBER * TILE;
    const u32 arcs = SETTLED(round) ? 0 : g.high - begin < TILE ? (u32)(g.high - begin) : TILE;
    SHARED u64 room[2 * GROUP], before[SPREAD(TILE) + 1]; /* before: sum of all earlier arcs of the tile */
    SHARED i32 ends[2];                                   /* the first and the last tail */
    u64 rank[EACH], mine = 0, all;
    u32 head[EACH];
    UNROLL_ALL for (u32 a = 0; a < EACH; a++)
        head[a] = a * GROUP + ITEM < arcs ? g.heads[begin + a * GROUP + ITEM] : PAGERANK_NONE;
    UNROLL_ALL for (u32 a = 0; a < EACH; a++)
        before[SPREAD(a * GROUP + ITEM)] = head[a] == PAGERANK_NONE ? 0 : passed[head[a]];
    for (u32 e = ITEM; e < 2; e += GROUP)
        ends[e] = arcs ? arcs_vertices_before(&g, e ? begin + arcs - 1 : begin) : -(i32)e;
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL_ALL for (u32 a = 0; a < EACH; a++)
        mine += rank[a] = before[SPREAD(ITEM * EACH + a)];
    mine = pagerank_group_sum(room, mine, &all);
    UNROLL_ALL for (u32 a = 0; a < EACH; a++) {
        before[SPREAD(ITEM * EACH + a)] = mine;
        mine += rank[a];
    }
    if (ITEM == GROUP - 1)
        before[SPREAD(TILE)] = all;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (i32 i = ends[0] + ITEM; i <= ends[1]; i += GROUP) {
        const u32 first = i == ends[0] ? 0 : (u32)(g.offsets[i] - begin);
        const u32 end = i == ends[1] ? arcs : (u32)(g.offsets[i + 1] - begin);
        const u64 sum = before[SPREAD(end)] - before[SPREAD(first)];
        if (sum && (i == ends[0] || i == ends[1])) /* may have arcs in other tiles */
            halves_add(sums + 2 * (u64)(g.first + i), sum);
        else if (sum)
            halves_store(sums + 2 * (u64)(g.first + i), sum);
    }
}
#else
/* Adds the ranks that arrive along the arcs of a block. */
__kernel SHARES void pagerank_collect(const __global u64 *passed, volatile __global u32 *sums, ARCS,
                                      const __global u32 *totals, const struct pagerank_round given)
{
    const struct pagerank_round round = given; /* llvmpipe loads parameters in loops, and miscompiles this */
    const struct arcs g = ARCS_HERE;
    if (SETTLED(round))
        return;
    for (i64 i = PART_FIRST(round.each), stop = PART_END(g.count, round.each); i < stop; i += PART_STEP) {
        const place end = arcs_end(&g, (i32)i);
        volatile __global u32 *of_vertex = sums + 2 * (g.first + i);
        u64 sum = 0;
        for (place at = arcs_begin(&g, (i32)i); at < end; at++)
            sum += passed[g.heads[at]];
        if (sum)
            halves_store(of_vertex, halves_load(of_vertex) + sum);
    }
}
#endif

#ifdef GROUP
/* Replaces heads by their places. Vertices with many arcs have adjacent places. The caches then have room for most of
 * the ranks that are read. */
__kernel void pagerank_place(__global u32 *all_heads, const u64 from, const i64 arcs, const __global u32 *places,
                             const i64 each)
{
    for (i64 at = PART_FIRST(each), stop = PART_END(arcs, each); at < stop; at += PART_STEP)
        all_heads[from + (u64)at] = places[all_heads[from + (u64)at]];
}
#endif

/* Computes the new ranks of the device's vertices. */
__kernel SHARES void pagerank_settle(const __global u64 *ranks, __global u64 *before, __global u64 *passed,
                                     const __global u32 *places, volatile __global u32 *sums,
                                     const __global u64 *factors, volatile __global u32 *totals,
                                     const struct pagerank_round given)
{
    const struct pagerank_round round = given;
    struct settled all = { 0, 0, 0 };
#ifdef GROUP
    SHARED u64 room[2 * GROUP];
#endif
    const int settled = SETTLED(round);
    const u64 base = base_of(ROW(round), round);
    for (i64 v = PART_FIRST(round.each), stop = settled ? 0 : PART_END(round.vertices, round.each); v < stop;
         v += PART_STEP) {
        const i64 place_of = round.placed ? (i64)places[v] : round.first + v;
        passed[place_of] = settle(&all, ranks + v, before + v, base + halves_load(sums + 2 * v), factors[v],
                                  round.beyond);
        halves_store(sums + 2 * v, 0);
    }
#ifdef GROUP
    struct settled mine = all;
    (void)pagerank_group_sum(room, mine.dangling, &all.dangling);
    barrier(CLK_LOCAL_MEM_FENCE);
    (void)pagerank_group_sum(room, mine.lower, &all.lower);
    barrier(CLK_LOCAL_MEM_FENCE);
    (void)pagerank_group_sum(room, mine.upper, &all.upper);
    if (ITEM > 0)
        return;
#endif
    if (!settled)
        tell(ROW(round) + PAGERANK_TOTALS, &all);
}
/* SPDX-License-Identifier: MIT */
