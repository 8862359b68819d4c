/* Spins: the report of a run, its plan and its state. */
#include <math.h>
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/spin/spin.h"

const char *spin_update_name(const struct mw_model_info *model, int update)
{
    return model->spin.has_rule ? "rule" : mw_spin_update_name(update);
}

const char *spin_method(const struct run *r)
{
    const struct spin_run *own = r->own;
    return spin_update_name(own->info, own->options.update);
}

void spin_report_setup(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    struct node *start;
    put_size(r, to, "spins");
    show_row(put_boundaries(r, to), "boundary", "%s", boundary_text(r).text);
    put_text(to, "update", spin_method(r));
    put_text(to, "lattice", mw_lattice_kinds(own->options.lattice)->name);
    start = put_start(r, to, mw_spin_start_name(own->options.start));
    if (own->fraction && !r->resume.from)
        show_row(put_real(to, "fraction", *own->fraction), "start", "%.9g of the spins up, at random places",
                 *own->fraction);
    else if (!r->resume.from && !r->set->input)
        show_value(start, "start");
    put_params(to, own->info->params, own->params, own->info->param_count, NULL);
    for (size_t i = 0; i < own->info->param_count; i++)
        ROW(to, i ? "" : "parameters", "%s = %s", own->info->params[i].name, real_text(own->params[i]).text);
}

const char *spin_rate_unit(const struct run *r) { return "spin-steps/s"; }

void spin_report_device(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    struct mw_spin_part parts[TEAM_MAX];
    const size_t count = mw_spins_parts(own->spins, TEAM_MAX, parts);
    struct node *list;
    show_value(put_text(to, "variant", mw_spins_variant(own->spins)), "variant");
    put_text(to, "draws", spin_draws(own));
    /* Operations per update: the sum of the neighbours, times the spin, and a comparison with a Philox word.  One-bit
     * spins need fewer. */
    if (!strcmp(spin_draws(own), "bytes"))
        put_operations(to, (2.0 * own->options.dims + 1 + PHILOX_OPERATIONS) * (double)r->model.cells *
                               (double)r->step.result.done);
    /* For each colour of a step, both colours are read and one is written. */
    if (strcmp(spin_draws(own), "model") != 0)
        put_least_bytes(to, 3.0 * (double)r->model.cells * (double)r->step.result.done / (own->bits ? 8 : 1));
    if (count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *device = mw_device_info(parts[i].device);
        show_row(team_put_share(list, device, parts[i].share), i ? "" : "shares", "%.1f %%  %s  %s",
                 100 * parts[i].share, device->id, device->name);
    }
}

struct node *spin_put_estimate(struct node *to, const char *key, struct mw_spin_estimate e)
{
    struct node *value = put_real(to, key, e.value);
    char error_key[64];
    snprintf(error_key, sizeof(error_key), "%s_error", key);
    put_real(to, error_key, e.error);
    return value;
}

/* Puts an estimate unless it is unknown. */
static void put_estimate(struct node *to, const char *key, const char *title, const char *words,
                         struct mw_spin_estimate e)
{
    struct node *value = spin_put_estimate(to, key, e);
    if (isfinite(e.value))
        show_row(value, title, "%s%s", words, with_error_text(e.value, e.error).text);
}

/* Puts estimates from fluctuations; a single state has no estimates. */
static void put_fluctuations(const struct run *r, const struct mw_spin_equilibrium *e, struct node *to)
{
    const double every = (double)r->observe.own_every;
    const struct mw_spin_estimate energy_time = { every * e->energy_time.value, every * e->energy_time.error };
    const struct mw_spin_estimate absolute_time = { every * e->absolute_time.value, every * e->absolute_time.error };
    put_estimate(to, "specific_heat", "specific heat", "", e->specific_heat);
    put_estimate(to, "susceptibility", "susceptibility", "", e->susceptibility);
    put_estimate(to, "binder", "Binder", "cumulant ", e->binder);
    put_estimate(to, "energy_time", "autocorrelation", "time of the energy ", energy_time);
    put_estimate(to, "magnetisation_time", "", "of the absolute magnetisation ", absolute_time);
}

/* Puts means over the spins; those of kinds and angles are undefined. */
static void put_means(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    const enum mw_spin_values values = own->info->spin.values;
    const bool vectors = values == MW_SPIN_VALUES_VECTOR;
    struct node *means;
    if (values != MW_SPIN_VALUES_SIGNS && values != MW_SPIN_VALUES_WHOLE && !vectors)
        return;
    means = put_object(to, "means");
    for (size_t i = 0; i < r->model.name_count; i++) {
        struct mw_statistics s = { .mean = own->measures.magnetisation };
        const size_t at = i * r->model.cells * mw_type_bytes(r->observe.state.type);
        if (vectors &&
            mw_values_statistics((const char *)r->observe.state.data + at, r->model.fp64, r->model.cells, &s) != 0)
            s.mean = NAN;
        put_real(means, own->names[i], s.mean);
    }
}

static int estimate(const struct run *r, struct mw_spin_equilibrium *e, struct spin_settling *settling)
{
    const struct spin_run *own = r->own;
    const struct spin_samples *s = &own->samples;
    const double *energy = s->item[SPIN_ENERGY], *magnetisation = s->item[SPIN_MAGNETISATION];
    struct mw_spin_measures ground;
    const bool known = spin_ground(r->step.team.device, r->step.team.count, own->model, &own->options,
                                   energy + s->early, s->count - s->early, 1, &ground);
    TRY_RETURN(mw_spin_equilibrium_estimate(energy + s->early, magnetisation + s->early, s->count - s->early, 1,
                                            (double)r->model.cells, spin_temperature(own->info, own->params), e));
    return mw_spin_equilibrium_settling(energy, magnetisation, s->count, 1, s->early,
                                        own->options.update == MW_SPIN_UPDATE_EXCHANGE, known ? &ground : NULL, e,
                                        &settling->energy, &settling->absolute);
}

/* Puts means over the second half of the run, or without measurements the final values. */
void spin_report_state(const struct run *r, struct node *to)
{
    const struct spin_run *own = r->own;
    const struct mw_spin_measures *m = &own->measures;
    const struct spin_samples *s = &own->samples;
    const size_t count = s->count - s->early;
    struct mw_spin_equilibrium e = { .size = sizeof e, .bins = 0 };
    struct spin_settling settling = { MW_INIT(settling.energy), MW_INIT(settling.absolute) };
    struct node *domains;
    const bool measured = count && estimate(r, &e, &settling) == 0;
    if (!measured) {
        e.energy = (struct mw_spin_estimate){ m->energy, NAN };
        e.magnetisation = (struct mw_spin_estimate){ m->magnetisation, NAN };
        e.absolute = (struct mw_spin_estimate){ fabs(m->magnetisation), NAN };
    }
    put_estimate(to, "energy", "energy", "", e.energy);
    put_estimate(to, "magnetisation", "magnetisation", "", e.magnetisation);
    put_estimate(to, "magnetisation_absolute", "", "absolute ", e.absolute);
    show_row(put_count(to, "samples", count), "", "per spin, means of %s of the second half", COUNTED(count, "state"));
    if (measured)
        spin_put_equilibrium(to, &settling, true);
    if (e.bins > 1)
        put_fluctuations(r, &e, to);
    put_means(r, to);
    domains = put_real(to, "domain_size", own->domain_size);
    if (isfinite(own->domain_size))
        show_row(domains, "domains", "%.4g spins across", own->domain_size);
    if (own->set->correlation)
        show_row(put_text(to, "correlation", own->set->correlation), "correlation", "%s, up to a distance of %zu",
                 file_words(own->set->correlation), own->correlation.range);
}

void spin_report_plan(const struct run *r, struct node *to)
{
    ROW(to, "measured", "%s and at the end", every_text(r->observe.own_every).text);
}
/* SPDX-License-Identifier: MIT */
