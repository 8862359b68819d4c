/* Options of fields: checks, the problem that they describe, and its sizes. */
#include "field/evolve/evolve.h"
#include "lattice/lattice_internal.h"

#define FIRST_CHUNK 10   /* rounds before the first check of the balance, */
#define FIRST_WINDOW 0.1 /* and seconds */

static unsigned row_lanes(size_t length)
{
    unsigned lanes = 1;
    while (lanes < 16 && length % (2 * lanes) == 0)
        lanes *= 2;
    return lanes;
}

/* Makes the problem of these options.  The result points into the options and to `reach`. */
static struct mw_problem problem_of(const struct mw_model *model, const struct mw_field_options *o,
                                    struct mw_reach *reach)
{
    mw_model_reach(model, o->laplacian, reach);
    return (struct mw_problem){ .model = model,
                                .reach = reach,
                                .dims = o->dims,
                                .boundary = o->boundary,
                                .laplacian = o->laplacian,
                                .integrator = o->integrator,
                                .fp64 = o->fp64,
                                .fast_math = o->fast_math,
                                .systems = o->systems > 1 ? o->systems : 1,
                                .spacing = o->spacing,
                                .row_lanes = row_lanes(o->length[0]) };
}

static int describe_take_options(const struct mw_model *model, const struct mw_field_options *options,
                                 struct mw_field_options *o)
{
    if (model->info.kind != MW_MODEL_FIELD)
        return mw_fail(MW_EINVAL, "model %s is a spin model: expected a field model", model->info.name);
    TRY_RETURN(MW_OPTIONS_TAKE(mw_field_options, options, shares, o));
    if (!mw_integrator_name((int)o->integrator) || !mw_laplacian_name((int)o->laplacian))
        return mw_fail(MW_EINVAL,
                       "invalid integrator %d or Laplacian %d of a field (see enum mw_integrator, mw_laplacian)",
                       (int)o->integrator, (int)o->laplacian);
    if (!(o->dt >= 0))
        return mw_fail(MW_EINVAL, "invalid dt %g of a field (must be positive, or 0 for that of the model)", o->dt);
    if (!(o->tune_budget >= 0))
        return mw_fail(MW_EINVAL, "invalid tune_budget %g of a field (must be 0 or more seconds)", o->tune_budget);
    for (size_t d = 0; d < MW_DIMS_MAX; d++)
        o->spacing[d] = o->spacing[d] == 0 ? 1 : o->spacing[d];
    TRY_RETURN(mw_boundaries_take(o->boundary, o->dims < MW_DIMS_MAX ? o->dims : MW_DIMS_MAX, MW_BOUNDARY_PERIODIC,
                                  o->boundary));
    if (model->domain && o->laplacian == MW_LAPLACIAN_FOURTH)
        return mw_fail(MW_EINVAL,
                       "the fourth-order Laplacian reads across holes, which model %s has: use second or isotropic",
                       model->info.name);
    for (unsigned d = 0; d < MW_DIMS_MAX; d++)
        if (model->info.bounded >> d & 1 && o->boundary[d] == MW_BOUNDARY_PERIODIC)
            o->boundary[d] = MW_BOUNDARY_MIRROR;
    return 0;
}

/* Computes the cells and bytes of a state of all systems.  MW_EINVAL, MW_ELIMIT. */
static int state_size(const struct mw_problem *p, const size_t *length, size_t *cells, size_t *bytes)
{
    size_t all;
    TRY_RETURN(mw_problem_size(p, length, cells, &all));
    if (mw_field_has_systems(p) && p->dims == MW_DIMS_MAX)
        return mw_fail(MW_EINVAL,
                       "%zu systems of %u dimensions: systems add one dimension, the total must be at most %d",
                       p->systems, p->dims, MW_DIMS_MAX);
    if (p->systems > INT32_MAX / 4 || !mw_mul(all, p->systems, &all) || all > SIZE_MAX / 8)
        return mw_fail(MW_ELIMIT, "%zu systems of %zu cells exceed the address space of this machine", p->systems,
                       *cells);
    *bytes = all;
    return 0;
}

/* Multiplies; returns SIZE_MAX on overflow. */
static size_t times(size_t bytes, size_t systems)
{
    size_t all;
    return mw_mul(bytes, systems, &all) ? all : SIZE_MAX;
}

/* mw_field_bytes for options of the current size: memory that the given shape needs, or the maximum over all candidates
 * if the shape is to be chosen. */
static int describe_bytes(const struct mw_model *model, const struct mw_field_options *o, uint64_t *bytes)
{
    struct mw_field_variant variant = { 0 };
    struct mw_shape shape = { .steps = 0 };
    struct mw_reach reach;
    const struct mw_problem problem = problem_of(model, o, &reach);
    size_t cells, state = 0, others = 0;
    TRY_RETURN(state_size(&problem, o->length, &cells, &state));
    if (o->variant && strcmp(o->variant, "auto") != 0)
        mw_copy_string(shape.variant, sizeof shape.variant, o->variant);
    if (o->shape)
        TRY_RETURN(mw_shape_parse(o->shape, &shape));
    if (shape.variant[0])
        TRY_RETURN(mw_field_variant(shape.variant, &variant));
    if (variant.staged)
        others = times(mw_problem_stage_bytes(&problem, o->length), problem.systems);
    else if (variant.images)
        others = state;
    *bytes = (uint64_t)(2 + mw_problem_more_states(&problem, &shape)) * state;
    if (!shape.variant[0] && mw_field_may_be_alone(&problem, o->length))
        *bytes += state;
    *bytes += variant.draws ? 0 : problem.systems * mw_problem_noise_bytes(&problem, cells, o->length[0]);
    if (model->density_count)
        *bytes += times(cells * mw_problem_real_bytes(&problem), problem.systems);
    if (mw_problem_is_spectral(&problem))
        *bytes += mw_spectral_bytes(&problem, state);
    *bytes += others < UINT64_MAX - *bytes ? others : UINT64_MAX - *bytes;
    return 0;
}

int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes)
{
    struct mw_field_options o;
    TRY_RETURN(describe_take_options(model, options, &o));
    return describe_bytes(model, &o, bytes);
}

/* Beyond a side, values follow from one mirror image inside. */
static int check_edges(const struct mw_problem *p, const size_t *length)
{
    for (unsigned d = 0; d < p->dims; d++)
        if (mw_problem_has_edges(p, d) && length[d] < (size_t)p->reach->reach)
            return mw_fail(MW_EINVAL,
                           "model %s reads %d cells on either side: with boundary conditions of its own, dimension %u "
                           "must have at least as many cells, not %zu",
                           p->model->info.name, p->reach->reach, d, length[d]);
    return 0;
}

/* Checks that exponential time steps apply to a problem. */
static int check_spectral(const struct mw_problem *p)
{
    const char *name = mw_integrator_name((int)p->integrator);
    if (!mw_problem_is_spectral(p))
        return 0;
    if (mw_problem_count(p, MW_BOUNDARY_FIXED))
        return mw_fail(MW_ENOTSUP, "integrator %s requires periodic or mirror boundaries: choose another integrator",
                       name);
    if (p->model->info.map_count > 0)
        return mw_fail(MW_ENOTSUP,
                       "integrator %s requires coefficients that are the same in all cells, but model %s has maps: "
                       "replace maps by parameters, or choose rk2, or bs3, which chooses its steps",
                       name, p->model->info.name);
    if (mw_field_has_systems(p))
        return mw_fail(MW_ENOTSUP, "integrator %s advances one system at a time: choose another integrator", name);
    return 0;
}

int mw_field_describe(struct mw_field *f, const struct mw_model *model, const struct mw_field_options *options)
{
    struct mw_field_options *o = &f->options;
    uint64_t bytes;
    TRY_RETURN(describe_take_options(model, options, o));
    f->model = mw_model_hold(model);
    if (o->dt == 0)
        o->dt = model->info.dt;
    f->problem = problem_of(model, o, &f->reach);
    TRY_RETURN(state_size(&f->problem, o->length, &f->cells, &f->bytes));
    if (o->laplacian == MW_LAPLACIAN_ISOTROPIC && o->dims != 2 && o->dims != 3)
        return mw_fail(MW_EINVAL, "the isotropic Laplacian requires 2 or 3 dimensions, the size has %u", o->dims);
    TRY_RETURN(mw_problem_check_spacing(&f->problem));
    TRY_RETURN(mw_adaptive_check(f));
    TRY_RETURN(check_spectral(&f->problem));
    TRY_RETURN(check_edges(&f->problem, o->length));
    TRY_RETURN(describe_bytes(model, o, &bytes));
    TRY_RETURN(mw_field_take_params(f));
    f->slabs = (int)(mw_field_has_systems(&f->problem) ? f->problem.systems : o->length[o->dims - 1]);
    f->layers = mw_field_has_systems(&f->problem) ? 1 : mw_model_quantities(model);
    f->slab_memory = (double)bytes / f->slabs;
    f->kept = o->shares != NULL;
    f->window = FIRST_WINDOW;
    f->chunk = FIRST_CHUNK;
    return 0;
}
/* SPDX-License-Identifier: MIT */
