/* Fields: checks of boundary conditions, of conserved quantities, and of finite rates at the start. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "tools/field/field.h"

#define SMALL_STEP 1e-6 /* fraction of the time step: after such a step finite rates leave finite values */

/* ---- boundary conditions ---- */

int field_check_sides(const struct run *r)
{
    const struct field_run *own = r->own;
    const unsigned dims = own->options.dims;
    for (unsigned d = dims; d < 3; d++) {
        if (r->model.given_sided >> d & 1)
            return mw_fail(MW_EINVAL,
                           "-e gives a boundary condition along %c, but the mesh has %u dimension%s: leave it out, or "
                           "give --size more lengths",
                           "xyz"[d], dims, MW_S(dims));
        if (own->info->sided >> d & 1 && output_verbose())
            print_note("the boundary conditions of model %s along %c are ignored: the mesh has %u dimension%s",
                       own->info->name, "xyz"[d], dims, MW_S(dims));
    }
    return 0;
}

/* ---- conservation ---- */

bool field_conserves(const struct field_run *own)
{
    bool any = false;
    for (size_t i = 0; i < own->info->field_count; i++)
        any |= own->info->fields[i].conserved;
    any &= !own->info->is_open;
    for (unsigned d = 0; d < own->options.dims; d++)
        any &= own->options.boundary[d] != MW_BOUNDARY_FIXED; /* which lets it flow in and out */
    return any;
}

int field_note_start(struct run *r)
{
    struct field_run *own = r->own;
    if (!field_conserves(own) || !own->start)
        return 0;
    own->started = mw_field_step(own->field);
    return mw_field_statistics(own->field, own->start);
}

/* Returns the largest absolute value. */
static double extreme_of(const struct mw_statistics *s) { return fmax(fabs(s->least), fabs(s->most)); }

/* Rounding error: each step rounds a cell by half an epsilon of its value, which may have been larger at the start.
 * Most of it averages out. */
static double rounding_of(const struct run *r, size_t at)
{
    const struct field_run *own = r->own;
    const double steps = (double)(r->step.result.steps - own->started);
    const double extreme = fmax(extreme_of(&own->start[at]), extreme_of(&own->statistics[at]));
    return (r->model.fp64 ? DBL_EPSILON : FLT_EPSILON) * extreme * (16 + 8 * sqrt(steps));
}

bool field_is_conserved(const struct run *r, size_t i)
{
    const struct field_run *own = r->own;
    const size_t fields = own->info->field_count;
    bool is = true;
    for (size_t at = i; at < own->systems * fields; at += fields)
        is &= fabs(own->statistics[at].mean - own->start[at].mean) <= rounding_of(r, at);
    return is;
}

void field_put_conserved(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    bool all = true;
    if (!field_conserves(own))
        return;
    for (size_t i = 0; i < own->info->field_count; i++) {
        if (!own->info->fields[i].conserved || field_is_conserved(r, i))
            continue;
        all = false;
        ROW(to, "", "%s is not conserved, as the model declares: its mean was %.9g", own->info->fields[i].name,
            own->start[i].mean);
    }
    put_flag(to, "conserved", all);
}

/* ---- finite rates ---- */

size_t field_first_rate(const struct run *r, bool *of_start)
{
    struct field_run own = *(const struct field_run *)r->own;
    struct run again = *r;
    struct mw_array state = { 0 };
    size_t bad = SIZE_MAX;
    int rc;
    *of_start = false;
    if (r->resume.from) /* the initial state is not available */
        return bad;
    again.own = &own;
    own.field = NULL;
    own.start = NULL;
    own.options.dt *= SMALL_STEP;
    own.options.no_tune = true;
    TRY(mw_field_new(&r->step.device, 1, own.simulated, &own.options, &own.field));
    TRY(field_set_over(&own));
    TRY(field_init(&again));
    TRY(mw_field_get(own.field, &state));
    bad = mw_values_not_finite(state.data, own.options.fp64, state.count);
    *of_start = bad < state.count;
    if (!*of_start) {
        TRY(mw_field_advance(own.field, 1));
        TRY(mw_field_get_into(own.field, &state));
        bad = mw_values_not_finite(state.data, own.options.fp64, state.count);
    }
    if (bad == state.count)
        bad = SIZE_MAX;
out:
    mw_array_free(&state);
    mw_field_free(own.field);
    return rc ? SIZE_MAX : bad;
}
/* SPDX-License-Identifier: MIT */
