/* Copies of a part's cells to and from the host. */
#include "field/evolve/evolve.h"

int mw_part_read(const struct mw_part *p, struct mw_buffer *buffer, size_t layer, void *whole_layer)
{
    const struct mw_place *place = &p->array.place;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    return mw_buffer_read(buffer, mw_field_array_at(&p->array, layer, place->lower), (size_t)place->own * slab,
                          (char *)whole_layer + (size_t)place->slab * slab, NULL);
}

int mw_part_write(struct mw_part *p, const void *whole)
{
    const struct mw_place *place = &p->array.place;
    const size_t slab = mw_field_array_slab_bytes(&p->array);
    const char *cells = whole;
    for (struct mw_stretch s = { 0 }; mw_place_next(place, &s);)
        for (size_t i = 0; i < p->array.layers; i++)
            TRY_RETURN(mw_buffer_write(p->state, mw_field_array_at(&p->array, i, s.at), (size_t)s.count * slab,
                                       cells + (i * (size_t)place->slabs + (size_t)s.slab) * slab, NULL));
    return 0;
}
/* SPDX-License-Identifier: MIT */
