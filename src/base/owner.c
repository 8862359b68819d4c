/* Owners of objects that are freed together. */
#include "base/base.h"

struct mw_owned {
    struct mw_owned *before;
    void *object;
    void (*drop)(void *object);
};

int mw_own(struct mw_owner *owner, void *object, void (*drop)(void *object))
{
    struct mw_owned *owned;
    const int rc = mw_new(1, sizeof *owned, &owned);
    if (rc) {
        drop(object);
        return rc;
    }
    *owned = (struct mw_owned){ owner->last, object, drop };
    owner->last = owned;
    return 0;
}

int mw_own_new(struct mw_owner *owner, size_t n, size_t size, void *pointer_to_pointer)
{
    void *memory;
    TRY_RETURN(mw_new(n, size, &memory));
    TRY_RETURN(mw_own(owner, memory, free));
    memcpy(pointer_to_pointer, &memory, sizeof memory);
    return 0;
}

static void owner_drop(void *owner) { mw_owner_drop(owner); }

int mw_own_owner(struct mw_owner *owner, struct mw_owner *other) { return mw_own(owner, other, owner_drop); }

void mw_owner_drop(struct mw_owner *owner)
{
    while (owner->last) {
        struct mw_owned *const owned = owner->last;
        owner->last = owned->before;
        owned->drop(owned->object);
        free(owned);
    }
}
/* SPDX-License-Identifier: MIT */
