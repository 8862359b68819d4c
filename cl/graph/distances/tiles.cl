/* Distances between all vertices by Floyd-Warshall in tiles (Venkataraman, Sahni, Mukhopadhyaya, "A blocked all-pairs
 * shortest-paths algorithm", ACM Journal of Experimental Algorithmics 8 (2003)). Paths through the vertices of tile k
 * are added in three stages: in the diagonal tile k; in its row and column (the cross); in all other tiles. Within the
 * cross, either the old or the new values of a tile may be read, since both are lengths of paths.
 *
 * WIDE: lengths of 64 bits. A missing path has a length so large that the sum of two does not overflow. */
#include "graph/distances/tiles_plan.clh"
#include "prim/groups.clh"

NATIVE_PROGRAM(graph_distances_tiles, WIDE=0)
NATIVE_PROGRAM(graph_distances_tiles_wide, WIDE=1)

#if WIDE
typedef i64 span;
#else
typedef i32 span;
#endif

#ifdef GROUP
#define TILE TILES_GROUP
#define CELLS (TILE * TILE / GROUP)

INLINE void tile_load(IN_LOCAL span *to, const __global span *from, const i64 stride)
{
    for (int c = 0; c < CELLS; c++) {
        const int cell = ITEM + c * GROUP;
        to[cell] = from[cell / TILE * stride + cell % TILE];
    }
}

__kernel void tiles_corner(__global span *lengths, const i64 stride, const i32 k)
{
    SHARED span tile[TILE * TILE];
    __global span *own = lengths + (i64)k * TILE * stride + (i64)k * TILE;
    span least[CELLS];
    tile_load(tile, own, stride);
    for (int way = 0; way < TILE; way++) { /* uniform */
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c = 0; c < CELLS; c++) {
            const int cell = ITEM + c * GROUP;
            const span by_way = tile[cell / TILE * TILE + way] + tile[way * TILE + cell % TILE];
            least[c] = by_way < tile[cell] ? by_way : tile[cell];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c = 0; c < CELLS; c++)
            tile[ITEM + c * GROUP] = least[c];
    }
    for (int c = 0; c < CELLS; c++) {
        const int cell = ITEM + c * GROUP;
        own[cell / TILE * stride + cell % TILE] = least[c];
    }
}
#else
#define TILE TILES_CORE

__kernel void tiles_corner(__global span *lengths, const i64 stride, const i32 k)
{
    __global span *own = lengths + (i64)k * TILE * stride + (i64)k * TILE;
    for (int way = 0; way < TILE; way++)
        for (int row = 0; row < TILE; row++) {
            const span first = own[row * stride + way];
            for (int column = 0; column < TILE; column++) {
                const span by_way = first + own[way * stride + column];
                if (by_way < own[row * stride + column])
                    own[row * stride + column] = by_way;
            }
        }
}
#endif

/* The tiles of row and column k, one after the other; without `cross`, all other tiles. */
__kernel void tiles_by_way(__global span *lengths, const i64 stride, const i32 tiles, const i32 k, const i32 cross)
{
    const i64 part = PART_NUMBER, others = tiles - 1;
    i64 row = cross ? k : part / others, column = cross ? part % others : part % others;
    if (part >= (cross ? 2 * others : others * others))
        return;
    column += column >= k;
    row += !cross && row >= k;
    if (cross && part >= others) {
        row = column;
        column = k;
    }
    const __global span *first = lengths + row * TILE * stride + (i64)k * TILE;
    const __global span *second = lengths + (i64)k * TILE * stride + column * TILE;
    __global span *own = lengths + row * TILE * stride + column * TILE;
#ifdef GROUP
    SHARED span a[TILE * TILE];
    SHARED span b[TILE * TILE];
    span least[CELLS];
    tile_load(a, first, stride);
    tile_load(b, second, stride);
    for (int c = 0; c < CELLS; c++) {
        const int cell = ITEM + c * GROUP;
        least[c] = own[cell / TILE * stride + cell % TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int way = 0; way < TILE; way++)
        for (int c = 0; c < CELLS; c++) {
            const int cell = ITEM + c * GROUP;
            const span by_way = a[cell / TILE * TILE + way] + b[way * TILE + cell % TILE];
            least[c] = by_way < least[c] ? by_way : least[c];
        }
    for (int c = 0; c < CELLS; c++) {
        const int cell = ITEM + c * GROUP;
        own[cell / TILE * stride + cell % TILE] = least[c];
    }
#else
    for (int r = 0; r < TILE; r++) {
        span least[TILE];
        for (int c = 0; c < TILE; c++)
            least[c] = own[r * stride + c];
        for (int way = 0; way < TILE; way++) {
            const span to_way = first[r * stride + way];
            const __global span *from_way = second + way * stride;
            for (int c = 0; c < TILE; c++) {
                const span by_way = to_way + from_way[c];
                least[c] = by_way < least[c] ? by_way : least[c];
            }
        }
        for (int c = 0; c < TILE; c++)
            own[r * stride + c] = least[c];
    }
#endif
}
/* SPDX-License-Identifier: MIT */
