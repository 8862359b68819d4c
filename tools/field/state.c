/* Fields: what is looked at, measured and drawn of a state. */
#include <math.h>
#include <stdio.h>

#include "tools/field/field.h"

/* ---- the state ---- */

static int not_finite(const struct run *r, uint64_t step, size_t at)
{
    const struct field_run *own = r->own;
    const char *field = own->info->fields[at / r->cells].name;

    return mw_fail(MW_EDATA, "model %s is no longer finite at step %llu (it was at step %llu), field %s first at %s: "
                   "choose a time step below --dt %g", own->info->name, (unsigned long long)step,
                   (unsigned long long)r->state_step, field, cell_text(r, at % r->cells).text, own->options.dt);
}

int field_look(struct run *r, uint64_t step)
{
    const struct field_run *own = r->own;
    size_t bad;
    int rc;

    TRY(r->state.data ? mw_field_get_into(own->field, &r->state) : mw_field_get(own->field, &r->state));
    bad = mw_values_not_finite(r->state.data, own->options.fp64, r->state.count);
    if (bad < r->state.count)
        rc = not_finite(r, step, bad);
out:
    return rc;
}

int field_measure(struct run *r)
{
    struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    bool periodic[MW_DIMS_MAX];
    int rc;

    TRY(mw_field_statistics(own->field, own->statistics));
    for (unsigned d = 0; d < o->dims; d++)
        periodic[d] = o->boundary[d] == MW_BOUNDARY_PERIODIC;
    own->domain_size = mw_values_domain_size(r->state.data, o->fp64, o->dims, o->length, periodic);
    own->energy = NAN;
    if (own->info->has_energy)
        TRY(mw_field_energy(own->field, &own->energy));
out:
    return rc;
}

int field_keep(struct run *r)
{
    struct field_run *own = r->own;

    if (!own->info->has_energy)
        return 0;
    if (own->energies.count == own->energies.capacity) {
        const size_t capacity = own->energies.capacity ? 2 * own->energies.capacity : 64;
        double *item = realloc(own->energies.item, capacity * sizeof(*item));
        if (!item)
            return mw_fail(MW_ENOMEM, "not enough memory for the energies of %zu states", capacity);
        own->energies.item = item;
        own->energies.capacity = capacity;
    }
    own->energies.item[own->energies.count++] = own->energy;
    return 0;
}

void field_say(const struct run *r, uint64_t step)
{
    const struct field_run *own = r->own;

    for (size_t i = 0; i < own->info->field_count; i++)
        say_note("step %llu: %s between %.6g and %.6g, mean %.9g", (unsigned long long)step, own->info->fields[i].name,
                 own->statistics[i].least, own->statistics[i].most, own->statistics[i].mean);
}

/* ---- series ---- */

void field_row(const struct run *r, uint64_t step, struct series_row *row)
{
    const struct field_run *own = r->own;

    (void)step;
    for (size_t i = 0; i < own->info->field_count; i++) {
        const struct mw_statistics *s = &own->statistics[i];
        const char *name = own->info->fields[i].name;
        series_row_add(row, s->mean, "%s_mean", name);
        series_row_add(row, s->variance, "%s_variance", name);
        series_row_add(row, s->least, "%s_least", name);
        series_row_add(row, s->most, "%s_most", name);
    }
    if (own->info->has_energy)
        series_row_add(row, own->energy, "energy");
    series_row_add(row, own->domain_size, "domain_size");
}

/* ---- pictures ---- */

/* A diverging map shows the sign only if its middle is zero. */
int field_picture(struct run *r, struct mw_array *plane, struct mw_array *strip, double *lo, double *hi)
{
    const struct mw_statistics *s = &((const struct field_run *)r->own)->statistics[0];

    if (!strcmp(r->colours, "coolwarm") && s->least < 0 && s->most > 0) {
        *hi = fmax(-s->least, s->most);
        *lo = -*hi;
    }
    return run_plane(r, plane, strip);
}

/* ---- components ---- */

void field_label(const struct run *r, struct mw_label_options *label)
{
    label->type = r->fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    label->join = ((const struct field_run *)r->own)->set->join == JOIN_SIGN ? MW_JOIN_THRESHOLD : MW_JOIN_TOLERANCE;
}

struct short_text field_joined(const struct run *r)
{
    const struct field_run *own = r->own;
    struct short_text t;

    snprintf(t.text, sizeof(t.text), "by the %s of %.20s", join_names[own->set->join], own->info->fields[0].name);
    return t;
}

/* A field on several devices comes to the first of them by way of the host. */
int field_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells)
{
    const size_t bytes = r->cells * (r->fp64 ? sizeof(double) : sizeof(float));
    int rc = 0;

    *cells = mw_field_buffer(((struct field_run *)r->own)->field);
    if (*cells)
        return 0;
    if (!*room)
        TRY(mw_buffer_new(r->device, bytes, room));
    TRY(write_look(r, step));
    TRY(mw_buffer_write(*room, 0, bytes, r->state.data, NULL));
    *cells = *room;
out:
    return rc;
}
