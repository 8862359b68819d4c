/* Random walks on carpets by walkers (Monte Carlo): many independent ones, from one start.
 *
 * In each step a walker takes one of the 2 dims directions at random, and stays in place if the site there is not
 * accessible.  The master equation has the exact probabilities of this process.  Walker and step name the random words
 * of the direction, so that places are the same on all devices.
 *
 * Threads: walkers belong to the thread of their devices (device.h). */
#ifndef MESHWORK_WALKERS_H
#define MESHWORK_WALKERS_H

#include <meshwork/carpet.h>
#include <meshwork/device.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mw_walkers_options {
    size_t size; /* sizeof the struct: see status.h */
    size_t walkers;
    uint64_t seed;
    int64_t start[MW_CARPET_DIMS_MAX];
};

/* Walkers on a device, or shared by several. */
struct mw_walkers;
/* Makes walkers at their start. The carpet may be freed before. Errors: MW_EINVAL (the start is not accessible; no
 * walkers; a device twice), MW_ELIMIT (memory; a start beyond 2^30), MW_EBUILD. */
MW_API int mw_walkers_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                          const struct mw_walkers_options *options, struct mw_walkers **walkers);
MW_API void mw_walkers_free(struct mw_walkers *walkers);
/* Queues steps; on several devices it waits for them.  mw_walkers_sync waits until all are done.  After a failure
 * walkers can only be freed.  Errors: MW_ELIMIT (2^30 steps or more), MW_EDEVICE. */
MW_API int mw_walkers_advance(struct mw_walkers *walkers, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walkers_sync(struct mw_walkers *walkers);
/* Returns the number of steps since the start. */
MW_API uint64_t mw_walkers_step(const struct mw_walkers *walkers);
/* Result of mw_walkers_measure. */
struct mw_walkers_measures {
    size_t size;                       /* sizeof the struct: see status.h */
    double square_displacement, error; /* mean, and its standard error (NAN for one walker) */
};
/* Computes the mean square displacement, with the same bits on all devices.  Waits. */
MW_API int mw_walkers_measure(struct mw_walkers *walkers, struct mw_walkers_measures *measures);
/* Copies the walkers' places relative to the start to a new array, int32 [walkers][dims]. */
MW_API int mw_walkers_get(struct mw_walkers *walkers, struct mw_array *places);
/* Copies the places as mw_walkers_get does, to an array of that type and those lengths (otherwise MW_EINVAL). */
MW_API int mw_walkers_get_into(struct mw_walkers *walkers, struct mw_array *places);
/* Sets the walkers' places, in the form of mw_walkers_get, and the step. Errors: MW_EINVAL (another type or other
 * lengths; a place that is not accessible, or not within `step` steps), MW_ELIMIT (2^30 steps or more). */
MW_API int mw_walkers_set(struct mw_walkers *walkers, uint64_t step, const struct mw_array *places);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
