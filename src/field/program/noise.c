/* Random numbers of cells: the noisy initial state of fields, and noise terms stored per step. */
#include "field/program/program.h"
#include "kernels/field/noise.h"
#include "kernels/native.h"

#define WANTED(kernel) ((uint64_t)1 << (kernel))

static int make_kernels(const struct mw_field_array *a, uint64_t wanted, struct mw_kernel_set **kernels)
{
    const bool fp64 = a->problem->fp64;
    struct mw_kernel_options build = { .fp64 = fp64,
                                       .wanted = wanted,
                                       .native = fp64 ? mw_native_field_noise_double : mw_native_field_noise_single };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s%s", fp64 ? "#define REAL_DOUBLE 1\n" : "",
                mw_device_info(a->device)->traits->has_cores ? "#define TILE 32\n" : "");
    TRY(mw_text_ok(&defines));
    build.defines = defines.data;
    TRY(mw_kernel_set_new(a->device, &kernels_field_noise, &build, kernels));
out:
    mw_text_free(&defines);
    return rc;
}

/* ---- starts ---- */

/* Fills cells of field i with random numbers: cells from `first` in the whole mesh or a system, at `at` in the buffer.
 * If its start is computed from them, their mean is 0 and their amplitude 1. */
static int start_cells(const struct mw_field_array *a, const struct mw_kernel_set *kernels, size_t i, size_t at,
                       size_t first, size_t cells, uint64_t system, struct mw_buffer *state)
{
    const struct mw_range items = mw_items((cells + NOISE_ITEM_CELLS - 1) / NOISE_ITEM_CELLS);
    const struct mw_model_info *info = &a->problem->model->info;
    const uint64_t seed = a->starts && i < info->field_count ? a->starts[i] : a->seed;
    const bool plain = mw_model_start_reads_noise(a->problem->model, i);
    return launch_field_noise(kernels, items, state, at, cells, first, (uint32_t)i, plain ? 0 : info->fields[i].mean,
                              plain ? 1 : info->fields[i].noise, seed + system);
}

static int start_systems(const struct mw_field_array *a, const struct mw_kernel_set *kernels,
                         const struct mw_stretch *s, struct mw_buffer *state)
{
    const size_t fields = mw_model_quantities(a->problem->model);
    for (size_t system = 0; system < (size_t)s->count; system++)
        for (size_t i = 0; i < fields; i++)
            TRY_RETURN(start_cells(a, kernels, i, (((size_t)s->at + system) * fields + i) * a->cells, 0, a->cells,
                                   (uint64_t)s->slab + system, state));
    return 0;
}

static int start_stretch(const struct mw_field_array *a, const struct mw_kernel_set *kernels,
                         const struct mw_stretch *s, struct mw_buffer *state)
{
    const size_t cells = (size_t)s->count * a->slab_cells, at = (size_t)s->at * a->slab_cells;
    for (size_t i = 0; i < mw_model_quantities(a->problem->model); i++)
        TRY_RETURN(start_cells(a, kernels, i, i * a->cells + at, (size_t)s->slab * a->slab_cells, cells, 0, state));
    return 0;
}

int mw_field_noisy_start(const struct mw_field_array *a, struct mw_buffer *state)
{
    struct mw_kernel_set *kernels = NULL;
    int rc;
    TRY(make_kernels(a, WANTED(KERNEL_FIELD_NOISE), &kernels));
    for (struct mw_stretch s = { 0 }; mw_place_next(&a->place, &s);)
        TRY((mw_field_has_systems(a->problem) ? start_systems : start_stretch)(a, kernels, &s, state));
    TRY(mw_device_finish(a->device));
out:
    mw_kernel_set_free(kernels);
    return rc;
}

/* ---- noise terms ---- */

int mw_field_drawing_new(const struct mw_field_array *a, struct mw_kernel_set **drawing)
{
    const bool systems = mw_field_has_systems(a->problem);
    return make_kernels(a, systems ? WANTED(KERNEL_FIELD_DRAW_SYSTEMS) : WANTED(KERNEL_FIELD_DRAW), drawing);
}

/* Returns the numbers per slab; in one dimension 1, since a slab is a cell and a part may begin within a block. */
static size_t slab_noises(const struct mw_field_array *a)
{
    return a->problem->dims > 1 ? mw_noise_cells(a->slab_cells, a->length[0]) : 1;
}

/* Returns the range for these blocks: on cores a work-item fills `each` consecutive blocks, elsewhere it takes every
 * `each`-th. */
static struct mw_range share_blocks(const struct mw_field_array *a, uint64_t blocks, uint32_t *each)
{
    const bool cores = mw_device_info(a->device)->traits->has_cores;
    const uint64_t of_item = cores ? NOISE_ITEM_BLOCKS : NOISE_TURNS, items = (blocks + of_item - 1) / of_item;
    *each = (uint32_t)(cores ? of_item : items);
    return mw_items((size_t)items);
}

static int draw_stretch(const struct mw_field_plan *p, const struct mw_field_array *a, const struct mw_stretch *s)
{
    const size_t slab = slab_noises(a), cells = (size_t)s->count * slab, at = (size_t)s->at * slab;
    const size_t apart = mw_noise_cells(a->cells, a->length[0]);
    const uint64_t first = (uint64_t)s->slab * slab, blocks = NOISE_BLOCKS(first + cells) - first / 4;
    uint32_t each;
    const struct mw_range items = share_blocks(a, blocks, &each);
    return launch_field_draw(p->drawing, items, p->noises, at, cells, first, apart,
                             (uint32_t)a->problem->model->noise_count, mw_field_array_silent(a), a->step, a->seed,
                             each);
}

static int draw_systems(const struct mw_field_plan *p, const struct mw_field_array *a, struct mw_slabs slabs)
{
    const struct mw_extent over = mw_field_array_extent(a, slabs);
    const struct mesh mesh = mw_field_array_launch(a, &over).mesh;
    const size_t cells = mw_noise_cells(a->cells, a->length[0]);
    uint32_t each;
    const struct mw_range items = share_blocks(a, NOISE_BLOCKS(cells), &each);
    return launch_field_draw_systems(p->drawing, mw_field_over_systems(items, over.systems), p->noises, cells,
                                     (uint32_t)a->problem->model->noise_count, a->step, a->seed, each, a->each,
                                     (uint32_t)(a->record_bytes / sizeof(uint32_t)), (uint32_t)mesh.system,
                                     (uint32_t)mesh.end, (uint32_t)mesh.number);
}

int mw_field_plan_draw(const struct mw_field_plan *p, const struct mw_field_array *a, struct mw_slabs slabs)
{
    if (!p->drawing || !a->loud)
        return 0;
    if (mw_field_has_systems(a->problem))
        return draw_systems(p, a, slabs);
    for (struct mw_stretch s = { 0 }; mw_place_next(&a->place, &s);)
        TRY_RETURN(draw_stretch(p, a, &s));
    return 0;
}
/* SPDX-License-Identifier: MIT */
