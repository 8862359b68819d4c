/* What one device has of spins: its slabs in memory, to the host and back, borders, sums. */
#include <stdlib.h>

#include "spin/spin_internal.h"

enum {
    MEASURERS = 64,              /* items that measure a row together, where items are not cores */
    MEASURERS_MOST = 1 << 20     /* of all rows, as long as each has one */
};

static bool is_split(const struct mw_spin_device *p) { return p->whole->count > 1; }
static size_t all_rows(const struct mw_spin_device *p) { return p->rows + 2 * (size_t)p->mesh.halo; }
static size_t slab_bytes(const struct mw_spin_device *p) { return p->slab_rows * p->row_bytes; }

struct mw_range mw_spin_device_range(const struct mw_spin_device *p, int32_t items)
{
    const size_t group = mw_device_info(p->device)->traits.has_cores;
    return (struct mw_range){ .dims = 2, .global = { (size_t)items, p->rows }, .group = { group, group } };
}

/* ---- making ---- */

static int make_memory(struct mw_spin_device *p)
{
    const size_t bytes = all_rows(p) * p->row_bytes, rule = SPIN_RULE(p->whole->lattice.dims) * sizeof(uint32_t);
    int rc;
    TRY(mw_buffer_new(p->device, bytes, &p->cells));
    TRY(mw_buffer_fill(p->cells, 0, bytes, p->form->up));
    TRY(mw_buffer_new(p->device, rule, &p->rule));
    TRY(mw_buffer_write(p->rule, 0, rule, p->table, NULL));
    TRY(mw_buffer_new(p->device, sizeof p->mesh, &p->plan));
    TRY(mw_buffer_write(p->plan, 0, sizeof p->mesh, &p->mesh, NULL));
    for (size_t i = 0; i < MW_COUNT(p->sums); i++)
        TRY(mw_buffer_new(p->device, p->rows * (size_t)p->measurers * sizeof(int64_t), &p->sums[i]));
    for (size_t i = 0; i < MW_SPIN_SIDES && is_split(p); i++)
        TRY(mw_new(p->slab_rows, p->row_bytes, &p->border[i]));
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
    p->form = whole->variant->form;
    TRY(p->form->build(p));
    TRY(mw_prim_new(p->device, &p->prim));
    p->measurers = mw_device_info(p->device)->traits.has_cores ? 1 : MEASURERS;
    while (p->measurers > 1 &&
           (p->measurers > p->measurable || p->rows * (size_t)p->measurers > MEASURERS_MOST))
        p->measurers /= 2;
    TRY(make_memory(p));
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
    const enum mw_spin_start start = p->whole->options.start;
    return start == MW_SPIN_RANDOM ? p->form->start(p)
         : mw_buffer_fill(p->cells, 0, all_rows(p) * p->row_bytes, start == MW_SPIN_UP ? p->form->up : p->form->down);
}

int mw_spin_device_read(struct mw_spin_device *p, signed char *whole)
{
    const size_t row = (size_t)p->mesh.length[0];
    struct mw_buffer *plain = NULL;
    int rc;
    if (p->form->unpack) {
        TRY(mw_buffer_new(p->device, all_rows(p) * row, &plain));
        TRY(p->form->unpack(p, plain));
    }
    TRY(mw_buffer_read(plain ? plain : p->cells, (size_t)p->mesh.halo * row, p->rows * row,
                       whole + (size_t)p->mesh.first * row, NULL));
out:
    mw_buffer_free(plain);
    return rc;
}

int mw_spin_device_write(struct mw_spin_device *p, const signed char *whole)
{
    const size_t row = (size_t)p->mesh.length[0];
    struct mw_buffer *plain = NULL;
    int rc;
    if (p->form->pack)
        TRY(mw_buffer_new(p->device, all_rows(p) * row, &plain));
    TRY(mw_buffer_write(plain ? plain : p->cells, (size_t)p->mesh.halo * row, p->rows * row,
                        whole + (size_t)p->mesh.first * row, NULL));
    if (p->form->pack)
        TRY(p->form->pack(p, plain));
out:
    mw_buffer_free(plain);
    return rc;
}

/* ---- borders ---- */

int mw_spin_device_give(struct mw_spin_device *p)
{
    const size_t slab = slab_bytes(p), own = (size_t)p->share.slabs;
    int rc;
    TRY(mw_buffer_read(p->cells, slab, slab, p->border[0], NULL));
    TRY(mw_buffer_read(p->cells, own * slab, slab, p->border[1], NULL));
out:
    return rc;
}

int mw_spin_device_take(struct mw_spin_device *p)
{
    const size_t slab = slab_bytes(p), own = (size_t)p->share.slabs;
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
    TRY(p->form->measure(p));
    TRY(mw_prim_reduce(p->prim, p->sums[0], n, MW_TYPE_I64, MW_REDUCE_SUM, &sums->spins));
    TRY(mw_prim_reduce(p->prim, p->sums[1], n, MW_TYPE_I64, MW_REDUCE_SUM, &sums->pairs));
out:
    return rc;
}
