/* The form with an array of all places around the start, negative if not accessible: the kernels of cl/walk/grid.cl. */
#include "walk/walk_internal.h"
#include "kernels/native.h"
#include "kernels/walk/grid.h"

enum { SLAB_CELLS = 1 << 20 }; /* places of the carpet read at a time */

/* Places along a dimension: all within reach, plus one on either side. */
static size_t length_of(const struct mw_walk_device *p) { return 2 * (size_t)p->whole->options.steps + 3; }

static void grid_mark(const struct mw_walk_device *p, void *cells, size_t at, const struct mw_array *sites)
{
    const unsigned char *site = sites->data;
    for (size_t i = 0; i < sites->count; i++)
        if (!p->whole->options.single)
            ((double *)cells)[at + i] = site[i] ? 0 : -1;
        else
            ((float *)cells)[at + i] = site[i] ? 0 : -1;
}

/* Fills the initial state, in slabs of the last dimension. */
static int grid_look(const struct mw_walk_device *p, void *cells)
{
    const unsigned dims = p->whole->sites.dims, last = dims - 1;
    const size_t length = length_of(p), slab = p->cells / length, most = SLAB_CELLS / slab + 1;
    size_t lengths[MW_CARPET_DIMS_MAX];
    int64_t low[MW_CARPET_DIMS_MAX];
    for (unsigned d = 0; d < dims; d++) {
        low[d] = p->whole->options.start[d] - (int64_t)(length / 2);
        lengths[d] = length;
    }
    for (size_t at = 0; at < length; at += lengths[last], low[last] += (int64_t)lengths[last]) {
        struct mw_array sites;
        lengths[last] = length - at < most ? length - at : most;
        TRY_RETURN(mw_carpet_region(p->whole->carpet, low, lengths, &sites));
        grid_mark(p, cells, at * slab, &sites);
        mw_array_free(&sites);
    }
    return 0;
}

static int grid_make(struct mw_walk_device *p, void **first)
{
    static mw_walk_native native = MW_WALK_NATIVE(grid);
    const struct mw_walk *w = p->whole;
    const unsigned dims = w->sites.dims;
    const size_t length = length_of(p);
    p->cells = 1;
    for (unsigned d = 0; d < dims; d++)
        if (!mw_mul(p->cells, length, &p->cells) || p->cells > INT32_MAX)
            return mw_fail(MW_ELIMIT,
                           "variant %s of a walk of %llu steps needs more than %d places: use another variant",
                           w->variant->variant.name, (unsigned long long)w->options.steps, INT32_MAX);
    TRY_RETURN(mw_walk_device_build(p, &kernels_walk_grid, native, NULL, 0, 0));
    TRY_RETURN(mw_new(p->all, sizeof *p->cell, &p->cell));
    for (size_t i = 0; i < p->all; i++) {
        size_t at = 0;
        for (unsigned d = dims; d-- > 0;)
            at = at * length + length / 2 + (size_t)w->sites.places[i * dims + d];
        p->cell[i] = (int32_t)at;
    }
    TRY_RETURN(mw_new(p->cells, w->real_bytes, first));
    return grid_look(p, *first);
}

static int step_square(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    const size_t length = length_of(p), inner = length - 2;
    const bool cores = mw_device_info(p->device)->traits->has_cores;
    const size_t each = !cores ? 1 : inner < MW_WALK_EACH ? inner : MW_WALK_EACH;
    const size_t rows = p->whole->sites.dims == 2 ? inner : inner * inner;
    const struct mw_range range = { .dims = 2, .global = { (inner - 1) / each + 1, rows }, .group = { cores, cores } };
    return launch_walk_square(p->set, range, p->state[p->turn], p->state[1 - p->turn], (int64_t)length, (int64_t)each);
}

static int step_diamond(struct mw_walk_device *p, size_t n, uint64_t distance, unsigned steps)
{
    const size_t places = 2 * distance * (distance + 1) + 1;
    int64_t each = 1;
    /* In three dimensions, work-items update single rows. */
    const struct mw_range range =
        p->whole->sites.dims == 2 ? mw_walk_range(p, places, MW_WALK_EACH, &each) : mw_items(places);
    return launch_walk_diamond(p->set, range, p->state[p->turn], p->state[1 - p->turn], (int64_t)length_of(p),
                               (int64_t)distance, each);
}

static double grid_bytes(const struct mw_walk_size *size) { return size->box * 2.0 * (double)size->real_bytes; }

static double grid_host_bytes(const struct mw_walk_size *size)
{
    return size->box * (double)size->real_bytes + size->sites * 4;
}

const struct mw_walk_form mw_walk_square = {
    .make = grid_make, .step = step_square, .bytes = grid_bytes, .host_bytes = grid_host_bytes
};
const struct mw_walk_form mw_walk_diamond = {
    .make = grid_make, .step = step_diamond, .bytes = grid_bytes, .host_bytes = grid_host_bytes
};
/* SPDX-License-Identifier: MIT */
