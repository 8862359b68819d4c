/* Random walks on carpets by Monte Carlo: many independent walkers with one start.
 *
 * In each step a walker takes one of the 2 dims directions at random, and stays in place if the site there is not
 * accessible.  walk.h computes the exact probabilities of this process.  The random direction depends only on seed,
 * walker and step, so places are the same on all devices.
 *
 * Threads: walkers belong to the thread of their devices (device.h). */
#ifndef MESHWORK_WALKERS_H
#define MESHWORK_WALKERS_H

#include <meshwork/carpet.h>
#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of walkers, their start and seed. */
struct mw_walkers_options {
    size_t size;    /* sizeof the struct: see status.h */
    size_t walkers; /* number of walkers, 1 to 2^31 - 1 */
    uint64_t seed;
    int64_t start[MW_CARPET_DIMS_MAX]; /* site of the start, x first */
};

/* Walkers on one device or several. */
struct mw_walkers;
/* Makes walkers at their start.  The carpet may be freed before the walkers.  Errors: MW_EINVAL (the start is not
 * accessible; no walkers; a device is given twice), MW_ELIMIT (2^31 walkers or more; too little memory; a coordinate of
 * the start beyond 2^30), MW_EBUILD. */
MW_API int mw_walkers_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                          const struct mw_walkers_options *options, struct mw_walkers **walkers);
MW_API void mw_walkers_free(struct mw_walkers *walkers);
/* Queues steps; mw_walkers_sync waits for them.  On several devices this call waits itself.  Errors: MW_ELIMIT (2^30
 * steps or more in total); MW_EDEVICE, after which the walkers can only be freed. */
MW_API int mw_walkers_advance(struct mw_walkers *walkers, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walkers_sync(struct mw_walkers *walkers);
/* Returns the number of steps since the start. */
MW_API uint64_t mw_walkers_step(const struct mw_walkers *walkers);
/* Result of mw_walkers_measure. */
struct mw_walkers_measures {
    size_t size; /* sizeof the struct: see status.h */
    /* Mean square distance from the start, and the standard error of this mean (NAN for one walker). */
    double square_displacement, error;
};
/* Computes the mean square displacement, with the same bits on all devices.  Waits. */
MW_API int mw_walkers_measure(struct mw_walkers *walkers, struct mw_walkers_measures *measures);
/* Copies the walkers' coordinates relative to the start to a new array, int32 [walkers][dims], x first.  The caller
 * frees it by mw_array_free. */
MW_API int mw_walkers_get(struct mw_walkers *walkers, struct mw_array *places);
/* Copies the coordinates as mw_walkers_get does, to the caller's array.  Errors: MW_EINVAL (another type or other
 * lengths), those of mw_walkers_get. */
MW_API int mw_walkers_get_into(struct mw_walkers *walkers, struct mw_array *places);
/* Sets the step, and the walkers' coordinates from an array of mw_walkers_get.  Errors: MW_EINVAL (another type, other
 * lengths; a site that is not accessible, or more than `step` steps from the start); MW_ELIMIT (2^30 steps or
 * more). */
MW_API int mw_walkers_set(struct mw_walkers *walkers, uint64_t step, const struct mw_array *places);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
