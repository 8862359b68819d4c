/* Random numbers of cells: fields' noisy start, and the noise terms of a step in memory. */
#include "field/program/program.h"
#include "kernels/field/noise.h"
#include "kernels/native.h"

static int make_kernels(const struct mw_field_array *a, uint64_t wanted, struct mw_kernel_set **kernels)
{
    const bool fp64 = a->problem->fp64;
    struct mw_kernel_options build = { .fp64 = fp64, .wanted = (uint64_t)1 << wanted,
                                       .native = fp64 ? mw_native_field_noise_double : mw_native_field_noise_single };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s%s", fp64 ? "#define REAL_DOUBLE 1\n" : "",
                mw_device_info(a->device)->traits.has_cores ? "#define TILE 32\n" : "");
    TRY(mw_text_ok(&defines));
    build.defines = defines.data;
    TRY(mw_kernel_set_new(a->device, &kernels_field_noise, &build, kernels));
out:
    mw_text_free(&defines);
    return rc;
}

/* ---- starts ---- */

static int start_stretch(const struct mw_field_array *a, const struct mw_kernel_set *kernels,
                         const struct mw_stretch *s, struct mw_buffer *state)
{
    const size_t cells = (size_t)s->count * a->slab_cells, at = (size_t)s->at * a->slab_cells;
    const struct mw_range items = mw_items((cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS);
    const struct mw_model_info *info = &a->problem->model->info;
    int rc = 0;
    for (size_t i = 0; i < info->field_count; i++)
        TRY(launch_field_noise(kernels, items, state, i * a->cells + at, cells, (size_t)s->slab * a->slab_cells,
                               (uint32_t)i, info->fields[i].mean, info->fields[i].noise, a->seed));
out:
    return rc;
}

int mw_field_noisy_start(const struct mw_field_array *a, struct mw_buffer *state)
{
    struct mw_kernel_set *kernels = NULL;
    int rc;
    TRY(make_kernels(a, KERNEL_FIELD_NOISE, &kernels));
    for (struct mw_stretch s = { 0 }; mw_place_next(&a->place, &s);)
        TRY(start_stretch(a, kernels, &s, state));
    TRY(mw_device_finish(a->device));
out:
    mw_kernel_set_free(kernels);
    return rc;
}

/* ---- noise terms ---- */

int mw_field_drawing_new(const struct mw_field_array *a, struct mw_kernel_set **drawing)
{
    return make_kernels(a, KERNEL_FIELD_DRAW, drawing);
}

/* In one dimension a slab is a cell, and a part may begin within a block. */
static size_t slab_noises(const struct mw_field_array *a)
{
    return a->problem->dims > 1 ? mw_noise_cells(a->slab_cells, a->length[0]) : 1;
}

static int draw_stretch(const struct mw_field_plan *p, const struct mw_field_array *a, const struct mw_stretch *s)
{
    const size_t slab = slab_noises(a), cells = (size_t)s->count * slab, at = (size_t)s->at * slab;
    const size_t apart = mw_noise_cells(a->cells, a->length[0]);
    const uint64_t first = (uint64_t)s->slab * slab, blocks = NOISE_BLOCKS(first + cells) - first / 4;
    const bool cores = mw_device_info(a->device)->traits.has_cores;
    const uint64_t of_item = cores ? NOISE_ITEM_BLOCKS : NOISE_TURNS, items = (blocks + of_item - 1) / of_item;
    const uint32_t each = (uint32_t)(cores ? of_item : items);
    return launch_field_draw(p->drawing, mw_items((size_t)items), p->noises, at, cells, first, apart,
                             (uint32_t)a->problem->model->noise_count, a->silent, a->step, a->seed, each);
}

int mw_field_plan_draw(const struct mw_field_plan *p, const struct mw_field_array *a)
{
    int rc = 0;
    for (struct mw_stretch s = { 0 }; p->drawing && !a->all_silent && mw_place_next(&a->place, &s);)
        TRY(draw_stretch(p, a, &s));
out:
    return rc;
}
