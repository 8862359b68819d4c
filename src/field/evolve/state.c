/* Reading and writing the state of a field from the host. */
#include <string.h>

#include "field/evolve/evolve.h"

/* Computes the lengths of the array in a file: several fields add a slowest dimension, several systems another one.
 * Returns false if files do not support so many dimensions. */
static bool state_lengths(const struct mw_field *f, unsigned *dims, size_t *length)
{
    *dims = f->problem.dims;
    memcpy(length, f->options.length, *dims * sizeof *length);
    if (f->model->info.field_count > 1)
        length[(*dims)++] = f->model->info.field_count;
    if (mw_field_has_systems(&f->problem))
        length[(*dims)++] = f->problem.systems;
    return *dims <= MW_DIMS_MAX;
}

static enum mw_type state_type(const struct mw_field *f) { return f->problem.fp64 ? MW_TYPE_F64 : MW_TYPE_F32; }

static int check_state(const struct mw_field *f, const struct mw_array *state)
{
    const enum mw_type type = state_type(f);
    size_t length[MW_DIMS_MAX + 2];
    unsigned dims;
    (void)state_lengths(f, &dims, length);
    if (state->type != type)
        return mw_fail(MW_EINVAL, "the state has type %s, the field needs %s", mw_type_name(state->type),
                       mw_type_name(type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths must match the field (%zu cells, %zu fields, %zu systems)",
                       f->cells, f->model->info.field_count, f->problem.systems);
    return 0;
}

int mw_field_get_into(struct mw_field *f, struct mw_array *state)
{
    TRY_RETURN(mw_exchange_check(f->exchange));
    TRY_RETURN(check_state(f, state));
    if (f->streams) {
        TRY_RETURN(mw_stream_copy(f, state->data, true));
        return 0;
    }
    for (size_t p = 0; p < f->count; p++)
        for (size_t i = 0; i < f->layers; i++)
            TRY_RETURN(
                mw_part_read(&f->parts[p], f->parts[p].state, i, (char *)state->data + i * (f->bytes / f->layers)));
    return 0;
}

int mw_field_get(struct mw_field *f, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX + 2];
    unsigned dims;
    int rc;
    if (!state_lengths(f, &dims, length)) {
        rc = mw_fail(MW_ENOTSUP,
                     "a state with its fields and systems has %u dimensions, more than MW_DIMS_MAX: "
                     "use one system or fewer dimensions",
                     dims);
        goto out;
    }
    TRY(mw_array_new(state_type(f), dims, length, &array));
    TRY(mw_field_get_into(f, &array));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_field_set(struct mw_field *f, const struct mw_array *state)
{
    TRY_RETURN(mw_exchange_check(f->exchange));
    TRY_RETURN(check_state(f, state));
    f->has_rate = false;
    if (f->streams) {
        TRY_RETURN(mw_stream_copy(f, state->data, false));
        return 0;
    }
    for (size_t p = 0; p < f->count; p++)
        TRY_RETURN(mw_part_write(&f->parts[p], state->data));
    return 0;
}

struct mw_buffer *mw_field_buffer(const struct mw_field *f)
{
    return f->count == 1 && !f->streams ? f->parts[0].state : NULL;
}
/* SPDX-License-Identifier: MIT */
