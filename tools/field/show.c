/* Fields in pictures: a field, or an expression of the model language.
 *
 * The value of an expression is computed by a model with the same fields: one Euler step towards it, from the state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/field/field.h"
#include "tools/run/picture.h"

/* Names that no model is likely to have. */
#define VALUE "shown_value"
#define STEP "shown_step"
#define SIGN 0.05 /* least part of the largest magnitude that the other sign has */

/* ---- expressions ---- */

/* Makes the model whose first field steps towards the expression. */
static int field_show_model(const struct run *r, const char *what, struct mw_model **model)
{
    const struct field_run *own = r->own;
    const struct mw_value step = { STEP, 1 };
    struct mw_text value = { 0 }, rates = { 0 };
    const char **definitions = NULL;
    size_t count = 0;
    int rc;
    TRY(mw_new(own->info->field_count + 1, sizeof(*definitions), &definitions));
    mw_text_add(&value, VALUE " = %s", what);
    for (size_t i = 0; i < own->info->field_count; i++) {
        const char *name = own->info->fields[i].name;
        const bool pair = own->info->fields[i].part == MW_COMPLEX_PART_REAL;
        const int n = (int)(strlen(name) - (pair ? strlen("_re") : 0)); /* both parts have one rate */
        if (i == 0)
            mw_text_add(&rates, "rate(%.*s) = (" VALUE " - %.*s) / " STEP, n, name, n, name);
        else
            mw_text_add(&rates, ";\nrate(%.*s) = 0", n, name);
        i += pair;
    }
    TRY(mw_text_ok(&value));
    TRY(mw_text_ok(&rates));
    definitions[count++] = value.data;
    definitions[count++] = rates.data;
    rc = mw_model_extend(own->simulated, definitions, count, &step, 1, model);
    if (rc != 0)
        rc = mw_fail_in(rc == MW_EBUILD ? MW_EINVAL : rc, "--show '%s'", what); /* a wrong option, not a wrong model */
out:
    free(definitions);
    mw_text_free(&value);
    mw_text_free(&rates);
    return rc;
}

/* Computes the values of the first field after a step of that model. */
static int evaluate(struct run *r, const struct mw_model *model, void **values)
{
    struct field_run own = *(const struct field_run *)r->own;
    const double time = run_time(r, r->observe.state_step);
    struct mw_array state = { 0 };
    double *params = NULL;
    const size_t count = own.info->param_count;
    int rc;
    own.field = NULL;
    own.options.integrator = MW_INTEGRATOR_EULER;
    own.options.dt = time > 0 ? time : 1;
    own.options.tolerance = own.options.tolerance_absolute = 0;
    own.options.variant = own.options.shape = NULL;
    own.options.no_tune = true;
    TRY(mw_new(count + 1, sizeof(*params), &params));
    memcpy(params, own.params, count * sizeof(*params));
    params[count] = own.options.dt;
    own.options.params = own.params = params;
    own.info = mw_model_info(model);
    TRY(mw_field_new(&r->step.device, 1, model, &own.options, &own.field));
    TRY(field_set_over(&own));
    TRY(field_set_sources(&own, false));
    TRY(mw_field_set(own.field, &r->observe.state));
    mw_field_set_step(own.field, time > 0);
    TRY(mw_field_advance(own.field, 1));
    TRY(mw_field_get(own.field, &state));
    *values = state.data;
    state.data = NULL;
out:
    free(params);
    mw_array_free(&state);
    mw_field_free(own.field);
    return rc;
}

/* ---- struct simulation ---- */

/* Coolwarm shows signs, viridis amounts.  A few values slightly beyond 0 are no sign. */
static void choose_colours(const struct run *r, const char *what, struct shown *shown)
{
    const bool phase = what && strncmp(what, "phase(", 6) == 0 && strchr(what, ')') == what + strlen(what) - 1;
    double least = 0, most = 0;
    if (!r->set->colours)
        shown_range(shown, &least, &most);
    shown->colours = phase ? "hue" : -least > SIGN * most && most > -SIGN * least ? "coolwarm" : "viridis";
    shown->is_discrete = phase;
    if (phase) {
        shown->lo = -acos(-1);
        shown->hi = acos(-1);
    }
}

int field_show(struct run *r, const char *what, struct shown *shown)
{
    const struct field_run *own = r->own;
    struct mw_model *model = NULL;
    size_t field = 0;
    int rc = 0;
    while (what && field < own->info->field_count && strcmp(own->info->fields[field].name, what) != 0)
        field++;
    if (field == own->info->field_count)
        TRY(field_show_model(r, what, &model));
    if (!shown)
        goto out;
    *shown = (struct shown){ .name = what ? what : own->info->fields[0].name, .systems = own->systems };
    shown->values = (struct mw_array){ .type = r->model.fp64 ? MW_TYPE_F64 : MW_TYPE_F32,
                                       .dims = own->options.dims,
                                       .count = own->cells,
                                       .data = r->observe.state.data };
    memcpy(shown->values.length, own->options.length, sizeof(own->options.length));
    if (model) {
        TRY(evaluate(r, model, &shown->owned));
        shown->values.data = shown->owned;
        field = 0;
    }
    shown->stride = own->info->field_count * own->cells * mw_type_bytes(shown->values.type);
    shown->values.data = (char *)shown->values.data + field * own->cells * mw_type_bytes(shown->values.type);
    choose_colours(r, what, shown);
out:
    mw_model_free(model);
    return rc;
}
/* SPDX-License-Identifier: MIT */
