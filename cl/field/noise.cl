/* Fills a run of cells with their noisy start, NOISE_ITEM_CELLS cells an item: `cells` of `state` from `at` on, which
 * are the cells of field `number` from the mesh's cell `first` on. */
#include "prelude.clh"
#include "field/noise.clh"
#include "field/sizes.clh"

NATIVE_PROGRAM(field_noise_single, )
NATIVE_PROGRAM(field_noise_double, REAL_DOUBLE)

__kernel SHARES void field_noise(__global real *state, const u64 at, const u64 cells, const u64 first, const u32 number,
                                 const real mean, const real noise, const u64 seed)
{
    const u64 begin = (u64)get_global_id(0) * NOISE_ITEM_CELLS, share = (u64)ITEMS_END(0) * NOISE_ITEM_CELLS;
    const u64 end = share < cells ? share : cells;
    if (begin < end)
        noise_cells(state + at + begin, end - begin, first + begin, number, mean, noise, seed);
}
