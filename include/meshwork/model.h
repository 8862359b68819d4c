/* Models: equations of fields and energies of spins, a file each (doc/models.md, doc/spin-models.md).
 *
 * Threads: a model never changes, and all may use it. */
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

/* A model: one file in cl/models/field/ or cl/models/spin/, or of a user's own. */
struct mw_model;

/* The kind of a model; MW_MODEL_ANY in queries: either. */
enum mw_model_kind { MW_MODEL_FIELD, MW_MODEL_SPIN, MW_MODEL_ANY };
MW_API const char *mw_model_kind_name(int value); /* status.h: "field", "spins", "any" */
MW_API int mw_model_kind_find(const char *name, enum mw_model_kind *value);

/* A parameter, with its default. */
struct mw_model_param { /* a fixed value */
    const char *name;
    double value;
    const char *help;
};

/* Parts of a complex field NAME, which is stored as two fields, NAME_re and NAME_im, one after the other. */
enum mw_complex_part { MW_COMPLEX_PART_NONE, MW_COMPLEX_PART_REAL, MW_COMPLEX_PART_IMAGINARY };
/* A quantity that evolves. */
struct mw_model_field { /* a fixed value */
    const char *name;
    double noise, mean; /* the start: mean + noise u, u uniform in [-1, 1) */
    double outside;     /* its value beyond a fixed boundary */
    bool conserved;     /* its sum stays */
    enum mw_complex_part part;
};

/* Kinds of spins. */
enum mw_spin_values {
    MW_SPIN_VALUES_SIGNS,  /* -1 or 1 */
    MW_SPIN_VALUES_WHOLE,  /* whole numbers from a least to a largest one */
    MW_SPIN_VALUES_LABELS, /* 0 to count - 1, without an order */
    MW_SPIN_VALUES_CLOCK,  /* the same, around a circle */
    MW_SPIN_VALUES_ANGLE,  /* a direction in the plane, in turns: [0, 1) */
    MW_SPIN_VALUES_VECTOR  /* a unit vector of three components */
};
MW_API const char *mw_spin_values_name(int value); /* status.h: "signs", "whole", "labels", ... */
MW_API int mw_spin_values_find(const char *name, enum mw_spin_values *value);
/* A number, or where `param` is not NULL the value of that parameter. */
struct mw_model_number { /* a fixed value */
    const char *param;
    double value;
};
/* The spins of a model. */
struct mw_model_spin { /* a fixed value */
    const char *name;
    enum mw_spin_values values;
    struct mw_model_number least, most; /* for MW_SPIN_VALUES_WHOLE; most: also the count of labels and of a clock */
    bool has_rule;                      /* spins change by the model's own rule, not by their energy */
    struct mw_model_number up;          /* above 0: by default, runs start with all spins up, otherwise at random */
};

/* The description of a model. */
struct mw_model_info {           /* the library's, may grow */
    const char *name, *equation; /* for spins: their energy, or rule */
    const char *about;           /* a sentence, or "" */
    const char *path;            /* the file's */
    const char *text;            /* the file's contents */
    uint64_t hash;               /* XXH64 of its text */
    enum mw_model_kind kind;
    bool installed; /* it was found by its name */
    size_t param_count;
    const struct mw_model_param *params;
    /* for fields */
    double dt;       /* default time step */
    bool has_energy; /* the model gives the density of a free energy */
    bool has_noise;  /* its rates contain noise */
    size_t field_count;
    const struct mw_model_field *fields;
    /* for spins */
    struct mw_model_spin spin;
};

/* Loads a model: a name ("cahn-hilliard", found in the kernel folder) or a path (anything with a '/' or ending in .cl).
 * `kernel_path` as in mw_device_options.  Errors: MW_EINVAL (unknown name; the message lists all names), MW_EIO (it
 * cannot be read), MW_ELIMIT (more than 1 MiB), MW_EBUILD (file:line: error). */
MW_API int mw_model_load(const char *name_or_path, const char *kernel_path, struct mw_model **model);
/* Makes a model from the text of such a file.  `name`: what messages call the text, and the path of its description.
 * Both are copied.  Errors: MW_EBUILD (name:line: what is wrong). */
MW_API int mw_model_from_text(const char *name, const char *text, struct mw_model **model);
/* Makes a model of fields from equations.  Each is "FIELD: RATE", "FIELD complex: RATE" or another definition of
 * doc/models.md, such as "mu = c^3 - c" or "energy = EXPRESSION".  Fields start from noise of 0.1 around 0.  `params`
 * are the parameters and their defaults.  mw_model_info returns the text of an equal model file.  Errors: MW_EINVAL (no
 * equation, a form that is none of these, an unused parameter), MW_EBUILD. */
MW_API int mw_model_from_equations(const char *const *equations, size_t count, const struct mw_value *params,
                                   size_t param_count, struct mw_model **model);
/* Frees a model.  Fields and spins made from it stay valid. */
MW_API void mw_model_free(struct mw_model *model);
/* Returns the description of a model, which the model owns. */
MW_API const struct mw_model_info *mw_model_info(const struct mw_model *model);
/* Finds the position of a parameter in the model's order.  Errors: MW_EINVAL (no parameter has that name; the message
 * lists the names). */
MW_API int mw_model_param_find(const struct mw_model *model, const char *name, size_t *param);
/* Returns a number of a model, given the values of its parameters in their order. */
MW_API double mw_model_number_of(const struct mw_model_info *info, const struct mw_model_number *number,
                                 const double *params);
/* Lists the names of the installed models of a kind, sorted, of either kind those of fields first; NULL-ended; freed
 * with mw_model_names_free.  Errors: MW_EIO (no folder of kernels). */
MW_API int mw_model_names(const char *kernel_path, enum mw_model_kind kind, char ***names);
MW_API void mw_model_names_free(char **names);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif
#endif
/* SPDX-License-Identifier: MIT */
