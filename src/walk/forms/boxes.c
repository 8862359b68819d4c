/* Boxes of places, in a hash table with open addressing. */
#include "walk/walk_internal.h"

/* Same fields as for places in sites.c, since there are no more boxes than places. */
static unsigned field_bits(const struct mw_walk_boxes *b) { return b->dims == 2 ? 32 : 21; }

static size_t slot_of(const struct mw_walk_boxes *b, uint64_t key)
{
    size_t slot = (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & (b->slots - 1);
    while (b->slot[slot] >= 0 && b->key[b->slot[slot]] != key)
        slot = (slot + 1) & (b->slots - 1);
    return slot;
}

/* Grows the table, so that at most half its slots are used. */
static int widen(struct mw_walk_boxes *b)
{
    const size_t slots = b->slots ? 2 * b->slots : 1024;
    uint64_t *key;
    if (2 * (b->count + 1) <= b->slots)
        return 0;
    free(b->slot);
    b->slot = NULL;
    TRY_RETURN(mw_new(slots, sizeof *b->slot, &b->slot));
    key = realloc(b->key, slots / 2 * sizeof *key);
    if (!key)
        return mw_fail(MW_ENOMEM, "out of memory for %zu boxes of sites of a walk: use fewer steps", slots / 2);
    b->key = key;
    b->slots = slots;
    memset(b->slot, 0xff, slots * sizeof *b->slot);
    for (size_t i = 0; i < b->count; i++)
        b->slot[slot_of(b, key[i])] = (int32_t)i;
    return 0;
}

static uint64_t key_of(const struct mw_walk_boxes *b, const int32_t *place)
{
    uint64_t key = 0;
    for (unsigned d = b->dims; d-- > 0;) {
        const int64_t half = (int64_t)1 << (field_bits(b) - 1);
        const int64_t from = place[d] - b->first[d], edge = b->edge[d];
        const int64_t at = from >= 0 ? from / edge : -((-from - 1) / edge) - 1;
        key = key << field_bits(b) | (uint64_t)(at + half);
    }
    return key;
}

int mw_walk_boxes_make(const struct mw_walk_sites *sites, const int32_t *number, size_t count, struct mw_walk_boxes *b)
{
    b->dims = sites->dims;
    TRY_RETURN(mw_new(count, sizeof *b->of, &b->of));
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_of(b, sites->places + (number ? (size_t)number[i] : i) * b->dims);
        TRY_RETURN(widen(b));
        const size_t slot = slot_of(b, key);
        if (b->slot[slot] < 0) {
            b->key[b->count] = key;
            b->slot[slot] = (int32_t)b->count++;
        }
        b->of[i] = b->slot[slot];
    }
    return 0;
}

void mw_walk_boxes_clear(struct mw_walk_boxes *b)
{
    free(b->slot);
    free(b->key);
    free(b->of);
}

int32_t mw_walk_boxes_find(const struct mw_walk_boxes *b, uint64_t key) { return b->slot[slot_of(b, key)]; }

uint64_t mw_walk_boxes_neighbours(const struct mw_walk_boxes *b, uint64_t key, unsigned side)
{
    const uint64_t one = (uint64_t)1 << side / 2 * field_bits(b);
    return side % 2 ? key + one : key - one;
}

void mw_walk_boxes_place(const struct mw_walk_boxes *b, uint64_t key, uint32_t *place)
{
    for (unsigned d = 0; d < b->dims; d++)
        place[d] = (uint32_t)(key >> d * field_bits(b) & (((uint64_t)1 << field_bits(b)) - 1));
}
/* SPDX-License-Identifier: MIT */
