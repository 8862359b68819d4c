/* Replaces NULL devices of a call by the default device.  Internal. */
#ifndef MW_GIVEN_H
#define MW_GIVEN_H

#include <meshwork/device.h>

/* Replaces *device by the default device if it is NULL.  Errors: those of mw_device_default. */
int mw_device_given(struct mw_device **device);
/* Replaces NULL and 0 by the default device: *devices then points to one that is valid until the thread ends or closes
 * it. `what` is the word for the call in messages. Errors: MW_EINVAL (only one of the two is NULL or 0), those of
 * mw_device_default. */
int mw_devices_given(struct mw_device *const **devices, size_t *count, const char *what);

/* Forgets a device that is being closed if it is the thread's default device, so that the next call opens a new one. */
void mw_device_default_closed(const struct mw_device *device);

#endif
/* SPDX-License-Identifier: MIT */
