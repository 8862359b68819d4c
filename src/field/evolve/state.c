/* Reading and writing the state of a field from the host. */
#include "field/evolve/evolve.h"

/* Computes the lengths of an array of some fields: several of them add a slowest dimension, several systems another
 * one.  Returns false if files do not support so many dimensions. */
static bool state_lengths(const struct mw_field *f, size_t fields, unsigned *dims, size_t *length)
{
    *dims = f->problem.dims;
    memcpy(length, f->options.length, *dims * sizeof *length);
    if (fields > 1)
        length[(*dims)++] = fields;
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
    (void)state_lengths(f, f->model->info.field_count, &dims, length);
    if (state->type != type)
        return mw_fail(MW_EINVAL, "the state has type %s, the field needs %s", mw_type_name(state->type),
                       mw_type_name(type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths must match the field (%zu cells, %zu fields, %zu systems)",
                       f->cells, f->model->info.field_count, f->problem.systems);
    return 0;
}

int mw_field_copy(struct mw_field *f, struct mw_quantities which, void *whole, bool to_whole)
{
    TRY_RETURN(mw_exchange_check(f->exchange));
    f->has_rate = f->has_rate && to_whole;
    if (f->streams)
        return mw_stream_copy(f, which, whole, to_whole);
    for (size_t i = 0; i < f->count; i++)
        TRY_RETURN(to_whole ? mw_part_read(&f->parts[i], f->parts[i].state, which, whole)
                            : mw_part_write(&f->parts[i], which, whole));
    return 0;
}

int mw_field_get_into(struct mw_field *f, struct mw_array *state)
{
    TRY_RETURN(check_state(f, state));
    return mw_field_copy(f, mw_field_seen(f), state->data, true);
}

/* Copies some quantities, with the lengths of so many fields, to a new array. */
static int get_new(struct mw_field *f, struct mw_quantities which, size_t fields, struct mw_array *result)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX + 2];
    unsigned dims;
    int rc;
    if (!state_lengths(f, fields, &dims, length))
        TRY(mw_fail(MW_ENOTSUP,
                    "a state with its fields and systems has %u dimensions, more than MW_DIMS_MAX: "
                    "use one system or fewer dimensions",
                    dims));
    TRY(mw_array_new(state_type(f), dims, length, &array));
    TRY(mw_field_copy(f, which, array.data, true));
    *result = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_field_get(struct mw_field *f, struct mw_array *state)
{
    return get_new(f, mw_field_seen(f), f->model->info.field_count, state);
}

int mw_field_set(struct mw_field *f, const struct mw_array *state)
{
    TRY_RETURN(check_state(f, state));
    return mw_field_copy(f, mw_field_seen(f), state->data, false);
}

/* Maps follow the fields of a system. */
struct mw_buffer *mw_field_buffer(const struct mw_field *f)
{
    const bool as_in_files = !mw_field_has_systems(&f->problem) || f->model->info.map_count == 0;
    return f->count == 1 && !f->streams && as_in_files ? f->parts[0].state : NULL;
}

/* ---- one field or map ---- */

static int find_quantity(const struct mw_field *f, const char *name, size_t *quantity)
{
    const int found = mw_model_find_quantity(f->model, name, strlen(name));
    struct mw_text names = { 0 };
    *quantity = (size_t)found;
    if (found >= 0)
        return 0;
    for (size_t i = 0; i < mw_model_quantities(f->model); i++)
        mw_text_add(&names, "%s%s", i > 0 ? ", " : "", f->model->fields[i].name);
    mw_fail(MW_EINVAL, "model %s has no field or map '%.40s'; it has: %s", f->model->info.name, name,
            names.data ? names.data : "");
    mw_text_free(&names);
    return MW_EINVAL;
}

/* Returns "64 x 48". */
int mw_field_get_one(struct mw_field *f, const char *name, struct mw_array *array)
{
    size_t quantity;
    TRY_RETURN(find_quantity(f, name, &quantity));
    return get_new(f, (struct mw_quantities){ quantity, 1 }, 1, array);
}

static const char *lengths_text(struct mw_text *t, unsigned dims, const size_t *length)
{
    for (unsigned d = 0; d < dims; d++)
        mw_text_add(t, "%s%zu", d ? " x " : "", length[d]);
    return t->data ? t->data : "one number";
}

/* Checks the lengths of an array for one quantity: those of the mesh, and the systems. */
static int check_lengths(const struct mw_field *f, const char *name, const struct mw_array *a)
{
    const struct mw_field_options *o = &f->options;
    const bool mesh = a->dims >= o->dims && memcmp(a->length, o->length, o->dims * sizeof *o->length) == 0;
    const bool all = a->dims == o->dims + 1 && o->systems > 1 && a->length[o->dims] == o->systems;
    struct mw_text theirs = { 0 }, ours = { 0 };
    int rc = 0;
    if (!mesh || (a->dims > o->dims && !all))
        rc = mw_fail(MW_EINVAL, "%s: the array has %s values, the mesh has %s cells: give an array of that size", name,
                     lengths_text(&theirs, a->dims, a->length), lengths_text(&ours, o->dims, o->length));
    mw_text_free(&theirs);
    mw_text_free(&ours);
    return rc;
}

/* Converts value i; 0 has no sign, since updates add 0 to maps. */
static double number_in(const struct mw_array *a, size_t i)
{
    return (a->type == MW_TYPE_F64 ? ((const double *)a->data)[i] : (double)((const float *)a->data)[i]) + 0.0;
}

int mw_field_set_one(struct mw_field *f, const char *name, const struct mw_array *a)
{
    const bool fp64 = f->problem.fp64;
    void *cells = NULL;
    size_t quantity = 0, bad;
    int rc;
    TRY(find_quantity(f, name, &quantity));
    TRY(check_lengths(f, name, a));
    if (a->type != MW_TYPE_F32 && a->type != MW_TYPE_F64)
        TRY(mw_fail(MW_EINVAL, "%s: the array has type %s, a field or map needs float32 or float64", name,
                    mw_type_name(a->type)));
    TRY(mw_new(f->cells * f->problem.systems, mw_problem_real_bytes(&f->problem), &cells));
    for (size_t i = 0; i < f->cells * f->problem.systems; i++)
        if (fp64)
            ((double *)cells)[i] = number_in(a, i % a->count);
        else
            ((float *)cells)[i] = (float)number_in(a, i % a->count);
    bad = mw_values_not_finite(cells, fp64, f->cells * f->problem.systems);
    if (bad < f->cells * f->problem.systems)
        TRY(mw_fail(MW_EDATA, "%s: value %zu of the array is not finite in %s precision", name, bad % a->count,
                    fp64 ? "double" : "single"));
    rc = mw_field_copy(f, (struct mw_quantities){ quantity, 1 }, cells, false);
out:
    free(cells);
    return rc;
}
/* SPDX-License-Identifier: MIT */
