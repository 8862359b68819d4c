/* Fills memory with random numbers of cells: a field's noisy start, and what noise terms are in a step. */
#include "prelude.clh"
#include "field/noise.clh"

NATIVE_PROGRAM(field_noise_single, TILE=32)
NATIVE_PROGRAM(field_noise_double, TILE=32 REAL_DOUBLE)

/* A run of cells with their noisy start, NOISE_ITEM_CELLS cells an item: `cells` of `state` from `at` on, which are the
 * cells of field `number` from the mesh's cell `first` on. */
__kernel SHARES void field_noise(__global real *state, const u64 at, const u64 cells, const u64 first, const u32 number,
                                 const real mean, const real noise, const u64 seed)
{
    const u64 begin = (u64)get_global_id(0) * NOISE_ITEM_CELLS, share = (u64)ITEMS_END(0) * NOISE_ITEM_CELLS;
    const u64 end = share < cells ? share : cells;
    if (begin < end)
        noise_cells(state + at + begin, end - begin, first + begin, number, mean, noise, seed);
}

/* The first `numbers` noise terms but those of `silent`, a bit each, in a step: `cells` cells from the mesh's cell
 * `first` on, `apart` cells from one term's to the next one's.  On cores an item has `each` blocks, a multiple of TILE,
 * that follow each other; elsewhere `each` items take turns: neighbours store beside each other. */
__kernel SHARES void field_draw(__global i16 *to, const u64 at, const u64 cells, const u64 first, const u64 apart,
                                const u32 numbers, const u64 silent, const u64 step, const u64 seed, const u32 each)
{
    const u64 least = NOISE_BLOCKS(first), all = NOISE_BLOCKS(first + cells + NOISE_RUN_CELLS - 1);
#if TILE > 1
    const u64 share = least + (u64)ITEMS_END(0) * each, end = share < all ? share : all;
    for (u64 block = least + (u64)get_global_id(0) * each; block < end; block += TILE)
#else
    const u64 end = (u64)get_global_id(0) < each ? all : 0;
    for (u64 block = least + (u64)get_global_id(0); block < end; block += each)
#endif
        for (u32 number = 0; number < numbers; number++)
            if (!(silent >> number & 1)) {
                struct tile_words words;
                i16 made[TILE_NUMBERS];
                draw_tile(&words, block, (u32)step, (number + 1) << 24 | (u32)(step >> 32), seed);
                tile_noise(&words, made);
                store_noise(to + at + number * apart, made, block, first, cells);
            }
}
