/* Models of the tests, and those that are installed. */
#ifndef MW_TESTS_MODELS_H
#define MW_TESTS_MODELS_H

#include <meshwork.h>

#include "tests/check.h"

#define HEAT "tests/device/models/heat.cl"
#define CHAIN "tests/device/models/chain.cl"
#define SHAKEN "tests/device/models/shaken.cl"
#define BROKEN "tests/device/models/broken.cl"

/* By a path in the source tree, or by name. */
static inline struct mw_model *load(const char *name)
{
    const char *srcdir = getenv("srcdir");
    struct mw_model *model = NULL;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", name);
    OK(mw_model_load(strchr(name, '/') ? path : name, NULL, &model));
    return model;
}

#endif
/* SPDX-License-Identifier: MIT */
