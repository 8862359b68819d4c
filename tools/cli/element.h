/* An element of an array, from a user's words. */
#ifndef TOOLS_ELEMENT_H
#define TOOLS_ELEMENT_H

#include <stdbool.h>

#include <meshwork/io.h>

/* Its bytes: of a number of that type, or where elements are pixels with colour, of a colour or a gray value.
 * MW_EINVAL. */
int element_parse(const char *text, enum mw_type type, bool colour, void *element);

#endif
/* SPDX-License-Identifier: MIT */
