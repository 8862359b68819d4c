/* A layout transform one cell after the other: to = map(from), for one plan. */
#include "lattice/points.clh"

__kernel void transform_points(__global element *to, const __global element *from, const __global i64 *plan,
                               const element fill)
{
    FOR_ROUNDS(first)
        move_points(to, from, plan, fill, first, step, FIXED_CELLS);
}
