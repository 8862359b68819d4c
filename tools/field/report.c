/* Fields: what is said of a run, its plan and its state. */
#include <math.h>
#include <stdio.h>

#include "tools/field/field.h"
#include "tools/field/model.h"

void field_report_setup(const struct run *r, struct node *to)
{
    static const char *const words[] = { "", "-order Laplacian", " Laplacian" };
    const struct mw_field_options *o = &((const struct field_run *)r->own)->options;
    const bool usual = o->laplacian == MW_LAPLACIAN_SECOND;

    put_size(r, to, o->fp64 ? "cells, double precision" : "cells, single precision");
    put_text(to, "precision", o->fp64 ? "double" : "single");
    put_text(to, "integrator", integrator_names[o->integrator]);
    say_row(put_boundaries(r, to), "boundary", "%s%s%s%s", boundary_text(r).text, usual ? "" : ", ",
            usual ? "" : laplacian_names[o->laplacian], words[o->laplacian]);
    put_text(to, "laplacian", laplacian_names[o->laplacian]);
}

const char *field_method(const struct run *r)
{
    return integrator_names[((const struct field_run *)r->own)->options.integrator];
}

const char *field_work(const struct run *r)
{
    (void)r;
    return "cell-steps";
}

/* Of a field on several devices the share of each. */
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
        say_row(part, i ? "" : "shares", "%.1f %%  %s  %s, %s a step, %s (%s)", 100 * parts[i].share, device->id,
                device->name, parts[i].step_seconds > 0 ? seconds_text(parts[i].step_seconds).text : "-", shape,
                parts[i].how);
        put_seconds(part, "step_seconds", parts[i].step_seconds);
        put_text(part, "shape", shape);
        put_text(part, "chosen", parts[i].how);
    }
}

/* Of a field that its device has no memory for. */
static void put_windows(const struct mw_field *field, struct node *to)
{
    unsigned steps;
    const size_t windows = mw_field_windows(field, &steps);

    if (windows < 2)
        return;
    say_row(put_count(to, "windows", windows), "streams", "in %zu windows, %u step%s a visit", windows, steps,
            steps > 1 ? "s" : "");
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
    say_row(put_text(to, "shape", text), "shape", "%s (%s)", text, how);
    put_text(to, "chosen", how);
    put_shares(own->field, to);
    put_windows(own->field, to);
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
        say_row(put_real(means, name, s->mean), name, "mean %-*.9g  deviation %-11.6g  from %.6g to %.6g", (int)widest,
                s->mean, sqrt(s->variance), s->least, s->most);
        put_real(variances, name, s->variance);
    }
}

/* A number, or with several states observed a list; none for a model without energy. */
static void put_energy(const struct field_run *own, struct node *to)
{
    struct node *energy = own->energies.count ? put_list(to, "energy") : put_real(to, "energy", own->energy);

    for (size_t i = 0; i < own->energies.count; i++)
        put_real(energy, NULL, own->energies.item[i]);
    if (own->info->has_energy)
        say_row(energy, "energy", "%.9g", own->energy);
}

void field_report_state(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    struct node *domains;

    put_statistics(own, to);
    put_energy(own, to);
    domains = put_real(to, "domain_size", own->domain_size);
    if (isfinite(own->domain_size))
        say_row(domains, "domains", "%.4g cells across, of one sign of %s", own->domain_size,
                own->info->fields[0].name);
}
