/* Random walks on carpets: the probability of where a walker is.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units".  In each step, a walker takes one of the 2 dims directions at random, and stays in place if the site there is
 * not accessible.  The probability of being at a site x therefore follows the master equation (their equation 1)
 *
 *   p'(x) = (sum of p over the accessible neighbours of x + (2 dims - their number) p(x)) / (2 dims).
 *
 * The sum is ((left + right) + (below + above)) + (front + back), then the part that stays: the same bits on every
 * device, with any variant, split and work-groups. Values less than 2^-64, in double precision 2^-200, are set to 0.
 * Devices thus never compute subnormal numbers, which some round to zero, and sites further away than
 *
 *   d = sqrt(2 t ln(4 / least)) steps, where a probability is at most 2 exp(-d^2 / 2t) (Carne 1985, Varopoulos 1985)
 *
 * need not exist yet at time t, although a walker could be there: mw_walk_sites counts existing sites.
 *
 * Threads: a walk belongs to the thread of its devices (device.h). */
#ifndef MESHWORK_WALK_H
#define MESHWORK_WALK_H

#include <meshwork/carpet.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_walk_variants(size_t i);

struct mw_walk_options {
    size_t size; /* sizeof the struct: see status.h */
    int64_t start[MW_CARPET_DIMS_MAX];
    uint64_t steps;      /* at most: sites that are reached in so many are prepared */
    bool single;         /* single precision; false: double */
    const char *variant; /* NULL or "auto": by rule, or by measuring; else a row of mw_walk_variants */
};

/* A walk: probabilities of the sites, on a device or split over several. */
struct mw_walk;

/* Makes a walk at its start. On several devices sites are split by their direction from the start, and borders are
 * exchanged after each step. The carpet may be freed before the walk. Errors: MW_EINVAL (a start that is not
 * accessible, an unknown variant, or not for several devices; a device twice), MW_ELIMIT (memory: the message has the
 * number of steps that would fit; 2^31 sites), MW_ENOTSUP (a device without double precision), MW_EBUILD. */
MW_API int mw_walk_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                       const struct mw_walk_options *options, struct mw_walk **walk);
MW_API void mw_walk_free(struct mw_walk *walk);
/* Memory of a walk in bytes: on the device, on the host, and of a copy of its last state. */
struct mw_walk_memory {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t device, host, state;
};
/* Estimates the maximum memory of a walk on one device, without making it. For the variant auto, each number is the
 * maximum over its choices.  Errors: MW_EINVAL. */
MW_API int mw_walk_bytes(const struct mw_carpet *carpet, const struct mw_walk_options *options,
                         struct mw_walk_memory *memory);
/* Queues steps; on several devices it waits for them. mw_walk_sync waits until all are done.  After a failure, the walk
 * can only be freed.  Errors: MW_EINVAL (more than were prepared), MW_EDEVICE, those of mw_launch. */
MW_API int mw_walk_advance(struct mw_walk *walk, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_walk_sync(struct mw_walk *walk);
/* Returns the number of steps since the start. */
MW_API uint64_t mw_walk_step(const struct mw_walk *walk);

/* Returns the number of sites that are reached in so many steps, or in all prepared steps. Site k is the kth in the
 * order outwards, by the number of steps to it, then by place (z, y, x). Unreachable sites are not counted. */
MW_API size_t mw_walk_sites(const struct mw_walk *walk, uint64_t steps);
/* Writes the places of the first n sites, in the order of mw_walk_sites, relative to the start: int32 [n][dims], x
 * first. */
MW_API int mw_walk_places(const struct mw_walk *walk, size_t n, int32_t *places);
/* Makes an array of the probabilities of all sites reached so far, in the order of mw_walk_sites, float or double. */
MW_API int mw_walk_get(struct mw_walk *walk, struct mw_array *state);
/* Copies the probabilities as mw_walk_get does, to an array of that type and length (otherwise MW_EINVAL). */
MW_API int mw_walk_get_into(struct mw_walk *walk, struct mw_array *state);
/* Sets the probabilities, in the form of mw_walk_get, and the step. Errors: MW_EINVAL (another type or length, invalid
 * probabilities, a step that was not prepared). */
MW_API int mw_walk_set(struct mw_walk *walk, uint64_t step, const struct mw_array *state);
/* Makes the probabilities as a field: the smallest box of all sites reached so far, whose lowest corner is `low`
 * relative to the start; 0 at cells without a site. Errors: MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_walk_field(struct mw_walk *walk, int64_t *low, struct mw_array *field);
/* Result of mw_walk_measure. */
struct mw_walk_measures {
    size_t size; /* sizeof the struct: see status.h */
    double total, square_displacement;
};
/* Computes sums of probabilities in double precision, rounded only at the end: their total, which is 1 except for
 * rounding in steps, and <r^2>, their sum with the squared distance from the start. Waits. */
MW_API int mw_walk_measure(struct mw_walk *walk, struct mw_walk_measures *measures);

/* Returns the name of the chosen variant. */
MW_API const char *mw_walk_variant(const struct mw_walk *walk);
/* A device of a walk, and its fraction of the sites. */
struct mw_walk_part { /* a fixed value */
    struct mw_device *device;
    double share;
};
/* Writes at most `max` of the devices of a walk, in order, and returns how many there are. */
MW_API size_t mw_walk_parts(const struct mw_walk *walk, size_t max, struct mw_walk_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
