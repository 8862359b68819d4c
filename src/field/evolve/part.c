/* Parts of a field: their buffers, their place and their cells. */
#include "dev/core/backend.h"
#include "field/evolve/evolve.h"

static void drop_buffers(struct mw_part *p)
{
    mw_owner_drop(&p->placed);
    p->state = p->temp = p->density = NULL;
}

int mw_part_new(struct mw_device *device, const struct mw_problem *problem, const struct mw_field_options *options,
                struct mw_part *part)
{
    *part = (struct mw_part){ 0 };
    return mw_field_array_new(device, problem, options, &part->array);
}

int mw_part_place(struct mw_part *p, const struct mw_place *place)
{
    struct mw_field_plan *const plans[] = { &p->plan, &p->single, &p->energy };
    drop_buffers(p);
    for (size_t i = 0; i < MW_COUNT(plans); i++)
        mw_field_plan_drop(plans[i]);
    TRY_RETURN(mw_field_array_place(&p->array, place));
    TRY_RETURN(mw_own_buffer(&p->placed, p->array.device, p->array.bytes, &p->state));
    TRY_RETURN(mw_own_buffer(&p->placed, p->array.device, p->array.bytes, &p->temp));
    for (size_t i = 0; i < MW_COUNT(plans); i++)
        if (plans[i]->kernels)
            TRY_RETURN(mw_field_plan_fit(plans[i], &p->array));
    p->maps_are_shared = false;
    p->borders.port.round = 0;
    p->speed = (struct mw_part_speed){ 0 };
    return 0;
}

/* A term whose amplitude became 0 has old random numbers in memory.  With several systems each step clears them. */
int mw_part_set_params(struct mw_part *p, size_t system, const double *params)
{
    TRY_RETURN(mw_field_array_set_params(&p->array, system, params));
    if (p->spectral)
        mw_spectral_renew(p->spectral);
    if (p->plan.noises && !mw_field_has_systems(p->array.problem))
        TRY_RETURN(mw_field_plan_hush(&p->plan, &p->array));
    return 0;
}

void mw_part_clear(struct mw_part *p)
{
    /* Releases the blocks of a failed round. */
    mw_port_clear(&p->borders.port);
    mw_field_plan_clear(&p->plan);
    mw_field_plan_clear(&p->single);
    mw_field_plan_clear(&p->energy);
    mw_stream_free(p->stream);
    mw_spectral_free(p->spectral);
    mw_prim_free(p->prim);
    mw_kernel_set_free(p->combining);
    free(p->host);
    drop_buffers(p);
    mw_field_array_clear(&p->array);
}

/* ---- cells ---- */

int mw_part_read(const struct mw_part *p, struct mw_buffer *buffer, struct mw_quantities which, void *whole)
{
    const struct mw_place *place = &p->array.place;
    const struct mw_stretch own = { .at = place->lower, .slab = place->slab, .count = place->own };
    for (size_t i = 0; i < mw_field_array_pieces(&p->array, which, own.count); i++) {
        const struct mw_piece piece = mw_field_array_piece(&p->array, which, i, &own, mw_place_slabs(place));
        TRY_RETURN(mw_buffer_read(buffer, piece.at, piece.bytes, (char *)whole + piece.whole, NULL));
    }
    return 0;
}

int mw_part_write(struct mw_part *p, struct mw_quantities which, const void *whole)
{
    const struct mw_place *place = &p->array.place;
    p->maps_are_shared = false;
    for (struct mw_stretch s = { 0 }; mw_place_next(place, &s);)
        for (size_t i = 0; i < mw_field_array_pieces(&p->array, which, s.count); i++) {
            const struct mw_piece piece = mw_field_array_piece(&p->array, which, i, &s, mw_place_slabs(place));
            TRY_RETURN(mw_buffer_write(p->state, piece.at, piece.bytes, (const char *)whole + piece.whole, NULL));
        }
    return 0;
}

/* ---- exchange of halos ---- */

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
