/* The devices of a call: the given ones, or the default one. */
#ifndef MW_GIVEN_H
#define MW_GIVEN_H

#include <meshwork/device.h>

/* NULL becomes the default device.  Errors: those of mw_device_default. */
int mw_device_given(struct mw_device **device);
/* NULL and 0 become the default device, which *devices points to as long as the thread lives.  MW_EINVAL: no devices
 * for `what`, but an array or a number of them. */
int mw_devices_given(struct mw_device *const **devices, size_t *count, const char *what);

/* Called where a device is closed: the thread's default device is the next one that it opens. */
void mw_device_default_closed(const struct mw_device *device);

#endif
/* SPDX-License-Identifier: MIT */
