/* Field equations on regular meshes in any dimension: the evolution of models (model.h) on any device.
 *
 * Threads: a field belongs to the thread of its devices (device.h). */
#ifndef MESHWORK_FIELD_H
#define MESHWORK_FIELD_H

#include <meshwork/io.h>
#include <meshwork/lattice.h>
#include <meshwork/model.h>
#include <meshwork/program.h>
#include <meshwork/run.h>
#include <meshwork/tune.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Methods of time integration: Runge-Kutta of second order, Euler, Runge-Kutta of fourth order. */
enum mw_integrator { MW_INTEGRATOR_RK2, MW_INTEGRATOR_EULER, MW_INTEGRATOR_RK4 };
MW_API const char *mw_integrator_name(int value); /* status.h: "rk2", "euler", "rk4" */
MW_API int mw_integrator_find(const char *name, enum mw_integrator *value);

/* Laplacians (LAP): second order (2 d neighbours), fourth order (4 d neighbours), or isotropic to leading order
 * (diagonal neighbours as well; 2 and 3 dimensions). */
enum mw_laplacian { MW_LAPLACIAN_SECOND, MW_LAPLACIAN_FOURTH, MW_LAPLACIAN_ISOTROPIC };
MW_API const char *mw_laplacian_name(int value); /* status.h: "second", "fourth", "isotropic" */
MW_API int mw_laplacian_find(const char *name, enum mw_laplacian *value);

struct mw_field_options {
    size_t size; /* sizeof the struct: see status.h */
    unsigned dims;
    size_t length[MW_DIMS_MAX];             /* x first */
    enum mw_boundary boundary[MW_DIMS_MAX]; /* per dimension; fields have their `outside` beyond a fixed one */
    double dt;                              /* 0: the model's */
    enum mw_integrator integrator;
    enum mw_laplacian laplacian;
    bool fp64;
    bool fast_math;
    uint64_t seed;
    const double *params;          /* in the order of the model's; NULL: its defaults */
    const struct mw_value *values; /* parameters by name; they override `params`; NULL: none */
    size_t value_count;
    const char *variant;  /* NULL or "auto": tuned; else a row of mw_field_variants */
    const char *shape;    /* NULL, or parts of a shape that are fixed by hand (mw_shape_parse) */
    bool no_tune;         /* by rule, without measuring */
    double tune_budget;   /* seconds for tuning on first use; 0: about one */
    bool retune;          /* measure all candidates even where an entry is remembered */
    const double *shares; /* fixed shares of several devices, in any unit; NULL: by measured speed during the run */
    /* Number of independent systems of this mesh that advance together: 0 or 1 is one. Several are an additional
     * slowest dimension of states, after up to seven of the mesh. System i has the start and the noise, and therefore
     * the bits, of a single one with the seed `seed` + i. */
    size_t systems;
    double spacing[MW_DIMS_MAX]; /* distance of cells along each dimension; 0: 1 */
    bool constant;               /* start without noise: from the means, or as the model gives by place */
};

/* Returns row i of the table of variants, which describes each; NULL beyond the last one. */
MW_API const struct mw_variant *mw_field_variants(size_t i);

/* A field: a model's state on a device, or split over several. */
struct mw_field;

/* Makes a field with its noisy start (Philox4x32-10, keyed by seed and counted by site and field: the same on every
 * device).  The model may be freed before the field.
 *
 * If the device has too little memory, the state stays in the host's memory, with the same bits and a notice.  Windows
 * of a few slabs are then loaded to the device one after the other; a slab is a layer of the slowest dimension.  Each
 * window does several steps before it is stored, so that computing takes at least as long as the transfers.  It is
 * loaded with the neighbouring slabs that these steps read.  With several devices, each does this for its own part.
 *
 * Several devices give the same bits.  The field is split along its slowest dimension into parts of whole slabs, in
 * proportion to the devices' speed, which is measured during the run; parts move if that pays.  Borders are computed
 * first, and exchanged while the rest is computed, from device to device or through the host.  This is algorithm 8 of
 * Hawick, Leist and Playne, "Mixing Multi-Core CPUs and GPUs".  However, deeper borders are exchanged after one or more
 * steps instead of after each update.  Devices are unused, with a notice, if the slowest dimension is too short for
 * them.  Several systems are distributed as wholes, without borders.  Nothing else may use the devices during a call
 * below.
 * Errors: MW_EINVAL (also a device twice, or shares that are not positive), MW_ELIMIT (memory), MW_EBUILD,
 * MW_ENOTSUP. */
MW_API int mw_field_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                        const struct mw_field_options *options, struct mw_field **field);
MW_API void mw_field_free(struct mw_field *field);
/* Gives one system other parameters, all of them (not NULL), from the next step on.  Systems are counted from 0; what
 * others do does not depend on it.  Errors: MW_EINVAL. */
MW_API int mw_field_set_params(struct mw_field *field, size_t system, const double *params);
/* Sets a parameter of a system by its name, from the next step on; mw_field_param returns its value. Errors: MW_EINVAL
 * (no such system or parameter; a value that mw_field_set_params would reject). */
MW_API int mw_field_set_param(struct mw_field *field, size_t system, const char *name, double value);
/* Returns the value of a parameter of a system by its name. Errors: MW_EINVAL (no such system or parameter). */
MW_API int mw_field_param(const struct mw_field *field, size_t system, const char *name, double *value);
/* Returns the additions and multiplications of a step of a cell, by the signs and operators in the model's text. Each
 * stage counts once per cell, and the model's own functions do not count. Any kernel needs at least as many. NaN:
 * unknown, since the model has noise. */
MW_API double mw_field_operations(const struct mw_field *field);
/* Return the number of windows of a streaming field, and the maximum number of steps of a visit. Advancing by multiples
 * of the latter is fastest. A field that does not stream has 1 window, and visits of 1 step. */
MW_API size_t mw_field_windows(const struct mw_field *field, unsigned *steps);
/* Returns the maximum device memory of a field that does not stream, without making it. It counts the state twice;
 * noise terms; the sum of rates and one more state of the classical Runge-Kutta method; a third state of a small mesh;
 * the stages, if the options select the staged variant (the rings of rolling are small). Shapes whose launches take
 * whole steps need no more states, which counts if the options set `steps`.
 * Errors: MW_EINVAL, MW_ELIMIT (overflow). */
MW_API int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes);
/* Queues steps; does not wait. (On several devices it waits for all but the last work.) mw_field_sync
 * waits until they are done.  After a failure the field can only be freed; on several devices, later calls that read or
 * advance it return an error.  Errors: MW_EDEVICE, those of mw_launch. */
MW_API int mw_field_advance(struct mw_field *field, uint64_t steps);
/* Waits until all queued steps are done.  Errors: MW_EDEVICE. */
MW_API int mw_field_sync(struct mw_field *field);
/* Copies the state to a new array. Several fields are an additional slowest dimension, and several systems another one,
 * slower still. */
MW_API int mw_field_get(struct mw_field *field, struct mw_array *state);
/* Sets the state from an array in the form of mw_field_get. Errors: MW_EINVAL (another type or other lengths). */
MW_API int mw_field_set(struct mw_field *field, const struct mw_array *state);
/* Copies the state as mw_field_get does, to an array of its type and lengths. Errors: also MW_EINVAL (another type or
 * other lengths). */
MW_API int mw_field_get_into(struct mw_field *field, struct mw_array *state);
/* Returns the device memory of the state: the cells of the first field, of the second, and so on, as in mw_field_get.
 * It is read-only, and valid until the field is used again. NULL on several devices and for streaming fields. */
MW_API struct mw_buffer *mw_field_buffer(const struct mw_field *field);
/* Returns the number of steps since the start, on which the noise depends. */
MW_API uint64_t mw_field_step(const struct mw_field *field);
/* Sets the number of steps since the start, after mw_field_set with the state of that step. */
MW_API void mw_field_set_step(struct mw_field *field, uint64_t step);
/* Computes mean, variance and range of the finite values of each field, with the bits of mw_values_statistics. The
 * state is reduced on its devices, and repeated calls need no further memory. (A device without double precision sends
 * its cells to the host.) `statistics` has room for one entry per field; if there are several systems, which are copied
 * to the host, for all fields of the first one, of the second one and so on. A non-finite mean indicates a NaN or Inf
 * in the field. Reads the state twice. */
MW_API int mw_field_statistics(struct mw_field *field, struct mw_statistics *statistics);
/* Computes the sum of the model's free energy density over all cells, per system, in double, reduced in the same way.
 * The first call builds programs and buffers, which are kept. Errors: MW_EINVAL (the model lacks an energy). */
MW_API int mw_field_energy(struct mw_field *field, double *energy);
/* Returns the chosen shape, and how it was chosen: "remembered", "tuned", "by rule" or "by hand". On several devices:
 * of the first one. */
MW_API void mw_field_shape(const struct mw_field *field, struct mw_shape *shape, const char **how);
/* The part of a field on one device. */
struct mw_field_part { /* a fixed value */
    struct mw_device *device;
    double share;        /* fraction of the whole's cells */
    double step_seconds; /* computing time of a step, mean since it has this share; 0: not measured */
    struct mw_shape shape;
    const char *how; /* how the shape was chosen: see mw_field_shape */
};
/* Writes at most `max` parts of a field, in the order of its devices, and returns how many there are. */
MW_API size_t mw_field_parts(const struct mw_field *field, size_t max, struct mw_field_part *parts);

/* Computes the mean of each field in a state, in double precision by a fixed tree: the same bits everywhere. `means`
 * holds one element per field. */
MW_API int mw_field_means(const struct mw_array *state, size_t field_count, double *means);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
