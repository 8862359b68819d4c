/* Spins: the initial state, and measurements, labels and pictures of a state. */
#include <math.h>

#include "tools/run/pictures/picture.h"
#include "tools/spin/spin.h"

/* ---- initial state ---- */

size_t spin_cell_bytes(const struct run *r)
{
    const enum mw_spin_values values = ((const struct spin_run *)r->own)->info->spin.values;
    const size_t real = r->model.fp64 ? sizeof(double) : sizeof(float);
    return values == MW_SPIN_VALUES_ANGLE ? real : values == MW_SPIN_VALUES_VECTOR ? 3 * real : 1;
}

bool spin_has_domains(const struct run *r)
{
    return spin_cell_bytes(r) == 1 && ((const struct spin_run *)r->own)->options.lattice == MW_LATTICE_HYPERCUBIC;
}

static enum mw_type state_type(const struct run *r)
{
    return spin_cell_bytes(r) == 1 ? MW_TYPE_I8 : r->model.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
}

int spin_read_input(struct run *r)
{
    struct mw_array *a = &((struct spin_run *)r->own)->input;
    const bool vectors = r->model.name_count > 1;
    if (!r->set->input)
        return 0;
    TRY_RETURN(mw_array_load(r->set->input, a));
    if (a->type != state_type(r) || a->dims <= vectors || a->count == 0 ||
        (vectors && a->length[a->dims - 1] != r->model.name_count))
        return mw_fail(MW_EDATA, "%s holds %zu elements of %s in %u dimensions: spins of model %s are %s%s",
                       r->set->input, a->count, mw_type_name(a->type), a->dims, r->model.name,
                       mw_type_name(state_type(r)),
                       vectors ? ", with three components along the slowest dimension" : "");
    return input_lengths(r, a->dims - vectors, a->length);
}

int spin_init(struct run *r)
{
    const struct spin_run *own = r->own;
    if (own->input.data) {
        const int rc = mw_spins_set(own->spins, &own->input);
        if (rc == MW_EINVAL)
            return mw_fail_in(MW_EDATA, "%s", r->set->input);
        TRY_RETURN(rc);
    }
    return mw_spins_sync(own->spins);
}

int spin_load(struct run *r, const struct mw_checkpoint *checkpoint)
{
    const struct spin_run *own = r->own;
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_spins_get(own->spins, &state));
    TRY(mw_checkpoint_get(checkpoint, RUN_STATE, state.data, r->model.state_bytes));
    TRY(mw_spins_set(own->spins, &state));
    r->observe.state_step = mw_checkpoint_step(checkpoint);
    mw_spins_set_step(own->spins, r->observe.state_step);
    TRY(mw_spins_sync(own->spins));
out:
    mw_array_free(&state);
    return rc;
}

/* ---- the state ---- */

/* Functions of a model may give an invalid spin or energy: adds the step to the message. */
static int at_step(uint64_t step, int rc)
{
    char where[40];
    if (rc != MW_EDATA)
        return rc;
    snprintf(where, sizeof(where), "step %llu", (unsigned long long)step);
    return mw_fail_in(rc, "%s", where);
}

int spin_read(struct run *r, uint64_t step)
{
    const struct spin_run *own = r->own;
    return at_step(step, r->observe.state.data ? mw_spins_get_into(own->spins, &r->observe.state)
                                               : mw_spins_get(own->spins, &r->observe.state));
}

static int measure_at(struct spin_run *own, uint64_t step)
{
    if (own->known && own->measured == step)
        return 0;
    TRY_RETURN(at_step(step, mw_spins_measure(own->spins, &own->measures)));
    own->measured = step;
    own->known = true;
    return 0;
}

int spin_measure(struct run *r)
{
    struct spin_run *own = r->own;
    TRY_RETURN(measure_at(own, r->observe.state_step));
    own->domain_size = NAN;
    if (spin_has_domains(r))
        TRY_RETURN(mw_spins_domain_size(own->spins, &own->domain_size));
    return 0;
}

int spin_observe(struct run *r, uint64_t step)
{
    struct spin_run *own = r->own;
    struct spin_samples *s = &own->samples;
    TRY_RETURN(measure_at(own, step));
    if (step <= r->set->steps / 4)
        return 0;
    for (size_t i = 0; i < SPIN_SERIES; i++)
        TRY_RETURN(mw_grow(s->count, sizeof(*s->item[i]), &s->item[i]));
    s->item[SPIN_ENERGY][s->count] = own->measures.energy;
    s->item[SPIN_MAGNETISATION][s->count++] = own->measures.magnetisation;
    if (step <= r->set->steps / 2)
        s->early = s->count;
    else if (own->set->correlation)
        TRY_RETURN(correlation_observe(own));
    return 0;
}

void spin_print(const struct run *r, uint64_t step)
{
    const struct spin_run *own = r->own;
    print_note("step %llu: energy %.9g, magnetisation %.9g per spin", (unsigned long long)step, own->measures.energy,
               own->measures.magnetisation);
}

/* ---- series and pictures ---- */

void spin_row(const struct run *r, uint64_t step, struct series_row *row)
{
    const struct spin_run *own = r->own;
    series_row_add(row, own->measures.energy, "energy");
    series_row_add(row, own->measures.magnetisation, "magnetisation");
    if (spin_has_domains(r))
        series_row_add(row, own->domain_size, "domain_size");
}

int spin_show(struct run *r, const char *what, struct shown *shown)
{
    const struct spin_run *own = r->own;
    const struct mw_model_spin *spin = &own->info->spin;
    bool periodic = true;
    size_t i = 0;
    while (what && i < r->model.name_count && strcmp(r->model.names[i], what) != 0)
        i++;
    if (i == r->model.name_count)
        return mw_fail(MW_EINVAL, "--show %s: model %s has %s%s%s%s%s", what, r->model.name, r->model.names[0],
                       i > 1 ? ", " : "", i > 1 ? r->model.names[1] : "", i > 2 ? " and " : "",
                       i > 2 ? r->model.names[2] : "");
    if (own->options.lattice != MW_LATTICE_HYPERCUBIC && own->options.dims == 3 &&
        (r->observe.picture.at[0] != SIZE_MAX || r->observe.picture.at[1] != SIZE_MAX))
        return mw_fail(MW_EINVAL, "--slice of a lattice in space takes a layer of z, as in z=5");
    if (!shown)
        return 0;
    *shown = (struct shown){ .name = r->model.names[i], .systems = 1, .values = r->observe.state };
    shown->values.dims = own->options.dims;
    shown->values.count = r->model.cells;
    shown->values.data = (char *)r->observe.state.data + i * r->model.cells * mw_type_bytes(r->observe.state.type);
    shown->is_discrete = spin->values != MW_SPIN_VALUES_VECTOR;
    shown->colours = spin->values == MW_SPIN_VALUES_LABELS                                          ? "kinds"
                     : spin->values == MW_SPIN_VALUES_ANGLE || spin->values == MW_SPIN_VALUES_CLOCK ? "hue"
                     : spin->values == MW_SPIN_VALUES_WHOLE                                         ? "viridis"
                                                                                                    : "coolwarm";
    shown->lo = spin->values == MW_SPIN_VALUES_SIGNS || spin->values == MW_SPIN_VALUES_VECTOR ? -1 : 0;
    shown->hi = spin->values == MW_SPIN_VALUES_WHOLE || spin->values == MW_SPIN_VALUES_LABELS ? 0 : 1;
    if (spin->values == MW_SPIN_VALUES_LABELS) { /* the first label has the first of ten colours */
        const double labels = mw_model_number_of(own->info, &spin->most, own->params);
        shown->kinds = (size_t)labels;
        shown->lo = -0.5;
        shown->hi = fmax(9.5, labels - 0.5);
        if (labels > 10)
            shown->colours = "viridis";
    }
    if (spin->values == MW_SPIN_VALUES_CLOCK) /* a full turn: both ends are equal */
        shown->hi = mw_model_number_of(own->info, &spin->most, own->params);
    for (unsigned d = 0; d < own->options.dims; d++)
        periodic = periodic && own->options.boundary[d] == MW_BOUNDARY_PERIODIC;
    if (periodic && own->options.lattice != MW_LATTICE_HYPERCUBIC)
        shown->lattice = mw_lattice_kinds(own->options.lattice);
    return 0;
}

/* ---- components ---- */

void spin_label_options(const struct mw_model_info *model, enum mw_lattice_kind lattice, struct mw_label_options *label)
{
    label->type = MW_TYPE_I8;
    label->join = model->spin.values == MW_SPIN_VALUES_SIGNS ? MW_JOIN_THRESHOLD : MW_JOIN_EQUAL;
    label->lattice = lattice;
}

void spin_label(const struct run *r, struct mw_label_options *label)
{
    const struct spin_run *own = r->own;
    spin_label_options(own->info, own->options.lattice, label);
}

struct short_text spin_joined(const struct run *r) { return (struct short_text){ "of equal spins" }; }

int spin_cells(struct run *r, uint64_t step, struct mw_buffer **room, struct mw_buffer **cells)
{
    if (!*room)
        TRY_RETURN(mw_buffer_new(r->step.device, r->model.cells, room));
    TRY_RETURN(mw_spins_cells(((struct spin_run *)r->own)->spins, *room));
    *cells = *room;
    return 0;
}
/* SPDX-License-Identifier: MIT */
