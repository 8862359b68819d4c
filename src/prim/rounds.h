/* What algorithms of several modules share whose items race with each other, or that go round by round. */
#ifndef MW_ROUNDS_H
#define MW_ROUNDS_H

#include <meshwork/device.h>

/* #define STRICT_ATOMICS (cl/prim/atomics.clh) for devices with that trait, else "": elsewhere loads that race with
 * atomic operations are whole, and much faster. */
const char *mw_strict_atomics(const struct mw_device *device);

/* Rounds until one changes nothing.  Several are queued between two looks at the device: round r finds in changed[r]
 * whether the one before it changed anything, has nothing to do where not, and stores 1 to changed[r + 1] where it
 * changes something itself.  `changed` comes from mw_rounds_new.  `rounds`: how many were done, with the one that found
 * nothing. */
enum { MW_ROUNDS_MOST = 64 };
int mw_rounds_new(struct mw_device *device, struct mw_buffer **changed);
int mw_rounds_repeat(struct mw_buffer *changed, int (*round)(void *context, int32_t r), void *context, size_t *rounds);

#endif
/* SPDX-License-Identifier: MIT */
