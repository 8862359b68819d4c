/* Words in the order of their first occurrence: a hash table with open addressing over copies of the texts. */
#include <meshwork/graph.h>

#include "graph/file/text.h"

#include <stdlib.h>
#include <string.h>

/* Doubles the number of slots, and fills them again. Entries are distinct, so nothing is compared. */
static int grow_slots(struct mw_dictionary *d)
{
    const size_t slots = d->slots ? 2 * d->slots : 64;
    uint32_t *slot;
    TRY_RETURN(mw_new(slots, sizeof *slot, &slot));
    for (size_t i = 0; i < d->count; i++) {
        size_t s = (size_t)d->entry[i].hash & (slots - 1);
        while (slot[s])
            s = (s + 1) & (slots - 1);
        slot[s] = (uint32_t)(i + 1);
    }
    free(d->slot);
    d->slot = slot;
    d->slots = slots;
    return 0;
}

static int dictionary_append(struct mw_dictionary *d, const char *text, size_t length, uint64_t hash)
{
    uint64_t value;
    if (d->count == MW_VERTICES_MAX || d->length + length + 1 > UINT32_MAX)
        return mw_fail(MW_ELIMIT, "the names of vertices exceed 4 GiB");
    TRY_RETURN(mw_grow(d->count, sizeof *d->entry, &d->entry));
    TRY_RETURN(mw_reserve(d->length, length + 1, 1, &d->bytes_capacity, &d->bytes));
    d->all_numbers = (d->count == 0 || d->all_numbers) && mw_plain_number(text, length, &value);
    d->entry[d->count++] = (struct mw_entry){ hash, (uint32_t)d->length, 0 };
    memcpy(d->bytes + d->length, text, length);
    d->length += length;
    d->bytes[d->length++] = '\0';
    return 0;
}

int mw_dictionary_add(struct mw_dictionary *d, const char *text, size_t length, uint32_t *number)
{
    const uint64_t hash = mw_hash64(text, length, 0);
    if (2 * d->count >= d->slots)
        TRY_RETURN(grow_slots(d));
    size_t s = (size_t)hash & (d->slots - 1);
    for (; d->slot[s]; s = (s + 1) & (d->slots - 1)) {
        const struct mw_entry *e = &d->entry[d->slot[s] - 1];
        /* strncmp stops at the NUL of a shorter text */
        if (e->hash == hash && strncmp(d->bytes + e->start, text, length) == 0 && !d->bytes[e->start + length]) {
            *number = d->slot[s] - 1;
            return 0;
        }
    }
    TRY_RETURN(dictionary_append(d, text, length, hash));
    d->slot[s] = (uint32_t)d->count;
    *number = (uint32_t)d->count - 1;
    return 0;
}

void mw_dictionary_close(struct mw_dictionary *d)
{
    free(d->slot);
    d->slot = NULL;
    d->slots = 0;
}

void mw_dictionary_free(struct mw_dictionary *d)
{
    free(d->entry);
    free(d->bytes);
    free(d->slot);
    *d = (struct mw_dictionary){ 0 };
}
/* SPDX-License-Identifier: MIT */
