/* Models: the equation of a field, or the energy of spins.  Each model is one file (doc/models.md,
 * doc/spin-models.md).
 *
 * Threads: a model never changes, so any number of threads may use it. */
#ifndef MESHWORK_MODEL_H
#define MESHWORK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <meshwork/status.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its struct */
#endif

/* Handle of a model, which mw_field_new and mw_spins_new simulate.  It was made from an installed file
 * (cl/models/field/ or cl/models/spin/), a file of the user, a text, or equations. */
struct mw_model;

/* Kinds of models.  MW_MODEL_ANY is both kinds; only mw_model_names accepts it. */
enum mw_model_kind { MW_MODEL_FIELD, MW_MODEL_SPIN, MW_MODEL_ANY };
MW_API const char *mw_model_kind_name(int value); /* Name, see status.h: "field", "spins", "any" */
/* Finds the kind of a name.  Errors: MW_EINVAL. */
MW_API int mw_model_kind_find(const char *name, enum mw_model_kind *value);

/* A parameter of a model. */
struct mw_model_param { /* a fixed value */
    const char *name;
    double value;     /* the default */
    const char *help; /* short description, or "" */
};

/* Parts of a complex field.  A complex field NAME is stored as two fields, NAME_re and then NAME_im. */
enum mw_complex_part { MW_COMPLEX_PART_NONE, MW_COMPLEX_PART_REAL, MW_COMPLEX_PART_IMAGINARY };
/* A field of a model: a quantity that changes with time at every cell. */
struct mw_model_field { /* a fixed value */
    const char *name;
    double noise, mean;        /* default start: mean + noise * u, where u is uniform in [-1, 1) */
    double outside;            /* value beyond a fixed boundary */
    bool conserved;            /* true: the model declares that the sum over all cells stays constant */
    enum mw_complex_part part; /* part of a complex field; MW_COMPLEX_PART_NONE: a real field */
};

/* Kinds of spins. */
enum mw_spin_values {
    MW_SPIN_VALUES_SIGNS,  /* -1 or 1 */
    MW_SPIN_VALUES_WHOLE,  /* whole numbers from a minimum to a maximum */
    MW_SPIN_VALUES_LABELS, /* labels 0 to count - 1, without an order */
    MW_SPIN_VALUES_CLOCK,  /* numbers 0 to count - 1 of `count` equally spaced directions in the plane */
    MW_SPIN_VALUES_ANGLE,  /* a direction in the plane, in turns: 0 to below 1 */
    MW_SPIN_VALUES_VECTOR  /* a unit vector of three components */
};
MW_API const char *mw_spin_values_name(int value); /* Name, see status.h: "signs", "whole", "labels", ... */
/* Finds the kind of spins of a name.  Errors: MW_EINVAL. */
MW_API int mw_spin_values_find(const char *name, enum mw_spin_values *value);
/* A number in the description of a model: a constant, or the value of a parameter (mw_model_number_of). */
struct mw_model_number { /* a fixed value */
    const char *param;   /* name of the parameter; NULL: the number is `value` */
    double value;
};
/* The spins of a model: their kind, and how they start and change. */
struct mw_model_spin { /* a fixed value */
    const char *name;
    enum mw_spin_values values;
    /* MW_SPIN_VALUES_WHOLE: `least` and `most` are the minimum and maximum.  MW_SPIN_VALUES_LABELS and
     * MW_SPIN_VALUES_CLOCK: `most` is the number of labels or directions.  Unused by other kinds. */
    struct mw_model_number least, most;
    bool has_rule;             /* true: spins change by a rule of the model; false: by their energy */
    struct mw_model_number up; /* above 0: the default start is all spins up; otherwise random */
};

/* Description of a model (mw_model_info). */
struct mw_model_info { /* the library's, may grow */
    /* name: the name in the line `//@ model` of the file
     * equation: the equation of the fields, or the energy or rule of the spins, as a text for readers */
    const char *name, *equation;
    const char *about; /* a sentence, or "" */
    const char *path;  /* path of the file, or `name` of mw_model_from_text */
    const char *text;  /* contents of the file */
    uint64_t hash;     /* XXH64 of `text` */
    enum mw_model_kind kind;
    bool installed;     /* true: mw_model_load found the model by its name, not by a path */
    size_t param_count; /* number of elements of `params` */
    const struct mw_model_param *params;
    /* Only for models of fields: */
    double dt;          /* default time step */
    bool has_energy;    /* true: the model defines the density of a free energy */
    bool has_noise;     /* true: the equations contain noise */
    size_t field_count; /* number of elements of `fields` */
    const struct mw_model_field *fields;
    size_t map_count; /* number of elements of `maps` */
    /* Maps: values that differ between cells and do not change with time.  `value`: in all cells, unless the model
     * gives the map by place, or it is set (mw_field_set_one). */
    const struct mw_model_param *maps;
    /* Only for models of spins: */
    struct mw_model_spin spin;
    /* Only for models of fields: bit d is set if the model gives boundary conditions of a field along dimension d. */
    unsigned bounded;
    /* Bit d is set if a condition names a side along dimension d, and if a definition that mw_model_extend added last
     * does so.  A mesh without this dimension ignores such a condition. */
    unsigned sided, added_sided;
    bool is_open; /* a boundary condition other than slope(0) lets fields flow in and out */
};

/* Loads a model from a file.  The caller frees it by mw_model_free.
 *   - name_or_path: the path of a file, if it contains a '/' or ends in ".cl"; otherwise the name of an installed
 *     model, such as "cahn-hilliard".
 *   - kernel_path: the folder of the .cl files, which contains the installed models; NULL: $MESHWORK_KERNEL_PATH, or if
 *     that is not set, the folder of the installed package.
 * Errors: MW_EINVAL (unknown name; the message lists all names), MW_EIO (the file or folder cannot be read), MW_ELIMIT
 * (more than 1 MiB), MW_EBUILD (invalid text; the message begins with FILE:LINE:COLUMN). */
MW_API int mw_model_load(const char *name_or_path, const char *kernel_path, struct mw_model **model);
/* Makes a model from the contents of a model file, which is `text`.  The caller frees it by mw_model_free.  Messages
 * and mw_model_info use `name` as the path of the file.  Both strings are copied.  Errors: MW_EBUILD (invalid text; the
 * message begins with NAME:LINE:COLUMN). */
MW_API int mw_model_from_text(const char *name, const char *text, struct mw_model **model);
/* Makes a model of fields from equations.  The caller frees it by mw_model_free.  Fields start from noise of amplitude
 * 0.1 around 0.  mw_model_info returns the text of an equivalent model file.
 *   - equations: `count` strings.  Each is "FIELD: RATE", "FIELD complex: RATE", or another definition of
 *     doc/models.md, such as "mu = c^3 - c" or "energy = EXPRESSION".
 *   - params: names and default values of the `param_count` parameters.
 * Errors: MW_EINVAL (no equation, an unknown form, a parameter that no equation uses), MW_EBUILD (an invalid
 * expression). */
MW_API int mw_model_from_equations(const char *const *equations, size_t count, const struct mw_value *params,
                                   size_t param_count, struct mw_model **model);
/* Makes a model from a model of fields and further definitions.  The caller frees it by mw_model_free.
 *   - definitions: `count` definitions of doc/models.md, such as "start(c) = sin(x)" or "map(D) = 1 + x".  Rates,
 *     starts and maps replace those of the model.
 *   - params: names and default values of `param_count` further parameters, which the definitions use.
 * Errors: MW_EINVAL (a model of spins, a parameter that no definition uses), MW_EBUILD (an invalid definition; its line
 * follows the lines of the model). */
MW_API int mw_model_extend(const struct mw_model *model, const char *const *definitions, size_t count,
                           const struct mw_value *params, size_t param_count, struct mw_model **extended);
/* Frees a model; NULL is allowed.  Fields and spins made from it stay valid. */
MW_API void mw_model_free(struct mw_model *model);
/* Returns the description of a model, which the model owns. */
MW_API const struct mw_model_info *mw_model_info(const struct mw_model *model);
/* Finds the index of a parameter in `params` of struct mw_model_info by its name.  Errors: MW_EINVAL (no parameter has
 * that name; the message lists the names). */
MW_API int mw_model_param_find(const struct mw_model *model, const char *name, size_t *param);
/* Returns the value of a number in the description of a model.  If the number is a parameter, the value is taken from
 * `params`, which has the values of all parameters in the order of the model. */
MW_API double mw_model_number_of(const struct mw_model_info *info, const struct mw_model_number *number,
                                 const double *params);
/* Lists the names of the installed models of a kind in a new array, which ends with NULL.  The caller frees it by
 * mw_model_names_free.  Names are sorted.  MW_MODEL_ANY lists all models of fields, then all models of spins.
 * `kernel_path`: see mw_model_load.  Errors: MW_EINVAL (no such kind), MW_EIO (the folder cannot
 * be read). */
MW_API int mw_model_names(const char *kernel_path, enum mw_model_kind kind, char ***names);
/* Frees the array of mw_model_names; NULL is allowed. */
MW_API void mw_model_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
