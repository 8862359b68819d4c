/* Parsed models: their parts, and the reach of field models.  Internal. */
#ifndef MW_MODEL_MODEL_H
#define MW_MODEL_MODEL_H

#include <stdatomic.h>

#include <meshwork/field.h>
#include <meshwork/model.h>

#include "base/base.h"

/* A stage: an intermediate field, of which rates and later stages read neighbours. */
struct mw_model_stage {
    const char *name;
    int line;
};

/* Operators of the model language, in the order of mw_operators. */
/* clang-format off */
enum mw_operator_number {
    MW_OP_AT, MW_OP_LAP, MW_OP_BIHARM, MW_OP_AVG, MW_OP_GRAD_X, MW_OP_GRAD_Y, MW_OP_GRAD_Z, MW_OP_GRAD2, MW_OP_NOISE,
    MW_OP_RANDOM, MW_OP_D_XX, MW_OP_D_YY, MW_OP_D_ZZ, MW_OP_D_XY, MW_OP_D_XZ, MW_OP_D_YZ, MW_OP_DOT_GRAD,
    MW_OP_DIV_GRAD, MW_OP_DIFFERENCES,
    MW_OP_LOW_X, MW_OP_LOW_Y, MW_OP_LOW_Z, MW_OP_HIGH_X, MW_OP_HIGH_Y, MW_OP_HIGH_Z, MW_OP_COUNT
};
/* clang-format on */
#define MW_LAPLACIAN_COUNT 3
struct mw_operator {
    const char *name;
    bool of_noise;                    /* takes the name of a noise term, not of a field or stage */
    bool odd;                         /* changes its sign in a mirror image */
    bool two;                         /* takes two quantities */
    bool diagonal;                    /* reads diagonal neighbours */
    short radius[MW_LAPLACIAN_COUNT]; /* radius, for each Laplacian */
    short cells[MW_LAPLACIAN_COUNT];  /* cells of a quantity read in three dimensions, for each Laplacian */
    short operations[2];              /* arithmetic operations without those of Laplacians; more per dimension */
};
extern const struct mw_operator mw_operators[MW_OP_COUNT];

/* One read of a field, a stage or a noise term by a stage, a rate or the energy. */
struct mw_model_use {
    short by; /* a stage's number, or: */
#define MW_BY_RATES (-1)
#define MW_BY_ENERGY (-2)
    short of_stage;      /* a stage's number, or: */
#define MW_OF_FIELD (-1) /* a field or a noise term */
    short what;          /* row of mw_operators */
};

/* A noise term, and the parameter that is its amplitude: its number, or -1. */
struct mw_model_noise {
    const char *name, *amplitude;
    int param;
};

/* Formats of the names in kernels: no name of a model is a word of C or a macro's parameter there. */
#define MW_KERNEL_PARAM "p_%s"
#define MW_KERNEL_FIELD "f_%s"
#define MW_KERNEL_STAGE "s_%s"
#define MW_KERNEL_NOISE "n_%s"
#define MW_KERNEL_TIMED "h_%zu" /* a value that is the same in all cells, by its number */

#define MW_MODEL_NAMES_MAX 64 /* fields with maps, parameters, stages or noise terms of one model */

#define MW_DENSITIES_MAX 16 /* values whose means over all cells one model reads */

/* The expressions of a field model, for the host: nodes of compile/compile.h, and their roots (-1: none). */
struct mw_node;
struct mw_model_graph {
    struct mw_node *nodes;
    int rate_root[MW_MODEL_NAMES_MAX], stage_root[MW_MODEL_NAMES_MAX], energy_root;
};
/* Expressions of the place for the starts of fields and for maps: a node of the graph per quantity (-1: none). */
struct mw_model_starts {
    int root[MW_MODEL_NAMES_MAX];
    uint64_t params; /* bit i: a start reads parameter i */
    uint64_t noisy;  /* bit i: the start of quantity i reads the noise */
    uint64_t exact;  /* bit i: the start of field i was given after //@ replace, and gets no noise */
};
/* A row of cells along x, for the evaluation of such expressions. */
struct mw_model_row {
    unsigned dims;
    const size_t *length;  /* of the mesh */
    const double *spacing; /* of cells */
    const double *params;
    const double *noise;    /* a number per cell of the mesh; NULL: not read */
    size_t at[MW_DIMS_MAX]; /* coordinates of the row, in cells */
    size_t cells;           /* number of cells; set by the calls below */
    double time;
    const double *means; /* means of the model's densities */
};
/* Takes the values of row number `row`. */
typedef void mw_model_take_row(void *context, size_t row, const double *values);

/* Constant random numbers of a spin model, one per pair of neighbours or per site. */
enum mw_frozen_values { MW_FROZEN_SIGN, MW_FROZEN_NORMAL, MW_FROZEN_UNIFORM };
struct mw_model_frozen {
    const char *name, *help;
    enum mw_frozen_values values;
    bool of_bonds;
};

/* Definitions in the text of a spin model. */
enum mw_spin_definition { MW_SPIN_PAIR, MW_SPIN_OWN, MW_SPIN_PROPOSE, MW_SPIN_REFLECT, MW_SPIN_RULE };

/* Immutable after parsing, so threads share it; freed with its last reference. */
struct mw_model {
    struct mw_model_info info;
    atomic_uint references;        /* references in addition to the first */
    struct mw_owner owner;         /* frees all arrays but the text */
    char *text;                    /* of a field model, compiled; of a spin model, the whole file */
    char *names;                   /* storage of all names and sentences */
    struct mw_model_field *fields; /* those of `info`, then the maps: see mw_model_quantities */
    struct mw_model_param *params, *maps;
    struct mw_model_stage *stages;
    size_t stage_count;
    struct mw_model_noise *noises;
    size_t noise_count;
    struct mw_model_use *uses;
    size_t use_count;
    size_t operations;              /* of stages and rates, without operators */
    struct mw_model_graph *graph;   /* NULL: a spin model */
    struct mw_model_starts *starts; /* NULL: none */
    int timed[MW_MODEL_NAMES_MAX];  /* nodes: values of the time, means or volume, parameters of kernels */
    size_t timed_count;
    unsigned density_count; /* values whose means over all cells the model reads */
    int domain;             /* number of the map `domain`, which is positive in cells of the domain; 0: none */
    bool has_math;          /* the text calls functions of cl/math.clh */
    bool has_places;        /* the text reads coordinates or lengths */
    struct mw_model_frozen *frozen;
    size_t frozen_count;
    unsigned defines; /* bit i: enum mw_spin_definition i */
    bool looks_twice; /* a rule reads neighbours of neighbours */
};

/* Distances, in cells, at which a model reads, for one Laplacian.  Reads by ENERGY count only in `energy`. */
struct mw_reach {
    int radius;                   /* for one evaluation of a stage or a rate */
    int reach;                    /* for a rate with its stages evaluated in place */
    int energy;                   /* for ENERGY with its stages evaluated in place */
    int max_lead;                 /* largest lead of a stage */
    int lead[MW_MODEL_NAMES_MAX]; /* per stage: rows by which it is computed ahead of the rates */
    int ring[MW_MODEL_NAMES_MAX]; /* per stage: rows that are needed at once, if evaluated row by row */
    double looks;                 /* cells read in three dimensions by all rates, with stages evaluated in place */
};
void mw_model_reach(const struct mw_model *model, enum mw_laplacian laplacian, struct mw_reach *reach);
/* Counts arithmetic operations per cell for all rates, with each stage evaluated once per cell.  A function such as
 * exp counts by the operations of its polynomials, about.  NaN: unknown, since the model has noise. */
double mw_model_operations(const struct mw_model *model, enum mw_laplacian laplacian, unsigned dims);
/* Returns whether a stage may differ from its mirror image because of an odd operator. */
bool mw_model_has_odd_stages(const struct mw_model *model);
/* Returns whether a stage or a rate may do so; cells beyond a mirror then do not remain mirror images. */
bool mw_model_is_odd(const struct mw_model *model);

/* Returns whether an operator reads diagonal neighbours, whatever the Laplacian. */
bool mw_model_is_diagonal(const struct mw_model *model);

/* Returns whether a stage is constant during a time step: it reads only noise, or such stages. */
bool mw_model_is_still(const struct mw_model *model, size_t stage);

/* Returns the number of quantities in the state of a model: its fields, then its maps.  A map is a field with rate 0
 * that users do not see: it is in no statistics, files or counts of fields, and it has a mirror image beyond fixed
 * boundaries. */
static inline size_t mw_model_quantities(const struct mw_model *model)
{
    return model->info.field_count + model->info.map_count;
}

/* words.c.  Returns the index of the parameter, or of the field or map, with this name of n characters, or -1. */
int mw_model_find_param(const struct mw_model *model, const char *name, size_t n);
int mw_model_find_quantity(const struct mw_model *model, const char *name, size_t n);
/* params.c.  Computes the values of all parameters: `params` in the model's order (NULL: its defaults), then the values
 * that are given by name.  MW_EINVAL: unknown name. */
int mw_model_values(const struct mw_model *model, const double *params, const struct mw_value *given, size_t count,
                    double *values);

/* compile/place.c.  Returns whether the model gives the start of a quantity as a function of the place. */
bool mw_model_has_start(const struct mw_model *model, size_t quantity);
/* Return whether noise is added to the start of a field, and whether the start of a quantity reads noise itself. */
bool mw_model_start_is_noisy(const struct mw_model *model, size_t field);
bool mw_model_start_reads_noise(const struct mw_model *model, size_t quantity);
/* Computes it for all `rows` of a mesh, whose lengths, spacing and parameters `row` has.  MW_ENOMEM. */
int mw_model_start_rows(const struct mw_model *model, size_t quantity, struct mw_model_row row, size_t rows,
                        mw_model_take_row *take, void *context);

/* Returns a coordinate of cell i of the row, a length or the volume of the mesh, the time, or the cell's noise (enum
 * mw_place_value of compile/compile.h). */
double mw_model_place_value(const struct mw_model_row *row, int what, size_t i);
/* Computes the model's values that are the same in all cells; `row` has the mesh, parameters and time.  MW_ENOMEM. */
int mw_model_timed(const struct mw_model *model, struct mw_model_row row, double *values);
/* compile/linear.c. The rates of small waves on a uniform state u: d/dt a = J a for u + a exp(i k x). The complex
 * matrix J has a row and a column per field. */
struct mw_model_linear;
/* Prepares the evaluation for a uniform state, a value per field; `row` has the mesh and parameters. Noise,
 * coordinates, the time and means count as 0. MW_ENOMEM. */
int mw_model_linear_new(const struct mw_model *model, const struct mw_model_row *row, const double *state,
                        struct mw_model_linear **linear);
void mw_model_linear_free(struct mw_model_linear *linear);
/* Computes J: re and im of row f and column g are matrix[2 (f F + g)] and the next number. `symbols` has the factors
 * by which operators multiply the wave, as pairs in the order of mw_operators. That of DIV_GRAD is for mobility 1.
 * `room` has mw_model_linear_room pairs, 0 at first, for the derivatives of this J alone. */
void mw_model_linear_at(const struct mw_model_linear *linear, double (*symbols)[2], double (*room)[2], double *matrix);
size_t mw_model_linear_room(const struct mw_model_linear *linear);
/* Returns the energy density of the uniform state; NaN: the model has no energy. */
double mw_model_linear_energy(const struct mw_model_linear *linear);

/* Returns another reference to a model; free it by mw_model_free. */
struct mw_model *mw_model_hold(const struct mw_model *model);

#endif
/* SPDX-License-Identifier: MIT */
