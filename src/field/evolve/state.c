/* What a field holds: its noisy start, its cells on their way to and from the host, its free energy. */
#include <stdlib.h>
#include <string.h>

#include "dev/backend.h"
#include "field/evolve/split.h"

#define NOISE_ITEM_CELLS 64

/* ---- where an array's cells lie in the whole ---- */

static size_t slab_cells(const struct mw_field *f)
{
    return f->slab_rows * f->options.length[0];
}

/* Slabs of an array from `at` on that follow each other in the whole, from its `slab` on: a part's array may go on
 * beyond the whole's ends. */
struct stretch { int at, slab, count; };

static bool next_stretch(const struct mw_field *f, struct stretch *s)
{
    const struct mw_place *p = &f->place;
    s->at += s->count;
    const int left = p->lower + p->own + p->upper - s->at;
    s->slab = (p->slab - p->lower + s->at + p->slabs) % p->slabs;
    s->count = left < p->slabs - s->slab ? left : p->slabs - s->slab;
    return left > 0;
}

/* ---- the noisy start ---- */

static int start_stretch(struct mw_field *f, struct mw_kernel *kernel, const struct stretch *s)
{
    const size_t cells = (size_t)s->count * slab_cells(f), at = (size_t)s->at * slab_cells(f);
    const struct mw_range range = { 1, { (cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS, 1, 1 }, { 0 } };
    const struct mw_model_info *info = &f->model->info;
    int rc = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        const struct mw_arg args[] = { mw_arg_buffer(f->state), mw_arg_u64(i * f->cells + at), mw_arg_u64(cells),
                                       mw_arg_u64((size_t)s->slab * slab_cells(f)), mw_arg_u32((uint32_t)i),
                                       mw_field_real(f, info->fields[i].mean), mw_field_real(f, info->fields[i].noise),
                                       mw_arg_u64(f->options.seed) };
        TRY(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    }
out:
    return rc;
}

int mw_field_start(struct mw_field *f)
{
    struct mw_text defines = { 0 };
    struct mw_source source;
    struct mw_program *program = NULL;
    struct mw_kernel *kernel = NULL;
    int rc;

    TRY(mw_noise_source(NOISE_ITEM_CELLS, f->options.fp64, &defines, &source));
    TRY(mw_program_new(f->device, &source, &program));
    TRY(mw_kernel_new(program, "field_noise", &kernel));
    for (struct stretch s = { 0 }; next_stretch(f, &s);)
        TRY(start_stretch(f, kernel, &s));
    TRY(mw_device_finish(f->device));
out:
    mw_kernel_free(kernel);
    mw_program_free(program);
    mw_text_free(&defines);
    return rc;
}

/* ---- states ---- */

/* A part's own cells of a buffer's field into their place in the whole's. */
static int read_own(struct mw_field *part, struct mw_buffer *buffer, size_t field, void *whole)
{
    const size_t slab = slab_cells(part) * part->real_bytes;
    return mw_buffer_read(buffer, field * part->cells * part->real_bytes + (size_t)part->place.lower * slab,
                          (size_t)part->place.own * slab, (char *)whole + (size_t)part->place.slab * slab, NULL);
}

int mw_field_read_cells(struct mw_field *f, void *cells)
{
    size_t count;
    struct mw_field *const *parts = mw_field_parts_of(&f, &count);
    int rc = 0;
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < f->model->info.field_count; i++)
            TRY(read_own(parts[p], parts[p]->state, i, (char *)cells + i * f->cells * f->real_bytes));
out:
    return rc;
}

static int write_part(struct mw_field *part, size_t whole_cells, const char *cells)
{
    const size_t slab = slab_cells(part) * part->real_bytes;
    int rc = 0;
    for (struct stretch s = { 0 }; next_stretch(part, &s);)
        for (size_t i = 0; i < part->model->info.field_count; i++)
            TRY(mw_buffer_write(part->state, i * part->cells * part->real_bytes + (size_t)s.at * slab,
                                (size_t)s.count * slab,
                                cells + i * whole_cells * part->real_bytes + (size_t)s.slab * slab, NULL));
out:
    return rc;
}

int mw_field_write_cells(struct mw_field *f, const void *cells)
{
    size_t count;
    struct mw_field *const *parts = mw_field_parts_of(&f, &count);
    int rc = 0;
    for (size_t p = 0; p < count; p++)
        TRY(write_part(parts[p], f->cells, cells));
out:
    return rc;
}

/* Several fields are one more, slowest, dimension of the file's array. */
static void state_shape(const struct mw_field *f, unsigned *dims, size_t *length)
{
    *dims = f->options.dims;
    memcpy(length, f->options.length, *dims * sizeof *length);
    if (f->model->info.field_count > 1)
        length[(*dims)++] = f->model->info.field_count;
}

int mw_field_get(struct mw_field *f, struct mw_array *state)
{
    struct mw_array array = { 0 };
    size_t length[MW_DIMS_MAX + 1];
    unsigned dims;
    int rc;
    state_shape(f, &dims, length);
    if (dims > MW_DIMS_MAX) {
        rc = mw_fail(MW_ENOTSUP, "a state of %u dimensions and several fields has no place in a file", dims - 1);
        goto out;
    }
    TRY(mw_array_new(f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32, dims, length, &array));
    TRY(mw_field_read_cells(f, array.data));
    *state = array;
    array = (struct mw_array){ 0 };
out:
    mw_array_free(&array);
    return rc;
}

int mw_field_set(struct mw_field *f, const struct mw_array *state)
{
    const enum mw_type type = f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32;
    size_t length[MW_DIMS_MAX + 1];
    unsigned dims;
    state_shape(f, &dims, length);
    if (state->type != type)
        return mw_fail(MW_EINVAL, "the state holds %s, and the field %s", mw_type_name(state->type),
                       mw_type_name(type));
    if (state->dims != dims || memcmp(state->length, length, dims * sizeof *length) != 0)
        return mw_fail(MW_EINVAL, "the state's lengths are not those of the field (%zu cells of %zu fields)", f->cells,
                       f->model->info.field_count);
    return mw_field_write_cells(f, state->data);
}

struct mw_buffer *mw_field_buffer(const struct mw_field *f)
{
    return f->split ? NULL : f->state;
}

/* ---- free energy ---- */

static int energy_density(struct mw_field *f, struct mw_program *program)
{
    const size_t nx = f->options.length[0], rows_an_item = 16, rows = (size_t)f->place.own * f->slab_rows;
    const int32_t first = f->place.lower * (int32_t)f->slab_rows;
    const struct mw_range range = { 2, { 1, (rows + rows_an_item - 1) / rows_an_item, 1 }, { 1, 1, 1 } };
    struct mw_kernel *kernel = NULL;
    int rc;
    TRY(mw_kernel_new(program, "field_energy", &kernel));
    mw_field_put_words(f, MW_PARAMS_STEP, f->step);
    const struct mw_arg args[] = { mw_arg_buffer(f->temp), mw_arg_buffer(f->state),
                                   mw_arg_struct(f->params, f->params_bytes), mw_arg_struct(&f->mesh, sizeof f->mesh),
                                   mw_arg_i32(first), mw_arg_i32(first + (int32_t)rows), mw_arg_i32((int32_t)nx),
                                   mw_arg_i32((int32_t)rows_an_item) };
    TRY(mw_launch(kernel, &range, args, MW_COUNT(args), NULL));
    TRY(mw_device_finish(f->device));
out:
    mw_kernel_free(kernel);
    return rc;
}

/* The program of the energy: one that is compiled in, else without the updates of fused form, which may take compilers
 * far longer than the energy does. */
static int energy_source(const struct mw_field *f, const struct mw_shape *shape, struct mw_text *defines,
                         struct mw_source_text *texts, struct mw_source *source)
{
    struct mw_problem problem = f->problem;
    struct mw_reach reach = f->reach;
    int rc;
    TRY(mw_field_source(&f->problem, shape, defines, texts, source));
    if (source->native)
        goto out;
    mw_text_free(defines);
    reach.reach = reach.energy > reach.reach ? reach.energy : reach.reach;
    problem.reach = &reach;
    mw_text_add(defines, "#define ENERGY_ALONE 1\n");
    TRY(mw_field_source(&problem, shape, defines, texts, source));
out:
    return rc;
}

/* Of a field on one device: the density at its own cells, into their place in the whole's. */
static int energy_of_part(struct mw_field *f, void *whole)
{
    const struct mw_shape shape = { .variant = "fused", .vec = mw_device_info(f->device)->kind == MW_DEVICE_NATIVE
                                                                   ? MW_NATIVE_LANES(f->options.fp64) : 1,
                                    .rows = 1, .group = { 1, 1 } };
    struct mw_text defines = { 0 };
    struct mw_source_text texts[MW_FIELD_SOURCE_TEXTS];
    struct mw_source source;
    struct mw_program *program = NULL;
    int rc;

    TRY(energy_source(f, &shape, &defines, texts, &source));
    TRY(mw_program_new(f->device, &source, &program));
    TRY(energy_density(f, program));
    TRY(read_own(f, f->temp, 0, whole));
out:
    mw_program_free(program);
    mw_text_free(&defines);
    return rc;
}

int mw_field_energy(struct mw_field *f, double *energy)
{
    struct mw_array density = { 0 };
    size_t count;
    struct mw_field *const *parts = mw_field_parts_of(&f, &count);
    int rc;

    if (!f->model->info.has_energy)
        return mw_fail(MW_EINVAL, "model %s gives no free energy", f->model->info.name);
    TRY(mw_array_new(f->options.fp64 ? MW_TYPE_F64 : MW_TYPE_F32, 1, &f->cells, &density));
    for (size_t i = 0; i < count; i++)
        TRY(energy_of_part(parts[i], density.data));
    TRY(mw_field_means(&density, 1, energy));
    *energy *= (double)f->cells;
out:
    mw_array_free(&density);
    return rc;
}
