/* What is said of a field: its free energy. */
#include "field/evolve/evolve.h"

/* The density at the part's own cells, into their place in the whole's. */
static int energy_of_part(struct mw_part *p, void *whole)
{
    int rc = 0;
    if (!p->energy.kernels)
        TRY(mw_field_plan_make_energy(&p->array, &p->energy));
    mw_field_array_step(&p->array, p->step);
    TRY(mw_field_plan_energy(&p->energy, &p->array, p->temp, p->state, mw_place_own(&p->array.place)));
    TRY(mw_part_read(p, p->temp, 0, whole));
out:
    return rc;
}

int mw_field_energy(struct mw_field *f, double *energy)
{
    struct mw_array density = { 0 };
    int rc;

    if (!f->model->info.has_energy)
        return mw_fail(MW_EINVAL, "model %s gives no free energy", f->model->info.name);
    TRY(mw_array_new(f->problem.fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 1, &f->cells, &density));
    for (size_t i = 0; i < f->count; i++)
        TRY(energy_of_part(&f->parts[i], density.data));
    TRY(mw_field_means(&density, 1, energy));
    *energy *= (double)f->cells;
out:
    mw_array_free(&density);
    return rc;
}
