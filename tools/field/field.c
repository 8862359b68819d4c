/* Fields as a kind of simulation: options, setup, steps, verification, and the function table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/cli/names.h"
#include "tools/field/field.h"
#include "tools/field/model.h"
#include "tools/report/files.h"

#define AT(member) offsetof(struct field_settings, member)

/* clang-format off */
const struct option field_options[] = {
    { .name = "dt", .type = OPTION_REAL, .target = AT(dt), .value = "X",
      .help = "time step, or the first one of bs3 and dp5 (default: the model's)" },
    { .name = "until", .type = OPTION_REAL, .target = AT(until), .value = "T", .called = "end-time|t-end|tmax",
      .help = "time at which the run ends, instead of --steps" },
    { .name = "tolerance", .type = OPTION_TEXT, .target = AT(tolerance), .value = "REL[,ABS]",
      .called = "tol|rtol|atol|error",
      .help = "largest error of a step of bs3 or dp5 in any cell: REL times the value, plus ABS (default: 1e-4, and a "
              "hundredth of REL)" },
    { .name = "systems", .type = OPTION_COUNT, .target = AT(systems), .value = "N", .fallback = "1", .least = 1,
      .most = 100000000, .help = "number of independent systems of this mesh, with consecutive seeds" },
    { .name = "over", .type = OPTION_TEXT, .target = AT(over), .value = "NAME=FIRST:LAST:STEP", .once = true,
      .help = "swept parameter: --systems systems for each of its values; or a list, NAME=1,2,5" },
    { .name = "spacing", .type = OPTION_TEXT, .target = AT(spacing), .value = "H[,H...]",
      .called = "dx|resolution",
      .help = "distance of neighbouring cells, one number or one per dimension (default: 1)" },
    { .name = "length", .type = OPTION_TEXT, .target = AT(length), .value = "L[xL...]", .called = "lengths|extent",
      .help = "length of the mesh, one number or one per dimension: sets the spacing, or with --spacing the size" },
    { .name = "input-range", .type = OPTION_TEXT, .target = AT(input_range), .value = "LO,HI", .fallback = "-1,1",
      .help = "values of black and white in a picture" },
    { .name = "label", .type = OPTION_CHOICE, .target = AT(join), .value = "sign|value", .fallback = "sign",
      .help = "cells of one component: neighbours with the same sign (above 0 or not), or with equal values" },
    { 0 }
};
/* clang-format on */

const char *const join_names[] = { [JOIN_SIGN] = "sign", [JOIN_VALUE] = "value" };

/* ---- setup ---- */

static int field_choose(struct run *r, const char *model)
{
    struct field_run *own = r->own;
    own->set = r->own_settings;
    TRY_RETURN(model_find(model, r->set->device.kernel_path, &own->model));
    own->info = mw_model_info(own->model);
    TRY_RETURN(file_stays(own->info->path));
    run_take_model(r, own->info, true);
    r->model.name_count = own->info->field_count;
    TRY_RETURN(mw_new(r->model.name_count, sizeof(*r->model.names), &r->model.names));
    for (size_t i = 0; i < r->model.name_count; i++)
        r->model.names[i] = own->info->fields[i].name;
    return 0;
}

static int field_prepare(struct run *r)
{
    struct field_run *own = r->own;
    const struct run_settings *set = r->set;
    struct mw_field_options *o = &own->options;
    TRY_RETURN(field_read_over(r));
    TRY_RETURN(field_check_systems(r));
    TRY_RETURN(field_size_by_length(r));
    TRY_RETURN(field_read_input(r));
    TRY_RETURN(field_take_sources(r));
    TRY_RETURN(mesh_of_field(&set->mesh, o));
    TRY_RETURN(field_check_sides(r));
    TRY_RETURN(field_take_spacing(r));
    r->model.spacing = o->spacing;
    TRY_RETURN(field_read_pace(r));
    o->seed = set->seed;
    TRY_RETURN(field_take_seeds(r));
    o->field_seeds = own->seeds;
    o->constant = set->start == START_CONSTANT;
    o->variant = set->variant;
    o->shape = set->device.shape;
    o->no_tune = set->no_tune;
    TRY_RETURN(run_params(r, own->info->name, own->info->params, own->info->param_count, &own->params));
    o->params = own->params;
    r->model.fp64 = o->fp64;
    o->size = sizeof(*o);
    o->systems = own->systems;
    own->cells = 1;
    for (unsigned i = 0; i < o->dims; i++)
        own->cells *= o->length[i];
    r->model.cells = own->cells * own->systems;
    r->model.state_bytes =
        (uint64_t)r->model.cells * own->info->field_count * (o->fp64 ? sizeof(double) : sizeof(float));
    TRY_RETURN(mw_new(own->systems * own->info->field_count, sizeof(*own->statistics), &own->statistics));
    TRY_RETURN(mw_new(own->systems * own->info->field_count, sizeof(*own->start), &own->start));
    TRY_RETURN(mw_new(own->systems, sizeof(*own->energy), &own->energy));
    TRY_RETURN(mw_new(own->systems, sizeof(*own->domain_size), &own->domain_size));
    TRY_RETURN(field_check_input(r));
    if (!set->label_every && option_is_given(r->command, "label"))
        return mw_fail(MW_EINVAL, "--label requires --label-every N");
    return 0;
}

/* Settings have the names of options, if there is one, and values in the user's form. */
static void settings(const struct run *r, struct setting_list *list)
{
    const struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    mesh_settings_add(r, list);
    if (own->set->systems > 1)
        setting_add(list, false, "systems", "%llu", (unsigned long long)own->set->systems);
    if (own->set->over)
        setting_add(list, false, "over", "%s", own->set->over);
    setting_add(list, false, "precision", "%s", o->fp64 ? "double" : "single");
    setting_add(list, false, "integrator", "%s", mw_integrator_name(o->integrator));
    setting_add(list, false, "laplacian", "%s", mw_laplacian_name(o->laplacian));
    if (own->spacing)
        setting_add(list, false, "spacing", "%s", own->spacing);
    field_pace_settings(r, list);
    for (size_t i = 0; i < own->info->param_count; i++)
        setting_add_param(list, own->info->params[i].name, own->params[i]);
    field_map_settings(r, list);
    setting_add(list, false, "seed", "%llu", (unsigned long long)o->seed);
    setting_add(list, false, "fast-math", "%s", o->fast_math ? "yes" : "no");
    if (r->set->label_every)
        setting_add(list, true, "label", "%s", join_names[own->set->join]);
}

static int device_bytes(const struct run *r, uint64_t *bytes)
{
    const struct field_run *own = r->own;
    return mw_field_bytes(own->simulated, &own->options, bytes);
}

static int field_make(struct run *r)
{
    struct field_run *own = r->own;
    unsigned steps;
    own->domain = (struct mw_array){ 0 }; /* that of a copied state belongs to the other run */
    TRY_RETURN(mw_field_new(r->step.team.device, r->step.team.count, own->simulated, &own->options, &own->field));
    if (mw_field_windows(own->field, &steps) > 1)
        TRY_RETURN(run_check_streamed(r));
    TRY_RETURN(field_set_over(own));
    TRY_RETURN(field_make_shown(r));
    return mw_field_sync(own->field);
}

static void unmake(struct run *r)
{
    struct field_run *own = r->own;
    field_unmake_shown(own);
    mw_array_free(&own->domain);
    mw_field_free(own->field);
}

static void field_free(struct run *r)
{
    struct field_run *own = r->own;
    field_free_sources(own);
    field_free_shown(own);
    mw_model_free(own->model);
    mw_array_free(&own->input);
    free(own->energies.item);
    free(own->statistics);
    free(own->start);
    free(own->values);
    free(own->energy);
    free(own->domain_size);
    free(own->params);
    free(own->spacing);
    free(own->seeds);
    free(r->model.names);
}

/* ---- steps ---- */

static int field_advance(struct run *r, uint64_t steps)
{
    const struct field_run *own = r->own;
    TRY_RETURN(field_proceed(own, steps));
    return mw_field_sync(own->field);
}

static int queue(struct run *r, uint64_t steps) { return field_proceed(r->own, steps); }

/* A streamed field passes through its device for each launch, so steps are done together. */
static uint64_t together(const struct run *r)
{
    unsigned steps;
    mw_field_windows(((const struct field_run *)r->own)->field, &steps);
    return steps;
}

static uint64_t field_step(const struct run *r) { return mw_field_step(((const struct field_run *)r->own)->field); }

/* Chooses the shape by rule. */
static void plainly(struct run *again)
{
    struct field_run *own = again->own;
    own->field = NULL;
    own->start = NULL;
    own->shown_count = 0;
    own->options.variant = own->options.shape = NULL;
    own->options.no_tune = true;
}

/* clang-format off */
const struct simulation field_simulation = {
    .bytes = sizeof(struct field_run), .subject = "model", .advice = "a smaller --size", .streams = true,
    .shaped = true, .timed = true, .variants = mw_field_variants,
    .model = { .choose = field_choose, .prepare = field_prepare, .settings = settings, .device_bytes = device_bytes,
               .make = field_make, .unmake = unmake, .free = field_free },
    .step = { .init = field_init, .advance = field_advance, .queue = queue, .together = together, .step = field_step,
              .time = field_time, .left = field_left, .load = field_load, .save = field_save, .plainly = plainly },
    .observe = { .read = field_read, .measure = field_measure, .store = field_store,
                 .print = field_print, .row = field_row,
                 .show = field_show, .label = field_label, .joined = field_joined, .cells = field_cells },
    .report = { .rate_unit = field_rate_unit, .setup = field_report_setup, .method = field_method,
                .device = field_report_device, .state = field_report_state },
};
/* clang-format on */
/* SPDX-License-Identifier: MIT */
