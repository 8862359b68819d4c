/* What one device has of spins: its slabs, how they are stored, and the kernels on them. */
#include <stdlib.h>
#include <string.h>

#include "spin/spin_internal.h"
#include "kernels/spin/sweep.h"

enum {
    CORE_BLOCKS = 32,            /* blocks that an item of a core draws at a time, as NATIVE_PROGRAM has it */
    CORE_SITES = 16384,          /* of an item, at most: some drivers end an item's loops after 65535 rounds */
    MEASURERS = 64,              /* items that measure a row together, where items are not cores */
    MEASURERS_MOST = 1 << 20     /* of all rows, as long as each has one */
};

static bool is_split(const struct mw_spin_device *p) { return p->whole->count > 1; }
static size_t row_cells(const struct mw_spin_device *p) { return (size_t)p->mesh.length[0]; }
static size_t all_cells(const struct mw_spin_device *p)
{
    return (p->rows + 2 * (size_t)p->mesh.halo) * row_cells(p);
}

/* Items of the first dimension share a row.  On cores each is a group, since some drivers compile anew for every size
 * of groups. */
static struct mw_range range_of(const struct mw_spin_device *p, int32_t items)
{
    const size_t group = mw_device_info(p->device)->traits.has_cores;
    return (struct mw_range){ .dims = 2, .global = { (size_t)items, p->rows }, .group = { group, group } };
}

/* ---- making ---- */

static int build(struct mw_spin_device *p)
{
    const struct mw_spin_variant *v = p->whole->variant;
    const bool cores = mw_device_info(p->device)->traits.has_cores;
    const int32_t blocks = cores ? CORE_BLOCKS : 1, chunk = blocks * SPIN_BLOCK_SITES;
    const int32_t sites = (p->mesh.length[0] - 1) / 2 + 1, chunks = (sites - 1) / chunk + 1;
    struct mw_kernel_options options = { .native = v->native };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s#define SPIN_BLOCKS %d\n", v->defines, blocks);
    TRY(mw_text_ok(&defines));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(p->device, &kernels_spin_sweep, &options, &p->set));
    TRY(mw_prim_new(p->device, &p->prim));
    p->each = !cores ? chunk : chunks < CORE_SITES / chunk ? chunks * chunk : CORE_SITES;
    p->items = (sites - 1) / p->each + 1;
    p->measurers = cores ? 1 : MEASURERS;
    while (p->measurers > 1 && (p->measurers > sites || p->rows * (size_t)p->measurers > MEASURERS_MOST))
        p->measurers /= 2;
out:
    mw_text_free(&defines);
    return rc;
}

/* From plain rows to crinkled ones and back. */
static int make_transforms(struct mw_spin_device *p)
{
    const size_t length[] = { row_cells(p), all_cells(p) / row_cells(p) };
    struct mw_map *map = NULL, *inverse = NULL;
    int rc;
    TRY(mw_map_new(2, length, &map));
    TRY(mw_map_crinkle(map, 0, 2));
    TRY(mw_map_inverse(map, &inverse));
    TRY(mw_transform_new(p->device, map, 1, NULL, &p->crinkle));
    TRY(mw_transform_new(p->device, inverse, 1, NULL, &p->uncrinkle));
out:
    mw_map_free(inverse);
    mw_map_free(map);
    return rc;
}

static int make_memory(struct mw_spin_device *p)
{
    const size_t rule = SPIN_RULE(p->whole->lattice.dims) * sizeof(uint32_t);
    int rc;
    TRY(mw_buffer_new(p->device, all_cells(p), &p->cells));
    TRY(mw_buffer_fill(p->cells, 0, all_cells(p), 1));
    TRY(mw_buffer_new(p->device, rule, &p->rule));
    TRY(mw_buffer_write(p->rule, 0, rule, p->whole->rule, NULL));
    TRY(mw_buffer_new(p->device, sizeof p->mesh, &p->plan));
    TRY(mw_buffer_write(p->plan, 0, sizeof p->mesh, &p->mesh, NULL));
    for (size_t i = 0; i < MW_COUNT(p->sums); i++)
        TRY(mw_buffer_new(p->device, p->rows * (size_t)p->measurers * sizeof(int64_t), &p->sums[i]));
    for (size_t i = 0; i < MW_SPIN_SIDES && is_split(p); i++)
        TRY(mw_new(p->slab_rows, row_cells(p), &p->border[i]));
out:
    return rc;
}

int mw_spin_device_new(struct mw_spins *whole, struct mw_device *device, struct mw_spin_share share,
                       struct mw_spin_device *p)
{
    int rc;
    *p = (struct mw_spin_device){ .whole = whole, .device = device, .share = share, .mesh = whole->mesh };
    p->slab_rows = whole->slab_rows;
    p->rows = whole->lattice.dims > 1 ? (size_t)share.slabs * p->slab_rows : 1;
    p->mesh.first = share.first * (int32_t)p->slab_rows;
    p->mesh.halo = whole->count > 1 ? (int32_t)p->slab_rows : 0;
    TRY(build(p));
    TRY(make_memory(p));
    if (whole->variant->crinkled)
        TRY(make_transforms(p));
out:
    return rc;
}

void mw_spin_device_clear(struct mw_spin_device *p)
{
    mw_transform_free(p->crinkle);
    mw_transform_free(p->uncrinkle);
    for (size_t i = 0; i < MW_COUNT(p->sums); i++)
        mw_buffer_free(p->sums[i]);
    for (size_t i = 0; i < MW_SPIN_SIDES; i++)
        free(p->border[i]);
    mw_buffer_free(p->plan);
    mw_buffer_free(p->rule);
    mw_buffer_free(p->cells);
    mw_prim_free(p->prim);
    mw_kernel_set_free(p->set);
}

/* ---- states ---- */

int mw_spin_device_start(struct mw_spin_device *p)
{
    const struct mw_spin_options *o = &p->whole->options;
    const int32_t blocks = (p->mesh.length[0] - 1) / SPIN_START_CELLS + 1;
    int rc;
    if (o->start == MW_SPIN_RANDOM)
        TRY(launch_spin_start(p->set, range_of(p, blocks), p->cells, p->plan, (int32_t)p->rows, o->seed));
    else
        TRY(mw_buffer_fill(p->cells, 0, all_cells(p), o->start == MW_SPIN_UP ? 1 : (unsigned char)-1));
out:
    return rc;
}

int mw_spin_device_read(struct mw_spin_device *p, signed char *whole)
{
    const size_t row = row_cells(p), first = (size_t)p->mesh.halo * row, bytes = p->rows * row;
    signed char *to = whole + (size_t)p->mesh.first * row;
    struct mw_buffer *plain = NULL;
    int rc;
    if (p->uncrinkle) {
        TRY(mw_buffer_new(p->device, all_cells(p), &plain));
        TRY(mw_transform_run(p->uncrinkle, p->cells, plain, NULL));
    }
    TRY(mw_buffer_read(plain ? plain : p->cells, first, bytes, to, NULL));
out:
    mw_buffer_free(plain);
    return rc;
}

int mw_spin_device_write(struct mw_spin_device *p, const signed char *whole)
{
    const size_t slab = p->slab_rows * row_cells(p), slabs = (size_t)p->mesh.length[p->mesh.dims - 1];
    const size_t first = (size_t)p->share.first, own = (size_t)p->share.slabs;
    struct mw_buffer *plain = NULL, *to = p->cells;
    int rc;
    if (p->crinkle) {
        TRY(mw_buffer_new(p->device, all_cells(p), &plain));
        to = plain;
    }
    if (is_split(p)) {
        TRY(mw_buffer_write(to, 0, slab, whole + (first + slabs - 1) % slabs * slab, NULL));
        TRY(mw_buffer_write(to, slab, own * slab, whole + first * slab, NULL));
        TRY(mw_buffer_write(to, (own + 1) * slab, slab, whole + (first + own) % slabs * slab, NULL));
    } else {
        TRY(mw_buffer_write(to, 0, all_cells(p), whole, NULL));
    }
    if (p->crinkle)
        TRY(mw_transform_run(p->crinkle, plain, p->cells, NULL));
out:
    mw_buffer_free(plain);
    return rc;
}

/* ---- steps ---- */

int mw_spin_device_sweep(struct mw_spin_device *p, int32_t colour, uint64_t step)
{
    return launch_spin_sweep(p->set, range_of(p, p->items), p->cells, p->rule, p->plan, (int32_t)p->rows, p->each,
                             colour, p->whole->options.seed, step);
}

int mw_spin_device_give(struct mw_spin_device *p)
{
    const size_t slab = p->slab_rows * row_cells(p), own = (size_t)p->share.slabs;
    int rc;
    TRY(mw_buffer_read(p->cells, slab, slab, p->border[0], NULL));
    TRY(mw_buffer_read(p->cells, own * slab, slab, p->border[1], NULL));
out:
    return rc;
}

int mw_spin_device_take(struct mw_spin_device *p)
{
    const size_t slab = p->slab_rows * row_cells(p), own = (size_t)p->share.slabs;
    int rc;
    TRY(mw_buffer_write(p->cells, 0, slab, p->beside[0]->border[1], NULL));
    TRY(mw_buffer_write(p->cells, (own + 1) * slab, slab, p->beside[1]->border[0], NULL));
out:
    return rc;
}

/* ---- measuring ---- */

int mw_spin_device_sums(struct mw_spin_device *p, struct mw_spin_sums *sums)
{
    const size_t n = p->rows * (size_t)p->measurers;
    int rc;
    TRY(launch_spin_measure(p->set, range_of(p, p->measurers), p->cells, p->sums[0], p->sums[1], p->plan,
                            (int32_t)p->rows, p->measurers));
    TRY(mw_prim_reduce(p->prim, p->sums[0], n, MW_TYPE_I64, MW_REDUCE_SUM, &sums->spins));
    TRY(mw_prim_reduce(p->prim, p->sums[1], n, MW_TYPE_I64, MW_REDUCE_SUM, &sums->pairs));
out:
    return rc;
}
