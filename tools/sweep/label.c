/* meshwork sweep: the components of equal spins, as further measurements. */
#include <math.h>

#include "tools/run/run.h"
#include "tools/spin/spin.h"
#include "tools/sweep/sweep.h"

int sweep_label_check(const struct sweep *s)
{
    const uint64_t every = s->set->label_every;
    if (!every)
        return 0;
    if (s->model->spin.values >= MW_SPIN_VALUES_ANGLE)
        return mw_fail(MW_EINVAL,
                       "--label-every labels equal spins, but those of model %s are continuous: leave it out",
                       s->model->name);
    if (every % s->every)
        return mw_fail(MW_EINVAL, "--label-every %llu: must be a multiple of --measure-every, %llu",
                       (unsigned long long)every, (unsigned long long)s->every);
    if (every > s->samples * s->every)
        return mw_fail(MW_EINVAL, "--label-every %llu: only %llu steps are measured", (unsigned long long)every,
                       (unsigned long long)(s->samples * s->every));
    return 0;
}

size_t sweep_label_samples(const struct sweep *s)
{
    return s->set->label_every ? (size_t)(s->samples * s->every / s->set->label_every) : 0;
}

int sweep_label_new(const struct sweep *s, const struct sweep_size *z, struct sweep_labels *l)
{
    struct mw_label_options label = { .size = sizeof label, .dims = z->size.dims, .no_background = true };
    struct mw_device *device = s->team.device[0];
    if (!s->set->label_every)
        return 0;
    spin_label_options(s->model, z->options.lattice, &label);
    for (unsigned d = 0; d < label.dims; d++) {
        label.length[d] = z->size.length[d];
        label.boundary[d] = z->options.boundary[d] == MW_BOUNDARY_MIRROR ? MW_BOUNDARY_FIXED : z->options.boundary[d];
    }
    TRY_RETURN(mw_new(z->options.systems, sizeof(*l->now), &l->now));
    TRY_RETURN(mw_buffer_new(device, z->cells * z->options.systems, &l->all));
    TRY_RETURN(mw_buffer_new(device, z->cells, &l->one));
    TRY_RETURN(mw_labelling_new(&device, 1, &label, &l->labelling));
    return mw_labelling_reserve(l->labelling);
}

void sweep_label_free(struct sweep_labels *l)
{
    mw_labelling_free(l->labelling);
    mw_buffer_free(l->all);
    mw_buffer_free(l->one);
    free(l->now);
}

int sweep_label_measure(const struct sweep_size *z, struct sweep_labels *l, struct mw_spins *spins)
{
    const double cells = (double)z->cells;
    struct mw_components_summary summary;
    TRY_RETURN(mw_spins_cells(spins, l->all));
    for (size_t i = 0; i < z->options.systems; i++) {
        TRY_RETURN(mw_buffer_copy(l->all, i * z->cells, l->one, 0, z->cells, NULL));
        summary.size = sizeof summary;
        TRY_RETURN(mw_labelling_summarise(l->labelling, l->one, &summary));
        l->now[i].value[SWEEP_COMPONENTS] = (double)summary.components;
        l->now[i].value[SWEEP_LARGEST] = (double)summary.largest_size / cells;
        l->now[i].value[SWEEP_MINORITY] = components_minority(&summary);
    }
    return 0;
}

int sweep_label_estimate(const double *series, size_t n, size_t copies, struct mw_spin_estimate *e)
{
    struct mw_spin_equilibrium all = { .size = sizeof all };
    TRY_RETURN(mw_spin_equilibrium_estimate(series, series, n, copies, 1, 1, &all));
    *e = all.energy; /* the mean of any series */
    return 0;
}
/* SPDX-License-Identifier: MIT */
