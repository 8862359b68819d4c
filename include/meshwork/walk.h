/* Random walks on carpets: computes the probability that a walker is at a site, for all sites.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units".  In each step, a walker takes one of the 2 dims directions at random, and stays in place if the site there is
 * not accessible.  The probability of being at a site x therefore follows the master equation (their equation 1)
 *
 *   p'(x) = (sum of p over the accessible neighbours of x + (2 dims - their number) p(x)) / (2 dims).
 *
 * The sum is computed as ((left + right) + (below + above)) + (front + back), plus the term of x itself.  Results have
 * the same bits on every device, with any variant, number of devices and work-groups.
 *
 * Values below a limit are set to 0: 2^-64 in single, 2^-200 in double precision.  Devices thus never compute subnormal
 * numbers, which some round to zero.  At time t the probability at a distance of d steps is at most 2 exp(-d^2 / 2t)
 * (Carne 1985, Varopoulos 1985).  Sites farther away than d = sqrt(2 t ln(4 / limit)) are therefore left out.
 *
 * Threads: a walk belongs to the thread of its devices (device.h). */
#ifndef MESHWORK_WALK_H
#define MESHWORK_WALK_H

#include <meshwork/carpet.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row. */
MW_API const struct mw_variant *mw_walk_variants(size_t i);

/* Options of mw_walk_new: they select the start, the number of steps, the precision and the variant. */
struct mw_walk_options {
    size_t size;                       /* sizeof the struct: see status.h */
    int64_t start[MW_CARPET_DIMS_MAX]; /* site of the start, x first */
    uint64_t steps;                    /* maximum number of steps; determines which sites mw_walk_new prepares */
    bool single;                       /* true: single precision; false: double precision */
    const char *variant; /* name in mw_walk_variants; NULL or "auto": chosen by devices and size, or measured */
};

/* Handle of a walk: the probabilities of all sites at the current step, on one device or several. */
struct mw_walk;

/* Makes a walk at step 0: its walker is at the start with probability 1.  The carpet may be freed before the walk.
 *
 * On several devices, each device has the sites in one sector around the start, and borders are exchanged after each
 * step.  If there are fewer sites than devices, some devices are not used, and a notice is logged.
 * Errors:
 *   - MW_EINVAL: the start is not accessible; an unknown variant, or one that supports only one device; a device is
 *     given twice.
 *   - MW_ELIMIT: too little memory (the message has the number of steps that fit); more than 2^31 - 3 sites; sites more
 *     than 2^30 - 2 steps from the start in 2 dimensions, 2^20 - 2 in 3; the variant supports fewer sites.
 *   - MW_ENOTSUP: double precision on a device without it.
 *   - MW_ENOMEM, MW_EBUILD. */
MW_API int mw_walk_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                       const struct mw_walk_options *options, struct mw_walk **walk);
MW_API void mw_walk_free(struct mw_walk *walk);
/* Result of mw_walk_bytes: estimated memory of a walk, in bytes. */
struct mw_walk_memory {
    size_t size; /* sizeof the struct: see status.h */
    /* device: memory of the walk on the device
     * host: memory of the walk on the host
     * state: size of an array of mw_walk_get after the maximum number of steps */
    uint64_t device, host, state;
};
/* Estimates the memory of a walk on one device, before it is made.  For variant auto, each number is the maximum over
 * the variants from which auto chooses.  Errors: MW_EINVAL (an unknown variant). */
MW_API int mw_walk_bytes(const struct mw_carpet *carpet, const struct mw_walk_options *options,
                         struct mw_walk_memory *memory);
/* Queues steps; mw_walk_sync waits for them.  On several devices, this call itself waits for the exchange of borders in
 * each step.
 * Errors: MW_EINVAL (the step would exceed the option `steps`); MW_EDEVICE and those of mw_launch, after which the walk
 * can only be freed. */
MW_API int mw_walk_advance(struct mw_walk *walk, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walk_sync(struct mw_walk *walk);
/* Returns the number of the current step: the steps since the start, including queued ones. */
MW_API uint64_t mw_walk_step(const struct mw_walk *walk);

/* Returns the number of sites that the walker can reach within `steps` steps.  A number above the option `steps` counts
 * as that option.  Sites that are left out, because their probability is below the limit, are not counted.  Sites are
 * ordered by their number of steps from the start, then by z, y and x. */
MW_API size_t mw_walk_sites(const struct mw_walk *walk, uint64_t steps);
/* Writes the coordinates of the first n sites, in the order of mw_walk_sites, to the caller's array `places`.  It has n
 * rows of `dims` numbers, x first.  Coordinates are relative to the start.  Errors: MW_EINVAL (n is above the number of
 * sites for the option `steps`). */
MW_API int mw_walk_places(const struct mw_walk *walk, size_t n, int32_t *places);
/* Copies the probabilities at the current step to a new array, which the caller frees by mw_array_free; waits.  The
 * array has one dimension: one number for each site reached so far, in the order of mw_walk_sites.  Its type is f32 for
 * single precision, f64 for double.  Errors: MW_EDEVICE, MW_ENOMEM. */
MW_API int mw_walk_get(struct mw_walk *walk, struct mw_array *state);
/* Copies the probabilities as mw_walk_get does, but to the caller's array `state`.  Errors: MW_EINVAL (`state` has
 * another type or length), those of mw_walk_get. */
MW_API int mw_walk_get_into(struct mw_walk *walk, struct mw_array *state);
/* Sets the current step and the probabilities; waits.  `state` is an array that mw_walk_get returned at that step.
 * Errors: MW_EINVAL (another type or length; `step` is above the option `steps`; a value that is not 0 and is below the
 * limit or not finite); MW_EDEVICE, after which the walk can only be freed. */
MW_API int mw_walk_set(struct mw_walk *walk, uint64_t step, const struct mw_array *state);
/* Copies the probabilities at the current step to a new field of 2 or 3 dimensions; waits.  The field is the smallest
 * box that contains all sites reached so far.  Cells that are not such a site are 0.
 *   - low: receives the `dims` coordinates of the field's first cell, relative to the start.
 *   - field: receives the array, which the caller frees by mw_array_free.
 * Errors: MW_ELIMIT, MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_walk_field(struct mw_walk *walk, int64_t *low, struct mw_array *field);
/* Result of mw_walk_measure: sums over all sites at the current step. */
struct mw_walk_measures {
    size_t size; /* sizeof the struct: see status.h */
    /* total: sum of the probabilities; differs from 1 by rounding, and by values that were set to 0
     * square_displacement: <r^2>, the mean square distance from the start; unit of distance: one step */
    double total, square_displacement;
};
/* Computes sums of the probabilities; waits.  Sums are as accurate as in twice double precision, then rounded.  Errors:
 * those of mw_walk_get. */
MW_API int mw_walk_measure(struct mw_walk *walk, struct mw_walk_measures *measures);

/* Returns the name of the chosen variant. */
MW_API const char *mw_walk_variant(const struct mw_walk *walk);
/* One device of a walk, and its share of the sites. */
struct mw_walk_part { /* a fixed value */
    struct mw_device *device;
    double share; /* sites of the device, divided by the sites of the walk: 0 to 1 */
};
/* Writes the devices that a walk uses to `parts`, in the order of mw_walk_new.  At most `max` of them are written.
 * Returns how many devices the walk uses, which may be more than `max`. */
MW_API size_t mw_walk_parts(const struct mw_walk *walk, size_t max, struct mw_walk_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
