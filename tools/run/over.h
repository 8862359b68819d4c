/* --over NAME=FIRST:LAST:STEP, or NAME=1,2,5: a parameter of a model, and its values. */
#ifndef TOOLS_OVER_H
#define TOOLS_OVER_H

#include "tools/cli/options.h"

/* Splits it.  MW_EINVAL: it is not of that form, or -p gives that parameter as well. */
int over_split(const char *over, const struct words *params, char name[64], const char **values);
/* The values, one at least, which are the caller's to free.  MW_EINVAL: what stands behind the name is none. */
int over_values(const char *over, const char *values, double **item, size_t *count);

#endif
/* SPDX-License-Identifier: MIT */
