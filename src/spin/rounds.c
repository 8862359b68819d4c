/* How parts of spins advance.  Parts of one system run rounds of several phases and exchange halos between rounds. */
#include <math.h>

#include "dev/core/backend.h"
#include "spin/spin_internal.h"

#define ROUND_NANOSECONDS 30000 /* overhead of a round: launches for halos, and waiting */
#define ROUND_MOST 64           /* phases */
#define HALO_PART 4             /* a halo is at most one HALO_PART'th of a part */

/* ---- rounds and neighbours ---- */

void mw_spins_choose_round(struct mw_spins *s, struct mw_device *const *devices, size_t share)
{
    bool gpus = true;
    for (size_t i = 0; i < s->count; i++)
        gpus = gpus && mw_device_info(devices[i])->kind == MW_DEVICE_GPU;
    const double cells = s->variant->form->rate[gpus] * ROUND_NANOSECONDS;
    const double slab = (double)s->slab_rows * (double)s->options.length[0];
    const double pays = s->phases * mw_exchange_steps(cells, slab, s->phases * s->reach);
    const double room = (double)(share / HALO_PART) / s->reach;
    s->round = (int32_t)fmax(1, fmin(fmin(pays, room), ROUND_MOST));
    s->halo_slabs = s->round * s->reach;
}

/* Each part sends through two channels, one per side.  There are no neighbours beyond ends that are not periodic. */
int mw_spins_join(struct mw_spins *s)
{
    const bool ring = s->options.boundary[s->options.dims - 1] == MW_BOUNDARY_PERIODIC;
    struct mw_channel *channels = NULL;
    int rc;
    TRY(mw_new(s->count * MW_SPIN_SIDES, sizeof *channels, &channels));
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < MW_SPIN_SIDES; k++) {
            struct mw_spin_device *p = &s->parts[i];
            const size_t neighbour = (i + (k == MW_SPIN_ABOVE ? 1 : s->count - 1)) % s->count;
            p->side[k].there = ring || (k == MW_SPIN_ABOVE ? i + 1 < s->count : i > 0);
            p->side[k].send = MW_SPIN_SIDES * i + k;
            p->side[k].receive = MW_SPIN_SIDES * neighbour + (MW_SPIN_SIDES - 1 - k);
            channels[p->side[k].send] = (struct mw_channel){ p->device, s->parts[neighbour].device,
                                                             (size_t)p->mesh.halo * p->row_bytes, false };
        }
    TRY(mw_exchange_new(channels, s->count * MW_SPIN_SIDES, "the mesh of spins", &s->exchange));
    for (size_t i = 0; i < s->count; i++)
        s->parts[i].port = (struct mw_port){ .exchange = s->exchange, .device = s->parts[i].device };
out:
    free(channels);
    return rc;
}

/* ---- steps ---- */

int mw_spins_exchange_part(void *part, void *unused)
{
    struct mw_spin_device *p = part;
    int rc;
    TRY(mw_spin_device_send(p, p->cells));
    TRY(mw_port_post(&p->port));
    TRY(mw_spin_device_receive(p));
out:
    if (rc != 0)
        mw_exchange_break(p->port.exchange);
    return rc;
}

/* Advances a part that shares no system. */
static int advance_whole(struct mw_spin_device *p, uint64_t steps)
{
    const struct mw_spins *s = p->whole;
    for (uint64_t i = 0, done; i < steps; i += done) {
        done = 0;
        if (p->form->several)
            TRY_RETURN(p->form->several(p, s->step + i, steps - i, &done));
        for (int32_t phase = 0; done == 0 && phase < s->phases; phase++) {
            TRY_RETURN(p->form->sweep(p, phase, s->step + i, 0, (int32_t)p->rows));
            if (s->elsewhere)
                mw_buffer_swap(&p->cells, &p->beyond);
        }
        done += done == 0;
    }
    return 0;
}

struct phase {
    int32_t number;
    uint64_t step;
};

/* Sweeps rows begin to end - 1, without those outside the mesh. */
static int sweep_rows(struct mw_spin_device *p, const struct phase *phase, int32_t begin, int32_t end)
{
    const int32_t all = p->mesh.stride[p->mesh.dims - 1] * p->mesh.length[p->mesh.dims - 1] - p->mesh.first;
    const int32_t first = p->side[MW_SPIN_BELOW].there || begin > -p->mesh.first ? begin : -p->mesh.first;
    const int32_t stop = p->side[MW_SPIN_ABOVE].there || end < all ? end : all;
    return first < stop ? p->form->sweep(p, phase->number, phase->step, first, stop) : 0;
}

/* Runs a phase; `slabs` of the halo must be valid after it.  In the last phase of a round (slabs == 0) the rows that
 * the neighbours wait for come first. */
static int sweep_part(struct mw_spin_device *p, const struct phase *phase, int32_t slabs)
{
    const struct mw_spins *s = p->whole;
    const int32_t rows = (int32_t)p->rows, slab = (int32_t)p->slab_rows, beyond = (slabs + s->margin) * slab;
    const int32_t border = (s->halo_slabs + s->margin) * slab;
    const bool apart = slabs == 0 && 2 * border < rows;
    TRY_RETURN(sweep_rows(p, phase, -beyond, apart ? border : rows + beyond));
    if (apart)
        TRY_RETURN(sweep_rows(p, phase, rows - border, rows + beyond));
    if (slabs == 0)
        TRY_RETURN(mw_spin_device_send(p, s->elsewhere ? p->beyond : p->cells));
    if (apart)
        TRY_RETURN(sweep_rows(p, phase, border, rows - border));
    if (slabs == 0)
        TRY_RETURN(mw_port_post(&p->port));
    if (s->elsewhere)
        mw_buffer_swap(&p->cells, &p->beyond);
    return 0;
}

/* Advances a part that shares a system: rounds of phases, each followed by an exchange of halos. A round may continue
 * in the next call, so that measuring after each step costs no exchanges. */
static int advance_rounds(struct mw_spin_device *p, uint64_t steps)
{
    const struct mw_spins *s = p->whole;
    const uint64_t phases = steps * (uint64_t)s->phases;
    for (uint64_t done = 0; done < phases; done++) {
        const struct phase phase = { (int32_t)(done % (uint64_t)s->phases), s->step + done / (uint64_t)s->phases };
        p->left--;
        TRY_RETURN(sweep_part(p, &phase, p->left * s->reach));
        if (p->left == 0)
            TRY_RETURN(mw_spin_device_receive(p));
    }
    return mw_device_flush(p->device);
}

int mw_spins_advance_part(void *part, void *steps)
{
    struct mw_spin_device *p = part;
    int rc;
    TRY(mw_spin_device_rule(p));
    rc = p->whole->borders ? advance_rounds(p, *(uint64_t *)steps) : advance_whole(p, *(uint64_t *)steps);
out:
    if (rc != 0 && p->port.exchange)
        mw_exchange_break(p->port.exchange);
    return rc;
}
/* SPDX-License-Identifier: MIT */
