/* Random walks on carpets by Monte Carlo: many independent walkers with one start.
 *
 * In each step a walker takes one of the 2 dims directions at random, and stays in place if the site there is not
 * accessible.  walk.h computes the exact probabilities of this process.  The random direction depends only on seed,
 * walker and step, so the walkers' coordinates are the same on all devices.
 *
 * Threads: walkers belong to the thread of their devices (device.h). */
#ifndef MESHWORK_WALKERS_H
#define MESHWORK_WALKERS_H

#include <meshwork/carpet.h>
#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options of mw_walkers_new: the number of walkers, the seed of their directions, and their start. */
struct mw_walkers_options {
    size_t size;                       /* sizeof the struct: see status.h */
    size_t walkers;                    /* number of walkers, 1 to 2^31 - 1 */
    uint64_t seed;                     /* seed of the random directions: any number */
    int64_t start[MW_CARPET_DIMS_MAX]; /* site where all walkers start, x first; coordinates -2^30 to 2^30 */
};

/* Handle of walkers: their coordinates at the current step, on one device or several. */
struct mw_walkers;
/* Makes walkers at step 0: all are at the start.  The carpet may be freed before the walkers.  Several devices get
 * equal shares of the walkers, except for a difference of one walker.
 * Errors: MW_EINVAL (the start is not accessible; 0 walkers; a device is given twice), MW_ELIMIT (2^31 walkers or more;
 * a coordinate of the start below -2^30 or above 2^30), those of mw_buffer_new and mw_program_new. */
MW_API int mw_walkers_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                          const struct mw_walkers_options *options, struct mw_walkers **walkers);
MW_API void mw_walkers_free(struct mw_walkers *walkers);
/* Queues steps; mw_walkers_sync waits for them.  On several devices, this call itself waits until the steps are done.
 * Errors: MW_ELIMIT (the current step would be 2^30 or more); MW_EDEVICE and those of mw_launch, after which the
 * walkers can only be freed. */
MW_API int mw_walkers_advance(struct mw_walkers *walkers, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walkers_sync(struct mw_walkers *walkers);
/* Returns the number of the current step: the steps since the start, including queued ones. */
MW_API uint64_t mw_walkers_step(const struct mw_walkers *walkers);
/* Result of mw_walkers_measure: how far the walkers are from the start at the current step. */
struct mw_walkers_measures {
    size_t size; /* sizeof the struct: see status.h */
    /* square_displacement: mean square distance of the walkers from the start; unit of distance: one step
     * error: standard error of this mean; NaN for one walker */
    double square_displacement, error;
};
/* Computes the mean square displacement of the walkers, with the same bits on all devices; waits.  Errors: those of
 * mw_walkers_get. */
MW_API int mw_walkers_measure(struct mw_walkers *walkers, struct mw_walkers_measures *measures);
/* Copies the walkers' coordinates at the current step to a new array; waits.  The array has type i32, and `dims`
 * numbers for each walker, x first.  Coordinates are relative to the start.  The caller frees it by mw_array_free.
 * Errors: MW_EDEVICE, MW_ENOMEM. */
MW_API int mw_walkers_get(struct mw_walkers *walkers, struct mw_array *places);
/* Copies the coordinates as mw_walkers_get does, but to the caller's array `places`.  Errors: MW_EINVAL (`places` has
 * another type or other lengths), those of mw_walkers_get. */
MW_API int mw_walkers_get_into(struct mw_walkers *walkers, struct mw_array *places);
/* Sets the current step and the walkers' coordinates; waits.  `places` is an array that mw_walkers_get returned at that
 * step.
 * Errors: MW_EINVAL (another type or other lengths; a walker at a site that is not accessible; a walker whose absolute
 * coordinates add up to more than `step`), MW_ELIMIT (`step` is 2^30 or more); MW_EDEVICE, after which the walkers can
 * only be freed. */
MW_API int mw_walkers_set(struct mw_walkers *walkers, uint64_t step, const struct mw_array *places);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
