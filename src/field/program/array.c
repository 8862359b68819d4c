/* What launches work on: how large a state is, an array's place in the whole mesh, and the parameters of kernels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "field/program/program.h"

/* ---- sizes ---- */

static int no_such_size(enum mw_status status, const struct mw_problem *p, const size_t *length, const char *why)
{
    struct mw_text size = { 0 };
    for (unsigned d = 0; d < p->dims; d++)
        mw_text_add(&size, "%s%zu", d ? "x" : "", length[d]);
    mw_fail(status, "size %s%s", size.data ? size.data : "", why);
    mw_text_free(&size);
    return status;
}

int mw_problem_size(const struct mw_problem *p, const size_t *length, size_t *cells, size_t *bytes)
{
    size_t n = 1, b;
    if (p->dims < 1 || p->dims > MW_DIMS_MAX)
        return mw_fail(MW_EINVAL, "a size of %u dimensions: a mesh has 1 to %d", p->dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < p->dims; d++) {
        if (length[d] == 0)
            return no_such_size(MW_EINVAL, p, length, " has no cells");
        if (length[d] > INT32_MAX / 4)
            return no_such_size(MW_ELIMIT, p, length, ": a side has at most 536870911 cells");
        if (!mw_mul(n, length[d], &n))
            return no_such_size(MW_ELIMIT, p, length, " is larger than this machine can address");
    }
    if (n / length[0] > INT32_MAX / 2 || !mw_mul(n, mw_problem_real_bytes(p), &b) ||
        !mw_mul(b, p->model->info.field_count, &b) || b > SIZE_MAX / 8)
        return no_such_size(MW_ELIMIT, p, length, " is larger than this machine can address");
    *cells = n;
    *bytes = b;
    return 0;
}

/* ---- parameters of kernels ---- */

/* Whether a number keeps its meaning in the problem's precision: not infinite, and not 0 unless it is. */
static int check_real(const struct mw_problem *p, const char *name, double value)
{
    const double kept = p->fp64 ? value : (double)(float)value;
    if (!isfinite(kept) || (kept == 0) != (value == 0))
        return mw_fail(MW_EINVAL, "%s = %g does not fit %s precision: choose another value%s", name, value,
                       p->fp64 ? "double" : "single", p->fp64 ? "" : ", or --precision double");
    return 0;
}

static void put_real(struct mw_field_array *a, size_t *at, double value)
{
    const size_t bytes = mw_problem_real_bytes(a->problem);
    const float single = (float)value;
    memcpy(a->params + *at, a->problem->fp64 ? (const void *)&value : (const void *)&single, bytes);
    *at += bytes;
}

/* The kernels' struct params: the scale of noise, parameters, values outside. */
static int make_params(struct mw_field_array *a, const struct mw_field_options *o)
{
    const struct mw_model_info *info = &a->problem->model->info;
    const size_t reals = 1 + info->param_count + info->field_count;
    size_t at = 0;
    int rc;
    TRY(check_real(a->problem, "dt", o->dt));
    a->params_bytes = reals * mw_problem_real_bytes(a->problem);
    TRY(mw_new(a->params_bytes, 1, &a->params));
    put_real(a, &at, 1 / sqrt(o->dt));
    for (size_t i = 0; i < info->param_count; i++) {
        const double value = o->params ? o->params[i] : info->params[i].value;
        TRY(check_real(a->problem, info->params[i].name, value));
        put_real(a, &at, value);
    }
    for (size_t i = 0; i < info->field_count; i++) {
        TRY(check_real(a->problem, info->fields[i].name, info->fields[i].outside));
        put_real(a, &at, info->fields[i].outside);
    }
    a->all_silent = true;
    for (size_t i = 0; i < a->problem->model->noise_count; i++) {
        const int param = a->problem->model->noises[i].param;
        const bool silent = param >= 0 && (o->params ? o->params[param] : info->params[param].value) == 0;
        a->silent |= (uint64_t)silent << i;
        a->all_silent = a->all_silent && silent;
    }
out:
    return rc;
}

/* ---- arrays ---- */

bool mw_place_next(const struct mw_place *p, struct mw_stretch *s)
{
    s->at += s->count;
    const int left = mw_place_slabs(p) - s->at;
    s->slab = (p->slab - p->lower + s->at + p->slabs) % p->slabs;
    s->count = left < p->slabs - s->slab ? left : p->slabs - s->slab;
    return left > 0;
}

int mw_field_array_new(struct mw_device *device, const struct mw_problem *problem,
                       const struct mw_field_options *options, struct mw_field_array *array)
{
    struct mw_field_array a = { .device = device, .problem = problem, .seed = options->seed };
    int rc;
    memcpy(a.length, options->length, problem->dims * sizeof *a.length);
    TRY(make_params(&a, options));
    *array = a;
    a = (struct mw_field_array){ 0 };
out:
    mw_field_array_clear(&a);
    return rc;
}

void mw_field_array_clear(struct mw_field_array *array)
{
    free(array->params);
    *array = (struct mw_field_array){ 0 };
}

int mw_field_array_place(struct mw_field_array *a, const struct mw_place *place)
{
    const unsigned dims = a->problem->dims;
    int rc;
    a->length[dims - 1] = (size_t)mw_place_slabs(place);
    TRY(mw_problem_size(a->problem, a->length, &a->cells, &a->bytes));
    for (unsigned d = 0; d < dims; d++)
        a->mesh.n[d] = (int32_t)a->length[d];
    a->place = *place;
    a->slab_cells = a->cells / a->length[dims - 1];
    a->slab_rows = dims > 1 ? (int)(a->slab_cells / a->length[0]) : 1;
out:
    return rc;
}

struct draws mw_field_array_draws(const struct mw_field_array *a)
{
    struct mw_stretch first = { 0 };
    mw_place_next(&a->place, &first);
    return (struct draws){ { (unsigned)a->seed, (unsigned)(a->seed >> 32) },
                           { (unsigned)a->step, (unsigned)(a->step >> 32) },
                           { (unsigned)a->silent, (unsigned)(a->silent >> 32) }, first.slab, a->place.slabs };
}

size_t mw_field_array_slab_bytes(const struct mw_field_array *a)
{
    return a->slab_cells * mw_problem_real_bytes(a->problem);
}

size_t mw_field_array_at(const struct mw_field_array *a, size_t field, int slab)
{
    return field * a->cells * mw_problem_real_bytes(a->problem) + (size_t)slab * mw_field_array_slab_bytes(a);
}
