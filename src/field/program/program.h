/* Programs of a model for a device: their sources, the choice of a shape, and plans, which launch them.  Internal.
 *
 * A shape is how cells become work-items (struct mw_shape).  A slab is what stands at one place of a mesh's slowest
 * dimension: a row of two dimensions, a plane of three, a cell of one. */
#ifndef MW_FIELD_PROGRAM_H
#define MW_FIELD_PROGRAM_H

#include "dev/kernel_set.h"
#include "model/model.h"
#include "field/sizes.clh"

/* ---- variants.c: where cells and stages are kept ---- */

struct mw_field_variant {
#define MW_MEMBER(name, macro) bool name;
    FIELD_PROPERTIES(MW_MEMBER) /* what kernels know as well: cl/field/sizes.clh */
#undef MW_MEMBER
    bool images;   /* fields are read through images */
    bool temporal; /* two updates within one launch */
};
/* A variant of mw_field_variants, by its name; MW_EINVAL. */
int mw_field_variant(const char *name, struct mw_field_variant *variant);

/* A shape worth trying on these devices: devices with large caches whose items own many cells, and by kind those
 * without.  `vec` of 0 is what suits the device; `cells` along x of an item, of a group where `vec` is 0; 0 for whole
 * rows. */
enum { MW_ON_CORES = 1, MW_ON_GPUS = 2, MW_ON_ACCELERATORS = 4, MW_ON_OTHERS = 8, MW_ON_LANES = 16 };
enum { MW_ANY_DIMS = 0 };
struct mw_field_candidate {
    const char *variant;
    unsigned devices, dims, vec, cells, rows;
    size_t group[2];
    unsigned steps;
};
/* By number, the most promising first; NULL behind the last. */
const struct mw_field_candidate *mw_field_candidate(size_t i);

/* What a program is built for, beside its shape. */
struct mw_problem {
    const struct mw_model *model;
    const struct mw_reach *reach;
    unsigned dims;
    const enum mw_boundary *boundary;
    enum mw_laplacian laplacian;
    enum mw_integrator integrator;
    bool fp64, fast_math;
    size_t systems;      /* 1, or several: meshes alike that know nothing of each other */
    unsigned steps_most; /* time steps that one launch may take; 0: no limit */
    unsigned row_lanes;  /* the largest power of two, up to 16, of which rows along x are a multiple */
};
/* Updates that a time step takes. */
static inline int mw_problem_updates(const struct mw_problem *problem)
{
    return problem->integrator == MW_INTEGRATOR_RK4 ? 4 : problem->integrator == MW_INTEGRATOR_RK2 ? 2 : 1;
}
/* States that a shape's launches take beside the two that a step goes from and to. */
size_t mw_problem_more_states(const struct mw_problem *problem, const struct mw_shape *shape);
static inline size_t mw_problem_real_bytes(const struct mw_problem *problem) { return problem->fp64 ? 8 : 4; }
/* Cells of a field and bytes of a state of these lengths, of one system.  MW_EINVAL, MW_ELIMIT. */
int mw_problem_size(const struct mw_problem *problem, const size_t *length, size_t *cells, size_t *bytes);
/* Whether two updates can follow each other within a strip: no end of the mesh may lie in it. */
bool mw_problem_is_endless(const struct mw_problem *problem);
/* Whether updates can follow each other in registers, where fixed values are kept beyond their ends: what lies beyond a
 * mirror must go on being its image. */
bool mw_problem_keeps_images(const struct mw_problem *problem);
/* Cells of a noise term in memory, of so many cells of a mesh whose rows have this length; and bytes of all terms. */
static inline size_t mw_noise_cells(size_t cells, size_t row) { return cells / row * NOISE_PITCH(row); }
static inline size_t mw_problem_noise_bytes(const struct mw_problem *problem, size_t cells, size_t row)
{
    return problem->model->noise_count * mw_noise_cells(cells, row) * sizeof(int16_t);
}
/* Stages in memory reach so many cells beyond either end of a dimension; and the bytes of all of them on a mesh of
 * these lengths, SIZE_MAX where that does not fit. */
int mw_problem_ghost(const struct mw_problem *problem, unsigned dimension);
size_t mw_problem_stage_bytes(const struct mw_problem *problem, const size_t *length);
/* Of variants with rings: the levels of a shape's program; the block of an item or a group, not above 0 where its
 * border leaves nothing; whether it is a rectangle that does not roll; slices of a field, and of all of a level; by
 * how many parts of local memory turns go; the cells of all rings and rows there, 0 where there are none; and those in
 * an item's registers. */
struct mw_rings {
    int levels, block_x, block_1, field_ring, slices, halves;
    bool flat;
    size_t cells, registers;
};
void mw_problem_rings(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_rings *rings);

/* source.c: the macros that a program of this problem and shape begins with (see cl/field/view.clh). */
int mw_field_defines(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines);
/* The program of a model; `defines` receives the text that source->defines points to, `texts` the model's; all must
 * outlive the use of `source`. */
int mw_field_source(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source);
/* The same for the free energy alone, without updates. */
int mw_field_energy_source(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines,
                           struct mw_source_text *texts, struct mw_source *source);
#define MW_FIELD_SOURCE_TEXTS 1

/* Programs that were compiled into the library, ended by a hash of 0 (generated by mkmodel): by the hash of their
 * macros and their model's text. */
struct mw_native_program {
    uint64_t hash;
    const struct mw_native_kernel *kernels;
};
extern const struct mw_native_program mw_native_programs[];
uint64_t mw_field_program_hash(const char *defines, const struct mw_model *model);
/* Lanes of native versions: 64 bytes, the widest registers there are. */
#define MW_NATIVE_LANES(fp64) ((fp64) ? 8u : 16u)

/* choose.c: the shapes worth trying on a device, for a mesh of these lengths, the rule's choice first.  `shapes` has
 * room for MW_SHAPES_MAX. */
#define MW_SHAPES_MAX 40
size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *problem, const size_t *length,
                           struct mw_shape *shapes);
/* A shape of a variant that is none of the candidates. */
int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *problem, const char *variant,
                           struct mw_shape *shape);
/* Rings can be rolled over the mesh; strips of it can take two updates. */
bool mw_problem_can_roll(const struct mw_problem *problem);
bool mw_problem_can_be_temporal(const struct mw_problem *problem);
/* Bytes of the rings of a shape's items, or groups. */
size_t mw_field_ring_bytes(const struct mw_problem *problem, const struct mw_shape *shape);
/* `registers`: whether items own as many cells as others look at beyond theirs. */
bool mw_field_owns_enough(const struct mw_problem *problem, const struct mw_shape *shape);
enum { MW_RING_MOST = 13 }; /* turns that are written out: cl/field/registers/roll.clh */

/* ---- check.c ---- */

/* Whether a shape can be used for this problem and device; MW_EINVAL, MW_ELIMIT say why not. */
int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *problem, const size_t *length,
                         const struct mw_shape *shape);

/* ---- small.c: small meshes, where launches and turns take longer than cells ---- */

/* Whether groups of a shape keep rectangles of the plane, or pieces of a row, in registers, rather than to roll. */
bool mw_field_is_rectangle(const struct mw_problem *problem, const struct mw_shape *shape);
/* Whether one item takes the whole mesh, and several steps by a launch. */
bool mw_field_is_alone(const struct mw_shape *shape);
/* Whether that may be chosen for a mesh of these lengths. */
bool mw_field_may_be_alone(const struct mw_problem *problem, const size_t *length);
/* Why such an item cannot: MW_EINVAL. */
int mw_field_check_alone(const struct mw_problem *problem, const size_t *length, const struct mw_shape *shape);
/* Whether a shape of either kind is worth trying on a mesh. */
bool mw_field_small_is_worth(const struct mw_device_info *device, const struct mw_problem *problem,
                             const size_t *length, const struct mw_shape *shape);
/* Seconds that an update by such a shape, which is worth it, is expected to take; HUGE_VAL for more than other shapes
 * are expected to. */
double mw_field_small_seconds(const struct mw_device_info *device, const struct mw_problem *problem,
                              const size_t *length, const struct mw_shape *shape);

/* ---- array.c: what launches work on ---- */

/* Where an array lies in the whole mesh, along its slowest dimension: `own` slabs, of which the first is the whole's
 * `slab`, between `lower` and `upper` copies of other parts' slabs.  Where there are several systems, each is a slab
 * that looks at no other. */
struct mw_place {
    int lower, own, upper, slab, slabs;
};
static inline int mw_place_slabs(const struct mw_place *p) { return p->lower + p->own + p->upper; }
/* Slabs of an array from `at` on that follow each other in the whole, from its `slab` on: an array may go on beyond the
 * whole's ends.  From { 0 } on one after the other; false behind the last. */
struct mw_stretch {
    int at, slab, count;
};
bool mw_place_next(const struct mw_place *place, struct mw_stretch *stretch);

/* Slabs of an array, from `first` on, before `end`. */
struct mw_slabs {
    int first, end;
};
static inline struct mw_slabs mw_place_own(const struct mw_place *p)
{
    return (struct mw_slabs){ p->lower, p->lower + p->own };
}

/* An array of cells on a device, one field behind the other: to kernels a mesh of its own; of several systems so many
 * meshes, one behind the other. */
struct mw_field_array {
    struct mw_device *device;
    const struct mw_problem *problem;
    struct mw_place place;
    size_t length[MW_DIMS_MAX];
    struct mesh mesh;           /* the same, as kernels have it */
    size_t cells, bytes;        /* of one field of one system; of all */
    size_t layers, layer_cells; /* where slabs stand one behind the other: fields, or the only one, of all systems */
    size_t slab_cells;
    int slab_rows;          /* what kernels count: rows, in one dimension cells; of a mesh alone */
    unsigned char *records; /* of each system of the whole: the kernels' struct system */
    size_t record_bytes;
    struct mw_buffer *each; /* the same on the device; NULL: there is one system */
    bool loud;              /* a system has, or had, a noise term that is not 0, since its amplitude is not */
    uint64_t seed, step;    /* what random numbers are drawn by */
};
/* An array without cells yet; `length` is the whole's, `options` gives parameters.  MW_EINVAL: one that its precision
 * cannot hold. */
int mw_field_array_new(struct mw_device *device, const struct mw_problem *problem,
                       const struct mw_field_options *options, struct mw_field_array *array);
/* Gives it its place, which decides on the length of its slowest dimension. */
int mw_field_array_place(struct mw_field_array *array, const struct mw_place *place);
void mw_field_array_clear(struct mw_field_array *array);
/* Gives a system of the whole other parameters, NULL: the model's.  MW_EINVAL. */
int mw_field_array_set_params(struct mw_field_array *array, size_t system, const double *params);
/* The kernels' struct params of a mesh alone; and a bit for each noise term that is 0. */
struct mw_arg mw_field_array_params(const struct mw_field_array *array);
uint64_t mw_field_array_silent(const struct mw_field_array *array);
static inline bool mw_field_has_systems(const struct mw_problem *problem) { return problem->systems > 1; }
/* What launches over some of an array's slabs are for: slabs of a mesh, of so many systems from `system` on. */
struct mw_extent {
    struct mw_slabs slabs;
    int system, systems;
};
struct mw_extent mw_field_array_extent(const struct mw_field_array *array, struct mw_slabs slabs);
/* What kernels get of its mesh, for launches over systems, and what they draw noise terms by in the array's step. */
struct launch mw_field_array_launch(const struct mw_field_array *array, const struct mw_extent *over);
/* A range that has a further dimension for them where they are several. */
struct mw_range mw_field_over_systems(struct mw_range range, int systems);
/* Where a layer's slab begins, in bytes; and bytes of a slab. */
size_t mw_field_array_at(const struct mw_field_array *array, size_t layer, int slab);
size_t mw_field_array_slab_bytes(const struct mw_field_array *array);

/* Compute units of its device. */
static inline size_t mw_field_units(const struct mw_field_array *array)
{
    const struct mw_device_info *device = mw_device_info(array->device);
    return device->compute_units ? device->compute_units : 1;
}

/* ---- plan.c: the kernels of one shape, and their launches ---- */

struct mw_field_plan {
    struct mw_shape shape;
    const char *chosen; /* how: as mw_field_shape has it */
    struct mw_field_variant variant;
    struct mw_rings rings;
    struct mw_kernel_set *kernels, *drawing;
    /* Memory that its launches take beside two states, NULL or 0 where they do not: */
    struct mw_buffer *aux, *third, *sum, *noises;
    size_t more_states;       /* 0, third, or third and sum */
    struct mw_image **images; /* one a field */
    size_t image_count;
    size_t columns;              /* items, or groups, along the first dimension of the range */
    int block_x, block_1, strip; /* the kernels' arguments; with `waves` the strip is of launches over all slabs */
    struct mw_waves *waves;      /* mw_field_waves_new; NULL */
    int batch;                   /* systems of a launch at most: as many as stay in caches, or all */
    int stream;                  /* results are larger than caches, and rows stand at whole lines */
};
/* A plan for arrays of one problem, fitted to one of them; for an array that has changed its place it is fitted
 * again. */
int mw_field_plan_make(const struct mw_field_array *array, const struct mw_shape *shape, struct mw_field_plan *plan);
int mw_field_plan_fit(struct mw_field_plan *plan, const struct mw_field_array *array);
/* Slabs that all launches of a round are for before others are: a batch of systems, or all. */
int mw_field_plan_batch(const struct mw_field_plan *plan, const struct mw_field_array *array);
/* Noise terms in memory become 0: what is silent is never drawn. */
int mw_field_plan_hush(const struct mw_field_plan *plan, const struct mw_field_array *array);
void mw_field_plan_drop(struct mw_field_plan *plan); /* its memory, until it is fitted again */
void mw_field_plan_clear(struct mw_field_plan *plan);
/* Whether its launches take two updates; and the time steps that they take, or one. */
bool mw_field_plan_pairs(const struct mw_field_plan *plan, const struct mw_problem *problem);
unsigned mw_field_plan_together(const struct mw_field_plan *plan, const struct mw_problem *problem);
/* out = base + h rate(in); with acc_mode 1 or 2 also sum = (base or sum) + w rate(in). */
struct mw_field_update {
    struct mw_buffer *out, *base, *in, *sum;
    double h, w;
    int acc_mode;
};
/* Update number i of a time step of dt from `state`, which leaves the next state there, Euler's in `temp`. */
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
/* So many time steps as the plan's shape has, of one item alone also fewer: of a state into another. */
int mw_field_plan_steps(const struct mw_field_plan *plan, const struct mw_field_array *array, struct mw_buffer *out,
                        struct mw_buffer *in, double dt, unsigned steps, struct mw_slabs slabs);
/* A plan for the density of the free energy alone, and its evaluation at every cell of these slabs. */
int mw_field_plan_make_energy(const struct mw_field_array *array, struct mw_field_plan *plan);
int mw_field_plan_energy(const struct mw_field_plan *plan, const struct mw_field_array *array, struct mw_buffer *out,
                         struct mw_buffer *in, struct mw_slabs slabs);

/* ---- strips.c: how many rows, or slices of the slowest dimension, an item or a group takes ---- */

/* Of groups that roll in registers: how many a unit has at once, of which strips make whole waves.  Not known for sure,
 * it is one of a range. */
struct mw_waves {
    size_t least, most;
    struct mw_known_strip {
        size_t slabs;
        int strip;
    } known[31]; /* found so far, at slabs % 31 */
};
/* `told`: by the driver, or 0.  Left alone for other plans, and where nothing is known.  To be freed. */
int mw_field_waves_new(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t told,
                       struct mw_waves **waves);
/* The strip of a plan whose block and columns are known, of launches over so many slabs. */
int mw_field_strip(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t slabs);
/* The same of a plan with `waves`, for launches over other slabs. */
int mw_field_strip_of_waves(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t slabs);
/* As many places of each as are wanted, but no more than leave enough strips; and a share of the places for each. */
int mw_field_strip_length(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t places,
                          size_t wanted);
size_t mw_field_strip_share(const struct mw_field_array *array, const struct mw_field_plan *plan, size_t places);
/* A shape's rows, or those that 0 stands for where it does not stand for whole waves. */
unsigned mw_field_rows(const struct mw_shape *shape);

/* ---- noise.c: random numbers of cells ---- */

/* Fills an array's fields with their noisy start. */
int mw_field_noisy_start(const struct mw_field_array *array, struct mw_buffer *state);
/* What draws noise terms into a plan's memory; and queues that for the array's step, where there are any;
 * of several systems for these. */
int mw_field_drawing_new(const struct mw_field_array *array, struct mw_kernel_set **drawing);
int mw_field_plan_draw(const struct mw_field_plan *plan, const struct mw_field_array *array, struct mw_slabs slabs);

/* ---- tuning.c: the choice of a plan ---- */

/* By what the options fix, by what is remembered, by measuring or by rule.  Measuring reads `state` and writes
 * `scratch`. */
int mw_field_choose(const struct mw_field_array *array, const struct mw_field_options *options, struct mw_buffer *state,
                    struct mw_buffer *scratch, struct mw_field_plan *plan);

#endif
/* SPDX-License-Identifier: MIT */
