/* Fields: the report of a run, its plan and its state. */
#include <math.h>
#include <stdio.h>

#include "tools/field/field.h"
#include "tools/field/model.h"

static void put_systems(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    const unsigned long long first = own->options.seed;

    if (own->systems > 1)
        show_row(put_count(to, "systems", own->systems), "systems", "%zu, with seeds from %llu on", own->systems,
                 first);
    if (own->value_count)
        show_row(put_text(to, "over", own->info->params[own->over].name), "over", "%s of %s, %s each",
                 COUNTED(own->value_count, "value"), own->info->params[own->over].name,
                 COUNTED(field_group(own, 0).count, "system"));
}

void field_report_setup(const struct run *r, struct node *to)
{
    static const char *const words[] = { "", "-order Laplacian", " Laplacian" };
    const struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    const bool usual = o->laplacian == MW_LAPLACIAN_SECOND;
    put_size(r, to, o->fp64 ? "cells, double precision" : "cells, single precision");
    put_systems(r, to);
    put_params(to, own->info->params, own->params, own->info->param_count,
               own->value_count ? own->info->params[own->over].name : NULL);
    put_start(r, to, r->set->start == START_CONSTANT ? "constant" : "noise");
    field_put_sources(r, to);
    put_text(to, "precision", o->fp64 ? "double" : "single");
    put_text(to, "integrator", mw_integrator_name(o->integrator));
    show_row(put_boundaries(r, to), "boundary", "%s%s%s%s", boundary_text(r).text, usual ? "" : ", ",
             usual ? "" : mw_laplacian_name(o->laplacian), words[o->laplacian]);
    put_text(to, "laplacian", mw_laplacian_name(o->laplacian));
    if (own->spacing) {
        struct node *list = put_list(to, "spacing");
        for (unsigned d = 0; d < o->dims; d++)
            put_real(list, NULL, o->spacing[d]);
        show_row(list, "spacing", "%s%s%s", own->spacing, own->set->length ? ", by --length " : "",
                 own->set->length ? own->set->length : "");
    }
}

const char *field_method(const struct run *r)
{
    return mw_integrator_name(((const struct field_run *)r->own)->options.integrator);
}

const char *field_rate_unit(const struct run *r) { return "cell-steps/s"; }

/* Puts the shares of several devices. */
static void put_shares(const struct mw_field *field, struct node *to)
{
    struct mw_field_part parts[TEAM_MAX];
    const size_t count = mw_field_parts(field, TEAM_MAX, parts);
    char shape[MW_SHAPE_TEXT];
    struct node *list;
    if (count < 2)
        return;
    list = put_list(to, "devices");
    for (size_t i = 0; i < count; i++) {
        const struct mw_device_info *device = mw_device_info(parts[i].device);
        struct node *part = team_put_share(list, device, parts[i].share);
        mw_shape_format(&parts[i].shape, shape);
        show_row(part, i ? "" : "shares", "%.1f %%  %s  %s, %s per step, %s (%s)", 100 * parts[i].share, device->id,
                 device->name, parts[i].step_seconds > 0 ? seconds_text(parts[i].step_seconds).text : "-", shape,
                 parts[i].how);
        put_seconds(part, "step_seconds", parts[i].step_seconds);
        put_text(part, "shape", shape);
        put_text(part, "chosen", parts[i].how);
    }
}

/* Puts the streaming of a field larger than the device's memory. */
static void put_windows(const struct mw_field *field, struct node *to)
{
    unsigned steps;
    const size_t windows = mw_field_windows(field, &steps);
    if (windows < 2)
        return;
    show_row(put_count(to, "windows", windows), "streams", "in %s, %s a visit", COUNTED(windows, "window"),
             COUNTED(steps, "step"));
    put_count(to, "visit_steps", steps);
}

void field_report_device(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    struct mw_shape shape;
    char text[MW_SHAPE_TEXT];
    const char *how;
    mw_field_shape(own->field, &shape, &how);
    mw_shape_format(&shape, text);
    put_text(to, "variant", shape.variant);
    show_row(put_text(to, "shape", text), "shape", "%s (%s)", text, how);
    put_text(to, "chosen", how);
    put_shares(own->field, to);
    put_windows(own->field, to);
    field_put_pace(r, to);
    const double quantities = 2.0 * (double)own->info->field_count + (double)own->info->map_count;
    put_least_bytes(to, quantities * (double)r->model.cells * (double)r->step.result.done *
                            (r->model.fp64 ? sizeof(double) : sizeof(float)));
    put_operations(to, mw_field_operations(own->field) * (double)r->model.cells * (double)r->step.result.done);
}

/* ---- the state ---- */

static void put_statistics(const struct field_run *own, struct node *to)
{
    struct node *means = put_object(to, "means"), *variances = put_object(to, "variances");
    struct node *ranges = put_object(to, "ranges");
    size_t widest = 0;
    for (size_t i = 0; i < own->info->field_count; i++) {
        const size_t n = (size_t)snprintf(NULL, 0, "%.9g", own->statistics[i].mean);
        widest = n > widest ? n : widest;
    }
    for (size_t i = 0; i < own->info->field_count; i++) {
        const struct mw_statistics *s = &own->statistics[i];
        const char *name = own->info->fields[i].name;
        struct node *range = put_list(ranges, name);
        put_real(range, NULL, s->least);
        put_real(range, NULL, s->most);
        show_row(put_real(means, name, s->mean), name, "mean %-*.9g  deviation %-11.6g  from %.6g to %.6g", (int)widest,
                 s->mean, sqrt(s->variance), s->least, s->most);
        put_real(variances, name, s->variance);
    }
}

/* Puts the mean of a quantity over systems, its error, and the values of all systems. */
static void put_mean(const struct field_run *own, size_t quantity, const char *name, struct node *means,
                     struct node *errors, struct node *each)
{
    struct node *list = put_list(each, name);
    double error;
    const double mean = field_mean(own, field_all(own), quantity, &error);
    put_real(means, name, mean);
    put_real(errors, name, error);
    for (size_t i = 0; i < own->systems; i++)
        put_real(list, NULL, field_quantity(own, quantity, i));
}

static struct short_text mean_text(const struct field_run *own, struct field_group group, size_t quantity)
{
    double error;
    const double mean = field_mean(own, group, quantity, &error);
    return with_error_text(mean, error);
}

/* Puts the values of several systems. */
static void put_ensemble(const struct field_run *own, struct node *to)
{
    static const char *const titles[] = { "means", "variances" };
    struct node *each;
    for (size_t k = 0; k < MW_COUNT(titles); k++) {
        struct node *means = put_object(to, titles[k]);
        struct node *errors = put_object(to, k ? "variance_errors" : "mean_errors");
        each = put_object(to, k ? "system_variances" : "system_means");
        for (size_t i = 0; i < own->info->field_count; i++)
            put_mean(own, QUANTITIES * i + k, own->info->fields[i].name, means, errors, each);
    }
    each = put_object(to, "ranges");
    for (size_t i = 0; i < own->info->field_count; i++) {
        struct node *range = put_list(each, own->info->fields[i].name);
        double least, most;
        field_range(own, i, &least, &most);
        put_real(range, NULL, least);
        put_real(range, NULL, most);
    }
    for (size_t i = 0; i < own->info->field_count && !own->value_count; i++)
        ROW(to, own->info->fields[i].name, "mean %s, variance %s", mean_text(own, field_all(own), QUANTITIES * i).text,
            mean_text(own, field_all(own), QUANTITIES * i + QUANTITY_VARIANCE).text);
}

static void print_point(const struct field_run *own, size_t i, struct node *point)
{
    const struct field_group group = field_group(own, i);
    const size_t domains = field_quantity_domains(own);
    double error;
    for (size_t k = 0; k < own->info->field_count; k++)
        ROW(point, k ? "" : field_group_name(own, i).text, "%s: mean %s, variance %s", own->info->fields[k].name,
            mean_text(own, group, QUANTITIES * k).text, mean_text(own, group, QUANTITIES * k + QUANTITY_VARIANCE).text);
    if (own->info->has_energy)
        ROW(point, "", "energy %s", mean_text(own, group, field_quantity_energy(own)).text);
    if (isfinite(field_mean(own, group, domains, &error)))
        ROW(point, "", "domains %s cells across", mean_text(own, group, domains).text);
}

/* Puts the means per value of --over. */
static void put_point(const struct field_run *own, size_t i, struct node *points)
{
    struct node *point = put_object(points, NULL), *means, *errors;
    double error;
    put_real(point, "value", own->values[i]);
    means = put_object(point, "means");
    errors = put_object(point, "errors");
    for (size_t q = 0; q < field_quantities(own); q++) {
        const struct short_text name = field_quantity_name(own, q);
        put_real(means, name.text, field_mean(own, field_group(own, i), q, &error));
        put_real(errors, name.text, error);
    }
    print_point(own, i, point);
}

/* Puts the energy at the end and of each observed state; null for models without an energy. */
static void put_energy(const struct field_run *own, struct node *to)
{
    const struct field_group all = field_all(own);
    double error = NAN;
    const double mean = own->info->has_energy ? field_mean(own, all, field_quantity_energy(own), &error) : NAN;
    struct node *energy = put_real(to, "energy", mean);
    struct node *energies = own->energies.count ? put_list(to, "energies") : NULL;
    for (size_t i = 0; i < own->energies.count; i++)
        put_real(energies, NULL, own->energies.item[i]);
    if (own->info->has_energy && own->systems > 1 && !own->value_count)
        show_row(energy, "energy", "%s", with_error_text(mean, error).text);
    else if (own->info->has_energy && !own->value_count)
        show_row(energy, "energy", "%.9g", mean);
    if (own->systems < 2)
        return;
    put_real(to, "energy_error", error);
    struct node *each = put_list(to, "system_energies");
    for (size_t i = 0; i < own->systems; i++)
        put_real(each, NULL, own->energy[i]);
}

void field_report_state(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    struct node *domains;
    double error;
    const double size = field_mean(own, field_all(own), field_quantity_domains(own), &error);
    if (own->systems > 1)
        put_ensemble(own, to);
    else
        put_statistics(own, to);
    if (own->value_count) {
        struct node *points = put_list(to, "points");
        for (size_t i = 0; i < own->value_count; i++)
            put_point(own, i, points);
    }
    field_put_conserved(r, to);
    put_energy(own, to);
    domains = put_real(to, "domain_size", size);
    if (own->value_count)
        return;
    if (isfinite(size) && own->systems > 1)
        show_row(domains, "domains", "%s cells across, of one sign of %s", with_error_text(size, error).text,
                 own->info->fields[0].name);
    else if (isfinite(size))
        show_row(domains, "domains", "%.4g cells across, of one sign of %s", size, own->info->fields[0].name);
}
/* SPDX-License-Identifier: MIT */
