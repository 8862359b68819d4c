/* Other libraries' fields, by bench/rivals/fields.py. */
#ifndef FIELDS_RIVAL_H
#define FIELDS_RIVAL_H

#include "bench/fields/case.h"

#define RIVALS_MAX 3

/* A library, for a kind of device: "gpu" or "cpu". */
struct rival_library { struct python *python; const char *name, *word, *kind; };

/* Those for the kind of this device that are in the list (NULL: all, by words between commas) and that Python has;
 * says which are missing. */
size_t rival_libraries(struct python *python, const struct mw_device *device, const char *list,
                       struct rival_library libraries[RIVALS_MAX]);

struct rival {
    struct bench_rival turn;             /* first, as the contender's calls take either */
    const struct rival_library *library;
    const struct field_case *field;
    const struct mw_model *model;
};
/* Takes part once its result has been compared with ours; ends the bench where they differ. */
struct bench_contender rival_contender(struct rival *rival, const struct rival_library *library,
                                       const struct field_case *field, const struct mw_model *model, double stretch);

#endif
/* SPDX-License-Identifier: MIT */
