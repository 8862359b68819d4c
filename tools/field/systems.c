/* Fields: several systems: means over them, and their pictures. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/field/field.h"
#include "tools/run/over.h"

/* ---- quantities ---- */

size_t field_quantity_energy(const struct field_run *own) { return QUANTITIES * own->info->field_count; }

size_t field_quantity_domains(const struct field_run *own)
{
    return field_quantity_energy(own) + own->info->has_energy;
}

size_t field_quantities(const struct field_run *own) { return field_quantity_domains(own) + 1; }

struct short_text field_quantity_name(const struct field_run *own, size_t quantity)
{
    static const char *const names[] = { "mean", "variance", "least", "most" };
    struct short_text t;
    if (quantity < field_quantity_energy(own))
        snprintf(t.text, sizeof(t.text), "%.30s_%s", own->info->fields[quantity / QUANTITIES].name,
                 names[quantity % QUANTITIES]);
    else
        snprintf(t.text, sizeof(t.text), "%s", quantity < field_quantity_domains(own) ? "energy" : "domain_size");
    return t;
}

double field_quantity(const struct field_run *own, size_t quantity, size_t system)
{
    const size_t fields = own->info->field_count;
    if (quantity < field_quantity_energy(own)) {
        const struct mw_statistics *s = &own->statistics[system * fields + quantity / QUANTITIES];
        const double values[QUANTITIES] = { s->mean, s->variance, s->least, s->most };
        return values[quantity % QUANTITIES];
    }
    return quantity < field_quantity_domains(own) ? own->energy[system] : own->domain_size[system];
}

size_t field_groups(const struct field_run *own) { return own->value_count ? own->value_count : 1; }

struct field_group field_group(const struct field_run *own, size_t i)
{
    const size_t count = own->systems / field_groups(own);
    return (struct field_group){ i * count, count };
}

struct short_text field_group_name(const struct field_run *own, size_t i)
{
    struct short_text t = { "" };
    if (own->value_count)
        snprintf(t.text, sizeof(t.text), "%.20s=%.6g", own->info->params[own->over].name, own->values[i]);
    return t;
}

double field_mean(const struct field_run *own, struct field_group of, size_t quantity, double *error)
{
    const double n = (double)of.count;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < of.count; i++)
        sum += field_quantity(own, quantity, of.first + i);
    for (size_t i = 0; i < of.count; i++)
        squares += pow(field_quantity(own, quantity, of.first + i) - sum / n, 2);
    *error = n > 1 ? sqrt(squares / (n - 1) / n) : NAN;
    return sum / n;
}

void field_range(const struct field_run *own, size_t field, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < own->systems; i++) {
        *least = fmin(*least, field_quantity(own, QUANTITIES * field + QUANTITY_LEAST, i));
        *most = fmax(*most, field_quantity(own, QUANTITIES * field + QUANTITY_MOST, i));
    }
}

/* ---- options ---- */

int field_read_over(struct run *r)
{
    struct field_run *own = r->own;
    const char *over = own->set->over, *values;
    const struct words word = { .item = &over, .count = 1 };
    char name[64];
    own->systems = own->set->systems;
    if (!over)
        return 0;
    TRY_RETURN(over_split(over, &r->set->params, name, &values));
    while (own->over < own->info->param_count && strcmp(own->info->params[own->over].name, name))
        own->over++;
    if (own->over == own->info->param_count)
        return parameters_set(own->info->name, own->info->params, own->over, &word, NULL);
    TRY_RETURN(over_values("over", over, values, &own->values, &own->value_count));
    if (__builtin_mul_overflow(own->systems, own->value_count, &own->systems))
        return mw_fail(MW_ELIMIT, "--over %s: the systems exceed the address space", over);
    return 0;
}

int field_set_over(const struct field_run *own)
{
    double *params = NULL;
    int rc = 0;
    if (!own->value_count)
        goto out;
    TRY(mw_new(own->info->param_count, sizeof(*params), &params));
    memcpy(params, own->params, own->info->param_count * sizeof(*params));
    for (size_t i = 0; i < own->systems; i++) {
        params[own->over] = own->values[i / (own->systems / own->value_count)];
        TRY(mw_field_set_params(own->field, i, params));
    }
out:
    free(params);
    return rc;
}

int field_check_systems(const struct run *r)
{
    const struct field_run *own = r->own;
    if (own->systems < 2)
        return 0;
    if (r->set->label_every)
        return mw_fail(MW_EINVAL, "--label-every needs a single system, there are %zu: leave it out", own->systems);
    if (r->set->vtk)
        return mw_fail(MW_EINVAL,
                       "--vtk needs a single system, there are %zu: write .npy files instead, as in -o "
                       "'states-%%06d.npy'",
                       own->systems);
    return 0;
}
/* SPDX-License-Identifier: MIT */
