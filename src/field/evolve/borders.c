/* A part's borders: from its buffer to its neighbours, and theirs into its state. */
#include "dev/backend.h"
#include "field/evolve/evolve.h"

/* A border: as many slabs as the neighbour has copies of, and the other way round. */
static int slabs_of(const struct mw_part *p, int side)
{
    return side == MW_LOWER ? p->array.place.lower : p->array.place.upper;
}

static size_t bytes_of(const struct mw_part *p, int side)
{
    return (size_t)slabs_of(p, side) * mw_field_array_slab_bytes(&p->array);
}

int mw_borders_collect(struct mw_part *p, struct mw_buffer *buffer)
{
    const struct mw_slabs own = mw_place_own(&p->array.place);
    const int first[MW_SIDES] = { own.first, own.end - p->array.place.upper };
    struct mw_borders *b = &p->borders;
    int rc;
    TRY(mw_beside_fork(p->array.device));
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = bytes_of(p, side);
        for (size_t i = 0; i < p->array.problem->model->info.field_count && bytes; i++) {
            unsigned char *to = mw_exchange_block(b->exchange, b->send[side], b->round) + i * bytes;
            TRY(mw_beside_read(buffer, mw_field_array_at(&p->array, i, first[side]), bytes, to,
                               &b->reads[b->read_count]));
            b->read_count++;
        }
    }
out:
    return rc;
}

int mw_borders_post(struct mw_part *p)
{
    struct mw_borders *b = &p->borders;
    int rc = 0;
    for (size_t i = 0; i < b->read_count; i++) {
        if (rc == 0)
            rc = mw_event_wait(b->reads[i]);
        mw_event_free(b->reads[i]);
    }
    b->read_count = 0;
    for (int side = 0; side < MW_SIDES && rc == 0; side++)
        if (slabs_of(p, side))
            mw_exchange_post(b->exchange, b->send[side], b->round);
    return rc;
}

int mw_borders_receive(struct mw_part *p)
{
    const int first[MW_SIDES] = { 0, mw_place_own(&p->array.place).end };
    struct mw_borders *b = &p->borders;
    int rc = 0;
    for (int side = 0; side < MW_SIDES; side++) {
        const size_t bytes = bytes_of(p, side);
        if (bytes)
            TRY(mw_exchange_wait(b->exchange, b->receive[side], b->round));
        for (size_t i = 0; i < p->array.problem->model->info.field_count && bytes; i++) {
            const unsigned char *block = mw_exchange_block(b->exchange, b->receive[side], b->round);
            struct mw_event *event = NULL;
            TRY(mw_beside_write(p->state, mw_field_array_at(&p->array, i, first[side]), bytes, block + i * bytes,
                                &event));
            /* It is not waited for: the block is written to again only after this part's next reading of borders, and
             * that comes later in the same order. */
            mw_event_free(event);
        }
    }
    TRY(mw_beside_join(p->array.device));
    b->round++;
out:
    return rc;
}
