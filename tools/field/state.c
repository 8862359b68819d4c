/* Fields: observations, measurements and pictures of a state. */
#include <math.h>
#include <stdio.h>

#include "tools/field/field.h"

/* ---- the state ---- */

static int not_finite(const struct run *r, uint64_t step, size_t at)
{
    const struct field_run *own = r->own;
    const size_t fields = own->info->field_count;
    bool of_start;
    const size_t first = field_first_rate(r, &of_start);
    char which[40] = "";
    at = first != SIZE_MAX ? first : at;
    const char *field = own->info->fields[at / own->cells % fields].name;
    if (own->systems > 1)
        snprintf(which, sizeof(which), " of system %zu", at / own->cells / fields);
    if (of_start)
        return mw_fail(MW_EDATA,
                       "model %s: the start of field %s%s is not finite, first at %s: check it for a division by 0, a "
                       "root of a negative number or an overflow",
                       own->info->name, field, which, cell_text(r, at % own->cells).text);
    if (first != SIZE_MAX)
        return mw_fail(MW_EDATA,
                       "model %s: the rate of field %s%s is not finite at the start, first at %s: check the "
                       "model for a division by 0 or a root of a negative number; no time step avoids it",
                       own->info->name, field, which, cell_text(r, at % own->cells).text);
    return mw_fail(MW_EDATA,
                   "model %s is no longer finite at step %llu (it was at step %llu), field %s%s first at %s: "
                   "choose a time step below --dt %g%s",
                   own->info->name, (unsigned long long)step, (unsigned long long)r->observe.state_step, field, which,
                   cell_text(r, at % own->cells).text, own->options.dt,
                   own->info->has_noise || own->systems > 1 ? "" : ", or --integrator bs3, which chooses its steps");
}

int field_read(struct run *r, uint64_t step)
{
    const struct field_run *own = r->own;
    struct mw_array *state = &r->observe.state;
    size_t bad;
    TRY_RETURN(state->data ? mw_field_get_into(own->field, state) : mw_field_get(own->field, state));
    bad = mw_values_not_finite(state->data, own->options.fp64, state->count);
    if (bad < state->count)
        return not_finite(r, step, bad);
    return 0;
}

int field_measure(struct run *r)
{
    struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    TRY_RETURN(mw_field_statistics(own->field, own->statistics));
    for (size_t i = 0; i < own->systems; i++) {
        const size_t at = i * own->cells * own->info->field_count * mw_type_bytes(r->observe.state.type);
        own->domain_size[i] =
            mw_values_domain_size((char *)r->observe.state.data + at, o->fp64, o->dims, o->length, o->boundary);
        own->energy[i] = NAN;
    }
    if (own->info->has_energy)
        TRY_RETURN(mw_field_energy(own->field, own->energy));
    return 0;
}

int field_store(struct run *r)
{
    struct field_run *own = r->own;
    double error;
    if (!own->info->has_energy)
        return 0;
    TRY_RETURN(mw_grow(own->energies.count, sizeof(*own->energies.item), &own->energies.item));
    own->energies.item[own->energies.count++] = field_mean(own, field_all(own), field_quantity_energy(own), &error);
    return 0;
}

static void print_systems(const struct field_run *own, uint64_t step)
{
    double error;
    for (size_t i = 0; i < own->info->field_count; i++) {
        const double mean = field_mean(own, field_all(own), QUANTITIES * i, &error);
        print_note("step %llu: %s mean %.9g +- %.3g over %zu systems", (unsigned long long)step,
                   own->info->fields[i].name, mean, error, own->systems);
    }
}

void field_print(const struct run *r, uint64_t step)
{
    const struct field_run *own = r->own;
    if (own->systems > 1)
        return print_systems(own, step);
    for (size_t i = 0; i < own->info->field_count; i++)
        print_note("step %llu: %s between %.6g and %.6g, mean %.9g", (unsigned long long)step,
                   own->info->fields[i].name, own->statistics[i].least, own->statistics[i].most,
                   own->statistics[i].mean);
}

/* ---- series ---- */

/* Adds the means of a group, with errors if it has several systems. */
static void add_means(const struct field_run *own, size_t i, struct series_row *row)
{
    const struct field_group group = field_group(own, i);
    const struct short_text name = field_group_name(own, i);
    const char *space = name.text[0] ? " " : "";
    double error;
    for (size_t q = 0; q < field_quantities(own); q++) {
        const struct short_text quantity = field_quantity_name(own, q);
        series_row_add(row, field_mean(own, group, q, &error), "%.30s%s%.30s", quantity.text, space, name.text);
        if (group.count > 1)
            series_row_add(row, error, "%.24s_error%s%.30s", quantity.text, space, name.text);
    }
}

/* With several systems, the means come first. */
void field_row(const struct run *r, uint64_t step, struct series_row *row)
{
    const struct field_run *own = r->own;
    for (size_t i = 0; i < field_groups(own); i++)
        add_means(own, i, row);
    for (size_t i = 0; i < own->systems && own->systems > 1; i++)
        for (size_t q = 0; q < field_quantities(own); q++)
            series_row_add(row, field_quantity(own, q, i), "%s_%zu", field_quantity_name(own, q).text, i);
}

/* ---- components ---- */

void field_label(const struct run *r, struct mw_label_options *label)
{
    label->type = r->model.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    label->join = ((const struct field_run *)r->own)->set->join == JOIN_SIGN ? MW_JOIN_THRESHOLD : MW_JOIN_TOLERANCE;
}

struct short_text field_joined(const struct run *r)
{
    const struct field_run *own = r->own;
    struct short_text t;
    snprintf(t.text, sizeof(t.text), "by the %s of %.20s", join_names[own->set->join], own->info->fields[0].name);
    return t;
}

/* A field on several devices is copied to the first one by way of the host. */
int field_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells)
{
    const size_t bytes = r->model.cells * (r->model.fp64 ? sizeof(double) : sizeof(float));
    *cells = mw_field_buffer(((struct field_run *)r->own)->field);
    if (*cells)
        return 0;
    if (!*room)
        TRY_RETURN(mw_buffer_new(r->step.device, bytes, room));
    TRY_RETURN(write_look(r, step));
    TRY_RETURN(mw_buffer_write(*room, 0, bytes, r->observe.state.data, NULL));
    *cells = *room;
    return 0;
}
/* SPDX-License-Identifier: MIT */
