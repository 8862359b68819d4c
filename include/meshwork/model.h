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

/* A model: one installed file (cl/models/field/ or cl/models/spin/), a file of the user, or equations. */
struct mw_model;

/* Kinds of models.  MW_MODEL_ANY stands for both kinds, in mw_model_names only. */
enum mw_model_kind { MW_MODEL_FIELD, MW_MODEL_SPIN, MW_MODEL_ANY };
MW_API const char *mw_model_kind_name(int value); /* Name, see status.h: "field", "spins", "any" */
MW_API int mw_model_kind_find(const char *name, enum mw_model_kind *value);

/* A parameter of a model. */
struct mw_model_param { /* a fixed value */
    const char *name;
    double value;     /* the default */
    const char *help; /* what it is: a few words, or "" */
};

/* Parts of a complex field.  A complex field NAME is stored as two fields, NAME_re and then NAME_im. */
enum mw_complex_part { MW_COMPLEX_PART_NONE, MW_COMPLEX_PART_REAL, MW_COMPLEX_PART_IMAGINARY };
/* A field of a model: a quantity that changes with time at every cell. */
struct mw_model_field { /* a fixed value */
    const char *name;
    double noise, mean;        /* default start: mean + noise * u, where u is uniform in [-1, 1) */
    double outside;            /* value beyond a fixed boundary */
    bool conserved;            /* whether the sum over all cells stays constant */
    enum mw_complex_part part; /* part of a complex field; MW_COMPLEX_PART_NONE: a real field */
};

/* Kinds of spins. */
enum mw_spin_values {
    MW_SPIN_VALUES_SIGNS,  /* -1 or 1 */
    MW_SPIN_VALUES_WHOLE,  /* whole numbers from a minimum to a maximum */
    MW_SPIN_VALUES_LABELS, /* labels 0 to count - 1, without an order */
    MW_SPIN_VALUES_CLOCK,  /* numbers 0 to count - 1: count equally spaced directions in the plane */
    MW_SPIN_VALUES_ANGLE,  /* a direction in the plane, in turns: 0 to below 1 */
    MW_SPIN_VALUES_VECTOR  /* a unit vector of three components */
};
MW_API const char *mw_spin_values_name(int value); /* Name, see status.h: "signs", "whole", "labels", ... */
MW_API int mw_spin_values_find(const char *name, enum mw_spin_values *value);
/* A number of a model: a constant, or the current value of a parameter. */
struct mw_model_number { /* a fixed value */
    const char *param;   /* name of the parameter; NULL: the number is `value` */
    double value;
};
/* The spins of a model. */
struct mw_model_spin { /* a fixed value */
    const char *name;
    enum mw_spin_values values;
    /* least, most: the range for MW_SPIN_VALUES_WHOLE.  most: the count of labels or of clock directions. */
    struct mw_model_number least, most;
    bool has_rule;             /* true: spins change by the model's own rule; false: by their energy */
    struct mw_model_number up; /* above 0: runs start with all spins up by default; otherwise at random */
};

/* The description of a model. */
struct mw_model_info { /* the library's, may grow */
    /* name: the name in the file's line `//@ model`.  equation: that of the fields; for spins their energy or rule. */
    const char *name, *equation;
    const char *about; /* a sentence, or "" */
    const char *path;  /* path of the file */
    const char *text;  /* contents of the file */
    uint64_t hash;     /* XXH64 of `text` */
    enum mw_model_kind kind;
    bool installed; /* whether the model was found by its name, not by a path */
    size_t param_count;
    const struct mw_model_param *params;
    /* Only for models of fields: */
    double dt;       /* default time step */
    bool has_energy; /* whether the model defines the density of a free energy */
    bool has_noise;  /* whether the equations contain noise */
    size_t field_count;
    const struct mw_model_field *fields;
    /* Only for models of spins: */
    struct mw_model_spin spin;
};

/* Loads a model.
 *   - name_or_path: the name of an installed model, such as "cahn-hilliard"; or a path, if it contains a '/' or ends in
 *     ".cl".
 *   - kernel_path: the folder of the .cl files, which contains the installed models; NULL: $MESHWORK_KERNEL_PATH, then
 *     the installed folder.
 * Errors: MW_EINVAL (unknown name; the message lists all names), MW_EIO (the file cannot be read), MW_ELIMIT (more than
 * 1 MiB), MW_EBUILD (the message begins with FILE:LINE). */
MW_API int mw_model_load(const char *name_or_path, const char *kernel_path, struct mw_model **model);
/* Makes a model from the text of a model file.  Messages and mw_model_info use `name` as its path.  Both strings are
 * copied.  Errors: MW_EBUILD (the message begins with NAME:LINE). */
MW_API int mw_model_from_text(const char *name, const char *text, struct mw_model **model);
/* Makes a model of fields from equations.  Fields start from noise of amplitude 0.1 around 0.  mw_model_info returns
 * the text of an equivalent model file.
 *   - equations: strings "FIELD: RATE", "FIELD complex: RATE", or other definitions of doc/models.md, such as
 *     "mu = c^3 - c" or "energy = EXPRESSION".
 *   - params: names and default values of the parameters.
 * Errors: MW_EINVAL (no equation, an unknown form, an unused parameter), MW_EBUILD. */
MW_API int mw_model_from_equations(const char *const *equations, size_t count, const struct mw_value *params,
                                   size_t param_count, struct mw_model **model);
/* Frees a model.  Fields and spins made from it stay valid. */
MW_API void mw_model_free(struct mw_model *model);
/* Returns the description of a model, which the model owns. */
MW_API const struct mw_model_info *mw_model_info(const struct mw_model *model);
/* Finds the position of a parameter in the model's order.  Errors: MW_EINVAL (no parameter has that name; the message
 * lists the names). */
MW_API int mw_model_param_find(const struct mw_model *model, const char *name, size_t *param);
/* Returns the value of a number of a model.  `params` has the values of all parameters, in the model's order. */
MW_API double mw_model_number_of(const struct mw_model_info *info, const struct mw_model_number *number,
                                 const double *params);
/* Lists the names of the installed models of a kind in a new array, which ends with NULL; mw_model_names_free frees it.
 * Names are sorted; for MW_MODEL_ANY, models of fields precede models of spins.  `kernel_path`: see mw_model_load.
 * Errors: MW_EIO (no kernel folder was found). */
MW_API int mw_model_names(const char *kernel_path, enum mw_model_kind kind, char ***names);
MW_API void mw_model_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
