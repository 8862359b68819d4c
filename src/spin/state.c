/* Copies of the state of spins to and from the host. */
#include <math.h>

#include "model/model.h"
#include "spin/spin_internal.h"

/* Fills the lengths of a state.  Several systems add a dimension, and so do the components of vectors. */
static unsigned lengths_of(const struct mw_spins *s, size_t *length)
{
    unsigned dims = s->options.dims;
    memcpy(length, s->options.length, sizeof s->options.length);
    if (s->systems > 1)
        length[dims++] = s->systems;
    if (s->components > 1)
        length[dims++] = s->components;
    return dims;
}

static int check_state(const struct mw_spins *s, const struct mw_array *state)
{
    size_t length[MW_DIMS_MAX];
    const unsigned dims = lengths_of(s, length);
    if (state->type != s->type)
        return mw_fail(MW_EINVAL, "the state has type %s; spins of model %s need %s", mw_type_name(state->type),
                       s->model->info.name, mw_type_name(s->type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(
            MW_EINVAL,
            "the state has other lengths than the spins (%zu systems of %lld cells): use those of mw_spins_get",
            s->systems, (long long)s->lattice.cells);
    return 0;
}

static size_t cells_of(const struct mw_spins *s) { return (size_t)s->lattice.cells * s->systems; }

/* ---- validity of a state ---- */

static double element(const struct mw_spins *s, const struct mw_array *state, size_t i)
{
    return s->type == MW_TYPE_I8    ? ((const signed char *)state->data)[i]
           : s->type == MW_TYPE_F64 ? ((const double *)state->data)[i]
                                    : ((const float *)state->data)[i];
}

/* Returns whether a cell holds a valid spin. */
static bool is_spin(const struct mw_spins *s, const struct mw_array *state, size_t cell)
{
    const double value = element(s, state, cell);
    double square = 0;
    switch (s->model->info.spin.values) {
    case MW_SPIN_VALUES_SIGNS: return value == 1 || value == -1;
    case MW_SPIN_VALUES_ANGLE: return value >= 0 && value < 1;
    case MW_SPIN_VALUES_VECTOR:
        for (unsigned c = 0; c < s->components; c++) {
            const double part = element(s, state, c * cells_of(s) + cell);
            square += part * part;
        }
        return fabs(square - 1) < 1e-3;
    default: return value >= s->least && value < s->least + s->values;
    }
}

static int refuse_cell(const struct mw_spins *s, const struct mw_array *state, size_t cell, int status)
{
    const double value = element(s, state, cell);
    const enum mw_spin_values values = s->model->info.spin.values;
    if (values == MW_SPIN_VALUES_WHOLE || values == MW_SPIN_VALUES_LABELS || values == MW_SPIN_VALUES_CLOCK)
        return mw_fail(status, "the state has value %g at cell %zu; spins of model %s must be %d to %d", value, cell,
                       s->model->info.name, s->least, s->least + s->values - 1);
    return mw_fail(status, "the state has value %g at cell %zu; spins must be %s", value, cell,
                   values == MW_SPIN_VALUES_SIGNS   ? "-1 or 1"
                   : values == MW_SPIN_VALUES_ANGLE ? "angles in turns, from 0 to below 1"
                                                    : "vectors of length 1");
}

static int check_cells(const struct mw_spins *s, const struct mw_array *state, int status)
{
    for (size_t i = 0; i < cells_of(s); i++)
        if (!is_spin(s, state, i))
            return refuse_cell(s, state, i, status);
    return 0;
}

/* ---- component planes of the state, cells of the parts ---- */

static void copy_components(const struct mw_spins *s, char *cells, char *planes, bool to_planes)
{
    const size_t n = cells_of(s), bytes = mw_type_bytes(s->type);
    for (unsigned c = 0; c < s->components; c++)
        for (size_t i = 0; i < n; i++) {
            char *cell = cells + i * s->cell_bytes + c * bytes, *plane = planes + (c * n + i) * bytes;
            memcpy(to_planes ? plane : cell, to_planes ? cell : plane, bytes);
        }
}

/* Sets *cells to the memory for the parts' cells: the state itself, or for vectors a buffer *own that the caller
 * frees. */
static int cells_for(const struct mw_spins *s, void *state, char **own, char **cells)
{
    if (s->components > 1)
        TRY_RETURN(mw_new(cells_of(s), s->cell_bytes, own));
    *cells = *own ? *own : state;
    return 0;
}

int mw_spins_get_into(struct mw_spins *s, struct mw_array *state)
{
    char *own = NULL, *cells;
    int rc;
    TRY(mw_spins_check(s));
    TRY(check_state(s, state));
    TRY(cells_for(s, state->data, &own, &cells));
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_spin_device_read(&s->parts[i], cells));
    if (own)
        copy_components(s, own, state->data, true);
    /* The functions of a model may return any value. */
    if (s->variant->form == &mw_spin_of_model)
        TRY(check_cells(s, state, MW_EDATA));
out:
    free(own);
    return rc;
}

int mw_spins_get(struct mw_spins *s, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX];
    const unsigned dims = lengths_of(s, length);
    int rc;
    TRY(mw_array_new(s->type, dims, length, &array));
    TRY(mw_spins_get_into(s, &array));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_spins_cells(struct mw_spins *s, struct mw_buffer *cells)
{
    struct mw_spin_device *p = &s->parts[0];
    const size_t bytes = cells_of(s);
    struct mw_array state = { 0 };
    int rc;
    TRY(mw_spins_check(s));
    if (s->type != MW_TYPE_I8)
        return mw_fail(MW_EINVAL, "spins of model %s have type %s; this operation needs one byte per spin",
                       s->model->info.name, mw_type_name(s->type));
    if (mw_buffer_bytes(cells) < bytes)
        return mw_fail(MW_EINVAL, "the state has %zu cells, but the buffer has only %zu bytes", bytes,
                       mw_buffer_bytes(cells));
    if (s->count > 1) {
        TRY(mw_spins_get(s, &state));
        TRY(mw_buffer_write(cells, 0, bytes, state.data, NULL));
    } else if (p->form->unpack) {
        TRY(p->form->unpack(p, cells));
    } else {
        TRY(mw_buffer_copy(p->cells, 0, cells, 0, bytes, NULL));
    }
out:
    mw_array_free(&state);
    return rc;
}

int mw_spins_set(struct mw_spins *s, const struct mw_array *state)
{
    char *own = NULL, *cells;
    int rc;
    TRY(mw_spins_check(s));
    TRY(check_state(s, state));
    TRY(check_cells(s, state, MW_EINVAL));
    TRY(cells_for(s, state->data, &own, &cells));
    if (own)
        copy_components(s, own, state->data, false);
    s->failed = true; /* until all parts have it */
    for (size_t i = 0; i < s->count; i++)
        TRY(mw_spin_device_write(&s->parts[i], cells));
    s->failed = false;
    TRY(mw_spins_exchange(s));
out:
    free(own);
    return rc;
}
/* SPDX-License-Identifier: MIT */
