/* Models, as they are parsed: what they are made of, and how far those of fields look.  Internal. */
#ifndef MW_MODEL_MODEL_H
#define MW_MODEL_MODEL_H

#include <stdatomic.h>

#include <meshwork/field.h>
#include <meshwork/model.h>

#include "base/base.h"

/* A stage: an intermediate quantity that rates (and later stages) look at around a cell. */
struct mw_model_stage {
    const char *name;
    int line;
};

/* The operators of the model language, as mw_operators has them. */
/* clang-format off */
enum mw_operator_number {
    MW_OP_AT, MW_OP_LAP, MW_OP_BIHARM, MW_OP_AVG, MW_OP_GRAD_X, MW_OP_GRAD_Y, MW_OP_GRAD_Z, MW_OP_GRAD2, MW_OP_NOISE,
    MW_OP_RANDOM, MW_OP_COUNT
};
/* clang-format on */
#define MW_LAPLACIAN_COUNT 3
struct mw_operator {
    const char *name;
    bool of_noise;                    /* it takes the name of a noise term, not of a field or stage */
    bool odd;                         /* its sign is another one at a cell's mirror image */
    short radius[MW_LAPLACIAN_COUNT]; /* how far it looks, with each Laplacian */
    short cells[MW_LAPLACIAN_COUNT];  /* how many cells it looks at in three dimensions */
};
extern const struct mw_operator mw_operators[MW_OP_COUNT];

/* One look of a stage, a rate or the energy at a field, a stage or a noise term. */
struct mw_model_use {
    short by; /* a stage's number, or: */
#define MW_BY_RATES (-1)
#define MW_BY_ENERGY (-2)
    short of_stage;      /* a stage's number, or: */
#define MW_OF_FIELD (-1) /* a field or a noise term */
    short what;          /* row of mw_operators */
};

/* A noise term, and the parameter that it does nothing without: its number, or -1. */
struct mw_model_noise {
    const char *name, *amplitude;
    int param;
};

#define MW_MODEL_NAMES_MAX 64 /* fields, parameters, stages or noise terms of one model */

/* Random numbers of a spin model that stay as they are, of each pair of neighbours or of each site. */
enum mw_frozen_values { MW_FROZEN_SIGN, MW_FROZEN_NORMAL, MW_FROZEN_UNIFORM };
struct mw_model_frozen {
    const char *name, *help;
    enum mw_frozen_values values;
    bool of_bonds;
};

/* What a spin model may define. */
enum mw_spin_definition { MW_SPIN_PAIR, MW_SPIN_OWN, MW_SPIN_PROPOSE, MW_SPIN_REFLECT, MW_SPIN_RULE };

/* Immutable once it is parsed, so that threads share it; freed with its last reference. */
struct mw_model {
    struct mw_model_info info;
    atomic_uint references; /* those that there are beside the first */
    char *text;             /* the whole file */
    char *names;            /* storage behind all names and sentences */
    struct mw_model_field *fields;
    struct mw_model_param *params;
    struct mw_model_stage *stages;
    size_t stage_count;
    struct mw_model_noise *noises;
    size_t noise_count;
    struct mw_model_use *uses;
    size_t use_count;
    size_t signs; /* +, -, * and / between two numbers, in stages and rates */
    struct mw_model_frozen *frozen;
    size_t frozen_count;
    unsigned defines; /* bit i: enum mw_spin_definition i */
    bool looks_twice; /* a rule looks at its neighbours' neighbours */
};

/* How far a model looks, with a Laplacian.  What ENERGY looks at counts in `energy` alone. */
struct mw_reach {
    int radius;                   /* of one evaluation of a stage or a rate */
    int reach;                    /* of a rate with its stages evaluated in place */
    int energy;                   /* of ENERGY with its stages evaluated in place */
    int max_lead;                 /* largest lead of a stage */
    int lead[MW_MODEL_NAMES_MAX]; /* of each stage: rows ahead of the row being updated at which it is needed */
    int ring[MW_MODEL_NAMES_MAX]; /* rows of it that are live at a time when it is evaluated row by row */
    double looks;                 /* at cells in three dimensions, of all rates with their stages evaluated in place */
};
void mw_model_reach(const struct mw_model *model, enum mw_laplacian laplacian, struct mw_reach *reach);
/* Additions and multiplications of an evaluation of all rates in a cell of a mesh, with each stage evaluated once in
 * each cell: those that stand in the text, without macros and functions beside the rates, and those of operators.  NaN:
 * not known, since there is noise. */
double mw_model_operations(const struct mw_model *model, enum mw_laplacian laplacian, unsigned dims);
/* Whether a stage may differ from itself at the mirror image of a cell, by what it looks at. */
bool mw_model_has_odd_stages(const struct mw_model *model);
/* The same of stages and rates: cells beyond a mirror do not stay images then. */
bool mw_model_is_odd(const struct mw_model *model);

/* Whether a stage is the same in all updates of a time step: it looks at noise alone, or at such stages. */
bool mw_model_is_still(const struct mw_model *model, size_t stage);

/* words.c: the place of a parameter whose name has n characters; -1: there is none. */
int mw_model_find_param(const struct mw_model *model, const char *name, size_t n);
/* params.c: the values of all parameters.  `params`: in the model's order; NULL: its defaults; and those that are given
 * by name.  MW_EINVAL: there is no parameter of a name. */
int mw_model_values(const struct mw_model *model, const double *params, const struct mw_value *given, size_t count,
                    double *values);

/* Another reference to a model, to be freed by mw_model_free as the first. */
struct mw_model *mw_model_hold(const struct mw_model *model);

#endif
/* SPDX-License-Identifier: MIT */
