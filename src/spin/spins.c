/* Public calls for spins: creation, steps and measures. */
#include <math.h>

#include "base/progress.h"
#include "model/model.h"
#include "lattice/lattice_internal.h"
#include "spin/spin_internal.h"
#include "spin/model/form.h"

/* ---- description ---- */

/* A chain is one row and is not split.  With several systems each is a slab. */
static void describe_mesh(struct mw_spins *s)
{
    const struct mw_spin_options *o = &s->options;
    struct spin_mesh *mesh = &s->mesh;
    int64_t stride = 1;
    *mesh = (struct spin_mesh){ .dims = (i32)o->dims, .colours = 2 };
    for (unsigned i = 0; i < o->dims; i++) {
        mesh->length[i] = (i32)o->length[i];
        mesh->boundary[i] = (i32)o->boundary[i];
        if (spin_turn(mesh->length[i] - 1, mesh->length[i], mesh->boundary[i]) == 2)
            mesh->colours = 3;
        if (i == 0)
            continue;
        mesh->stride[i] = (i32)stride;
        mesh->offset[i] = s->lattice.power_of_two ? (i32)(s->lattice.offset[i] - s->lattice.bits[0]) : 0;
        s->slab_rows = (size_t)stride;
        stride *= (int64_t)o->length[i];
    }
    if (o->dims == 1)
        s->slab_rows = 1;
    if (s->systems > 1)
        s->slab_rows = (size_t)(mesh->rows = (i32)stride);
}

static int check_mesh(struct mw_spin_options *o, struct mw_lattice *lattice)
{
    int64_t length[MW_DIMS_MAX] = { 0 };
    if (o->dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "mesh has %u dimensions (must be 1 to %d)", o->dims, MW_DIMS_MAX);
    TRY_RETURN(mw_boundaries_take(o->boundary, o->dims, MW_BOUNDARY_PERIODIC, o->boundary));
    for (unsigned i = 0; i < o->dims; i++) {
        if (o->length[i] < 1)
            return mw_fail(MW_EINVAL, "mesh dimension %u has length 0 (must be 1 or more)", i);
        length[i] = o->length[i] > INT64_MAX ? INT64_MAX : (int64_t)o->length[i];
    }
    TRY_RETURN(mw_lattice_make(o->dims, length, lattice));
    /* A part's rows include its halo: up to two more slabs of at most all rows. */
    if (o->length[0] >= INT32_MAX || lattice->cells / length[0] > INT32_MAX / 3)
        return mw_fail(MW_ELIMIT,
                       "mesh of %lld rows of %zu spins is too large (at most %d rows, each of fewer than %d spins)",
                       (long long)(lattice->cells / length[0]), o->length[0], INT32_MAX / 3, INT32_MAX);
    if (o->systems > 1 && o->dims == MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "%zu systems of %u dimensions need one more dimension (at most %d)", o->systems,
                       o->dims, MW_DIMS_MAX);
    if (o->systems > (size_t)(INT32_MAX / 3 / (lattice->cells / length[0])))
        return mw_fail(MW_ELIMIT, "%zu systems of %lld rows are too large (at most %d rows in all)", o->systems,
                       (long long)(lattice->cells / length[0]), INT32_MAX / 3);
    return 0;
}

static int spins_take_options(const struct mw_model *model, const struct mw_spin_options *options,
                              struct mw_spin_options *o, struct mw_lattice *lattice,
                              const struct mw_spin_variant **variant)
{
    TRY_RETURN(MW_OPTIONS_TAKE(mw_spin_options, options, fp64, o));
    o->systems += o->systems == 0;
    if (o->update > MW_SPIN_UPDATE_WOLFF || o->start > MW_SPIN_START_FRACTION)
        return mw_fail(MW_EINVAL, "invalid update %d or start %d of spins (see enum mw_spin_update, mw_spin_start)",
                       (int)o->update, (int)o->start);
    if (mw_model_info(model)->kind != MW_MODEL_SPIN)
        return mw_fail(MW_EINVAL, "model %s is a field model; spins need a spin model", mw_model_info(model)->name);
    TRY_RETURN(check_mesh(o, lattice));
    if (o->start == MW_SPIN_START_FRACTION)
        TRY_RETURN(mw_spin_fraction_check(model, o));
    return mw_spin_variant_find(model, o, lattice, variant);
}

int mw_spins_bytes(const struct mw_model *model, const struct mw_spin_options *options, uint64_t *bytes)
{
    const struct mw_spin_variant *variant;
    struct mw_spin_options o;
    struct mw_lattice lattice;
    TRY_RETURN(spins_take_options(model, options, &o, &lattice, &variant));
    if (variant->form == &mw_spin_of_model) {
        size_t all;
        if (!mw_mul(o.systems * (size_t)lattice.cells, mw_spin_model_cell(model, &o), &all))
            return mw_fail(MW_ELIMIT, "%zu systems of %lld spins exceed the address space", o.systems,
                           (long long)lattice.cells);
        *bytes = all;
        return 0;
    }
    /* Cells as bytes for copies of the state, cells in the form of the update, their image, and sums per row. */
    *bytes = o.systems * ((uint64_t)lattice.cells * (variant->image ? 2 : 1) +
                          (uint64_t)lattice.cells / (variant->form == &mw_spin_bits ? 8 : 1) +
                          16 * (uint64_t)(lattice.cells / lattice.length[0]));
    return 0;
}

int mw_spins_choice(const struct mw_model *model, const struct mw_spin_options *options, const char **variant,
                    bool *bits)
{
    const struct mw_spin_variant *v;
    struct mw_spin_options o;
    struct mw_lattice lattice;
    TRY_RETURN(spins_take_options(model, options, &o, &lattice, &v));
    if (variant)
        *variant = v->variant.name;
    if (bits)
        *bits = v->form == &mw_spin_bits;
    return 0;
}

/* ---- parameters ---- */

static double *params_of(const struct mw_spins *s, size_t system)
{
    return s->params + system * s->model->info.param_count;
}

static void take_params(struct mw_spins *s, size_t system, const double *params)
{
    const unsigned dims = s->options.dims;
    const struct mw_spin_form *form = s->variant->form;
    uint32_t *table = s->table + system * SPIN_RULE(dims), rule[SPIN_RULE(SPIN_DIMS)];
    int32_t signs = 1;
    memmove(params_of(s, system), params, s->model->info.param_count * sizeof *params);
    if (form == &mw_spin_of_model)
        return;
    s->outside[system] = (int32_t)s->kind->outside(params);
    s->kind->rule(params, s->options.update, dims, form->table ? rule : table);
    if (form->table)
        signs = form->table(dims, rule, table);
    s->signs = signs > s->signs ? signs : s->signs;
}

static int check_params(const struct mw_spins *s, const double *params)
{
    return s->variant->form == &mw_spin_of_model ? mw_spin_model_check_params(s, params) : s->kind->check(params);
}

/* Gives all systems the same parameters. */
static int take_all_params(struct mw_spins *s)
{
    const struct mw_spin_options *o = &s->options;
    TRY_RETURN(mw_model_values(s->model, o->params, o->values, o->value_count, s->params));
    TRY_RETURN(check_params(s, s->params));
    for (size_t system = s->systems; system-- > 0;)
        take_params(s, system, s->params);
    return 0;
}

static int check_system(const struct mw_spins *s, size_t system)
{
    return system < s->systems
               ? 0
               : mw_fail(MW_EINVAL, "system %zu is out of range (there are %zu, counted from 0)", system, s->systems);
}

int mw_spins_set_params(struct mw_spins *s, size_t system, const double *params)
{
    TRY_RETURN(check_system(s, system));
    TRY_RETURN(check_params(s, params));
    take_params(s, system, params);
    for (size_t i = 0; i < s->count; i++)
        s->parts[i].stale = true;
    return 0;
}

int mw_spins_set_param(struct mw_spins *s, size_t system, const char *name, double value)
{
    double before;
    size_t param;
    int rc;
    TRY_RETURN(check_system(s, system));
    TRY_RETURN(mw_model_param_find(s->model, name, &param));
    before = params_of(s, system)[param];
    params_of(s, system)[param] = value;
    rc = mw_spins_set_params(s, system, params_of(s, system));
    params_of(s, system)[param] = rc ? before : value;
    return rc;
}

int mw_spins_param(const struct mw_spins *s, size_t system, const char *name, double *value)
{
    size_t param;
    TRY_RETURN(check_system(s, system));
    TRY_RETURN(mw_model_param_find(s->model, name, &param));
    *value = params_of(s, system)[param];
    return 0;
}

static int spins_describe(struct mw_spins *s, const struct mw_model *model, const struct mw_spin_options *options)
{
    TRY_RETURN(spins_take_options(model, options, &s->options, &s->lattice, &s->variant));
    s->model = mw_model_hold(model);
    s->kind = mw_spin_kind_find(model);
    s->systems = s->options.systems;
    TRY_RETURN(mw_own_new(&s->owner, s->systems * model->info.param_count, sizeof *s->params, &s->params));
    TRY_RETURN(mw_own_new(&s->owner, s->systems * SPIN_RULE(s->options.dims), sizeof *s->table, &s->table));
    TRY_RETURN(mw_own_new(&s->owner, s->systems, sizeof *s->outside, &s->outside));
    if (s->options.start == MW_SPIN_START_FRACTION) {
        TRY_RETURN(mw_own_new(&s->owner, s->systems, sizeof *s->fractions, &s->fractions));
        memcpy(s->fractions, s->options.fractions, s->systems * sizeof *s->fractions);
    }
    describe_mesh(s);
    TRY_RETURN(take_all_params(s));
    if (s->options.start == MW_SPIN_START_AUTO)
        s->options.start = s->options.update != MW_SPIN_UPDATE_EXCHANGE &&
                                   mw_model_number_of(&model->info, &model->info.spin.up, s->params) > 0
                               ? MW_SPIN_START_UP
                               : MW_SPIN_START_NOISE;
    s->phases = s->mesh.colours;
    s->reach = 1;
    s->type = MW_TYPE_I8;
    s->components = 1;
    if (s->variant->form == &mw_spin_of_model)
        TRY_RETURN(mw_spin_model_describe(s));
    s->cell_bytes = s->components * mw_type_bytes(s->type);
    s->options.fractions = NULL;
    s->options.params = NULL;
    s->options.values = NULL;
    s->options.variant = NULL;
    return 0;
}

/* ---- construction ---- */

static size_t slab_count(const struct mw_spins *s)
{
    return s->systems > 1 ? s->systems : s->options.dims > 1 ? s->options.length[s->options.dims - 1] : 1;
}

static int make_parts(struct mw_spins *s, struct mw_device *const *devices, size_t count)
{
    const size_t slabs = slab_count(s);
    const size_t least = s->systems > 1 ? 1 : (size_t)s->reach;
    s->count = slabs / least < count ? slabs / least : count;
    s->count += s->count == 0;
    if (s->count > 1 && s->systems == 1 && s->options.update >= MW_SPIN_UPDATE_SWENDSEN_WANG)
        return mw_fail(MW_EINVAL, "cluster updates of one system need a single device");
    if (s->count < count)
        mw_log(MW_LOG_NOTICE,
               s->systems > 1 ? "fewer systems than the %zu devices: using %zu"
                              : "the mesh is too short along its slowest dimension for %zu devices: using %zu",
               count, s->count);
    s->borders = s->count > 1 && s->systems == 1;
    if (s->borders)
        mw_spins_choose_round(s, devices, slabs / s->count);
    TRY_RETURN(mw_own_new(&s->owner, s->count, sizeof *s->parts, &s->parts));
    for (size_t i = 0; i < s->count; i++) {
        const size_t first = slabs * i / s->count, end = slabs * (i + 1) / s->count;
        TRY_RETURN(mw_spin_device_new(s, devices[i], (struct mw_spin_share){ (int32_t)first, (int32_t)(end - first) },
                                      &s->parts[i]));
    }
    if (s->borders)
        TRY_RETURN(mw_spins_join(s));
    if (s->count > 1)
        TRY_RETURN(mw_team_new(s->parts, sizeof *s->parts, s->count, &s->team));
    return 0;
}

static int each_part(struct mw_spins *s, mw_team_job *job, void *context)
{
    const int rc = s->team ? mw_team_run(s->team, job, context) : job(&s->parts[0], context);
    s->failed |= rc != 0;
    return rc;
}

static int start_part(void *part, void *unused) { return mw_spin_device_start(part); }

int mw_spins_exchange(struct mw_spins *s) { return s->borders ? each_part(s, mw_spins_exchange_part, NULL) : 0; }

int mw_spins_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                 const struct mw_spin_options *options, struct mw_spins **spins)
{
    struct mw_spins *s = NULL;
    int rc;
    TRY(mw_team_devices(&devices, &count, "spins"));
    TRY(mw_new(1, sizeof *s, &s));
    TRY(spins_describe(s, model, options));
    TRY(make_parts(s, devices, count));
    TRY(each_part(s, start_part, NULL));
    TRY(mw_spins_exchange(s));
    *spins = s;
    s = NULL;
out:
    mw_spins_free(s);
    return rc;
}

void mw_spins_free(struct mw_spins *s)
{
    if (!s)
        return;
    mw_team_free(s->team);
    /* Transfers of the last round may still use the channels' blocks. */
    for (size_t i = 0; s->exchange && i < s->count; i++)
        (void)mw_device_finish(s->parts[i].device);
    for (size_t i = 0; s->parts && i < s->count; i++)
        mw_spin_device_clear(&s->parts[i]);
    mw_exchange_free(s->exchange);
    mw_owner_drop(&s->owner);
    mw_model_free(s->model);
    free(s);
}

int mw_spins_check(const struct mw_spins *s)
{
    if (s->failed)
        return mw_fail(MW_EDEVICE, "an earlier call failed on a device of these spins: create new ones");
    return 0;
}

/* ---- running ---- */

static int spins_advance(void *spins, uint64_t steps)
{
    struct mw_spins *s = spins;
    TRY_RETURN(mw_spins_check(s));
    TRY_RETURN(each_part(s, mw_spins_advance_part, &steps));
    s->step += steps;
    return 0;
}

static int spins_sync(void *spins) { return mw_spins_sync(spins); }

int mw_spins_advance(struct mw_spins *s, uint64_t steps)
{
    return mw_progress_steps(s, steps, spins_advance, spins_sync);
}

int mw_spins_sync(struct mw_spins *s)
{
    for (size_t i = 0; i < s->count; i++)
        TRY_RETURN(mw_device_finish(s->parts[i].device));
    return 0;
}

uint64_t mw_spins_step(const struct mw_spins *s) { return s->step; }

void mw_spins_set_step(struct mw_spins *s, uint64_t step) { s->step = step; }

/* Computes the sums of a part: those of its systems, or one entry if the parts share a system. */
static int measure_part(void *part, void *sums)
{
    struct mw_spin_device *p = part;
    const struct mw_spins *s = p->whole;
    return mw_spin_device_sums(p,
                               (struct mw_spin_sums *)sums + (s->borders ? (size_t)(p - s->parts) : p->first_system));
}

/* Computes measures from integer sums of spins and of pairs. All devices sum at once. */
static int measure_form(struct mw_spins *s, struct mw_spin_measures *measures)
{
    const double cells = (double)s->lattice.cells;
    struct mw_spin_sums *all = NULL;
    int rc;
    TRY(mw_new(s->borders ? s->count : s->systems, sizeof *all, &all));
    TRY(s->team ? mw_team_run(s->team, measure_part, all) : measure_part(&s->parts[0], all));
    for (size_t i = 1; s->borders && i < s->count; i++)
        all[0] = (struct mw_spin_sums){ all[0].spins + all[i].spins, all[0].pairs + all[i].pairs };
    for (size_t i = 0; i < s->systems; i++) {
        measures[i].energy = s->kind->energy(params_of(s, i), &all[i]) / cells;
        measures[i].magnetisation = (double)all[i].spins / cells;
    }
out:
    free(all);
    return rc;
}

int mw_spins_measure(struct mw_spins *s, struct mw_spin_measures *measures)
{
    TRY_RETURN(mw_spins_check(s));
    if (s->variant->form == &mw_spin_of_model)
        TRY_RETURN(mw_spin_model_measure(s, measures));
    else
        TRY_RETURN(measure_form(s, measures));
    for (size_t i = 0; i < s->systems; i++)
        if (!isfinite(measures[i].energy))
            return mw_fail(MW_EDATA, "the energy of model %s is not finite", s->model->info.name);
    return 0;
}

/* ---- queries ---- */

const char *mw_spins_variant(const struct mw_spins *s) { return s->variant->variant.name; }

size_t mw_spins_parts(const struct mw_spins *s, size_t max, struct mw_spin_part *parts)
{
    for (size_t i = 0; i < s->count && i < max; i++)
        parts[i] = (struct mw_spin_part){ .device = s->parts[i].device,
                                          .share = (double)s->parts[i].share.slabs / (double)slab_count(s) };
    return s->count;
}
/* SPDX-License-Identifier: MIT */
