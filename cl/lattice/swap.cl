/* A layout transform in place: data = map(data), for one plan. */
#include "lattice/points.clh"

__kernel void transform_swap(__global element *data, const __global i64 *plan)
{
    FOR_ROUNDS(first)
        swap_points(data, plan, first, step, FIXED_CELLS);
}
