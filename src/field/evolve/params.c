/* Parameters of a field's systems. */
#include "field/evolve/evolve.h"

int mw_field_take_params(struct mw_field *f)
{
    struct mw_field_options *o = &f->options;
    const size_t count = f->model->info.param_count, systems = f->problem.systems;
    size_t all;
    TRY_RETURN(mw_numbers_of(count, systems, &all));
    TRY_RETURN(mw_new(all, sizeof *f->params, &f->params));
    TRY_RETURN(mw_model_values(f->model, o->params, o->values, o->value_count, f->params));
    for (size_t i = 1; i < systems; i++)
        memcpy(f->params + i * count, f->params, count * sizeof *f->params);
    o->params = f->params;
    return 0;
}

/* Returns the parameters of a system, or NULL and an error if the system does not exist. */
static double *params_of(const struct mw_field *f, size_t system)
{
    if (system < f->problem.systems)
        return f->params + system * f->model->info.param_count;
    mw_fail(MW_EINVAL, "system %zu does not exist: the field has %zu systems", system, f->problem.systems);
    return NULL;
}

int mw_field_set_params(struct mw_field *f, size_t system, const double *params)
{
    const struct mw_model_starts *starts = f->model->starts;
    double *own = params_of(f, system);
    if (!own)
        return MW_EINVAL;
    for (size_t i = 0; starts && mw_field_step(f) == 0 && i < f->model->info.param_count; i++)
        if (params[i] != own[i] && starts->params >> i & 1)
            return mw_fail(
                MW_ENOTSUP,
                "the start or a map of model %s depends on parameter %s: make a field with this value, or set it "
                "after the first step",
                f->model->info.name, f->model->info.params[i].name);
    f->has_rate = false;
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(mw_part_set_params(&f->parts[i], system, params));
    memmove(own, params, f->model->info.param_count * sizeof *params);
    return 0;
}

int mw_field_set_param(struct mw_field *f, size_t system, const char *name, double value)
{
    double *own = params_of(f, system), before;
    size_t param;
    int rc;
    if (!own)
        return MW_EINVAL;
    TRY_RETURN(mw_model_param_find(f->model, name, &param));
    before = own[param];
    own[param] = value;
    rc = mw_field_set_params(f, system, own);
    own[param] = rc ? before : value;
    return rc;
}

int mw_field_param(const struct mw_field *f, size_t system, const char *name, double *value)
{
    const double *own = params_of(f, system);
    size_t param;
    if (!own)
        return MW_EINVAL;
    TRY_RETURN(mw_model_param_find(f->model, name, &param));
    *value = own[param];
    return 0;
}
/* SPDX-License-Identifier: MIT */
