/* Words that parts publish within one launch: cl/prim/once/look_back.clh. */
#include "prim/prim_internal.h"
#include "prim/sizes.clh"

int mw_prim_once(struct mw_prim *prim, size_t parts, size_t bytes, struct mw_prim_once *once)
{
    struct mw_buffer *words = prim->scratch[MW_PRIM_TOLD];
    const size_t had = words ? mw_buffer_bytes(words) : 0;
    TRY_RETURN(mw_prim_reserve(prim, MW_PRIM_TOLD, ONCE_HEAD + parts * bytes / 2, sizeof(uint32_t), &words));
    /* Clear new words; also when call numbers start over, or after a launch failed. */
    if (mw_buffer_bytes(words) != had || prim->calls == 0 || prim->calls == ONCE_CALLS) {
        TRY_RETURN(mw_buffer_fill(words, 0, mw_buffer_bytes(words), 0));
        prim->calls = prim->parts = 0;
    }
    *once = (struct mw_prim_once){ words, prim->calls + 1, prim->parts };
    prim->calls = 0;
    return 0;
}

void mw_prim_once_done(struct mw_prim *prim, const struct mw_prim_once *once, size_t parts)
{
    prim->calls = once->call;
    prim->parts = once->first + (uint32_t)parts;
}
/* SPDX-License-Identifier: MIT */
