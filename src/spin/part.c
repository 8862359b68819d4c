/* The part of one device: its memory, copies to and from the host, halos and sums. */
#include "dev/core/backend.h"
#include "prim/prim_internal.h"
#include "spin/spin_internal.h"
#include "kernels/native.h"
#include "kernels/spin/collect.h"

enum {
    MEASURERS = 64,           /* work-items per row on GPUs */
    MEASURERS_MOST = 1 << 20, /* total over all rows, if each row has one */
    COLLECTORS = 32           /* work-items per system that add up its sums, on GPUs */
};

static size_t rule_bytes(const struct mw_spin_device *p)
{
    return SPIN_RULE(p->whole->lattice.dims) * sizeof(uint32_t);
}
static size_t halo_bytes(const struct mw_spin_device *p) { return (size_t)p->mesh.halo * p->row_bytes; }

struct mw_range mw_spin_device_range(const struct mw_spin_device *p, int32_t items)
{
    const size_t group = mw_device_info(p->device)->traits->has_cores;
    return (struct mw_range){ .dims = 2, .global = { (size_t)items, p->rows }, .group = { group, group } };
}

/* ---- construction ---- */

static int make_memory(struct mw_spin_device *p)
{
    const size_t bytes = mw_spin_device_rows(p) * p->row_bytes;
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, bytes, &p->cells));
    TRY_RETURN(mw_buffer_fill(p->cells, 0, bytes, p->form->up));
    if (p->form->memory)
        return p->form->memory(p);
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->systems * rule_bytes(p), &p->rule));
    TRY_RETURN(mw_own_buffer(&p->owner, p->device, sizeof p->mesh + p->systems * sizeof(int32_t), &p->plan));
    TRY_RETURN(mw_buffer_write(p->plan, 0, sizeof p->mesh, &p->mesh, NULL));
    /* Until the rules are copied, 0: spin_row_find sums these values. */
    TRY_RETURN(mw_buffer_fill(p->plan, sizeof p->mesh, p->systems * sizeof(int32_t), 0));
    for (size_t i = 0; i < MW_COUNT(p->sums); i++)
        TRY_RETURN(mw_own_buffer(&p->owner, p->device, p->rows * (size_t)p->measurers * sizeof(int64_t), &p->sums[i]));
    return 0;
}

int mw_spin_device_new(struct mw_spins *whole, struct mw_device *device, struct mw_spin_share share,
                       struct mw_spin_device *p)
{
    *p = (struct mw_spin_device){ .whole = whole, .device = device, .share = share, .mesh = whole->mesh };
    p->slab_rows = whole->slab_rows;
    p->rows = (size_t)share.slabs * p->slab_rows;
    p->systems = whole->systems > 1 ? (size_t)share.slabs : 1;
    p->first_system = whole->systems > 1 ? (size_t)share.first : 0;
    p->stale = true;
    p->mesh.first = share.first * (int32_t)p->slab_rows;
    p->mesh.halo = whole->borders ? whole->halo_slabs * (int32_t)p->slab_rows : 0;
    p->form = whole->variant->form;
    TRY_RETURN(p->form->build(p));
    TRY_RETURN(mw_own_prim(&p->owner, p->device, &p->prim));
    p->measurers = mw_device_info(p->device)->traits->has_cores ? 1 : MEASURERS;
    while (p->measurers > 1 && (p->measurers > p->measurable || p->rows * (size_t)p->measurers > MEASURERS_MOST))
        p->measurers /= 2;
    return make_memory(p);
}

void mw_spin_device_clear(struct mw_spin_device *p)
{
    mw_owner_drop(&p->owner);
    mw_transform_free(p->crinkle);
    mw_transform_free(p->uncrinkle);
    mw_port_clear(&p->port);
    mw_kernel_set_free(p->tiles);
    mw_kernel_set_free(p->set);
}

/* ---- states ---- */

int mw_spin_device_start(struct mw_spin_device *p)
{
    const enum mw_spin_start start = p->whole->options.start;
    if (start == MW_SPIN_START_FRACTION)
        return mw_spin_fraction_start(p);
    if (start == MW_SPIN_START_NOISE || p->form->memory)
        return p->form->start(p);
    return mw_buffer_fill(p->cells, 0, mw_spin_device_rows(p) * p->row_bytes,
                          start == MW_SPIN_START_UP ? p->form->up : p->form->down);
}

int mw_spin_device_read(struct mw_spin_device *p, void *whole)
{
    const size_t row = (size_t)p->mesh.length[0] * p->whole->cell_bytes;
    struct mw_buffer *plain = NULL;
    int rc;
    if (p->form->unpack) {
        TRY(mw_buffer_new(p->device, mw_spin_device_rows(p) * row, &plain));
        TRY(p->form->unpack(p, plain));
    }
    TRY(mw_buffer_read(plain ? plain : p->cells, (size_t)p->mesh.halo * row, p->rows * row,
                       (char *)whole + (size_t)p->mesh.first * row, NULL));
out:
    mw_buffer_free(plain);
    return rc;
}

int mw_spin_device_write(struct mw_spin_device *p, const void *whole)
{
    const size_t row = (size_t)p->mesh.length[0] * p->whole->cell_bytes;
    struct mw_buffer *plain = NULL;
    int rc;
    if (p->form->pack)
        TRY(mw_buffer_new(p->device, mw_spin_device_rows(p) * row, &plain));
    TRY(mw_buffer_write(plain ? plain : p->cells, (size_t)p->mesh.halo * row, p->rows * row,
                        (const char *)whole + (size_t)p->mesh.first * row, NULL));
    if (p->form->pack)
        TRY(p->form->pack(p, plain));
out:
    mw_buffer_free(plain);
    return rc;
}

int mw_spin_device_rule(struct mw_spin_device *p)
{
    if (!p->stale)
        return 0;
    TRY_RETURN(p->form->bring ? p->form->bring(p) : mw_spin_device_write_rule(p));
    p->stale = false;
    return 0;
}

int mw_spin_device_write_rule(struct mw_spin_device *p)
{
    const size_t rule = rule_bytes(p), numbers = rule / sizeof(uint32_t);
    TRY_RETURN(mw_buffer_write(p->rule, 0, p->systems * rule, p->whole->table + p->first_system * numbers, NULL));
    return mw_buffer_write(p->plan, sizeof p->mesh, p->systems * sizeof(int32_t), p->whole->outside + p->first_system,
                           NULL);
}

/* ---- borders ---- */

int mw_spin_device_send(struct mw_spin_device *p, struct mw_buffer *from)
{
    const size_t halo = halo_bytes(p), at[MW_SPIN_SIDES] = { halo, p->rows * p->row_bytes };
    TRY_RETURN(mw_second_after_first(p->device));
    for (size_t i = 0; i < MW_SPIN_SIDES; i++)
        if (p->side[i].there)
            TRY_RETURN(mw_port_read(&p->port, from, at[i], halo, p->side[i].send, 0));
    return mw_port_send(&p->port);
}

int mw_spin_device_receive(struct mw_spin_device *p)
{
    const size_t halo = halo_bytes(p), at[MW_SPIN_SIDES] = { 0, halo + p->rows * p->row_bytes };
    for (size_t i = 0; i < MW_SPIN_SIDES; i++)
        if (p->side[i].there)
            TRY_RETURN(mw_port_write(&p->port, p->cells, at[i], halo, p->side[i].receive, 0));
    p->left = p->whole->round;
    return mw_port_turn(&p->port);
}

/* ---- measuring ---- */

/* Computes the sums of several systems. */
static int spin_part_collect(struct mw_spin_device *p, size_t each, struct mw_spin_sums *sums)
{
    static const struct mw_prim_program program = {
        &kernels_spin_collect, "", mw_native_spin_collect, false, false, NULL
    };
    const size_t items = mw_device_info(p->device)->traits->has_cores ? 1 : COLLECTORS;
    struct mw_range range = mw_spin_device_range(p, (int32_t)items);
    const struct mw_kernel_set *set;
    struct mw_spin_sums *each_item = NULL;
    struct mw_buffer *all;
    int rc;
    range.global[1] = p->systems;
    TRY(mw_new(p->systems * items, sizeof *each_item, &each_item));
    TRY(mw_prim_set(p->prim, &program, &set));
    TRY(mw_prim_reserve(p->prim, MW_PRIM_GUEST_1, p->systems * items, sizeof *each_item, &all));
    TRY(launch_spin_collect(set, range, p->sums[0], p->sums[1], all, (int64_t)each, (int32_t)p->systems,
                            (int32_t)items));
    TRY(mw_buffer_read(all, 0, p->systems * items * sizeof *each_item, each_item, NULL));
    for (size_t i = 0; i < p->systems * items; i++) {
        struct mw_spin_sums *of = &sums[i / items];
        *of = i % items ? (struct mw_spin_sums){ of->spins + each_item[i].spins, of->pairs + each_item[i].pairs }
                        : each_item[i];
    }
out:
    free(each_item);
    return rc;
}

int mw_spin_device_sums(struct mw_spin_device *p, struct mw_spin_sums *sums)
{
    const size_t n = p->rows * (size_t)p->measurers;
    TRY_RETURN(mw_spin_device_rule(p));
    TRY_RETURN(p->form->measure(p));
    if (p->systems > 1)
        return spin_part_collect(p, n / p->systems, sums);
    TRY_RETURN(mw_prim_reduce(p->prim, p->sums[0], n, MW_TYPE_I64, MW_REDUCTION_SUM, &sums->spins));
    return mw_prim_reduce(p->prim, p->sums[1], n, MW_TYPE_I64, MW_REDUCTION_SUM, &sums->pairs);
}
/* SPDX-License-Identifier: MIT */
