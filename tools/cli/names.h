/* Suggestions for misspelt words; models and their parameters by name. */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H

#include <meshwork/model.h>
#include <meshwork/tune.h>

#include "tools/cli/options.h"

/* A search for the candidate nearest to a word: set `word`, offer all candidates, then read `best` (NULL: none is
 * near). */
struct nearest {
    const char *word, *best;
    unsigned distance;
};
/* Offers a candidate by its spelling. */
void nearest_offer(struct nearest *nearest, const char *candidate);
/* Offers a candidate if its help contains the word: "temperature" suggests T. */
void nearest_meaning(struct nearest *nearest, const char *candidate, const char *help);
/* Returns "did you mean WORD?", or `otherwise` if no word is near.  Use within one expression. */
struct advice {
    char text[160];
};
struct advice nearest_advice(const struct nearest *nearest, const char *otherwise);

/* Sets whether model_find rejects model files.  They are programs, so commands from other people must not load them. */
void model_files_forbid(bool forbidden);
/* Returns whether a model's name is the path of a file. */
bool model_is_file(const char *name);
/* Defines a model by its text; model_find then finds it by the name that is stored in *name.  The text is copied. */
int model_define(const char *text, const char **name);
/* Loads a model.  An unknown name gives an error with a suggestion. */
int model_find(const char *name, const char *kernel_path, struct mw_model **model);
/* Sets parameters of a model from words NAME=VALUE.  MW_EINVAL: an unknown name or a value that is not a number. */
int parameters_set(const char *model, const struct mw_model_param *params, size_t count, const struct words *words,
                   double *values);
/* Splits NAME=VALUE, an argument of -p, and skips blanks around the =; *value points into the word.  MW_EINVAL: it has
 * another form. */
int parameter_split(const char *word, char name[64], const char **value);
/* Parses the whole text as a number.  MW_EINVAL: it is not one; the message names the parameter. */
int parameter_number(const char *name, const char *text, double *value);

#endif
/* SPDX-License-Identifier: MIT */
