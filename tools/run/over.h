/* --over NAME=FIRST:LAST:STEP, or NAME=1,2,5: a parameter of a model with its values. */
#ifndef TOOLS_OVER_H
#define TOOLS_OVER_H

#include "tools/cli/options.h"

/* Splits the option.  MW_EINVAL: another form, or -p also sets the parameter. */
int over_split(const char *over, const struct words *params, char name[64], const char **values);
/* Reads the values, at least one, which the caller frees.  MW_EINVAL: the text after the name has no values. */
int over_values(const char *over, const char *values, double **item, size_t *count);

#endif
/* SPDX-License-Identifier: MIT */
