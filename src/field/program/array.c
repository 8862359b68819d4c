/* Arrays: sizes of states, places in the whole mesh, and parameters of kernels. */
#include <math.h>

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
        return mw_fail(MW_EINVAL, "invalid size of %u dimensions: must be 1 to %d", p->dims, MW_DIMS_MAX);
    for (unsigned d = 0; d < p->dims; d++) {
        if (length[d] == 0)
            return no_such_size(MW_EINVAL, p, length, " has no cells");
        if (length[d] > INT32_MAX / 4)
            return no_such_size(MW_ELIMIT, p, length, ": a side has at most 536870911 cells");
        if (!mw_mul(n, length[d], &n))
            return no_such_size(MW_ELIMIT, p, length, " is larger than this machine can address");
    }
    if (n / length[0] > INT32_MAX / 2 || !mw_mul(n, mw_problem_real_bytes(p), &b) ||
        !mw_mul(b, mw_model_quantities(p->model), &b) || b > SIZE_MAX / 8)
        return no_such_size(MW_ELIMIT, p, length, " is larger than this machine can address");
    *cells = n;
    *bytes = b;
    return 0;
}

/* ---- parameters of kernels ---- */

/* Checks that a number remains finite, and nonzero if it is, in the problem's precision. */
static int check_real(const struct mw_problem *p, const char *name, double value)
{
    const double kept = p->fp64 ? value : (double)(float)value;
    if (!isfinite(kept) || (kept == 0) != (value == 0))
        return mw_fail(MW_EINVAL, "%s = %g cannot be represented in %s precision: choose another value%s", name, value,
                       p->fp64 ? "double" : "single", p->fp64 ? "" : ", or double precision");
    return 0;
}

static void put_real(const struct mw_problem *p, unsigned char **at, double value)
{
    const size_t bytes = mw_problem_real_bytes(p);
    const float single = (float)value;
    memcpy(*at, p->fp64 ? (const void *)&value : (const void *)&single, bytes);
    *at += bytes;
}

double mw_problem_volume(const struct mw_problem *p)
{
    double volume = 1;
    for (unsigned d = 0; p->spacing && d < p->dims; d++)
        volume *= p->spacing[d];
    return volume;
}

int mw_problem_check_spacing(const struct mw_problem *p)
{
    for (unsigned d = 0; d < p->dims; d++) {
        const double h = p->spacing[d];
        if (!(h > 0) || !isfinite(h))
            return mw_fail(MW_EINVAL, "invalid spacing %g along dimension %u (must be positive and finite)", h, d);
        TRY_RETURN(check_real(p, "1 / spacing^2", 1 / (h * h)));
        if (p->laplacian == MW_LAPLACIAN_ISOTROPIC && h != p->spacing[0])
            return mw_fail(MW_EINVAL, "the isotropic Laplacian needs equal spacing along all dimensions, not %g and %g",
                           p->spacing[0], h);
    }
    return 0;
}

/* Returns a mask of the noise terms with amplitude 0. */
static uint64_t silent_of(const struct mw_model *m, const double *params)
{
    uint64_t silent = 0;
    for (size_t i = 0; i < m->noise_count; i++) {
        const int param = m->noises[i].param;
        const bool is = param >= 0 && params[param] == 0;
        silent |= (uint64_t)is << i;
    }
    return silent;
}

static int check_params(const struct mw_problem *p, const double *params)
{
    const struct mw_model_info *info = &p->model->info;
    for (size_t i = 0; i < info->param_count; i++)
        TRY_RETURN(check_real(p, info->params[i].name, params[i]));
    for (size_t i = 0; i < info->field_count; i++)
        TRY_RETURN(check_real(p, info->fields[i].name, info->fields[i].outside));
    for (size_t i = 0; i < info->map_count; i++)
        TRY_RETURN(check_real(p, info->maps[i].name, info->maps[i].value));
    return 0;
}

#define SILENT_BYTES sizeof(uint64_t)

/* Returns the number of constants before the parameters: the scale of the noise; with spacing, also 1 / h and 1 / h^2
 * per dimension; with coordinates also h. */
static size_t constant_count(const struct mw_problem *p)
{
    return 1 + (mw_problem_is_spaced(p) ? 2 * p->dims : 0) + (mw_problem_is_placed(p) ? p->dims : 0);
}

/* Writes the kernels' struct system: mask of silent terms, constants, parameters, values outside. */
static void put_record(struct mw_field_array *a, size_t system, const double *params)
{
    const struct mw_model *m = a->problem->model;
    unsigned char *at = a->records + system * a->record_bytes;
    const uint64_t silent = silent_of(m, params);
    const uint32_t words[] = { (uint32_t)silent, (uint32_t)(silent >> 32) };
    memcpy(at, words, sizeof words);
    at += SILENT_BYTES + constant_count(a->problem) * mw_problem_real_bytes(a->problem);
    for (size_t i = 0; i < m->info.param_count; i++)
        put_real(a->problem, &at, params[i]);
    at += m->timed_count * mw_problem_real_bytes(a->problem);
    for (size_t i = 0; i < mw_model_quantities(m); i++)
        put_real(a->problem, &at, m->info.fields[i].outside);
}

static uint64_t silent_in(const struct mw_field_array *a, size_t system)
{
    uint32_t words[2];
    memcpy(words, a->records + system * a->record_bytes, sizeof words);
    return (uint64_t)words[1] << 32 | words[0];
}

/* Returns whether a system has a noise term that is not silent. */
static bool is_loud(const struct mw_field_array *a, size_t system)
{
    const size_t count = a->problem->model->noise_count;
    return silent_in(a, system) != (count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX);
}

static int make_records(struct mw_field_array *a, const struct mw_field_options *o)
{
    const struct mw_problem *p = a->problem;
    const struct mw_model *m = p->model;
    const size_t reals = constant_count(p) + m->info.param_count + m->timed_count + mw_model_quantities(m);
    TRY_RETURN(check_real(p, "dt", o->dt));
    TRY_RETURN(check_params(p, o->params));
    a->record_bytes = SILENT_BYTES + reals * mw_problem_real_bytes(p);
    TRY_RETURN(mw_new(p->systems, a->record_bytes, &a->records));
    for (size_t i = 0; i < p->systems; i++) {
        unsigned char *at = a->records + i * a->record_bytes + SILENT_BYTES;
        put_real(p, &at, 1 / sqrt(o->dt * mw_problem_volume(p)));
        for (unsigned i = 0; i < 2 * p->dims && mw_problem_is_spaced(p); i++)
            put_real(p, &at, pow(p->spacing[i % p->dims], i < p->dims ? -1 : -2));
        for (unsigned d = 0; d < p->dims && mw_problem_is_placed(p); d++)
            put_real(p, &at, p->spacing[d]);
        put_record(a, i, o->params);
        a->loud = a->loud || is_loud(a, i);
    }
    a->whole = o->length[p->dims - 1];
    if (m->timed_count) {
        TRY_RETURN(mw_new(p->systems * m->info.param_count + 1, sizeof *a->params, &a->params));
        for (size_t i = 0; i < p->systems; i++)
            memcpy(a->params + i * m->info.param_count, o->params, m->info.param_count * sizeof *a->params);
    }
    if (mw_field_has_systems(p)) {
        TRY_RETURN(mw_buffer_new(a->device, p->systems * a->record_bytes, &a->each));
        TRY_RETURN(mw_buffer_write(a->each, 0, p->systems * a->record_bytes, a->records, NULL));
    }
    return 0;
}

int mw_field_array_set_params(struct mw_field_array *a, size_t system, const double *params)
{
    TRY_RETURN(check_params(a->problem, params));
    put_record(a, system, params);
    a->loud = a->loud || is_loud(a, system);
    if (a->params) {
        const size_t count = a->problem->model->info.param_count;
        memmove(a->params + system * count, params, count * sizeof *params);
    }
    if (a->each)
        TRY_RETURN(mw_buffer_write(a->each, system * a->record_bytes, a->record_bytes,
                                   a->records + system * a->record_bytes, NULL));
    return 0;
}

int mw_field_array_set_time(struct mw_field_array *a, double time, const double *means)
{
    const struct mw_problem *p = a->problem;
    const struct mw_model *m = p->model;
    const double none[MW_DENSITIES_MAX] = { 0 };
    size_t length[MW_DIMS_MAX];
    double values[MW_MODEL_NAMES_MAX];
    if (m->timed_count == 0)
        return 0;
    memcpy(length, a->length, sizeof length);
    length[p->dims - 1] = a->whole;
    for (size_t i = 0; i < p->systems; i++) {
        unsigned char *at = a->records + i * a->record_bytes + SILENT_BYTES;
        at += (constant_count(p) + m->info.param_count) * mw_problem_real_bytes(p);
        TRY_RETURN(mw_model_timed(m,
                                  (struct mw_model_row){ .dims = p->dims,
                                                         .length = length,
                                                         .spacing = p->spacing,
                                                         .params = a->params + i * m->info.param_count,
                                                         .time = time,
                                                         .means = means ? means + i * MW_DENSITIES_MAX : none },
                                  values));
        for (size_t k = 0; k < m->timed_count; k++)
            put_real(p, &at, values[k]);
    }
    return a->each ? mw_buffer_write(a->each, 0, p->systems * a->record_bytes, a->records, NULL) : 0;
}

struct mw_arg mw_field_array_params(const struct mw_field_array *a)
{
    return mw_arg_struct(a->records + SILENT_BYTES, a->record_bytes - SILENT_BYTES);
}

uint64_t mw_field_array_silent(const struct mw_field_array *a) { return silent_in(a, 0); }

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
    struct mw_field_array a = {
        .device = device, .problem = problem, .seed = options->seed, .starts = options->field_seeds
    };
    int rc;
    memcpy(a.length, options->length, problem->dims * sizeof *a.length);
    TRY(make_records(&a, options));
    *array = a;
    a = (struct mw_field_array){ 0 };
out:
    mw_field_array_clear(&a);
    return rc;
}

void mw_field_array_clear(struct mw_field_array *array)
{
    mw_buffer_free(array->each);
    free(array->records);
    free(array->params);
    *array = (struct mw_field_array){ 0 };
}

int mw_field_array_place(struct mw_field_array *a, const struct mw_place *place)
{
    const unsigned dims = a->problem->dims;
    const bool systems = mw_field_has_systems(a->problem);
    const size_t slabs = (size_t)mw_place_slabs(place), fields = mw_model_quantities(a->problem->model);
    if (!systems)
        a->length[dims - 1] = slabs;
    TRY_RETURN(mw_problem_size(a->problem, a->length, &a->cells, &a->bytes));
    a->bytes *= systems ? slabs : 1;
    for (unsigned d = 0; d < dims; d++)
        a->mesh.n[d] = (int32_t)a->length[d];
    a->place = *place;
    a->layers = systems ? 1 : fields;
    a->layer_cells = systems ? slabs * fields * a->cells : a->cells;
    a->slab_cells = a->layer_cells / slabs;
    a->slab_rows = dims > 1 ? (int)(a->cells / a->length[dims - 1] / a->length[0]) : 1;
    return 0;
}

struct mw_extent mw_field_array_extent(const struct mw_field_array *a, struct mw_slabs slabs)
{
    const struct mw_slabs whole = { 0, (int)a->length[a->problem->dims - 1] };
    return mw_field_has_systems(a->problem) ? (struct mw_extent){ whole, slabs.first, slabs.end - slabs.first }
                                            : (struct mw_extent){ slabs, 0, 1 };
}

struct mw_range mw_field_over_systems(struct mw_range range, int systems)
{
    if (systems < 2)
        return range;
    range.global[1] = range.dims > 1 ? range.global[1] : 1;
    range.global[2] = (size_t)systems;
    range.group[1] = range.dims > 1 ? range.group[1] : range.group[0] > 0;
    range.group[2] = range.group[0] > 0;
    range.dims = 3;
    return range;
}

/* Returns the number in the whole of the array's first slab. */
static int first_of_whole(const struct mw_field_array *a)
{
    struct mw_stretch first = { 0 };
    mw_place_next(&a->place, &first);
    return first.slab;
}

struct launch mw_field_array_launch(const struct mw_field_array *a, const struct mw_extent *over)
{
    const bool systems = mw_field_has_systems(a->problem);
    const uint64_t silent = mw_field_array_silent(a);
    const int first = first_of_whole(a);
    struct launch launch = { .mesh = a->mesh };
    launch.mesh.system = over->system;
    launch.mesh.end = over->system + over->systems;
    launch.mesh.number = systems ? first : 0;
    launch.draws = (struct draws){ { (unsigned)a->seed, (unsigned)(a->seed >> 32) },
                                   { (unsigned)a->step, (unsigned)(a->step >> 32) },
                                   { (unsigned)silent, (unsigned)(silent >> 32) },
                                   systems ? 0 : first,
                                   systems ? (int)a->length[a->problem->dims - 1] : a->place.slabs };
    return launch;
}

size_t mw_field_array_slab_bytes(const struct mw_field_array *a)
{
    return a->slab_cells * mw_problem_real_bytes(a->problem);
}

size_t mw_field_array_at(const struct mw_field_array *a, size_t layer, int slab)
{
    return layer * a->layer_cells * mw_problem_real_bytes(a->problem) + (size_t)slab * mw_field_array_slab_bytes(a);
}

size_t mw_field_array_pieces(const struct mw_field_array *a, struct mw_quantities which, int slabs)
{
    if (!mw_field_has_systems(a->problem))
        return which.count;
    return which.count == mw_model_quantities(a->problem->model) ? 1 : (size_t)slabs;
}

struct mw_piece mw_field_array_piece(const struct mw_field_array *a, struct mw_quantities which, size_t i,
                                     const struct mw_stretch *s, int slabs)
{
    const size_t slab = mw_field_array_slab_bytes(a), all = mw_model_quantities(a->problem->model);
    const bool systems = mw_field_has_systems(a->problem);
    if (systems && which.count < all)
        return (struct mw_piece){ .at = ((size_t)s->at + i) * slab + which.first * (slab / all),
                                  .whole = ((size_t)s->slab + i) * which.count * (slab / all),
                                  .bytes = which.count * (slab / all) };
    return (struct mw_piece){ .at = ((which.first + i) * (size_t)slabs + (size_t)s->at) * slab,
                              .whole = (i * (size_t)a->place.slabs + (size_t)s->slab) * slab,
                              .bytes = (size_t)s->count * slab };
}
/* SPDX-License-Identifier: MIT */
