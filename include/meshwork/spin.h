/* Spins on lattices in any dimension, at a temperature: models, updates, what is measured.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * sections 9 and 10.  A step is a sweep: all spins of one colour of a checkerboard are updated at once, then the next
 * colour.  Random words are counted by seed, site and step.  Acceptance is decided in whole numbers, as in the
 * installed ising, or by our own functions, which are the same on all devices.  A run therefore has the same bits on
 * every device, with any work-groups, layout and split.
 *
 * Threads: spins belong to the thread of their devices (device.h). */
#ifndef MESHWORK_SPIN_H
#define MESHWORK_SPIN_H

#include <meshwork/io.h>
#include <meshwork/lattice.h>
#include <meshwork/model.h>
#include <meshwork/run.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Updates of spins. All lead to the same equilibrium distribution. MW_SPIN_UPDATE_EXCHANGE keeps the sum of the spins
 * constant; the others do not. */
enum mw_spin_update {
    MW_SPIN_UPDATE_METROPOLIS,    /* a spin changes with probability min(1, exp(-dE / T)); or by the model's own rule */
    MW_SPIN_UPDATE_HEAT_BATH,     /* a spin is drawn from its distribution given its neighbours (Glauber) */
    MW_SPIN_UPDATE_EXCHANGE,      /* neighbours exchange their spins with Metropolis' probability (Kawasaki) */
    MW_SPIN_UPDATE_SWENDSEN_WANG, /* clusters of bound spins are reflected, each with probability one half */
    MW_SPIN_UPDATE_WOLFF          /* the cluster of one random spin is reflected: a step is not a sweep */
};
MW_API const char *mw_spin_update_name(int value); /* status.h: "metropolis", "heat-bath", "exchange", ... */
MW_API int mw_spin_update_find(const char *name, enum mw_spin_update *value);

/* Starts of spins. */
enum mw_spin_start {
    MW_SPIN_START_AUTO, /* up if the model declares that and updates change spins; otherwise random */
    MW_SPIN_START_RANDOM,
    MW_SPIN_START_UP,
    MW_SPIN_START_DOWN
};
MW_API const char *mw_spin_start_name(int value); /* status.h: "auto", "noise", "up", "down" */
MW_API int mw_spin_start_find(const char *name, enum mw_spin_start *value);

struct mw_spin_options {
    size_t size; /* sizeof the struct: see status.h */
    unsigned dims;
    size_t length[MW_DIMS_MAX]; /* x first */
    /* Beyond a fixed end spins are the model's parameter `outside`.  In a mirror, as around a dimension of one cell, a
     * spin is its own neighbour: the bond never changes and counts for nothing, which makes the end a free one. */
    enum mw_boundary boundary[MW_DIMS_MAX];
    enum mw_spin_update update;
    enum mw_spin_start start;
    uint64_t seed;
    const double *params;          /* in the order of the model's; NULL: its defaults */
    const struct mw_value *values; /* parameters by name; they override `params`; NULL: none */
    size_t value_count;
    const char *variant; /* NULL or "auto": by rule; else a row of mw_spin_variants */
    /* Number of independent systems of this mesh that advance together: 0 or 1 is one. Several are an additional
     * slowest dimension of states. Each has its own random words, the first one the words of a single system. */
    size_t systems;
    enum mw_lattice_kind lattice; /* where the neighbours are */
    bool fp64;                    /* for models that compute with reals */
};

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_spin_variants(size_t i);
/* Returns the variant for these options, and whether it has the random numbers of spins of one bit: variants with the
 * same numbers have the same trajectories.  `variant` or `bits` may be NULL. Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_choice(const struct mw_model *model, const struct mw_spin_options *options, const char **variant,
                           bool *bits);

/* Spins on a device, or split over several. */
struct mw_spins;

/* Makes spins with their start. On several devices the slowest dimension is split into equal shares of whole slabs, and
 * borders are exchanged after each colour. A chain, and a mesh with fewer slabs than devices, uses fewer devices, with
 * a notice. If there are several systems, each is on one device, without borders. Errors: MW_EINVAL (the size, a
 * parameter, an unsuitable update or variant; a device twice; several devices for clusters of one system); MW_ELIMIT
 * (memory; 2^31 cells along x, 715827882 rows of all systems, 2^31 spins for updates by clusters); MW_ENOTSUP (double
 * precision on a device without it), MW_ENOMEM, MW_EBUILD. */
MW_API int mw_spins_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                        const struct mw_spin_options *options, struct mw_spins **spins);
MW_API void mw_spins_free(struct mw_spins *spins);
/* Estimates the device memory of spins without making them. Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_bytes(const struct mw_model *model, const struct mw_spin_options *options, uint64_t *bytes);
/* Sets all parameters of one system (not NULL), from the next step on; the range of a spin's values must not
 * change.
 * Systems are counted from 0; others are not affected. Errors: MW_EINVAL. */
MW_API int mw_spins_set_params(struct mw_spins *spins, size_t system, const double *params);
/* Sets a parameter of a system by its name, from the next step on; mw_spins_param returns its value. Errors: MW_EINVAL
 * (no such system or parameter; a value that mw_spins_set_params would reject). */
MW_API int mw_spins_set_param(struct mw_spins *spins, size_t system, const char *name, double value);
/* Returns the value of a parameter of a system by its name. Errors: MW_EINVAL (no such system or parameter). */
MW_API int mw_spins_param(const struct mw_spins *spins, size_t system, const char *name, double *value);
/* Queues steps; on several devices it waits for them.  mw_spins_sync waits until all are done.  After a failure spins
 * can only be freed.  Errors: MW_EDEVICE, those of mw_launch. */
MW_API int mw_spins_advance(struct mw_spins *spins, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_spins_sync(struct mw_spins *spins);
/* Copies the state to a new array. Its type is int8; for angles and vectors float32, or float64 with fp64. Several
 * systems are an additional dimension, and so are the three components of vectors, the slowest. MW_EDATA: a model's own
 * rule has made an invalid spin. */
MW_API int mw_spins_get(struct mw_spins *spins, struct mw_array *state);
/* Copies the state as mw_spins_get does, to an array of its type and lengths (otherwise MW_EINVAL). */
MW_API int mw_spins_get_into(struct mw_spins *spins, struct mw_array *state);
/* Sets the state from an array in the form of mw_spins_get. MW_EINVAL: another type, other lengths or invalid values.
 * After a failed write the spins can only be freed. */
MW_API int mw_spins_set(struct mw_spins *spins, const struct mw_array *state);
/* Writes the state to a buffer of the first device, one byte per spin. Errors: MW_EINVAL (the buffer is too small, or
 * on another device; spins are angles or vectors). */
MW_API int mw_spins_cells(struct mw_spins *spins, struct mw_buffer *cells);
/* Returns the number of steps since the start, on which the random numbers depend. */
MW_API uint64_t mw_spins_step(const struct mw_spins *spins);
/* Sets the number of steps since the start, after mw_spins_set with the state of that step. */
MW_API void mw_spins_set_step(struct mw_spins *spins, uint64_t step);

/* Energy and magnetisation per spin of one system. */
struct mw_spin_measures { /* a fixed value */
    double energy, magnetisation;
};
/* Measures energy and magnetisation per spin, for each system. Magnetisation is the mean of signs and whole numbers;
 * for labels (q f - 1) / (q - 1), where f is the share of the most frequent of q; for a clock, angles and vectors the
 * length of the mean direction. Summed exactly on the device; waits. Fills one entry per system. MW_EDATA: an energy is
 * not finite. */
MW_API int mw_spins_measure(struct mw_spins *spins, struct mw_spin_measures *measures);

/* Computes the correlation of one system: the mean product of two spins at a distance along dimension d, over all such
 * pairs in the mesh, also around periodic ends. values[d * range + distance - 1] is for distances 1 to `range`. NAN: no
 * such pairs. On the first device; waits. Errors: MW_EINVAL (several systems; spins that are not numbers: labels, a
 * clock, angles, vectors), MW_ELIMIT, MW_EBUILD. */
MW_API int mw_spins_correlation(struct mw_spins *spins, size_t range, double *values);

/* Computes the size of domains of equal spins of one system, as mw_values_domain_size does (run.h). Errors: MW_EINVAL
 * (several systems, continuous spins, a lattice that is not hypercubic). */
MW_API int mw_spins_domain_size(struct mw_spins *spins, double *size);

/* Decides for parallel tempering whether two systems, the pair of that number, exchange their parameters
 * (mw_spins_set_params) at a step, 1 or more. The probability is min(1, exp(exponent)). With inverse temperatures b and
 * energies E of whole systems, the exponent is (b1 - b2) (E1 - E2). Uses a random word of (seed, step, pair) that
 * updates of spins do not use. */
MW_API bool mw_spin_exchanged(uint64_t seed, uint64_t step, uint64_t pair, double exponent);

/* An estimate and its standard error. */
struct mw_spin_estimate { /* a fixed value */
    double value, error;
};
/* Result of mw_spin_equilibrium_estimate. */
struct mw_spin_equilibrium {
    size_t size; /* sizeof the struct: see status.h */
    struct mw_spin_estimate energy, magnetisation, absolute, specific_heat, susceptibility, binder, energy_time,
        absolute_time;
    size_t bins;
};
/* Estimates means, fluctuations and autocorrelation times from measurements per spin in equilibrium: `copies`
 * contiguous series of n numbers. Standard errors are by the jackknife over bins of about 20 autocorrelation times, or
 * shorter ones if these are fewer than 16. `spins`: number of spins per system.
 *   specific_heat   spins (<e^2> - <e>^2) / T^2
 *   susceptibility  spins (<m^2> - <|m|>^2) / T
 *   binder          1 - <m^4> / (3 <m^2>^2): 2/3 for an ordered system, 0 for a disordered one, each of infinite size
 *   energy_time, absolute_time   mw_values_autocorrelation (run.h) of e and |m|
 * NAN: not available. Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_estimate(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        double spins, double temperature, struct mw_spin_equilibrium *equilibrium);

/* Tests whether the energies e and |m| of mw_spin_equilibrium_estimate are in equilibrium, by mw_values_settling
 * (run.h), and widens the errors in `equilibrium` if not.  Each copy has n numbers; those before `first` were taken in
 * the same run, before the measurement.
 *
 * If a test fails, the errors of e, m and |m| become sqrt(error^2 + w^2).  w is the larger of the quantity's `widening`
 * and its deviation; m uses that of |m|.  In all cases, errors of e and |m| are at least those by the autocorrelation
 * time.
 *
 * `conserves`: updates conserve m (MW_SPIN_UPDATE_EXCHANGE), so only e is tested.  `ground`: measures of a state of the
 * least energy; NULL: unknown.  A copy with constant energy above it is frozen (MW_UNSETTLED_FROZEN).  `widening` is
 * then the sum of the frozen copies' distances from the ground state, divided by `copies`.  `energy` and `absolute`:
 * the tests' results for e and |m|.  Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_settling(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        size_t first, bool conserves, const struct mw_spin_measures *ground,
                                        struct mw_spin_equilibrium *equilibrium, struct mw_settling *energy,
                                        struct mw_settling *absolute);

/* Returns the name of the chosen variant. */
MW_API const char *mw_spins_variant(const struct mw_spins *spins);
/* A device of spins, and its fraction of them. */
struct mw_spin_part { /* a fixed value */
    struct mw_device *device;
    double share;
};
/* Writes at most `max` of the devices of spins, in order, and returns how many there are. */
MW_API size_t mw_spins_parts(const struct mw_spins *spins, size_t max, struct mw_spin_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
