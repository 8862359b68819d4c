/* Simulation of field equations (models of model.h) on regular meshes of any dimension, on one or more devices.
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

/* Methods of time integration.
 * - With a constant time step: second-order Runge-Kutta (midpoint), Euler, classical fourth-order Runge-Kutta.
 * - With steps chosen by an estimate of the error, from a pair of Runge-Kutta methods: Bogacki and Shampine, orders 3
 *   and 2 (1989); Dormand and Prince, orders 5 and 4 (1980). They need a model without noise, a single system, and a
 *   field that fits in the devices' memory.
 * - Exponential time differencing of second and fourth order, ETD2RK and ETDRK4 of Cox and Matthews, J. Comput. Phys.
 *   176 (2002) 430. They treat the linear part of the rates exactly, so that stiff terms do not limit the time step.
 *   They require periodic or mirror boundaries, one device whose memory holds the field, one system, and a model
 *   without maps.
 * - Strang's splitting (SIAM J. Numer. Anal. 5 (1968) 506): half a step of the linear part, exactly; a step of the rest
 *   by the midpoint method; half a step of the linear part. The same requirements. */
enum mw_integrator {
    MW_INTEGRATOR_RK2,
    MW_INTEGRATOR_EULER,
    MW_INTEGRATOR_RK4,
    MW_INTEGRATOR_BS3,
    MW_INTEGRATOR_DP5,
    MW_INTEGRATOR_ETD2,
    MW_INTEGRATOR_ETD4,
    MW_INTEGRATOR_STRANG
};
/* "rk2", "euler", "rk4", "bs3", "dp5", "etd2", "etd4", "strang": see status.h */
MW_API const char *mw_integrator_name(int value);
/* Finds the integrator of a name. Errors: MW_EINVAL. */
MW_API int mw_integrator_find(const char *name, enum mw_integrator *value);
/* Returns row `i` of the table of integrators, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_integrators(size_t i);

/* Discretisations of the Laplacian, which models write as lap. In d dimensions they are:
 * - second: second order, 2 d neighbours.
 * - fourth: fourth order, 4 d neighbours.
 * - isotropic: the leading error has no direction; also diagonal neighbours; only in 2 and 3 dimensions. */
enum mw_laplacian { MW_LAPLACIAN_SECOND, MW_LAPLACIAN_FOURTH, MW_LAPLACIAN_ISOTROPIC };
MW_API const char *mw_laplacian_name(int value); /* "second", "fourth", "isotropic": see status.h */
/* Finds the Laplacian of a name. Errors: MW_EINVAL. */
MW_API int mw_laplacian_find(const char *name, enum mw_laplacian *value);

/* Default of the tolerance of integrators that choose their steps; and the default of the absolute tolerance, as a part
 * of the relative one. */
#define MW_FIELD_TOLERANCE 1e-4
#define MW_FIELD_ABSOLUTE_PART 0.01

/* Options of mw_field_new. `dims` and `length` are required; for all other members 0 is the default. */
struct mw_field_options {
    size_t size;                /* sizeof the struct: see status.h */
    unsigned dims;              /* number of dimensions of the mesh, 1 to MW_DIMS_MAX */
    size_t length[MW_DIMS_MAX]; /* cells along each dimension, x first */
    /* Boundary condition of each dimension. Beyond a fixed boundary, a field has the value `outside` of its model. */
    enum mw_boundary boundary[MW_DIMS_MAX];
    /* Time step above 0, or the first one if the integrator chooses the others; 0: the default of the model. */
    double dt;
    enum mw_integrator integrator;
    enum mw_laplacian laplacian; /* MW_LAPLACIAN_ISOTROPIC: only in 2 and 3 dimensions */
    bool fp64;                   /* double precision; otherwise single */
    bool fast_math;              /* allow the compiler to reorder and approximate floating-point operations */
    uint64_t seed;               /* seed of the start and of the noise */
    /* Values of all parameters, in the order of the model; NULL: the defaults of the model. */
    const double *params;
    const struct mw_value *values; /* parameters by name, which override `params`; NULL: none */
    size_t value_count;            /* number of elements of `values` */
    const char *variant;           /* name of a kernel variant (mw_field_variants); NULL or "auto": chosen by tuning */
    const char *shape;             /* settings of the kernel shape to keep fixed (mw_shape_parse); NULL: none */
    bool no_tune;                  /* choose variant and shape by rules, without measurements */
    double tune_budget;            /* seconds for the measurements of tuning; 0: about one second */
    bool retune;                   /* measure all candidates even if a result is stored */
    /* Fixed shares of the devices: one positive number per device; only their ratios matter. NULL: shares
     * follow the speed that is measured during the run. */
    const double *shares;
    /* Number of independent systems of this mesh that advance together; 0: 1. With more than one, states have an
     * additional dimension, the slowest, and the mesh has at most MW_DIMS_MAX - 1 dimensions. System i gives the same
     * bits as a single system with the seed `seed` + i. */
    size_t systems;
    double spacing[MW_DIMS_MAX]; /* distance between cells along each dimension; 0: 1 */
    /* Start without noise. Each field starts from the function of position that the model defines, otherwise from its
     * mean. */
    bool constant;
    /* Seeds of the start, one per field of the model; NULL: `seed` for all. System i has the seed + i. The noise of the
     * equations has `seed`. */
    const uint64_t *field_seeds;
    /* Tolerances of integrators that choose their time steps. A step is accepted if the estimated error of each field
     * in each cell is at most tolerance_absolute + tolerance |value|. The value is the larger one of before and after
     * the step. 0: MW_FIELD_TOLERANCE, and MW_FIELD_ABSOLUTE_PART of `tolerance`. */
    double tolerance, tolerance_absolute;
};

/* Returns row `i` of the table of variants, with name and description; NULL beyond the last one. */
MW_API const struct mw_variant *mw_field_variants(size_t i);

/* Handle of a field: the state of a model, on one device or split over several. */
struct mw_field;

/* Makes a field in its start state, which is noisy unless the options set `constant`. The noise is Philox4x32-10, keyed
 * by the seed and counted by cell and field, and therefore the same on every device. `devices` NULL and `count` 0: the
 * default device. The model and all arrays in the options may be freed afterwards. The caller frees the field by
 * mw_field_free before its devices are closed. Do not use the devices for anything else during a call of this header.
 *
 * Out of core. If the device has too little memory, the state stays in host memory, and a notice is logged. The result
 * has the same bits. A slab is a layer of the mesh across its slowest dimension. A window is a group of adjacent slabs.
 * Windows are loaded to the device one after the other. For each window:
 * - The neighbouring slabs that its steps read are loaded as well.
 * - The device computes several steps before it stores the window, so that computing takes at least as long as the
 *   transfers.
 * With several devices, each one does this for its own part.
 *
 * Several devices and one system. The result has the same bits. The field is split along its slowest dimension into
 * parts of whole slabs, one per device. Unless the options set `shares`, parts are equal at first. The speed of the
 * devices is then measured during the run. Slabs move to another device if this makes the slowest part faster by more
 * than 5 per cent. Borders are exchanged after each round of several steps. They are computed first, and transferred
 * while the rest is computed. The transfer is from device to device, or through the host. This is algorithm 8 of
 * Hawick, Leist and Playne, "Mixing Multi-Core CPUs and GPUs", which exchanges borders after each update. If the
 * slowest dimension is too short for all devices, fewer are used, and a notice is logged.
 *
 * Several devices and several systems. Each system is on one device, and there are no borders. Systems move between
 * devices as slabs do.
 *
 * Errors: MW_EINVAL (invalid options, a device given twice, a share that is not positive), MW_ELIMIT (too little
 * memory; more than 536870911 cells along a dimension), MW_EBUILD, MW_ENOTSUP (such as double precision on a device
 * without it), MW_ENOMEM. */
MW_API int mw_field_new(struct mw_device *const *devices, size_t count, const struct mw_model *model,
                        const struct mw_field_options *options, struct mw_field **field);
/* Frees a field; NULL is allowed. */
MW_API void mw_field_free(struct mw_field *field);
/* Sets all parameters of a system, from the next step on; `params` is in the order of the model. `system` counts from
 * 0. Other systems do not change. Maps that depend on parameters keep the values that mw_field_new gave them. Errors:
 * MW_EINVAL (no such system, an invalid value). */
MW_API int mw_field_set_params(struct mw_field *field, size_t system, const double *params);
/* Sets a parameter of a system by its name, from the next step on. Errors: MW_EINVAL (no such system or parameter,
 * an invalid value). */
MW_API int mw_field_set_param(struct mw_field *field, size_t system, const char *name, double value);
/* Finds the value of a parameter of a system by its name. Errors: MW_EINVAL (no such system or parameter). */
MW_API int mw_field_param(const struct mw_field *field, size_t system, const char *name, double *value);
/* Returns the number of additions and multiplications that a step needs per cell, as a lower bound for all kernels. It
 * includes the sums of the integrator. The rates are counted from the signs and operators in the text of the model. A
 * stage counts once per evaluation of the rates. Calls of functions that the model defines do not count. NaN: unknown,
 * because the model has noise. */
MW_API double mw_field_operations(const struct mw_field *field);
/* Returns the number of windows of a field that is computed out of core (mw_field_new), on all devices together.
 * `*steps` receives the maximum number of steps that the device computes between load and store of a window. Advancing
 * by multiples of `*steps` is fastest. If the field is not computed out of core, both numbers are 1. */
MW_API size_t mw_field_windows(const struct mw_field *field, unsigned *steps);
/* Computes the maximum device memory in bytes of a field on one device that is not computed out of core, without making
 * the field. It is the sum of:
 * - two states, which include the maps of the model.
 * - the noise terms of the model, unless the options select variant registers, which stores none.
 * - with the classical Runge-Kutta method: two more states. None if the option `shape` sets `steps`.
 * - with MW_INTEGRATOR_BS3 four more states, with MW_INTEGRATOR_DP5 seven.
 * - with exponential time differencing: about 8 more states for second order, 13 for fourth order. Fields that the
 *   equations couple, complex factors and rows of a few cells need more.
 * - a small mesh: one more state, if the options select no variant. Small is at most 16384 cells in 2 or 3 periodic
 *   dimensions, without noise, with the midpoint method.
 * - the stages of the model, if the options select variant staged.
 * - one more state, if the options select variant image or image-tile.
 * The buffers of variant rolling are small and not counted.
 * Errors: MW_EINVAL, MW_ELIMIT (the size overflows). */
MW_API int mw_field_bytes(const struct mw_model *model, const struct mw_field_options *options, uint64_t *bytes);
/* Queues steps; mw_field_sync waits for them. On one device and not out of core, the call returns without waiting. On
 * several devices or out of core, the call waits for most of the steps. The last ones may still be queued when it
 * returns. After MW_ESTOPPED (mw_progress_to), the field can be advanced further. After any other error, the state is
 * undefined: free the field.
 *
 * Integrators that choose their time steps. `steps` counts accepted steps. The call waits for each step, since the host
 * decides on the next one by the largest error of all cells. The steps and their results are the same on every device
 * and any number of devices.
 *
 * Errors: MW_EDEVICE, those of mw_launch, MW_EDATA (the error exceeds the tolerance however short the step: the
 * solution grows without limit or a rate is not finite; the state is that of the last accepted step). */
MW_API int mw_field_advance(struct mw_field *field, uint64_t steps);
/* Advances up to a time, by at most `most` steps. An integrator that chooses its steps shortens the last ones, so that
 * mw_field_time is exactly `time`. With a constant time step, `time` must be a multiple of it. Does nothing if the time
 * has passed. mw_field_step returns the number of steps. Waits for all steps of integrators that choose them.
 * Errors: those of mw_field_advance, MW_EINVAL (`time` is not finite, or not a multiple of the time step). */
MW_API int mw_field_advance_to(struct mw_field *field, double time, uint64_t most);
/* Waits until all queued steps are done. Errors: MW_EDEVICE. */
MW_API int mw_field_sync(struct mw_field *field);
/* Copies the state to a new array, which the caller frees by mw_array_free. Waits for queued steps.
 * - type: float32, or float64 with the option `fp64`.
 * - dimensions, fastest first: those of the mesh; if the model has several fields, one for the fields; if there are
 *   several systems, one for the systems.
 * Errors: MW_ENOTSUP (more than MW_DIMS_MAX dimensions in all), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_field_get(struct mw_field *field, struct mw_array *state);
/* Sets the state from an array with the type and lengths of mw_field_get. The number of steps does not change. Errors:
 * MW_EINVAL (another type or other lengths), MW_EDEVICE. */
MW_API int mw_field_set(struct mw_field *field, const struct mw_array *state);
/* Sets one field or map, and keeps all others. A map is used from the next step on.
 * - name: a field or a map of the model.
 * - array: float32 or float64, with the lengths of the mesh; all systems get the same values. With an additional
 *   dimension for the systems, each system has its own.
 * Errors: MW_EINVAL (unknown name, another type or other lengths), MW_EDATA (a value that is not finite in the
 * precision of the field), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_field_set_one(struct mw_field *field, const char *name, const struct mw_array *array);
/* Copies one field or map to a new array, which the caller frees by mw_array_free. Waits for queued steps.
 * - name: a field or a map of the model.
 * - array: as mw_field_set_one takes it, with a dimension for several systems.
 * Errors: MW_EINVAL (unknown name), MW_ENOTSUP (more than MW_DIMS_MAX dimensions in all), MW_ENOMEM, MW_EDEVICE. */
MW_API int mw_field_get_one(struct mw_field *field, const char *name, struct mw_array *array);
/* Copies the state as mw_field_get does, to an existing array. Errors: MW_EINVAL (another type or other lengths),
 * MW_EDEVICE. */
MW_API int mw_field_get_into(struct mw_field *field, struct mw_array *state);
/* Returns the state in device memory, in the layout of mw_field_get. The buffer is read-only, and valid until the
 * next call with this field. It may be longer. NULL: the field is on several devices or computed out of core, or has
 * several systems and maps. */
MW_API struct mw_buffer *mw_field_buffer(const struct mw_field *field);
/* Returns the number of steps since the start. The noise depends on it. */
MW_API uint64_t mw_field_step(const struct mw_field *field);
/* Sets the number of steps since the start, and does not change the state. To resume, also call mw_field_set with the
 * state of that step, and mw_field_set_pace if the integrator chooses its steps. */
MW_API void mw_field_set_step(struct mw_field *field, uint64_t step);
/* Returns the time since the start. With a constant time step it is the number of steps times the time step. */
MW_API double mw_field_time(const struct mw_field *field);
/* Time and time steps of a field whose integrator chooses them. With a constant time step, `error` and `rejected` are
 * 0. */
struct mw_field_pace {
    size_t size;          /* sizeof the struct: see status.h */
    double time;          /* time since the start */
    double next;          /* the next time step, unless it is shortened for mw_field_advance_to */
    double error;         /* error of the last step as a fraction of the tolerance; 0: none yet */
    double least, most;   /* the shortest and the longest step that was accepted and not shortened; 0: none yet */
    uint64_t rejected;    /* steps that were repeated with a shorter time step */
    uint64_t evaluations; /* evaluations of the rates of all cells */
};
/* Copies the pace of a field to *pace. Errors: MW_EINVAL (the size of the struct). */
MW_API int mw_field_get_pace(const struct mw_field *field, struct mw_field_pace *pace);
/* Sets the pace of a field, to resume: the following steps then have the same bits as without interruption. Errors:
 * MW_EINVAL (the time step is constant; `next` is not positive; a number is not finite). */
MW_API int mw_field_set_pace(struct mw_field *field, const struct mw_field_pace *pace);
/* Computes the mean, variance and range of each field, after waiting for queued steps. The bits are those of
 * mw_values_statistics. A mean that is not finite indicates a NaN or Inf in the field; the other statistics are then
 * undefined. `statistics` receives one entry per field. With several systems, all fields of the first system come
 * first, then those of the second system and so on.
 * Cost: the devices read the state twice. With several systems, or on a device without double precision, the state is
 * copied to the host instead. Errors: MW_EDEVICE, MW_ENOMEM. */
MW_API int mw_field_statistics(struct mw_field *field, struct mw_statistics *statistics);
/* Computes the free energy, after waiting for queued steps. It is the sum of the free energy density of the model over
 * all cells, times the volume of a cell. Sums are in double precision. `energy` receives one number per system. The
 * first call builds programs and buffers, which are kept. Errors: MW_EINVAL (the model defines no energy), MW_EDEVICE,
 * MW_EBUILD. */
MW_API int mw_field_energy(struct mw_field *field, double *energy);
/* Returns the kernel shape in use. With several devices, this is the shape of the first device. `*how` receives how it
 * was chosen:
 * - "remembered": earlier tuning stored it.
 * - "tuned": mw_field_new measured it.
 * - "by rule": chosen without measurements.
 * - "by hand": fixed by the options. */
MW_API void mw_field_shape(const struct mw_field *field, struct mw_shape *shape, const char **how);
/* Part of a field on one device. */
struct mw_field_part { /* a fixed value */
    struct mw_device *device;
    double share;          /* fraction of all cells of the field */
    double step_seconds;   /* mean seconds of a step since the share last changed; 0: not measured */
    struct mw_shape shape; /* kernel shape in use */
    const char *how;       /* how the shape was chosen: see mw_field_shape */
};
/* Writes at most `max` parts of a field, in the order of its devices. Returns the total number of parts. */
MW_API size_t mw_field_parts(const struct mw_field *field, size_t max, struct mw_field_part *parts);

/* Computes the mean of each field of a state in host memory, in double precision. The order of additions is fixed, so
 * the bits are the same on every machine.
 * - state: `field_count` fields of equal size, one after the other; float32 or float64.
 * - means: receives one number per field; 0: the state has no values.
 * Errors: MW_EINVAL (another type; `field_count` is 0 or does not divide the number of values). */
MW_API int mw_field_means(const struct mw_array *state, size_t field_count, double *means);

#ifdef __cplusplus
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
