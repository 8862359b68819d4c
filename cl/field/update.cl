/* One stage of an integrator: out = base + h rate(in), for the model that the builder gives as "model".
 *
 * HOW is FUSED, STAGED or ROLLING.  A work-item owns `item_cells` cells along x (ROLLING: the whole row) on `item_rows`
 * rows.  `aux` holds all cells of each stage (STAGED), or for each item RING_ROWS rows of `pitch` cells (ROLLING). */
#include "prelude.clh"
#include "field/view.clh"
#include "model"
#include "field/strip.clh"

/* The item's block of cells, x0 to x1 and y0 to y1; returns from the kernel where that lies outside. */
#define ITEM_BLOCK                                                                                                   \
    const size_t x_first = get_global_id(0) * (size_t)item_cells, y_first = get_global_id(1) * (size_t)item_rows;    \
    if (x_first >= (size_t)nx || y_first >= (size_t)ny)                                                              \
        return;                                                                                                      \
    const int x0 = (int)x_first, x1 = nx - x0 < item_cells ? nx : x0 + item_cells;                                   \
    const int y0 = (int)y_first, y1 = ny - y0 < item_rows ? ny : y0 + item_rows

__kernel void field_update(__global real *out, const __global real *base, const __global real *in, __global real *aux,
                           const struct params par, const real h, const int nx, const int ny, const int pitch,
                           const int item_cells, const int item_rows)
{
    ITEM_BLOCK;
#if HOW == ROLLING
    roll_strip(out, base, h, in, aux + get_global_id(1) * RING_ROWS * pitch, par, nx, ny, pitch, y0, y1);
#else
    update_block(out, base, h, in, aux, par, nx, ny, nx, 0, x0, x1, y0, y1);
#endif
}

#if HOW == STAGED
/* Evaluates stage `which` at every cell. */
__kernel void field_stage(const __global real *in, __global real *aux, const struct params par, const int which,
                          const int nx, const int ny, const int item_cells, const int item_rows)
{
    ITEM_BLOCK;
    pick_stage(which, aux, in, aux, par, nx, ny, nx, 0, x0, x1, y0, y1);
}
#endif
