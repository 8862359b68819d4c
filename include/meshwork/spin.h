/* Spins on lattices in any dimension, at a temperature: models, updates and measurements.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * sections 9 and 10.  A step of most updates is a sweep, which updates every spin once.  A sweep consists of phases.
 * Each phase updates all spins of one colour of a checkerboard at once, so that no two neighbours change together.  A
 * model with a rule of its own has one phase, which updates all spins at once.
 *
 * The same seed gives the same bits on every device, with any work-groups, layout and number of devices.  Random
 * numbers depend only on seed, site and step, and updates use integers or the library's own functions.
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

/* Updates of spins.  All lead to the same equilibrium distribution, but MW_SPIN_UPDATE_EXCHANGE keeps the sum of the
 * spins constant. */
enum mw_spin_update {
    MW_SPIN_UPDATE_METROPOLIS,    /* a spin changes with probability min(1, exp(-dE / T)), or by the model's rule */
    MW_SPIN_UPDATE_HEAT_BATH,     /* a spin is drawn from its distribution given its neighbours (Glauber) */
    MW_SPIN_UPDATE_EXCHANGE,      /* neighbours exchange their spins with Metropolis' probability (Kawasaki) */
    MW_SPIN_UPDATE_SWENDSEN_WANG, /* clusters of bound spins are reflected, each with probability one half */
    MW_SPIN_UPDATE_WOLFF          /* the cluster of one random spin is reflected: a step is not a sweep */
};
MW_API const char *mw_spin_update_name(int value); /* Name, see status.h: "metropolis", "heat-bath", "exchange", ... */
/* Finds the update of a name.  Errors: MW_EINVAL. */
MW_API int mw_spin_update_find(const char *name, enum mw_spin_update *value);

/* States in which spins can start. */
enum mw_spin_start {
    /* MW_SPIN_START_UP if `up` of struct mw_model_spin is above 0 and the update is not MW_SPIN_UPDATE_EXCHANGE;
     * otherwise MW_SPIN_START_NOISE. */
    MW_SPIN_START_AUTO,
    MW_SPIN_START_NOISE, /* each spin is drawn at random */
    MW_SPIN_START_UP,   /* all spins are equal: the maximum of signs and whole numbers, label or clock 0, angle 0, +z */
    MW_SPIN_START_DOWN, /* all spins are equal: the minimum, the last label or clock number, angle 1/2, -z */
    /* An exact number of spins is up, at random places, and the others are down: `fractions` of the options times the
     * number of spins, rounded to the nearest whole number.  For models of signs or of two labels, and not for cluster
     * updates. */
    MW_SPIN_START_FRACTION
};
MW_API const char *mw_spin_start_name(int value); /* Name, see status.h: "auto", "noise", "up", "down", "fraction" */
/* Finds the start of a name.  Errors: MW_EINVAL. */
MW_API int mw_spin_start_find(const char *name, enum mw_spin_start *value);

/* Options of mw_spins_new.  `dims` and `length` are required; for all other members 0 is the default. */
struct mw_spin_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* number of dimensions, 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* lengths in cells, x first */
    /* Boundary condition of each dimension; default: periodic.  Beyond a fixed boundary, spins have the value of the
     * model's parameter `outside`.  At a mirror boundary, a spin is its own neighbour, as in a dimension of one cell.
     * A bond of a spin to itself has no effect, so a mirror boundary is a free boundary. */
    enum mw_boundary boundary[MW_DIMS_MAX];
    enum mw_spin_update update;
    enum mw_spin_start start;
    uint64_t seed;                 /* seed of the start and of the updates */
    const double *params;          /* values of all parameters, in the model's order; NULL: its defaults */
    const struct mw_value *values; /* parameters by name, which override `params`; NULL: none */
    size_t value_count;            /* number of elements of `values` */
    const char *variant;           /* name in mw_spin_variants; NULL or "auto": chosen by rule */
    /* Number of independent systems of this mesh that advance together; 0: 1.  With more than one, states have an
     * additional dimension, slower than those of the mesh.  The first system has the random numbers of a single one. */
    size_t systems;
    enum mw_lattice_kind lattice; /* kind of lattice, which determines the neighbours */
    bool fp64;                    /* double precision, for models that compute with real numbers; otherwise single */
    const double *fractions; /* for MW_SPIN_START_FRACTION: fraction of spins up of each system, 0 to 1; else ignored */
};

/* Returns row `i` of the table of variants, with name, description and alias; NULL beyond the last one. */
MW_API const struct mw_variant *mw_spin_variants(size_t i);
/* Finds the variant that mw_spins_new would use, without making spins.
 *   - variant: receives the name of the variant; may be NULL.
 *   - bits: receives true if the variant is named "bits", otherwise false; may be NULL.
 * The variants "bits" and "model" draw random numbers of their own, so each gives other states than the rest.  All
 * other variants give the same states.  Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_choice(const struct mw_model *model, const struct mw_spin_options *options, const char **variant,
                           bool *bits);

/* Handle of spins: the state of one or several systems, on one device or split over several. */
struct mw_spins;

/* Makes spins in their start state.  The caller frees them by mw_spins_free, before the devices are closed.  The model
 * and all arrays in the options may be freed afterwards.  `devices` NULL and `count` 0: the default device.
 *
 * Several devices and one system.  A slab is all cells with the same coordinate along the slowest dimension.  Each
 * device gets an equal share of the slabs, and copies of the adjacent slabs of other devices (the halo).  Halos are
 * exchanged after each round of 1 to 64 phases, not after each phase.  A device needs at least as many slabs as one
 * phase reaches, which are 1 to 3.  If there are too few slabs, or the mesh has only one dimension, some devices are
 * not used, and a notice is logged.
 *
 * Several devices and several systems.  Each system is on one device only, and nothing is exchanged.  If there are
 * fewer systems than devices, some devices are not used, and a notice is logged.
 *
 * Errors:
 *   - MW_EINVAL: invalid size or parameter; the model does not support the update or the variant; a device is given
 *     twice; several devices for one system with a cluster update (Swendsen-Wang or Wolff).
 *   - MW_ELIMIT: too little device memory; 2^31 - 1 cells or more along x; more than 715827882 rows (lines of cells
 *     along x) in all systems together; for a cluster update, 2^31 spins or more in all systems together.
 *   - MW_ENOTSUP: double precision on a device without it.
 *   - MW_ENOMEM, MW_EBUILD. */
MW_API int mw_spins_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                        const struct mw_spin_options *options, struct mw_spins **spins);
/* Frees spins; NULL is allowed. */
MW_API void mw_spins_free(struct mw_spins *spins);
/* Estimates the device memory in bytes of spins on one device, without making them.  Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_bytes(const struct mw_model *model, const struct mw_spin_options *options, uint64_t *bytes);
/* Sets all parameters of a system, from the next step on; `params` is in the order of the model.  `system` counts from
 * 0.  Other systems do not change.  Errors: MW_EINVAL (no such system, an invalid parameter, a change of the number or
 * range of values that a spin can have). */
MW_API int mw_spins_set_params(struct mw_spins *spins, size_t system, const double *params);
/* Sets a parameter of a system by its name, from the next step on.  Errors: MW_EINVAL (no such system or parameter;
 * a value that mw_spins_set_params would reject). */
MW_API int mw_spins_set_param(struct mw_spins *spins, size_t system, const char *name, double value);
/* Finds the value of a parameter of a system by its name.  Errors: MW_EINVAL (no such system or parameter). */
MW_API int mw_spins_param(const struct mw_spins *spins, size_t system, const char *name, double *value);
/* Queues steps; mw_spins_sync waits for them.  If one system is split over several devices, the call waits for most of
 * the steps.  The last ones may still be queued when it returns.  Otherwise it returns without waiting.  After
 * MW_ESTOPPED (mw_progress_to), spins can be advanced further.  After any other error, only mw_spins_free is useful:
 * later calls that read or advance the spins return MW_EDEVICE.  Errors: MW_EDEVICE, those of mw_launch. */
MW_API int mw_spins_advance(struct mw_spins *spins, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_spins_sync(struct mw_spins *spins);
/* Copies the state to a new array, which the caller frees by mw_array_free.  Waits for queued steps.
 *   - type: int8; for angles and vectors float32, or float64 with the option `fp64`.
 *   - dimensions, fastest first: those of the mesh; if there are several systems, one for the systems; for vectors, one
 *     for the three components.
 * Errors: MW_EDATA (the model has made an invalid spin), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_spins_get(struct mw_spins *spins, struct mw_array *state);
/* Copies the state as mw_spins_get does, to an existing array.  Errors: MW_EINVAL (another type or other lengths),
 * those of mw_spins_get. */
MW_API int mw_spins_get_into(struct mw_spins *spins, struct mw_array *state);
/* Sets the state from an array with the type and lengths of mw_spins_get.  The number of steps does not change.
 * Errors: MW_EINVAL (another type, other lengths, an invalid spin; the state is then unchanged), MW_EDEVICE.  After
 * MW_EDEVICE, only mw_spins_free is useful. */
MW_API int mw_spins_set(struct mw_spins *spins, const struct mw_array *state);
/* Copies the state of all systems to a buffer of the first device, in the layout of mw_spins_get, one signed byte per
 * spin.  On one device the copy is queued; on several devices the call waits.  Errors: MW_EINVAL (the buffer is too
 * small; the spins are angles or vectors; with one device, the buffer is on another device). */
MW_API int mw_spins_cells(struct mw_spins *spins, struct mw_buffer *cells);
/* Returns the number of steps since the start.  The random numbers depend on it. */
MW_API uint64_t mw_spins_step(const struct mw_spins *spins);
/* Sets the number of steps since the start, and does not change the state.  To resume, also call mw_spins_set with the
 * state of that step. */
MW_API void mw_spins_set_step(struct mw_spins *spins, uint64_t step);

/* Energy and magnetisation per spin of one system. */
struct mw_spin_measures { /* a fixed value */
    double energy, magnetisation;
};
/* Measures energy and magnetisation per spin, after waiting for queued steps.  `measures` receives one element per
 * system.  The magnetisation depends on the kind of spins:
 *   - signs and whole numbers: the mean of the spins.
 *   - labels: (q f - 1) / (q - 1), where q is the number of labels, and f the fraction of spins with the most frequent
 *     label; 1 if q is 1.
 *   - clock, angles and vectors: the length of the mean of the directions as unit vectors.
 * Errors: MW_EDATA (an energy is not finite). */
MW_API int mw_spins_measure(struct mw_spins *spins, struct mw_spin_measures *measures);

/* Computes correlations of spins, after waiting for queued steps.  A correlation is the mean of the product of two
 * spins at distance r along dimension d, over all such pairs.  Pairs across a periodic boundary are included.
 *   - range: maximum distance, 1 to 524287.
 *   - values: receives the correlation for distance r and dimension d at index d * `range` + r - 1, for r = 1 to
 *     `range`.  NAN if r is not below the length of dimension d.
 * The first device computes all of it.  Errors: MW_EINVAL (several systems, invalid `range`, spins that are not signs
 * or whole numbers), MW_ELIMIT, MW_EBUILD. */
MW_API int mw_spins_correlation(struct mw_spins *spins, size_t range, double *values);

/* Computes the mean size of domains of equal spins, in cells, after waiting for queued steps.  The definition is that
 * of mw_values_domain_size (run.h), where A is the number of pairs of neighbours with different spins.  Errors:
 * MW_EINVAL (several systems, spins that are angles or vectors, a lattice that is not hypercubic). */
MW_API int mw_spins_domain_size(struct mw_spins *spins, double *size);

/* Decides at random whether two systems exchange their parameters, for parallel tempering.  Returns true with
 * probability min(1, exp(`exponent`)).  If the result is true, the caller exchanges the parameters by
 * mw_spins_set_params.
 *   - seed, step, pair: determine the random number, which no update of spins uses.  `step` is the number of the step;
 *     `pair` is a number for the pair of systems.
 *   - exponent: (1 / T1 - 1 / T2) (E1 - E2).  T1 and T2 are the temperatures of the two systems, E1 and E2 their total
 *     energies (not per spin). */
MW_API bool mw_spin_exchanged(uint64_t seed, uint64_t step, uint64_t pair, double exponent);

/* An estimate and its standard error. */
struct mw_spin_estimate { /* a fixed value */
    double value, error;
};
/* Result of mw_spin_equilibrium_estimate: equilibrium values of a system of spins, with standard errors.  e and m are
 * the measured energy and magnetisation per spin, N is the number of spins, T the temperature, and <> a mean. */
struct mw_spin_equilibrium {
    size_t size; /* sizeof the struct: see status.h */
    /* energy: <e>
     * magnetisation: <m>
     * absolute: <|m|>
     * specific_heat: N (<e^2> - <e>^2) / T^2
     * susceptibility: N (<m^2> - <|m|>^2) / T
     * binder: 1 - <m^4> / (3 <m^2>^2); for infinite size 2/3 in an ordered system, 0 in a disordered one
     * energy_time, absolute_time: autocorrelation times of e and |m| (mw_values_autocorrelation, run.h) */
    struct mw_spin_estimate energy, magnetisation, absolute, specific_heat, susceptibility, binder, energy_time,
        absolute_time;
    size_t bins; /* number of bins for the standard errors (mw_spin_equilibrium_estimate) */
};
/* Estimates means, fluctuations and autocorrelation times from measurements in equilibrium.
 *   - energies, magnetisations: measured values per spin.  Each array has `copies` series of n values, one series after
 *     the other.
 *   - spins: number of spins of a system.
 *   - temperature: temperature of all systems.
 *   - equilibrium: receives the estimates; NAN: a value or error cannot be computed.
 *
 * Standard errors are computed by the jackknife (mw_values_jackknife).  A bin has the length of 20 autocorrelation
 * times, the longer one of e and |m|.  If that gives fewer than 16 bins in all series together, bins are shorter. If it
 * gives more than 4096 bins, bins are longer.  Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_estimate(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        double spins, double temperature, struct mw_spin_equilibrium *equilibrium);

/* Tests whether measurements are in equilibrium, by mw_values_settling (run.h) of the energy e and of |m|.  If they are
 * not, raises the standard errors in `equilibrium`.
 *   - energies, magnetisations, n, copies: as for mw_spin_equilibrium_estimate.
 *   - first: index in each series at which the measurement begins; earlier values are from the time before it.
 *   - conserves: true if updates do not change m (MW_SPIN_UPDATE_EXCHANGE); then |m| is not tested.
 *   - ground: energy and magnetisation per spin of a ground state; NULL: unknown, and no copy counts as frozen.
 *   - equilibrium: result of mw_spin_equilibrium_estimate for the measurement; its errors of e, m and |m| change.
 *   - energy, absolute: receive the results of the tests of e and |m|.
 *
 * Frozen copies.  A copy is frozen if all its measured energies are equal and above the energy of the ground state.
 * Copies are tested for this only if the energy passes its own test.  If a copy is frozen, energy->why is
 * MW_UNSETTLED_FROZEN.  `widening` is then the sum of the distances of frozen copies from the ground state, divided by
 * `copies`; `energy` has the distance in energy, `absolute` that in |m|.
 *
 * Standard errors.  If a test fails or a copy is frozen, the errors of e, m and |m| become sqrt(error^2 + w^2).  An
 * error of NAN counts as 0.  For e, w is the larger of energy->widening and energy->deviation.  For m and |m|, w is the
 * larger of the same members of `absolute`.
 *
 * In any case, the errors of e and |m| are then raised to at least `deviation` / sqrt(`copies` * `independent`).  These
 * members are from `energy` for e, from `absolute` for |m|.
 * Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_settling(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        size_t first, bool conserves, const struct mw_spin_measures *ground,
                                        struct mw_spin_equilibrium *equilibrium, struct mw_settling *energy,
                                        struct mw_settling *absolute);

/* Returns the name of the variant in use. */
MW_API const char *mw_spins_variant(const struct mw_spins *spins);
/* Part of spins on one device. */
struct mw_spin_part { /* a fixed value */
    struct mw_device *device;
    double share; /* fraction of all spins that the device updates, 0 to 1 */
};
/* Writes at most `max` parts of spins, in the order of the devices.  Returns the total number of parts. */
MW_API size_t mw_spins_parts(const struct mw_spins *spins, size_t max, struct mw_spin_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
