/* Random walks on carpets: the probability of where a walker is.
 *
 * After Hoffmann, Hofmann, Lang, Ruenger and Seeger 2010, "Simulating Anomalous Diffusion on Graphics Processing
 * Units".  In a step a walker takes one of the 2 dims directions at random, and stays where it is if the site there is
 * not accessible.  So the probability of being at a site x goes by the master equation (their equation 1)
 *
 *   p'(x) = (sum of p over the accessible neighbours of x + (2 dims - their number) p(x)) / (2 dims).
 *
 * The sum is ((left + right) + (below + above)) + (front + back), then what stays: the same bits on every device, with
 * any variant, split and work-groups.  What is less than 2^-64, in double precision 2^-200, counts as nothing: so no
 * device meets numbers that it may round to zero on its own, and sites further away than
 *
 *   d = sqrt(2 t ln(4 / least)) steps, where a probability is at most 2 exp(-d^2 / 2t) (Carne 1985, Varopoulos 1985)
 *
 * need not exist yet at time t, although a walker could be there: mw_walk_sites counts those that do.
 *
 * Threads: a walk belongs to the thread of its devices (device.h). */
#ifndef MESHWORK_WALK_H
#define MESHWORK_WALK_H

#include <meshwork/carpet.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The variants: row i; NULL beyond the last one. */
MW_API const struct mw_variant *mw_walk_variants(size_t i);

struct mw_walk_options {
    size_t size; /* sizeof the struct: see status.h */
    int64_t start[MW_CARPET_DIMS_MAX];
    uint64_t steps;      /* at most: sites that are reached in so many are prepared */
    bool single;         /* single precision; false: double */
    const char *variant; /* NULL or "auto": by rule, or by measuring; else a row of mw_walk_variants */
};

struct mw_walk;

/* Makes a walk at its start.  On several devices sites are split by the direction in which they lie, and what borders
 * on others is exchanged after each step.  The carpet stays with the walk.  Errors: MW_EINVAL (a start
 * that is not accessible, a variant that there is not, or not for several devices; a device twice), MW_ELIMIT
 * (memory: the sentence says how many steps would fit; 2^31 sites), MW_ENOTSUP (a device without double precision),
 * MW_EBUILD. */
MW_API int mw_walk_new(struct mw_device *const *devices, size_t count, const struct mw_carpet *carpet,
                       const struct mw_walk_options *options, struct mw_walk **walk);
MW_API void mw_walk_free(struct mw_walk *walk);
/* Memory that a walk on one device takes, at most about, on it and beside it on the host, and of these a copy of its
 * last state, without making it.  `variant` as in options, where auto counts as those that it chooses from, each number
 * as the largest of theirs.  Errors: MW_EINVAL. */
struct mw_walk_memory {
    size_t size; /* sizeof the struct: see status.h */
    uint64_t device, host, state;
};
MW_API int mw_walk_bytes(const struct mw_carpet *carpet, const struct mw_walk_options *options,
                         struct mw_walk_memory *memory);
/* Queues steps; on several devices it waits for them.  mw_walk_sync waits until all are done.  After a failure a walk
 * can only be freed.  Errors: MW_EINVAL (more than were prepared), MW_EDEVICE, those of mw_launch. */
MW_API int mw_walk_advance(struct mw_walk *walk, uint64_t steps);
MW_API int mw_walk_sync(struct mw_walk *walk);
MW_API uint64_t mw_walk_step(const struct mw_walk *walk);

/* Sites that are reached in so many steps, or in all that are prepared: site k is the kth in the order outwards, by the
 * number of steps to it, then by place (z, y, x).  A site that no path leads to is none. */
MW_API size_t mw_walk_sites(const struct mw_walk *walk, uint64_t steps);
/* Places of the first n of them relative to the start, int32 [n][dims], x first, into the caller's memory. */
MW_API int mw_walk_places(const struct mw_walk *walk, size_t n, int32_t *places);
/* The probabilities of all that are reached now, in that order, float or double: a new array.  And back, with the step
 * that they are of.  Errors: MW_EINVAL (another type or length, no probabilities, a step that was not prepared). */
MW_API int mw_walk_get(struct mw_walk *walk, struct mw_array *state);
MW_API int mw_walk_set(struct mw_walk *walk, uint64_t step, const struct mw_array *state);
/* The same as a field, the smallest box with all sites that are reached now, whose lowest corner is `low` relative to
 * the start; 0 where there is no site.  Errors: MW_ELIMIT, MW_ENOMEM. */
MW_API int mw_walk_field(struct mw_walk *walk, int64_t *low, struct mw_array *field);
/* What probabilities come to, in double precision, by sums that are rounded at their end alone: all of them, which is 1
 * but for what steps rounded, and <r^2>, their sum with the squared distance from the start.  Waits. */
struct mw_walk_measures {
    size_t size; /* sizeof the struct: see status.h */
    double total, square_displacement;
};
MW_API int mw_walk_measure(struct mw_walk *walk, struct mw_walk_measures *measures);

/* The variant that was chosen. */
MW_API const char *mw_walk_variant(const struct mw_walk *walk);
/* The devices that take part, in order, with their shares of the sites.  Writes at most `max` and returns how many
 * there are. */
struct mw_walk_part { /* a fixed value */
    struct mw_device *device;
    double share;
};
MW_API size_t mw_walk_parts(const struct mw_walk *walk, size_t max, struct mw_walk_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
