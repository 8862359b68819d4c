/* Several steps of spins of one bit (bits.clh) in one launch, for periodic planes with rows of whole vectors.
 *
 * A work-group holds a tile of rows in local memory, with all rows on either side that can influence it.  After each
 * update one row fewer on either side is valid.  Neighbouring tiles thus compute some rows twice, with the same random
 * numbers.  They write their own rows to other memory than they read.  A tile that is a whole system has no extra rows.
 *
 * TILE_VECTORS, TILE_LENGTH  vectors of a row, and rows of a system
 * TILE_ROWS                  rows of a tile; those of a system if one tile is a whole system
 * TILE_STEPS                 maximum steps per launch */
#define BITS_MEMORY IN_LOCAL
#include "prim/atomics.clh"
#include "spin/bits.clh"

#ifdef GROUP
#define TILE_WORDS (TILE_VECTORS * VEC)
#define TILES ((TILE_LENGTH - 1) / TILE_ROWS + 1)
#define TILE_EDGE(steps) (TILES == 1 ? 0 : 2 * (steps))

/* Finds row y of a colour of a tile.  The tile has `tall` rows including the extra ones; `number` is the row's number
 * among all rows.  The rows of a colour are contiguous. */
INLINE void tile_row(const i32 tall, const i32 colour, const i32 y, const i32 number, __private struct bits_row *r)
{
    r->own = (colour * tall + y) * TILE_WORDS;
    r->other = ((1 - colour) * tall + y) * TILE_WORDS;
    r->adjacent[0] = r->other + (TILES > 1 || y < tall - 1 ? TILE_WORDS : (1 - tall) * TILE_WORDS);
    r->adjacent[1] = r->other - (TILES > 1 || y > 0 ? TILE_WORDS : (1 - tall) * TILE_WORDS);
    r->number = number;
    r->odd = (number + colour) & 1;
}

/* Advances all tiles by `steps`, from `from` to `to`, which have `rows` rows and no halo. */
__kernel OF_ITEMS(GROUP, 1)
void bits_tile(const __global u32 *from, __global u32 *to, const __global u32 *tables,
               const __global struct spin_mesh *mesh, const i32 rows, const i32 steps, const u64 seed, const u64 step)
{
    SHARED bitv tile[2 * (TILE_ROWS + 2 * TILE_EDGE(TILE_STEPS)) * TILE_VECTORS];
    IN_LOCAL u32 *words = (IN_LOCAL u32 *)tile;
    const u32 item = (u32)get_local_id(0), number = (u32)(get_global_id(0) / GROUP);
    const u32 system = BITS_SEVERAL(0) ? number / TILES : 0, begin = number % TILES * TILE_ROWS;
    const u32 edge = TILE_EDGE((u32)steps);
    const u32 tall = TILE_ROWS + 2 * edge, own = begin + TILE_ROWS < TILE_LENGTH ? TILE_ROWS : TILE_LENGTH - begin;
    /* First row of the tile, plus a multiple of the length, so that it is not negative. */
    const u32 first = begin + (edge / TILE_LENGTH + 1) * TILE_LENGTH - edge;
    const i64 base = (i64)(system * TILE_LENGTH), other = (i64)rows * mesh->words;
    struct bits_frame frame;
    struct bits_rule rule;
    struct bits_draws draws;
    struct bits_row r;
    for (u32 i = item; i < 2 * tall * TILE_VECTORS; i += GROUP) {
        const u32 row = i / TILE_VECTORS, colour = row >= tall, y = (first + row - colour * tall) % TILE_LENGTH;
        tile[i] = ((const __global bitv *)(from + (base + y) * mesh->words + colour * other))[i % TILE_VECTORS];
    }
    bits_frame_make(mesh, rows, &frame);
    frame.row_words = TILE_WORDS;
    bits_counter_make(&draws.counter, VEC);
    draws.seed = seed;
    bits_rule_find(tables + system * SPIN_RULE(2), 0, 0, &rule);
    for (u32 update = 0; update < 2 * (u32)steps; update++) {      /* uniform: the same count for all items */
        const u32 known = TILES == 1 ? 0 : update + 1, count = (tall - 2 * known) * TILE_VECTORS;
        draws.step = step + update / 2;
        draws.colour = update & 1u;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 i = item; i < count; i += GROUP) {
            const u32 y = i / TILE_VECTORS + known, of_all = (u32)(mesh->first + base) + (first + y) % TILE_LENGTH;
            tile_row((i32)tall, (i32)draws.colour, (i32)y, (i32)of_all, &r);
            bits_update(words, mesh, &rule, &r, &frame, &draws, (i32)(i % TILE_VECTORS * VEC), 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = item; i < 2 * own * TILE_VECTORS; i += GROUP) {
        const u32 row = i / TILE_VECTORS, colour = row >= own, y = row - colour * own;
        ((__global bitv *)(to + (base + begin + y) * mesh->words + colour * other))[i % TILE_VECTORS] =
            tile[(colour * tall + y + edge) * TILE_VECTORS + i % TILE_VECTORS];
    }
}
#endif
/* SPDX-License-Identifier: MIT */
