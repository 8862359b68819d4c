/* Words that a user may misspell: the nearest of those there are; models and their parameters by name. */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H

#include <meshwork/model.h>
#include <meshwork/tune.h>

#include "tools/cli/options.h"

/* Start with { .word = ... }, offer all, then read `best` (NULL: none is near). */
struct nearest { const char *word, *best; unsigned distance; };
void nearest_offer(struct nearest *nearest, const char *candidate);
/* Offers one that no name is near to by its help, of which the word may be one: "temperature" of T. */
void nearest_meaning(struct nearest *nearest, const char *candidate, const char *help);
/* "did you mean WORD?", or where none is near another sentence; use within one expression. */
struct advice { char text[160]; };
struct advice nearest_advice(const struct nearest *nearest, const char *otherwise);

/* Whether model_find refuses files of models from now on, which are programs: for what others ask to be run. */
void model_files_forbid(bool forbidden);
/* Whether a model is a file by its path. */
bool model_is_file(const char *name);
/* Loads a model, with a suggestion when there is none of that name. */
int model_find(const char *name, const char *kernel_path, struct mw_model **model);
/* Sets those of a model's parameters, by their names, that words NAME=VALUE name.  MW_EINVAL: there is no such one. */
int parameters_set(const char *model, const struct mw_model_param *params, size_t count, const struct words *words,
                   double *values);
/* Splits NAME=VALUE, what -p takes; *value points into the word.  MW_EINVAL: it is not of that form. */
int parameter_split(const char *word, char name[64], const char **value);
/* A number from the whole of a text.  MW_EINVAL, saying which parameter. */
int parameter_number(const char *name, const char *text, double *value);

#endif
/* SPDX-License-Identifier: MIT */
