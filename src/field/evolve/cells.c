/* Copies of a part's cells to and from the host. */
#include "field/evolve/evolve.h"

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
    for (struct mw_stretch s = { 0 }; mw_place_next(place, &s);)
        for (size_t i = 0; i < mw_field_array_pieces(&p->array, which, s.count); i++) {
            const struct mw_piece piece = mw_field_array_piece(&p->array, which, i, &s, mw_place_slabs(place));
            TRY_RETURN(mw_buffer_write(p->state, piece.at, piece.bytes, (const char *)whole + piece.whole, NULL));
        }
    return 0;
}
/* SPDX-License-Identifier: MIT */
