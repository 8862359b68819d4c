/* Random numbers of cells in memory: the noisy start of fields, and the noise terms of a step. */
#include "prelude.clh"
#include "field/noise.clh"
#include "rng.clh"

NATIVE_PROGRAM(field_noise_single, TILE=32)
NATIVE_PROGRAM(field_noise_double, TILE=32 REAL_DOUBLE)

/* Fills `cells` cells of field `number`, from the mesh's cell `first` on, with mean + noise u; u is uniform in [-1, 1)
 * and drawn for each cell and field. */
INLINE void noise_cells(__global real *to, const u64 cells, const u64 first, const u32 number, const real mean,
                        const real noise, const u64 seed)
{
    for (u64 i = 0; i < cells; i++) {
        const u64 k = first + i;
        to[i] = mean + noise * symmetric_uniform(draw_words(k, number, 0, seed));
    }
}

/* Fills `cells` cells of `state` from index `at` on, NOISE_ITEM_CELLS per item, with the noisy start of field `number`
 * from the mesh's cell `first` on. */
__kernel SHARES void field_noise(__global real *state, const u64 at, const u64 cells, const u64 first, const u32 number,
                                 const real mean, const real noise, const u64 seed)
{
    const u64 begin = (u64)get_global_id(0) * NOISE_ITEM_CELLS, share = (u64)ITEMS_END(0) * NOISE_ITEM_CELLS;
    const u64 end = share < cells ? share : cells;
    if (begin < end)
        noise_cells(state + at + begin, end - begin, first + begin, number, mean, noise, seed);
}

/* Draws the numbers of a noise term for TILE consecutive blocks, in the order of cells. */
INLINE void draw_noise(__private i16 *to, const u64 block, const u64 step, const u32 number, const u64 seed)
{
    u32 words[TILE_WORDS];
    draw_in_order(words, block, (u32)step, noise_purpose(number, (u32)(step >> 32)), seed);
    for (int i = 0; i < TILE_WORDS; i++)
        to[i] = noise_of_word(words[i]);
}

/* Stores the numbers of TILE blocks that are in the range: `cells` cells from cell `first` of all blocks on.  Four
 * numbers of a single block are stored at once if their address allows it. */
INLINE void store_noise(__global i16 *to, const __private i16 *made, const u64 block, const u64 first, const u64 cells)
{
    const i64 at = (i64)(4 * block - first);
    if (at >= 0 && at + TILE_WORDS <= (i64)cells) {
#if TILE == 1 && defined(MW_OPENCL)
        if (((size_t)(to + at) & 7) == 0) {
            short4 four;
            four.s0 = made[0];
            four.s1 = made[1];
            four.s2 = made[2];
            four.s3 = made[3];
            *(__global short4 *)(to + at) = four;
            return;
        }
#endif
        for (int i = 0; i < TILE_WORDS; i++)
            to[at + i] = made[i];
        return;
    }
    for (int i = 0; i < TILE_WORDS; i++)
        if (at + i >= 0 && at + i < (i64)cells)
            to[at + i] = made[i];
}

/* Draws the first `numbers` noise terms of a step: `cells` cells from cell `first` of all blocks on.  Terms are
 * `apart` cells apart.  Terms with a bit in `silent` are not drawn; `clears` sets them to 0.  On cores an item draws
 * `each` consecutive blocks, a multiple of TILE.  Elsewhere `each` items take every `each`-th block, so that
 * neighbouring items store next to each other. */
INLINE void draw_terms(__global i16 *to, const u64 item, const u64 items_end, const u64 cells, const u64 first,
                       const u64 apart, const u32 numbers, const u64 silent, const int clears, const u64 step,
                       const u64 seed, const u32 each)
{
    const u64 least = first / 4, all = NOISE_BLOCKS(first + cells);
#if TILE > 1
    const u64 share = least + items_end * each, end = share < all ? share : all;
    for (u64 block = least + item * each; block < end; block += TILE)
#else
    const u64 end = item < each && items_end > 0 ? all : 0;
    for (u64 block = least + item; block < end; block += each)
#endif
        for (u32 number = 0; number < numbers; number++) {
            const int is_silent = silent >> number & 1;
            i16 made[TILE_WORDS] = { 0 };
            if (!is_silent)
                draw_noise(made, block, step, number, seed);
            if (!is_silent || clears)
                store_noise(to + number * apart, made, block, first, cells);
        }
}

/* Draws the first `numbers` noise terms of a step into `to`, from index `at` on; see draw_terms. */
__kernel SHARES void field_draw(__global i16 *to, const u64 at, const u64 cells, const u64 first, const u64 apart,
                                const u32 numbers, const u64 silent, const u64 step, const u64 seed, const u32 each)
{
    draw_terms(to + at, (u64)get_global_id(0), (u64)ITEMS_END(0), cells, first, apart, numbers, silent, 0, step,
               seed, each);
}

/* Draws the noise terms of systems `system` to `end` - 1, which are stored one after the other and have consecutive
 * seeds.  `records` has `words` words per system, from the first of all systems on; the first two have a bit per
 * silent term.  These terms are cleared, since other systems may have used the memory. */
__kernel SHARES void field_draw_systems(__global i16 *to, const u64 cells, const u32 numbers, const u64 step,
                                        const u64 seed, const u32 each, const __global u32 *records, const u32 words,
                                        const u32 system, const u32 end, const u32 number)
{
    const u32 share = system + (u32)ITEMS_END(2);
    for (u32 i = system + (u32)get_global_id(2); i < share && i < end; i++) {
        const __global u32 *record = records + (size_t)(number + i) * words;
        draw_terms(to + (size_t)i * numbers * cells, (u64)get_global_id(0), (u64)ITEMS_END(0), cells, 0, cells, numbers,
                   (u64)record[1] << 32 | record[0], 1, step, seed + number + i, each);
    }
}
/* SPDX-License-Identifier: MIT */
