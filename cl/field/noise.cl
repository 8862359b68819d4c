/* Fills a run of cells with their noisy start, ITEM_CELLS cells an item: `cells` of `state` from `at` on, which are the
 * cells of field `number` from the mesh's cell `first` on. */
#include "prelude.clh"
#include "field/noise.clh"

__kernel void field_noise(__global real *state, const u64 at, const u64 cells, const u64 first, const u32 number,
                          const real mean, const real noise, const u64 seed)
{
    const u64 begin = (u64)get_global_id(0) * ITEM_CELLS;
    if (begin < cells)
        noise_cells(state + at + begin, cells - begin < ITEM_CELLS ? cells - begin : ITEM_CELLS, first + begin, number,
                    mean, noise, seed);
}
