/* Other libraries' fields, by bench/rivals/fields.py. */
#ifndef FIELDS_RIVAL_H
#define FIELDS_RIVAL_H

#include "bench/fields/case.h"

#define RIVALS_MAX 3

/* A library, for one kind of device: "gpu" or "cpu". */
struct rival_library {
    struct python *python;
    const char *name, *word, *kind;
};

/* Selects the libraries for this kind of device that are in the comma-separated list (NULL: all) and installed in
 * Python; reports missing ones. */
size_t rival_libraries(struct python *python, const struct mw_device *device, const char *list,
                       struct rival_library libraries[RIVALS_MAX]);

struct rival {
    struct bench_rival turn; /* first member, so that the contender's functions take either */
    const struct rival_library *library;
    const struct field_case *field;
    const struct mw_model *model;
};
/* Adds the library after comparing its result with ours; exits if they differ. */
struct bench_contender rival_contender(struct rival *rival, const struct rival_library *library,
                                       const struct field_case *field, const struct mw_model *model, double stretch);

#endif
/* SPDX-License-Identifier: MIT */
