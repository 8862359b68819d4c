/* Means of a state over all cells that rates read (mean and integral of the model language), and values that depend on
 * the time.  They become parameters of the next launch.  Means have the bits of statistics: see observe.c. */
#include <stdlib.h>

#include "dev/core/backend.h"
#include "field/evolve/evolve.h"
#include "prim/blocks.clh"

static int make_buffers(struct mw_part *p)
{
    const size_t bytes = p->array.cells * mw_problem_real_bytes(p->array.problem);
    if (p->density)
        return 0;
    if (!p->energy.kernels)
        TRY_RETURN(mw_field_plan_make_energy(&p->array, &p->energy));
    if (!p->prim)
        TRY_RETURN(mw_prim_new(p->array.device, &p->prim));
    TRY_RETURN(mw_new(mw_ceil_div(p->array.cells, VALUES_BLOCK), sizeof *p->blocks, &p->blocks));
    if (!mw_device_info(p->array.device)->fp64)
        TRY_RETURN(mw_new(p->array.cells, mw_problem_real_bytes(p->array.problem), &p->cells));
    return mw_buffer_new(p->array.device, bytes, &p->density);
}

/* Computes the mean of a density of the state `in`, for the parameters of the array.  Waits for it. */
static int density_mean(struct mw_part *p, struct mw_buffer *in, int density, double *mean)
{
    const struct mw_problem *problem = p->array.problem;
    const enum mw_type type = problem->fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    const size_t n = p->array.cells, bytes = mw_problem_real_bytes(problem), count = mw_ceil_div(n, VALUES_BLOCK);
    TRY_RETURN(mw_field_plan_energy(&p->energy, &p->array, density, p->density, in, mw_place_own(&p->array.place)));
    if (!p->cells) {
        TRY_RETURN(mw_prim_blocks(p->prim, p->density, 0, n, type, NULL, p->blocks));
    } else {
        TRY_RETURN(mw_buffer_read(p->density, 0, n * bytes, p->cells, NULL));
        for (size_t i = 0; i < count; i++)
            mw_block_of(p->cells + i * VALUES_BLOCK * bytes, type, mw_min(n - i * VALUES_BLOCK, VALUES_BLOCK), NULL,
                        &p->blocks[i]);
    }
    *mean = mw_blocks_join(p->blocks, count).sum / (double)n;
    return 0;
}

int mw_part_set_time(struct mw_part *p, struct mw_buffer *in, double time)
{
    const int count = (int)p->array.problem->model->density_count;
    double means[MW_DENSITIES_MAX] = { 0 };
    if (count > 0)
        TRY_RETURN(make_buffers(p));
    /* A density may depend on means of earlier ones. */
    for (int i = 0; i < count; i++) {
        TRY_RETURN(mw_field_array_set_time(&p->array, time, means));
        TRY_RETURN(density_mean(p, in, i, &means[i]));
    }
    return mw_field_array_set_time(&p->array, time, means);
}

void mw_part_clear_integrals(struct mw_part *p)
{
    mw_buffer_free(p->density);
    free(p->blocks);
    free(p->cells);
    p->density = NULL;
    p->blocks = NULL;
    p->cells = NULL;
}
/* SPDX-License-Identifier: MIT */
