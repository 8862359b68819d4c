/* The cells of a part: their noisy start, the noise of a step, and their way to and from the host. */
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

/* ---- random numbers ---- */

static int find_kernels(struct mw_part *p, const struct mw_kernel_set **kernels)
{
    const bool fp64 = p->array.problem->fp64;
    struct mw_kernel_options build = { .fp64 = fp64, .native = fp64 ? mw_native_field_noise_double
                                                                    : mw_native_field_noise_single };
    struct mw_text defines = { 0 };
    int rc = 0;
    if (!p->noise) {
        mw_text_add(&defines, "%s%s", fp64 ? "#define REAL_DOUBLE 1\n" : "",
                    mw_device_info(p->array.device)->traits.has_cores ? "#define TILE 32\n" : "");
        TRY(mw_text_ok(&defines));
        build.defines = defines.data;
        TRY(mw_kernel_set_new(p->array.device, &kernels_field_noise, &build, &p->noise));
    }
    *kernels = p->noise;
out:
    mw_text_free(&defines);
    return rc;
}

static int start_stretch(struct mw_part *p, const struct mw_kernel_set *kernels, const struct stretch *s)
{
    const struct mw_field_array *a = &p->array;
    const size_t cells = (size_t)s->count * a->slab_cells, at = (size_t)s->at * a->slab_cells;
    const struct mw_range items = mw_items((cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS);
    const struct mw_model_info *info = &a->problem->model->info;
    int rc = 0;
    for (size_t i = 0; i < info->field_count; i++)
        TRY(launch_field_noise(kernels, items, p->state, i * a->cells + at, cells, (size_t)s->slab * a->slab_cells,
                               (uint32_t)i, info->fields[i].mean, info->fields[i].noise, p->seed));
out:
    return rc;
}

int mw_part_start(struct mw_part *p)
{
    const struct mw_kernel_set *kernels;
    int rc;
    TRY(find_kernels(p, &kernels));
    for (struct stretch s = { 0 }; next_stretch(&p->array.place, &s);)
        TRY(start_stretch(p, kernels, &s));
    TRY(mw_device_finish(p->array.device));
out:
    return rc;
}

static int draw_stretch(struct mw_part *p, const struct mw_kernel_set *kernels, const struct stretch *s)
{
    const struct mw_field_array *a = &p->array;
    const size_t cells = (size_t)s->count * a->slab_cells, at = (size_t)s->at * a->slab_cells;
    const uint64_t first = (uint64_t)s->slab * a->slab_cells;
    const uint64_t blocks = NOISE_BLOCKS(first + cells + NOISE_RUN_CELLS - 1) - NOISE_BLOCKS(first);
    const bool cores = mw_device_info(a->device)->traits.has_cores;
    const uint64_t of_item = cores ? NOISE_ITEM_BLOCKS : NOISE_TURNS, items = (blocks + of_item - 1) / of_item;
    const uint32_t each = (uint32_t)(cores ? of_item : items);
    return launch_field_draw(kernels, mw_items((size_t)items), a->noises, at, cells, first, a->cells,
                             (uint32_t)a->problem->model->noise_count, a->silent, p->step, p->seed, each);
}

int mw_part_draw(struct mw_part *p)
{
    const struct mw_kernel_set *kernels;
    int rc = 0;
    if (!p->array.noises || p->array.all_silent)
        goto out;
    TRY(find_kernels(p, &kernels));
    for (struct stretch s = { 0 }; next_stretch(&p->array.place, &s);)
        TRY(draw_stretch(p, kernels, &s));
out:
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
