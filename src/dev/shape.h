/* Shapes as text.  Internal. */
#ifndef MW_DEV_SHAPE_H
#define MW_DEV_SHAPE_H

#include <meshwork/tune.h>

/* mw_shape_parse without a message: returns NULL, or the invalid part, with *shape read up to it. */
const char *mw_shape_read(const char *text, struct mw_shape *shape);

#endif
/* SPDX-License-Identifier: MIT */
