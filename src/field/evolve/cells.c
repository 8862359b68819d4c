/* The cells of a part: their noisy start, and their way to and from the host. */
#include "field/evolve/evolve.h"
#include "kernels/field/noise.h"
#include "kernels/native.h"

/* Slabs of an array from `at` on that follow each other in the whole, from its `slab` on: a part's array may go on
 * beyond the whole's ends. */
struct stretch { int at, slab, count; };

static bool next_stretch(const struct mw_place *p, struct stretch *s)
{
    s->at += s->count;
    const int left = mw_place_slabs(p) - s->at;
    s->slab = (p->slab - p->lower + s->at + p->slabs) % p->slabs;
    s->count = left < p->slabs - s->slab ? left : p->slabs - s->slab;
    return left > 0;
}

/* ---- the noisy start ---- */

static int start_stretch(struct mw_part *p, const struct mw_kernel_set *kernels, const struct stretch *s,
                         uint64_t seed)
{
    const struct mw_field_array *a = &p->array;
    const size_t cells = (size_t)s->count * a->slab_cells, at = (size_t)s->at * a->slab_cells;
    const struct mw_range items = mw_items((cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS);
    const struct mw_model_info *info = &a->problem->model->info;
    int rc = 0;
    for (size_t i = 0; i < info->field_count; i++)
        TRY(launch_field_noise(kernels, items, p->state, i * a->cells + at, cells, (size_t)s->slab * a->slab_cells,
                               (uint32_t)i, info->fields[i].mean, info->fields[i].noise, seed));
out:
    return rc;
}

int mw_part_start(struct mw_part *p, const struct mw_field_options *options)
{
    const bool fp64 = p->array.problem->fp64;
    const struct mw_kernel_options build = { .defines = fp64 ? "#define REAL_DOUBLE 1\n" : NULL, .fp64 = fp64,
                                             .native = fp64 ? mw_native_field_noise_double
                                                            : mw_native_field_noise_single };
    struct mw_kernel_set *kernels = NULL;
    int rc;
    TRY(mw_kernel_set_new(p->array.device, &kernels_field_noise, &build, &kernels));
    for (struct stretch s = { 0 }; next_stretch(&p->array.place, &s);)
        TRY(start_stretch(p, kernels, &s, options->seed));
    TRY(mw_device_finish(p->array.device));
out:
    mw_kernel_set_free(kernels);
    return rc;
}

/* ---- to and from the host ---- */

int mw_part_read(const struct mw_part *p, struct mw_buffer *buffer, size_t field, void *whole_field)
{
    const struct mw_place *place = &p->array.place;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    return mw_buffer_read(buffer, mw_field_array_at(&p->array, field, place->lower), (size_t)place->own * slab,
                          (char *)whole_field + (size_t)place->slab * slab, NULL);
}

int mw_part_write(struct mw_part *p, const void *whole)
{
    const struct mw_place *place = &p->array.place;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    const char *cells = whole;
    int rc = 0;
    for (struct stretch s = { 0 }; next_stretch(place, &s);)
        for (size_t i = 0; i < p->array.problem->model->info.field_count; i++)
            TRY(mw_buffer_write(p->state, mw_field_array_at(&p->array, i, s.at), (size_t)s.count * slab,
                                cells + (i * (size_t)place->slabs + (size_t)s.slab) * slab, NULL));
out:
    return rc;
}
