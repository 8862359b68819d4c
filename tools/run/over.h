/* --over NAME=FIRST:LAST:STEP, or NAME=1,2,5: a parameter of a model with its values. */
#ifndef TOOLS_OVER_H
#define TOOLS_OVER_H

#include "tools/cli/options.h"

/* Splits the option.  MW_EINVAL: another form, or -p also sets the parameter. */
int over_split(const char *over, const struct words *params, char name[64], const char **values);
/* Reads the values, at least one, which the caller frees.  `option` and `given` are for messages: the option's name and
 * argument.  MW_EINVAL: `values` is neither FIRST:LAST:STEP nor a list. */
int over_values(const char *option, const char *given, const char *values, double **item, size_t *count);

#endif
/* SPDX-License-Identifier: MIT */
