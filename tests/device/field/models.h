/* The models of the tests, and the installed ones. */
#ifndef MW_TESTS_MODELS_H
#define MW_TESTS_MODELS_H

#include <math.h>
#include <stdbool.h>

#include <meshwork.h>

#include "tests/check.h"

#define HEAT "tests/device/models/heat.cl"
#define CHAIN "tests/device/models/chain.cl"
#define SHAKEN "tests/device/models/shaken.cl"
#define MAPPED "tests/device/models/mapped.cl"
#define MASKED "tests/device/models/masked.cl"
#define AVERAGED "tests/device/models/averaged.cl"
#define FLUXES "tests/device/models/fluxes.cl"

/* Loads a model by its path in the source tree, or by its name. */
static inline struct mw_model *load(const char *name)
{
    const char *srcdir = getenv("srcdir");
    struct mw_model *model = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", name);
    OK(mw_model_load(strchr(name, '/') ? path : name, NULL, &model));
    return model;
}

/* Returns whether all values of a state are finite; the bits of NaNs depend on the device. */
static inline bool are_numbers(const struct mw_array *state)
{
    bool all = true;
    for (size_t k = 0; k < state->count; k++)
        all = all && isfinite(state->type == MW_TYPE_F64 ? ((double *)state->data)[k] : ((float *)state->data)[k]);
    return all;
}

static inline void must_be_numbers(const struct mw_array *state) { assert_true(are_numbers(state)); }

#endif
/* SPDX-License-Identifier: MIT */
