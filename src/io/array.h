/* Checks of arrays that a caller gives for results.  Internal. */
#ifndef MW_IO_ARRAY_H
#define MW_IO_ARRAY_H

#include <meshwork/io.h>

/* Checks that an array has this type, these lengths and data.  `what` names the result.  Errors: MW_EINVAL. */
int mw_array_check(const struct mw_array *array, const char *what, enum mw_type type, unsigned dims,
                   const size_t *length);

#endif
/* SPDX-License-Identifier: MIT */
