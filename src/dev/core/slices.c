/* Launches of more items than a device takes at once. */
#include "dev/core/backend.h"

/* Whole groups, and at least one. */
static size_t step_of(const struct mw_grid *grid, const struct mw_range *range, unsigned d)
{
    const size_t group = range->group[d];
    size_t most = range->global[d], all;
    if (grid->items[d] && most > grid->items[d])
        most = grid->items[d] < group ? group : grid->items[d] - grid->items[d] % group;
    if (grid->groups[d] && mw_mul(grid->groups[d], group, &all) && most > all)
        most = all;
    return most;
}

/* Advances to the next offset, x first; returns false after the last. */
static bool core_slices_advance(const struct mw_range *range, struct mw_slice *slice)
{
    for (unsigned d = 0; d < range->dims; d++) {
        if (slice->global[d] < range->global[d] - slice->offset[d]) {
            slice->offset[d] += slice->global[d];
            return true;
        }
        slice->offset[d] = 0;
    }
    return false;
}

bool mw_slice_next(const struct mw_grid *grid, const struct mw_range *range, struct mw_slice *slice)
{
    const bool first = slice->global[0] == 0;
    if (!first && !core_slices_advance(range, slice))
        return false;
    for (unsigned d = 0; d < 3; d++) {
        const size_t left = d < range->dims ? range->global[d] - slice->offset[d] : 1;
        const size_t step = d < range->dims ? step_of(grid, range, d) : 1;
        slice->global[d] = left < step ? left : step;
    }
    return true;
}
/* SPDX-License-Identifier: MIT */
