/* Measures the speeds of a device, with which the rates of algorithms can be compared. */
#ifndef MESHWORK_SPEED_H
#define MESHWORK_SPEED_H

#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Result of mw_speed_measure: the speeds of a device. Each is the median of 5 rounds. 0: the device does not support
 * the operation, or it was not measured. */
struct mw_speed {
    size_t size; /* sizeof the struct: see status.h */
    /* Memory bandwidth in bytes per second, the sum of bytes read and bytes written.
     * copy: by copying one buffer to another
     * triad: by a kernel that computes a = b + s * c in single precision */
    double copy, triad;
    /* Arithmetic operations per second; an addition and a multiplication each count as one.
     * single: in single precision
     * twice: in double precision */
    double single, twice;
    /* Atomic additions per second to 32-bit words.
     * atomics_one: all to the same word
     * atomics_many: each to a random one of 65536 words */
    double atomics_one, atomics_many;
    /* Seconds per launch of an empty kernel.
     * launch: launches are queued one after another
     * launch_waited: each launch is waited for before the next is queued */
    double launch, launch_waited;
    /* Bytes per second of copies between device memory and host memory that malloc returns.
     * to_device: by mw_buffer_write
     * from_device: by mw_buffer_read */
    double to_device, from_device;
    double to_device_staged, from_device_staged; /* the same with staging memory (mw_staging_new) */
};

/* Selects parts of a measurement.  Each part sets some members of struct mw_speed. */
enum mw_speed_parts {
    MW_SPEED_COPY = 1,       /* copy */
    MW_SPEED_TRIAD = 2,      /* triad */
    MW_SPEED_ARITHMETIC = 4, /* single, twice */
    MW_SPEED_ATOMICS = 8,    /* atomics_one, atomics_many */
    MW_SPEED_LAUNCHES = 16,  /* launch, launch_waited */
    MW_SPEED_TRANSFERS = 32, /* to_device, from_device, to_device_staged, from_device_staged */
    MW_SPEED_ALL = 63        /* all members */
};

/* Measures speeds of a device; waits.
 * - device: the device; NULL: the default device.
 * - parts: a sum of values of enum mw_speed_parts. Other members of *speed become 0.
 * - bytes: size of a buffer, rounded down to a multiple of 4096. 0: 256 MiB, or less if an eighth of the free device
 *   memory or the largest buffer is smaller. For memory bandwidth, buffers must be larger than the caches.
 * Cost: about 0.1 s per member of struct mw_speed, or 8 passes if these take longer. It allocates three buffers, and
 * for MW_SPEED_TRANSFERS as much host memory as two buffers.
 * Errors: MW_EINVAL (other parts, buffers of fewer than 4096 bytes), MW_ELIMIT, MW_ENOMEM, those of mw_program_new
 * and mw_launch. */
MW_API int mw_speed_measure(struct mw_device *device, unsigned parts, size_t bytes, struct mw_speed *speed);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
