/* Spins on lattices in any dimension, at a temperature: models, updates and measurements.
 *
 * After Hawick and Playne, "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
 * sections 9 and 10.  A step is a sweep: all spins of one colour of a checkerboard are updated at once, then those of
 * the next colour.  A run has the same bits on every device, with any work-groups, layout and number of devices:
 * random words depend only on seed, site and step, and updates use integers or the library's own functions.
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
MW_API int mw_spin_update_find(const char *name, enum mw_spin_update *value);

/* Starts of spins. */
enum mw_spin_start {
    MW_SPIN_START_AUTO,   /* up if the model declares it and the update is not exchange; otherwise random */
    MW_SPIN_START_RANDOM, /* each spin is drawn at random */
    MW_SPIN_START_UP,  /* all spins are equal: the maximum of signs and whole numbers, label or clock 0, angle 0, +z */
    MW_SPIN_START_DOWN /* all spins are equal: the minimum, the last label or clock number, angle 1/2, -z */
};
MW_API const char *mw_spin_start_name(int value); /* Name, see status.h: "auto", "noise", "up", "down" */
MW_API int mw_spin_start_find(const char *name, enum mw_spin_start *value);

/* The mesh, update, start and parameters of spins. */
struct mw_spin_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* number of dimensions, 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* lengths in cells, x first */
    /* Beyond a fixed boundary, spins have the value of the model's parameter `outside`.  At a mirror boundary a spin is
     * its own neighbour, as in a dimension of one cell.  Such a bond has no effect, so the boundary is a free one. */
    enum mw_boundary boundary[MW_DIMS_MAX];
    enum mw_spin_update update;
    enum mw_spin_start start;
    uint64_t seed;
    const double *params;          /* values of all parameters, in the model's order; NULL: its defaults */
    const struct mw_value *values; /* parameters by name, which override `params`; NULL: none */
    size_t value_count;            /* number of elements of `values` */
    const char *variant;           /* name in mw_spin_variants; NULL or "auto": chosen by rule */
    /* Number of independent systems on meshes of this size that advance together; 0 means 1.  With several, states have
     * one more dimension, the slowest.  The first system has the random words of a single one. */
    size_t systems;
    enum mw_lattice_kind lattice; /* kind of lattice, which determines the neighbours */
    bool fp64;                    /* compute in double precision, for models with real numbers; default: single */
};

/* Returns row i of the table of variants: a name, a description and an alias.  Returns NULL beyond the last row. */
MW_API const struct mw_variant *mw_spin_variants(size_t i);
/* Finds the variant that mw_spins_new would use.  *variant receives its name.  *bits receives whether it is variant
 * bits, which has random numbers of its own; variants with the same numbers give the same states.  `variant` or `bits`
 * may be NULL.  Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_choice(const struct mw_model *model, const struct mw_spin_options *options, const char **variant,
                           bool *bits);

/* Spins on a device, or split over several. */
struct mw_spins;

/* Makes spins in their start state.
 *
 * Several devices: a slab is all cells with the same coordinate along the slowest dimension.  Each device gets an equal
 * share of the slabs, and borders are exchanged after each colour.  If there are fewer slabs than devices, or one
 * dimension only, some devices are not used, and a notice is logged.  Several systems are distributed as a whole, and
 * need no exchange.
 *
 * Errors:
 *   - MW_EINVAL: invalid size or parameter; the model does not support the update or the variant; a device is given
 *     twice; several devices for cluster updates of one system.
 *   - MW_ELIMIT: too little device memory; 2^31 - 1 cells or more along x; more than 715827882 rows of all systems;
 *     2^31 spins or more for cluster updates.
 *   - MW_ENOTSUP: double precision on a device without it.
 *   - MW_ENOMEM, MW_EBUILD. */
MW_API int mw_spins_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                        const struct mw_spin_options *options, struct mw_spins **spins);
MW_API void mw_spins_free(struct mw_spins *spins);
/* Estimates the device memory of spins without making them. Errors: MW_EINVAL, MW_ELIMIT. */
MW_API int mw_spins_bytes(const struct mw_model *model, const struct mw_spin_options *options, uint64_t *bytes);
/* Sets all parameters of one system, for the steps that follow.  Systems are counted from 0.  `params` has the values
 * in the model's order.  The range of a spin's values must not change.  Errors: MW_EINVAL (no such system, an invalid
 * parameter). */
MW_API int mw_spins_set_params(struct mw_spins *spins, size_t system, const double *params);
/* Sets a parameter of a system by its name, for the steps that follow.  Errors: MW_EINVAL (no such system or parameter;
 * a value that mw_spins_set_params would reject). */
MW_API int mw_spins_set_param(struct mw_spins *spins, size_t system, const char *name, double value);
/* Writes the value of a parameter of a system to *value.  Errors: MW_EINVAL (no such system or parameter). */
MW_API int mw_spins_param(const struct mw_spins *spins, size_t system, const char *name, double *value);
/* Queues steps; mw_spins_sync waits for them.  On several devices this call waits itself.  After a failure the spins
 * can only be freed.  Errors: MW_EDEVICE, those of mw_launch. */
MW_API int mw_spins_advance(struct mw_spins *spins, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_spins_sync(struct mw_spins *spins);
/* Copies the state to a new array, which the caller frees by mw_array_free.  Its type is int8; for angles and vectors
 * float32, or float64 with the option fp64.  Its dimensions are those of the mesh, then one for several systems, then
 * one for the three components of vectors.  Errors: MW_EDATA (the model has made an invalid spin), MW_ENOMEM,
 * MW_EDEVICE. */
MW_API int mw_spins_get(struct mw_spins *spins, struct mw_array *state);
/* Copies the state as mw_spins_get does, to the caller's array.  Errors: MW_EINVAL (another type or other lengths),
 * those of mw_spins_get. */
MW_API int mw_spins_get_into(struct mw_spins *spins, struct mw_array *state);
/* Sets the state from an array with the type and lengths of mw_spins_get.  Errors: MW_EINVAL (another type, other
 * lengths, an invalid spin); MW_EDEVICE, after which the spins can only be freed. */
MW_API int mw_spins_set(struct mw_spins *spins, const struct mw_array *state);
/* Writes the state of all systems to a buffer of the first device, one byte per spin.  Errors: MW_EINVAL (the buffer is
 * too small, or on another device; spins are angles or vectors). */
MW_API int mw_spins_cells(struct mw_spins *spins, struct mw_buffer *cells);
/* Returns the number of steps since the start. */
MW_API uint64_t mw_spins_step(const struct mw_spins *spins);
/* Sets the number of steps since the start, on which the random numbers depend.  To resume, call mw_spins_set with the
 * state of that step as well. */
MW_API void mw_spins_set_step(struct mw_spins *spins, uint64_t step);

/* Energy and magnetisation per spin of one system. */
struct mw_spin_measures { /* a fixed value */
    double energy, magnetisation;
};
/* Measures energy and magnetisation per spin; waits.  `measures` receives one element per system.  The magnetisation
 * depends on the spins:
 *   - signs and whole numbers: their mean.
 *   - labels: (q f - 1) / (q - 1), where f is the fraction of the most frequent of q labels.
 *   - clock, angles and vectors: the length of the mean direction.
 * Errors: MW_EDATA (an energy is not finite). */
MW_API int mw_spins_measure(struct mw_spins *spins, struct mw_spin_measures *measures);

/* Computes correlations: mean products of two spins at a distance along a dimension; waits.  values[d * range + r - 1]
 * is for distance r, 1 to `range`, along dimension d.  The mean is over all pairs, including pairs across periodic
 * boundaries; NAN if there is none.  Computed on the first device.
 * Errors: MW_EINVAL (several systems; `range` is not 1 to 524287; spins that are not signs or whole numbers),
 * MW_ELIMIT, MW_EBUILD. */
MW_API int mw_spins_correlation(struct mw_spins *spins, size_t range, double *values);

/* Computes the size of domains of equal spins; waits.  mw_values_domain_size (run.h) has the definition.  Errors:
 * MW_EINVAL (several systems, continuous spins, a lattice that is not hypercubic). */
MW_API int mw_spins_domain_size(struct mw_spins *spins, double *size);

/* Returns whether two systems exchange their parameters, for parallel tempering.  The caller exchanges them by
 * mw_spins_set_params.  The answer is true with probability min(1, exp(exponent)).
 *   - seed, step, pair: determine the random word; updates of spins do not use these words.  `pair` is a number of the
 *     pair of systems; `step` is 1 or more.
 *   - exponent: (1 / T1 - 1 / T2) (E1 - E2), with the temperatures T and energies E of the systems, not per spin. */
MW_API bool mw_spin_exchanged(uint64_t seed, uint64_t step, uint64_t pair, double exponent);

/* An estimate and its standard error. */
struct mw_spin_estimate { /* a fixed value */
    double value, error;
};
/* Result of mw_spin_equilibrium_estimate.  e and m are the measured energy and magnetisation per spin, N is the number
 * of spins, T the temperature, <> a mean. */
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
    size_t bins; /* number of bins from which the errors were computed */
};
/* Estimates means, fluctuations and autocorrelation times from measurements in equilibrium.
 *   - energies, magnetisations: measurements per spin, in `copies` series, one after the other, of n numbers each.
 *   - spins: number of spins per system.
 *
 * Standard errors are computed by the jackknife.  A bin has about 20 autocorrelation times, or less if there would be
 * fewer than 16 bins.  NAN: the value or error cannot be computed.  Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_estimate(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        double spins, double temperature, struct mw_spin_equilibrium *equilibrium);

/* Tests whether measurements are in equilibrium, by mw_values_settling (run.h) of the energy e and of |m|.  Increases
 * the standard errors of e, m and |m| in `equilibrium` if one of the tests fails.
 *   - energies, magnetisations, n, copies: as for mw_spin_equilibrium_estimate.
 *   - first: index in each series at which the measurement begins; earlier numbers are from the same run.
 *   - conserves: true if updates conserve m (MW_SPIN_UPDATE_EXCHANGE); then |m| is not tested.
 *   - ground: measures of a ground state; NULL: unknown, and no copy counts as frozen.
 *   - equilibrium: result of mw_spin_equilibrium_estimate for the measurement.
 *   - energy, absolute: receive the results of the tests of e and |m|.
 *
 * A copy is frozen if its energy is constant and above that of the ground state.  Then energy->why is
 * MW_UNSETTLED_FROZEN.  `widening` is the sum of the frozen copies' distances from the ground state, divided by
 * `copies`.
 *
 * If a test fails, an error becomes sqrt(error^2 + w^2).  w is the larger of `widening` and `deviation`; m has the w of
 * |m|.  The errors of e and |m| are always raised to at least the error from the autocorrelation time.
 * Errors: MW_ENOMEM. */
MW_API int mw_spin_equilibrium_settling(const double *energies, const double *magnetisations, size_t n, size_t copies,
                                        size_t first, bool conserves, const struct mw_spin_measures *ground,
                                        struct mw_spin_equilibrium *equilibrium, struct mw_settling *energy,
                                        struct mw_settling *absolute);

/* Returns the name of the chosen variant. */
MW_API const char *mw_spins_variant(const struct mw_spins *spins);
/* A device, and the fraction of the spins that it updates. */
struct mw_spin_part { /* a fixed value */
    struct mw_device *device;
    double share; /* 0 to 1 */
};
/* Writes the devices of spins to `parts`, in order, at most `max` of them.  Returns their number, which may be larger
 * than `max`. */
MW_API size_t mw_spins_parts(const struct mw_spins *spins, size_t max, struct mw_spin_part *parts);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
