/* Means of a state over all cells that rates read (mean and integral of the model language), and values that depend on
 * the time.  They become parameters of the next launch.  Means have the bits of statistics: see reduce.c.
 *
 * Parts of one system meet twice per mean: when all have reduced their blocks, and when the first part has joined
 * these. Several systems are read and reduced on the host, one after the other. */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

static int make_buffers(struct mw_part *p)
{
    const struct mw_problem *problem = p->array.problem;
    const bool systems = mw_field_has_systems(problem);
    const size_t cells = p->array.cells, width = mw_problem_real_bytes(problem);
    if (p->density)
        return 0;
    if (!p->energy.kernels)
        TRY_RETURN(mw_field_plan_make_energy(&p->array, &p->energy));
    if (systems) {
        TRY_RETURN(mw_own_new(&p->placed, mw_block_count(p->whole), sizeof *p->blocks, &p->blocks));
        TRY_RETURN(mw_own_new(&p->placed, cells, width, &p->cells));
        TRY_RETURN(mw_own_new(&p->placed, problem->systems * MW_DENSITIES_MAX, sizeof *p->means, &p->means));
    }
    return mw_own_buffer(&p->placed, p->array.device,
                         cells * width * (systems ? (size_t)mw_place_slabs(&p->array.place) : 1), &p->density);
}

/* Waits until all parts of one system call it. */
static int meet(const struct mw_part *p)
{
    return p->whole->exchange ? mw_exchange_meet(p->whole->exchange, p->whole->count) : 0;
}

/* Computes the mean of the density that all parts of one system have computed. */
static int mean_of_whole(struct mw_part *p, double *mean)
{
    struct mw_field *f = p->whole;
    const struct mw_look look = { .whole = f, .of = MW_LOOK_DENSITY };
    TRY_RETURN(mw_reduce_part(p, &look));
    TRY_RETURN(meet(p));
    if (p == f->parts) {
        TRY_RETURN(mw_reduce_all_shared(f, &look));
        f->mean = mw_blocks_join(f->blocks, mw_block_count(f)).sum / (double)f->cells;
    }
    TRY_RETURN(meet(p));
    *mean = f->mean;
    return 0;
}

/* Computes the means of one density of some systems. */
static int means_of_systems(struct mw_part *p, struct mw_slabs slabs, int density)
{
    const struct mw_place *place = &p->array.place;
    const size_t bytes = p->array.cells * mw_problem_real_bytes(p->array.problem);
    for (int s = slabs.first; s < slabs.end; s++) {
        const size_t system = (size_t)(place->slab + s - place->lower);
        TRY_RETURN(mw_buffer_read(p->density, (size_t)s * bytes, bytes, p->cells, NULL));
        p->means[system * MW_DENSITIES_MAX + (size_t)density] =
            mw_reduce_cells(p->whole, p->cells, NULL, p->blocks).sum / (double)p->array.cells;
    }
    return 0;
}

static int set_time(struct mw_part *p, struct mw_buffer *in, struct mw_slabs slabs, double time)
{
    const int count = (int)p->array.problem->model->density_count;
    const bool systems = mw_field_has_systems(p->array.problem);
    double of_whole[MW_DENSITIES_MAX] = { 0 };
    if (count > 0)
        TRY_RETURN(make_buffers(p));
    double *means = systems ? p->means : of_whole;
    /* A density may depend on means of earlier ones. */
    for (int i = 0; i < count; i++) {
        TRY_RETURN(mw_field_array_set_time(&p->array, time, means));
        TRY_RETURN(mw_field_plan_energy(&p->energy, &p->array, i, p->density, in,
                                        systems ? slabs : mw_place_own(&p->array.place)));
        TRY_RETURN(systems ? means_of_systems(p, slabs, i) : mean_of_whole(p, &means[i]));
    }
    return mw_field_array_set_time(&p->array, time, means);
}

int mw_part_set_time(struct mw_part *p, struct mw_buffer *in, struct mw_slabs slabs, double time)
{
    const int rc = set_time(p, in, slabs, time);
    if (rc != 0 && p->whole->exchange)
        mw_exchange_break(p->whole->exchange);
    return rc;
}
/* SPDX-License-Identifier: MIT */
