#include "dev/core/traits.h"
#include "prim/rounds.h"

#include "base/base.h"

const char *mw_strict_atomics(const struct mw_device *device)
{
    return mw_device_info(device)->traits->strict_atomics ? "#define STRICT_ATOMICS 1\n" : "";
}

int mw_rounds_new(struct mw_owner *owner, struct mw_device *device, struct mw_buffer **changed)
{
    return mw_own_buffer(owner, device, (MW_ROUNDS_MOST + 1) * sizeof(int32_t), changed);
}

int mw_rounds_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds)
{
    int32_t flags[MW_ROUNDS_MOST + 1];
    size_t done = 0;
    /* Larger batches save more waits, but may queue more useless rounds. */
    for (int32_t batch = 4;; batch = batch < MW_ROUNDS_MOST ? 2 * batch : batch) {
        TRY_RETURN(mw_buffer_fill(changed, 0, sizeof flags, 0));
        TRY_RETURN(mw_buffer_fill(changed, 0, 1, 1));
        for (int32_t r = 0; r < batch; r++)
            TRY_RETURN(round(context, r));
        TRY_RETURN(mw_buffer_read(changed, 0, ((size_t)batch + 1) * sizeof *flags, flags, NULL));
        for (int32_t r = 1; r <= batch; r++) {
            done++;
            if (!flags[r]) {
                *rounds = done;
                return 0;
            }
        }
    }
    return 0;
}
/* SPDX-License-Identifier: MIT */
