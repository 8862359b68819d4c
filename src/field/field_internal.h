/* Field equations: what model.c, model_text.c, source.c, choose.c, plan.c and field.c share. */
#ifndef MW_FIELD_INTERNAL_H
#define MW_FIELD_INTERNAL_H

#include <meshwork/field.h>

#include "base/base.h"

/* A stage: an intermediate quantity that rates (and later stages) look at around a cell. */
struct mw_model_stage {
    const char *name;
    int line;
};

/* The operators of the model language, as mw_operators has them. */
enum mw_operator_number {
    MW_OP_AT, MW_OP_LAP, MW_OP_BIHARM, MW_OP_AVG, MW_OP_GRAD_X, MW_OP_GRAD_Y, MW_OP_GRAD_Z, MW_OP_GRAD2, MW_OP_NOISE,
    MW_OP_RANDOM, MW_OP_COUNT
};
#define MW_LAPLACIAN_COUNT 3
struct mw_operator {
    const char *name;
    bool of_noise;               /* it takes the name of a noise term, not of a field or stage */
    bool odd;                    /* its sign is another one at a cell's mirror image */
    short radius[MW_LAPLACIAN_COUNT]; /* how far it looks, with each Laplacian */
    short cells[MW_LAPLACIAN_COUNT];  /* how many cells it looks at in three dimensions */
};
extern const struct mw_operator mw_operators[MW_OP_COUNT];

/* One look of a stage, a rate or the energy at a field, a stage or a noise term. */
struct mw_model_use {
    short by;                    /* a stage's number, or: */
#define MW_BY_RATES (-1)
#define MW_BY_ENERGY (-2)
    short of_stage;              /* a stage's number, or: */
#define MW_OF_FIELD (-1)         /* a field or a noise term */
    short what;                  /* row of mw_operators */
};

#define MW_MODEL_NAMES_MAX 64    /* fields, parameters, stages or noise terms of one model */

struct mw_model {
    struct mw_model_info info;
    char *text;                  /* the whole file */
    char *names;                 /* storage behind all names and sentences */
    struct mw_model_field *fields;
    struct mw_model_param *params;
    struct mw_model_stage *stages;
    size_t stage_count;
    const char **noises;
    size_t noise_count;
    struct mw_model_use *uses;
    size_t use_count;
};

/* How far a model looks, with a Laplacian.  What ENERGY looks at counts in `energy` alone. */
struct mw_reach {
    int radius;                  /* of one evaluation of a stage or a rate */
    int reach;                   /* of a rate with its stages evaluated in place */
    int energy;                  /* of ENERGY with its stages evaluated in place */
    int max_lead;                /* largest lead of a stage */
    int lead[MW_MODEL_NAMES_MAX];  /* of each stage: rows ahead of the row being updated at which it is needed */
    int ring[MW_MODEL_NAMES_MAX];  /* rows of it that are live at a time when it is evaluated row by row */
    double looks;                /* at cells in three dimensions, of all rates with their stages evaluated in place */
};
void mw_model_reach(const struct mw_model *model, enum mw_laplacian laplacian, struct mw_reach *reach);
/* Whether a stage may differ from itself at the mirror image of a cell, by what it looks at. */
bool mw_model_has_odd_stages(const struct mw_model *model);

/* Parses a model's text.  `path` is what messages call it; both are copied. */
int mw_model_parse(const char *path, const char *text, struct mw_model **model);

/* Where cells and stages are kept: the values of FUSED and those behind it in cl/field/view.clh. */
enum mw_how { MW_FUSED, MW_STAGED, MW_ROLLING, MW_TILE, MW_IMAGE, MW_IMAGE_TILE, MW_ASYNC };
/* A variant of mw_field_variants, by its name; MW_EINVAL. */
struct mw_field_variant { enum mw_how how; bool temporal; };
int mw_field_variant(const char *name, struct mw_field_variant *variant);
/* Whether groups of items share rings of slices, whether each item has its own or a share of them, and whether fields are
 * read through images. */
bool mw_how_is_together(enum mw_how how);
bool mw_how_has_rings(enum mw_how how);
bool mw_how_has_images(enum mw_how how);

/* What a program is built for, beside its shape. */
struct mw_problem {
    const struct mw_model *model;
    const struct mw_reach *reach;
    unsigned dims;
    const enum mw_boundary *boundary;
    enum mw_laplacian laplacian;
    bool fp64;
};
/* Whether two updates can follow each other within a strip: no end of the mesh may lie in it. */
bool mw_problem_is_endless(const struct mw_problem *problem);
/* Stages in memory reach so many cells beyond either end of a dimension; and the bytes of all of them on a mesh of these
 * lengths, SIZE_MAX where that does not fit. */
int mw_problem_ghost(const struct mw_problem *problem, unsigned dimension);
size_t mw_problem_stage_bytes(const struct mw_problem *problem, const size_t *length);
/* Of variants with rings: the levels of a shape's program; the block of an item or a group, not above 0 where its border
 * leaves nothing; whether it is a rectangle that does not roll; slices of a field, and of all of a level; and the cells
 * of all rings and rows in local memory, 0 where there are none. */
struct mw_rings { int levels, block_x, block_1, field_ring, slices; bool flat; size_t cells; };
void mw_problem_rings(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_rings *rings);

/* source.c: the macros that a program of this problem and shape begins with (see cl/field/view.clh). */
int mw_field_defines(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines);
/* The program of a model; `defines` receives the text that source->defines points to, `texts` the model's; all must
 * outlive the use of `source`. */
int mw_field_source(const struct mw_problem *problem, const struct mw_shape *shape, struct mw_text *defines,
                    struct mw_source_text *texts, struct mw_source *source);
#define MW_FIELD_SOURCE_TEXTS 1
/* The program that fills fields with noise, `item_cells` cells an item. */
int mw_noise_source(size_t item_cells, bool fp64, struct mw_text *defines, struct mw_source *source);

/* Programs that were compiled into the library, ended by a hash of 0 (generated by mkmodel): by the hash of their
 * macros and their model's text. */
struct mw_native_program { uint64_t hash; const struct mw_native_kernel *kernels; };
extern const struct mw_native_program mw_native_programs[];
uint64_t mw_field_program_hash(const char *defines, const struct mw_model *model);
extern const struct mw_native_kernel mw_native_noise_single[], mw_native_noise_double[];
/* Lanes of native versions: 64 bytes, the widest registers there are. */
#define MW_NATIVE_LANES(fp64) ((fp64) ? 8u : 16u)

/* choose.c: the shapes worth trying on a device, the rule's choice first.  `shapes` has room for MW_SHAPES_MAX. */
#define MW_SHAPES_MAX 24
size_t mw_field_candidates(const struct mw_device_info *device, const struct mw_problem *problem,
                           enum mw_integrator integrator, struct mw_shape *shapes);
/* A shape of a variant that is none of the candidates. */
int mw_field_shape_by_hand(const struct mw_device_info *device, const struct mw_problem *problem, const char *variant,
                           struct mw_shape *shape);
/* Whether a shape can be used for this problem and device; MW_EINVAL, MW_ELIMIT say why not. */
int mw_field_check_shape(const struct mw_device_info *device, const struct mw_problem *problem,
                         enum mw_integrator integrator, const size_t *length, const struct mw_shape *shape);

/* The kernels' struct mesh. */
struct mw_mesh { int32_t n[MW_DIMS_MAX]; };

/* Where an array lies in the whole mesh, along its slowest dimension: `own` slabs, of which the first is the whole's
 * `slab`, between `lower` and `upper` copies of other parts' slabs.  A slab is what stands at one place of the slowest
 * dimension; in one dimension the whole row is one. */
struct mw_place { int lower, own, upper, slab, slabs; };

/* plan.c: the kernels of one shape, and their launches. */
struct mw_field_plan {
    struct mw_shape shape;
    struct mw_field_variant variant;
    struct mw_rings rings;
    struct mw_program *program;
    struct mw_kernel *update, *stage, *step;
    struct mw_buffer *aux;
    struct mw_image **images;    /* one a field */
    size_t image_count;
    size_t columns;              /* items, or groups, along the first dimension of the range */
    int block_x, block_1, strip; /* the kernels' arguments */
    int stream;                  /* results are larger than caches, and rows stand at whole lines */
};

/* A field on one device: a whole, or a part of one.  A whole on several devices has `split`, and neither buffers nor a
 * plan of its own. */
struct mw_field {
    struct mw_split *split;
    struct mw_borders *borders;        /* how a part meets its neighbours; NULL: a whole */
    struct mw_device *device;
    struct mw_model *model;
    struct mw_field_options options;
    struct mw_reach reach;
    struct mw_problem problem;
    struct mw_mesh mesh;
    size_t cells, bytes;         /* of one field; of the state */
    size_t rows, slab_rows;      /* of the mesh; of one place of its slowest dimension */
    size_t real_bytes;
    struct mw_place place;
    int first, end;              /* slabs of the array that are updated */
    int updates_left;            /* of a round: as many times REACH slabs beyond its own a part needs */
    unsigned char *params;       /* the kernel's struct params */
    size_t params_bytes;
    struct mw_buffer *state, *temp, *third, *sum;  /* the last two for the classical Runge-Kutta method only */
    struct mw_field_plan plan;
    const char *how_chosen;
    uint64_t step;
};

int mw_field_plan_make(const struct mw_field *field, const struct mw_shape *shape, struct mw_field_plan *plan);
/* The same kernels for a field that has changed its place. */
int mw_field_plan_fit(const struct mw_field *field, struct mw_field_plan *plan);
void mw_field_plan_clear(struct mw_field_plan *plan);
/* out = base + h rate(in); with acc_mode 1 or 2 also sum = (base or sum) + w rate(in). */
struct mw_field_update { struct mw_buffer *out, *base, *in, *sum; double h, w; int acc_mode; };
int mw_field_plan_update(const struct mw_field *field, const struct mw_field_plan *plan,
                         const struct mw_field_update *update);
/* Both updates at once: middle = state + h1 rate(state), out = (from_middle ? middle : state) + h rate(middle). */
int mw_field_plan_step(const struct mw_field *field, const struct mw_field_plan *plan, struct mw_buffer *out,
                       struct mw_buffer *in, double h1, double h, bool from_middle);
struct mw_arg mw_field_real(const struct mw_field *field, double value);

/* field.c: a part of the whole that `options` describes, not yet filled; and the same at another place, its cells lost.
 * `place` NULL: all of it. */
int mw_field_part_new(struct mw_device *device, const struct mw_model *model, const struct mw_field_options *options,
                      const struct mw_place *place, struct mw_field **field);
int mw_field_move(struct mw_field *field, const struct mw_place *place);
/* The kernels' struct params: seed and step, the slab's place, the scale of noise, parameters, values outside. */
enum { MW_PARAMS_SEED = 0, MW_PARAMS_STEP = 8, MW_PARAMS_SLAB = 16, MW_PARAMS_SLABS = 20, MW_PARAMS_REALS = 24 };
/* A 64-bit number there, as two words, the lower one first. */
void mw_field_put_words(struct mw_field *field, size_t at, uint64_t value);

/* step.c: rounds.  A round is a number of steps between two exchanges of borders; a part then needs this many slabs of
 * its neighbours. */
unsigned mw_field_round_steps(enum mw_integrator integrator);
int mw_field_halo(enum mw_integrator integrator, const struct mw_reach *reach);
/* Queues at most round_steps steps of a field on one device. */
int mw_field_round(struct mw_field *field, unsigned steps);

/* state.c: fills an array with its noisy start. */
int mw_field_start(struct mw_field *field);

/* tuning.c: the choice of a plan. */
int mw_field_choose(struct mw_field *field);

#endif
