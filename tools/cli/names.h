/* Words that a user may misspell: the nearest of those there are. */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H

#include <meshwork/tune.h>

#include "tools/cli/text.h"

/* Start with { .word = ... }, offer all, then read `best` (NULL: none is near). */
struct nearest { const char *word, *best; unsigned distance; };
void nearest_offer(struct nearest *nearest, const char *candidate);
/* "did you mean WORD?", or where none is near another sentence; use within one expression. */
struct advice { char text[160]; };
struct advice nearest_advice(const struct nearest *nearest, const char *otherwise);

/* Splits NAME=VALUE, what -p takes; *value points into the word.  MW_EINVAL: it is not of that form. */
int parameter_split(const char *word, char name[64], const char **value);
/* A number from the whole of a text.  MW_EINVAL, saying which parameter. */
int parameter_number(const char *name, const char *text, double *value);

#endif
