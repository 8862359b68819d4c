/* Spins as a kind of simulation: options, setup, steps, verification, and its function table. */
#include <math.h>
#include <stdio.h>

#include "tools/cli/names.h"
#include "tools/report/files.h"
#include "tools/spin/spin.h"

#define AT(member) offsetof(struct spin_settings, member)
#define MEASURED_EVERY "measured every" /* in checkpoints */
#define SAMPLES 512                     /* default number of measurements in a run */

/* clang-format off */
const struct option spin_options[] = {
    { .name = "update", .type = OPTION_CHOICE, .target = AT(update), .value = UPDATE_WORDS,
      .named = mw_spin_update_name, .also = UPDATE_ALSO, .fallback = "metropolis", .help = UPDATE_HELP },
    { .name = "lattice", .type = OPTION_CHOICE, .target = AT(lattice), .value = LATTICE_WORDS,
      .named = mw_lattice_kind_name, .also = LATTICE_ALSO, .fallback = "hypercubic", .help = LATTICE_HELP },
    { .name = "measure-every", .type = OPTION_COUNT, .target = AT(measure_every), .value = "N", .least = 1,
      .help = "measurement interval in steps of energy and magnetisation, for the series and the means over the second "
              "half of the run (default: --every, otherwise chosen to give about 512 measurements)" },
    { .name = "fraction", .type = OPTION_TEXT, .target = AT(fraction), .value = "X",
      .called = FRACTION_CALLED, .help = FRACTION_HELP },
    { .name = "correlation", .type = OPTION_FILE, .target = AT(correlation), .value = "FILE.csv",
      .help = "write the correlation of spins at each distance along each dimension, averaged over the measurements in "
              "the second half of the run" },
    { .name = "correlation-range", .type = OPTION_COUNT, .target = AT(correlation_range), .value = "N", .least = 1,
      .most = 524287, .help = "largest distance of correlations (default: half of the longest length, at most 64)" },
    { 0 }
};
/* clang-format on */

/* ---- setup ---- */

size_t spin_param(const struct mw_model_info *model, const char *name)
{
    size_t i = 0;
    while (i < model->param_count && strcmp(model->params[i].name, name) != 0)
        i++;
    return i;
}

double spin_temperature(const struct mw_model_info *model, const double *params)
{
    const size_t i = spin_param(model, "T");
    return i < model->param_count ? params[i] : NAN;
}

static int knows(const char *model, const char *kernel_path, bool *known)
{
    struct mw_model *loaded = NULL;
    int rc = mw_model_load(model, kernel_path, &loaded);
    *known = rc == 0 && mw_model_info(loaded)->kind == MW_MODEL_SPIN;
    mw_model_free(loaded);
    return rc == MW_ENOMEM ? rc : 0;
}

int spin_model_find(const char *name, const char *kernel_path, struct mw_model **model)
{
    int rc;
    TRY_RETURN(model_find(name, kernel_path, model));
    if (mw_model_info(*model)->kind == MW_MODEL_SPIN)
        return 0;
    rc = mw_fail(MW_EINVAL, "model %s has fields, not spins", mw_model_info(*model)->name);
    mw_model_free(*model);
    *model = NULL;
    return rc;
}

static int spin_choose(struct run *r, const char *model)
{
    static const char *const parts[] = { "_x", "_y", "_z" };
    struct spin_run *own = r->own;
    own->set = r->own_settings;
    TRY_RETURN(spin_model_find(model, r->set->device.kernel_path, &own->model));
    own->info = mw_model_info(own->model);
    TRY_RETURN(file_stays(own->info->path));
    run_take_model(r, own->info, !own->info->installed);
    r->model.name_count = own->info->spin.values == MW_SPIN_VALUES_VECTOR ? MW_COUNT(parts) : 1;
    for (size_t i = 0; i < r->model.name_count; i++) {
        snprintf(own->name_texts[i], sizeof(own->name_texts[i]), "%s%s", own->info->spin.name,
                 r->model.name_count > 1 ? parts[i] : "");
        own->names[i] = own->name_texts[i];
    }
    r->model.names = own->names;
    return 0;
}

/* Rejects options that only apply to fields. */
static int spin_check_options(const struct run *r)
{
    static const char *const others[] = { "integrator", "laplacian", "fast-math" };
    for (size_t i = 0; i < MW_COUNT(others); i++)
        if (option_is_given(r->command, others[i]))
            return mw_fail(MW_EINVAL, "--%s requires a model of fields; model %s has spins: leave it out", others[i],
                           r->model.name);
    if (r->set->label_every && ((const struct spin_run *)r->own)->info->spin.values >= MW_SPIN_VALUES_ANGLE)
        return mw_fail(MW_EINVAL,
                       "--label-every labels equal spins, but those of model %s are continuous: leave it out",
                       r->model.name);
    if (r->set->starts.count || r->set->seeds.count)
        return mw_fail(MW_EINVAL, "%s requires a model of fields; model %s has spins: leave it out",
                       (r->set->starts.count ? r->set->starts : r->set->seeds).item[0], r->model.name);
    return input_check(r);
}

/* Chooses the measurement interval: with --every, one is a multiple of the other.  A resumed run keeps its interval,
 * even if it became longer. */
static int choose_schedule(struct run *r)
{
    const struct spin_run *own = r->own;
    const uint64_t every = r->set->every, asked = own->set->measure_every;
    const char *theirs = r->resume.from ? mw_checkpoint_setting(r->resume.from, MEASURED_EVERY) : NULL;
    const uint64_t before = theirs ? strtoull(theirs, NULL, 10) : 0;
    if (every && asked && every % asked && asked % every)
        return mw_fail(MW_EINVAL, "--measure-every %llu and --every %llu: make one a multiple of the other",
                       (unsigned long long)asked, (unsigned long long)every);
    r->observe.own_every = asked    ? asked
                           : every  ? every
                           : before ? before
                                    : 1 + (r->set->steps ? r->set->steps - 1 : 0) / SAMPLES;
    while (!asked && !every && r->set->label_every && r->set->label_every % r->observe.own_every)
        r->observe.own_every--;
    return 0;
}

const char *spin_draws(const struct spin_run *own)
{
    return own->bits ? "bits" : strcmp(own->variant, "model") == 0 ? "model" : "bytes";
}

/* A resumed run uses a variant with the same random numbers. */
static int choose_draws(struct run *r)
{
    struct spin_run *own = r->own;
    const char *theirs = r->resume.from ? mw_checkpoint_setting(r->resume.from, "draws") : NULL;
    if (theirs && !option_is_given(r->command, "variant"))
        own->options.variant = strcmp(theirs, "bytes") ? theirs : "crinkled";
    return mw_spins_choice(own->model, &own->options, &own->variant, &own->bits);
}

static int read_fraction(const struct run *r)
{
    struct spin_run *own = r->own;
    const char *text = own->set->fraction;
    size_t count;
    if (!text)
        return 0;
    if (option_is_given(r->command, "restart") || r->set->input)
        return mw_fail(MW_EINVAL, "--%s and --fraction exclude each other: give one of them",
                       r->set->input ? "input" : "restart");
    TRY_RETURN(spin_fractions(text, &own->fraction, &count));
    return count == 1
               ? 0
               : mw_fail(MW_EINVAL, "--fraction %s: a run takes one fraction; meshwork sweep takes several", text);
}

static int spin_prepare(struct run *r)
{
    struct spin_run *own = r->own;
    struct mw_spin_options *o = &own->options;
    const struct size *size = &r->set->mesh.size;
    TRY_RETURN(spin_check_options(r));
    r->model.fp64 = r->set->mesh.precision == PRECISION_DOUBLE;
    TRY_RETURN(spin_read_input(r));
    TRY_RETURN(run_params(r, own->info->name, own->info->params, own->info->param_count, &own->params));
    TRY_RETURN(choose_schedule(r));
    TRY_RETURN(read_fraction(r));
    *o = (struct mw_spin_options){ .size = sizeof(struct mw_spin_options),
                                   .dims = size->dims,
                                   .update = (enum mw_spin_update)own->set->update,
                                   .seed = r->set->seed,
                                   .params = own->params,
                                   .variant = r->set->variant,
                                   .lattice = (enum mw_lattice_kind)own->set->lattice,
                                   .fp64 = r->model.fp64,
                                   .fractions = own->fraction };
    TRY_RETURN(spin_start(r->set->start, spin_starts_up(own->info, own->params, own->set->update), own->set->update,
                          own->fraction != NULL, &o->start));
    TRY_RETURN(mesh_boundaries(&r->set->mesh, o->boundary));
    r->model.cells = 1;
    for (unsigned d = 0; d < size->dims; d++) {
        o->length[d] = size->length[d];
        r->model.cells *= size->length[d];
    }
    r->model.dt = 1;
    r->model.state_bytes = r->model.cells * spin_cell_bytes(r);
    TRY_RETURN(choose_draws(r));
    TRY_RETURN(correlation_prepare(r));
    return 0;
}

static void settings(const struct run *r, struct setting_list *list)
{
    const struct spin_run *own = r->own;
    mesh_settings_add(r, list);
    setting_add(list, false, "update", "%s", mw_spin_update_name(own->options.update));
    for (size_t i = 0; i < own->info->param_count; i++)
        setting_add_param(list, own->info->params[i].name, own->params[i]);
    setting_add(list, false, "seed", "%llu", (unsigned long long)own->options.seed);
    setting_add(list, false, "draws", "%s", spin_draws(own));
    if (own->options.lattice != MW_LATTICE_HYPERCUBIC)
        setting_add(list, false, "lattice", "%s", mw_lattice_kinds(own->options.lattice)->name);
    if (own->options.fp64)
        setting_add(list, false, "precision", "double");
    if (own->set->measure_every)
        setting_add(list, true, "measure-every", "%llu", (unsigned long long)own->set->measure_every);
    setting_add(list, true, MEASURED_EVERY, "%llu", (unsigned long long)r->observe.own_every);
}

static int device_bytes(const struct run *r, uint64_t *bytes)
{
    return mw_spins_bytes(((const struct spin_run *)r->own)->model, &((const struct spin_run *)r->own)->options, bytes);
}

/* Returns the plainest variant with the same random numbers. */
static const char *plain_variant(const struct spin_run *own)
{
    return strcmp(spin_draws(own), "bytes") ? spin_draws(own) : "lengths";
}

/* The copy used to measure domain sizes has been freed by now.  One-bit spins need a copy to read a state. */
static int verify_bytes(const struct run *r, uint64_t *bytes)
{
    const struct spin_run *own = r->own;
    const uint64_t copy = spin_has_domains(r) ? r->model.state_bytes : 0;
    struct mw_spin_options again = own->options;
    again.variant = plain_variant(own);
    TRY_RETURN(mw_spins_bytes(own->model, &again, bytes));
    *bytes = 2 * (*bytes - copy) + (own->bits ? copy : 0);
    return 0;
}

/* The device stores vectors by cell, the state by component. */
static uint64_t spin_host_bytes(const struct run *r)
{
    const struct spin_run *own = r->own;
    return r->model.state_bytes * (own->info->spin.values == MW_SPIN_VALUES_VECTOR ? 2 : 1);
}

static int spin_make(struct run *r)
{
    struct spin_run *own = r->own;
    TRY_RETURN(mw_spins_new(r->step.team.device, r->step.team.count, own->model, &own->options, &own->spins));
    return mw_spins_sync(own->spins);
}

static void unmake(struct run *r) { mw_spins_free(((struct spin_run *)r->own)->spins); }

static void spin_free(struct run *r)
{
    struct spin_run *own = r->own;
    for (size_t i = 0; i < SPIN_SERIES; i++)
        free(own->samples.item[i]);
    mw_array_free(&own->input);
    correlation_free(&own->correlation);
    free(own->fraction);
    free(own->params);
    mw_model_free(own->model);
}

/* ---- step ---- */

static int spin_advance(struct run *r, uint64_t steps)
{
    const struct spin_run *own = r->own;
    TRY_RETURN(mw_spins_advance(own->spins, steps));
    return mw_spins_sync(own->spins);
}

static uint64_t spin_step(const struct run *r) { return mw_spins_step(((const struct spin_run *)r->own)->spins); }

static void plainly(struct run *again)
{
    struct spin_run *own = again->own;
    own->spins = NULL;
    own->options.variant = plain_variant(own);
}

/* clang-format off */
const struct simulation spin_simulation = {
    .bytes = sizeof(struct spin_run), .subject = "model", .advice = "a smaller --size", .variants = mw_spin_variants,
    .knows = knows,
    .model = { .choose = spin_choose, .prepare = spin_prepare, .settings = settings, .device_bytes = device_bytes,
               .host_bytes = spin_host_bytes, .verify_bytes = verify_bytes, .make = spin_make, .unmake = unmake,
               .free = spin_free },
    .step = { .init = spin_init, .advance = spin_advance, .step = spin_step, .load = spin_load, .plainly = plainly },
    .observe = { .read = spin_read, .measure = spin_measure, .print = spin_print, .row = spin_row,
                 .show = spin_show, .label = spin_label, .joined = spin_joined, .cells = spin_cells,
                 .write = correlation_write, .observe = spin_observe, .own_timing = "measure" },
    .report = { .rate_unit = spin_rate_unit, .setup = spin_report_setup, .method = spin_method,
                .device = spin_report_device, .state = spin_report_state, .plan = spin_report_plan },
};
/* clang-format on */
/* SPDX-License-Identifier: MIT */
