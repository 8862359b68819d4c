/* Shapes as text.  Internal. */
#ifndef MW_DEV_SHAPE_H
#define MW_DEV_SHAPE_H

#include <meshwork/tune.h>

/* Reads a shape as mw_shape_parse does, without an error message. Returns NULL, or the invalid part of the text; *shape
 * then has the parts before it. */
const char *mw_shape_read(const char *text, struct mw_shape *shape);

#endif
/* SPDX-License-Identifier: MIT */
