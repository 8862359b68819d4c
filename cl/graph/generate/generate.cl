/* Edges of networks, `each` per work-item: `count` edges from edge `first` on. See generate.clh. */
#include "prelude.clh"
#include "graph/generate/generate.clh"
#include "graph/generate/rewire.clh"

NATIVE_PROGRAM(generate, TILE=32)

/* The work-item's range of edges. */
#define FROM ((u64)get_global_id(0) * each)
#define SHARE (least_u64(count, (u64)ITEMS_END(0) * each) - FROM)
#define MINE ends + 2 * FROM, first + FROM, SHARE

__kernel SHARES void generate_weights(__global u32 *weights, const u64 first, const u64 count, const u32 each,
                                      const u32 most, const u64 seed)
{
    if (FROM < count)
        weights_run(weights + FROM, first + FROM, SHARE, most, seed);
}

__kernel SHARES void generate_line(__global u32 *ends, const u64 first, const u64 count, const u32 each)
{
    if (FROM < count)
        line_run(MINE);
}

__kernel SHARES void generate_ring(__global u32 *ends, const u64 first, const u64 count, const u32 each, const u32 n,
                                   const u32 side)
{
    if (FROM < count)
        ring_run(MINE, n, side);
}

__kernel SHARES void generate_grid(__global u32 *ends, const u64 first, const u64 count, const u32 each,
                                   const struct grid grid)
{
    if (FROM < count)
        grid_run(MINE, grid);
}

__kernel SHARES void generate_er(__global u32 *ends, const u64 first, const u64 count, const u32 each, const u32 n,
                                 const __global u32 *keys)
{
    if (FROM < count)
        er_run(MINE, n, keys);
}

__kernel SHARES void generate_rmat(__global u32 *ends, const u64 first, const u64 count, const u32 each,
                                   const u32 scale, const u32 permute, const __global u32 *table, const u64 seed)
{
    if (FROM < count)
        rmat_run(MINE, scale, permute, table, seed);
}

__kernel SHARES void generate_sets(__global u32 *keys, __global u32 *members, const u64 count, const u32 each,
                                   const u32 sets, const u64 seed)
{
    if (FROM < count)
        sets_run(keys + FROM, members + FROM, FROM, SHARE, sets, seed);
}

__kernel SHARES void generate_bounds(const __global u32 *keys, __global u32 *bounds, __global unsigned char *flags,
                                     const u64 count, const u32 each)
{
    if (FROM < count)
        bounds_run(keys, count, bounds, flags, FROM, SHARE);
}

__kernel SHARES void generate_records(const __global u32 *places, const __global u32 *keys, const __global u32 *members,
                                      const __global u32 *bounds, __global u32 *records, const u64 count,
                                      const u32 each)
{
    if (FROM < count)
        records_run(places, keys, members, bounds, records, FROM, SHARE);
}

__kernel SHARES void generate_disjoint(__global u32 *ends, const u64 first, const u64 count, const u32 each,
                                       const __global u32 *records, const u32 usable, const u64 seed)
{
    if (FROM < count)
        disjoint_run(MINE, records, usable, seed);
}

__kernel SHARES void generate_targets(__global u32 *targets, const u64 first, const u64 count, const u32 each,
                                      const struct rewire rewire, const u64 seed)
{
    if (FROM < count)
        rewire_run(targets + FROM, first + FROM, SHARE, rewire, seed);
}

__kernel SHARES void generate_ws(__global u32 *ends, const u64 first, const u64 count, const u32 each,
                                 const __global u32 *targets, const struct rewire rewire,
                                 const struct rewire_window window, const u64 seed)
{
    if (FROM < count)
        rewire_check_run(MINE, targets, rewire, window, seed);
}
/* SPDX-License-Identifier: MIT */
