/* meshwork walk: one walk, by the master equation or by walkers. */
#include <float.h>
#include <math.h>

#include "tools/walk/walk.h"

static bool is_master(const struct run *r) { return ((const struct walk_run *)r->own)->set->method == WALK_MASTER; }

int walk_carpet_make(const struct run *r, size_t run, struct mw_carpet **carpet)
{
    const struct walk_run *own = r->own;
    /* The file may have changed since it was read. */
    struct mw_carpet_options options = { .size = sizeof(options),
                                         .like = own->carpet,
                                         .level = (unsigned)own->set->level,
                                         .seed = r->set->seed + (own->set->average == WALK_STARTS ? 0 : run) };
    for (unsigned d = 0; d < own->set->extent.dims && d < MW_CARPET_DIMS_MAX; d++)
        options.extent[d] = own->set->extent.length[d];
    return mw_carpet_new(&options, carpet);
}

int walk_one_make(const struct run *r, size_t run, struct mw_device *const *devices, size_t count, struct walk_one *one)
{
    const struct walk_run *own = r->own;
    struct mw_walk_options walk = {
        .size = sizeof(walk), .steps = r->set->steps, .single = !r->model.fp64, .variant = r->set->variant
    };
    struct mw_walkers_options walkers = { .size = sizeof(walkers),
                                          .walkers = own->set->walkers,
                                          .seed = r->set->seed + run };
    TRY_RETURN(walk_carpet_make(r, run, &one->carpet));
    memcpy(one->start, own->start, sizeof(one->start));
    if (own->random_start)
        TRY_RETURN(mw_carpet_random_site(one->carpet, own->set->average == WALK_STARTS ? run : 0, one->start));
    memcpy(walk.start, one->start, sizeof(walk.start));
    memcpy(walkers.start, one->start, sizeof(walkers.start));
    if (is_master(r))
        TRY_RETURN(mw_walk_new(devices, count, one->carpet, &walk, &one->walk));
    else
        TRY_RETURN(mw_walkers_new(devices, count, one->carpet, &walkers, &one->walkers));
    return 0;
}

void walk_one_free(struct walk_one *one)
{
    mw_walk_free(one->walk);
    mw_walkers_free(one->walkers);
    mw_carpet_free(one->carpet);
    *one = (struct walk_one){ .elements = 0 };
}

int walk_one_advance(struct walk_one *one, uint64_t steps)
{
    return one->walk ? mw_walk_advance(one->walk, steps) : mw_walkers_advance(one->walkers, steps);
}

int walk_one_sync(struct walk_one *one) { return one->walk ? mw_walk_sync(one->walk) : mw_walkers_sync(one->walkers); }

/* Bound of the rounding error: each step rounds a probability five to seven times by half an epsilon, possibly all in
 * one direction.  The sum is rounded at its end. */
double walk_rounding(const struct run *r, uint64_t step)
{
    return 3.5 * (r->model.fp64 ? DBL_EPSILON : FLT_EPSILON) * (double)step + DBL_EPSILON;
}

static int measure_master(const struct run *r, struct mw_walk *walk, struct walk_measures *measures)
{
    struct mw_walk_measures m = MW_INIT(m);
    TRY_RETURN(mw_walk_measure(walk, &m));
    if (!(fabs(m.total - 1) <= walk_rounding(r, mw_walk_step(walk))))
        return mw_fail(MW_EVERIFY,
                       "the total probability at step %llu is %.17g, further from 1 than rounding explains "
                       "(%.2g): try --variant compact, and report this to the authors of meshwork",
                       (unsigned long long)mw_walk_step(walk), m.total, walk_rounding(r, mw_walk_step(walk)));
    *measures = (struct walk_measures){ m.square_displacement, NAN, m.total };
    return 0;
}

int walk_one_measure(const struct run *r, struct walk_one *one, struct walk_measures *measures)
{
    struct mw_walkers_measures m = MW_INIT(m);
    if (one->walk)
        return measure_master(r, one->walk, measures);
    TRY_RETURN(mw_walkers_measure(one->walkers, &m));
    *measures = (struct walk_measures){ m.square_displacement, m.error, 1 };
    return 0;
}

/* ---- states ---- */

enum mw_type walk_state_type(const struct run *r)
{
    return !is_master(r) ? MW_TYPE_I32 : r->model.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
}

size_t walk_one_elements(const struct run *r, const struct walk_one *one, uint64_t step)
{
    const struct walk_run *own = r->own;
    return one->walk ? mw_walk_sites(one->walk, step) : own->set->walkers * own->info->dims;
}

double walk_one_updates(const struct run *r, const struct walk_one *one, uint64_t from, uint64_t to)
{
    const struct walk_run *own = r->own;
    double updates = 0;
    if (!one->walk)
        return (double)own->set->walkers * (double)(to - from);
    /* There may be many more steps than steps that reach new sites. */
    const size_t all = mw_walk_sites(one->walk, to);
    uint64_t step = from + 1;
    for (size_t sites; step <= to && (sites = mw_walk_sites(one->walk, step)) < all; step++)
        updates += (double)sites;
    return updates + (double)all * (double)(to + 1 - step);
}

int walk_one_get(struct walk_one *one, struct mw_array *state)
{
    return one->walk ? mw_walk_get(one->walk, state) : mw_walkers_get(one->walkers, state);
}

int walk_one_set(const struct run *r, struct walk_one *one, uint64_t step, const void *elements, size_t count)
{
    const struct walk_run *own = r->own;
    const size_t length[] = { one->walk ? count : own->info->dims, own->set->walkers };
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_array_new(walk_state_type(r), one->walk ? 1 : 2, length, &state));
    memcpy(state.data, elements, state.count * mw_type_bytes(state.type));
    TRY(one->walk ? mw_walk_set(one->walk, step, &state) : mw_walkers_set(one->walkers, step, &state));
out:
    mw_array_free(&state);
    return rc;
}
/* SPDX-License-Identifier: MIT */
