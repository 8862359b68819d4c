/* Shared by algorithms of several modules that work in rounds, or with races between work-items. Internal. */
#ifndef MW_ROUNDS_H
#define MW_ROUNDS_H

#include "dev/own.h"

/* Maximum number of rounds that mw_rounds_repeat queues before it reads their flags. */
enum { MW_ROUNDS_MOST = 64 };
/* Makes the buffer of flags for mw_rounds_repeat, MW_ROUNDS_MOST + 1 words of 32 bits, which the owner frees. */
int mw_rounds_new(struct mw_owner *owner, struct mw_device *device, struct mw_buffer **changed);
/* Repeats a round until one changes nothing. `round` queues kernels. They do nothing if changed[r] is 0: the previous
 * round changed nothing. They store 1 to changed[r + 1] if they change anything. *rounds is the number of rounds,
 * including the last. */
int mw_rounds_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds);

#endif
/* SPDX-License-Identifier: MIT */
