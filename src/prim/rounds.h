/* Shared by algorithms of several modules that work in rounds, or with races between work-items. Internal. */
#ifndef MW_ROUNDS_H
#define MW_ROUNDS_H

#include <meshwork/device.h>

/* Returns "#define STRICT_ATOMICS 1" (cl/prim/atomics.clh) for devices with that trait, otherwise "": plain loads are
 * then never torn, and much faster. */
const char *mw_strict_atomics(const struct mw_device *device);

/* mw_rounds_repeat runs rounds until one changes nothing. It queues several rounds between two reads of the device.
 * Round r reads changed[r], whether the previous round changed anything, and does nothing if not; it stores 1 to
 * changed[r + 1] if it changes anything. `changed` comes from mw_rounds_new. *rounds is set to the number of rounds,
 * including the last. */
enum { MW_ROUNDS_MOST = 64 };
int mw_rounds_new(struct mw_device *device, struct mw_buffer **changed);
int mw_rounds_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds);

#endif
/* SPDX-License-Identifier: MIT */
