/* Fields in pictures: a field, or an expression of the model language.
 *
 * A model with the same fields and one more computes an expression: its rate is the value, divided by the length of one
 * Euler step from 0.  It and a field of it are kept for all pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/field/field.h"
#include "tools/run/pictures/picture.h"

/* Names that no model is likely to have. */
#define VALUE "shown_value"
#define FIELD "shown_field"
#define STEP "shown_step"
#define DOMAIN "domain"
#define SIGN 0.05 /* least part of the largest magnitude that the other sign has */

/* ---- expressions ---- */

/* Makes the model with the expression; the rates of the other fields become 0. */
static int make_model(const struct field_run *own, const char *what, struct mw_model **model)
{
    const struct mw_model_info *info = mw_model_info(own->simulated);
    struct mw_text text = { 0 };
    int rc;
    mw_text_add(&text, "%s\n//@ replace\n//@ field " FIELD " noise=0 mean=0\n//@ param " STEP " 1 \"\"\n", info->text);
    mw_text_add(&text, VALUE " = %s;\nrate(" FIELD ") = " VALUE " / " STEP ";\n", what);
    for (size_t i = 0; i < info->field_count; i++) {
        const bool pair = info->fields[i].part == MW_COMPLEX_PART_REAL;
        const int n = (int)(strlen(info->fields[i].name) - (pair ? strlen("_re") : 0)); /* both parts have one rate */
        mw_text_add(&text, "rate(%.*s) = 0;\n", n, info->fields[i].name);
        i += pair;
    }
    TRY(mw_text_ok(&text));
    rc = mw_model_from_text(info->path, text.data, model);
    if (rc != 0) /* a wrong option, not a wrong model */
        rc = mw_fail_in(rc == MW_EBUILD ? MW_EINVAL : rc, "--show '%s'", what);
out:
    mw_text_free(&text);
    return rc;
}

/* Finds or makes the model of an expression. */
static int find_expression(struct field_run *own, const char *what, struct field_shown **found)
{
    struct field_shown *last;
    for (size_t i = 0; i < own->shown_count; i++)
        if (!strcmp(own->shown[i].what, what)) {
            *found = &own->shown[i];
            return 0;
        }
    TRY_RETURN(mw_grow(own->shown_count, sizeof(*own->shown), &own->shown));
    last = &own->shown[own->shown_count];
    *last = (struct field_shown){ .what = what };
    TRY_RETURN(make_model(own, what, &last->model));
    own->shown_count++;
    *found = last;
    return 0;
}

/* Makes the field of an expression, whose time step is `dt`. */
static int make_field(const struct run *r, struct field_shown *shown, double dt)
{
    struct field_run own = *(const struct field_run *)r->own;
    const size_t count = own.info->param_count;
    double *params = NULL;
    int rc;
    mw_field_free(shown->field);
    shown->field = own.field = NULL;
    own.options.integrator = MW_INTEGRATOR_EULER;
    own.options.dt = shown->dt = dt;
    own.options.tolerance = own.options.tolerance_absolute = 0;
    own.options.variant = own.options.shape = NULL;
    own.options.field_seeds = NULL;
    own.options.no_tune = true;
    TRY(mw_new(count + 1, sizeof(*params), &params));
    memcpy(params, own.params, count * sizeof(*params));
    params[count] = dt;
    own.options.params = own.params = params;
    own.info = mw_model_info(shown->model);
    rc = mw_field_new(&r->step.team.device[0], 1, shown->model, &own.options, &own.field);
    shown->field = own.field;
    if (rc)
        TRY(mw_fail_in(rc, "--show '%s'", shown->what));
    TRY(field_set_over(&own));
    TRY(field_set_sources(&own, false));
out:
    free(params);
    return rc;
}

int field_make_shown(const struct run *r)
{
    const struct field_run *own = r->own;
    for (size_t i = 0; i < own->shown_count; i++)
        TRY_RETURN(make_field(r, &own->shown[i], r->model.adaptive ? 1 : r->model.dt));
    return 0;
}

void field_unmake_shown(struct field_run *own)
{
    for (size_t i = 0; i < own->shown_count; i++) {
        mw_field_free(own->shown[i].field);
        own->shown[i].field = NULL;
    }
}

void field_free_shown(struct field_run *own)
{
    for (size_t i = 0; i < own->shown_count; i++)
        mw_model_free(own->shown[i].model);
    free(own->shown);
}

/* Makes the state with one more field, of zeros, in each system. */
static int add_field(const struct run *r, struct mw_array *wide)
{
    const struct field_run *own = r->own;
    const struct mw_array *state = &r->observe.state;
    const size_t bytes = own->cells * mw_type_bytes(state->type), fields = own->info->field_count;
    size_t length[MW_DIMS_MAX + 2];
    unsigned dims = own->options.dims;
    memcpy(length, own->options.length, dims * sizeof(*length));
    length[dims++] = fields + 1;
    if (own->systems > 1)
        length[dims++] = own->systems;
    TRY_RETURN(mw_array_new(state->type, dims, length, wide));
    for (size_t s = 0; s < own->systems; s++)
        memcpy((char *)wide->data + s * (fields + 1) * bytes, (char *)state->data + s * fields * bytes, fields * bytes);
    return 0;
}

/* Computes the values of the additional field, of each system, by a step of that model.  Steps of a run that chooses
 * them have no common length: there the step is as long as the time so far, and the second. */
static int evaluate(const struct run *r, struct field_shown *shown, struct mw_array *state)
{
    const uint64_t step = r->observe.state_step;
    const double time = run_time(r, step), dt = !r->model.adaptive ? r->model.dt : time > 0 ? time : 1;
    if (shown->dt != dt)
        TRY_RETURN(make_field(r, shown, dt));
    TRY_RETURN(add_field(r, state));
    TRY_RETURN(mw_field_set(shown->field, state));
    mw_field_set_step(shown->field, r->model.adaptive ? time > 0 : step);
    TRY_RETURN(mw_field_advance(shown->field, 1));
    return mw_field_get_into(shown->field, state);
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

/* Finds the field of a word; MW_EINVAL: it is a complex field. */
static int find_shown(const struct field_run *own, const char *what, size_t *field)
{
    *field = 0;
    if (what && field_find_complex(own->info, what) >= 0)
        return mw_fail(MW_EINVAL, "--show %s: the field is complex: give %s_re, %s_im, 'abs(%s)' or 'phase(%s)'", what,
                       what, what, what, what);
    while (what && *field < own->info->field_count && strcmp(own->info->fields[*field].name, what) != 0)
        ++*field;
    return 0;
}

/* Reads the domain of the model, once. */
static int read_domain(struct field_run *own)
{
    for (size_t i = 0; i < own->info->map_count && !own->domain.data; i++)
        if (!strcmp(own->info->maps[i].name, DOMAIN))
            return mw_field_get_one(own->field, DOMAIN, &own->domain);
    return 0;
}

int field_show(struct run *r, const char *what, struct shown *shown)
{
    struct field_run *own = r->own;
    struct field_shown *expression = NULL;
    struct mw_array wide = { 0 };
    size_t field, fields = own->info->field_count;
    const size_t panels = own->systems * shown_count(r) * figure_planes(r);
    if (r->set->figure && panels > PANELS_MOST)
        return mw_fail(MW_ELIMIT,
                       "--figure has at most %d panels, but %zu systems with %zu quantities and %zu planes need %zu",
                       PANELS_MOST, own->systems, shown_count(r), figure_planes(r), panels);
    TRY_RETURN(find_shown(own, what, &field));
    if (field == fields)
        TRY_RETURN(find_expression(own, what, &expression));
    if (!shown)
        return 0;
    TRY_RETURN(read_domain(own));
    *shown = (struct shown){ .name = what ? what : own->info->fields[0].name,
                             .systems = own->systems,
                             .domain = own->domain.data };
    shown->values = (struct mw_array){ .type = r->model.fp64 ? MW_TYPE_F64 : MW_TYPE_F32,
                                       .dims = own->options.dims,
                                       .count = own->cells,
                                       .data = r->observe.state.data };
    memcpy(shown->values.length, own->options.length, sizeof(own->options.length));
    if (expression) {
        const int rc = evaluate(r, expression, &wide);
        shown->values.data = shown->owned = wide.data;
        TRY_RETURN(rc);
        fields++;
    }
    shown->stride = fields * own->cells * mw_type_bytes(shown->values.type);
    shown->values.data = (char *)shown->values.data + field * own->cells * mw_type_bytes(shown->values.type);
    choose_colours(r, what, shown);
    return 0;
}
/* SPDX-License-Identifier: MIT */
