/* Random walks on carpets: the probability that a walker is at a site, for all sites.
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

/* The start, the number of steps and the variant of a walk. */
struct mw_walk_options {
    size_t size;                       /* sizeof the struct: see status.h */
    int64_t start[MW_CARPET_DIMS_MAX]; /* site of the start, x first */
    uint64_t steps;                    /* maximum number of steps; the sites for these are prepared */
    bool single;                       /* true: single precision; false: double */
    const char *variant;               /* name in mw_walk_variants; NULL or "auto": chosen by rule or measurement */
};

/* A walk: the probabilities of all sites, on one device or several. */
struct mw_walk;

/* Makes a walk whose walker is at the start with probability 1.  On several devices, each has the sites in one
 * direction from the start, and borders are exchanged after each step.  The carpet may be freed before the walk.
 * Errors: MW_EINVAL (the start is not accessible; an unknown variant, or one that supports only one device; a device is
 * given twice), MW_ELIMIT (too little memory: the message has the number of steps that fit; more than 2^31 - 3 sites),
 * MW_ENOTSUP (a device without double precision), MW_EBUILD. */
MW_API int mw_walk_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                       const struct mw_walk_options *options, struct mw_walk **walk);
MW_API void mw_walk_free(struct mw_walk *walk);
/* Memory of a walk, in bytes. */
struct mw_walk_memory {
    size_t size; /* sizeof the struct: see status.h */
    /* device, host: memory of the walk on the device and on the host.  state: memory of a copy of its last state. */
    uint64_t device, host, state;
};
/* Estimates the maximum memory of a walk on one device, without making it. For the variant auto, each number is the
 * maximum over its choices.  Errors: MW_EINVAL. */
MW_API int mw_walk_bytes(const struct mw_carpet *carpet, const struct mw_walk_options *options,
                         struct mw_walk_memory *memory);
/* Queues steps; mw_walk_sync waits for them.  On several devices this call waits itself.  Errors: MW_EINVAL (more steps
 * than the option `steps`); MW_EDEVICE and those of mw_launch, after which the walk can only be freed. */
MW_API int mw_walk_advance(struct mw_walk *walk, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walk_sync(struct mw_walk *walk);
/* Returns the number of steps since the start. */
MW_API uint64_t mw_walk_step(const struct mw_walk *walk);

/* Returns the number of sites that are reached within `steps` steps; beyond the option `steps`, the number of all
 * sites. Sites that the walk leaves out, and unreachable ones, are not counted.  Sites are ordered by the number of
 * steps from the start, then by z, y and x. */
MW_API size_t mw_walk_sites(const struct mw_walk *walk, uint64_t steps);
/* Writes the coordinates of the first n sites, in the order of mw_walk_sites and relative to the start.  `places` is an
 * array [n][dims], x first.  Errors: MW_EINVAL (there are fewer than n sites). */
MW_API int mw_walk_places(const struct mw_walk *walk, size_t n, int32_t *places);
/* Copies the probabilities of all sites reached so far to a new array, which the caller frees by mw_array_free.  It has
 * one dimension, in the order of mw_walk_sites, and the walk's precision.  Errors: MW_EDEVICE, MW_ENOMEM. */
MW_API int mw_walk_get(struct mw_walk *walk, struct mw_array *state);
/* Copies the probabilities as mw_walk_get does, to the caller's array.  Errors: MW_EINVAL (another type or length),
 * those of mw_walk_get. */
MW_API int mw_walk_get_into(struct mw_walk *walk, struct mw_array *state);
/* Sets the step, and the probabilities from an array of mw_walk_get at that step.  Errors: MW_EINVAL (another type or
 * length, an invalid probability, a step beyond the option `steps`). */
MW_API int mw_walk_set(struct mw_walk *walk, uint64_t step, const struct mw_array *state);
/* Copies the probabilities to a new field: the smallest box that contains all sites reached so far.  Cells without such
 * a site are 0.  `low` receives the coordinates of the box's first cell, relative to the start.  The caller frees the
 * field by mw_array_free.  Errors: MW_ELIMIT, MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_walk_field(struct mw_walk *walk, int64_t *low, struct mw_array *field);
/* Result of mw_walk_measure. */
struct mw_walk_measures {
    size_t size; /* sizeof the struct: see status.h */
    /* total: sum of the probabilities, 1 except for rounding and values set to 0
     * square_displacement: <r^2>, the mean square distance from the start */
    double total, square_displacement;
};
/* Computes sums of the probabilities in double precision, rounded only at the end; waits. */
MW_API int mw_walk_measure(struct mw_walk *walk, struct mw_walk_measures *measures);

/* Returns the name of the chosen variant. */
MW_API const char *mw_walk_variant(const struct mw_walk *walk);
/* A device, and the fraction of the sites that it updates. */
struct mw_walk_part { /* a fixed value */
    struct mw_device *device;
    double share; /* 0 to 1 */
};
/* Writes the devices of a walk to `parts`, in order, at most `max` of them.  Returns their number, which may be larger
 * than `max`. */
MW_API size_t mw_walk_parts(const struct mw_walk *walk, size_t max, struct mw_walk_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
