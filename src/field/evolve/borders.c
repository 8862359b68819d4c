/* Exchange of halos: sends a part's borders to its neighbours, and copies theirs into its state. */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

/* Returns the slabs of a border: as many as the neighbour's halo, which has the same size as the part's own. */
static int slabs_of(const struct mw_part *p, int side)
{
    return side == MW_LOWER ? p->array.place.lower : p->array.place.upper;
}

static size_t borders_bytes_of(const struct mw_part *p, int side)
{
    return (size_t)slabs_of(p, side) * mw_field_array_slab_bytes(&p->array);
}

int mw_borders_send(struct mw_part *p, struct mw_buffer *buffer)
{
    const struct mw_slabs own = mw_place_own(&p->array.place);
    const int first[MW_SIDES] = { own.first, own.end - p->array.place.upper };
    struct mw_borders *b = &p->borders;
    TRY_RETURN(mw_second_after_first(p->array.device));
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = borders_bytes_of(p, side);
        for (size_t i = 0; i < mw_model_quantities(p->array.problem->model) && bytes; i++)
            TRY_RETURN(mw_port_read(&b->port, buffer, mw_field_array_at(&p->array, i, first[side]), bytes,
                                    b->send[side], i * bytes));
    }
    return mw_port_send(&b->port);
}

int mw_borders_receive(struct mw_part *p)
{
    const int first[MW_SIDES] = { 0, mw_place_own(&p->array.place).end };
    struct mw_borders *b = &p->borders;
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = borders_bytes_of(p, side);
        for (size_t i = 0; i < mw_model_quantities(p->array.problem->model) && bytes; i++)
            TRY_RETURN(mw_port_write(&b->port, p->state, mw_field_array_at(&p->array, i, first[side]), bytes,
                                     b->receive[side], i * bytes));
    }
    return mw_port_turn(&b->port);
}
/* SPDX-License-Identifier: MIT */
