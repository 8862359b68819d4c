/* Fills a field with its noisy start, ITEM_CELLS cells an item.  `state` holds all fields, `cells` cells each. */
#include "prelude.clh"
#include "field/noise.clh"

__kernel void field_noise(__global real *state, const u64 cells, const u32 number, const real mean, const real noise,
                          const u64 seed)
{
    const u64 begin = (u64)get_global_id(0) * ITEM_CELLS;
    if (begin < cells)
        noise_cells(state + number * cells, begin, cells - begin < ITEM_CELLS ? cells : begin + ITEM_CELLS, number,
                    mean, noise, seed);
}
