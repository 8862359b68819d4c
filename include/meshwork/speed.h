/* Measured speeds of a device, to compare the rates of algorithms with. */
#ifndef MESHWORK_SPEED_H
#define MESHWORK_SPEED_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measured speeds: medians of several rounds. 0: not supported by the device, or not requested. */
struct mw_speed {
    size_t size; /* sizeof the struct: see status.h */
    /* Bytes read and written per second, in buffers larger than caches: copying; a = b + s * c in single precision. */
    double copy, triad;
    double single, twice;             /* additions plus multiplications per second, in single and double precision */
    double atomics_one, atomics_many; /* atomic additions per second: to one word; to 65536 words at random */
    double launch, launch_waited;     /* seconds per empty launch: without and with waiting after each launch */
    double to_device, from_device;    /* bytes per second of transfers to and from memory of malloc */
    double to_device_staged, from_device_staged; /* bytes per second with staging memory (mw_staging_new) */
};

/* Parts of a measurement.  Each fills some members of struct mw_speed. */
enum mw_speed_parts {
    MW_SPEED_COPY = 1,       /* copy */
    MW_SPEED_TRIAD = 2,      /* triad */
    MW_SPEED_ARITHMETIC = 4, /* single, twice */
    MW_SPEED_ATOMICS = 8,    /* atomics_one, atomics_many */
    MW_SPEED_LAUNCHES = 16,  /* launch, launch_waited */
    MW_SPEED_TRANSFERS = 32, /* the four members with to_device and from_device */
    MW_SPEED_ALL = 63        /* all members */
};

/* Measures the speeds of a device in `parts`, a sum of enum mw_speed_parts. `bytes` is the size of a buffer; 0 means
 * 256 MiB, or an eighth of the device's memory if that is less. Cost: some tenths of a second per part, and three
 * buffers. Errors: MW_EINVAL (fewer than 4096 bytes), MW_ELIMIT, MW_ENOMEM, those of mw_program_new and mw_launch. */
MW_API int mw_speed_measure(struct mw_device *device, unsigned parts, size_t bytes, struct mw_speed *speed);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
