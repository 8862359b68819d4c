/* Fields: the initial state: noise, constants, a file, a checkpoint. */
#include <math.h>

#include "tools/field/field.h"

/* ---- --input ---- */

static int read_state(struct run *r)
{
    struct field_run *own = r->own;
    const char *path = r->set->input;
    const struct mw_array *a = &own->input;
    const size_t fields = own->info->field_count;
    bool fp64;
    TRY_RETURN(mw_array_load(path, &own->input));
    fp64 = a->type == MW_TYPE_F64;
    if (!fp64 && a->type != MW_TYPE_F32)
        return mw_fail(MW_EDATA, "%s has type %s: a state must be float32 or float64", path, mw_type_name(a->type));
    /* The file has all systems, or one for all of them to start with. */
    const bool all = own->systems > 1 && a->dims > 1 && a->length[a->dims - 1] == own->systems;
    const unsigned of_one = a->dims - all, dims = of_one - (fields > 1 && of_one);
    if (!dims || (fields > 1 && a->length[dims] != fields))
        return mw_fail(MW_EDATA, "%s is not a state of model %s, which has %s", path, own->info->name,
                       COUNTED(fields, "field"));
    if (option_is_given(r->command, "precision") && fp64 != (r->set->mesh.precision == PRECISION_DOUBLE))
        return mw_fail(MW_EINVAL, "%s has type %s, which contradicts --precision: leave it out", path,
                       mw_type_name(a->type));
    TRY_RETURN(input_lengths(r, dims, a->length));
    r->set->mesh.precision = fp64 ? PRECISION_DOUBLE : PRECISION_SINGLE;
    return 0;
}

/* A picture sets the first field; the model initialises the others. */
static int read_picture(struct run *r)
{
    struct field_run *own = r->own;
    const bool fp64 = r->set->mesh.precision == PRECISION_DOUBLE;
    struct mw_array values = { 0 };
    int rc;
    TRY(field_read_picture(r->set->input, own->set->input_range, &values));
    TRY(input_lengths(r, 2, values.length));
    TRY(mw_array_new(fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 2, values.length, &own->input));
    for (size_t i = 0; i < own->input.count; i++) {
        const double value = ((const double *)values.data)[i];
        if (fp64)
            ((double *)own->input.data)[i] = value;
        else
            ((float *)own->input.data)[i] = (float)value;
    }
out:
    mw_array_free(&values);
    return rc;
}

int field_read_input(struct run *r)
{
    const bool picture = r->set->input && field_is_picture(r->set->input);
    if (option_is_given(r->command, "input-range") && r->set->input && !picture)
        return mw_fail(MW_EINVAL, "--input-range requires a picture as --input");
    if (r->set->start == START_UP || r->set->start == START_DOWN)
        return mw_fail(MW_EINVAL, "--start: fields start from noise or constant, spins from noise, up or down");
    TRY_RETURN(input_check(r));
    if (r->set->input)
        TRY_RETURN(picture ? read_picture(r) : read_state(r));
    return 0;
}

/* Counts values of the input that are not finite. */
int field_check_input(const struct run *r)
{
    const struct field_run *own = r->own;
    const size_t bad = mw_values_not_finite(own->input.data, own->options.fp64, own->input.count);
    if (bad < own->input.count)
        return mw_fail(MW_EDATA, "%s has values that are not finite, the first at %s: a state must be finite",
                       r->set->input, cell_text(r, bad % own->cells).text);
    return 0;
}

/* Sets all fields, or the first from a picture; the input has all systems, or one state for every system. */
static void fill_input(const struct run *r, struct mw_array *state)
{
    const struct field_run *own = r->own;
    const size_t bytes = own->input.count * mw_type_bytes(own->input.type);
    const size_t all = state->count * mw_type_bytes(state->type), each = all / own->systems;
    for (size_t at = 0; at<all; at += bytes> each ? bytes : each)
        memcpy((char *)state->data + at, own->input.data, bytes);
}

int field_init(struct run *r)
{
    const struct field_run *own = r->own;
    struct mw_array state = { 0 };
    int rc;
    if (own->input.data) {
        TRY(mw_field_get(own->field, &state));
        fill_input(r, &state);
        TRY(mw_field_set(own->field, &state));
    }
    TRY(field_set_sources(own, true));
    TRY(mw_field_sync(own->field));
    TRY(field_note_start(r));
out:
    mw_array_free(&state);
    return rc;
}

int field_load(struct run *r, const struct mw_checkpoint *checkpoint)
{
    struct field_run *own = r->own;
    const struct mw_field_options *o = &own->options;
    const size_t fields = own->info->field_count;
    size_t length[MW_DIMS_MAX + 2] = { 0 };
    struct mw_array state = { 0 };
    unsigned dims = o->dims;
    int rc;
    memcpy(length, o->length, sizeof(o->length));
    if (fields > 1)
        length[dims++] = fields;
    if (own->systems > 1)
        length[dims++] = own->systems;
    TRY(mw_array_new(o->fp64 ? MW_TYPE_F64 : MW_TYPE_F32, dims, length, &state));
    TRY(mw_checkpoint_get(checkpoint, RUN_STATE, state.data, state.count * mw_type_bytes(state.type)));
    TRY(mw_field_set(own->field, &state));
    TRY(field_load_maps(own, checkpoint));
    r->observe.state_step = mw_checkpoint_step(checkpoint);
    mw_field_set_step(own->field, r->observe.state_step);
    TRY(field_load_pace(r, checkpoint));
    TRY(mw_field_sync(own->field));
    TRY(field_note_start(r));
out:
    mw_array_free(&state);
    return rc;
}

int field_save(struct run *r, struct mw_checkpoint_writer *writer)
{
    TRY_RETURN(field_save_maps(r, writer));
    return field_save_pace(r, writer);
}
/* SPDX-License-Identifier: MIT */
