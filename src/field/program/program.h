/* Programs of a model for a device: sources, the choice of a shape, and plans, which launch kernels.  Internal.
 *
 * A shape (struct mw_shape) maps cells to work-items.  A slab is all cells with the same coordinate along the slowest
 * dimension: a row in two dimensions, a plane in three, a cell in one. */
#ifndef MW_FIELD_PROGRAM_H
#define MW_FIELD_PROGRAM_H

#include "dev/kernel_set.h"
#include "model/model.h"
#include "field/sizes.clh"

/* ---- variants.c: where cells and stages are kept ---- */

struct mw_field_variant {
#define MW_MEMBER(name, macro) bool name;
    FIELD_PROPERTIES(MW_MEMBER) /* shared with kernels: cl/field/sizes.clh */
#undef MW_MEMBER
    bool images;   /* fields are read through images */
    bool temporal; /* two updates within one launch */
};
/* Finds a variant of mw_field_variants by its name.  MW_EINVAL: unknown name. */
int mw_field_variant(const char *name, struct mw_field_variant *variant);

/* A shape to try on `devices`, a mask of MW_ON_X.  ON_CORES: devices with large caches and many cells per work-item;
 * the other bits select a kind.  `vec`: 0 selects the device's vector length.  `cells`: along x per work-item, or per
 * group if `vec` is 0 and a group is given; 0 for whole rows. */
enum { MW_ON_CORES = 1, MW_ON_GPUS = 2, MW_ON_ACCELERATORS = 4, MW_ON_OTHERS = 8, MW_ON_LANES = 16 };
enum { MW_ANY_DIMS = 0 };
struct mw_field_candidate {
    const char *variant;
    unsigned devices, dims, vec, cells, rows;
    size_t group[2];
    unsigned steps;
};
/* Returns candidate i, the most promising first, or NULL after the last. */
const struct mw_field_candidate *mw_field_candidate(size_t i);

/* Everything that determines a program, except its shape. */
struct mw_problem {
    const struct mw_model *model;
    const struct mw_reach *reach;
    unsigned dims;
    const enum mw_boundary *boundary;
    enum mw_laplacian laplacian;
    enum mw_integrator integrator;
    bool fp64, fast_math;
    size_t systems;        /* independent meshes of equal size */
    const double *spacing; /* distance of cells along each dimension; NULL: 1 */
    unsigned steps_most;   /* time steps that one launch may take; 0: no limit */
    unsigned row_lanes;    /* the largest power of two, up to 16, of which rows along x are a multiple */
};
/* Return whether the model gives boundary conditions of fields along any dimension of the mesh, and whether their
 * functions also extend fields along this dimension: at corners, conditions along x apply first, then along y. */
static inline bool mw_problem_is_edged(const struct mw_problem *problem)
{
    return problem->model->info.bounded & ((1u << problem->dims) - 1);
}
static inline bool mw_problem_has_edges(const struct mw_problem *problem, unsigned dimension)
{
    return mw_problem_is_edged(problem) && dimension < 3 &&
           (problem->model->info.bounded >> dimension & 1 || problem->boundary[dimension] == MW_BOUNDARY_FIXED);
}
/* Returns whether kernels compute coordinates. */
static inline bool mw_problem_is_placed(const struct mw_problem *problem)
{
    return problem->model->has_places || mw_problem_is_edged(problem);
}
/* Returns whether the distance of cells is not 1 along some dimension. */
bool mw_problem_is_spaced(const struct mw_problem *problem);
/* Returns the volume of a cell. */
double mw_problem_volume(const struct mw_problem *problem);
/* Checks the distances of cells.  MW_EINVAL. */
int mw_problem_check_spacing(const struct mw_problem *problem);
/* Returns whether time steps use Fourier transforms; launches are then single updates. */
static inline bool mw_problem_is_spectral(const struct mw_problem *problem)
{
    return problem->integrator == MW_INTEGRATOR_ETD2 || problem->integrator == MW_INTEGRATOR_ETD4 ||
           problem->integrator == MW_INTEGRATOR_STRANG;
}
/* Returns the number of updates per time step. */
static inline int mw_problem_updates(const struct mw_problem *problem)
{
    static const unsigned char updates[] = {
        [MW_INTEGRATOR_EULER] = 1, [MW_INTEGRATOR_RK2] = 2,  [MW_INTEGRATOR_RK4] = 4,  [MW_INTEGRATOR_BS3] = 4,
        [MW_INTEGRATOR_DP5] = 7,   [MW_INTEGRATOR_ETD2] = 1, [MW_INTEGRATOR_ETD4] = 1, [MW_INTEGRATOR_STRANG] = 1
    };
    return updates[problem->integrator];
}
/* Returns whether the integrator chooses its time steps: adaptive.c. */
static inline bool mw_problem_is_adaptive(const struct mw_problem *problem)
{
    return problem->integrator == MW_INTEGRATOR_BS3 || problem->integrator == MW_INTEGRATOR_DP5;
}
/* Returns whether a launch makes at most one update, since the host or the kernels must do more between updates: the
 * model depends on the time or has boundary conditions of its fields, or the integrator combines rates. */
static inline bool mw_problem_is_single(const struct mw_problem *problem)
{
    return problem->model->timed_count > 0 || mw_problem_is_edged(problem) || mw_problem_is_adaptive(problem) ||
           mw_problem_is_spectral(problem);
}
/* Returns the number of states that launches of a shape need in addition to a step's input and output. */
size_t mw_problem_more_states(const struct mw_problem *problem, const struct mw_shape *shape);
static inline size_t mw_problem_real_bytes(const struct mw_problem *problem) { return problem->fp64 ? 8 : 4; }
/* Computes the cells of a field and the bytes of a state for one system with these lengths.  MW_EINVAL, MW_ELIMIT. */
int mw_problem_size(const struct mw_problem *problem, const size_t *length, size_t *cells, size_t *bytes);
/* Returns the number of dimensions with this boundary. */
unsigned mw_problem_count(const struct mw_problem *problem, enum mw_boundary boundary);
/* Returns whether two updates can follow each other within a strip: no end of the mesh may lie in it. */
bool mw_problem_is_endless(const struct mw_problem *problem);
/* Returns whether several updates in registers are exact at mirror boundaries: values beyond an end must remain the
 * mirror image. */
bool mw_problem_keeps_images(const struct mw_problem *problem);
/* Return the cells in memory of one noise term, for `cells` cells in rows of length `row`, and the bytes of all
 * terms. */
static inline size_t mw_noise_cells(size_t cells, size_t row) { return cells / row * NOISE_PITCH(row); }
static inline size_t mw_problem_noise_bytes(const struct mw_problem *problem, size_t cells, size_t row)
{
    return problem->model->noise_count * mw_noise_cells(cells, row) * sizeof(int16_t);
}
/* Return the ghost cells of stored stages beyond either end of a dimension, and the bytes of all stages on a mesh.
 * SIZE_MAX: overflow. */
int mw_problem_ghost(const struct mw_problem *problem, unsigned dimension);
size_t mw_problem_stage_bytes(const struct mw_problem *problem, const size_t *length);
/* Rings of a variant with rings, by shape: `levels`: updates per launch.  `block_x`, `block_1`: block of a work-item or
 * group, not positive if its border leaves no cells.  `flat`: a rectangle that does not roll.  `field_ring`, `slices`:
 * slices of a field, and of all rings of a level.  `halves`: parts of local memory that turns alternate between.
 * `cells`: in all rings and rows of local memory, or 0.  `registers`: cells in a work-item's registers. */
struct mw_rings {
    int levels, block_x, block_1, field_ring, slices, halves;
    bool flat;
    size_t cells, registers;
};
void mw_problem_rings(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_rings *rings);

/* source.c.  Writes the macros that a program of this problem and shape begins with (see cl/field/view.clh). */
int mw_field_defines(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines);
/* Makes the source of a model's program.  `defines` receives the text of source->defines, `texts` the model's.  All
 * must outlive the use of `source`. */
int mw_field_source(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source);
/* Makes the source of a program that only evaluates the free energy. */
int mw_field_energy_source(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines,
                           struct mw_source_text *texts, struct mw_source *source);
#define MW_FIELD_SOURCE_TEXTS 1

/* Programs compiled into the library (generated by mkmodel), by a hash of their macros and their model's text.  A hash
 * of 0 ends the list. */
struct mw_native_program {
    uint64_t hash;
    const struct mw_native_kernel *kernels;
};
extern const struct mw_native_program mw_native_programs[];
uint64_t mw_field_program_hash(const char *defines, const struct mw_model *model);
/* Lanes of native programs: 64 bytes, the widest registers of current CPUs. */
#define MW_NATIVE_LANES(fp64) ((fp64) ? 8u : 16u)

/* choose.c.  Writes the shapes to try on a device for a mesh of these lengths, the rule's choice first; returns their
 * number.  `shapes` has room for MW_SHAPES_MAX. */
#define MW_SHAPES_MAX 40
size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *problem, const size_t *length,
                           struct mw_shape *shapes);
/* Makes a default shape for a variant that the options name, also if no candidate suits the device. */
int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *problem, const char *variant,
                           struct mw_shape *shape);
/* Return whether rings can roll over the mesh, and whether variant temporal supports the problem. */
bool mw_problem_can_roll(const struct mw_problem *problem);
bool mw_problem_can_be_temporal(const struct mw_problem *problem);
/* Returns the bytes of local memory for the rings of a work-item or a group. */
size_t mw_field_ring_bytes(const struct mw_problem *problem, const struct mw_shape *shape);
/* Returns whether work-items of variant registers own enough cells: at least the model's radius along each
 * dimension. */
bool mw_field_owns_enough(const struct mw_problem *problem, const struct mw_shape *shape);
enum { MW_RING_MOST = 13 }; /* turns unrolled by the source: cl/field/registers/roll.clh */

/* ---- check.c ---- */

/* Checks a shape for this problem and device.  MW_EINVAL, MW_ELIMIT: the message gives the reason. */
int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *problem, const size_t *length,
                         const struct mw_shape *shape);

/* ---- small.c: small meshes, where launches and turns take longer than cells ---- */

/* Returns whether groups of a shape keep rectangles, or pieces of a row in one dimension, in registers instead of
 * rolling. */
bool mw_field_is_rectangle(const struct mw_problem *problem, const struct mw_shape *shape);
/* Returns whether one work-item processes the whole mesh for several steps per launch. */
bool mw_field_is_alone(const struct mw_shape *shape);
/* Returns whether such a shape may be chosen for a mesh of these lengths. */
bool mw_field_may_be_alone(const struct mw_problem *problem, const size_t *length);
/* Checks such a shape.  MW_EINVAL: the message gives the reason. */
int mw_field_check_alone(const struct mw_problem *problem, const size_t *length, const struct mw_shape *shape);
/* Returns whether a shape of either kind is worth trying on a mesh. */
bool mw_field_small_is_worth(const struct mw_device_info *device, const struct mw_problem *problem,
                             const size_t *length, const struct mw_shape *shape);
/* Estimates the seconds per update of such a shape; HUGE_VAL if other shapes are expected to be faster. */
double mw_field_small_seconds(const struct mw_device_info *device, const struct mw_problem *problem,
                              const size_t *length, const struct mw_shape *shape);

/* ---- array.c: what launches work on ---- */

/* The position of an array in the whole mesh along the slowest dimension.  It has `own` slabs, the first of which is
 * number `slab` of the whole's `slabs`, between `lower` and `upper` copies of other parts' slabs.  With several systems
 * each slab is a system, and there are no copies. */
struct mw_place {
    int lower, own, upper, slab, slabs;
};
static inline int mw_place_slabs(const struct mw_place *p) { return p->lower + p->own + p->upper; }
/* Advances to the next run of slabs that are consecutive in the whole: `count` slabs from `at` in the array, from
 * `slab` in the whole.  An array may wrap around the whole's ends.  Begin with { 0 }; returns false after the last
 * run. */
struct mw_stretch {
    int at, slab, count;
};
bool mw_place_next(const struct mw_place *place, struct mw_stretch *stretch);

/* A range of an array's slabs: from `first`, before `end`. */
struct mw_slabs {
    int first, end;
};
static inline struct mw_slabs mw_place_own(const struct mw_place *p)
{
    return (struct mw_slabs){ p->lower, p->lower + p->own };
}

/* The geometry of an array of cells on a device: fields are stored one after the other, and so are systems.  Kernels
 * treat it as a mesh of its own. */
struct mw_field_array {
    struct mw_device *device;
    const struct mw_problem *problem;
    struct mw_place place;
    size_t length[MW_DIMS_MAX];
    struct mesh mesh;           /* the same, as passed to kernels */
    size_t cells, bytes;        /* per field and system; in total */
    size_t layers, layer_cells; /* contiguous groups of slabs: one per field; with several systems one for all */
    size_t slab_cells;
    int slab_rows;          /* rows per slab (cells in one dimension); without systems */
    unsigned char *records; /* struct system of the kernels, for each system of the whole */
    size_t record_bytes;
    struct mw_buffer *each; /* `records` on the device; NULL for one system */
    double *params;         /* values for all systems, if the model depends on the time; otherwise NULL */
    size_t whole;           /* length of the whole's slowest dimension, without systems */
    bool loud;              /* a system has, or had, a noise term with amplitude not 0 */
    uint64_t seed, step;    /* keys of the random numbers */
    const uint64_t *starts; /* seeds of the start per field, of the options, for mw_field_noisy_start; NULL: `seed` */
};
/* Makes an array without a place.  `length` is the whole's; `options` give the parameters.  MW_EINVAL: the precision
 * cannot hold a parameter. */
int mw_field_array_new(struct mw_device *device, const struct mw_problem *problem,
                       const struct mw_field_options *options, struct mw_field_array *array);
/* Sets the place, which determines the length of the slowest dimension. */
int mw_field_array_place(struct mw_field_array *array, const struct mw_place *place);
void mw_field_array_clear(struct mw_field_array *array);
/* Sets the parameters of a system of the whole (NULL: the model's defaults).  MW_EINVAL. */
int mw_field_array_set_params(struct mw_field_array *array, size_t system, const double *params);
/* Computes the parameters that depend on the time, for a launch at this time, and on means of the model's densities,
 * MW_DENSITIES_MAX per system (NULL: 0).  MW_ENOMEM. */
int mw_field_array_set_time(struct mw_field_array *array, double time, const double *means);
/* Return the kernels' struct params for a single system, and a mask of the noise terms with amplitude 0. */
struct mw_arg mw_field_array_params(const struct mw_field_array *array);
uint64_t mw_field_array_silent(const struct mw_field_array *array);
static inline bool mw_field_has_systems(const struct mw_problem *problem) { return problem->systems > 1; }
/* The range of a launch: slabs of a mesh, and `systems` systems from `system`. */
struct mw_extent {
    struct mw_slabs slabs;
    int system, systems;
};
struct mw_extent mw_field_array_extent(const struct mw_field_array *array, struct mw_slabs slabs);
/* Returns the kernels' description of the launch: systems, and keys of the random numbers in the array's step. */
struct launch mw_field_array_launch(const struct mw_field_array *array, const struct mw_extent *over);
/* Adds a dimension for systems to a range if there are several. */
struct mw_range mw_field_over_systems(struct mw_range range, int systems);
/* Return the byte offset of a layer's slab, and the bytes of a slab. */
size_t mw_field_array_at(const struct mw_field_array *array, size_t layer, int slab);
size_t mw_field_array_slab_bytes(const struct mw_field_array *array);

/* Quantities of a state (mw_model_quantities). */
struct mw_quantities {
    size_t first, count;
};
/* A piece of these quantities in a run of slabs: bytes that are consecutive at offset `at` of an array of `slabs`
 * slabs, and at offset `whole` of a state of the whole with these quantities only. */
struct mw_piece {
    size_t at, whole, bytes;
};
/* Return the number of pieces, and piece i. */
size_t mw_field_array_pieces(const struct mw_field_array *array, struct mw_quantities which, int slabs);
struct mw_piece mw_field_array_piece(const struct mw_field_array *array, struct mw_quantities which, size_t i,
                                     const struct mw_stretch *stretch, int slabs);

/* Returns the compute units of the array's device, at least 1. */
static inline size_t mw_field_units(const struct mw_field_array *array)
{
    const struct mw_device_info *device = mw_device_info(array->device);
    return device->compute_units ? device->compute_units : 1;
}

/* ---- plan.c: the kernels of one shape, and their launches ---- */

#define MW_MORE_STATES 7
struct mw_field_plan {
    struct mw_shape shape;
    const char *chosen; /* source of the shape, as in mw_field_shape */
    struct mw_field_variant variant;
    struct mw_rings rings;
    struct mw_kernel_set *kernels, *drawing;
    /* Additional memory of the launches; NULL or 0 if not needed: */
    struct mw_buffer *aux, *noises;
    struct mw_buffer
        *more[MW_MORE_STATES]; /* RK4: a third state and the sum of rates; pairs: the rates of each update */
    size_t more_states;        /* number of buffers in `more` */
    struct mw_image **images;  /* one per field */
    size_t image_count;
    size_t columns;              /* work-items or groups along the first dimension of the range */
    int block_x, block_1, strip; /* arguments of kernels; with `waves` the strip is for launches over all slabs */
    struct mw_waves *waves;      /* from mw_field_waves_new, or NULL */
    int batch;                   /* maximum systems per launch: as many as fit in caches, or all */
    int stream; /* use non-temporal stores: results exceed caches, and rows are aligned to cache lines */
};
/* Make a plan for arrays of one problem, and fit it to an array.  Fit it again after the array's place has changed. */
int mw_field_plan_make(const struct mw_field_array *array, const struct mw_shape *shape, struct mw_field_plan *plan);
int mw_field_plan_fit(struct mw_field_plan *plan, const struct mw_field_array *array);
/* Returns the slabs per batch: a round's launches all process one batch before the next.  Without systems this is all
 * slabs. */
int mw_field_plan_batch(const struct mw_field_plan *plan, const struct mw_field_array *array);
/* Sets noise terms in memory to 0; terms with amplitude 0 are never drawn. */
int mw_field_plan_hush(const struct mw_field_plan *plan, const struct mw_field_array *array);
void mw_field_plan_drop(struct mw_field_plan *plan); /* frees its memory until the next fit */
void mw_field_plan_clear(struct mw_field_plan *plan);
/* Return whether launches do two updates, and the time steps per launch (at least 1). */
bool mw_field_plan_pairs(const struct mw_field_plan *plan, const struct mw_problem *problem);
unsigned mw_field_plan_together(const struct mw_field_plan *plan, const struct mw_problem *problem);
/* out = base + h rate(in); with acc_mode 1 or 2 also sum = (base or sum) + w rate(in). */
struct mw_field_update {
    struct mw_buffer *out, *base, *in, *sum;
    double h, w;
    int acc_mode;
};
/* Returns update i of a time step dt from `state`.  The last update leaves the next state in `state`, for Euler in
 * `temp`. */
struct mw_field_update mw_field_plan_nth(const struct mw_field_plan *plan, const struct mw_problem *problem, int i,
                                         double dt, struct mw_buffer *state, struct mw_buffer *temp);
int mw_field_plan_update(const struct mw_field_plan *plan, const struct mw_field_array *array,
                         const struct mw_field_update *update, struct mw_slabs slabs);
/* Two updates at once: middle = in + h1 rate(in), out = (from_middle ? middle : in) + h rate(middle). */
struct mw_field_two_updates {
    struct mw_buffer *out, *in;
    double h1, h;
    bool from_middle;
};
int mw_field_plan_step(const struct mw_field_plan *plan, const struct mw_field_array *array,
                       const struct mw_field_two_updates *updates, struct mw_slabs slabs);
/* Advances `in` by `steps` time steps into `out` in one launch.  `steps` is the shape's; a single work-item also
 * accepts fewer. */
int mw_field_plan_steps(const struct mw_field_plan *plan, const struct mw_field_array *array, struct mw_buffer *out,
                        struct mw_buffer *in, double dt, unsigned steps, struct mw_slabs slabs);
/* Make a plan that only evaluates densities, and evaluate one in all cells of these slabs; `which` -1: the free
 * energy's. */
int mw_field_plan_make_energy(const struct mw_field_array *array, struct mw_field_plan *plan);
int mw_field_plan_energy(const struct mw_field_plan *plan, const struct mw_field_array *array, int which,
                         struct mw_buffer *out, struct mw_buffer *in, struct mw_slabs slabs);

/* ---- strips.c: how many rows, or slices of the slowest dimension, an item or a group takes ---- */

/* Concurrent groups per compute unit, for groups that roll in registers: a range, of one value if the number is
 * certain.  Strips are chosen to make whole waves of groups. */
struct mw_waves {
    size_t least, most;
    struct mw_known_strip {
        size_t slabs;
        int strip;
    } known[31]; /* cache of results, indexed by slabs % 31 */
};
/* Makes `waves` if the plan's groups roll in registers; otherwise leaves it unchanged.  `told`: groups per unit as
 * reported by the driver, or 0.  The caller frees it. */
int mw_field_waves_new(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t told,
                       struct mw_waves **waves);
/* Returns the strip length for launches over `slabs` slabs; block and columns of the plan must be set. */
int mw_field_strip(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t slabs);
/* Returns the same for a plan with `waves`. */
int mw_field_strip_of_waves(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t slabs);
/* Return the strip length, at most `wanted`, that leaves enough strips; and an equal share of `places` per strip. */
int mw_field_strip_length(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t places,
                          size_t wanted);
size_t mw_field_strip_share(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t places);
/* Returns a shape's rows; if they are 0 and the number of waves is unknown, a default. */
unsigned mw_field_rows(const struct mw_shape *shape);

/* ---- noise.c: random numbers of cells ---- */

/* Fills an array's fields with the noisy initial state. */
int mw_field_noisy_start(const struct mw_field_array *array, struct mw_buffer *state);
/* Make the kernels that draw noise terms into a plan's memory; and queue the drawing for the array's step, if the plan
 * stores noise, for the systems of these slabs. */
int mw_field_drawing_new(const struct mw_field_array *array, struct mw_kernel_set **drawing);
int mw_field_plan_draw(const struct mw_field_plan *plan, const struct mw_field_array *array, struct mw_slabs slabs);

/* ---- combine.c: linear combinations of the rates of a time step ---- */

#define MW_COMBINED_MOST 6
/* base + sum of weights times rates, in this order, in all cells of an array. */
struct mw_field_combination {
    struct mw_buffer *base, *rates[MW_COMBINED_MOST];
    double weights[MW_COMBINED_MOST];
    unsigned count;
};
/* Makes the kernels for an array's precision. */
int mw_field_combining_new(const struct mw_field_array *array, struct mw_kernel_set **combining);
/* Queues `out` = the combination; also sets `clear` to 0. */
int mw_field_combine(const struct mw_kernel_set *combining, const struct mw_field_array *array,
                     const struct mw_field_combination *combination, struct mw_buffer *out, struct mw_buffer *clear);
/* Queues `out` = the combination without its base, divided by the larger value of `base` and `next` by `relative` plus
 * `absolute`, without sign; `out` may be one of the rates. */
int mw_field_error(const struct mw_kernel_set *combining, const struct mw_field_array *array,
                   const struct mw_field_combination *combination, struct mw_buffer *next, double relative,
                   double absolute, struct mw_buffer *out);

/* ---- tuning.c: the choice of a plan ---- */

/* Chooses a plan by the options, by the cache of tuning results, by measuring, or by rule, in this order.  Measuring
 * reads `state` and writes `scratch`. */
int mw_field_choose(const struct mw_field_array *array, const struct mw_field_options *options, struct mw_buffer *state,
                    struct mw_buffer *scratch, struct mw_field_plan *plan);

#endif
/* SPDX-License-Identifier: MIT */
